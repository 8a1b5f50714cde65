package contactnodes

import "gonum.org/v1/gonum/spatial/r2"

// Under tells how deep a place q is under a boundary edge at node positions x
// [m], the unit vector inwards there, the place along the edge below which it
// is, 0 at A and 1 at B, and how far it is from there along that vector [m]. A
// depth below 0 is the distance in front of the edge, up to ahead; 0 is neither.
func (o *Outline) Under(edge int32, q r2.Vec, x []r2.Vec, ahead float64) (depth float64, inward r2.Vec, place, arm float64) {
	t := target{lookAhead: ahead}
	t.setEdge(o, edge, x)
	m := t.touchAt(q)
	return m.deflection, m.inward, m.place, m.depthAt
}
