package solver

import (
	"math"
	"slices"

	"fdem/contactnodes"
	"fdem/materials/elementary"
	"fdem/mesh"
	"fdem/solver/bodies"
	"fdem/solver/forces"
	models "fdem/solver/model"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

const (
	// contactGap is the greatest gap between bodies that count as in contact at the start, relative
	// to the depth of the shallowest edge.
	contactGap = 1e-3
	// rampPasses is the ramp time divided by the travel time of sound along the resting bodies. It
	// is three periods of their slowest vibration, of which a hundredth is left then.
	rampPasses = 12
	// startPasses is the same for rigid bodies that do not stay at rest.
	startPasses = 4
	// softPeriods is the ramp time on soft joints and soft contacts, in their periods.
	softPeriods = 3
	// roundedOverlap is the greatest overlap, relative to the depth of an edge, that may come from
	// rounded coordinates.
	roundedOverlap = 1e-6
	// rigidSound is a substitute for the speed of sound of rigid bodies among elastic ones.
	// swayToSound is that of rigid bodies on one another, which sway more slowly [m/s].
	rigidSound  = 300
	swayToSound = 100
)

// restFinder finds which bodies rest on others at the start.
type restFinder struct {
	system.View
	*State
	*kinds
	outlines *bodies.Outlines
}

// rampWeight makes the load that carries the weight of resting bodies at first, in a model with
// constant gravity.
func (k *restFinder) rampWeight() {
	if k.Static != nil || k.Motion.Gravity == (r2.Vec{}) || k.GravitySchedule != nil || len(k.InitialStresses) > 0 || len(k.Surfaces) == 0 && !k.Fracture.HasJoints() {
		return
	}
	p := k.components()
	at := k.restingOn(p, 0)
	if at == nil {
		return
	}
	loads := k.descents(p, at)
	if within := longest(loads); len(k.Model.Loads) > 0 && within > 0 {
		p = k.components()
		if at = k.restingOn(p, within); at == nil {
			return
		}
		k.findHeldByLoads(p, at)
		loads = k.descents(p, at)
	}
	reported := &k.loads.Resting
	for n, first := range p.components {
		switch {
		case first != int32(n) || !at.rests[n] || at.ground[n]:
		case p.slides[n]:
			reported.Sliding++
		default:
			reported.Things++
		}
		if first == int32(n) && at.starts[n] {
			reported.Starting++
		}
	}
	for i := range loads {
		l := &loads[i]
		switch {
		case l.holds:
			reported.HeldByLoads = true
		case l.pushes:
			reported.Pushed = true
		case l.kind == starting:
			reported.StartWithin = l.Until
		default:
			reported.Within = max(reported.Within, l.Until)
			reported.Missing = max(reported.Missing, l.Schedule(k.Duration))
		}
		k.loads.Add(l.Load)
	}
}

// findHeldByLoads finds the components that rest only because loads press on them, such as a block
// in a vise.
func (k *restFinder) findHeldByLoads(p *components, at *restingComponents) {
	at.heldByLoads = make([]bool, len(p.node))
	alone := k.components()
	without := k.findResting(alone, 0, false)
	var slides []bool
	if without != nil {
		slides = without.sliding(alone, elementary.Norm(k.Motion.Gravity))
	}
	for n, rests := range at.rests {
		if rests && !at.ground[n] && (without == nil || !without.rests[n] || slides[n]) {
			at.heldByLoads[n] = true
		}
	}
}

// longest returns the time after which the whole weight acts [s].
func longest(loads []descent) (within float64) {
	for i := range loads {
		within = max(within, loads[i].Until)
	}
	return within
}

// descents returns the loads that ramp in weight, and the loads of the start that are ramped in
// with it.
func (s *restFinder) descents(p *components, at *restingComponents) (loads []descent) {
	p.rampJointed(at.rests, at.stacks)
	for n, held := range at.heldByLoads {
		if held {
			at.heldByLoads[at.stacks[n]] = true
		}
	}
	at.ramps = s.overlapRamps(p, at.stacks, at.rests)
	for n, rigid := range at.rigid {
		if at.rests[n] && !rigid {
			at.elastic[at.stacks[n]] = true
		}
	}
	p.slides = at.sliding(p, elementary.Norm(s.Motion.Gravity))
	for n, mass := range p.mass {
		if mass > 0 {
			moves := p.moves(s, n)
			loads = at.add(loads, false, p.node[n], p.beside.At(n), p.components[n], r2.Vec{X: -float64(mass * (s.Motion.Gravity.X - moves.X)), Y: -float64(mass * (s.Motion.Gravity.Y - moves.Y))})
		}
	}
	for i := range s.rigids.List {
		r := &s.rigids.List[i]
		down := s.Motion.Gravity
		if component := p.components[r.Nodes[0]]; p.slides[component] {
			down = r2.Sub(down, p.released[component].acceleration)
		}
		for _, n := range r.Nodes { // the middle of its outline is at its centre
			loads = at.add(loads, false, n, nil, p.components[n], r2.Scale(-r.Mass/float64(len(r.Nodes)), down))
		}
	}
	loads = s.addPushing(loads, p, at)
	for i := range loads {
		l := &loads[i]
		var comes models.Schedule
		switch l.kind {
		case withOverlap:
			l.Until = l.ramp
			comes = func(t float64) float64 { return min(max(t/l.ramp, 0), 1) }
		case amongElastic:
			l.Until = max(rampPasses*s.soundTime(p, at.stacks, at.separate(), rigidSound), softPeriods*at.sagPeriod(p, elementary.Norm(s.Motion.Gravity)), at.groundTime(p, s.Duration))
			comes = system.SmoothStep(l.Until)
		case amongRigid:
			l.Until = rampPasses * s.soundTime(p, at.stacks, at.rests, swayToSound)
			comes = wholeImpulse(l.Until)
		case starting:
			l.Until = startPasses * s.soundTime(p, at.stacks, at.starts, swayToSound)
			comes = wholeImpulse(l.Until)
		}
		first := 0.0
		if l.pushes && !l.holds { // after the weight: during its ramp friction cannot hold yet
			comes, first, l.Until = system.SmoothStep(l.Until), l.Until, 2*l.Until
		}
		l.Schedule = func(t float64) float64 { return 1 - comes(t-first) }
	}
	return loads
}

// addPushing adds the loads at the start that act on what rests.
func (s *restFinder) addPushing(loads []descent, p *components, at *restingComponents) []descent {
	for i := range s.Model.Loads {
		l := s.loads.List[i]
		if !s.standsOn(p, l) {
			continue
		}
		for k, n := range l.LoadNodes {
			p.parts(s, l, k, func(component int32, part float64, corners []models.Corner) {
				if f := l.Tried[k]; f != (r2.Vec{}) && at.rests[component] {
					loads = at.add(loads, true, n, corners, component, r2.Scale(-part, f))
				}
			})
		}
	}
	return loads
}

// sliding tells which components rest except for a remaining acceleration: components of triangles,
// and rigid bodies that slide on an elastic body without rotation.
func (at *restingComponents) sliding(p *components, g float64) []bool {
	above := slidesAbove * g
	if !p.converged {
		above = restsBelow * g
	}
	out := make([]bool, len(at.rests))
	for n, rests := range at.rests {
		t := &p.released[n]
		slips := !at.rigid[n] || at.elastic[at.stacks[n]] && p.slips(int32(n), g)
		out[n] = rests && slips && !p.holds[n] && t.residual() > above
	}
	return out
}

// groundTime returns the ramp time of weight on ground, in a run of the given duration [s].
func (at *restingComponents) groundTime(p *components, duration float64) float64 {
	within := groundPeriods * at.period
	if slices.Contains(p.slides, true) {
		return max(within, min(slidingPeriods*at.period, groundShare*duration))
	}
	return within
}

// separate tells which components rest, without the ground under them.
func (at *restingComponents) separate() []bool {
	out := slices.Clone(at.rests)
	for n, ground := range at.ground {
		out[n] = out[n] && !ground
	}
	return out
}

// descent is a load that ramps weight in.
type descent struct {
	kind
	pushes bool    // it is a load of the start, ramped in after the weight
	holds  bool    // it is one without which the weight would move the bodies: ramped in with the weight
	ramp   float64 // of overlaps [s]
	*models.Load
}

// kind is a way to ramp weight in.
type kind int

const (
	withOverlap  kind = iota // together with the overlaps that carry the weight
	amongElastic             // smoothly
	amongRigid               // all bodies of the stack are rigid
	starting                 // a rigid body that does not stay at rest
)

// add adds a force at a node of a component [N], or at corners there, to the load that ramps in the
// weight of the component, or to the one that ramps in loads on it.
func (at *restingComponents) add(loads []descent, pushes bool, node int32, corners []models.Corner, component int32, force r2.Vec) []descent {
	d := descent{kind: starting}
	if !at.starts[component] {
		if !at.rests[component] {
			return loads
		}
		stack := at.stacks[component]
		switch d = (descent{kind: amongRigid, ramp: at.ramps[stack]}); {
		case d.ramp > 0:
			d.kind = withOverlap
		case at.elastic[stack]:
			d.kind = amongElastic
		}
	}
	d.pushes, d.holds = pushes, pushes && at.heldByLoads != nil && at.heldByLoads[at.stacks[component]]
	i := slices.IndexFunc(loads, func(l descent) bool {
		return l.kind == d.kind && l.pushes == pushes && l.holds == d.holds && l.ramp == d.ramp
	})
	if i < 0 {
		i = len(loads)
		d.Load = &models.Load{On: "what rests"}
		loads = append(loads, d)
	}
	l := loads[i].Load
	l.Nodes, l.Forces = append(l.Nodes, node), append(l.Forces, force)
	l.Corners.Add(corners...)
	return loads
}

// overlapRamps returns the ramp time of the initial overlaps of each stack of resting bodies [s],
// by its first node; 0 without overlaps.
func (k *restFinder) overlapRamps(p *components, stacks mesh.Connected, resting []bool) []float64 {
	ramps := make([]float64, len(p.node))
	for _, c := range k.Surfaces {
		if c.Overlap.Mode != contactnodes.OverlapAllow {
			continue
		}
		c.Overlaps(roundedOverlap, func(edge, opposite int32, _ float64) {
			for _, e := range [2]int32{edge, opposite} {
				if component := p.ofEdge(k.Mesh, &k.Mesh.Edges[e]); resting[component] {
					ramp := &ramps[stacks[component]]
					*ramp = max(*ramp, c.Overlap.Ramp)
				}
			}
		})
	}
	return ramps
}

// wholeImpulse returns a function that grows from 0 to 1 within a time [s] like SmoothStep, but
// exceeds 1 for a while before its end, so that its integral is that time.
func wholeImpulse(within float64) models.Schedule {
	step := system.SmoothStep(within)
	return func(t float64) float64 {
		s := min(max(t/within, 0), 1)
		r := s * (1 - s)
		return step(t) + float64(70*r*r*r)
	}
}

// restingComponents is the state of components that rest on others or are in contact with them, by
// the components' first nodes.
type restingComponents struct {
	rests    []bool         // at rest in equilibrium on a held body, directly or through others, without loads
	starts   []bool         // a rigid body with straight edges in contact, without velocity and loads, that does not stay at rest
	rigid    []bool         // is a rigid body
	straight []bool         // with straight edges
	stacks   mesh.Connected // the first component of each stack
	ramps    []float64      // by first component of a stack: see overlapRamps [s]
	elastic  []bool         // by first component of a stack: not all bodies of it are rigid
	ground   []bool         // held and elastic, and carries resting components
	period   float64        // longest period of the ground [s]
	contacts []supportContact
	jointed  int // number of these contacts that are across joints; they come first

	heldByLoads []bool // per component: see findHeldByLoads; by first component of a stack: of any in it; nil without loads
}

// restingOn returns the components that rest on others or are in contact with them, if loads change
// little within a time [s], and the ground under them; nil for none.
func (s *restFinder) restingOn(p *components, within float64) *restingComponents {
	at := s.findResting(p, within, true)
	if at == nil {
		return nil
	}
	holds := at.contacts
	if at.period = s.findGround(p, at, holds[at.jointed:]); groundPeriods*at.period <= float64(groundShare*s.Duration) {
		for n, ground := range at.ground {
			at.rests[n] = at.rests[n] || ground
		}
	} else {
		clear(at.ground)
		s.loads.Resting.Slow, at.period = at.period, 0
	}
	for i := range holds {
		if a, b := holds[i].components[0], holds[i].components[1]; at.rests[a] && at.rests[b] {
			at.stacks.Join(a, b)
		}
	}
	at.stacks = at.stacks.Firsts()
	return at
}

// findResting is restingOn without the ground under them, with the loads or as if there were none.
func (s *restFinder) findResting(p *components, within float64, loaded bool) *restingComponents {
	n := len(p.node)
	at := &restingComponents{rests: make([]bool, n), starts: make([]bool, n), rigid: make([]bool, n), straight: make([]bool, n), stacks: mesh.NewConnected(n), elastic: make([]bool, n)}
	attachments := s.attachments(p)
	s.findHeld(p, at, attachments)
	p.released = s.released(p, p.holds, attachments)
	var loads []standing
	if loaded {
		loads = s.loadsAtStart(p, p.released, within)
		pull(loads, p.released)
	}
	holds := p.supportContacts(p.holds, p.released)
	at.jointed = len(holds)
	holds, err := s.touching(p, holds)
	if err != nil {
		return nil // the overlap is too deep: the start reports it
	}
	p.converged = solveSupports(holds)
	p.press(holds)
	g := elementary.Norm(s.Motion.Gravity)
	for n := range attachments {
		if _, hangs := attachments[n].Pin(); hangs { // it carries what rests on it, or it swings
			p.holds[n], p.moving[n] = true, p.moving[n] || !p.released[n].rests(g)
		}
	}
	p.pushed = make([]bool, n)
	for n := range loads {
		p.pushed[n] = loads[n].all > 0
		p.moving[n] = p.moving[n] || loads[n].all > 0 && !p.released[n].rests(g)
	}
	at.contacts = holds
	rests, slides := at.markResting(p, holds, g), s.markSliding(p, at, holds[at.jointed:], g)
	if !rests && !slides && len(p.joints) == 0 {
		return nil
	}
	return at
}

// findHeld finds which components are held, which move and which are rigid.
func (s *restFinder) findHeld(p *components, at *restingComponents, attachments []forces.Attachment) {
	p.holds, p.moving = make([]bool, len(p.node)), make([]bool, len(p.node))
	for n, mass := range p.mass {
		if component := p.components[n]; mass > 0 {
			p.holds[component] = attachments[component].Holds()
			p.moving[component] = p.moving[component] || s.V[p.node[n]] != (r2.Vec{})
		}
	}
	for i := range s.rigids.List {
		r := &s.rigids.List[i]
		component := p.components[r.Nodes[0]]
		p.holds[component] = r.Mass == 0
		at.rigid[component], at.straight[component] = true, s.Mesh.Edges[r.Body.FirstEdge].Radius == 0
		p.moving[component] = r.Motion != nil || r.Rigid.Velocity != (r2.Vec{}) || r.AngularVelocity != 0
	}
}

// touching adds the support contacts of components in contact.
func (s *restFinder) touching(p *components, holds []supportContact) ([]supportContact, error) {
	err := s.eachNear(func(c *contactnodes.Contact, edge, opposite int32, ends [2]r2.Vec, inward r2.Vec) {
		a, b := p.ofEdge(s.Mesh, &s.Mesh.Edges[edge]), p.ofEdge(s.Mesh, &s.Mesh.Edges[opposite])
		if a == b || p.holds[a] && p.holds[b] {
			return
		}
		h := supportContact{components: [2]int32{a, b}, a: &p.released[a], b: &p.released[b], into: inward, friction: c.Friction.Static, law: c.Law, area: 0.5 * s.Thickness * elementary.Norm(r2.Sub(ends[1], ends[0]))}
		for k, end := range ends {
			if k == 0 || end != ends[0] {
				h.at = end
				holds = append(holds, h)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return holds, nil
}

// eachNear calls do with the edges that are in contact at the start, as contactnodes.Contact.Near
// does, up to the overlap at which the run would not start.
func (s *restFinder) eachNear(do func(c *contactnodes.Contact, edge, opposite int32, ends [2]r2.Vec, inward r2.Vec)) error {
	if len(s.Surfaces) == 0 {
		return nil
	}
	pairs := s.outlines.Search.Pairs(s.X)
	for _, c := range s.Surfaces {
		if err := c.Near(s.X, s.V, pairs, contactGap*s.outlines.Shallow, func(edge, opposite int32, ends [2]r2.Vec, inward r2.Vec) { do(c, edge, opposite, ends, inward) }); err != nil {
			return err
		}
	}
	return nil
}

// supports returns for each triangle the Young's modulus of the softest body that it is in contact
// with at the start, by a contact or across a joint [Pa]. It also returns the least normal
// stiffness of the joints beside the triangle [Pa/m]; infinity for none.
func (s *restFinder) supports() (out, joints []float64) {
	out = slices.Repeat([]float64{math.Inf(1)}, len(s.Mesh.Triangles))
	joints = slices.Clone(out)
	of := s.Mesh.BodyOf()
	join := func(a, b int32) {
		if a >= 0 && b >= 0 {
			out[a] = min(out[a], s.Materials[s.Model.Bodies[of[b]].Material].Young)
			out[b] = min(out[b], s.Materials[s.Model.Bodies[of[a]].Material].Young)
		}
	}
	if s.Fracture.HasJoints() {
		for i := range s.Fracture.Edges {
			e := &s.Fracture.Edges[i]
			if !s.Fracture.Parts(e.Region) {
				continue
			}
			join(e.A, e.B)
			if springs := s.Fracture.Regions[e.Region].Springs; springs != nil && springs.Normal > 0 {
				joints[e.A], joints[e.B] = min(joints[e.A], springs.Normal), min(joints[e.B], springs.Normal)
			}
		}
	}
	_ = s.eachNear(func(_ *contactnodes.Contact, edge, opposite int32, _ [2]r2.Vec, _ r2.Vec) { // the start reports an overlap that is too deep
		join(s.Mesh.Edges[edge].Tri, s.Mesh.Edges[opposite].Tri)
	})
	return out, joints
}

// markResting finds under gravity g [m/s2] which components rest on held ones, directly or through
// others, and which rigid bodies are in contact but do not stay at rest. It tells whether there are
// any.
func (at *restingComponents) markResting(p *components, holds []supportContact, g float64) (any bool) {
	free := func(n int32) bool { return !at.rests[n] && !p.holds[n] && !p.moving[n] }
	for more := true; more; {
		more = false
		for i := range holds {
			for k, n := range holds[i].components {
				on := holds[i].components[1-k]
				if free(n) && (at.rests[on] || p.holds[on] && !p.moving[on]) && holds[i].push > 0 && p.released[n].rests(g) {
					at.rests[n], more, any = true, true, true
				}
			}
		}
	}
	for i := range holds {
		for _, n := range holds[i].components {
			if holds[i].push > 0 && at.straight[n] && free(n) {
				at.starts[n], any = true, true
			}
		}
	}
	return any
}

// slips tells whether a rigid body that only its weight moves under gravity g [m/s2] slides without
// rotation.
func (p *components) slips(component int32, g float64) bool {
	t := &p.released[component]
	return !p.pushed[component] && math.Abs(float64(t.angular*t.reach)) <= slidesAbove*g
}

// markSliding finds components that press on a resting or sliding body and are not in equilibrium
// under gravity g [m/s2]: components of triangles, and rigid bodies on these that do not rotate.
// Their accelerations must be known. It tells whether there are any.
func (s *restFinder) markSliding(p *components, at *restingComponents, holds []supportContact, g float64) (any bool) {
	if !p.converged {
		return false
	}
	slides := s.unsupported(p)
	for n := range slides {
		slides[n] = slides[n] && !at.rests[n] && !p.holds[n] && !p.moving[n] && !at.rigid[n]
	}
	for i := range holds {
		for k, n := range holds[i].components {
			if holds[i].push > 0 && at.starts[n] && !at.rigid[holds[i].components[1-k]] && p.slips(n, g) {
				slides[n] = true
			}
		}
	}
	for more := true; more; {
		more = false
		for i := range holds {
			a, b := holds[i].components[0], holds[i].components[1]
			for _, n := range [2][2]int32{{a, b}, {b, a}} {
				if on := n[1]; holds[i].push > 0 && slides[n[0]] && !slides[on] && !at.rests[on] && !(p.holds[on] && !p.moving[on]) {
					slides[n[0]], more = false, true
				}
			}
		}
	}
	for i := range holds {
		for _, n := range holds[i].components {
			if holds[i].push > 0 && slides[n] {
				at.rests[n], at.starts[n], any = true, false, true
			}
		}
	}
	return any
}

// unsupported tells which components consist only of triangles that nothing but contact supports.
func (s *restFinder) unsupported(p *components) []bool {
	out := slices.Repeat([]bool{true}, len(p.node))
	addSupport := func(n int32) { p.of(s, n, func(component int32) { out[component] = false }) }
	for i := range s.Mesh.Bodies {
		if b := &s.Mesh.Bodies[i]; b.Kind != mesh.OfTriangles {
			for _, n := range b.Nodes {
				addSupport(n)
			}
		}
	}
	for i := range s.Model.Springs {
		for _, l := range s.Model.Springs[i].Links {
			for _, e := range l.Ends {
				for _, n := range e.Nodes {
					addSupport(n)
				}
			}
		}
	}
	for i := range s.Model.Ties {
		for _, r := range s.Model.Ties[i].Rows {
			addSupport(r.Node)
			for _, t := range r.Terms {
				addSupport(t.Node)
			}
		}
	}
	return out
}

// soundTime returns the longest travel time of sound along stacks of components, with a given speed
// of sound in rigid bodies [s].
func (k *restFinder) soundTime(p *components, stacks mesh.Connected, some []bool, inRigid float64) float64 {
	type box struct {
		lo, hi r2.Vec
		sound  float64
	}
	boxes := map[int32]*box{} // only the greatest counts, so the order does not matter
	grow := func(at int32, sound float64) {
		component := p.components[at]
		if !some[component] {
			return
		}
		b, x := boxes[stacks[component]], p.position(k, int(at))
		if b == nil {
			b = &box{lo: x, hi: x, sound: sound}
			boxes[stacks[component]] = b
		}
		b.lo.X, b.lo.Y, b.hi.X, b.hi.Y = min(b.lo.X, x.X), min(b.lo.Y, x.Y), max(b.hi.X, x.X), max(b.hi.Y, x.Y)
		b.sound = min(b.sound, sound)
	}
	for i := range k.Mesh.Bodies {
		b := &k.Mesh.Bodies[i]
		sound := inRigid
		if b.Kind != mesh.OfOutline {
			m := &k.Materials[k.Model.Bodies[i].Material]
			sound = math.Sqrt(m.Young / m.Density)
		}
		if p.corner != nil {
			for _, at := range p.corner[3*b.First : 3*b.End] {
				grow(at, sound)
			}
			continue
		}
		for _, n := range b.Nodes {
			grow(n, sound)
		}
	}
	longest := 0.0
	for _, b := range boxes {
		longest = max(longest, max(b.hi.X-b.lo.X, b.hi.Y-b.lo.Y)/b.sound)
	}
	return longest
}

// Resting returns the bodies at rest on others at the start, whose weight is ramped in.
func (k *kinds) Resting() forces.Resting { return k.loads.Resting }
