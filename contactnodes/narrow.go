package contactnodes

import (
	"math"

	"fdem/boundingbox"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// The narrow phase (closest-point query): how deep is a contact node inside an opposite body?
//
// The deflection is the distance from the node to the nearest point of the opposite outline. It
// counts only inside the body. Every boundary edge has a region: the part of the inside that is
// nearer to this edge than to its neighbours:
//
//	convex corner             straight                 re-entrant corner
//	 ______________                                         |
//	|\             |       ___|_______|___           edge  |  vertex region
//	| \  region    |          |region |             region |  . (nearest point
//	|  \           |          |       |             _______|..   is the corner)
//
// At a convex corner the bisector separates the regions, so a node outside an acute corner is in no
// region. At a re-entrant corner the points between the two edges' normals belong to the corner
// itself. The deflection is continuous across every border, so an elastic law has a potential and
// contact conserves energy.
//
// The region of an edge that represents an arc of a rigid disc or hollow is the sector of its arc,
// and the deflection is measured from the arc. A region ends at the edge's Depth. If regions of
// distant edges overlap in thin parts, the node belongs to the nearest edge. If regions of two
// bodies overlap, it belongs to the body in which it is deeper. Beyond the end of a rigid line
// there is no contact.

// contactPoint is the point of an opposite edge with which a contact node is in contact, or is
// predicted to be.
type contactPoint struct {
	deflection float64 // [m]; at most 0 if it is predicted
	edge       int32   // opposite edge
	position   float64 // position along it, 0 at A, 1 at B
	depthAt    float64 // from that position to the contact node, along inward [m]
	inward     r2.Vec  // unit vector into the opposite body
	// rotation is the edge's inward normal divided by its length: (vB - vA).rotation is the edge's
	// angular velocity [1/m].
	rotation r2.Vec
}

// target is an opposite edge in its present position.
type target struct {
	edge      int32
	c, d      r2.Vec
	along     r2.Vec  // unit vector from c to d
	length    float64 // [m]
	depth     float64 // [m]
	start     corner
	end       corner
	after     r2.Vec  // direction of the next edge, its own if there is none; neighbours sets it
	radius    float64 // radius of the arc, as in mesh.Edge
	centre    r2.Vec  // centre of the arc's circle
	height    float64 // height of a parabola over it, as in Arc [m]
	low       float64 // bounds of the deflections relative to its line in its region, see deflectionRange [m]
	high      float64
	approach  float64 // greatest approach of the contact element in a step [m]
	lookAhead float64 // distance in front of the edge within which a contact node counts [m]
}

// corner is one end of a target. A node is on the target's side of it if boundary.(q - position) >=
// 0 at the start, or <= 0 at the end.
type corner struct {
	boundary  r2.Vec
	reentrant bool
	sharp     bool   // start corner only: see isSharp
	before    r2.Vec // start corner only: direction of the previous edge; its own if there is none
}

// setEdge makes t edge i in its current position.
func (t *target) setEdge(o *Outline, i int32, x []r2.Vec) {
	e := &o.Edges[i]
	c, d := x[e.A], x[e.B]
	l := distance(c, d)
	along := r2.Vec{X: (d.X - c.X) / l, Y: (d.Y - c.Y) / l}
	t.edge, t.c, t.d, t.along, t.length, t.depth, t.radius = i, c, d, along, l, o.Depth[i], e.Radius
	t.low, t.high = 0, t.depth
	if e.Radius != 0 {
		t.low, t.high = o.deflectionRange(i, l)
		t.setArc()
		return
	}
	t.start = corner{boundary: along, before: along}
	if e.Prev >= 0 {
		before := direction(x[o.Edges[e.Prev].A], c)
		t.start.boundary, t.start.reentrant = cornerBetween(before, along, along)
		t.start.before = before
		t.start.sharp = isSharp(elementary.Cross(before, along), elementary.Dot(before, along), 1)
	}
	t.end.boundary, t.end.reentrant = along, false
	if e.Next >= 0 {
		t.end.boundary, t.end.reentrant = cornerBetween(along, direction(d, x[o.Edges[e.Next].B]), along)
	}
}

// setArc makes the target an arc of its radius over its chord.
func (t *target) setArc() {
	radius := t.radius
	h := math.Copysign(centreDistance(radius, t.length), radius)
	middle := between(t.c, t.d, 0.5)
	t.centre = r2.Vec{X: middle.X - float64(h*t.along.Y), Y: middle.Y + float64(h*t.along.X)}
	tangent := func(p r2.Vec) r2.Vec { // at p, in the direction of the edge
		r := sub(p, t.centre)
		return r2.Vec{X: -r.Y / radius, Y: r.X / radius}
	}
	t.start, t.end = corner{boundary: tangent(t.c)}, corner{boundary: tangent(t.d)}
}

// deflectionRange returns the bounds of the deflections relative to the line of edge i in its
// region [m], without the region of a sharp re-entrant start. length is the length of the edge [m].
func (o *Outline) deflectionRange(i int32, length float64) (low, high float64) {
	high = o.Depth[i]
	switch radius := o.Edges[i].Radius; {
	case radius > 0:
		low = -sagitta(radius, length)
	case radius < 0:
		high += sagitta(radius, length)
	}
	return low, high
}

// Squared cosines of the turn beyond which a corner is sharp.
const (
	sharpReentrant = 0.04
	sharpConvex    = 0.98
)

// isSharp tells whether the region of a corner may reach in front of the line of its own edge. This
// is so if the corner is re-entrant by more than a right angle, or nearly so, or nearly inverted.
// Its arguments are the cross and dot products of the edges before and after the corner, and the
// product of their squared lengths.
func isSharp(cross, dot, squares float64) bool {
	if cross < 0 {
		return dot <= 0 || float64(dot*dot) < sharpReentrant*squares
	}
	return dot < 0 && float64(dot*dot) > sharpConvex*squares
}

// remainsSeparated tells whether the contact element on edge i stays outside the region of edge j,
// and farther than LookAhead in front of it, while no node moves farther than moved from x [m].
func (o *Outline) remainsSeparated(i, j int32, x []r2.Vec, moved float64) bool {
	e, f := &o.Edges[i], &o.Edges[j]
	a, b, c, d := x[e.A], x[e.B], x[f.A], x[f.B]
	displacement := 2 * moved // relative displacement of the two edges
	arc := sagitta(e.Radius, distance(a, b))
	if !boundingbox.BoxOf(a, b).Grow(arc + displacement).Overlaps(boundingbox.BoxOf(c, d).Grow(o.Reach[j])) {
		return true
	}
	along, length := sub(d, c), distance(c, d)
	if e.Radius != 0 || f.Radius != 0 || length <= displacement {
		return false
	}
	if f.Prev >= 0 { // the region of a re-entrant corner is outside of edge j
		before := sub(c, x[o.Edges[f.Prev].A])
		if elementary.Cross(before, along) <= displacement*(length+math.Sqrt(elementary.Dot(before, before))) {
			return false
		}
	}
	// If a line rotates by displacement/length, a point at a distance r from its start moves by r
	// displacement/length. Deflections are cross products divided by the length.
	r := max(distance(a, c), distance(b, c)) + displacement
	turned := displacement + r*displacement/(length-displacement)
	da, db := elementary.Cross(along, sub(a, c))/length, elementary.Cross(along, sub(b, c))/length
	return max(da, db) < -turned-o.LookAhead || min(da, db) > o.Depth[j]+turned
}

// cornerBetween describes the corner between edges with directions a and b, for the edge with
// direction own.
func cornerBetween(a, b, own r2.Vec) (cut r2.Vec, reentrant bool) {
	if elementary.Cross(a, b) < 0 {
		return own, true
	}
	return r2.Vec{X: a.X + b.X, Y: a.Y + b.Y}, false
}

// Positions of a contact node relative to a target.
const (
	outsideRegion     = iota // neither in the region of the target nor in front of it
	inEdgeRegion             // in the region of the edge, or in front of it
	maybeCornerRegion        // possibly in the region of a re-entrant corner
)

// project returns the deflection of a contact node at q relative to a straight target, its position
// along the target, and its region.
func (t *target) project(q r2.Vec) (deflection, position float64, where int) {
	r := sub(q, t.c)
	deflection = elementary.Cross(t.along, r)
	atStart := elementary.Dot(t.start.boundary, r)
	if atStart < 0 && t.start.reentrant {
		return 0, 0, maybeCornerRegion
	}
	if !(deflection > -t.lookAhead-max(0, t.height)) || deflection > t.depth || atStart < 0 {
		return 0, 0, outsideRegion
	}
	atEnd := elementary.Dot(t.end.boundary, sub(q, t.d))
	if atEnd > 0 || atEnd == 0 && !t.end.reentrant {
		return 0, 0, outsideRegion // in the region of the next edge or the corner
	}
	return deflection, min(max(elementary.Dot(t.along, r)/t.length, 0), 1), inEdgeRegion
}

// pointAt returns the contact point of a contact node at q with the target. It is the zero value if
// q is neither in the target's region nor within lookAhead in front of it.
func (t *target) pointAt(q r2.Vec) contactPoint {
	if t.radius != 0 {
		return t.pointOnArc(q)
	}
	deflection, position, where := t.project(q)
	switch where {
	case inEdgeRegion:
		return contactPoint{deflection, t.edge, position, deflection, r2.Vec{X: -t.along.Y, Y: t.along.X}, rotationGradient(t.c, t.d)}
	case maybeCornerRegion:
		return t.pointAtCorner(sub(q, t.c))
	}
	return contactPoint{}
}

// pointAtCorner is pointAt in the region of a re-entrant start corner. r is the vector from the
// corner to the contact node.
func (t *target) pointAtCorner(r r2.Vec) contactPoint {
	if elementary.Dot(t.start.before, r) <= 0 {
		return contactPoint{}
	}
	deflection := math.Sqrt(elementary.Dot(r, r))
	if !(deflection > 0) || deflection > t.depth {
		return contactPoint{}
	}
	return contactPoint{deflection, t.edge, 0, deflection, r2.Vec{X: r.X / deflection, Y: r.Y / deflection}, rotationGradient(t.c, t.d)}
}

// pointOnArc is pointAt for an arc.
func (t *target) pointOnArc(q r2.Vec) contactPoint {
	r := sub(q, t.centre)
	away := math.Sqrt(elementary.Dot(r, r))
	side := math.Copysign(1, t.radius) // side of the circle on which the body lies: 1 inside
	deflection := side * (math.Abs(t.radius) - away)
	rounding := 1e-12 * away // overlap of adjacent sectors, so that no node is between them
	if !(deflection > -t.lookAhead) || deflection > t.depth || elementary.Dot(t.start.boundary, sub(q, t.c)) < -rounding || elementary.Dot(t.end.boundary, sub(q, t.d)) > rounding {
		return contactPoint{}
	}
	in := r2.Vec{X: -side * r.X / away, Y: -side * r.Y / away}
	// position is the intersection of the chord with the ray from the centre to q
	c, d := elementary.Cross(r, sub(t.c, t.centre)), elementary.Cross(r, sub(t.d, t.centre))
	position := min(max(c/(c-d), 0), 1)
	return contactPoint{deflection, t.edge, position, elementary.Dot(sub(q, between(t.c, t.d, position)), in), in, rotationGradient(t.c, t.d)}
}

// ring returns the squares of the least and the greatest distance from the centre of an arc of
// points that are under it, or near enough in front of it, with a margin for rounding [m2].
func (t *target) ring() (least, most float64) {
	queryRange := t.lookAhead + float64(gapRounding*t.length)
	if t.radius > 0 {
		far := t.radius + queryRange
		return 0, far * far
	}
	if free := -t.radius - queryRange; free > 0 {
		least = free * free
	}
	return least, math.Inf(1)
}

// remainsInside tells whether no point between a and b is within lookAhead of the arc of a hollow:
// a smaller circle contains both ends. It is faster than pointOnArc.
func (t *target) remainsInside(a, b r2.Vec) bool {
	least, _ := t.ring()
	return max(square(sub(a, t.centre)), square(sub(b, t.centre))) < least
}

// clipElement returns the part [lo, hi] of the straight contact element from a to b, as positions
// 0...1 along it. Outside of this part no contact node is in the target's region, or within ahead
// [m] in front of it. lo > hi means none.
func (t *target) clipElement(a, b r2.Vec, ahead float64) (lo, hi float64) {
	ra, rb := sub(a, t.c), sub(b, t.c)
	da, db := elementary.Cross(t.along, ra), elementary.Cross(t.along, rb)
	sa, sb := elementary.Dot(t.along, ra), elementary.Dot(t.along, rb)
	lo, hi = clip(0, 1, t.high-da, t.high-db)
	if !t.start.sharp {
		lo, hi = clip(lo, hi, da-t.low+t.lookAhead, db-t.low+t.lookAhead)
	}
	margin := t.depth + ahead
	lo, hi = clip(lo, hi, sa+margin, sb+margin)
	lo, hi = clip(lo, hi, t.length+margin-sa, t.length+margin-sb)
	if t.radius != 0 {
		return lo, hi
	}
	if cut := t.start.boundary; !t.start.reentrant {
		lo, hi = clip(lo, hi, elementary.Dot(cut, ra), elementary.Dot(cut, rb))
	}
	cut := t.end.boundary
	return clip(lo, hi, elementary.Dot(cut, sub(t.d, a)), elementary.Dot(cut, sub(t.d, b)))
}

// neighbours sets the directions of the neighbouring edges, for distanceOutside. It returns the
// length of the shortest of the three edges [m].
func (t *target) neighbours(o *Outline, x []r2.Vec) (shortest float64) {
	shortest, t.after = t.length, t.along
	if t.radius != 0 {
		return shortest
	}
	e := &o.Edges[t.edge]
	if e.Prev >= 0 {
		shortest = min(shortest, distance(x[o.Edges[e.Prev].A], t.c))
	}
	if e.Next >= 0 {
		end := x[o.Edges[e.Next].B]
		t.after = direction(t.d, end)
		shortest = min(shortest, distance(t.d, end))
	}
	return shortest
}

// distanceOutside returns a lower bound of the distance of q from the target's region, which is
// extended by queryRange [m] in front and by small rotations of its corners. It is at most 0
// inside. It is computed from distances to lines along the edge and its neighbours, and to an arc,
// so it changes no faster than these move.
func (t *target) distanceOutside(q r2.Vec, queryRange float64) float64 {
	if t.radius != 0 {
		d := float64(math.Copysign(1, t.radius) * (math.Abs(t.radius) - math.Sqrt(square(sub(q, t.centre)))))
		return max(-d-queryRange, d-t.depth, -elementary.Dot(t.start.boundary, sub(q, t.c)), elementary.Dot(t.end.boundary, sub(q, t.d)))
	}
	r, s := sub(q, t.c), sub(q, t.d)
	d := elementary.Cross(t.along, r)
	out := max(d-t.depth,
		-max(elementary.Dot(t.along, r), elementary.Dot(t.start.before, r)),
		min(elementary.Dot(t.along, s), elementary.Dot(t.after, s)))
	if t.start.sharp {
		return out
	}
	return max(out, -d-queryRange)
}

// segmentOutside returns a lower bound of distanceOutside for the points between a and b, for a
// straight target. It is the greatest value of near, 4 near, 16 near and so on, up to most, that
// all points exceed; 0 if they do not exceed near [m].
func (t *target) segmentOutside(a, b r2.Vec, queryRange, near, most float64) float64 {
	ra, rb, sa, sb := sub(a, t.c), sub(b, t.c), sub(a, t.d), sub(b, t.d)
	da, db := elementary.Cross(t.along, ra), elementary.Cross(t.along, rb)
	deep, front := line{da - t.depth, db - t.depth}, line{-da - queryRange, -db - queryRange}
	if t.start.sharp {
		front = deep
	}
	before := [2]line{{-elementary.Dot(t.along, ra), -elementary.Dot(t.along, rb)}, {-elementary.Dot(t.start.before, ra), -elementary.Dot(t.start.before, rb)}}
	after := [2]line{{elementary.Dot(t.along, sa), elementary.Dot(t.along, sb)}, {elementary.Dot(t.after, sa), elementary.Dot(t.after, sb)}}
	within := func(far float64) bool { // tells whether some point is no farther than far
		from, to := deep.clip(0, 1, far)
		from, to = front.clip(from, to, far)
		for i := 0; i < len(before) && from <= to; i++ {
			lo, hi := before[i].clip(from, to, far)
			for j := 0; j < len(after) && lo <= hi; j++ {
				if lo, hi := after[j].clip(lo, hi, far); lo <= hi {
					return true
				}
			}
		}
		return false
	}
	passed := 0.0
	for far := near; !within(far); far = 4 * far {
		if passed = far; !(0 < far && far < most) {
			break
		}
	}
	return min(passed, most)
}

// line has the values at both ends of a segment along which a quantity varies linearly.
type line struct{ a, b float64 }

// clip narrows [lo, hi] to the part where the line is at most most.
func (l line) clip(lo, hi, most float64) (float64, float64) { return clip(lo, hi, most-l.a, most-l.b) }

// clip narrows [lo, hi] to the part where a linear value, ga at 0 and gb at 1, is not negative.
func clip(lo, hi, ga, gb float64) (float64, float64) {
	switch {
	case ga < 0 && gb < 0:
		return 1, 0
	case ga < 0:
		return max(lo, ga/(ga-gb)), hi
	case gb < 0:
		return lo, min(hi, ga/(ga-gb))
	}
	return lo, hi
}
