package contactnodes

import (
	"math"
	"math/bits"
	"slices"

	"fdem/materials/contact"
	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// touches is contact nodes that touch, or are about to, in the order contact
// element, contact node. What those of one element against one edge share stands
// once, in their meeting; what the law asks and answers stands side by side.
type touches struct {
	meetings []meeting
	nodes    []node // and after those of the meetings contact nodes that have let go
	packed
}

// meeting is consecutive touches of one contact element with one opposite edge, or
// a single one where that has a direction of its own: on an arc, round a corner.
type meeting struct {
	element    int32  // contact element
	edge       int32  // opposite edge
	first, end int32  // its touches
	in         r2.Vec // unit vector into the opposite body
	// swing is the edge's inward normal over its length: (vB - vA).swing is
	// the rate at which the edge turns [1/m].
	swing r2.Vec
	run   float64 // change of t along the contact element [-]
	climb float64 // change of lever along it [m]
}

// node is a contact node that touches, or is about to.
type node struct {
	id      int32   // within the contact
	slot    int32   // place in the state; of a touch to come -1 where it has none
	t       float64 // place along the opposite edge, 0 at A, 1 at B
	lever   float64 // from that place to the contact node, along in [m]
	share   float64 // of the node's area that it stands for [-]
	slope   float64 // change of share with the way along the opposite edge [1/m]
	slip    float64 // of the contact node along the opposite edges [m/s]
	force   float64 // part of the pressure on the contact node's area that acts here [-]
	turn    float64 // its first moment about the contact node, along the contact element [-]
	presses float64 // sum of force over all touches of the contact node [-]
	covers  float64 // part of its strip that touches [-]
	covered float64 // and here [-]
	off     float64 // the middle of that from the contact node, along the contact element [-]
	grazes  bool    // a part of its strip touches, and its own place does not
	extra   bool    // of a contact node that the touch before is of, too
	slack   float64 // of a touch to come: one over the number of times that the step may be as long as with the touch; 0 of a touch
}

// packed holds touches side by side for the law.
type packed struct{ d, rate, mem, p, dp, k, w []float64 }

// clear leaves no touch.
func (t *touches) clear() {
	t.meetings, t.nodes, t.d, t.rate = t.meetings[:0], t.nodes[:0], t.d[:0], t.rate[:0]
}

// rates makes room for the rates of all touches.
func (t *touches) rates() { t.rate = slices.Grow(t.rate, len(t.d)-len(t.rate))[:len(t.d)] }

// append appends the touches of o.
func (t *touches) append(o *touches) {
	at := int32(len(t.nodes))
	for _, m := range o.meetings {
		m.first += at
		m.end += at
		t.meetings = append(t.meetings, m)
	}
	t.nodes, t.d, t.rate = append(t.nodes, o.nodes...), append(t.d, o.d...), append(t.rate, o.rate...)
}

// room makes room for the law's answers and copies the memory that is committed.
func (t *touches) room(c *Contact) {
	n, m := len(t.d), c.memory
	for _, s := range [...]*[]float64{&t.p, &t.dp, &t.k, &t.w} {
		*s = slices.Grow((*s)[:0], n)[:n]
	}
	if m == 0 {
		return
	}
	t.mem = slices.Grow(t.mem[:0], n*m)[:n*m]
	for i := range t.nodes {
		mem := t.mem[i*m : (i+1)*m]
		if at := int(t.nodes[i].slot); at >= 0 {
			copy(mem, c.Memory[at*m:])
		} else {
			clear(mem)
		}
	}
}

// eval asks the law for touches [lo, hi).
func (p *packed) eval(law contact.Law, lo, hi, m int) {
	mem := p.mem[lo*m : hi*m]
	law.Eval(contact.Input{D: p.d[lo:hi], Rate: p.rate[lo:hi], Mem: mem},
		contact.Output{P: p.p[lo:hi], DP: p.dp[lo:hi], K: p.k[lo:hi], W: p.w[lo:hi], Mem: mem})
}

// Forces is where contacts leave their answer, one value per mesh node.
type Forces struct {
	F []r2.Vec // contact force [N]
	// Moment acts on what carries the node [N m]: on the faces of beams whose
	// contact nodes are at the ends of parts. Nil where there are none.
	Moment []float64
	// Stiffness bounds the contact's share of the highest frequency: the sum
	// of each row of its stiffness matrix, without signs [N/m].
	Stiffness []float64
	Damping   []float64 // and so its share of the damping matrix [N s/m]

	loaded []uint64 // a bit per node that is not zero everywhere
}

// NewForces returns none on so many nodes.
func NewForces(nodes int, moments bool) Forces {
	f := Forces{F: make([]r2.Vec, nodes), Stiffness: make([]float64, nodes), Damping: make([]float64, nodes), loaded: make([]uint64, (nodes+63)/64)}
	if moments {
		f.Moment = make([]float64, nodes)
	}
	return f
}

// Clear sets everything to zero.
func (f *Forces) Clear() {
	for g, set := range f.loaded {
		f.loaded[g] = 0
		for ; set != 0; set &= set - 1 {
			n := 64*g + bits.TrailingZeros64(set)
			f.F[n], f.Stiffness[n], f.Damping[n] = r2.Vec{}, 0, 0
			if f.Moment != nil {
				f.Moment[n] = 0
			}
		}
	}
}

// Load tells that something acts on a node.
func (f *Forces) Load(n int32) { f.loaded[n>>6] |= 1 << (n & 63) }

// Loaded appends the nodes on which something acts, ascending.
func (f *Forces) Loaded(nodes []int32) []int32 {
	for g, set := range f.loaded {
		for ; set != 0; set &= set - 1 {
			nodes = append(nodes, int32(64*g+bits.TrailingZeros64(set)))
		}
	}
	return nodes
}

// end is what a mesh node has to bear.
type end struct{ x, y, k, r float64 }

func (f *Forces) end(n int32) end {
	v := &f.F[n]
	return end{v.X, v.Y, f.Stiffness[n], f.Damping[n]}
}

func (f *Forces) put(n int32, e end) {
	f.F[n] = r2.Vec{X: e.x, Y: e.y}
	f.Stiffness[n], f.Damping[n] = e.k, e.r
	f.Load(n)
}

// press evaluates the law for every touching contact node, and for those that
// have let go since the last commit, at deflection zero, so that their memory
// learns of it. The state stays as it is.
func (c *Contact) press() {
	n := &c.now
	c.enter()
	c.Active = len(n.nodes)
	at := 0
	for _, id := range c.touched {
		for at < c.Active && n.nodes[at].id < id {
			at++
		}
		if at == c.Active || n.nodes[at].id != id { // let go
			n.nodes = append(n.nodes, node{id: id, slot: *c.slot(id)})
			n.d, n.rate = append(n.d, 0), append(n.rate, 0)
		}
	}
	n.room(c)
	c.spread(len(n.nodes), c.doPress)
}

// pressPart is worker i's share of press.
func (c *Contact) pressPart(i int) {
	lo, hi := c.part(i, len(c.now.nodes))
	c.now.eval(c.Law, lo, hi, c.memory)
}

// relate finds the deflection rates of the contact nodes of a meeting and their slip
// speeds along the opposite edge. They slip past the point of the opposite body that
// is where they are themselves: the edge carries that point as it turns.
func (c *Contact) relate(t *touches, m *meeting) {
	e, o := &c.outline.Edges[c.elements[m.element]], &c.outline.Edges[m.edge]
	nodes := &c.profiles[c.profile[m.element]]
	va, wa := c.v[e.A], c.v[o.A]
	ve, wo := sub(c.v[e.B], va), sub(c.v[o.B], wa)
	turn := elementary.Dot(wo, m.swing)
	along := r2.Vec{X: ve.X - float64(m.run*wo.X), Y: ve.Y - float64(m.run*wo.Y)}
	opens, slides := elementary.Dot(m.in, along), elementary.Cross(along, m.in)+float64(turn*m.climb)
	base := m.element * int32(c.Nodes)
	list := t.nodes[m.first:m.end]
	rates := t.rate[m.first:m.end][:len(list)]
	for i := range list {
		n := &list[i]
		u, s := nodes.place[n.id-base], n.t
		w := r2.Vec{
			X: (va.X + float64(u*ve.X)) - (wa.X + float64(s*wo.X)),
			Y: (va.Y + float64(u*ve.Y)) - (wa.Y + float64(s*wo.Y)),
		}
		if nodes.height != nil {
			_, off := nodes.point(c.x[e.A], c.x[e.B], int(n.id-base))
			turn := elementary.Dot(ve, swing(c.x[e.A], c.x[e.B]))
			w.X -= float64(turn * off.Y)
			w.Y += float64(turn * off.X)
		}
		rate, slip := elementary.Dot(m.in, w), elementary.Cross(w, m.in)+float64(turn*n.lever)
		rates[i] = float64(n.force*rate) + float64(n.turn*opens)
		n.slip = (float64(n.force*slip) + float64(n.turn*slides)) / n.presses
	}
}

// load adds normal and friction forces to the end nodes of both edges. With commit
// it makes what find and press found the state, and keeps the books; else the state
// stays as it is.
func (c *Contact) load(out Forces, x []r2.Vec, dt float64, commit bool) {
	c.Normal, c.Tangential, c.Push, c.Stored = 0, 0, r2.Vec{}, 0
	n := &c.now
	c.weigh()
	sticks := c.Friction.Sticks()
	if sticks {
		c.grips = slices.Grow(c.grips[:0], len(n.nodes))[:len(n.nodes)]
		clear(c.grips[c.Active:])
	}
	if commit {
		c.touched, c.Jolt = c.touched[:0], 0
	}
	for lo := 0; lo < len(n.meetings); {
		element := n.meetings[lo].element
		hi := lo
		for hi < len(n.meetings) && n.meetings[hi].element == element {
			hi++
		}
		load := 0.0 // of the contact element, from both sides
		for i := n.meetings[lo].first; i < n.meetings[hi-1].end; i++ {
			load += float64(n.p[i] * n.nodes[i].force)
		}
		whole, own, base := c.area[element], c.elements[element], element*int32(c.Nodes)
		edge, nodes := &c.outline.Edges[own], &c.profiles[c.profile[element]]
		ea, eb := out.end(edge.A), out.end(edge.B)
		drag := 0.0
		var turn r2.Vec // of an arc
		if nodes.height != nil {
			turn = swing(x[edge.A], x[edge.B])
		}
		for ; lo < hi; lo++ {
			m := &n.meetings[lo]
			o := &c.outline.Edges[m.edge]
			oa, ob := out.end(o.A), out.end(o.B)
			side := c.side(own, m.edge)
			// friction stops nothing within one step: the impulse is that on the
			// contact element, from both sides
			least := c.Friction.Kinetic * (load * whole * dt) * (c.mobility[own] + c.mobility[m.edge])
			energy := c.unsettling(own, m.edge)
			for i := m.first; i < m.end; i++ {
				t := &n.nodes[i]
				k := t.id - base
				area := whole * t.share
				pressure := n.p[i]
				switch {
				case t.extra: // as of the touch before
				case sticks:
					c.grips[i] = c.stick(t, m, pressure*t.presses, n.k[i]*t.covers, area, dt)
					drag = c.grips[i].Drag
				default:
					var speed float64
					drag, speed = c.Friction.Regularised(pressure*t.presses, t.slip, least)
					if commit {
						c.Widest = max(c.Widest, speed)
					}
				}
				normal, rubs := float64(pressure*area*t.force), float64(drag*area*t.force)/t.presses
				normal1, rubs1 := float64(pressure*area*t.turn), float64(drag*area*t.turn)/t.presses
				c.Normal += normal
				c.Tangential += rubs
				stiff, damp := 2*c.Friction.Stiffest(n.k[i])*area, 2*c.damping*area
				if t.extra {
					stiff, damp = stiff*t.covered, damp*t.covered
				} else {
					c.Stored += float64(n.w[i] * area)
				}
				f := rubs - float64(n.w[i]*t.slope*whole)

				u, s := nodes.place[k], t.t
				if nodes.hats != nil {
					u = nodes.hats[k].middle
				}
				// along = in turned right by 90 degrees
				fx := float64(f*m.in.Y) - float64(normal*m.in.X)
				fy := -float64(f*m.in.X) - float64(normal*m.in.Y)
				gx := float64(rubs1*m.in.Y) - float64(normal1*m.in.X)
				gy := -float64(rubs1*m.in.X) - float64(normal1*m.in.Y)
				hx, hy := float64(m.run*gx), float64(m.run*gy)
				v, w := 1-u, 1-s
				at := min(max(s, 0), 1)
				ea.x += float64(v*fx) - gx
				ea.y += float64(v*fy) - gy
				ea.k += float64(v * stiff)
				eb.x += float64(u*fx) + gx
				eb.y += float64(u*fy) + gy
				eb.k += float64(u * stiff)
				oa.x -= float64(w*fx) - hx
				oa.y -= float64(w*fy) - hy
				oa.k += float64((1 - at) * stiff)
				ob.x -= float64(s*fx) + hx
				ob.y -= float64(s*fy) + hy
				ob.k += float64(at * stiff)
				if damp != 0 {
					ea.r += float64(v * damp)
					eb.r += float64(u * damp)
					oa.r += float64((1 - at) * damp)
					ob.r += float64(at * damp)
				}
				c.Push.X += float64(side * fx)
				c.Push.Y += float64(side * fy)
				// forces act where the contact node is, not at the edge: the couples
				// keep angular momentum
				couple := float64(f*t.lever) + float64(rubs1*m.climb)
				cx, cy := float64(couple*m.swing.X), float64(couple*m.swing.Y)
				oa.x -= cx
				oa.y -= cy
				ob.x += cx
				ob.y += cy
				if nodes.hats != nil && c.cubic[element] {
					bent := bend(out.Moment, edge, &nodes.hats[k], x, fx, fy)
					ea.x -= bent.X
					ea.y -= bent.Y
					eb.x += bent.X
					eb.y += bent.Y
				}
				if nodes.height != nil {
					_, off := nodes.point(x[edge.A], x[edge.B], int(k))
					couple := elementary.Cross(off, r2.Vec{X: fx, Y: fy})
					cx, cy := float64(couple*turn.X), float64(couple*turn.Y)
					ea.x -= cx
					ea.y -= cy
					eb.x += cx
					eb.y += cy
				}
				if commit && !t.extra {
					c.Jolt += jolt(c.Friction.Stiffest(n.k[i])*whole*t.share, n.rate[i], energy)
					c.touched = append(c.touched, t.id)
					c.book(int(i), whole, drag, dt)
				}
			}
			out.put(o.A, oa)
			out.put(o.B, ob)
		}
		out.put(edge.A, ea)
		out.put(edge.B, eb)
	}
	for i := c.Active; i < len(n.nodes); i++ { // have let go
		t := &n.nodes[i]
		t.share = c.Share[t.slot]
		whole := c.area[int(t.id)/c.Nodes]
		c.Stored += float64(n.w[i] * (whole * t.share))
		if commit {
			c.book(i, whole, 0, dt)
		}
	}
}

// book makes touch i, or what has let go, of friction drag [Pa] the state
// of its contact node, whose area is whole [m2], and books what the last step did:
// the work against the pressure and the heat of friction, by the trapezoidal rule,
// which is the rule under which leapfrog keeps energy.
// A dashpot acts in full from touch on, and leapfrog lets what acts at the end of
// a step act over its whole second half: so much it takes from the bodies, though
// the node touched for a part of the step only.
func (c *Contact) book(i int, whole, drag, dt float64) {
	n, m := &c.now, c.memory
	t := &n.nodes[i]
	at := int(t.slot)
	if m > 0 {
		copy(c.Memory[at*m:(at+1)*m], n.mem[i*m:])
	}
	before, area := float64(whole*c.Share[at]), float64(whole*t.share) // that it stood for until now, and now [m2]
	deflection, pressure := n.d[i], n.p[i]
	if i < c.Active {
		c.Share[at] = t.share
	}
	if c.Friction.Sticks() {
		c.hold(at, &c.grips[i], before, area)
	}
	rubbed := float64(drag*area) + float64(c.Traction[at]*before)
	c.FrictionWork -= float64(0.5 * rubbed * t.slip * dt)
	c.Traction[at] = drag
	press := float64(pressure*area) + float64(c.Pressure[at]*before)
	c.NormalWork += float64(0.5 * press * (deflection - c.Deflection[at]))
	if c.damping > 0 && c.Deflection[at] == 0 {
		if way := float64(n.rate[i] * dt); way > deflection {
			c.NormalWork += float64(0.5 * c.damping * n.rate[i] * area * (way - deflection))
		}
	}
	if c.Deflection[at] > 0 && before != area {
		c.NormalWork += float64(0.5 * (n.w[i] + c.Energy[at]) * (area - before))
	}
	c.Energy[at] = n.w[i]
	if len(c.overlaps) > 0 && c.faded > c.fade {
		c.RampWork += float64(0.5 * press * c.Offset[at] * (c.faded - c.fade))
	}
	c.Deflection[at], c.Pressure[at] = deflection, pressure
	c.PeakPressure[at] = max(c.PeakPressure[at], pressure)
}

// side returns 1 where what edge i takes from edge j is a force on the contactor,
// -1 where that is what edge j takes. Where the two are contactor and opposite
// to each other it counts what the body takes that comes first.
func (c *Contact) side(i, j int32) float64 {
	onto, from := c.a[i] && c.b[j], c.b[i] && c.a[j]
	if onto && from {
		d := c.outline.Edges[j].Body - c.outline.Edges[i].Body
		onto, from = d > 0, d < 0
	}
	switch {
	case onto:
		return 1
	case from:
		return -1
	}
	return 0
}

// bend moves a force on the face of a beam from the linear to the cubic shape
// functions: the part across goes to the ends in other shares, more of it to B by
// what bend returns, and turns them.
func bend(moment []float64, edge *mesh.Edge, h *hat, x []r2.Vec, fx, fy float64) r2.Vec {
	d := sub(x[edge.B], x[edge.A])
	length := math.Sqrt(elementary.Dot(d, d))
	left := r2.Vec{X: -d.Y / length, Y: d.X / length}
	across := float64(fx*left.X) + float64(fy*left.Y)
	more := float64((h.across - h.middle) * across)
	moment[edge.A] += float64(across * length * h.turnA)
	moment[edge.B] += float64(across * length * h.turnB)
	return r2.Vec{X: float64(more * left.X), Y: float64(more * left.Y)}
}

// swing is the left normal of the edge from a to b over its length: the
// difference of the ends' velocities times it is the rate at which the edge
// turns.
func swing(a, b r2.Vec) r2.Vec {
	d := sub(b, a)
	l2 := elementary.Dot(d, d)
	return r2.Vec{X: -d.Y / l2, Y: d.X / l2}
}
