package contactnodes

import (
	"fmt"
	"math"
	"slices"

	"fdem/boundingbox"
	"fdem/materials/contact"

	"gonum.org/v1/gonum/spatial/r2"
)

// State is what a contact remembers from step to step, one value per contact
// node (contact element after contact element) unless said otherwise. It is
// part of a checkpoint.
type State struct {
	Memory       []float64 // the law's memory, len(Law.Memory()) values per contact node
	Deflection   []float64 // [m], 0 where the node does not touch
	Pressure     []float64 // [Pa]
	Traction     []float64 // friction on the contactor along the opposite edge [Pa]
	Stretch      []float64 // of the stick spring along the opposite edge [m]; stick springs only
	Slides       []bool    // the stick spring has let go; stick springs only
	PeakPressure []float64 // greatest pressure so far [Pa]
	Share        []float64 // of the node's area that its last touch stood for [-]
	Offset       []float64 // overlap at the start, not counted as deflection [m]; only where the overlap has consent
	NormalWork   float64   // done against the pressure so far, of the whole contact [J]
	FrictionWork float64   // done against friction so far, of the whole contact [J]
	SpringEnergy float64   // in the stick springs now, of the whole contact [J]
	RampWork     float64   // done so far by letting an overlap at the start press, of the whole contact [J]
}

// Config describes one contact.
type Config struct {
	Name      string
	Contactor []int32 // boundary edges that carry contact nodes, ascending
	Opposite  []int32 // boundary edges they may touch, ascending
	Law       contact.Law
	Nodes     int       // contact nodes per contact element
	TwoSided  bool      // the opposite edges carry contact nodes, too
	Self      bool      // edges of one connected piece may touch
	Material  []int32   // per boundary edge; used with Pair
	Pair      *[2]int32 // materials whose edges may touch; nil for all
	Thickness float64   // [m]
	Friction  Friction
	Overlap   Overlap
}

// Overlap says what becomes of bodies that lie in one another at the start.
type Overlap struct {
	// Mode is what becomes of it.
	Mode OverlapMode
	Ramp float64 // time over which an allowed overlap comes to press [s]
}

// OverlapMode is a choice of the deck.
type OverlapMode int

const (
	OverlapRefuse   OverlapMode = iota // the run does not start
	OverlapAllow                       // presses, from nothing to its full force during a ramp
	OverlapSubtract                    // is not counted as deflection, and forgotten as it opens
)

// Contact is one contact: surfaces with contact nodes and what they may meet.
// Where both edges of a pair carry contact nodes against each other, each
// stands for half the area. State changes in AddForces only.
type Contact struct {
	Config
	State

	Normal     float64 // sum of the normal forces of the last evaluation [N]
	Tangential float64 // sum of the friction forces of the last evaluation, along the opposite edges [N]
	Stored     float64 // recoverable energy of the last evaluation [J]
	Active     int     // contact nodes touching at the last evaluation

	outline  *Outline
	start    []r2.Vec  // reference positions [m]
	elements []int32   // boundary edges that carry contact nodes, ascending
	element  []int32   // per boundary edge: its contact element, -1 for none
	a, b     []bool    // per boundary edge: of Contactor, of Opposite
	area     []float64 // of each contact node, per contact element [m2]
	profile  []int32   // per contact element: index into profiles
	profiles []profile // the first is straight
	memory   int       // values of memory per contact node
	damping  float64   // of the law [Pa s/m]
	invMass  []float64 // per mesh node [1/kg]

	// Candidates of contact element e: candidate[first[e]:first[e+1]],
	// ascending, from the broad phase's list number build.
	first     []int32
	candidate []int32
	fill      []int32
	build     int

	touches []node  // of this evaluation, contact element after contact element
	best    []touch // per contact node of one contact element
	nearest []touch
	packed  packed
	touched []int32 // contact nodes that were touching at the last evaluation

	fade     float64   // part of Offset that counts now
	faded    float64   // and at the evaluation before
	overlaps []int32   // contact nodes with an Offset
	seen     []float64 // their whole deflections at this evaluation [m]
}

// profile says where the contact nodes of a contact element are: at a place
// along its chord, 0...1, and for an arc so high over it, outwards [m].
type profile struct {
	radius, chord float64
	place, height []float64
}

// newProfile puts n contact nodes at the middles of n equal parts.
func newProfile(radius, chord float64, n int) profile {
	p := profile{radius: radius, chord: chord, place: make([]float64, n)}
	for k := range p.place {
		p.place[k] = (float64(k) + 0.5) / float64(n)
	}
	if radius == 0 {
		return p
	}
	p.height = make([]float64, n)
	r := math.Abs(radius)
	half := math.Asin(min(1, 0.5*chord/r))
	for k, u := range p.place {
		phi := half * (2*u - 1)
		p.place[k] = 0.5 + r*math.Sin(phi)/chord
		p.height[k] = math.Copysign(float64(r*math.Cos(phi))-stem(r, chord), radius)
	}
	return p
}

// length returns the length of the edge or of its arc [m].
func (p *profile) length() float64 {
	if p.radius == 0 {
		return p.chord
	}
	r := math.Abs(p.radius)
	return 2 * r * math.Asin(min(1, 0.5*p.chord/r))
}

// point returns the place of contact node k of an edge from a to b, and its
// offset from the chord.
func (p *profile) point(a, b r2.Vec, k int) (q, off r2.Vec) {
	q = between(a, b, p.place[k])
	if p.height == nil {
		return q, r2.Vec{}
	}
	h := p.height[k] / p.chord
	off = r2.Vec{X: float64(h * (b.Y - a.Y)), Y: float64(h * (a.X - b.X))}
	return r2.Vec{X: q.X + off.X, Y: q.Y + off.Y}, off
}

// node is a contact node that touches, or has just let go (deflection 0).
type node struct {
	touch
	element int32 // contact element: index into Contactor
	k       int32 // contact node of the element
	slip    float64
}

// packed holds the touching contact nodes side by side for the law.
type packed struct{ d, rate, mem, p, dp, k, w []float64 }

func (p *packed) resize(n, memory int) {
	for _, s := range []*[]float64{&p.d, &p.rate, &p.p, &p.dp, &p.k, &p.w} {
		*s = slices.Grow((*s)[:0], n)[:n]
	}
	p.mem = slices.Grow(p.mem[:0], n*memory)[:n*memory]
}

// New makes the contact nodes of a contact on the reference positions x. The
// inverse mass per mesh node bounds what friction may do in one step.
func New(c Config, o *Outline, x []r2.Vec, invMass []float64) *Contact {
	elements := c.Contactor
	if c.TwoSided {
		elements = slices.Concat(c.Contactor, c.Opposite)
		slices.Sort(elements)
		elements = slices.Compact(elements)
	}
	if c.Pair != nil {
		elements = slices.DeleteFunc(slices.Clone(elements), func(e int32) bool {
			return c.Material[e] != c.Pair[0] && c.Material[e] != c.Pair[1]
		})
	}
	n := len(elements) * c.Nodes
	memory := len(c.Law.Memory())
	s := &Contact{
		Config: c,
		State: State{
			Memory:       make([]float64, n*memory),
			Deflection:   make([]float64, n),
			Pressure:     make([]float64, n),
			Traction:     make([]float64, n),
			PeakPressure: make([]float64, n),
			Share:        make([]float64, n),
		},
		outline:  o,
		start:    x,
		elements: elements,
		element:  make([]int32, len(o.Edges)),
		a:        make([]bool, len(o.Edges)),
		b:        make([]bool, len(o.Edges)),
		area:     make([]float64, len(elements)),
		profile:  make([]int32, len(elements)),
		profiles: []profile{newProfile(0, 0, c.Nodes)},
		memory:   memory,
		invMass:  invMass,
		first:    make([]int32, len(elements)+1),
		build:    -1,
		best:     make([]touch, c.Nodes),
		nearest:  make([]touch, c.Nodes),
	}
	if d, ok := c.Law.(contact.Damped); ok {
		s.damping = d.Damping()
	}
	if c.Friction.Stiffness > 0 {
		s.Stretch, s.Slides = make([]float64, n), make([]bool, n)
	}
	if c.Overlap.Mode != OverlapRefuse {
		s.Offset, s.seen = make([]float64, n), make([]float64, n)
	}
	for i := range s.element {
		s.element[i] = -1
	}
	for _, e := range c.Contactor {
		s.a[e] = true
	}
	for _, e := range c.Opposite {
		s.b[e] = true
	}
	for i, e := range elements {
		s.element[e] = int32(i)
		edge := o.Edges[e]
		chord := distance(x[edge.A], x[edge.B])
		length := chord
		if edge.Radius != 0 {
			last := &s.profiles[len(s.profiles)-1]
			if last.radius != edge.Radius || math.Abs(last.chord-chord) > 1e-9*chord {
				s.profiles = append(s.profiles, newProfile(edge.Radius, chord, c.Nodes))
			}
			s.profile[i] = int32(len(s.profiles) - 1)
			length = s.profiles[s.profile[i]].length()
		}
		s.area[i] = length * c.Thickness / float64(c.Nodes)
	}
	return s
}

// Join lets the edges of the search know of the contact, under its number.
func (c *Contact) Join(edges []boundingbox.Edge, number int) {
	bit := uint64(1) << (number % 64)
	for i := range edges {
		if c.a[i] {
			edges[i].Contactor |= bit
		}
		if c.b[i] {
			edges[i].Opposite |= bit
		}
		if c.Self {
			edges[i].Self |= bit
		}
	}
}

// Forces is where contacts leave their answer, one value per mesh node.
type Forces struct {
	F []r2.Vec // contact force [N]
	// Stiffness bounds the contact's share of the highest frequency: the sum
	// of each row of its stiffness matrix, without signs [N/m].
	Stiffness []float64
	Damping   []float64 // and so its share of the damping matrix [N s/m]
}

// Begin finds how bodies overlap at the start, at positions x. With the deck's
// consent it is remembered; without, Overlapping tells of it.
func (c *Contact) Begin(x []r2.Vec, pairs *boundingbox.Pairs) error {
	c.adopt(pairs)
	if err := c.find(x); err != nil || c.Offset == nil {
		return err
	}
	for i := range c.touches {
		t := &c.touches[i]
		c.Offset[c.id(t)] = t.deflection
	}
	c.Restore()
	return nil
}

// Restore makes what follows from the state, after someone has filled it.
func (c *Contact) Restore() {
	c.touched = c.touched[:0]
	for id, d := range c.Deflection {
		if d > 0 {
			c.touched = append(c.touched, int32(id))
		}
	}
	c.overlaps = c.overlaps[:0]
	for id, o := range c.Offset {
		if o > 0 {
			c.overlaps = append(c.overlaps, int32(id))
		}
	}
}

// AddForces finds the touching contact nodes at positions x, evaluates the
// law and friction, and adds the forces to out. v are the velocities with
// which the nodes arrived at x at time t, during the last dt; pairs are the
// broad phase's candidates.
func (c *Contact) AddForces(out Forces, x, v []r2.Vec, pairs *boundingbox.Pairs, t, dt float64) error {
	if pairs.Build != c.build {
		c.adopt(pairs)
	}
	if err := c.find(x); err != nil {
		return err
	}
	c.subtract(t, dt)
	c.press(x, v)
	c.push(out, x, v, dt)
	return nil
}

// adopt sorts the broad phase's pairs by contact element.
func (c *Contact) adopt(pairs *boundingbox.Pairs) {
	c.build = pairs.Build
	clear(c.first)
	each := func(visit func(element, edge int32)) {
		for _, p := range pairs.List {
			if c.meets(p.I, p.J) {
				visit(c.element[p.I], p.J)
			}
			if c.meets(p.J, p.I) {
				visit(c.element[p.J], p.I)
			}
		}
	}
	each(func(e, _ int32) { c.first[e+1]++ })
	for e := range c.elements {
		c.first[e+1] += c.first[e]
	}
	total := int(c.first[len(c.elements)])
	c.candidate = slices.Grow(c.candidate[:0], total)[:total]
	c.fill = append(c.fill[:0], c.first...)
	each(func(e, edge int32) {
		c.candidate[c.fill[e]] = edge
		c.fill[e]++
	})
	for e := range c.elements {
		slices.Sort(c.candidate[c.first[e]:c.first[e+1]])
	}
}

// meets tells whether contact nodes on edge i may touch edge j.
func (c *Contact) meets(i, j int32) bool {
	if !(c.a[i] && c.b[j]) && !(c.TwoSided && c.b[i] && c.a[j]) {
		return false
	}
	if c.Pair != nil && (c.Material[i] != c.Pair[0] || c.Material[j] != c.Pair[1]) && (c.Material[i] != c.Pair[1] || c.Material[j] != c.Pair[0]) {
		return false
	}
	return c.outline.Edges[i].Piece != c.outline.Edges[j].Piece || c.Self && !c.neighbours(i, j)
}

// share returns the part of its area for which a contact node on edge i
// stands when it touches edge j.
func (c *Contact) share(i, j int32) float64 {
	if c.TwoSided || c.b[i] && c.a[j] {
		return 0.5
	}
	return 1
}

// thin is how many Depths of solid between two edges of one piece keep them
// from touching: no deformation short of inversion brings them together.
const thin = 3

// neighbours tells whether edge i lies in the region of edge j from the start,
// around a corner or on the other face of a thin part.
func (c *Contact) neighbours(i, j int32) bool {
	e := &c.outline.Edges[i]
	t := c.outline.aim(j, c.start)
	t.depth *= thin
	for k := range c.Nodes {
		if t.at(between(c.start[e.A], c.start[e.B], c.profiles[0].place[k])).deflection > 0 {
			return true
		}
	}
	return false
}

// DepthError reports a contact node deeper in a body than contact can follow.
type DepthError struct {
	Contact    string
	Place      r2.Vec
	Deflection float64 // [m]
	Limit      float64 // [m]
}

func (e *DepthError) Error() string {
	return fmt.Sprintf("contact %q: a contact node at (%.6g, %.6g) m is %.3g m deep, more than the %.3g m that the elements under it allow: stiffen the law, refine the step or coarsen the surface",
		e.Contact, e.Place.X, e.Place.Y, e.Deflection, e.Limit)
}

// deepest is the part of an edge's Depth that a deflection may use up.
const deepest = 0.8

// find fills touches with the contact nodes that touch at x, in the order
// contact element, contact node.
func (c *Contact) find(x []r2.Vec) error {
	c.touches = c.touches[:0]
	for e := range c.elements {
		lo, hi := c.first[e], c.first[e+1]
		if lo == hi {
			continue
		}
		edge := &c.outline.Edges[c.elements[e]]
		a, b := x[edge.A], x[edge.B]
		box := boundingbox.BoxOf(a, b)
		nodes := &c.profiles[c.profile[e]]
		if nodes.radius != 0 {
			box = box.Grow(sagitta(nodes.radius, nodes.chord))
		}
		found := false
		for lo < hi {
			piece := c.outline.Edges[c.candidate[lo]].Piece
			end := lo
			for end < hi && c.outline.Edges[c.candidate[end]].Piece == piece {
				end++
			}
			if c.body(c.candidate[lo:end], box, nodes, a, b, x) {
				if !found {
					clear(c.best)
					found = true
				}
				for k := range c.best {
					if c.nearest[k].deflection > c.best[k].deflection {
						c.best[k] = c.nearest[k]
					}
				}
			}
			lo = end
		}
		if !found {
			continue
		}
		for k := range c.best {
			t := &c.best[k]
			if t.deflection == 0 {
				continue
			}
			if limit := deepest * c.outline.Depth[t.edge]; t.deflection > limit {
				place, _ := nodes.point(a, b, k)
				return &DepthError{c.Name, place, t.deflection, limit}
			}
			c.touches = append(c.touches, node{touch: *t, element: int32(e), k: int32(k)})
		}
	}
	return nil
}

// body fills nearest with the touches of the contact element from a to b with
// one connected piece, whose candidate edges are given; false if there are
// none.
func (c *Contact) body(candidates []int32, box boundingbox.Box, nodes *profile, a, b r2.Vec, x []r2.Vec) bool {
	found := false
	for _, i := range candidates {
		o := &c.outline.Edges[i]
		if !box.Overlaps(boundingbox.BoxOf(x[o.A], x[o.B]).Grow(c.outline.Reach[i])) {
			continue
		}
		if o.Radius <= 0 && nodes.radius == 0 && c.outline.misses(i, a, b, x) {
			continue
		}
		t := c.outline.aim(i, x)
		k0, k1 := 0, c.Nodes
		if nodes.radius == 0 {
			k0, k1 = t.reaches(a, b, c.Nodes)
		}
		for k := k0; k < k1; k++ {
			q, _ := nodes.point(a, b, k)
			n := t.at(q)
			if n.deflection == 0 {
				continue
			}
			if !found {
				clear(c.nearest)
				found = true
			}
			if old := c.nearest[k].deflection; old == 0 || n.deflection < old {
				c.nearest[k] = n
			}
		}
	}
	return found
}

// subtract takes the overlap of the start off the deflections, at time t after
// a step dt.
func (c *Contact) subtract(t, dt float64) {
	if len(c.overlaps) == 0 {
		return
	}
	c.fade, c.faded = 1, 1
	if c.Overlap.Mode == OverlapAllow {
		c.fade, c.faded = max(0, 1-t/c.Overlap.Ramp), max(0, 1-(t-dt)/c.Overlap.Ramp)
	}
	for _, id := range c.overlaps {
		c.seen[id] = 0
	}
	left := c.touches[:0]
	for _, n := range c.touches {
		id := c.id(&n)
		c.seen[id] = n.deflection
		if o := c.Offset[id]; o > 0 {
			n.deflection -= float64(o * c.fade)
		}
		if n.deflection > 0 {
			left = append(left, n)
		}
	}
	c.touches = left
	kept := c.overlaps[:0]
	for _, id := range c.overlaps {
		if c.Overlap.Mode == OverlapSubtract {
			c.Offset[id] = min(c.Offset[id], c.seen[id])
		} else if c.faded == 0 {
			c.Offset[id] = 0
		}
		if c.Offset[id] > 0 {
			kept = append(kept, id)
		}
	}
	c.overlaps = kept
}

// press evaluates the law for every touching contact node, and for those that
// have let go since the last evaluation, at deflection zero, so that their
// memory learns of it.
func (c *Contact) press(x, v []r2.Vec) {
	c.Active = len(c.touches)
	now := 0
	for _, id := range c.touched {
		for now < c.Active && c.id(&c.touches[now]) < id {
			now++
		}
		if now == c.Active || c.id(&c.touches[now]) != id { // let go
			c.touches = append(c.touches, node{element: id / int32(c.Nodes), k: id % int32(c.Nodes)})
		}
	}
	m := c.memory
	p := &c.packed
	p.resize(len(c.touches), m)
	for i := range c.touches {
		t := &c.touches[i]
		id := int(c.id(t))
		p.d[i], p.rate[i] = t.deflection, 0
		if t.deflection > 0 {
			p.rate[i], t.slip = c.relative(t, x, v)
		}
		copy(p.mem[i*m:(i+1)*m], c.Memory[id*m:])
	}
	c.Law.Eval(contact.Input{D: p.d, Rate: p.rate, Mem: p.mem}, contact.Output{P: p.p, DP: p.dp, K: p.k, W: p.w, Mem: p.mem})
	for i := range c.touches {
		id := int(c.id(&c.touches[i]))
		copy(c.Memory[id*m:(id+1)*m], p.mem[i*m:])
	}
}

// id returns the number of a contact node within the contact.
func (c *Contact) id(t *node) int32 { return t.element*int32(c.Nodes) + t.k }

// relative returns the deflection rate of a touching contact node and its slip
// speed along the opposite edge. It slips past the point of the opposite body
// that is where it is itself: the edge carries that point as it turns.
func (c *Contact) relative(t *node, x, v []r2.Vec) (rate, slip float64) {
	e := &c.outline.Edges[c.elements[t.element]]
	o := &c.outline.Edges[t.edge]
	nodes := &c.profiles[c.profile[t.element]]
	w := sub(between(v[e.A], v[e.B], nodes.place[t.k]), between(v[o.A], v[o.B], t.t))
	if nodes.height != nil {
		_, off := nodes.point(x[e.A], x[e.B], int(t.k))
		turn := dot(sub(v[e.B], v[e.A]), swing(x[e.A], x[e.B]))
		w.X -= float64(turn * off.Y)
		w.Y += float64(turn * off.X)
	}
	turn := dot(sub(v[o.B], v[o.A]), t.swing)
	return dot(t.in, w), cross(w, t.in) + float64(turn*t.lever)
}

// push adds normal and friction forces to the end nodes of both edges and
// keeps the books: the work done against the pressure and the heat of
// friction, by the trapezoidal rule over the last step, which is the rule
// under which leapfrog keeps energy.
func (c *Contact) push(out Forces, x, v []r2.Vec, dt float64) {
	c.Normal, c.Tangential, c.Stored = 0, 0, 0
	c.touched = c.touched[:0]
	p := &c.packed
	for lo := 0; lo < len(c.touches); {
		element := c.touches[lo].element
		hi := lo
		load := 0.0 // of the contact element, from both sides
		for hi < len(c.touches) && c.touches[hi].element == element {
			load += p.p[hi]
			hi++
		}
		whole := c.area[element]
		edge := &c.outline.Edges[c.elements[element]]
		for i := lo; i < hi; i++ {
			t := &c.touches[i]
			id := c.id(t)
			pressure, traction := p.p[i], 0.0
			before := whole * c.Share[id]
			area := before
			if t.deflection > 0 {
				c.touched = append(c.touched, id)
				c.Share[id] = c.share(c.elements[element], t.edge)
				area = whole * c.Share[id]
				if c.Friction.Stiffness > 0 {
					traction = c.hold(id, pressure, t.slip*dt, area, before)
				} else {
					o := &c.outline.Edges[t.edge]
					mobility := max(c.invMass[edge.A], c.invMass[edge.B]) + max(c.invMass[o.A], c.invMass[o.B])
					traction = c.Friction.regularised(pressure, t.slip, load*whole*dt, mobility)
				}
				c.give(out, t, x, float64(pressure*area), float64(traction*area), 2*(p.k[i]+c.Friction.Stiffness)*area, 2*c.damping*area)
			} else if c.Friction.Stiffness > 0 {
				c.hold(id, 0, 0, area, before)
			}
			c.Stored += float64(p.w[i] * area)
			press := float64(pressure*area) + float64(c.Pressure[id]*before)
			drag := float64(traction*area) + float64(c.Traction[id]*before)
			c.NormalWork += float64(0.5 * press * (t.deflection - c.Deflection[id]))
			c.FrictionWork -= float64(0.5 * drag * t.slip * dt)
			if len(c.overlaps) > 0 && c.faded > c.fade {
				c.RampWork += float64(0.5 * press * c.Offset[id] * (c.faded - c.fade))
			}
			c.Deflection[id], c.Pressure[id], c.Traction[id] = t.deflection, pressure, traction
			c.PeakPressure[id] = max(c.PeakPressure[id], pressure)
		}
		lo = hi
	}
}

// give adds the normal force n and the friction f [N] of a touching contact
// node, of stiffness k [N/m] and damping r [N s/m], to the end nodes of both
// edges.
func (c *Contact) give(out Forces, t *node, x []r2.Vec, n, f, k, r float64) {
	edge := &c.outline.Edges[c.elements[t.element]]
	o := &c.outline.Edges[t.edge]
	nodes := &c.profiles[c.profile[t.element]]
	u, s := nodes.place[t.k], t.t
	// along = in turned right by 90 degrees
	fx := float64(f*t.in.Y) - float64(n*t.in.X)
	fy := -float64(f*t.in.X) - float64(n*t.in.Y)
	add(out, edge.A, 1-u, fx, fy, k, r)
	add(out, edge.B, u, fx, fy, k, r)
	add(out, o.A, 1-s, -fx, -fy, k, r)
	add(out, o.B, s, -fx, -fy, k, r)
	// forces act where the contact node is, not at the edge: the couples keep
	// angular momentum
	couple := f * t.lever
	add(out, o.A, -couple, t.swing.X, t.swing.Y, 0, 0)
	add(out, o.B, couple, t.swing.X, t.swing.Y, 0, 0)
	if nodes.height != nil {
		a, b := x[edge.A], x[edge.B]
		_, off := nodes.point(a, b, int(t.k))
		couple, turn := cross(off, r2.Vec{X: fx, Y: fy}), swing(a, b)
		add(out, edge.A, -couple, turn.X, turn.Y, 0, 0)
		add(out, edge.B, couple, turn.X, turn.Y, 0, 0)
	}
	c.Normal += n
	c.Tangential += f
}

// swing is the left normal of the edge from a to b over its length: the
// difference of the ends' velocities times it is the rate at which the edge
// turns.
func swing(a, b r2.Vec) r2.Vec {
	d := sub(b, a)
	l2 := dot(d, d)
	return r2.Vec{X: -d.Y / l2, Y: d.X / l2}
}

// add gives the share w of the force (fx, fy) to a mesh node.
func add(out Forces, n int32, w, fx, fy, k, r float64) {
	f := &out.F[n]
	f.X += float64(w * fx)
	f.Y += float64(w * fy)
	out.Stiffness[n] += float64(w * k)
	out.Damping[n] += float64(w * r)
}

// hold moves a contact node's stick spring on by one step's slip [m] and
// returns the traction [Pa]; without pressure the spring goes slack. The node
// stands for area now and stood for before until now [m2].
func (c *Contact) hold(id int32, pressure, slip, area, before float64) float64 {
	f := &c.Friction
	old := c.Stretch[id]
	traction, stretch, slides := f.stick(pressure, old, slip, c.Slides[id])
	c.Stretch[id], c.Slides[id] = stretch, slides
	c.SpringEnergy += float64(0.5 * f.Stiffness * (float64(stretch*stretch*area) - float64(old*old*before)))
	return traction
}

// Dissipated returns the energy the law has turned to heat so far [J].
func (c *Contact) Dissipated() float64 { return c.NormalWork - c.Stored }

// FrictionLoss returns the energy friction has turned to heat so far [J].
func (c *Contact) FrictionLoss() float64 { return c.FrictionWork - c.SpringEnergy }

// Peak returns the greatest pressure any contact node has borne [Pa].
func (c *Contact) Peak() float64 {
	peak := 0.0
	for _, p := range c.PeakPressure {
		peak = math.Max(peak, p)
	}
	return peak
}

// Overlapping returns how many contact nodes lie deeper than tolerance times
// their edge's Depth, and the greatest deflection [m].
func (c *Contact) Overlapping(tolerance float64) (nodes int, deepest float64) {
	for i := range c.touches {
		t := &c.touches[i]
		if t.deflection > tolerance*c.outline.Depth[t.edge] {
			nodes++
			deepest = max(deepest, t.deflection)
		}
	}
	return nodes, deepest
}

// Positions appends the places of all contact nodes for node positions x.
func (c *Contact) Positions(out, x []r2.Vec) []r2.Vec {
	for i, edge := range c.elements {
		e := c.outline.Edges[edge]
		nodes := &c.profiles[c.profile[i]]
		for k := range c.Nodes {
			q, _ := nodes.point(x[e.A], x[e.B], k)
			out = append(out, q)
		}
	}
	return out
}

// Normals appends the outward unit normal of the contact element under every
// contact node for node positions x.
func (c *Contact) Normals(out, x []r2.Vec) []r2.Vec {
	for _, i := range c.elements {
		e := c.outline.Edges[i]
		d := direction(x[e.A], x[e.B])
		for range c.Nodes {
			out = append(out, r2.Vec{X: d.Y, Y: -d.X})
		}
	}
	return out
}

// Remembered returns one of the law's memory values for every contact node;
// zeros where the law does not keep it.
func (c *Contact) Remembered(name string) []float64 {
	out := make([]float64, len(c.Pressure))
	for i, n := range c.Law.Memory() {
		if n != name {
			continue
		}
		for k := range out {
			out[k] = c.Memory[k*c.memory+i]
		}
	}
	return out
}

// Edge returns the boundary edge that contact node i sits on.
func (c *Contact) Edge(i int) int32 { return c.elements[i/c.Nodes] }
