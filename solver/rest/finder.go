// Package rest finds which bodies rest, slide or tip on others at the start, and brings them into
// equilibrium before the first step.
package rest

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

// contactGap is the greatest gap between bodies that count as in contact at the start, relative to
// the depth of the shallowest edge.
const contactGap = 1e-3

// roundedOverlap is the greatest overlap, relative to the depth of an edge, that may come from
// rounded coordinates.
const roundedOverlap = 1e-6

// cornerPart is the part of an edge beyond its ends at which a corner still touches it.
const cornerPart = 1e-6

// RestFinder finds which bodies rest on others at the start.
type RestFinder struct {
	system.View
	*bodies.ContactState
	*system.RigidState
	outlines  *bodies.Outlines
	triangles *bodies.Continuum
	rigids    *bodies.Rigids
	loads     *forces.Loads
}

// NewRestFinder returns the finder of a model.
func NewRestFinder(of system.View, touching *bodies.ContactState, turning *system.RigidState, outlines *bodies.Outlines, solids *bodies.Continuum, rigids *bodies.Rigids, loads *forces.Loads) *RestFinder {
	return &RestFinder{of, touching, turning, outlines, solids, rigids, loads}
}

// find finds what rests, slides or tips on others at the start, under gravity and with the
// loads of the start, and how it gets into equilibrium. It returns nil for nothing.
func (k *RestFinder) find() (*equilibrium, Resting) {
	if k.Static != nil || k.Model.Start == models.StartSudden || k.Motion.Gravity == (r2.Vec{}) || k.GravitySchedule != nil || len(k.InitialStresses) > 0 || len(k.Surfaces) == 0 && !k.Fracture.HasJoints() {
		return nil, Resting{}
	}
	p := k.components()
	at := k.restingOn(p)
	if at == nil {
		return nil, Resting{}
	}
	p.restJointed(at.rests, at.stacks)
	g := elementary.Norm(k.Motion.Gravity)
	p.slides = at.sliding(p, g)
	var told Resting
	for n, first := range p.components {
		switch {
		case first != int32(n) || at.ground[n]:
		case at.starts[n] || at.rests[n] && p.slides[n]:
			told.Sliding++
		case at.rests[n]:
			told.Things++
		}
	}
	return k.equilibrium(p, at), told
}

// equilibrium returns what settles.
func (k *RestFinder) equilibrium(p *components, at *restingComponents) *equilibrium {
	g := k.Motion.Gravity
	e := &equilibrium{component: slices.Repeat([]int32{-1}, len(k.X)), load: make([]r2.Vec, len(k.X)), drag: make([]float64, len(k.X)), reach: make([]float64, len(k.X)), weights: make([]float64, len(k.X)), rigids: make([]settlingRigid, len(k.rigids.List)), stacks: at.stacks}
	moves := func(c int32) bool { return p.slides[c] || at.starts[c] && !at.rests[c] }
	drag := settleDrag * math.Pi / p.soundTime(k, moves)
	masses := make([]float64, len(k.X))
	for n, mass := range p.mass {
		c, v := p.components[n], p.node[n]
		if !(mass > 0) || !at.settles(c) {
			continue
		}
		load, t := g, &p.released[c]
		if moves(c) {
			d := r2.Sub(p.position(k, n), t.centre)
			load.X -= t.acceleration.X - float64(t.angular*d.Y)
			load.Y -= t.acceleration.Y + float64(t.angular*d.X)
			e.drag[v], e.moves = drag, true
		}
		masses[v] += mass
		e.load[v], e.component[v], e.reach[v] = elementary.Along(e.load[v], load, mass), c, max(e.reach[v], t.reach)
		weight := float64(mass * elementary.Norm(g))
		e.weights[v] += weight
		e.weight += weight
	}
	for v, mass := range masses {
		if mass > 0 {
			e.load[v] = r2.Scale(1/mass, e.load[v])
		}
	}
	for i := range k.rigids.List {
		r, s := &k.rigids.List[i], &e.rigids[i]
		if s.component = p.components[r.Nodes[0]]; r.Inverse == 0 || !at.settles(s.component) {
			s.component = -1
			continue
		}
		if s.weight = r.Mass * elementary.Norm(g); moves(s.component) {
			t := &p.released[s.component]
			s.acceleration, s.angular, s.drag, e.moves = t.acceleration, t.angular, drag, true
		}
		e.weight += s.weight
	}
	if !(e.weight > 0) {
		return nil
	}
	e.overlaps = k.overlapping(p, at)
	return e
}

// overlapping returns the contacts whose overlap at the start is allowed and only between components
// that settle or are held.
func (k *RestFinder) overlapping(p *components, at *restingComponents) (out []*contactnodes.Contact) {
	for _, c := range k.Surfaces {
		if c.Overlap.Mode != contactnodes.OverlapAllow {
			continue
		}
		some, all := false, true
		c.Overlaps(roundedOverlap, func(edge, opposite int32, _ float64) {
			a, b := p.ofEdge(k.Mesh, &k.Mesh.Edges[edge]), p.ofEdge(k.Mesh, &k.Mesh.Edges[opposite])
			some = some || at.settles(a) || at.settles(b)
			all = all && (at.settles(a) || p.holds[a] && !p.moving[a]) && (at.settles(b) || p.holds[b] && !p.moving[b])
		})
		if some && all {
			out = append(out, c)
		}
	}
	return out
}

// settles tells whether a component is brought into equilibrium.
func (at *restingComponents) settles(component int32) bool {
	return at.rests[component] || at.starts[component] || at.ground[component]
}

// sliding tells which components rest except for a remaining acceleration: components of triangles,
// and rigid bodies that slide without rotation, with all friction that they have.
func (at *restingComponents) sliding(p *components, g float64) []bool {
	above := slidesAbove * g
	if !p.converged {
		above = restsBelow * g
	}
	out, sticks := make([]bool, len(at.rests)), make([]bool, len(at.rests))
	for i := range at.contacts {
		if h := &at.contacts[i]; h.push > 0 && math.Abs(h.normalForce) < (1-slidesAbove)*h.friction*h.push {
			sticks[h.components[0]], sticks[h.components[1]] = true, true
		}
	}
	for n, rests := range at.rests {
		slips := !at.rigid[n] || !sticks[n] && p.slips(int32(n), g)
		out[n] = rests && slips && !p.holds[n] && p.released[n].residual() > above
	}
	return out
}

// soundTime returns the longest travel time of sound along some of the components [s].
func (p *components) soundTime(k *RestFinder, some func(component int32) bool) (longest float64) {
	slowness := p.slowness(k)
	for n := range p.node {
		if c := p.components[n]; some(c) {
			slow := slowness[n]
			if slow == 0 {
				slow = 1.0 / rigidSound
			}
			longest = max(longest, 2*p.released[c].reach*slow)
		}
	}
	return longest
}

// Resting tells how many connected components and rigid bodies start in equilibrium.
type Resting struct {
	Things  int // at rest on another body
	Sliding int // sliding or tipping on another body
}

// restingComponents is the state of components that rest on others or are in contact with them, by
// the components' first nodes.
type restingComponents struct {
	rests    []bool         // at rest in equilibrium on a held body, directly or through others
	starts   []bool         // a rigid body with straight edges in contact, without velocity, that does not stay at rest
	rigid    []bool         // is a rigid body
	straight []bool         // with straight edges
	stacks   mesh.Connected // the first component of each stack
	ground   []bool         // held and elastic, and carries resting components
	contacts []supportContact
	jointed  int // number of these contacts that are across joints; they come first
}

// restingOn returns the components that rest on others or are in contact with them, and the ground
// under them; nil for none.
func (s *RestFinder) restingOn(p *components) *restingComponents {
	at := s.findResting(p)
	if at == nil {
		return nil
	}
	holds := at.contacts
	for i := range holds {
		for k, component := range holds[i].components {
			on := holds[i].components[1-k]
			if i >= at.jointed && holds[i].push > 0 && at.settles(on) && p.holds[component] && !p.moving[component] && !at.rests[component] && !at.rigid[component] {
				at.ground[component] = true
			}
		}
	}
	for i := range holds {
		if a, b := holds[i].components[0], holds[i].components[1]; at.settles(a) && at.settles(b) {
			at.stacks.Join(a, b)
		}
	}
	at.stacks = at.stacks.Firsts()
	return at
}

// findResting is restingOn without the ground under them.
func (s *RestFinder) findResting(p *components) *restingComponents {
	n := len(p.node)
	at := &restingComponents{rests: make([]bool, n), starts: make([]bool, n), rigid: make([]bool, n), straight: make([]bool, n), ground: make([]bool, n), stacks: mesh.NewConnected(n)}
	attachments := s.attachments(p)
	s.findHeld(p, at, attachments)
	p.released = s.released(p, p.holds, attachments)
	s.pull(p)
	holds := p.supportContacts(p.holds, p.released)
	at.jointed = len(holds)
	holds, err := s.touching(p, holds)
	if err != nil {
		return nil // the overlap is too deep: the start reports it
	}
	g := elementary.Norm(s.Motion.Gravity)
	p.converged = solveSliding(holds, g)
	p.press(holds)
	for n := range attachments {
		if _, hangs := attachments[n].Pin(); hangs { // it carries what rests on it, or it swings
			p.holds[n], p.moving[n] = true, p.moving[n] || !p.released[n].rests(g)
		}
	}
	at.contacts = holds
	rests, slides := at.markResting(p, holds, g), s.markSliding(p, at, holds[at.jointed:], g)
	if !rests && !slides && len(p.joints) == 0 {
		return nil
	}
	return at
}

// findHeld finds which components are held, which move and which are rigid.
func (s *RestFinder) findHeld(p *components, at *restingComponents, attachments []forces.Attachment) {
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
func (s *RestFinder) touching(p *components, holds []supportContact) ([]supportContact, error) {
	err := s.eachNear(func(c *contactnodes.Contact, edge, opposite int32, ends [2]r2.Vec, inward r2.Vec) {
		a, b := p.ofEdge(s.Mesh, &s.Mesh.Edges[edge]), p.ofEdge(s.Mesh, &s.Mesh.Edges[opposite])
		if a == b || p.holds[a] && p.holds[b] {
			return
		}
		h := supportContact{components: [2]int32{a, b}, a: &p.released[a], b: &p.released[b], into: inward, friction: c.Friction.Static, kinetic: c.Friction.Kinetic}
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
	return s.cornersTouching(p, holds), nil
}

// cornersTouching adds the support contacts of corners that touch an edge of a component where no
// edges face each other, as a ladder's on a wall and a floor.
func (s *RestFinder) cornersTouching(p *components, holds []supportContact) []supportContact {
	if len(s.Surfaces) == 0 {
		return holds
	}
	facing := map[[2]int32]bool{}
	for i := range holds {
		c := holds[i].components
		facing[c], facing[[2]int32{c[1], c[0]}] = true, true
	}
	pairs, seen := s.outlines.Search.Pairs(s.X), map[[2]int32]bool{} // by node and edge
	for _, c := range s.Surfaces {
		carries, opposes := make([]bool, len(s.Mesh.Edges)), make([]bool, len(s.Mesh.Edges))
		for _, e := range c.Contactor {
			carries[e] = true
		}
		for _, e := range c.Opposite {
			opposes[e] = true
		}
		for _, pair := range pairs.List {
			if i, j := pair.I, pair.J; !(carries[i] && opposes[j] || carries[j] && opposes[i]) {
				continue
			}
			for _, of := range [2][2]int32{{pair.I, pair.J}, {pair.J, pair.I}} {
				e, o := &s.Mesh.Edges[of[0]], &s.Mesh.Edges[of[1]]
				a, b := p.ofEdge(s.Mesh, e), p.ofEdge(s.Mesh, o)
				if a == b || p.holds[a] && p.holds[b] || facing[[2]int32{a, b}] {
					continue
				}
				for _, n := range [2]int32{e.A, e.B} {
					if into, touches := s.touchesEdge(n, o); touches && !seen[[2]int32{n, of[1]}] {
						seen[[2]int32{n, of[1]}] = true
						holds = append(holds, supportContact{components: [2]int32{a, b}, a: &p.released[a], b: &p.released[b], into: into, at: s.X[n], friction: c.Friction.Static, kinetic: c.Friction.Kinetic})
					}
				}
			}
		}
	}
	return holds
}

// touchesEdge tells whether a node touches an edge, and returns the direction into its body.
func (s *RestFinder) touchesEdge(n int32, o *mesh.Edge) (into r2.Vec, touches bool) {
	along, from := r2.Sub(s.X[o.B], s.X[o.A]), r2.Sub(s.X[n], s.X[o.A])
	length := elementary.Norm(along)
	if u := elementary.Dot(from, along) / (length * length); u < -cornerPart || u > 1+cornerPart {
		return r2.Vec{}, false
	}
	into = r2.Scale(1/length, r2.Vec{X: -along.Y, Y: along.X})
	gap := contactGap * s.outlines.Shallow
	return into, math.Abs(elementary.Dot(from, into)) < gap
}

// eachNear calls do with the edges that are in contact at the start, as contactnodes.Contact.Near
// does, up to the overlap at which the run would not start.
func (s *RestFinder) eachNear(do func(c *contactnodes.Contact, edge, opposite int32, ends [2]r2.Vec, inward r2.Vec)) error {
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

// Supports returns for each triangle the Young's modulus of the softest body that it is in contact
// with at the start, by a contact or across a joint [Pa]. It also returns the least normal
// stiffness of the joints beside the triangle [Pa/m]; infinity for none.
func (s *RestFinder) Supports() (out, joints []float64) {
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
	return math.Abs(float64(t.angular*t.reach)) <= slidesAbove*g
}

// markSliding finds components that press on a resting or sliding body and are not in equilibrium
// under gravity g [m/s2]: components of triangles, and rigid bodies on these that do not rotate.
// Their accelerations must be known. It tells whether there are any.
func (s *RestFinder) markSliding(p *components, at *restingComponents, holds []supportContact, g float64) (any bool) {
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
func (s *RestFinder) unsupported(p *components) []bool {
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
	for i := range s.Model.Bolts {
		for _, e := range s.Model.Bolts[i].Points {
			for _, n := range e.Nodes {
				addSupport(n)
			}
		}
	}
	for i := range s.Model.Linings {
		for _, b := range s.Model.Linings[i].Bonds {
			for _, n := range b.Wall.Nodes {
				addSupport(n)
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
