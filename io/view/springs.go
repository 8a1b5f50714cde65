package view

import (
	"fmt"
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

// arrows are drawn forces of contact points, on one body and, turned, on the other: long ones are shortened, by the
// root.
type arrows struct {
	at    []r2.Vec // in the unit of the plot
	force []r2.Vec // on the second body [N]
	most  float64  // of the longest arrow [N]
}

// arrowGap is the size of the squares of a picture of which each has one arrow, that of the greatest force.
const arrowGap = 14 * vg.Inch / 72

// touchesAt returns the forces of contact points at a frame of the fields, in a unit of length.
func (f *Folder) touchesAt(i int, unit float64) (out arrows) {
	points, centre := f.pointForces(i), f.meta.Centre
	for ; len(points) > 0; points = points[4:] {
		out.at = append(out.at, r2.Vec{X: (float64(points[0]) + centre[0]) / unit, Y: (float64(points[1]) + centre[1]) / unit})
		force := r2.Vec{X: float64(points[2]), Y: float64(points[3])}
		out.force, out.most = append(out.force, force), max(out.most, r2.Norm(force))
	}
	return out
}

// Plot implements plot.Plotter.
func (e arrows) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	best := map[[2]int]int{}
	var order [][2]int // in which squares came up
	for k, at := range e.at {
		if !inView(p, [2]r2.Vec{at, at}) {
			continue
		}
		square := [2]int{int(x(at.X) / arrowGap), int(y(at.Y) / arrowGap)}
		was, there := best[square]
		if !there {
			order = append(order, square)
		}
		if !there || r2.Norm(e.force[k]) > r2.Norm(e.force[was]) {
			best[square] = k
		}
	}
	for _, square := range order {
		k := best[square]
		size := r2.Norm(e.force[k])
		if size < 1e-3*e.most {
			continue
		}
		from := vg.Point{X: x(e.at[k].X), Y: y(e.at[k].Y)}
		long := r2.Scale(float64(1.6*arrowGap)*math.Sqrt(size/e.most)/size, e.force[k])
		for _, way := range []r2.Vec{long, r2.Scale(-1, long)} {
			arrow(c, from, way)
		}
	}
}

// arrow draws an arrow from a point of the canvas, along a vector [pt].
func arrow(c draw.Canvas, from vg.Point, way r2.Vec) {
	red := color.RGBA{0xc0, 0x20, 0x20, 0xff}
	to := vg.Point{X: from.X + vg.Length(way.X), Y: from.Y + vg.Length(way.Y)}
	c.StrokeLines(draw.LineStyle{Color: red, Width: vg.Points(0.9)}, c.ClipLinesXY([]vg.Point{from, to})...)
	head := r2.Scale(min(4, 0.6*r2.Norm(way))/r2.Norm(way), way) // along the arrow
	across := r2.Vec{X: -0.45 * head.Y, Y: 0.45 * head.X}
	corner := func(side float64) vg.Point {
		return vg.Point{X: to.X - vg.Length(head.X-side*across.X), Y: to.Y - vg.Length(head.Y-side*across.Y)}
	}
	c.FillPolygon(red, c.ClipPolygonXY([]vg.Point{to, corner(1), corner(-1)}))
}

// drawTouches draws the forces of contact by impulses where bodies touch, at a frame.
func (f *Folder) drawTouches(m Meta, at int, o Pictures, save saver) {
	if len(f.touching) == 0 || o.factor(&m) != 1 {
		return
	}
	s := o.sheetOf(f.drawnAt(&m, f.all(at, moveField), &o))
	forces := f.touchesAt(at, s.unit)
	if forces.most == 0 {
		return
	}
	save("contact_points", s.width, s.height, func(c draw.Canvas) {
		p := newPlot(m.instant(at, 5) + fmt.Sprintf(", forces of contact points up to %.3g N", forces.most))
		s.scale(p, c)
		p.Add(f.outlines(s.x, s.unit), forces)
		p.Draw(c)
	})
}
