package contactnodes

import (
	"math"

	"fdem/contactnodes/coulomb"
	"fdem/contactnodes/onnodes"
	"fdem/contactnodes/rolling"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Friction is Coulomb friction of tractions, that is per area: see package coulomb.
type Friction = coulomb.Friction

// Speeds are the greatest speeds of regularised friction: see package coulomb.
type Speeds = coulomb.Speeds

// findFriction finds the friction of the contact points of a contact element with these edge pairs,
// after a step dt [s]. It returns the greatest speeds of regularised friction. Friction does not
// reverse a slip within one step. The impulse is that on the contact element, from both sides.
func (c *Contact) findFriction(pairs []edgePair, dt float64) (greatest coulomb.Speeds) {
	n := &c.points
	load := 0.0
	for i := pairs[0].first; i < pairs[len(pairs)-1].end; i++ {
		load += float64(n.p[i] * n.nodes[i].force)
	}
	whole, own := c.area[pairs[0].element], pairs[0].own
	sticks := c.Friction.Sticks()
	for k := range pairs {
		m := &pairs[k]
		if !sticks {
			least := c.Friction.Kinetic * (load * whole * dt) * (c.mobility[own] + c.mobility[m.edge])
			greatest.Raise(c.findRegularised(m, least))
			continue
		}
		together := c.holdsTogether(own, m.edge)
		for i := m.first; i < m.end; i++ {
			t := &n.nodes[i]
			if t.repeated {
				n.friction[i] = n.friction[i-1]
				continue
			}
			var bound float64
			pressure := n.p[i] * t.forceSum
			c.stick[i], bound = c.stickFriction(t, m, pressure, n.k[i]*t.coveredSum, whole*t.fraction, dt)
			if together {
				c.bound[i] = bound
				continue
			}
			c.Friction.Yield(&c.stick[i], pressure, bound)
			n.friction[i] = c.stick[i].Friction
		}
	}
	return greatest
}

// findRegularised finds the regularised friction of the contact points of an edge pair, as
// coulomb.Friction.Regularised does. Friction is linear below at least the slip speed least [m/s].
func (c *Contact) findRegularised(m *edgePair, least float64) (greatest coulomb.Speeds) {
	n, f, linear := &c.points, &c.Friction, c.Friction.LinearBelow(least)
	nodes := n.nodes[m.first:m.end]
	p, friction := n.p[m.first:][:len(nodes)], n.friction[m.first:][:len(nodes)]
	for i := range nodes {
		t := &nodes[i]
		pressure := p[i] * t.forceSum
		switch {
		case t.repeated:
			friction[i] = n.friction[int(m.first)+i-1]
		case f.Drags(pressure, t.slip):
			friction[i] = f.Drag(pressure, t.slip, linear)
			greatest.Linear, greatest.Slip = linear, max(greatest.Slip, math.Abs(t.slip))
		default:
			friction[i] = 0
		}
	}
	return greatest
}

// stickFriction returns the friction of an elastic stick on a contact node, without sliding, and
// the friction coefficient that limits it. p is the pressure [Pa], k the tangent of the law [Pa/m],
// area in m2. It does not change the state.
func (c *Contact) stickFriction(t *node, m *edgePair, p, k, area, dt float64) (coulomb.Stick, float64) {
	f, own, before := &c.Friction, c.elements[m.element], c.Sticks[t.slot]
	if old := c.area[m.element] * c.Kept[t.slot].AreaFraction; old < area { // its area has grown, so the force stays the same
		before.Spring *= old / area
	}
	brake := 0.0
	if f.Brake > 0 && dt > 0 && p > 0 {
		if eased := float64(c.normalForce[c.representative(own)]*c.mobility[own]) + float64(c.normalForce[c.representative(m.edge)]*c.mobility[m.edge]); eased > 0 {
			brake = -f.Brake * (p / eased) * (t.slip / dt)
		}
	}
	return f.Try(before, p, f.Follow(k, before), float64(t.slip*dt), brake)
}

// representative returns the edge at whose index normalForce has the force of an edge.
func (c *Contact) representative(edge int32) int32 {
	if c.Representative == nil {
		return edge
	}
	return c.Representative[edge]
}

// sumNormalForces fills normalForce with the forces on edges and on whole rigid bodies, from both
// sides. Brakes share the slip that they stop within one step in proportion to these.
func (c *Contact) sumNormalForces() {
	if c.Friction.Brake == 0 {
		return
	}
	n := &c.points
	for i := range n.pairs {
		m := &n.pairs[i]
		c.normalForce[c.representative(c.elements[m.element])], c.normalForce[c.representative(m.edge)] = 0, 0
	}
	for i := range n.pairs {
		m := &n.pairs[i]
		bearers := [2]int32{c.representative(c.elements[m.element]), c.representative(m.edge)}
		for k := m.first; k < m.end; k++ {
			force := float64(n.p[k] * n.nodes[k].force * (c.area[m.element] * n.nodes[k].fraction))
			c.normalForce[bearers[0]] += force
			c.normalForce[bearers[1]] += force
		}
	}
}

// commitStick stores an elastic stick at an index of the state. before and area are its previous
// and present areas [m2]. Without pressure the spring is relaxed.
func (c *Contact) commitStick(at int, pressed *coulomb.Stick, before, area float64) {
	c.StickEnergy += float64(pressed.Energy()*area) - float64(c.Sticks[at].Energy()*before)
	c.Sticks[at] = *pressed
}

// Rolling resistance of rigid discs, see package rolling. An edge pair carries its part of the moment as
// pairs of forces on the ends of its two edges, which also turn an edge of a meshed body.

// resistRolling adds the rolling moments after a step dt [s] to the forces of the nodes. With commit it
// updates the state and the account of work.
func (c *Contact) resistRolling(out onnodes.Forces, dt float64, commit bool) {
	k := &c.resistance
	if !k.Acts() {
		return
	}
	k.Parts = k.Parts[:0]
	for i := range c.points.pairs {
		c.addRollPart(int32(i))
	}
	now, heat, energy := k.Resolve(c.Rolls, dt)
	for i := range k.Parts {
		p := &k.Parts[i]
		m := &c.points.pairs[p.Number]
		moment := p.Moment // on the contact element
		if c.outline.Edges[m.own].Component != p.Components[0] {
			moment = -moment
		}
		c.Moment += float64(m.side * moment)
		c.turnEdge(out, m.own, moment, p)
		c.turnEdge(out, m.edge, -moment, p)
	}
	if commit {
		c.FrictionWork += heat
		c.StickEnergy += energy
		c.Rolls = append(c.Rolls[:0], now...)
	}
}

// rollingRadius returns the radius R of two edges that roll on one another, 0 for edges that do not [m].
func (c *Contact) rollingRadius(i, j int32) float64 {
	curvature, round := 0.0, false
	for _, e := range [2]int32{i, j} {
		if r := c.outline.Edges[e].Radius; r != 0 {
			curvature += 1 / r
			round = round || r > 0
		}
	}
	if !round || !(curvature > 0) {
		return 0
	}
	return 1 / curvature
}

// addRollPart adds an edge pair to those that resist rolling, if its edges roll on one another.
func (c *Contact) addRollPart(pair int32) {
	n, m := &c.points, &c.points.pairs[pair]
	radius := c.rollingRadius(m.own, m.edge)
	if radius == 0 {
		return
	}
	p := rolling.Part{Components: [2]int32{c.outline.Edges[m.own].Component, c.outline.Edges[m.edge].Component}, Number: pair}
	spin, mobility := c.turningOf(m.own)
	otherSpin, otherMobility := c.turningOf(m.edge)
	p.Rate, p.Mobility = spin-otherSpin, mobility+otherMobility
	if p.Components[0] > p.Components[1] {
		p.Components[0], p.Components[1], p.Rate = p.Components[1], p.Components[0], -p.Rate
	}
	for i := m.first; i < m.end; i++ {
		t := &n.nodes[i]
		area := c.area[m.element] * t.fraction
		p.Load += float64(n.p[i] * area * t.force * radius)
		p.Stiff += float64(n.k[i] * area * t.covered * radius * radius)
	}
	c.resistance.Parts = append(c.resistance.Parts, p)
}

// turningOf returns the spin of an edge [rad/s], and the spin that a unit of angular impulse gives to its
// rigid body, or to the edge of a body that deforms [1/(kg m2)].
func (c *Contact) turningOf(i int32) (spin, mobility float64) {
	e := &c.outline.Edges[i]
	g := rotationGradient(c.x[e.A], c.x[e.B])
	spin = elementary.Dot(sub(c.v[e.B], c.v[e.A]), g)
	if c.Rigid != nil && c.Rigid[i] != Deformable {
		return spin, c.InverseInertia[i]
	}
	return spin, 2 * c.mobility[i] * elementary.Dot(g, g)
}

// turnEdge adds a moment on an edge [N m] to the forces of its ends, with its stiffness and damping.
func (c *Contact) turnEdge(out onnodes.Forces, i int32, moment float64, p *rolling.Part) {
	e := &c.outline.Edges[i]
	gradient := rotationGradient(c.x[e.A], c.x[e.B])
	turn, lever := scale(moment, gradient), elementary.Norm(gradient) // spin for a unit of velocity of the ends apart [1/m]
	if e.Radius != 0 {
		lever = 1 / math.Abs(e.Radius)
	}
	a, b := out.On(e.A), out.On(e.B)
	a.F, b.F = sub(a.F, turn), r2.Add(b.F, turn)
	for _, on := range [2]*onnodes.Force{a, b} {
		on.Stiffness += float64(2 * lever * lever * p.Stiffness)
		on.Damping += float64(2 * lever * lever * p.Damping)
	}
}
