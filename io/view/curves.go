package view

import (
	"fmt"
	"image/color"
	"io"

	"fdem/io/throw"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Curve is a line of a diagram. Curves without a name continue the one before
// in its colour.
type Curve struct {
	Name   string
	X, Y   []float64
	Dashed bool
	Colour color.Color // nil for the next of the usual ones
}

// Diagram is curves with common axes.
type Diagram struct {
	Title, X, Y   string
	Width, Height vg.Length // of the picture; 16 by 10 cm where 0
	LegendLeft    bool      // or else right
	LegendBelow   bool      // or else above
	Room          float64   // above the curves, for the legend, as a part of their height
	XMax          float64   // the end of the axis; 0 for that of the curves
	Even          bool      // equal scales on both axes
	Curves        []Curve
}

// plot makes the plot of a diagram.
func (d *Diagram) plot() *plot.Plot {
	p := newPlot(d.Title)
	p.X.Label.Text, p.Y.Label.Text = d.X, d.Y
	p.Legend.Top, p.Legend.Left = !d.LegendBelow, d.LegendLeft
	p.Legend.Padding = vg.Points(2)
	addGrid(p)
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
			throw.If(fmt.Errorf("curve %q: %w", c.Name, err))
		}
		line.Color, line.Width = lineColours[max(named, 0)%len(lineColours)], vg.Points(1.5)
		if c.Colour != nil {
			line.Color = c.Colour
		}
		if c.Dashed {
			line.Dashes = []vg.Length{vg.Points(5), vg.Points(3)}
		}
		p.Add(line)
		if c.Name != "" {
			p.Legend.Add(c.Name, line)
		}
	}
	if d.XMax != 0 {
		p.X.Max = d.XMax
	}
	p.Y.Max += d.Room * (p.Y.Max - p.Y.Min)
	return p
}

func addGrid(p *plot.Plot) {
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = color.Gray{0xd8}, color.Gray{0xd8}
	p.Add(grid)
}

// Row is diagrams side by side in one picture, with the height of the first.
type Row []*Diagram

// paint returns the picture's size and a function that paints it.
func (r Row) paint() (w, h vg.Length, paint func(draw.Canvas)) {
	plots := make([]*plot.Plot, len(r))
	for i, d := range r {
		plots[i] = d.plot()
		if d.Width != 0 {
			w += d.Width
		} else {
			w += 16 * vg.Centimeter
		}
	}
	h = 10 * vg.Centimeter
	if r[0].Height != 0 {
		h = r[0].Height
	}
	return w, h, func(c draw.Canvas) {
		tiles := draw.Tiles{Rows: 1, Cols: len(r), PadX: vg.Points(10)}
		for i, at := range plot.Align([][]*plot.Plot{plots}, tiles, c)[0] {
			if p := plots[i]; r[i].Even {
				even(p, at, p.X.Min, p.X.Max, p.Y.Min, p.Y.Max, 1)
			}
			plots[i].Draw(at)
		}
	}
}

// even gives the axes of a plot the same scale around the range from x0 to x1
// and from y0 to y1, in units of fl.
func even(p *plot.Plot, c draw.Canvas, x0, x1, y0, y1, fl float64) {
	for range 3 { // the labels, and their size, change with the axes
		data := p.DataCanvas(c)
		dw, dh := float64(data.Max.X-data.Min.X), float64(data.Max.Y-data.Min.Y)
		per := 1.04 * max((x1-x0)/dw, (y1-y0)/dh)
		cx, cy := 0.5*(x0+x1), 0.5*(y0+y1)
		p.X.Min, p.X.Max = (cx-0.5*per*dw)/fl, (cx+0.5*per*dw)/fl
		p.Y.Min, p.Y.Max = (cy-0.5*per*dh)/fl, (cy+0.5*per*dh)/fl
	}
}

// Save writes the picture to a file, as "svg" or "png".
func (r Row) Save(path, format string) (err error) {
	defer throw.Catch(&err)
	w, h, paint := r.paint()
	return saveCanvas(path, format, w, h, paint)
}

// Write writes the diagram as "svg" or "png".
func (d *Diagram) Write(out io.Writer, format string) (err error) {
	defer throw.Catch(&err)
	w, h, paint := Row{d}.paint()
	return writeCanvas(out, format, w, h, paint)
}

// Save writes the diagram to a file, as "svg" or "png".
func (d *Diagram) Save(path, format string) error { return Row{d}.Save(path, format) }
