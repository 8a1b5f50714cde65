package view

import (
	"image"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// stagesOf returns n frames spread over the run.
func stagesOf(m Meta, n int) []int {
	var out []int
	last := len(m.Times) - 1
	for k := range min(n, last+1) {
		if n == 1 || last == 0 {
			return []int{last}
		}
		out = append(out, k*last/(min(n, last+1)-1))
	}
	return out
}

// A stage is one frame of the picture of stages.
type stage struct {
	frame   int
	x       []r2.Vec
	size    []float64
	cracks  plot.Plotter
	springs springLines
	thrust  thrusts
}

// stages reads the frames of the picture and returns the window that shows all
// of them.
func (f *Folder) stages(m Meta, field Field, o Pictures) (stages []stage, lo, hi r2.Vec) {
	most := 0.0 // thrust
	for k, i := range stagesOf(m, o.Stages) {
		values, shift := f.all(i, field), f.all(i, moveField)
		s := stage{frame: i, x: f.drawnAt(&m, shift, &o), size: field.shown(values)}
		s.cracks = f.crackFaces(i, s.x, 1)
		s.springs, s.thrust = f.springLines(i, o.factor(&m)), f.thrustsAt(i, o.factor(&m), 1)
		most = max(most, s.thrust.most)
		a, b := box(slices.Concat(s.x, s.springs))
		if k == 0 {
			lo, hi = a, b
		}
		lo, hi = r2.Vec{X: min(lo.X, a.X), Y: min(lo.Y, a.Y)}, r2.Vec{X: max(hi.X, b.X), Y: max(hi.Y, b.Y)}
		stages = append(stages, s)
	}
	for k := range stages {
		stages[k].thrust.most = most
	}
	lo, hi = o.window(lo, hi)
	return stages, lo, hi
}

// drawStages draws the mesh at n frames spread over the run, side by side on
// one scale of position and colour.
func (f *Folder) drawStages(m Meta, field Field, o Pictures, save saver) {
	stages, lo, hi := f.stages(m, field, o)
	n := len(stages)
	wide, high := max(hi.X-lo.X, 1e-30), max(hi.Y-lo.Y, 1e-30)
	columns := min(n, max(1, int(math.Round(math.Sqrt(float64(n)*1.4*high/wide)))))
	for rows := (n + columns - 1) / columns; rows*(columns-1) >= n; { // no empty column
		columns--
	}
	rows := (n + columns - 1) / columns
	title, gap := 0.6*vg.Centimeter, 0.2*vg.Centimeter
	tile := 24 * vg.Centimeter / vg.Length(columns)
	tall := min(vg.Length(high/wide)*(tile-gap), 10*vg.Centimeter)
	colour := m.colours(field)
	save("stages", 24*vg.Centimeter, vg.Length(rows)*(tall+title+gap), func(c draw.Canvas) {
		p := newPlot("")
		p.Title.TextStyle.XAlign = draw.XCenter
		c.SetColor(color.White)
		c.Fill(c.Path())
		for k, s := range stages {
			at := c
			at.Min.X = c.Min.X + vg.Length(k%columns)*tile
			at.Max.X = at.Min.X + tile - gap
			at.Max.Y = c.Max.Y - vg.Length(k/columns)*(tall+title+gap)
			at.Min.Y = at.Max.Y - tall - title
			style := p.Title.TextStyle
			style.YAlign = draw.YTop
			at.FillText(style, vg.Point{X: 0.5 * (at.Min.X + at.Max.X), Y: at.Max.Y - vg.Points(2)}, m.instant(s.frame, 3))
			at.Max.Y -= title
			p := newPlot("")
			p.HideAxes()
			dw, dh := float64(at.Max.X-at.Min.X), float64(at.Max.Y-at.Min.Y)
			per := 1.02 * max(wide/dw, high/dh)
			cx, cy := 0.5*(lo.X+hi.X), 0.5*(lo.Y+hi.Y)
			p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = cx-0.5*per*dw, cx+0.5*per*dw, cy-0.5*per*dh, cy+0.5*per*dh
			p.X.Padding, p.Y.Padding = 0, 0
			p.Add(f.paintMesh(field, s.x, s.size, f.away(m, s.frame), 1, colour), f.outlines(s.x, 1), s.cracks, s.springs, s.thrust)
			p.Draw(at)
		}
	})
}

// displaced returns the points moved by their magnified displacements.
func displaced(points []r2.Vec, moved []float32, magnify float64) []r2.Vec {
	x := make([]r2.Vec, len(points))
	for n, p := range points {
		x[n] = r2.Vec{X: p.X + float64(magnify*float64(moved[2*n])), Y: p.Y + float64(magnify*float64(moved[2*n+1]))}
	}
	return x
}

// sizes returns one number for each value of w components: the length of a
// vector in the plane, the first component otherwise.
func sizes(values []float32, w int) []float64 {
	size := make([]float64, len(values)/w)
	for k := range size {
		size[k] = float64(values[w*k])
		if w == 2 {
			size[k] = math.Hypot(float64(values[2*k]), float64(values[2*k+1]))
		}
	}
	return size
}

// shown returns the numbers for the colours.
func (v Field) shown(values []float32) []float64 {
	out := sizes(values, len(v.pick))
	if v.Pieces {
		out = shades(out)
	}
	return out
}

// away returns 1 for each triangle that at a frame has been excavated or is not installed yet, else
// 0; nil if all are there.
func (f *Folder) away(m Meta, at int) (out []float32) {
	for _, v := range m.Fields {
		if v.Name != "excavated" && v.Name != "installed" {
			continue
		}
		values := f.values(at, v)
		if out == nil {
			out = make([]float32, len(values))
		}
		for t, number := range values {
			if v.Name == "excavated" && number > 0 || v.Name == "installed" && number == 0 {
				out[t] = 1
			}
		}
	}
	return out
}

// paintMesh paints the triangles at x, without those that are gone, in units of fl.
func (f *Folder) paintMesh(field Field, x []r2.Vec, size []float64, gone []float32, fl float64, colour func(float64) color.RGBA) painter {
	return func(img *image.RGBA, toImage func(r2.Vec) r2.Vec) {
		for t, nodes := range f.static.triangles {
			if t < len(gone) && gone[t] > 0 {
				continue
			}
			var corner [3]r2.Vec
			var v [3]float64
			for k, n := range nodes {
				corner[k] = toImage(r2.Scale(1/fl, x[n]))
				v[k] = size[t%len(size)]
				if field.On == "node" {
					v[k] = size[n]
				}
			}
			fill(img, corner, v, colour)
		}
	}
}

// outlines returns the outlines of the rigid bodies at x, in units of fl.
func (f *Folder) outlines(x []r2.Vec, fl float64) edges {
	rigid := edges{}
	for _, l := range f.static.lines {
		rigid = append(rigid, [2]r2.Vec{r2.Scale(1/fl, x[l[0]]), r2.Scale(1/fl, x[l[1]])})
	}
	return rigid
}

// colours returns the colour of a field's value on the scale of the whole run.
func (m Meta) colours(field Field) func(float64) color.RGBA {
	stops, low, top := m.scale(field)
	return func(v float64) color.RGBA { return colourAt(stops, (v-low)/(top-low)) }
}

// scale returns the colours of a field and the values at their ends.
func (m Meta) scale(field Field) (stops []uint32, low, top float64) {
	if field.Pieces {
		return hues, 0, 1
	}
	of := m.Ranges[field.Key()]
	top = of.Top
	if !(top > 0) {
		top = 1
	}
	if field.Signed || len(field.pick) > 2 {
		return diverging, -top, top
	}
	if of.Low < top {
		low = of.Low
	}
	return sequential, low, top
}

// Magnified displacements as the page has them: in a run in time each component that nothing holds
// moves as it does, and only its deformation is enlarged, so that bodies that travel stay where they
// are. In a static analysis all displacements are enlarged.

// drawnAt returns the positions of the nodes as drawn, for the displacements of a frame.
func (f *Folder) drawnAt(m *Meta, moved []float32, o *Pictures) []r2.Vec {
	if !o.apart(m) {
		return displaced(f.static.points, moved, o.Magnify)
	}
	x, stiff := displaced(f.static.points, moved, 1), f.static.rigidly(moved)
	for n := range x {
		d := r2.Sub(x[n], stiff[n])
		x[n] = r2.Vec{X: stiff[n].X + float64(o.Magnify*d.X), Y: stiff[n].Y + float64(o.Magnify*d.Y)}
	}
	return x
}

// apart tells whether the deformation alone is enlarged.
func (o *Pictures) apart(m *Meta) bool { return o.Magnify != 1 && !m.Static && !o.Displacements }

// factor is what displacements of what does not deform are multiplied by.
func (o *Pictures) factor(m *Meta) float64 {
	if o.apart(m) {
		return 1
	}
	return o.Magnify
}

// components returns, per node, the node that represents its component, and whether it belongs to
// an element.
func (s *static) components() (of []int32, meshed []bool) {
	of = make([]int32, len(s.points)) // per node: another of its component; itself for the one that represents it
	for n := range of {
		of[n] = int32(n)
	}
	first := func(n int32) int32 {
		for of[n] != n {
			of[n] = of[of[n]]
			n = of[n]
		}
		return n
	}
	join := func(a, b int32) { of[first(b)] = first(a) }
	meshed = make([]bool, len(s.points))
	for _, t := range s.triangles {
		join(t[0], t[1])
		join(t[0], t[2])
		meshed[t[0]], meshed[t[1]], meshed[t[2]] = true, true, true
	}
	for _, l := range s.lines {
		join(l[0], l[1])
		meshed[l[0]], meshed[l[1]] = true, true
	}
	for n := range of {
		of[n] = first(int32(n))
	}
	return of, meshed
}

// rigidly returns the positions of the nodes if each component were rigid: moved and turned as its
// nodes are on average; where it was if one of its nodes has not moved, since it is supported then.
// A node without elements is where it is.
func (s *static) rigidly(moved []float32) []r2.Vec {
	of, meshed := s.components()
	now := displaced(s.points, moved, 1)
	type component struct {
		n        float64
		was, is  r2.Vec // middles
		cos, sin float64
		held     bool
	}
	all := make([]component, len(s.points))
	for n, p := range of {
		c := &all[p]
		c.n++
		c.was, c.is = r2.Add(c.was, s.points[n]), r2.Add(c.is, now[n])
		c.held = c.held || moved[2*n] == 0 && moved[2*n+1] == 0
	}
	for p := range all {
		if c := &all[p]; c.n > 0 {
			c.was, c.is = r2.Scale(1/c.n, c.was), r2.Scale(1/c.n, c.is)
		}
	}
	for n, p := range of {
		c := &all[p]
		a, b := r2.Sub(s.points[n], c.was), r2.Sub(now[n], c.is)
		c.cos += float64(a.X*b.X) + float64(a.Y*b.Y)
		c.sin += float64(a.X*b.Y) - float64(a.Y*b.X)
	}
	out := make([]r2.Vec, len(s.points))
	for n, p := range of {
		c := &all[p]
		size := math.Hypot(c.cos, c.sin)
		switch {
		case !meshed[n] || !(size > 0) || math.IsInf(size, 0):
			out[n] = now[n]
		case c.held:
			out[n] = s.points[n]
		default:
			a := r2.Sub(s.points[n], c.was)
			cos, sin := c.cos/size, c.sin/size
			out[n] = r2.Add(c.is, r2.Vec{X: float64(cos*a.X) - float64(sin*a.Y), Y: float64(sin*a.X) + float64(cos*a.Y)})
		}
	}
	return out
}
