package contactnodes

import "gonum.org/v1/gonum/spatial/r2"

// Gap returns a lower bound of the distance of the segment from a to b from the region
// of a boundary edge, at node positions x [m]. The segment cannot enter the region
// before its nodes or those of the edge have moved by half of that.
func (o *Outline) Gap(edge int32, a, b r2.Vec, x []r2.Vec) float64 {
	gap, weight := o.gapByLines(edge, a, b, 0, 0, x)
	return 2 * gap / (1 + weight)
}

// Under is a boundary edge in its present position, for points that may be below it.
type Under struct{ target }

// Under returns a boundary edge at node positions x. Points up to ahead in front of it
// count [m].
func (o *Outline) Under(edge int32, x []r2.Vec, ahead float64) (u Under) {
	u.lookAhead = ahead
	u.setEdge(o, edge, x)
	return u
}

// At returns the depth of a position q below the edge [m] and the unit vector inwards
// there. It also returns the nearest position along the edge, 0 at A and 1 at B, and
// the distance of q from there along that vector [m]. A negative depth is a distance
// in front of the edge. A depth of 0 means neither.
func (u *Under) At(q r2.Vec) (depth float64, inward r2.Vec, position, arm float64) {
	m := u.pointAt(q)
	return m.deflection, m.inward, m.position, m.depthAt
}
