package view

import (
	"image/color"

	"fdem/io/vtk"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// springsMoved reads how far the ends of the springs have moved at frame i of the
// fields, two ends a spring; nil without springs.
func (f *Folder) springsMoved(i int) ([]r2.Vec, error) {
	f.mu.Lock()
	s, frames, series := f.static, f.frames, f.springs
	f.mu.Unlock()
	if s == nil || len(s.springs) == 0 || i < 0 || i >= len(frames) {
		return nil, nil
	}
	out := make([]r2.Vec, len(s.springs))
	at := -1 // the last frame of springs that is not later
	for k, v := range series {
		if v.Time <= frames[i].Time {
			at = k
		}
	}
	if at < 0 {
		return out, nil
	}
	file, err := vtk.Open(f.path(series[at]))
	if err != nil {
		return nil, err
	}
	moved, err := file.PointData("displacement")
	if err != nil {
		return nil, err
	}
	for k := range out {
		if 3*k+1 < len(moved.Float64) {
			out[k] = r2.Vec{X: moved.Float64[3*k], Y: moved.Float64[3*k+1]}
		}
	}
	return out, nil
}

// readSprings reads where the ends of the springs are at the start.
func (s *static) readSprings(path string) error {
	file, err := vtk.Open(path)
	if err != nil {
		return err
	}
	s.springs, err = file.Positions()
	return err
}

// springLines returns the springs of a frame of the fields, their displacements
// magnified.
func (f *Folder) springLines(i int, magnify float64) (springLines, error) {
	moved, err := f.springsMoved(i)
	if err != nil || moved == nil {
		return nil, err
	}
	out := make(springLines, len(moved))
	for k, u := range moved {
		out[k] = r2.Add(f.static.springs[k], r2.Scale(magnify, u))
	}
	return out, nil
}

// springLines are springs as they are drawn: two ends each.
type springLines []r2.Vec

// in returns them in other units of length.
func (e springLines) in(unit float64) springLines {
	out := make(springLines, len(e))
	for k, x := range e {
		out[k] = r2.Scale(1/unit, x)
	}
	return out
}

// Plot implements plot.Plotter.
func (e springLines) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	style := draw.LineStyle{Color: color.Gray{64}, Width: vg.Points(1.2)}
	for k := 0; k+1 < len(e); k += 2 {
		line := []vg.Point{{X: x(e[k].X), Y: y(e[k].Y)}, {X: x(e[k+1].X), Y: y(e[k+1].Y)}}
		c.StrokeLines(style, c.ClipLinesXY(line)...)
	}
}
