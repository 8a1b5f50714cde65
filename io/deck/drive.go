package deck

import (
	"slices"

	"fdem/io/tables"
	"fdem/materials/elementary"
	models "fdem/solver/model"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

var driveBlock = tables.Block{Name: "drive", Many: true, Doc: "A prescribed motion of nodes, as a function of time, whatever force that takes.", Read: ofDeck((*Deck).readDrive), Keys: []tables.Key{
	{Name: "on", Kind: tables.Text, Example: `"top"`, Doc: "a physical curve, point or surface of the mesh; a rigid body has a motion of its own"},
	supportName, supportAbout,
	{Name: "components", Kind: tables.List, Also: []tables.Kind{tables.Text}, Else: `["x", "y"], with an angle or angular velocity "rotation" of beams, too`, Doc: `driven components: "x", "y" and, for beams, "rotation". The others are free, or belong to another block`},
	{Name: "displacement", Kind: tables.Schedule, Dim: tables.Length, Default: "-", With: []tables.With{tables.Unless("velocity", "one of them gives the positions of the nodes")}, Doc: `[x, y] from the positions at the start. Each is a length, an expression of t in metres and seconds, or "free"; or a table of [time, x, y], linear between the rows. In a static analysis a constant displacement grows linearly and is reached at the end`},
	{Name: "velocity", Kind: tables.Schedule, Dim: tables.Velocity, Default: "-", With: []tables.With{inTimeOnly}, Doc: "[x, y], given as displacement is. A constant velocity acts from the start; a table is of [time, vx, vy]"},
	{Name: "angle", Kind: tables.Schedule, Also: []tables.Kind{tables.Quantity}, Default: "-", With: []tables.With{tables.Unless("angular_velocity", "one of them gives the positions of the nodes")}, Doc: `angle by which the nodes turn about the centre, anticlockwise: "30 deg", an expression of t in radians, or a table of [time, angle]`},
	{Name: "angular_velocity", Kind: tables.Schedule, Also: []tables.Kind{tables.Quantity}, Dim: tables.AngularVelocity, Default: "-", With: []tables.With{inTimeOnly}, Doc: "rate of the angle, given as angle is. A constant acts from the start"},
	{Name: "centre", Kind: tables.Pair, Dim: tables.Length, Else: "the middle of the nodes", With: []tables.With{tables.If("angle or angular_velocity")}, Doc: "centre of the rotation, at the start. It moves with the displacement or velocity"},
	{Name: "schedule", Kind: tables.Schedule, Default: "-", Doc: "factor over time on the whole motion of the block: a list of [time, factor] or an expression of t, as for a load"},
	{Name: "ramp", Kind: tables.Quantity, Dim: tables.Time, Bounds: tables.Positive, Default: "-", With: []tables.With{smoothly}, Doc: "duration of a smooth start. A factor on the whole motion grows from 0 to 1 within this time, without a jump of velocity or acceleration. In a dynamic analysis a constant displacement or angle needs a ramp or a schedule"},
}}

var (
	inTimeOnly = tables.With{Of: "type", Is: tables.InTime.Is, Why: "a static analysis has no speeds: give the displacement or the angle"}
	smoothly   = tables.With{Of: "type", Is: tables.InTime.Is, Why: "a static analysis has no inertia: there a constant grows linearly, unless a schedule says otherwise"}
)

// readDrive reads a drive, which has a schedule for each direction and for the
// angle.
func (d *Deck) readDrive(t *tables.Reader) {
	m := models.Drive{On: t.Text("on"), Name: t.Text("name"), About: t.Vector("about")}
	for _, r := range d.rigids {
		if r.Name == m.On {
			t.Bad("on", "%q is a rigid body: its block takes the motion, motion = ...", m.On)
		}
	}
	d.kinks = nil
	factor := d.factor(t)
	var free [2]bool
	given := false
	for _, key := range []string{"displacement", "velocity"} {
		if t.Has(key) {
			given = true
			m.Motion[0], m.Motion[1], free = d.prescribedXY(t, key, factor)
		}
		t.EntryOf(key, tables.Schedule)
	}
	turning := false
	for _, key := range []string{"angle", "angular_velocity"} {
		if t.Has(key) {
			turning = true
			m.Motion[2] = d.rotation(t, key, factor)
		}
		t.EntryOf(key, tables.Schedule)
	}
	if !given && !turning {
		t.Bad("on", "a drive needs a displacement, a velocity, an angle or an angular_velocity")
	}
	m.X, m.Y, m.Rotation = !free[0], !free[1], turning
	usual := !t.Has("components")
	if !usual {
		x, y, rotation := d.components(t)
		for c, named := range []bool{x, y} {
			switch {
			case named && free[c]:
				t.Bad("components", "components lists a direction that is \"free\": leave it out of one of them")
			case !named && m.Motion[c].At != nil:
				t.Bad("components", "the drive moves %s, which components does not list", directions[c])
			}
		}
		m.X, m.Y, m.Rotation = x, y, rotation
	}
	t.EntryOf("components", tables.List)
	if m.Rotates = turning && (m.X || m.Y); m.Rotates && !(m.X && m.Y) {
		t.Bad("components", "a rotation about a centre moves nodes along x and y: name both, or \"rotation\" alone to turn nodes of beams in place")
	}
	if !m.X && !m.Y && !m.Rotation {
		t.Bad("on", "the drive moves nothing, since all its components are \"free\"")
	}
	m.Breaks = slices.Compact(slices.Sorted(slices.Values(d.kinks)))
	m.Centre = t.Vector("centre")
	d.onMesh = append(d.onMesh, func(r *resolver, model *models.Model) {
		model.Drives = append(model.Drives, r.driven(t, model, m, usual))
	})
}

// driven finds the nodes of a drive.
func (r *resolver) driven(t *tables.Reader, model *models.Model, m models.Drive, usual bool) models.Drive {
	for _, p := range r.particles {
		if p.name == m.On {
			t.Bad("on", "a drive moves nodes of the mesh, and %q are particles: these may be fixed or have a velocity at the start", m.On)
		}
	}
	g := r.group(t, "on", m.On)
	m.Nodes = r.andLinings(g.Nodes)
	if usual && m.Rotation { // rotation is of beams only
		m.Rotation = len(r.ofBeams(m.Nodes)) > 0
	}
	r.hold(t, m.On, m.Nodes, [3]bool{m.X, m.Y, m.Rotation}, true, nil)
	m.Name, m.About = r.support(t, model, m.On, m.Name, m.About, m.Nodes)
	if !t.Has("centre") {
		m.Centre = r.middle(m.Nodes)
	}
	if m.Rotation {
		m.Nodes = r.andHinges(m.Nodes)
	}
	m.Corners = r.sidesOf(g, m.Nodes)
	return m
}

// middle returns the middle of the bounding box of some nodes.
func (r *resolver) middle(nodes []int32) r2.Vec {
	var b box
	for _, n := range nodes {
		b.add(r.mesh.X[n])
	}
	return elementary.Between(b.low, b.high, 0.5)
}

// factor reads the factor on all schedules of a drive, nil for 1.
func (d *Deck) factor(t *tables.Reader) models.Schedule {
	s := d.schedule(t)
	ramp := t.Number("ramp")
	if ramp == 0 {
		return s
	}
	d.kinks, d.changes = append(d.kinks, ramp), append(d.changes, ramp)
	if end := d.model.Duration; ramp > end {
		d.warnLater("%s: ramp is %g s and the run ends at %g s: the drive reaches only %.2g of its motion", t.Title, ramp, end, system.SmoothStep(ramp)(end))
	}
	return product(s, system.SmoothStep(ramp))
}

// prescribed returns the schedule of a key from a number, or from an expression or a
// table if that is not nil. In a static analysis a constant position without a factor
// is reached at the end.
func (d *Deck) prescribed(t *tables.Reader, key string, v float64, of, factor models.Schedule) models.PrescribedMotion {
	rate := key == "velocity" || key == "angular_velocity"
	if of == nil && v == 0 {
		return models.PrescribedMotion{}
	}
	constant := of == nil
	if constant {
		of = func(float64) float64 { return v }
	}
	switch {
	case factor != nil || !constant || rate:
	case d.model.Static != nil:
		factor = d.ramped(nil, stage{})
	default:
		t.Bad(key, "the %s is constant, so that the nodes would jump: give the time of the motion, ramp = \"1 ms\", or an expression of t, \"1e-3*t\"", key)
	}
	if constant && factor != nil {
		of = func(at float64) float64 { return float64(factor(at) * v) }
	} else {
		of = product(factor, of)
	}
	if !rate {
		if at := of(0); at != 0 && d.model.Static == nil {
			t.Bad(key, "%s is %g at t = 0: it is measured from the positions at the start, so it must begin with 0", key, at)
		}
		unit := "m"
		if key == "angle" {
			unit = "rad"
		}
		d.warnJumps(t, key, of, unit)
	}
	return models.PrescribedMotion{At: of, Rate: rate}
}

// prescribedXY reads [x, y], each a quantity, an expression of t or "free", or a table
// of [time, x, y].
func (d *Deck) prescribedXY(t *tables.Reader, key string, factor models.Schedule) (x, y models.PrescribedMotion, free [2]bool) {
	v, _ := t.Raw(key)
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		t.Bad(key, "%s must be [x, y], each a quantity, an expression of t or \"free\", or a table of [time, x, y], got %s", key, tables.Describe(v))
	}
	dim := t.EntryOf(key, tables.Schedule).Dim
	var out [2]models.PrescribedMotion
	if _, isTable := list[0].([]any); isTable {
		for c, of := range d.rows(t, key, list, dim, "x", "y") {
			out[c] = d.prescribed(t, key, 0, of, factor)
		}
	} else {
		list = t.List(key, 2)
		for c, part := range list {
			if free[c] = part == "free"; free[c] {
				continue
			}
			amount, of := d.amount(t, key, part, dim, list)
			out[c] = d.prescribed(t, key, amount, of, factor)
		}
		if free[0] && free[1] {
			t.Bad(key, "%s is \"free\" in both directions: there is nothing to drive", key)
		}
	}
	d.checkDrive(t, key, out[:])
	return out[0], out[1], free
}

// rotation reads an angle or its rate: a quantity, an expression of t or a table of
// [time, angle].
func (d *Deck) rotation(t *tables.Reader, key string, factor models.Schedule) models.PrescribedMotion {
	v, _ := t.Raw(key)
	dim := t.EntryOf(key, tables.Schedule).Dim
	if list, ok := v.([]any); ok {
		return d.prescribed(t, key, 0, d.rows(t, key, list, dim, "angle")[0], factor)
	}
	amount, of := d.amount(t, key, v, dim, nil)
	return d.prescribed(t, key, amount, of, factor)
}

// rows reads a table of [time, value, ...] and returns each value as a function
// of time, linear between the rows and constant outside; nil for a value that
// is always 0.
func (d *Deck) rows(t *tables.Reader, key string, list []any, dim tables.Dimension, columns ...string) []models.Schedule {
	times, values := make([]float64, len(list)), make([][]float64, len(columns))
	for i, row := range list {
		l, ok := row.([]any)
		if !ok || len(l) != 1+len(columns) {
			t.Bad(key, "a table must have rows of [time, %s], got %s in it", joined(columns), tables.Describe(row))
		}
		times[i] = d.instant(t, key, l[0])
		for c := range columns {
			values[c] = append(values[c], t.Component(key, l[1+c], dim))
		}
	}
	if len(list) == 0 {
		t.Bad(key, "the table is empty: give it rows of [time, value]")
	}
	if !slices.IsSorted(times) {
		t.Bad(key, "the times of a table must not decrease")
	}
	d.breaks(times)
	out := make([]models.Schedule, len(columns))
	for c := range columns {
		if slices.ContainsFunc(values[c], func(v float64) bool { return v != 0 }) {
			out[c] = func(at float64) float64 { return (&models.Curve{X: times, Value: values[c]}).At(at) }
			d.warnSchedule(t, key, out[c], times, false)
		}
	}
	return out
}

// joined returns words as a list in a sentence.
func joined(words []string) string {
	text := words[0]
	for _, w := range words[1:] {
		text += ", " + w
	}
	return text
}

// checkDrive stops at a displacement that is too fast for any step.
func (d *Deck) checkDrive(t *tables.Reader, key string, courses []models.PrescribedMotion) {
	if d.model.Static != nil || key != "displacement" {
		return
	}
	dt := d.model.Duration / samples
	for _, c := range courses {
		if c.At == nil {
			continue
		}
		last := c.At(0)
		for i := range samples {
			at := d.model.Duration * (float64(i+1) / samples)
			v := (c.At(at) - last) / dt
			if v > 1 || v < -1 {
				if err := tables.Plausible(v, tables.Velocity); err != nil {
					t.Bad(key, "the speed of the displacement %v at t = %.6g s", err, at)
				}
			}
			last += float64(v * dt)
		}
	}
}
