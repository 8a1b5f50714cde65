package contactnodes

import "gonum.org/v1/gonum/spatial/r2"

// Gap returns how far what lies from a to b is out of the region of a boundary edge at
// node positions x, or less [m]: it does not come in before its nodes or those of
// the edge have moved by half of that.
func (o *Outline) Gap(edge int32, a, b r2.Vec, x []r2.Vec) float64 {
	gap, weight := o.gapByLines(edge, a, b, 0, 0, x)
	return 2 * gap / (1 + weight)
}

// Under is a boundary edge in its current position, for points that may be under it.
type Under struct{ target }

// Under returns a boundary edge at node positions x, of which points up to ahead in
// front of it count [m].
func (o *Outline) Under(edge int32, x []r2.Vec, ahead float64) (u Under) {
	u.lookAhead = ahead
	u.setEdge(o, edge, x)
	return u
}

// At tells how deep a position q is under the edge [m], the unit vector inwards there,
// the position along the edge below which it is, 0 at A and 1 at B, and how far it is
// from there along that vector [m]. A depth below 0 is the distance in front of the
// edge; 0 is neither.
func (u *Under) At(q r2.Vec) (depth float64, inward r2.Vec, position, arm float64) {
	m := u.pointAt(q)
	return m.deflection, m.inward, m.position, m.depthAt
}
