// Package chart draws the examples' curves.
package chart

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// Curve is a named line.
type Curve struct {
	Name   string
	X, Y   []float64
	Dashed bool
}

// Colours tell curves apart, colour-blind readers' too (Okabe and Ito).
var Colours = []color.RGBA{
	{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255}, {230, 159, 0, 255}, {86, 180, 233, 255}, {0, 0, 0, 255},
}

// Draw writes curves as a picture; the file's ending says its format. left puts
// the legend at the left.
func Draw(path, title, x, y string, left bool, curves ...Curve) error {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.Padding = vg.Points(6)
	p.Legend.Top, p.Legend.Left = true, left
	p.Legend.Padding = vg.Points(2)
	p.Add(plotter.NewGrid())
	for i, c := range curves {
		xy := make(plotter.XYs, len(c.X))
		for k := range xy {
			xy[k].X, xy[k].Y = c.X[k], c.Y[k]
		}
		line, err := plotter.NewLine(xy)
		if err != nil {
			return err
		}
		line.Color, line.Width = Colours[i%len(Colours)], vg.Points(1.5)
		if c.Dashed {
			line.Dashes = []vg.Length{vg.Points(5), vg.Points(3)}
		}
		p.Add(line)
		p.Legend.Add(c.Name, line)
	}
	return p.Save(16*vg.Centimeter, 10*vg.Centimeter, path)
}
