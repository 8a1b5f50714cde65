package view

import (
	"path/filepath"
	"strings"

	"fdem/io/throw"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Fitted is a measurement against the law fitted to it.
type Fitted struct {
	Title        string
	Answer, Unit string    // "pressure", "Pa"
	Deflection   []float64 // [m]
	Measured     []float64 // [Unit]
	Law          []float64 // [Unit]
	Starts       []int     // rows at which another history begins
}

// Save draws measured points and the law's line; path ends in .png or .svg.
func (f Fitted) Save(path string) (err error) {
	defer throw.Catch(&err)
	fx, ux := prefixed(peak(f.Deflection), "m")
	fy, uy := prefixed(peak(f.Measured), f.Unit)
	p := newPlot(f.Title)
	p.X.Label.Text, p.Y.Label.Text = "deflection ("+ux+")", f.Answer+" ("+uy+")"
	addGrid(p)
	points := func(v []float64, from, to int) plotter.XYs {
		xy := make(plotter.XYs, to-from)
		for i := range xy {
			xy[i] = plotter.XY{X: f.Deflection[from+i] / fx, Y: v[from+i] / fy}
		}
		return xy
	}
	dots := throw.Must(plotter.NewScatter(points(f.Measured, 0, len(f.Measured))))
	dots.GlyphStyle = draw.GlyphStyle{Color: lineColours[5], Radius: vg.Points(1.3), Shape: draw.CircleGlyph{}}
	p.Add(dots)
	p.Legend.Add("measured", dots)
	from := 0
	for _, to := range append(append([]int{}, f.Starts...), len(f.Law)) {
		line := throw.Must(plotter.NewLine(points(f.Law, from, to)))
		line.Color, line.Width = lineColours[1], vg.Points(1.2)
		p.Add(line)
		if from == 0 {
			p.Legend.Add("fitted", line)
		}
		from = to
	}
	p.Legend.Top, p.Legend.Left = true, true
	p.X.Min = min(p.X.Min, 0)
	return saveCanvas(path, strings.TrimPrefix(filepath.Ext(path), "."), 16*vg.Centimeter, 11*vg.Centimeter, p.Draw)
}
