package view

import (
	"fmt"
	"io"
	"os"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// Curve is a line of a diagram. Curves without a name continue the one before
// in its colour.
type Curve struct {
	Name   string
	X, Y   []float64
	Dashed bool
}

// Diagram is curves over common axes.
type Diagram struct {
	Title, X, Y string
	LegendLeft  bool
	Curves      []Curve
}

// Write writes the diagram as "svg" or "png".
func (d *Diagram) Write(out io.Writer, format string) error {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = d.Title, d.X, d.Y
	p.Title.Padding = vg.Points(6)
	p.Legend.Top, p.Legend.Left = true, d.LegendLeft
	p.Legend.Padding = vg.Points(2)
	p.Add(plotter.NewGrid())
	named := -1
	for _, c := range d.Curves {
		if c.Name != "" {
			named++
		}
		xy := make(plotter.XYs, len(c.X))
		for k := range xy {
			xy[k].X, xy[k].Y = c.X[k], c.Y[k]
		}
		line, err := plotter.NewLine(xy)
		if err != nil {
			return fmt.Errorf("curve %q: %w", c.Name, err)
		}
		line.Color, line.Width = lineColours[max(named, 0)%len(lineColours)], vg.Points(1.5)
		if c.Dashed {
			line.Dashes = []vg.Length{vg.Points(5), vg.Points(3)}
		}
		p.Add(line)
		if c.Name != "" {
			p.Legend.Add(c.Name, line)
		}
	}
	to, err := p.WriterTo(16*vg.Centimeter, 10*vg.Centimeter, format)
	if err != nil {
		return err
	}
	_, err = to.WriteTo(out)
	return err
}

// Save writes the diagram to a file, as "svg" or "png".
func (d *Diagram) Save(path, format string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := d.Write(f, format); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}
