package contactnodes

import "fdem/contactnodes/halves"

// Meeting is a contact point, for what bodies exchange there besides forces.
type Meeting struct {
	Own, Opposite int32   // boundary edges
	At, On        float64 // positions along them, 0 at their A, 1 at their B
	Area          float64 // that it stands for [m2]
	Pressure      float64 // [Pa]
	Heat          float64 // of friction per time [W]
}

// EachMeeting calls the function with every contact point in contact at the last evaluation.
func (c *Contact) EachMeeting(each func(m Meeting)) {
	n := &c.points
	for j := range n.pairs {
		p := &n.pairs[j]
		for i := p.first; i < p.end; i++ {
			t := &n.nodes[i]
			if t.predicted != 0 {
				continue
			}
			m := Meeting{Own: p.own, Opposite: p.edge, At: min(max(c.positionOf(p, t), 0), 1), On: min(max(t.position, 0), 1), Area: c.area[p.element] * min(t.fraction, t.covered), Pressure: n.p[i]}
			if int(i) < len(n.friction) {
				m.Heat = -float64(n.friction[i] * t.slip * c.area[p.element] * t.fraction)
			}
			each(m)
		}
	}
	c.faces.each(func(q *face, h *halves.Half) {
		area := q.stiffness / c.faces.law
		each(Meeting{Own: h.Own, Opposite: h.Other, At: q.position, On: q.foot, Area: area, Pressure: q.normal / area, Heat: q.heat})
	})
}
