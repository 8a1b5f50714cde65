package view

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"

	"fdem/io/guard"
	"fdem/io/throw"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// fragmentsName is the list of fragments at the last frame of a run.
const fragmentsName = "fragments.csv"

// hue distributes numbers over the colours of fragments by the golden ratio, so
// that consecutive numbers differ.
const hue = 0.6180339887498949

// shades returns the positions on the colour map of fragments for the fragment numbers
// of triangles. A fragment has the colour of its first triangle, and so keeps it from
// frame to frame.
func shades(number []float64) []float64 {
	first := map[float64]float64{} // looked up, never iterated
	out := make([]float64, len(number))
	for t, n := range number {
		u, ok := first[n]
		if !ok {
			_, u = math.Modf(hue * float64(t))
			first[n] = u
		}
		out[t] = u
	}
	return out
}

// passing returns the sizes in ascending order, and for each the fraction of the mass
// in fragments up to that size.
func passing(size, mass []float64) (x, y []float64) {
	order := make([]int, len(size))
	all := 0.0
	for i := range order {
		order[i] = i
		all += mass[i]
	}
	slices.SortStableFunc(order, func(p, q int) int { return cmp.Compare(size[p], size[q]) })
	sum := 0.0
	for _, i := range order {
		sum += mass[i]
		if n := len(x); n > 0 && x[n-1] == size[i] {
			y[n-1] = sum / all
			continue
		}
		x, y = append(x, size[i]), append(y, sum/all)
	}
	return x, y
}

// drawFragments draws the fraction of the mass in fragments up to each size, on
// logarithmic axes, if there are fragments.
func (f *Folder) drawFragments(save saver) {
	path, err := guard.Path(f.dir, fragmentsName, 4*guard.Text)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	throw.If(err)
	size, mass, err := readFragments(path)
	throw.If(err)
	x, y := passing(size, mass)
	const few = 3
	if len(x) < few {
		return
	}
	factor, unit := prefixed(x[len(x)-1], "m")
	xy := make(plotter.XYs, len(x))
	for i := range x {
		xy[i] = plotter.XY{X: x[i] / factor, Y: 100 * y[i]}
	}
	line, points, err := plotter.NewLinePoints(xy)
	throw.If(err)
	line.Color, line.Width = lineColours[0], vg.Points(1.4)
	points.Color, points.Shape, points.Radius = lineColours[0], draw.CircleGlyph{}, vg.Points(1.5)
	p := newPlot(fmt.Sprintf("Sizes of %d fragments", len(size)))
	p.X.Label.Text, p.Y.Label.Text = fmt.Sprintf("diameter of a disc of the same area (%s)", unit), "mass passing (%)"
	logarithmic(&p.X)
	logarithmic(&p.Y)
	addGrid(p)
	p.Add(line, points)
	p.X.Min, p.X.Max = xy[0].X/1.2, xy[len(xy)-1].X*1.2
	p.Y.Min, p.Y.Max = xy[0].Y/1.2, 120
	save("fragments", 16*vg.Centimeter, 9*vg.Centimeter, p.Draw)
}

// readFragments returns the sizes of fragments, diameters of discs of their area
// [m], and their masses [kg].
func readFragments(path string) (size, mass []float64, err error) {
	defer throw.Catch(&err)
	file := throw.Must(os.Open(path))
	rows, err := csv.NewReader(file).ReadAll()
	if err := errors.Join(err, file.Close()); err != nil {
		throw.If(fmt.Errorf("%s: %w", path, err))
	}
	area, weight := -1, -1
	for i, row := range rows {
		if i == 0 {
			area, weight = slices.Index(row, "area"), slices.Index(row, "mass")
		}
		if area < 0 || weight < 0 {
			throw.If(fmt.Errorf("%s: there is no column area or mass", path))
		}
		if i == 0 {
			continue
		}
		a, err1 := strconv.ParseFloat(row[area], 64)
		m, err2 := strconv.ParseFloat(row[weight], 64)
		if err1 != nil || err2 != nil || !(a > 0) || !(m > 0) {
			throw.If(fmt.Errorf("%s:%d: a fragment must have area and mass above 0, got %q m2 and %q kg", path, i+1, row[area], row[weight]))
		}
		size, mass = append(size, math.Sqrt(4*a/math.Pi)), append(mass, m)
	}
	return size, mass, nil
}
