package contactnodes

import (
	"math"
	"slices"

	"fdem/contactnodes/coulomb"
	"fdem/materials/contact"
	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// node is a contact node that touches, or has just let go (deflection 0).
type node struct {
	touch
	element int32        // contact element: index into Contactor
	k       int32        // contact node of the element
	slip    float64      // speed along the opposite edge [m/s]
	share   float64      // of the node's area that it stands for [-]
	slope   float64      // change of share with the way along the opposite edge [1/m]
	slack   float64      // of a touch to come: one over the number of times that the step may be as long as with the touch; 0 of a touch
	shift   float64      // along the opposite edge, of the changing share [Pa]
	grip    coulomb.Grip // friction on the contactor
	speed   float64      // below which regularised friction is linear [m/s]
}

// packed holds the touching contact nodes side by side for the law.
type packed struct{ d, rate, mem, p, dp, k, w []float64 }

func (p *packed) resize(n, memory int) {
	for _, s := range []*[]float64{&p.d, &p.rate, &p.p, &p.dp, &p.k, &p.w} {
		*s = slices.Grow((*s)[:0], n)[:n]
	}
	p.mem = slices.Grow(p.mem[:0], n*memory)[:n*memory]
}

// part returns the contact nodes [lo, hi).
func (p *packed) part(lo, hi, memory int) packed {
	return packed{p.d[lo:hi], p.rate[lo:hi], p.mem[lo*memory : hi*memory], p.p[lo:hi], p.dp[lo:hi], p.k[lo:hi], p.w[lo:hi]}
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
}

// Clear sets everything at the given nodes to zero.
func (f *Forces) Clear(nodes []int32) {
	for _, n := range nodes {
		f.F[n], f.Stiffness[n], f.Damping[n] = r2.Vec{}, 0, 0
	}
	if f.Moment != nil {
		for _, n := range nodes {
			f.Moment[n] = 0
		}
	}
}

// press evaluates the law for every touching contact node, and for those that
// have let go since the last commit, at deflection zero, so that their memory
// learns of it. The state stays as it is.
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
	c.packed.resize(len(c.touches), c.memory)
	c.x, c.v = x, v
	c.spread(len(c.touches), c.doPress)
}

// pressPart is worker i's share of press.
func (c *Contact) pressPart(i int) {
	lo, hi := c.part(i, len(c.touches))
	m := c.memory
	p := c.packed.part(lo, hi, m)
	for i := range p.d {
		t := &c.touches[lo+i]
		id := int(c.id(t))
		p.d[i], p.rate[i] = t.deflection, 0
		if t.deflection > 0 {
			p.rate[i], t.slip = c.relative(t, c.x, c.v)
		}
		copy(p.mem[i*m:(i+1)*m], c.Memory[id*m:])
	}
	c.Law.Eval(contact.Input{D: p.d, Rate: p.rate, Mem: p.mem}, contact.Output{P: p.p, DP: p.dp, K: p.k, W: p.w, Mem: p.mem})
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
		turn := elementary.Dot(sub(v[e.B], v[e.A]), swing(x[e.A], x[e.B]))
		w.X -= float64(turn * off.Y)
		w.Y += float64(turn * off.X)
	}
	turn := elementary.Dot(sub(v[o.B], v[o.A]), t.swing)
	return elementary.Dot(t.in, w), elementary.Cross(w, t.in) + float64(turn*t.lever)
}

// push adds normal and friction forces to the end nodes of both edges. The
// state stays as it is.
func (c *Contact) push(out Forces, x []r2.Vec, dt float64) {
	c.Normal, c.Tangential, c.Push, c.Stored = 0, 0, r2.Vec{}, 0
	p := &c.packed
	for i := c.Active; i < len(c.touches); i++ { // have let go
		c.touches[i].share = c.Share[c.id(&c.touches[i])]
	}
	c.weigh()
	for lo := 0; lo < len(c.touches); {
		element := c.touches[lo].element
		hi := lo
		load := 0.0 // of the contact element, from both sides
		for hi < len(c.touches) && c.touches[hi].element == element {
			load += p.p[hi]
			hi++
		}
		whole := c.area[element]
		for i := lo; i < hi; i++ {
			t := &c.touches[i]
			area := whole * t.share
			if t.deflection > 0 {
				t.shift = -p.w[i] * t.slope
				c.rub(t, p.p[i], p.k[i], load*whole, area, dt)
				c.Normal += float64(p.p[i] * area)
				c.Tangential += float64(t.grip.Drag * area)
				c.give(out, t, x, float64(p.p[i]*area), float64(t.grip.Drag*area)+float64(t.shift*whole), 2*c.Friction.Stiffest(p.k[i])*area, 2*c.damping*area)
			}
			c.Stored += float64(p.w[i] * area)
		}
		lo = hi
	}
}

// commit makes what press and push found the state, and keeps the books: the
// work done against the pressure and the heat of friction, by the trapezoidal
// rule over the last step, which is the rule under which leapfrog keeps energy.
// A dashpot acts in full from touch on, and leapfrog lets what acts at the end of
// a step act over its whole second half: so much it takes from the bodies, though
// the node touched for a part of the step only.
func (c *Contact) commit(dt float64) {
	c.touched = c.touched[:0]
	p, m := &c.packed, c.memory
	for i := range c.touches {
		t := &c.touches[i]
		id := c.id(t)
		copy(c.Memory[int(id)*m:(int(id)+1)*m], p.mem[i*m:])
		whole := c.area[t.element]
		before, area := whole*c.Share[id], whole*t.share // that it stood for until now, and now [m2]
		if t.deflection > 0 {
			c.touched = append(c.touched, id)
			c.Share[id] = t.share
		}
		pressure := p.p[i]
		c.hold(t, before, area, dt)
		press := float64(pressure*area) + float64(c.Pressure[id]*before)
		c.NormalWork += float64(0.5 * press * (t.deflection - c.Deflection[id]))
		if c.Deflection[id] == 0 && c.damping > 0 {
			if way := float64(p.rate[i] * dt); way > t.deflection {
				c.NormalWork += float64(0.5 * c.damping * p.rate[i] * area * (way - t.deflection))
			}
		}
		if t.shift != 0 || c.Shift[id] != 0 {
			c.NormalWork -= float64(0.5 * (t.shift + c.Shift[id]) * whole * t.slip * dt)
			c.Shift[id] = t.shift
		}
		if len(c.overlaps) > 0 && c.faded > c.fade {
			c.RampWork += float64(0.5 * press * c.Offset[id] * (c.faded - c.fade))
		}
		c.Deflection[id], c.Pressure[id] = t.deflection, pressure
		c.PeakPressure[id] = max(c.PeakPressure[id], pressure)
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
	if nodes.hats != nil {
		u = nodes.hats[t.k].middle
	}
	// along = in turned right by 90 degrees
	fx := float64(f*t.in.Y) - float64(n*t.in.X)
	fy := -float64(f*t.in.X) - float64(n*t.in.Y)
	add(out, edge.A, 1-u, fx, fy, k, r)
	add(out, edge.B, u, fx, fy, k, r)
	if nodes.hats != nil && c.cubic[t.element] {
		bend(out, edge, &nodes.hats[t.k], x, fx, fy)
	}
	add(out, o.A, 1-s, -fx, -fy, k, r)
	add(out, o.B, s, -fx, -fy, k, r)
	side := c.side(c.elements[t.element], t.edge)
	c.Push.X += float64(side * fx)
	c.Push.Y += float64(side * fy)
	// forces act where the contact node is, not at the edge: the couples keep
	// angular momentum
	couple := f * t.lever
	add(out, o.A, -couple, t.swing.X, t.swing.Y, 0, 0)
	add(out, o.B, couple, t.swing.X, t.swing.Y, 0, 0)
	if nodes.height != nil {
		a, b := x[edge.A], x[edge.B]
		_, off := nodes.point(a, b, int(t.k))
		couple, turn := elementary.Cross(off, r2.Vec{X: fx, Y: fy}), swing(a, b)
		add(out, edge.A, -couple, turn.X, turn.Y, 0, 0)
		add(out, edge.B, couple, turn.X, turn.Y, 0, 0)
	}
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
// functions: the part across goes to the ends in other shares, and turns them.
func bend(out Forces, edge *mesh.Edge, h *hat, x []r2.Vec, fx, fy float64) {
	d := sub(x[edge.B], x[edge.A])
	length := math.Sqrt(elementary.Dot(d, d))
	left := r2.Vec{X: -d.Y / length, Y: d.X / length}
	across := float64(fx*left.X) + float64(fy*left.Y)
	more := float64((h.across - h.middle) * across)
	add(out, edge.A, -more, left.X, left.Y, 0, 0)
	add(out, edge.B, more, left.X, left.Y, 0, 0)
	out.Moment[edge.A] += float64(across * length * h.turnA)
	out.Moment[edge.B] += float64(across * length * h.turnB)
}

// swing is the left normal of the edge from a to b over its length: the
// difference of the ends' velocities times it is the rate at which the edge
// turns.
func swing(a, b r2.Vec) r2.Vec {
	d := sub(b, a)
	l2 := elementary.Dot(d, d)
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
