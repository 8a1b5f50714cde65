package deck

import (
	"slices"

	"fdem/io/tables"
	"fdem/mesh"
	"fdem/solver/model"
	"fdem/solver/system"
)

var excavateBlock = tables.Block{Name: "excavate", Many: true, Doc: "Excavation of a body. From a time on it carries no load, and its forces on its neighbours fade to zero.", Read: ofDeck((*Deck).readExcavate), Keys: []tables.Key{
	{Name: "in", Kind: tables.List, Also: []tables.Kind{tables.Text}, Example: `["tunnel"]`, Doc: "bodies of triangles, which are excavated together"},
	{Name: "time", Kind: tables.Quantity, Dim: tables.Time, Bounds: tables.NotNegative, Default: "0", Doc: "when"},
	{Name: "ramp", Kind: tables.Quantity, Dim: tables.Time, Bounds: tables.Positive, Example: `"150 ms"`, With: []tables.With{tables.InTime}, Doc: "time within which the forces of these bodies on the nodes that they share with others fade to zero, smoothly"},
	{Name: "ramp", Kind: tables.Quantity, Dim: tables.Time, Bounds: tables.Positive, Else: "until the end", With: []tables.With{tables.InStatics}, Doc: "pseudo-time within which the forces of these bodies on the nodes that they share with others fade to zero, evenly"},
}}

func (d *Deck) readExcavate(t *tables.Reader) {
	in, at, ramp := t.Names("in", 0), t.Number("time"), t.Number("ramp")
	if d.model.Static != nil && !t.Has("ramp") {
		ramp = d.model.Duration - at
	}
	fade := d.fading(ramp)
	d.breaks([]float64{at, at + ramp})
	d.excavating = append(d.excavating, excavating{in, at, ramp, fade})
	d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) {
		for _, name := range in {
			k := slices.Index(r.BodyNames(), name)
			if k < 0 || r.mesh.Bodies[k].Kind != mesh.OfTriangles {
				t.Bad("in", "there is no body %q of triangles%s", name, tables.Nearest(name, r.BodyNames()))
			}
			if slices.ContainsFunc(m.Excavations, func(x model.Excavation) bool { return x.Body == int32(k) }) {
				t.Bad("in", "body %q is excavated by another block already: a body can be excavated once", name)
			}
			m.Excavations = append(m.Excavations, model.Excavation{Name: name, Body: int32(k), At: at, Fade: fade})
		}
		r.checks = append(r.checks, func() { r.checkExcavated(t, m) })
	})
}

// checkExcavated stops at blocks that cannot be combined with excavated bodies.
func (r *resolver) checkExcavated(t *tables.Reader, m *model.Model) {
	if m.GravitySchedule != nil && m.Static == nil {
		t.Bad("in", "bodies cannot be excavated under a gravity that changes with time: leave out gravity_schedule")
	}
	left := 0
	for i := range r.mesh.Bodies {
		if r.mesh.Bodies[i].Kind == mesh.OfTriangles {
			left++
		}
	}
	if left == len(m.Excavations) {
		t.Bad("in", "every body of triangles is excavated: at least one must stay")
	}
	r.checkExcavatedContacts(t, m)
	r.checkExcavatedLoads(t, m)
	r.checkExcavatedSprings(t, m)
}

// excavatedWith returns the name of an excavated body that has one of the
// edges.
func (r *resolver) excavatedWith(m *model.Model, edges ...int32) (name string, ok bool) {
	for _, x := range m.Excavations {
		for _, e := range edges {
			if r.mesh.Edges[e].Body == x.Body {
				return x.Name, true
			}
		}
	}
	return "", false
}

// checkExcavatedContacts stops at volumetric contact of excavated bodies, and in a static analysis at any
// contact of theirs.
func (r *resolver) checkExcavatedContacts(t *tables.Reader, m *model.Model) {
	for i := range m.Contacts {
		c := &m.Contacts[i]
		if name, ok := r.excavatedWith(m, slices.Concat(c.Contactor, c.Opposite)...); ok && m.Static != nil {
			t.Bad("in", "body %q is excavated and is in the contact %q: in a static analysis bodies in contact cannot be excavated; run the model in time, type = \"dynamic\"", name, c.Name)
		}
	}
	for i := range m.ByVolume {
		for j, e := range r.mesh.Edges {
			c := &m.ByVolume[i]
			if !slices.Contains(c.First, e.Component) && !slices.Contains(c.Second, e.Component) {
				continue
			}
			if name, ok := r.excavatedWith(m, int32(j)); ok {
				t.Bad("in", "body %q is in the contact %q, whose law is volumetric, which excludes excavated bodies: give that contact another law", name, c.Name)
			}
		}
	}
}

// checkExcavatedLoads stops at absorbing edges, loads, fixes and drives of excavated bodies.
func (r *resolver) checkExcavatedLoads(t *tables.Reader, m *model.Model) {
	for _, a := range m.Absorbs {
		if name, ok := r.excavatedWith(m, a.Edges...); ok {
			t.Bad("in", "body %q is excavated and has the absorbing edge %q: leave one of the two out", name, a.On)
		}
	}
	named := func(group string) bool {
		return slices.ContainsFunc(m.Excavations, func(x model.Excavation) bool { return x.Name == group })
	}
	lost := r.excavatedNodes(m)
	for _, l := range m.Loads {
		if name, ok := r.excavatedWith(m, l.Edges...); ok {
			t.Bad("in", "body %q is excavated and has a load on %q: leave one of the two out", name, l.On)
		} else if !named(l.On) && slices.ContainsFunc(l.Nodes, func(n int32) bool { return lost[n] }) {
			t.Bad("in", "a load acts on %q, a part of which is excavated: excavated bodies cannot have loads", l.On)
		}
		if named(l.On) {
			t.Bad("in", "body %q is excavated and has a load: leave one of the two out", l.On)
		}
	}
	const onward = "all of body %q is %s and it is excavated, so the nodes that it shares with others would stay so: name a curve, or a body that is not excavated"
	for _, f := range m.Fixes {
		if named(f.On) {
			t.Bad("in", onward, f.On, "fixed")
		}
	}
	for _, d := range m.Drives {
		if named(d.On) {
			t.Bad("in", onward, d.On, "driven")
		}
	}
}

// checkExcavatedSprings stops at springs that end in excavated bodies.
func (r *resolver) checkExcavatedSprings(t *tables.Reader, m *model.Model) {
	lost := r.excavatedNodes(m)
	ends := func(l model.Link) bool {
		return slices.ContainsFunc(l.Ends[:], func(e model.End) bool {
			return slices.ContainsFunc(e.Nodes, func(n int32) bool { return lost[n] })
		})
	}
	for _, p := range m.Springs {
		if slices.ContainsFunc(p.Links, ends) {
			t.Bad("in", "the spring %q ends in a body that is excavated: let it end in another body", p.Name)
		}
	}
}

// excavatedNodes tells which nodes belong only to excavated bodies.
func (r *resolver) excavatedNodes(m *model.Model) []bool {
	lost, stays := make([]bool, len(r.mesh.X)), make([]bool, len(r.mesh.X))
	for i := range r.mesh.Bodies {
		of := stays
		if slices.ContainsFunc(m.Excavations, func(x model.Excavation) bool { return x.Body == int32(i) }) {
			of = lost
		}
		for _, n := range r.mesh.Bodies[i].Nodes {
			of[n] = true
		}
	}
	for n := range lost {
		lost[n] = lost[n] && !stays[n]
	}
	return lost
}

// excavating is an [[excavate]] block, for what waits for it.
type excavating struct {
	bodies   []string
	at, ramp float64        // [s]
	fade     model.Schedule // of the time since
}

// fading returns a factor that falls from 1 to 0 within a time [s]: smoothly in motion, evenly in a
// static analysis.
func (d *Deck) fading(ramp float64) model.Schedule {
	if d.model.Static == nil {
		return system.SmoothFade(ramp)
	}
	return func(since float64) float64 { return max(0, 1-max(0, since)/ramp) }
}

// excavatedBodies returns the names of all bodies that are excavated.
func (d *Deck) excavatedBodies() (names []string) {
	for _, x := range d.excavating {
		names = append(names, x.bodies...)
	}
	return names
}

// comingKeys are the keys of blocks that come during a run.
var comingKeys = coming("when it is installed: it has no force before, and the positions of that moment are those without load, but for its preload")

// coming returns comingKeys with what the time says.
func coming(time string) []tables.Key {
	return []tables.Key{
		{Name: "time", Kind: tables.Quantity, Dim: tables.Time, Bounds: tables.NotNegative, Default: "0", With: []tables.With{tables.Unless("after", "the excavation says when")}, Doc: time},
		{Name: "after", Kind: tables.Text, Example: `"tunnel"`, Default: "-", Doc: "instead of a time, a body that is excavated: it is installed at the end of the ramp of that [[excavate]], or at its relaxation"},
		{Name: "relaxation", Kind: tables.Quantity, Bounds: tables.AtMostOne, Default: "1", With: []tables.With{tables.If("after")}, Doc: `share of the forces of the excavated body that has faded when it is installed, such as "40 %" (convergence-confinement method)`},
	}
}

// goingKeys are the keys of blocks that go during a run.
var goingKeys = []tables.Key{
	{Name: "until", Kind: tables.Quantity, Dim: tables.Time, Bounds: tables.Positive, Default: "-", Doc: "when it begins to be taken out"},
	{Name: "ramp", Kind: tables.Quantity, Dim: tables.Time, Bounds: tables.Positive, Default: "duration/100", With: []tables.With{tables.If("until")}, Doc: "time within which its forces fade to zero as it is taken out, smoothly"},
}

// within returns keys with a further condition.
func within(keys []tables.Key, also tables.With) []tables.Key {
	keys = slices.Clone(keys)
	for i := range keys {
		keys[i].With = append(slices.Clone(keys[i].With), also)
	}
	return keys
}

// stage is when a block comes and goes.
type stage struct {
	model.When
	find func(r *resolver) float64 // From, if it follows an excavation; else nil
}

// at returns it with the time of installation that follows from an excavation.
func (s stage) at(r *resolver) model.When {
	if s.find != nil {
		s.From = s.find(r)
	}
	return s.When
}

// readStage reads when a block comes and goes.
func (d *Deck) readStage(t *tables.Reader) stage {
	end := d.model.Duration
	s := stage{When: model.When{From: t.Number("time")}}
	if s.From >= end {
		t.Bad("time", "it would be installed at %g s, and the run ends at %g s", s.From, end)
	}
	if t.Has("until") {
		s.Until = t.Number("until")
		ramp := 0.01 * end
		if t.Has("ramp") {
			ramp = t.Number("ramp")
		}
		s.Fade = d.fading(ramp)
		d.breaks([]float64{s.Until, s.Until + ramp})
		if s.Until <= s.From {
			t.Bad("until", "it would be taken out at %g s and installed at %g s: until must be later", s.Until, s.From)
		}
	}
	d.breaks([]float64{s.From})
	if name, share := t.Text("after"), t.Number("relaxation"); name != "" {
		s.find = func(r *resolver) float64 { return r.relaxed(t, name, share, s.Until) }
	}
	return s
}

// relaxed returns the time at which a share of the forces of an excavated body has faded [s].
func (r *resolver) relaxed(t *tables.Reader, name string, share, until float64) float64 {
	i := slices.IndexFunc(r.excavating, func(x excavating) bool { return slices.Contains(x.bodies, name) })
	if i < 0 {
		t.Bad("after", "no [[excavate]] has a body %q%s", name, tables.Nearest(name, r.excavatedBodies()))
	}
	x := r.excavating[i]
	low, high := 0.0, x.ramp
	for share < 1 && high-low > 1e-12*x.ramp {
		if middle := 0.5 * (low + high); 1-x.fade(middle) < share {
			low = middle
		} else {
			high = middle
		}
	}
	from, end := x.at+high, r.Deck.model.Duration
	r.Deck.endIncrements([]float64{from})
	switch {
	case from >= end:
		t.Bad("after", "%q is excavated so far at %g s, and the run ends at %g s", name, from, end)
	case t.Has("until") && until <= from:
		t.Bad("until", "it would be taken out at %g s and installed at %g s: until must be later", until, from)
	}
	return from
}
