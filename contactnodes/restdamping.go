package contactnodes

import (
	"math"

	"fdem/materials/contact"

	"gonum.org/v1/gonum/spatial/r2"
)

// Bodies at rest. Two rigid bodies dissipate nothing while they vibrate on an elastic contact. A
// resting body would hop a little for ever, and every force on it would add to that. So a damper
// acts beside the law. It damps the slow motion of resting bodies, and is weak in impacts:
//
//	p = k d + c d'/(1 + (d'/v)^2),  c = 2 zeta sqrt(k m/A),  v = n F/sqrt(k m A)
//
// m is the mass of the lighter body, A the smaller area of the two edges, and F the force on that
// body without contact, such as its weight. F/sqrt(k m A) is the greatest speed of a vibration on
// the contact without separation. Hops end within some periods. An impact at a speed u loses 4 pi
// zeta (v/u)^2 of its energy. Without such a force it loses nothing, so rebounds stay elastic.

const (
	restDampingRatio = 0.03 // zeta, relative to critical damping if a whole edge is in contact
	restDampingSpeed = 5    // n
)

// beginRestDamping decides whether the contact has this damper, for nodes at x.
func (c *Contact) beginRestDamping(x []r2.Vec) {
	if _, linear := c.Law.(contact.Linear); !linear || !c.RestDamping || c.Rigid == nil {
		return
	}
	c.hasRestDamping = true
	c.edgeArea = make([]float64, len(c.outline.Edges))
	for i, e := range c.outline.Edges {
		c.edgeArea[i] = distance(x[e.A], x[e.B]) * c.width(int32(i))
	}
}

// lighterEdge returns the edge of the lighter of two rigid bodies. It returns -1 if neither is free
// or one is not rigid.
func (c *Contact) lighterEdge(i, j int32) int32 {
	switch {
	case c.Rigid[i] == Deformable || c.Rigid[j] == Deformable:
		return -1
	case c.Rigid[j] == Free && !(c.Mass[i] <= c.Mass[j]):
		return j
	case c.Rigid[i] == Free:
		return i
	}
	return -1
}

// restDamper returns the damper between edges i and j [Pa s/m].
func (c *Contact) restDamper(i, j int32) float64 {
	if !c.hasRestDamping {
		return 0
	}
	least := c.lighterEdge(i, j)
	if least < 0 {
		return 0
	}
	k := c.Law.(contact.Linear).K
	return float64(2 * restDampingRatio * math.Sqrt(k*c.Mass[least]/min(c.edgeArea[i], c.edgeArea[j])))
}

// addRestDamping adds the damper to the pressures of the contact points.
func (c *Contact) addRestDamping() {
	if !c.hasRestDamping {
		return
	}
	n := &c.points
	c.restPressure = append(c.restPressure[:0], n.p[:c.Active]...)
	c.findRestShifts()
	for j := range n.pairs {
		m := &n.pairs[j]
		own, along := c.elements[m.element], c.restShift(m)
		m.damper = c.restDamper(own, m.edge)
		damping, perSpeed2 := m.damper, 0.0
		if damping > 0 {
			force := float64(restDampingSpeed * c.Pull[c.representative(c.lighterEdge(own, m.edge))])
			speed := float64(force*2*restDampingRatio) / (damping * min(c.edgeArea[own], c.edgeArea[m.edge]))
			perSpeed2 = 1 / float64(speed*speed)
			if math.IsInf(perSpeed2, 1) {
				damping, perSpeed2 = 0, 0
			}
		}
		for i := m.first; i < m.end; i++ {
			if n.nodes[i].repeated {
				c.restPressure[i], n.p[i] = c.restPressure[i-1], n.p[i-1]
				continue
			}
			rate := n.rate[i] + float64(along*n.nodes[i].force)
			c.restPressure[i] = damping * rate / (1 + float64(perSpeed2*rate*rate))
			if n.p[i] += c.restPressure[i]; n.p[i] < 0 {
				n.p[i] = 0
			}
		}
	}
}

// findRestShifts finds how fast depths shift along the edges of one body under another one: see
// findShifts.
func (c *Contact) findRestShifts() {
	n := &c.points
	c.restShifts = c.restShifts[:0]
	for j := range n.pairs {
		m := &n.pairs[j]
		if m.tilt == 0 {
			continue
		}
		s, slope := c.restShiftOf(m), c.slopeOf(m)
		for i := m.first; i < m.end; i++ {
			if t := &n.nodes[i]; !t.repeated {
				area, change := float64(c.area[m.element]*t.fraction), float64(slope*t.force)
				s.rateSlope += float64(area * n.rate[i] * change)
				s.slopeSquare += float64(area * change * change)
			}
		}
	}
}

// slopeOf returns the change of the depth along the contact element [-].
func (c *Contact) slopeOf(m *edgePair) float64 {
	e := &c.outline.Edges[m.own]
	return m.tilt / distance(c.x[e.A], c.x[e.B])
}

// restShiftOf returns the shift of the two components of a pair.
func (c *Contact) restShiftOf(m *edgePair) *shift {
	own, other := c.outline.Edges[m.own].Component, c.outline.Edges[m.edge].Component
	for i := range c.restShifts {
		if s := &c.restShifts[i]; s.own == own && s.other == other {
			return s
		}
	}
	c.restShifts = append(c.restShifts, shift{own: own, other: other})
	return &c.restShifts[len(c.restShifts)-1]
}

// restShift returns the change of the depth that is left when that of a pair by its shift is taken
// away, for a unit of force [m/s].
func (c *Contact) restShift(m *edgePair) float64 {
	if m.tilt == 0 {
		return 0
	}
	s := c.restShiftOf(m)
	if s.slopeSquare == 0 {
		return 0
	}
	return -s.rateSlope / s.slopeSquare * c.slopeOf(m)
}
