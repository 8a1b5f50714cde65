package view

import (
	"image/color"
	"math"
	"path/filepath"

	"fdem/io/throw"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// RoseParts is the number of equal parts of 180 degrees in a rose diagram.
const RoseParts = 18

// Network is a map of joints in a region with a rose diagram: the length by direction.
type Network struct {
	Title  string
	Region []r2.Vec // [m]
	Sets   []string
	Lines  [][][2][2]float64 // by set [m]
	Rose   [][]float64       // by set, the length in each of RoseParts of half a turn from x on [m]
}

// Save draws the network to a file, .png or .svg.
func (n *Network) Save(path string) (err error) {
	defer throw.Catch(&err)
	low, high := box(n.Region)
	size := max(high.X-low.X, high.Y-low.Y)
	fl, ul := prefixed(size, "m")
	p := newPlot(n.Title)
	p.X.Label.Text, p.Y.Label.Text = ul, ul
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = low.X/fl, high.X/fl, low.Y/fl, high.Y/fl
	rose := newPlot("length by direction")
	rose.HideAxes()
	rose.X.Min, rose.X.Max, rose.Y.Min, rose.Y.Max = -1.05, 1.05, -1.05, 1.05
	rose.Legend.Top = true
	outline := make(plotter.XYs, len(n.Region)+1)
	for i := range outline {
		x := n.Region[i%len(n.Region)]
		outline[i] = plotter.XY{X: x.X / fl, Y: x.Y / fl}
	}
	border := throw.Must(plotter.NewLine(outline))
	border.Width = vg.Points(1)
	p.Add(border)
	top := 0.0
	for k := range RoseParts {
		sum := 0.0
		for _, of := range n.Rose {
			sum += of[k]
		}
		top = max(top, sum)
	}
	inner := make([]float64, RoseParts)
	for set, lines := range n.Lines {
		colour := lineColours[set%len(lineColours)]
		p.Add(strokes{lines, fl, colour})
		w := wedges{from: append([]float64(nil), inner...), colour: colour}
		for k, v := range n.Rose[set] {
			inner[k] += v / max(top, 1e-300)
		}
		w.to = append([]float64(nil), inner...)
		rose.Add(w)
		sample := throw.Must(plotter.NewLine(plotter.XYs{{}, {}}))
		sample.Color, sample.Width = colour, vg.Points(2)
		rose.Legend.Add(n.Sets[set], sample)
	}
	const width, height = 22 * vg.Centimeter, 12 * vg.Centimeter
	throw.If(saveCanvas(path, filepath.Ext(path)[1:], width, height, func(c draw.Canvas) {
		left, right := c, c
		split := c.Min.X + 0.6*(c.Max.X-c.Min.X)
		left.Max.X, right.Min.X = split, split+0.3*vg.Centimeter
		even(p, left, low.X, high.X, low.Y, high.Y, fl)
		p.Draw(left)
		even(rose, right, -1.05, 1.05, -1.05, 1.05, 1)
		rose.Draw(right)
	}))
	return nil
}

// strokes draws lines.
type strokes struct {
	lines  [][2][2]float64
	unit   float64
	colour color.Color
}

// Plot implements plot.Plotter.
func (s strokes) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, l := range s.lines {
		c.StrokeLine2(draw.LineStyle{Color: s.colour, Width: vg.Points(0.8)}, x(l[0][0]/s.unit), y(l[0][1]/s.unit), x(l[1][0]/s.unit), y(l[1][1]/s.unit))
	}
}

// wedges draws the parts of a rose diagram of one set, each from one radius to another,
// and on the other side of the middle as well.
type wedges struct {
	from, to []float64
	colour   color.Color
}

// Plot implements plot.Plotter.
func (w wedges) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	const fine = 4
	at := func(radius, angle float64) vg.Point {
		return vg.Point{X: x(radius * math.Cos(angle)), Y: y(radius * math.Sin(angle))}
	}
	for k := range w.to {
		if w.to[k] == w.from[k] {
			continue
		}
		for _, turn := range []float64{0, math.Pi} {
			var points []vg.Point
			for i := range fine + 1 {
				points = append(points, at(w.to[k], turn+math.Pi*(float64(k)+float64(i)/fine)/RoseParts))
			}
			for i := fine; i >= 0; i-- {
				points = append(points, at(w.from[k], turn+math.Pi*(float64(k)+float64(i)/fine)/RoseParts))
			}
			c.FillPolygon(w.colour, points)
		}
	}
}
