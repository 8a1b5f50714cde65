package view

import (
	"errors"
	"fmt"
	"image/color"
	"io/fs"
	"math"

	"fdem/io/guard"
	"fdem/io/history"
	"fdem/io/seismicity"
	"fdem/io/throw"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// clustersName is the list of acoustic events.
const clustersName = "clusters.csv"

// Magnitudes is the numbers of events of each magnitude, and of that magnitude or more, with
// the law of Gutenberg and Richter if there are enough.
type Magnitudes struct {
	M       []float64 `json:"m"` // classes, from the least to the greatest
	Own     []int     `json:"own"`
	AtLeast []int     `json:"at_least"`
	Law     *Law      `json:"law,omitempty"`
}

// Law is log10 N = a - b M from the magnitude of completeness on.
type Law struct {
	A            float64 `json:"a"`
	B            float64 `json:"b"`
	Error        float64 `json:"error"`
	Completeness float64 `json:"completeness"`
}

// magnitudes returns the counts for the events of the folder, nil if they are in fewer
// than two classes.
func (f *Folder) magnitudes() *Magnitudes {
	path, err := guard.Path(f.dir, clustersName, guard.Large)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	throw.If(err)
	of := throw.Must(history.Columns(path, []string{"magnitude"}))[0]
	var n Magnitudes
	if n.M, n.Own, n.AtLeast = seismicity.Counts(of); len(n.M) < 2 {
		return nil
	}
	if d, ok := seismicity.Fit(of); ok {
		n.Law = &Law{d.A, d.B, d.Error, d.Completeness}
	}
	return &n
}

// drawMagnitudes draws the numbers of events of each magnitude, and of that or more, on
// a logarithmic axis, with the law of Gutenberg and Richter if there are enough.
func (f *Folder) drawMagnitudes(save saver) {
	events := f.magnitudes()
	if events == nil {
		return
	}
	m, own, atLeast := events.M, events.Own, events.AtLeast
	points := func(n []int, c color.Color, filled bool) *plotter.Scatter {
		var xy plotter.XYs
		for i := range m {
			if n[i] > 0 {
				xy = append(xy, plotter.XY{X: m[i], Y: float64(n[i])})
			}
		}
		s := throw.Must(plotter.NewScatter(xy))
		s.Color, s.Radius, s.Shape = c, vg.Points(2), draw.RingGlyph{}
		if filled {
			s.Shape = draw.CircleGlyph{}
		}
		return s
	}
	p := newPlot(fmt.Sprintf("Magnitudes of %d events", atLeast[0]))
	p.X.Label.Text, p.Y.Label.Text = "moment magnitude", "number of events"
	logarithmic(&p.Y)
	addGrid(p)
	all, each := points(atLeast, lineColours[0], true), points(own, lineColours[7], false)
	p.Add(all, each)
	p.Legend.Top, p.Legend.Padding = true, vg.Points(1)
	p.Legend.Add("of this magnitude or more", all)
	p.Legend.Add("of this magnitude", each)
	last := m[len(m)-1]
	if d := events.Law; d != nil {
		end := math.Min(last, d.A/d.B)
		line := throw.Must(plotter.NewLine(plotter.XYs{{X: d.Completeness, Y: math.Pow(10, d.A-d.B*d.Completeness)}, {X: end, Y: math.Pow(10, d.A-d.B*end)}}))
		line.Color, line.Width = lineColours[1], vg.Points(1.4)
		p.Add(line)
		p.Legend.Add(fmt.Sprintf("b = %.2f ± %.2f from %.1f on", d.B, d.Error, d.Completeness), line)
	}
	p.X.Min, p.X.Max = m[0]-seismicity.Bin, last+seismicity.Bin
	p.Y.Min, p.Y.Max = 0.8, 2*float64(atLeast[0])
	save("magnitudes", curvesWidth, curvesHeight, p.Draw)
}
