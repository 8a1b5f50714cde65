package deck

import (
	"math"
	"slices"

	"fdem/contactnodes"
	"fdem/io/tables"
	"fdem/materials/elementary"
	"fdem/mesh"
	"fdem/solver/model"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// rigid is a [[rigid]] block: an outline and its motion.
type rigid struct {
	*tables.Reader
	model.Rigid
	outline mesh.Outline
	block   string  // its name in the deck; bodies cut out of one surface share it
	area    float64 // of the solid, 0 for a line and a hollow [m2]
	ball    bool    // a particle as a disc
	size    float64 // half the smallest extent of the solid, the greatest penetration of a contact node [m]
}

// isHeld tells whether contact does not move the body.
func (r *rigid) isHeld() bool { return r.Mass == 0 && r.Released == [3]bool{} }

// Conditions of the keys of a rigid body.
var (
	ofLine    = tables.If("shape", "line")
	ofBox     = tables.If("shape", "box")
	ofPolygon = tables.If("shape", "polygon")
	ofCircle  = tables.If("shape", "disc", "hollow")
	ofFree    = tables.With{Of: "a free body", Is: []string{"free"}, Say: "is for a free body, and this body is %s"}
)

var rigidBlock = tables.Block{Name: "rigid", Many: true, Doc: "A rigid body. It is fixed unless it has a motion, a mass or a density.", Facts: ofDeck((*Deck).rigidFacts), Read: ofDeck((*Deck).readRigid), Keys: []tables.Key{
	{Name: "name", Kind: tables.Text, Example: `"floor"`, Doc: "name, to which contacts refer"},
	{Name: "shape", Kind: tables.Word, Words: []string{"line", "disc", "box", "polygon", "hollow"}, Example: `"line"`, Doc: `"line", "disc", "box", "polygon" or "hollow" (a round hole, solid outside the circle)`},
	{Name: "from", Kind: tables.Pair, Dim: tables.Length, Example: `["0 mm", "0 mm"]`, With: []tables.With{ofLine}, Doc: "start of a line"},
	{Name: "to", Kind: tables.Pair, Dim: tables.Length, Example: `["100 mm", "0 mm"]`, With: []tables.With{ofLine}, Doc: "end of a line"},
	{Name: "solid", Kind: tables.Word, Words: []string{"left", "right"}, Default: `"right"`, With: []tables.With{ofLine}, Doc: `side of a line on which the solid lies, seen from "from" to "to": "right" or "left"`},
	{Name: "centre", Kind: tables.Pair, Dim: tables.Length, Example: `["0 mm", "0 mm"]`, With: []tables.With{tables.If("shape", "disc", "box", "hollow")}, Doc: "centre of a disc, box or hollow"},
	{Name: "radius", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Example: `"10 mm"`, With: []tables.With{ofCircle}, Doc: "radius of a disc or hollow"},
	{Name: "width", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Example: `"10 mm"`, With: []tables.With{ofBox}, Doc: "size of a box along x, before its rotation by angle"},
	{Name: "height", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Example: `"10 mm"`, With: []tables.With{ofBox}, Doc: "size of a box along y, before its rotation by angle"},
	{Name: "angle", Kind: tables.Quantity, Angle: true, Default: "0", With: []tables.With{ofBox}, Doc: `rotation of a box, anticlockwise, "30 deg"; plain numbers are radians`},
	{Name: "corners", Kind: tables.List, Dim: tables.Length, Example: `[[0, 0], ["10 mm", 0], [0, "10 mm"]]`, With: []tables.With{ofPolygon, eitherOn}, Doc: "corners of a polygon in order, convex or not. Its centre is its centroid"},
	{Name: "on", Kind: tables.Text, Default: "-", With: []tables.With{ofPolygon}, Doc: "instead of corners, a surface of the mesh. The outline of each of its connected components becomes a rigid polygon. Several components are called NAME 1, NAME 2 and so on; in contacts they are NAME, and they share its columns"},
	{Name: "parted_by", Kind: tables.Text, Default: "-", With: []tables.With{tables.If("on")}, Doc: "a curve of the mesh that divides the surface into components, for instance the boundaries of grains"},
	{Name: "edges", Kind: tables.Whole, Bounds: tables.Within(1, 1000000), Default: "1", With: []tables.With{tables.If("shape", "line", "box", "polygon")}, Doc: "number of edges with contact nodes on a line, or on a side of a box or polygon"},
	{Name: "edges", Kind: tables.Whole, Bounds: tables.Within(8, 10000), Default: "64", With: []tables.With{ofCircle}, Doc: "number of edges with contact nodes on a circle, which stays an exact circle"},
	{Name: "depth", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Else: "twice the deepest of the meshed bodies'", Doc: "depth of the solid behind its outline"},
	{Name: "material", Kind: tables.Text, Default: "-", Doc: "name of a [[material]], for laws by pair of materials and for the density of a free body"},
	{Name: "fixed", Kind: tables.Flag, Else: "true without motion, mass and density", Doc: "false for a free body that takes its mass from its material"},
	{Name: "motion", Kind: tables.Schedule, Dim: tables.Length, Default: "-", Sub: &motionBlock, Doc: "motion of the centre: a table of [time, x, y] or [time, x, y, angle], expressions of t [x, y] or [x, y, angle], or { velocity = [x, y], angular_velocity = ..., ramp = ... }. In a static analysis a component may be \"free\" and follows from equilibrium"},
	{Name: "mass", Kind: tables.Quantity, Dim: tables.Mass, Bounds: tables.Positive, Default: "-", With: []tables.With{ofFree}, Doc: "mass of a free body"},
	{Name: "density", Kind: tables.Quantity, Dim: tables.Density, Bounds: tables.Positive, Default: "-", With: []tables.With{ofFree, massOrDensity}, Doc: "density of a free body, instead of the mass"},
	{Name: "inertia", Kind: tables.Quantity, Dim: tables.Dimension{Length: 2, Mass: 1}, Bounds: tables.Positive, Else: "that of the shape", With: []tables.With{ofFree}, Doc: "moment of inertia of a free body about its centre"},
	{Name: "velocity", Kind: tables.Pair, Dim: tables.Velocity, Default: "[0, 0]", With: []tables.With{ofFree, massless}, Doc: "velocity of a free body at the start"},
	{Name: "angular_velocity", Kind: tables.Quantity, Dim: tables.AngularVelocity, Default: "0", With: []tables.With{ofFree, massless}, Doc: "angular velocity of a free body at the start, anticlockwise"},
}}

var eitherOn = tables.With{Of: "on", Not: true, Say: "does not go with on: give either the corners or a surface of the mesh"}

var massOrDensity = tables.With{Of: "mass", Not: true, Say: "does not go with mass: give either the mass or the density"}

var motionBlock = tables.Block{Name: "rigid.motion", Doc: "A motion at constant speed, which begins smoothly if it has a ramp.", Keys: []tables.Key{
	{Name: "velocity", Kind: tables.Pair, Dim: tables.Velocity, Default: "[0, 0]", Doc: "velocity of the centre"},
	{Name: "angular_velocity", Kind: tables.Quantity, Dim: tables.AngularVelocity, Default: "0", Doc: "angular velocity about the centre, anticlockwise"},
	{Name: "ramp", Kind: tables.Quantity, Dim: tables.Time, Bounds: tables.Positive, Default: "-", Doc: "time within which the speed grows from zero, without a jump of velocity or acceleration"},
}}

// rigidFacts tells whether a body is free.
func (d *Deck) rigidFacts(t *tables.Reader) {
	fixed, said := t.Values["fixed"].(bool)
	switch {
	case t.Has("motion") && fixed:
		t.Bad("fixed", "a body is either fixed or follows a motion")
	case t.Has("motion"):
		t.Facts["a free body"] = "driven by its motion"
	case fixed || !said && !t.Has("mass") && !t.Has("density"):
		t.Facts["a free body"] = "fixed"
	default:
		t.Facts["a free body"] = "free"
	}
}

// cutFrom returns the surface and the curve of the mesh from which the body is cut out, if it is.
func (r *rigid) cutFrom() []string {
	if r.Has("on") {
		return []string{r.Text("on"), r.Text("parted_by")}
	}
	return nil
}

func (d *Deck) readRigid(t *tables.Reader) {
	r := rigid{Reader: t}
	r.Name = t.Text("name")
	r.block = r.Name
	d.unique(t, "a body", r.Name)
	if r.Name == "all" {
		t.Bad("name", `"all" stands for every body: take another name`)
	}
	if t.Has("on") { // its outline comes from the mesh, see cutOut; other mistakes are reported here
		for _, key := range []string{"shape", "on", "parted_by", "edges", "depth", "motion"} {
			t.Raw(key)
		}
		trial := r
		trial.area = 1
		trial.readMass(d, 1)
		d.rigids = append(d.rigids, r)
		return
	}
	d.addRigid(r, r.readShape())
}

// addRigid adds a rigid body whose outline is known, with the radius of gyration about
// its centre [m].
func (d *Deck) addRigid(r rigid, gyration float64) {
	r.outline.Name = r.Name
	if r.Has("motion") {
		r.Rigid.Motion, r.Velocity, r.AngularVelocity = d.motion(r.Reader, r.Centre, &r.Released)
	}
	r.readMass(d, gyration)
	r.outline.Depth = r.Number("depth")
	d.rigids = append(d.rigids, r)
}

// readShape sets the outline and the area of the solid, and returns the radius of
// gyration about the centre [m].
func (r *rigid) readShape() (gyration float64) {
	t := r.Reader
	shape, n := t.Word("shape"), t.Whole("edges")
	switch shape {
	case "line":
		from, to := t.Vector("from"), t.Vector("to")
		length := elementary.Norm(r2.Sub(to, from))
		if length == 0 {
			t.Bad("to", "the line has no length: from and to are the same point")
		}
		if t.Word("solid") == "right" {
			from, to = to, from // the outline has its body on the left
		}
		for i := range n + 1 {
			s := float64(i) / float64(n)
			r.outline.Points = append(r.outline.Points, elementary.Between(from, to, s))
		}
		r.Centre = r2.Scale(0.5, r2.Add(from, to))
		r.size = length
		return length / math.Sqrt(12)
	case "box":
		r.Centre = t.Vector("centre")
		w, h, angle := t.Number("width"), t.Number("height"), t.Number("angle")
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
		r.area = w * h
		return math.Sqrt((float64(w*w) + float64(h*h)) / 12)
	case "polygon":
		return r.polygon(r.readCorners())
	default: // disc and hollow
		r.Centre = t.Vector("centre")
		radius := t.Number("radius")
		if shape == "hollow" {
			r.round(-radius, n)
			r.size = radius
			return radius
		}
		r.round(radius, n)
		r.size = radius / 2
		r.area = math.Pi * radius * radius
		return radius / math.Sqrt2
	}
}

// round gives the body the outline of a circle about its centre, of some edges; a hollow has a negative
// radius [m] and goes round clockwise.
func (r *rigid) round(radius float64, edges int) {
	r.outline.Closed, r.outline.Radius = true, radius
	turn, size := math.Copysign(2*math.Pi/float64(edges), radius), math.Abs(radius)
	for i := range edges {
		sin, cos := elementary.Sincos(turn * float64(i))
		r.outline.Points = append(r.outline.Points, r2.Vec{X: r.Centre.X + float64(size*cos), Y: r.Centre.Y + float64(size*sin)})
	}
}

// readMass reads the mass of a free body, and its velocity at the start.
func (r *rigid) readMass(d *Deck, gyration float64) {
	t := r.Reader
	r.Material = d.material(t)
	t.Flag("fixed")
	if t.Facts["a free body"] != "free" {
		return
	}
	switch density := t.Number("density"); {
	case t.Has("mass"):
		r.Mass = t.Number("mass")
	case r.area == 0:
		t.Bad("shape", "a free body needs a mass, for instance mass = \"1 kg\": its shape has no area, so that a density gives no mass")
	case t.Has("density"):
		r.Mass = density * r.area * d.model.Thickness
	case r.Material >= 0:
		r.Mass = d.model.Materials[r.Material].Density * r.area * d.model.Thickness
	default:
		t.Bad("fixed", "a free body needs a mass, a density or a material")
	}
	if r.Inertia = t.Number("inertia"); r.Inertia == 0 {
		r.Inertia = r.Mass * gyration * gyration
	}
	r.Velocity, r.AngularVelocity = t.Vector("velocity"), t.Number("angular_velocity")
}

// motion reads a driven body's motion: a table of [time, x, y] or [time, x, y, angle],
// a list of quantities and expressions of t for x, y and the angle, in a static
// analysis also "free" for components that are found from equilibrium, or { velocity =
// [...], angular_velocity = ..., ramp = ... }. x and y are those of the centre. The
// motion must start at the centre's position. It returns the velocities at the start, too.
func (d *Deck) motion(t *tables.Reader, centre r2.Vec, released *[3]bool) (motion model.Path, velocity r2.Vec, rotation float64) {
	var rates [3]float64
	v, _ := t.Raw("motion")
	switch v := v.(type) {
	case map[string]any:
		sub := t.Sub("motion")
		speed, spin, ramp := sub.Vector("velocity"), sub.Number("angular_velocity"), sub.Number("ramp")
		if sub.Has("ramp") && speed == (r2.Vec{}) && spin == 0 {
			sub.Bad("ramp", "ramp goes with velocity or angular_velocity: without them nothing moves")
		}
		if end := d.model.Duration; ramp > end {
			d.warnLater("%s: the ramp of the motion is %g s and the run ends at %g s: the motion reaches only %.2g of its speed", t.Title, ramp, end, system.SmoothStep(ramp)(end))
		}
		motion = func(at float64) (r2.Vec, float64) {
			at = ramped(at, ramp)
			return r2.Vec{X: centre.X + float64(speed.X*at), Y: centre.Y + float64(speed.Y*at)}, spin * at
		}
		if ramp == 0 {
			return motion, speed, spin
		}
		return motion, r2.Vec{}, 0
	case []any:
		if len(v) == 0 {
			break
		}
		if _, isTable := v[0].([]any); isTable {
			motion, rates = d.motionTable(t, v)
			break
		}
		if len(v) != 2 && len(v) != 3 {
			break
		}
		motion, rates, *released = d.motionOf(t, v, centre)
	}
	if motion == nil {
		t.Bad("motion", `motion must be a table of [time, x, y], [x, y] as expressions of t, or { velocity = [vx, vy] }, got %s`, tables.Describe(v))
	}
	if p, angle := motion(0); elementary.Norm(r2.Sub(p, centre)) > 1e-9*(elementary.Norm(centre)+elementary.Norm(p)) || angle != 0 {
		t.Bad("motion", "the motion starts at (%g, %g) m with an angle of %g rad, but the body's centre is at (%g, %g) m and its angle 0", p.X, p.Y, angle, centre.X, centre.Y)
	}
	d.checkSpeed(t, motion)
	return motion, r2.Vec{X: rates[0], Y: rates[1]}, rates[2]
}

// ramped returns the integral of solver.SmoothStep(ramp) up to a time [s]: the time
// in which a body would have moved as far at full speed.
func ramped(at, ramp float64) float64 {
	if at >= ramp {
		return at - float64(0.5*ramp)
	}
	s := at / ramp
	return float64(ramp*float64(s*s*s*s)) * (2.5 + float64(s*(s-3)))
}

// checkSpeed stops at a motion that is too fast for any step.
func (d *Deck) checkSpeed(t *tables.Reader, motion model.Path) {
	if d.model.Static != nil {
		return
	}
	dt := d.model.Duration / samples
	last, _ := motion(0)
	for i := range samples {
		at := d.model.Duration * (float64(i+1) / samples)
		p, _ := motion(at)
		if v := elementary.Norm(r2.Sub(p, last)) / dt; v > 1 { // any slow motion is allowed
			if err := tables.Plausible(v, tables.Velocity); err != nil {
				t.Bad("motion", "the speed of the motion %v at t = %.6g s", err, at)
			}
		}
		last = p
	}
}

func (d *Deck) motionTable(t *tables.Reader, rows []any) (path model.Path, rates [3]float64) {
	var times []float64
	var at [3][]float64
	for _, row := range rows {
		l, ok := row.([]any)
		if !ok || len(l) != 3 && len(l) != 4 {
			t.Bad("motion", "motion must be a table of [time, x, y] or [time, x, y, angle], got %s in it", tables.Describe(row))
		}
		times = append(times, d.instant(t, "motion", l[0]))
		at[0] = append(at[0], t.Component("motion", l[1], tables.Length))
		at[1] = append(at[1], t.Component("motion", l[2], tables.Length))
		angle := 0.0
		if len(l) == 4 {
			angle = t.Value("motion", l[3], tables.None)
		}
		at[2] = append(at[2], angle)
	}
	if !slices.IsSorted(times) {
		t.Bad("motion", "the times of a motion must not decrease")
	}
	d.breaks(times)
	for k, unit := range []string{"m", "m", "rad"} {
		f := func(now float64) float64 { return (&model.Curve{X: times, Value: at[k]}).At(now) }
		d.warnSchedule(t, "motion", f, times, false)
		d.warnJumps(t, "motion", f, unit)
	}
	if i := slices.IndexFunc(times, func(time float64) bool { return time > 0 }); i > 0 {
		for k := range rates {
			rates[k] = (at[k][i] - at[k][i-1]) / (times[i] - times[i-1])
		}
	}
	return func(now float64) (r2.Vec, float64) {
		return r2.Vec{X: (&model.Curve{X: times, Value: at[0]}).At(now), Y: (&model.Curve{X: times, Value: at[1]}).At(now)}, (&model.Curve{X: times, Value: at[2]}).At(now)
	}, rates
}

// startRate returns the derivative of an expression at t = 0, from positive times: that difference of second
// order which a shorter time changes least.
func startRate(f model.Schedule) (rate float64) {
	last, least := math.NaN(), math.Inf(1)
	for h := 0.7310585; h > 1e-13; h *= 0.297 {
		now := (float64(4*f(0.5*h)) - f(h) - float64(3*f(0))) / h
		if d := math.Abs(now - last); d < least {
			rate, least = now, d
		}
		last = now
	}
	return rate
}

func (d *Deck) motionOf(t *tables.Reader, parts []any, centre r2.Vec) (path model.Path, rates [3]float64, released [3]bool) {
	f := [3]model.Schedule{2: func(float64) float64 { return 0 }}
	for i, part := range parts {
		if part == "free" {
			if d.model.Static == nil {
				t.Bad("motion", `a component that is "free" goes with type = "static": in a dynamic analysis all components of a body are driven, or all are free`)
			}
			released[i] = true
			at := [3]float64{centre.X, centre.Y, 0}[i]
			f[i] = func(float64) float64 { return at }
			continue
		}
		dim := tables.Length
		if i == 2 {
			dim = tables.None
		}
		v, s := d.amount(t, "motion", part, dim, parts)
		if f[i] = s; s == nil {
			f[i] = func(float64) float64 { return v }
		} else {
			rates[i] = startRate(s)
			d.warnJumps(t, "motion", s, map[bool]string{true: "rad", false: "m"}[i == 2])
		}
	}
	return func(at float64) (r2.Vec, float64) { return r2.Vec{X: f[0](at), Y: f[1](at)}, f[2](at) }, rates, released
}

// withRigids adds the outlines of the rigid bodies to the mesh. By default
// their solid is twice as deep as the deepest meshed body, or a tenth of their
// own size if there are no meshed bodies.
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
			b.Bad("depth", "depth must not exceed %g m, half of the smallest extent of the shape, got %g m", b.size, b.outline.Depth)
		}
		outlines = append(outlines, b.outline)
	}
	r.mesh = r.mesh.With(outlines)
}
