package view

import (
	"image/color"
	"math"

	"fdem/io/throw"
	"fdem/io/vtk"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// springsMoved reads the displacements of the ends of springs and bolts at frame i of
// the fields, two per line, NaN for one that is not there; nil without them.
func (f *Folder) springsMoved(i int) []r2.Vec {
	f.mu.Lock()
	s, frames, both := f.static, f.frames, [2][]vtk.Frame{f.springs, f.bolts}
	f.mu.Unlock()
	if s == nil || len(s.springs) == 0 || i < 0 || i >= len(frames) {
		return nil
	}
	out := make([]r2.Vec, len(s.springs))
	from := 0
	for n, series := range both {
		if at := lastUntil(series, frames[i].Time); at >= 0 {
			file := throw.Must(vtk.Open(f.path(series[at])))
			moved := throw.Must(file.PointData("displacement"))
			there, err := file.CellData("installed") // where some come or go
			for k := range out[from:s.ends[n]] {
				if 3*k+1 < len(moved.Float64) {
					out[from+k] = r2.Vec{X: moved.Float64[3*k], Y: moved.Float64[3*k+1]}
				}
				if err == nil && k/2 < len(there.Int32) && there.Int32[k/2] == 0 {
					out[from+k] = r2.Vec{X: math.NaN(), Y: math.NaN()}
				}
			}
		}
		from = s.ends[n]
	}
	return out
}

// springLines returns the springs that are there at a frame of the fields, their
// displacements magnified.
func (f *Folder) springLines(i int, magnify float64) springLines {
	var out springLines
	for k, u := range f.springsMoved(i) {
		if !math.IsNaN(u.X) {
			out = append(out, r2.Add(f.static.springs[k], r2.Scale(magnify, u)))
		}
	}
	return out
}

// springLines are drawn springs, with two ends each.
type springLines []r2.Vec

// in returns the springs in other units of length.
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

// Forces of contact by impulses, which the page and pictures draw over the bodies.

// thrusts are drawn lines of thrust, the thicker the greater.
type thrusts struct {
	ends  []r2.Vec  // two of each, in the unit of the plot
	force []float64 // [N]
	most  float64   // the force of the thickest line [N]
}

// thrustsAt returns the lines of thrust at a frame of the fields, in a unit of length. They lie in the bodies where
// these are: there are none where displacements are magnified.
func (f *Folder) thrustsAt(i int, magnify, unit float64) (out thrusts) {
	if magnify != 1 {
		return out
	}
	lines, centre := f.thrustLines(i), f.meta.Centre
	for ; len(lines) > 0; lines = lines[5:] {
		for k := range 2 {
			out.ends = append(out.ends, r2.Vec{X: (float64(lines[2*k]) + centre[0]) / unit, Y: (float64(lines[2*k+1]) + centre[1]) / unit})
		}
		out.force = append(out.force, float64(lines[4]))
		out.most = max(out.most, float64(lines[4]))
	}
	return out
}

// Plot implements plot.Plotter.
func (e thrusts) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for k, force := range e.force {
		if force < 1e-3*e.most {
			continue
		}
		a, b := e.ends[2*k], e.ends[2*k+1]
		style := draw.LineStyle{Color: color.RGBA{0xc0, 0x20, 0x20, 0xff}, Width: vg.Points(0.6 + float64(2.4*force/e.most))}
		c.StrokeLines(style, c.ClipLinesXY([]vg.Point{{X: x(a.X), Y: y(a.Y)}, {X: x(b.X), Y: y(b.Y)}})...)
	}
}

// thrustLines returns the lines of thrust at frame i of the fields: both ends, relative to the page's centre,
// and the force; nil without them.
func (f *Folder) thrustLines(i int) (out []float32) {
	file, centre := f.frameOf(i, func() []vtk.Frame { return f.thrust })
	if file == nil {
		return nil
	}
	x, force := throw.Must(file.Positions()), throw.Must(file.CellData("force"))
	out = []float32{}
	for k, v := range force.Float64 {
		for _, p := range x[2*k : 2*k+2] {
			out = append(out, float32(p.X-centre[0]), float32(p.Y-centre[1]))
		}
		out = append(out, float32(v))
	}
	return out
}

// pointForces returns the contact points likewise: position and force on the second body.
func (f *Folder) pointForces(i int) (out []float32) {
	file, centre := f.frameOf(i, func() []vtk.Frame { return f.touching })
	if file == nil {
		return nil
	}
	x, force := throw.Must(file.Positions()), throw.Must(file.PointData("contact_force"))
	out = []float32{}
	for k, p := range x {
		out = append(out, float32(p.X-centre[0]), float32(p.Y-centre[1]), float32(force.Float64[3*k]), float32(force.Float64[3*k+1]))
	}
	return out
}

// frameOf opens the file of a series at frame i of the fields, nil without one. It returns the origin of the
// page's positions, too.
func (f *Folder) frameOf(i int, series func() []vtk.Frame) (*vtk.File, [2]float64) {
	f.mu.Lock()
	frames, of, centre := f.frames, series(), f.meta.Centre
	f.mu.Unlock()
	if i < 0 || i >= len(frames) {
		return nil, centre
	}
	at := lastUntil(of, frames[i].Time)
	if at < 0 {
		return nil, centre
	}
	return throw.Must(vtk.Open(f.path(of[at]))), centre
}
