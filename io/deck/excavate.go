package deck

import (
	"math"
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
	d.breaks([]float64{at, at + ramp})
	d.dig(t, "in", in, at, ramp, d.fading(ramp))
}

// dig excavates the bodies that a key of a block names. fade is the factor of their forces within the
// ramp from a time on [s].
func (d *Deck) dig(t *tables.Reader, key string, in []string, at, ramp float64, fade model.Schedule) {
	d.excavating = append(d.excavating, excavating{in, at, ramp, fade})
	d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) {
		for _, name := range in {
			k := slices.Index(r.BodyNames(), name)
			if k < 0 || r.mesh.Bodies[k].Kind != mesh.OfTriangles {
				t.Bad(key, "there is no body %q of triangles%s", name, tables.Nearest(name, r.BodyNames()))
			}
			if slices.ContainsFunc(m.Excavations, func(x model.Excavation) bool { return x.Body == int32(k) }) {
				t.Bad(key, "body %q is excavated by another block already: a body can be excavated once", name)
			}
			m.Excavations = append(m.Excavations, model.Excavation{Name: name, Body: int32(k), At: at, Fade: fade})
		}
		r.checks = append(r.checks, func() { r.checkExcavated(t, key, m) })
	})
}

// checkExcavated stops at blocks that cannot be combined with excavated bodies.
func (r *resolver) checkExcavated(t *tables.Reader, key string, m *model.Model) {
	if m.GravitySchedule != nil && m.Static == nil {
		t.Bad(key, "bodies cannot be excavated under a gravity that changes with time: leave out gravity_schedule")
	}
	left := 0
	for i := range r.mesh.Bodies {
		if r.mesh.Bodies[i].Kind == mesh.OfTriangles {
			left++
		}
	}
	if left == len(m.Excavations) {
		t.Bad(key, "every body of triangles is excavated: at least one must stay")
	}
	r.checkExcavatedContacts(t, key, m)
	r.checkExcavatedLoads(t, key, m)
	r.checkExcavatedSprings(t, key, m)
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
func (r *resolver) checkExcavatedContacts(t *tables.Reader, key string, m *model.Model) {
	for i := range m.Contacts {
		c := &m.Contacts[i]
		if name, ok := r.excavatedWith(m, slices.Concat(c.Contactor, c.Opposite)...); ok && m.Static != nil {
			t.Bad(key, "body %q is excavated and is in the contact %q: in a static analysis bodies in contact cannot be excavated; run the model in time, type = \"dynamic\"", name, c.Name)
		}
	}
	for i := range m.ByVolume {
		for j, e := range r.mesh.Edges {
			c := &m.ByVolume[i]
			if !slices.Contains(c.First, e.Component) && !slices.Contains(c.Second, e.Component) {
				continue
			}
			if name, ok := r.excavatedWith(m, int32(j)); ok {
				t.Bad(key, "body %q is in the contact %q, whose law is volumetric, which excludes excavated bodies: give that contact another law", name, c.Name)
			}
		}
	}
}

// checkExcavatedLoads stops at absorbing edges, loads, fixes and drives of excavated bodies.
func (r *resolver) checkExcavatedLoads(t *tables.Reader, key string, m *model.Model) {
	for _, a := range m.Absorbs {
		if name, ok := r.excavatedWith(m, a.Edges...); ok {
			t.Bad(key, "body %q is excavated and has the absorbing edge %q: leave one of the two out", name, a.On)
		}
	}
	named := func(group string) bool {
		return slices.ContainsFunc(m.Excavations, func(x model.Excavation) bool { return x.Name == group })
	}
	lost := r.excavatedNodes(m)
	for _, l := range m.Loads {
		if name, ok := r.excavatedWith(m, l.Edges...); ok {
			t.Bad(key, "body %q is excavated and has a load on %q: leave one of the two out", name, l.On)
		} else if !named(l.On) && slices.ContainsFunc(l.Nodes, func(n int32) bool { return lost[n] }) {
			t.Bad(key, "a load acts on %q, a part of which is excavated: excavated bodies cannot have loads", l.On)
		}
		if named(l.On) {
			t.Bad(key, "body %q is excavated and has a load: leave one of the two out", l.On)
		}
	}
	const onward = "all of body %q is %s and it is excavated, so the nodes that it shares with others would stay so: name a curve, or a body that is not excavated"
	for _, f := range m.Fixes {
		if named(f.On) {
			t.Bad(key, onward, f.On, "fixed")
		}
	}
	for _, d := range m.Drives {
		if named(d.On) {
			t.Bad(key, onward, d.On, "driven")
		}
	}
}

// checkExcavatedSprings stops at springs that end in excavated bodies.
func (r *resolver) checkExcavatedSprings(t *tables.Reader, key string, m *model.Model) {
	lost := r.excavatedNodes(m)
	ends := func(l model.Link) bool {
		return slices.ContainsFunc(l.Ends[:], func(e model.End) bool {
			return slices.ContainsFunc(e.Nodes, func(n int32) bool { return lost[n] })
		})
	}
	for _, p := range m.Springs {
		if slices.ContainsFunc(p.Links, ends) {
			t.Bad(key, "the spring %q ends in a body that is excavated: let it end in another body", p.Name)
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
	find  func(r *resolver) float64 // From, if it follows an excavation; else nil
	grown float64                   // when a load that a stage installs is whole, 0 for one that none does [s]
}

// at returns it with the time of installation that follows from an excavation.
func (s stage) at(r *resolver) model.When {
	if s.find != nil {
		s.From = s.find(r)
	}
	return s.When
}

// readStage reads when a block of some names comes and goes.
func (d *Deck) readStage(t *tables.Reader, names ...string) stage {
	end := d.model.Duration
	s := stage{When: model.When{From: t.Number("time")}}
	comes, goes := d.stagesOf(t, names...)
	if comes != nil {
		s.From, s.grown = comes.from, comes.from+comes.ramp
	}
	if goes != nil {
		s.Until, s.Fade = goes.from, d.fading(goes.ramp)
		if s.Until <= s.From {
			goes.t.Bad("remove", "the stage %q removes what is not there before it: let an earlier stage install it", goes.name)
		}
	}
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

// Stages of construction, one after the other. Each says what is excavated, installed and taken out as
// it begins; blocks find their times there by their names.

var stageBlock = tables.Block{Name: "stage", Many: true, Doc: "A stage of construction. Stages follow one another in their order; as one begins, bodies are excavated and supports and loads come and go. A static analysis ends each in balance. Their results are under stages in summary.json.", Read: ofDeck((*Deck).readStageBlock), Keys: []tables.Key{
	{Name: "name", Kind: tables.Text, Example: `"lining"`, Doc: "in results"},
	{Name: "lasts", Kind: tables.Quantity, Dim: tables.Time, Bounds: tables.Positive, Else: "an even part of what other stages leave of the duration", Doc: "how long it lasts"},
	{Name: "ramp", Kind: tables.Quantity, Dim: tables.Time, Bounds: tables.Positive, Else: "half of the stage in motion, all of it in a static analysis", Doc: "time from its begin on within which forces of what leaves fade"},
	{Name: "excavate", Kind: tables.List, Also: []tables.Kind{tables.Text}, Default: "-", Doc: "bodies of triangles that are excavated"},
	{Name: "relaxation", Kind: tables.Quantity, Bounds: tables.AtMostOne, Default: "1", With: []tables.With{tables.If("excavate")}, Doc: `share of the forces of the excavated bodies that has faded at the end of the stage, such as "40 %"; a later stage excavates them further`},
	{Name: "install", Kind: tables.List, Also: []tables.Kind{tables.Text}, Default: "-", Doc: "names of beams, bolts, springs, ties, fixes, loads and clamps that come as the stage begins, without load; what has no name is named by its on"},
	{Name: "remove", Kind: tables.List, Also: []tables.Kind{tables.Text}, Default: "-", Doc: "names of those that go"},
}}

// building is a stage.
type building struct {
	t                         *tables.Reader
	name                      string
	lasts, from, ramp         float64 // lasts is 0 until it is known [s]
	relaxation                float64
	excavate, install, remove []string
}

func (d *Deck) readStageBlock(t *tables.Reader) {
	names := func(key string) []string {
		if !t.Has(key) {
			return nil
		}
		return t.Names(key, 0)
	}
	s := building{t: t, name: t.Text("name"), lasts: t.Number("lasts"), ramp: t.Number("ramp"), relaxation: t.Number("relaxation"), excavate: names("excavate"), install: names("install"), remove: names("remove")}
	if s.name == "" {
		t.Bad("name", "name must not be empty")
	}
	d.unique(t, "a stage", s.name)
	d.stages = append(d.stages, s)
}

// planStages finds when stages begin, and what they excavate.
func (d *Deck) planStages() {
	if len(d.stages) == 0 {
		return
	}
	end, sum, open := d.model.Duration, 0.0, 0
	for i := range d.stages {
		if sum += d.stages[i].lasts; d.stages[i].lasts == 0 {
			open++
		}
	}
	last := &d.stages[len(d.stages)-1]
	switch rest := end - sum; {
	case open > 0 && !(rest > 1e-9*end):
		last.t.Bad("name", "the stages that say how long they last take %.6g s of the %.6g s of the run and leave nothing for the others: shorten them, or let the run last longer", sum, end)
	case open == 0 && math.Abs(rest) > 1e-9*end:
		last.t.Bad("lasts", "the stages last %.6g s in all, and the run %.6g s: leave lasts out of one of them, or give [analysis] that duration", sum, end)
	}
	at, part := 0.0, (end-sum)/float64(max(open, 1))
	for i := range d.stages {
		s := &d.stages[i]
		if s.lasts == 0 {
			s.lasts = part
		}
		switch s.from = at; {
		case !s.t.Has("ramp") && d.model.Static != nil:
			s.ramp = s.lasts
		case !s.t.Has("ramp"):
			s.ramp = 0.5 * s.lasts
		case s.ramp > s.lasts*(1+1e-9):
			s.t.Bad("ramp", "the stage lasts %.6g s: ramp must not exceed that, got %.6g s", s.lasts, s.ramp)
		}
		if at += s.lasts; i == len(d.stages)-1 {
			at = end
		}
		d.breaks([]float64{s.from, s.from + s.ramp, at})
		d.model.Stages = append(d.model.Stages, model.Stage{Name: s.name, End: at})
	}
	d.planExcavations()
}

// relief is a part of the fading of what an excavated body did: within a ramp from a time on a share of
// its forces fades, to what is left.
type relief struct {
	from, ramp, left float64 // [s], [s], share
}

// planExcavations excavates the bodies that stages name, each within one stage or several.
func (d *Deck) planExcavations() {
	parts := map[string][]relief{}
	var bodies []string
	for i := range d.stages {
		s := &d.stages[i]
		for _, name := range s.excavate {
			of := parts[name]
			if len(of) == 0 {
				bodies = append(bodies, name)
			} else if left := of[len(of)-1].left; 1-s.relaxation >= left {
				s.t.Bad("excavate", "%.4g %% of the forces of body %q have faded in a stage before, and %.4g %% in this one: give it a greater relaxation", 100*(1-left), name, 100*s.relaxation)
			}
			parts[name] = append(of, relief{s.from, s.ramp, 1 - s.relaxation})
		}
	}
	for _, name := range bodies {
		of := parts[name]
		i := slices.IndexFunc(d.stages, func(s building) bool { return slices.Contains(s.excavate, name) })
		first, last := of[0].from, of[len(of)-1]
		d.dig(d.stages[i].t, "excavate", []string{name}, first, last.from+last.ramp-first, d.relieved(of))
	}
}

// relieved returns the share of the forces of an excavated body as a function of the time since.
func (d *Deck) relieved(of []relief) model.Schedule {
	var fades []model.Schedule
	for _, p := range of {
		fades = append(fades, d.fading(p.ramp))
	}
	return func(since float64) float64 {
		share, before := 1.0, 1.0
		for i, p := range of {
			if t := since - (p.from - of[0].from); t > 0 {
				share = p.left + float64((before-p.left)*fades[i](t))
			}
			before = p.left
		}
		return share
	}
}

// stagesOf finds the stages that install and remove a block of one of some names, nil for none.
func (d *Deck) stagesOf(t *tables.Reader, names ...string) (comes, goes *building) {
	d.staging = append(d.staging, names...)
	named := func(of []string) bool {
		return slices.ContainsFunc(of, func(name string) bool { return slices.Contains(names, name) })
	}
	for i := range d.stages {
		s := &d.stages[i]
		if named(s.install) {
			if comes != nil {
				t.Bad("name", "the stages %q and %q both install it: it can come once", comes.name, s.name)
			}
			comes = s
		}
		if named(s.remove) {
			if goes != nil {
				t.Bad("name", "the stages %q and %q both remove it: it can go once", goes.name, s.name)
			}
			goes = s
		}
	}
	for _, c := range []struct {
		stage *building
		does  string
		keys  []string
	}{{comes, "installs", []string{"time", "after"}}, {goes, "removes", []string{"until"}}} {
		for _, key := range c.keys {
			if c.stage != nil && t.Has(key) {
				t.Bad(key, "the stage %q %s it: leave %s out, or the name out of the stage", c.stage.name, c.does, key)
			}
		}
	}
	return comes, goes
}

// checkStages stops at names in stages that no block has.
func (d *Deck) checkStages() {
	for i := range d.stages {
		s := &d.stages[i]
		for _, c := range []struct {
			key   string
			names []string
		}{{"install", s.install}, {"remove", s.remove}} {
			for _, name := range c.names {
				if !slices.Contains(d.staging, name) {
					s.t.Bad(c.key, "there is no beam, bolt, spring, tie, fix, load or clamp %q%s", name, tables.Nearest(name, d.staging))
				}
			}
		}
	}
}
