package view

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"fdem/io/throw"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Axis is one of a study's axes with the value of every case.
type Axis struct {
	Name, Unit  string
	Values      []float64
	Logarithmic bool
}

func (a Axis) label() string {
	name := strings.ReplaceAll(a.Name, "_", " ")
	if a.Unit == "" {
		return name
	}
	return name + " (" + a.Unit + ")"
}

// logarithmic makes an axis of a plot logarithmic.
func logarithmic(a *plot.Axis) { a.Scale, a.Tick.Marker = plot.LogScale{}, decades{} }

// decades marks 1, 2 and 5 of every power of ten.
type decades struct{}

// Ticks implements plot.Ticker.
func (decades) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for e := math.Floor(math.Log10(low)); e <= math.Ceil(math.Log10(high)); e++ {
		for m := 1; m <= 9; m++ {
			v := float64(m) * math.Pow(10, e)
			if v < low*(1-1e-9) || v > high*(1+1e-9) {
				continue
			}
			label := ""
			if m == 1 || m == 2 || m == 5 {
				label = fmt.Sprintf("%.3g", v)
			}
			ticks = append(ticks, plot.Tick{Value: v, Label: label})
		}
	}
	return ticks
}

// SaveCurves draws a quantity over one parameter, a curve for every text in
// group (nil for one curve); cases without a number are left out. path ends in
// .png or .svg. joined is false for unordered samples.
func SaveCurves(path, title string, x, y Axis, group []string, joined bool) (err error) {
	defer throw.Catch(&err)
	p := newPlot(title)
	p.X.Label.Text, p.Y.Label.Text = x.label(), y.label()
	if x.Logarithmic {
		logarithmic(&p.X)
	}
	addGrid(p)
	var names []string
	curves := map[string]plotter.XYs{}
	for i := range x.Values {
		name := ""
		if group != nil {
			name = group[i]
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		if v := y.Values[i]; !math.IsNaN(v) && !math.IsInf(v, 0) {
			curves[name] = append(curves[name], plotter.XY{X: x.Values[i], Y: v})
		}
	}
	for i, name := range names {
		xy := curves[name]
		if len(xy) == 0 {
			continue
		}
		slices.SortStableFunc(xy, func(a, b plotter.XY) int { return cmp.Compare(a.X, b.X) })
		dots := throw.Must(plotter.NewScatter(xy))
		colour := lineColours[i%len(lineColours)]
		dots.GlyphStyle = draw.GlyphStyle{Color: colour, Radius: vg.Points(2.2), Shape: draw.CircleGlyph{}}
		p.Add(dots)
		if joined {
			line := throw.Must(plotter.NewLine(xy))
			line.Color, line.Width = colour, vg.Points(1.2)
			p.Add(line)
		}
		if name != "" {
			p.Legend.Add(name, dots)
		}
	}
	p.Legend.Top = true
	p.Y.Max += 0.04 * (p.Y.Max - p.Y.Min)
	return saveCanvas(path, strings.TrimPrefix(filepath.Ext(path), "."), 16*vg.Centimeter, 10*vg.Centimeter, p.Draw)
}

// SaveHeatMap draws a quantity over two parameters that form a grid; cells
// without a number stay grey.
func SaveHeatMap(path, title string, x, y, z Axis) error {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range z.Values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			low, high = min(low, v), max(high, v)
		}
	}
	if low > high {
		return fmt.Errorf("%s: no case has a number", z.Name)
	}
	if low == high {
		low, high = low-0.5, high+0.5
	}
	cells := heatMap{x: edgesOf(x), y: edgesOf(y), low: low, high: high}
	for i := range z.Values {
		cells.at = append(cells.at, [2]int{rank(x.Values, x.Values[i]), rank(y.Values, y.Values[i])})
	}
	cells.values = z.Values
	return saveCanvas(path, strings.TrimPrefix(filepath.Ext(path), "."), 17*vg.Centimeter, 12*vg.Centimeter, func(c draw.Canvas) {
		p := newPlot(title)
		p.X.Label.Text, p.Y.Label.Text = x.label(), y.label()
		if x.Logarithmic {
			logarithmic(&p.X)
		}
		if y.Logarithmic {
			logarithmic(&p.Y)
		}
		p.X.Min, p.X.Max = cells.x[0], cells.x[len(cells.x)-1]
		p.Y.Min, p.Y.Max = cells.y[0], cells.y[len(cells.y)-1]
		p.X.Padding, p.Y.Padding = 0, 0
		p.Add(cells)
		bar := newPlot("")
		bar.HideX()
		bar.Y.Min, bar.Y.Max = low, high
		bar.Y.Label.Text = z.label()
		bar.Add(scaleBar{sequential, low, high})
		left, right := c, c
		split := c.Max.X - 2.9*vg.Centimeter
		left.Max.X, right.Min.X, right.Max.X = split, split+0.3*vg.Centimeter, c.Max.X-0.5*vg.Centimeter
		right.Min.Y, right.Max.Y = c.Min.Y+1.4*vg.Centimeter, c.Max.Y-0.6*vg.Centimeter
		p.Draw(left)
		bar.Draw(right)
	})
}

// rank returns the number of different values below v.
func rank(values []float64, v float64) int {
	i, _ := slices.BinarySearch(levels(values), v)
	return i
}

func levels(values []float64) []float64 {
	return slices.Compact(slices.Sorted(slices.Values(values)))
}

// edgesOf returns the borders of the cells around an axis' values: halfway
// between them, on a logarithmic axis in the logarithm.
func edgesOf(a Axis) []float64 {
	v := levels(a.Values)
	if a.Logarithmic {
		for i := range v {
			v[i] = math.Log(v[i])
		}
	}
	n := len(v)
	half := 0.5
	if n > 1 {
		half = 0.5 * (v[1] - v[0])
	}
	edges := []float64{v[0] - half}
	for i := 1; i < n; i++ {
		edges = append(edges, 0.5*(v[i-1]+v[i]))
	}
	if n > 1 {
		half = 0.5 * (v[n-1] - v[n-2])
	}
	edges = append(edges, v[n-1]+half)
	if a.Logarithmic {
		for i := range edges {
			edges[i] = math.Exp(edges[i])
		}
	}
	return edges
}

// heatMap draws cells with their numbers.
type heatMap struct {
	x, y      []float64 // borders
	at        [][2]int  // cell of each value
	values    []float64
	low, high float64
}

// Plot implements plot.Plotter.
func (h heatMap) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	style := p.X.Tick.Label
	style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
	style.Font.Size = vg.Points(min(9, 90/float64(max(len(h.x), len(h.y)))))
	for i, v := range h.values {
		a, b := h.at[i][0], h.at[i][1]
		x0, x1, y0, y1 := tx(h.x[a]), tx(h.x[a+1]), ty(h.y[b]), ty(h.y[b+1])
		fill, ink := color.RGBA{0xc0, 0xc0, 0xc0, 0xff}, color.Color(color.Black)
		if !math.IsNaN(v) {
			fill = colourAt(sequential, (v-h.low)/(h.high-h.low))
			if 299*int(fill.R)+587*int(fill.G)+114*int(fill.B) < 128*1000 {
				ink = color.White
			}
		}
		c.FillPolygon(fill, []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}})
		if !math.IsNaN(v) && max(len(h.x), len(h.y)) <= 16 {
			style.Color = ink
			c.FillText(style, vg.Point{X: 0.5 * (x0 + x1), Y: 0.5 * (y0 + y1)}, fmt.Sprintf("%.2g", v))
		}
	}
}
