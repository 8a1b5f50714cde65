package deck

import (
	"math"
	"slices"

	"fdem/contactnodes"
	"fdem/materials/elementary"
	"fdem/mesh"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

// rigid is a [[rigid]] block: an outline, and how it moves.
type rigid struct {
	*table
	solver.Rigid
	outline mesh.Outline
	size    float64 // half the smallest extent of the solid, that a contact node may be deep [m]
}

// The number of edges that stand for a circle, where the deck does not say.
// They carry arcs: it is a matter of looks and of the search only.
const circleEdges = 64

func (d *Deck) readRigids(blocks []*table) {
	for _, t := range blocks {
		t.need("name", `"floor"`)
		t.need("shape", `"line"`)
		r := rigid{table: t}
		r.Name = t.text("name", "")
		r.outline.Name = r.Name
		taken := slices.Concat(d.BodyNames(), d.BeamNames())
		for _, other := range d.rigids {
			taken = append(taken, other.Name)
		}
		if slices.Contains(taken, r.Name) {
			t.bad("name", "there is a body of this name already")
		}
		if r.Name == "all" {
			t.bad("name", `"all" stands for every body: take another name`)
		}
		area, gyration := r.readShape()
		r.readMotion(d, area, gyration)
		r.outline.Depth = t.positive("depth", Length, 0, "m")
		t.done()
		d.rigids = append(d.rigids, r)
	}
}

// readShape makes the outline and returns the area [m2], 0 for a line and a
// hollow, and the radius of gyration about the centre [m].
func (r *rigid) readShape() (area, gyration float64) {
	t := r.table
	point := func(key, example string) r2.Vec {
		t.need(key, example)
		x, y := t.vector(key, Length)
		return r2.Vec{X: x, Y: y}
	}
	size := func(key string) float64 {
		t.need(key, `"10 mm"`)
		return t.positive(key, Length, 0, "m")
	}
	switch shape := t.word("shape", "", "line", "disc", "box", "hollow"); shape {
	case "line":
		from, to := point("from", `["0 mm", "0 mm"]`), point("to", `["100 mm", "0 mm"]`)
		length := elementary.Norm(r2.Sub(to, from))
		if length == 0 {
			t.bad("to", "the line has no length: from and to are the same point")
		}
		if t.word("solid", "right", "left", "right") == "right" {
			from, to = to, from // the outline has its body on the left
		}
		n := t.whole("edges", 1, 1, 1000000)
		for i := range n + 1 {
			s := float64(i) / float64(n)
			r.outline.Points = append(r.outline.Points, elementary.Between(from, to, s))
		}
		r.Centre = r2.Scale(0.5, r2.Add(from, to))
		r.size = length
		return 0, length / math.Sqrt(12)
	case "box":
		r.Centre = point("centre", `["0 mm", "0 mm"]`)
		w, h := size("width"), size("height")
		angle := t.quantity("angle", None, 0)
		n := t.whole("edges", 1, 1, 1000000)
		corners := [5]r2.Vec{{X: -w / 2, Y: -h / 2}, {X: w / 2, Y: -h / 2}, {X: w / 2, Y: h / 2}, {X: -w / 2, Y: h / 2}, {X: -w / 2, Y: -h / 2}}
		for k := range 4 {
			for i := range n {
				s := float64(i) / float64(n)
				p := elementary.Between(corners[k], corners[k+1], s)
				r.outline.Points = append(r.outline.Points, r2.Add(r.Centre, elementary.Rotate(p, angle)))
			}
		}
		r.outline.Closed = true
		r.size = min(w, h) / 2
		return w * h, math.Sqrt((float64(w*w) + float64(h*h)) / 12)
	default: // disc and hollow
		r.Centre = point("centre", `["0 mm", "0 mm"]`)
		radius := size("radius")
		n := t.whole("edges", circleEdges, 8, 10000)
		r.outline.Closed, r.outline.Radius = true, radius
		turn := 2 * math.Pi / float64(n)
		if shape == "hollow" {
			turn, r.outline.Radius = -turn, -radius
		}
		for i := range n {
			sin, cos := elementary.Sincos(turn * float64(i))
			r.outline.Points = append(r.outline.Points, r2.Vec{X: r.Centre.X + float64(radius*cos), Y: r.Centre.Y + float64(radius*sin)})
		}
		r.size = radius / 2
		if shape == "hollow" {
			r.size = radius
			return 0, radius
		}
		return math.Pi * radius * radius, radius / math.Sqrt2
	}
}

// readMotion reads what the body does: it is driven with a motion, free with a
// mass or density, fixed without.
func (r *rigid) readMotion(d *Deck, area, gyration float64) {
	t := r.table
	r.Material = -1
	if t.has("material") {
		r.Material = d.material(t, "material")
	}
	fixed := t.flag("fixed", !t.has("motion") && !t.has("mass") && !t.has("density"))
	if t.has("motion") {
		if fixed {
			t.bad("fixed", "a body is either fixed or follows a motion")
		}
		r.Rigid.Motion = d.motion(t, r.Centre, &r.Released)
	}
	free := !fixed && r.Rigid.Motion == nil
	for _, key := range []string{"mass", "density", "inertia", "velocity", "angular_velocity"} {
		if t.has(key) && !free {
			t.bad(key, "%s is for a free body, and this one is %s", key, map[bool]string{true: "fixed", false: "driven by its motion"}[fixed])
		}
	}
	if !free {
		return
	}
	switch {
	case t.has("mass"):
		r.Mass = t.positive("mass", Mass, 0, "kg")
		if t.has("density") {
			t.bad("density", "give either the mass or the density")
		}
	case area == 0:
		t.bad("shape", "a free body needs a mass, for instance mass = \"1 kg\": its shape has no area that a density would fill")
	case t.has("density"):
		r.Mass = t.positive("density", Density, 0, "kg/m3") * area * d.model.Thickness
	case r.Material >= 0:
		r.Mass = d.model.Materials[r.Material].Density * area * d.model.Thickness
	default:
		t.bad("fixed", "a free body needs a mass, a density or a material")
	}
	d.inert(t, "velocity", "angular_velocity")
	r.Inertia = t.positive("inertia", Dimension{Length: 2, Mass: 1}, r.Mass*gyration*gyration, "kg m2")
	r.Velocity.X, r.Velocity.Y = t.vector("velocity", Velocity)
	r.AngularVelocity = t.quantity("angular_velocity", AngularVelocity, 0)
}

// motion reads a driven body's motion: a table of [time, x, y] or [time, x, y,
// angle], a list of quantities and expressions of t for x, y and the angle, in a
// static analysis also "free" for what the forces are to balance, or
// { velocity = [...], angular_velocity = ... }. x and y are of the centre,
// which the motion must start from.
func (d *Deck) motion(t *table, centre r2.Vec, released *[3]bool) solver.Motion {
	var motion solver.Motion
	v, _ := t.get("motion")
	switch v := v.(type) {
	case map[string]any:
		sub := t.sub("motion")
		vx, vy := sub.vector("velocity", Velocity)
		spin := sub.quantity("angular_velocity", AngularVelocity, 0)
		sub.done()
		return func(at float64) (r2.Vec, float64) {
			return r2.Vec{X: centre.X + float64(vx*at), Y: centre.Y + float64(vy*at)}, spin * at
		}
	case []any:
		if len(v) == 0 {
			break
		}
		if _, isTable := v[0].([]any); isTable {
			motion = d.motionTable(t, v)
			break
		}
		if len(v) != 2 && len(v) != 3 {
			break
		}
		motion, *released = d.motionOf(t, v, centre)
	}
	if motion == nil {
		t.bad("motion", `motion must be a table of [time, x, y], [x, y] as expressions of t, or { velocity = [vx, vy] }, got %s`, describe(v))
	}
	if p, angle := motion(0); elementary.Norm(r2.Sub(p, centre)) > 1e-9*(elementary.Norm(centre)+elementary.Norm(p)) || angle != 0 {
		t.bad("motion", "the motion starts at (%g, %g) m turned by %g rad, but the body's centre is at (%g, %g) m", p.X, p.Y, angle, centre.X, centre.Y)
	}
	d.checkSpeed(t, motion)
	return motion
}

// checkSpeed refuses a motion that no step could follow.
func (d *Deck) checkSpeed(t *table, motion solver.Motion) {
	if d.model.Static != nil {
		return
	}
	dt := d.model.Duration / samples
	last, _ := motion(0)
	for i := range samples {
		at := d.model.Duration * (float64(i+1) / samples)
		p, _ := motion(at)
		if v := elementary.Norm(r2.Sub(p, last)) / dt; v > 1 { // a slow one may be as slow as it likes
			if err := plausible(v, Velocity); err != nil {
				t.bad("motion", "the speed of the motion %v at t = %.6g s", err, at)
			}
		}
		last = p
	}
}

func (d *Deck) motionTable(t *table, rows []any) solver.Motion {
	var times []float64
	var at [3][]float64
	for _, row := range rows {
		l, ok := row.([]any)
		if !ok || len(l) != 3 && len(l) != 4 {
			t.bad("motion", "motion must be a table of [time, x, y] or [time, x, y, angle], got %s in it", describe(row))
		}
		times = append(times, d.instant(t, "motion", l[0]))
		at[0] = append(at[0], t.number("motion", l[1], Length))
		at[1] = append(at[1], t.number("motion", l[2], Length))
		angle := 0.0
		if len(l) == 4 {
			angle = t.number("motion", l[3], None)
		}
		at[2] = append(at[2], angle)
	}
	if !slices.IsSorted(times) {
		t.bad("motion", "the times of a motion must not decrease")
	}
	d.breaks(times)
	return func(now float64) (r2.Vec, float64) {
		return r2.Vec{X: interpolate(times, at[0], now), Y: interpolate(times, at[1], now)}, interpolate(times, at[2], now)
	}
}

func (d *Deck) motionOf(t *table, parts []any, centre r2.Vec) (solver.Motion, [3]bool) {
	f := [3]solver.Schedule{2: func(float64) float64 { return 0 }}
	var released [3]bool
	for i, part := range parts {
		if part == "free" {
			if d.model.Static == nil {
				t.bad("motion", `a motion that is "free" goes with type = "static": in time a body is driven or free as a whole`)
			}
			released[i] = true
			at := [3]float64{centre.X, centre.Y, 0}[i]
			f[i] = func(float64) float64 { return at }
			continue
		}
		dim := Length
		if i == 2 {
			dim = None
		}
		v, s := d.amountBeside(t, "motion", part, dim, parts)
		if f[i] = s; s == nil {
			f[i] = func(float64) float64 { return v }
		}
	}
	return func(at float64) (r2.Vec, float64) { return r2.Vec{X: f[0](at), Y: f[1](at)}, f[2](at) }, released
}

// withRigids adds the outlines of the rigid bodies to the mesh. Where the deck
// does not say, their solid reaches twice as deep as the deepest of the meshed
// bodies', a tenth of their own size where there is none.
func (r *resolver) withRigids() {
	if len(r.rigids) == 0 {
		return
	}
	deep := 0.0
	for _, d := range contactnodes.NewOutline(r.mesh).Depth {
		deep = max(deep, 2*d)
	}
	var outlines []mesh.Outline
	for _, b := range r.rigids {
		if b.outline.Depth == 0 {
			b.outline.Depth = min(deep, b.size)
			if deep == 0 {
				b.outline.Depth = 0.1 * b.size
			}
		}
		if b.outline.Depth > b.size {
			b.bad("depth", "depth must not exceed %g m, half of what the shape has, got %g m", b.size, b.outline.Depth)
		}
		outlines = append(outlines, b.outline)
	}
	r.mesh = r.mesh.With(outlines)
}
