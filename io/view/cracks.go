package view

import (
	"image/color"
	"math"

	"fdem/io/throw"
	"fdem/io/vtk"
	"fdem/solver/quantity"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// face is one side of a crack: two nodes of the mesh, and the body.
type face struct{ a, b, body int32 }

// readCracks finds the faces of a frame's cracks among the outlines of the
// mesh: those with the positions of a crack's ends. A crack has two consecutive
// faces. Cracks are in the order of the frame.
func (s *static) readCracks(path string) {
	positions := crackPositions(path)
	at := make(map[segment][]face, len(positions))
	for _, p := range positions {
		at[p] = nil
	}
	lines := outlineOf(s)
	for _, l := range lines {
		p := segmentOf(s.points[l.a], s.points[l.b])
		if faces, ok := at[p]; ok {
			at[p] = append(faces, l)
		}
	}
	s.crackOf = make(map[segment]int32, len(positions))
	for _, p := range positions {
		if faces := at[p]; len(faces) == 2 {
			s.crackOf[p] = int32(len(s.cracks) / 2)
			s.cracks = append(s.cracks, faces...)
		}
	}
}

// segment is the key of an edge: the reference positions of its ends [m], the
// lesser first, in the precision of frames.
type segment [4]float32

func segmentOf(a, b r2.Vec) segment {
	p, q := [2]float32{float32(a.X), float32(a.Y)}, [2]float32{float32(b.X), float32(b.Y)}
	if p[0] > q[0] || p[0] == q[0] && p[1] > q[1] {
		p, q = q, p
	}
	return segment{p[0], p[1], q[0], q[1]}
}

// crackPositions returns the reference positions of a frame's cracks.
func crackPositions(path string) []segment {
	x := throw.Must(throw.Must(vtk.Open(path)).Positions())
	out := make([]segment, len(x)/2)
	for i := range out {
		out[i] = segmentOf(x[2*i], x[2*i+1])
	}
	return out
}

// notInserted is the value of a crack that does not exist yet.
var notInserted = float32(math.Inf(1))

// crackValues reads a quantity of the cracks at frame i of the fields: one number for each
// crack of the mesh, +Inf before it opens, NaN if it has none; nil without cracks.
func (f *Folder) crackValues(i int, name string) []float32 {
	f.mu.Lock()
	s, frames, series := f.static, f.frames, f.cracks
	f.mu.Unlock()
	if s == nil || len(s.cracks) == 0 || i < 0 || i >= len(frames) {
		return nil
	}
	out := make([]float32, len(s.cracks)/2)
	for k := range out {
		out[k] = notInserted
	}
	at := lastUntil(series, frames[i].Time)
	if at < 0 {
		return out
	}
	path := f.path(series[at])
	positions := crackPositions(path)
	values := throw.Must(throw.Must(vtk.Open(path)).CellData(name))
	for k, p := range positions {
		if crack, ok := s.crackOf[p]; ok && k < len(values.Float64) {
			out[crack] = float32(values.Float64[k])
		}
	}
	return out
}

// frameHasFluid tells whether a frame of cracks has fluid.
func frameHasFluid(path string) bool {
	_, err := throw.Must(vtk.Open(path)).CellData("fluid_pressure")
	return err == nil
}

// hasFluid tells whether there is fluid in the displayed cracks.
func (f *Folder) hasFluid() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.static != nil && f.static.hasFluid
}

// crackFields returns the fields for the colour of cracks: the mode first, or the
// pressure of the fluid in them.
func crackFields(hasFluid bool) []Field {
	names := []string{"mode", "inserted_at", "broken_at", "damage", "opening", "energy"}
	if hasFluid {
		names = append([]string{"fluid_pressure", "aperture", "flow", "saturation"}, names...)
	}
	var out []Field
	for _, name := range names {
		q := quantity.Must(quantity.Crack, name)
		out = append(out, Field{Name: q.Name, Label: q.Label, Unit: q.Unit})
	}
	return out
}

// crackFaces draws the cracks of a frame of the fields at x, in units of fl.
// The colour is that of their mode, warm for tension and cold for shear. A line
// is thin for a crack that has just opened, and thick for a broken one.
func (f *Folder) crackFaces(i int, x []r2.Vec, fl float64) plot.Plotter {
	modes := f.crackValues(i, "mode")
	if modes == nil {
		return crackLines{}
	}
	damage := f.crackValues(i, "damage")
	var out crackLines
	for k, v := range f.static.cracks {
		if mode := modes[k/2]; mode != notInserted {
			out = append(out, crackLine{[2]r2.Vec{r2.Scale(1/fl, x[v.a]), r2.Scale(1/fl, x[v.b])}, colourAt(warmToCold, float64(mode)), float64(damage[k/2])})
		}
	}
	return out
}

// crackLine is a drawn face of a crack.
type crackLine struct {
	ends   [2]r2.Vec
	colour color.Color
	damage float64 // 0 to 1
}

// crackLines draws lines on a light background, so that they are visible on any
// colour.
type crackLines []crackLine

// Plot implements plot.Plotter.
func (e crackLines) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, ground := range []bool{true, false} {
		for _, l := range e {
			if !inView(p, l.ends) {
				continue
			}
			style := draw.LineStyle{Color: l.colour, Width: vg.Length(0.3 + l.damage)}
			if ground {
				style = draw.LineStyle{Color: color.White, Width: vg.Length(2.4 * l.damage)}
			}
			c.StrokeLine2(style, x(l.ends[0].X), y(l.ends[0].Y), x(l.ends[1].X), y(l.ends[1].Y))
		}
	}
}
