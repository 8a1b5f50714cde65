package contactnodes

import (
	"math"

	"fdem/boundingbox"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// The narrow phase: how deep does a contact node lie inside an opposite body?
//
// The deflection is the distance from the node to the nearest point of the
// opposite outline, counted only inside the body. Every boundary edge owns the
// region of the inside that is nearer to it than to its neighbours:
//
//	convex corner             straight                 re-entrant corner
//	 ______________                                         |
//	|\             |       ___|_______|___           edge  |  vertex region
//	| \  region    |          |region |             region |  . (nearest point
//	|  \           |          |       |             _______|..   is the corner)
//
// At a convex corner the regions part along the bisector, so that a node
// outside an acute corner is in nobody's region; at a re-entrant corner the
// points between the two edges' normals belong to the corner itself. Across
// every border the deflection is continuous, so an elastic law has a
// potential and the contact keeps energy.
//
// An edge that stands for an arc of a rigid disc or hollow owns the sector of
// its arc, and the deflection is measured from the arc. A region ends at the
// edge's Depth. Where thin parts let regions of distant edges overlap, the
// nearest edge has the node; where two bodies claim one node, the deeper one
// has it. Past the end of a rigid line there is no contact.

// touch says where a contact node touches, or is about to.
type touch struct {
	deflection float64 // [m]; not above 0 where it is about to touch
	edge       int32   // opposite edge
	t          float64 // place along it, 0 at A, 1 at B
	lever      float64 // from that place to the contact node, along in [m]
	in         r2.Vec  // unit vector into the opposite body
	// swing is the edge's inward normal over its length: (vB - vA).swing is
	// the rate at which the edge turns [1/m].
	swing r2.Vec
}

// target is an opposite edge in its current place.
type target struct {
	edge   int32
	c, d   r2.Vec
	along  r2.Vec  // unit vector from c to d
	length float64 // [m]
	depth  float64 // [m]
	start  corner
	end    corner
	radius float64 // of the arc, as mesh.Edge has it
	centre r2.Vec  // of the arc's circle
	way    float64 // by which the contact element may come nearer in a step [m]
	ahead  float64 // how far in front of the edge a contact node counts [m]
}

// corner is one end of a target: a node is on the target's side of it where
// cut.(q - place) >= 0 at the start, <= 0 at the end.
type corner struct {
	cut       r2.Vec
	reentrant bool
	before    r2.Vec // start corner only: direction of the previous edge
}

// aim makes t edge i in its current place.
func (t *target) aim(o *Outline, i int32, x []r2.Vec) {
	e := &o.Edges[i]
	c, d := x[e.A], x[e.B]
	l := distance(c, d)
	along := r2.Vec{X: (d.X - c.X) / l, Y: (d.Y - c.Y) / l}
	t.edge, t.c, t.d, t.along, t.length, t.depth, t.radius = i, c, d, along, l, o.Depth[i], e.Radius
	if e.Radius != 0 {
		t.curve()
		return
	}
	t.start.cut, t.start.reentrant = along, false
	if e.Prev >= 0 {
		before := direction(x[o.Edges[e.Prev].A], c)
		t.start.cut, t.start.reentrant = turn(before, along, along)
		t.start.before = before
	}
	t.end.cut, t.end.reentrant = along, false
	if e.Next >= 0 {
		t.end.cut, t.end.reentrant = turn(along, direction(d, x[o.Edges[e.Next].B]), along)
	}
}

// curve makes the target an arc of its radius over its chord.
func (t *target) curve() {
	radius := t.radius
	h := math.Copysign(stem(radius, t.length), radius)
	middle := between(t.c, t.d, 0.5)
	t.centre = r2.Vec{X: middle.X - float64(h*t.along.Y), Y: middle.Y + float64(h*t.along.X)}
	tangent := func(p r2.Vec) r2.Vec { // at p, along the way of the edge
		r := sub(p, t.centre)
		return r2.Vec{X: -r.Y / radius, Y: r.X / radius}
	}
	t.start, t.end = corner{cut: tangent(t.c)}, corner{cut: tangent(t.d)}
}

// reaches returns the part [lo, hi] of the contact element from a to b, as
// places 0...1 along it, outside of which no contact node can be in the region
// of edge i, or ahead [m] in front of it; lo > hi for none. Most candidates are
// not reached, and this costs a fraction of aiming at them.
func (o *Outline) reaches(i int32, a, b r2.Vec, x []r2.Vec, ahead float64) (lo, hi float64) {
	e := &o.Edges[i]
	c := x[e.A]
	along := sub(x[e.B], c)
	ra, rb := sub(a, c), sub(b, c)
	l2 := elementary.Dot(along, along)
	length := math.Sqrt(l2)
	low, high := 0.0, o.Depth[i]
	margin := float64((high + ahead) * length)
	switch {
	case e.Radius > 0:
		low = -sagitta(e.Radius, length)
	case e.Radius < 0:
		high += sagitta(e.Radius, length)
	case e.Prev >= 0: // the region of a re-entrant corner reaches behind the edge
		low = where(elementary.Cross(sub(c, x[o.Edges[e.Prev].A]), along), -high)
	}
	low, high = float64((low-ahead)*length), float64(high*length)
	da, db := elementary.Cross(along, ra), elementary.Cross(along, rb) // deflection times length
	sa, sb := elementary.Dot(along, ra), elementary.Dot(along, rb)     // place times length
	if negative(da-low, db-low)|negative(high-da, high-db)|negative(sa+margin, sb+margin)|negative(l2+margin-sa, l2+margin-sb) != 0 {
		return 1, 0
	}
	lo, hi = clip(0, 1, da-low, db-low)
	lo, hi = clip(lo, hi, high-da, high-db)
	lo, hi = clip(lo, hi, sa+margin, sb+margin)
	return clip(lo, hi, l2+margin-sa, l2+margin-sb)
}

// near tells whether edge i and the edge from a to b, which bulges so far, are
// so near that they may touch.
func (o *Outline) near(i int32, a, b r2.Vec, bulge float64, x []r2.Vec) bool {
	e := &o.Edges[i]
	return boundingbox.BoxOf(a, b).Grow(bulge).Overlaps(boundingbox.BoxOf(x[e.A], x[e.B]).Grow(o.Reach[i]))
}

// where returns v where g is negative, 0 otherwise, without a branch: half of the
// corners of a straight side are re-entrant by round-off.
func where(g, v float64) float64 {
	return math.Float64frombits(uint64(int64(math.Float64bits(g))>>63) & math.Float64bits(v))
}

// negative returns 1 where both numbers are negative, 0 otherwise, without a
// branch that a processor would have to guess.
func negative(u, v float64) uint64 {
	return (math.Float64bits(u) & math.Float64bits(v)) >> 63
}

// apart tells that the contact element on edge i stays out of the region of
// edge j, and farther than sight in front of it, so long as no node moves
// farther than moved from x [m].
func (o *Outline) apart(i, j int32, x []r2.Vec, moved float64) bool {
	e, f := &o.Edges[i], &o.Edges[j]
	a, b, c, d := x[e.A], x[e.B], x[f.A], x[f.B]
	way := 2 * moved // of one edge past the other
	arc := sagitta(e.Radius, distance(a, b))
	if !boundingbox.BoxOf(a, b).Grow(arc + way).Overlaps(boundingbox.BoxOf(c, d).Grow(o.Reach[j])) {
		return true
	}
	along, length := sub(d, c), distance(c, d)
	if e.Radius != 0 || f.Radius != 0 || length <= way {
		return false
	}
	if f.Prev >= 0 { // the region of a re-entrant corner lies outside of edge j
		before := sub(c, x[o.Edges[f.Prev].A])
		if elementary.Cross(before, along) <= way*(length+math.Sqrt(elementary.Dot(before, before))) {
			return false
		}
	}
	// A line that turns by way/length takes what is r from its start along by
	// r way/length; deflections are the cross products over the length.
	r := max(distance(a, c), distance(b, c)) + way
	turned := way + r*way/(length-way)
	da, db := elementary.Cross(along, sub(a, c))/length, elementary.Cross(along, sub(b, c))/length
	return max(da, db) < -turned-o.Sight || min(da, db) > o.Depth[j]+turned
}

// turn describes the corner between edges of directions a and b for the edge
// of direction own.
func turn(a, b, own r2.Vec) (cut r2.Vec, reentrant bool) {
	if elementary.Cross(a, b) < 0 {
		return own, true
	}
	return r2.Vec{X: a.X + b.X, Y: a.Y + b.Y}, false
}

// at returns the touch of a contact node at q with the target; the zero value
// when q is neither in the target's region nor ahead in front of it.
func (t *target) at(q r2.Vec) touch {
	if t.radius != 0 {
		return t.atArc(q)
	}
	r := sub(q, t.c)
	deflection := elementary.Cross(t.along, r)
	atStart := elementary.Dot(t.start.cut, r)
	if atStart < 0 && t.start.reentrant {
		return t.atCorner(r)
	}
	if !(deflection > -t.ahead) || deflection > t.depth || atStart < 0 {
		return touch{}
	}
	atEnd := elementary.Dot(t.end.cut, sub(q, t.d))
	if atEnd > 0 || atEnd == 0 && !t.end.reentrant {
		return touch{} // the next edge's, or the corner's
	}
	place := min(max(elementary.Dot(t.along, r)/t.length, 0), 1)
	return touch{deflection, t.edge, place, deflection, r2.Vec{X: -t.along.Y, Y: t.along.X}, swing(t.c, t.d)}
}

// atCorner serves the region of a re-entrant start corner; r leads from the
// corner to the contact node.
func (t *target) atCorner(r r2.Vec) touch {
	if elementary.Dot(t.start.before, r) <= 0 {
		return touch{}
	}
	deflection := math.Sqrt(elementary.Dot(r, r))
	if !(deflection > 0) || deflection > t.depth {
		return touch{}
	}
	return touch{deflection, t.edge, 0, deflection, r2.Vec{X: r.X / deflection, Y: r.Y / deflection}, swing(t.c, t.d)}
}

// atArc serves an arc.
func (t *target) atArc(q r2.Vec) touch {
	r := sub(q, t.centre)
	away := math.Sqrt(elementary.Dot(r, r))
	side := math.Copysign(1, t.radius) // of the circle that the body is on: 1 inside
	deflection := side * (math.Abs(t.radius) - away)
	hair := 1e-12 * away // neighbours' sectors overlap by so much: no node falls between them
	if !(deflection > -t.ahead) || deflection > t.depth || elementary.Dot(t.start.cut, sub(q, t.c)) < -hair || elementary.Dot(t.end.cut, sub(q, t.d)) > hair {
		return touch{}
	}
	in := r2.Vec{X: -side * r.X / away, Y: -side * r.Y / away}
	// the ray from the centre to q meets the chord at place
	c, d := elementary.Cross(r, sub(t.c, t.centre)), elementary.Cross(r, sub(t.d, t.centre))
	place := min(max(c/(c-d), 0), 1)
	return touch{deflection, t.edge, place, elementary.Dot(sub(q, between(t.c, t.d, place)), in), in, swing(t.c, t.d)}
}

// within narrows the part [lo, hi] of the contact element from a to b to the
// target's side of its corners.
func (t *target) within(a, b r2.Vec, lo, hi float64) (float64, float64) {
	if t.radius != 0 {
		return lo, hi
	}
	if cut := t.start.cut; !t.start.reentrant {
		lo, hi = clip(lo, hi, elementary.Dot(cut, sub(a, t.c)), elementary.Dot(cut, sub(b, t.c)))
	}
	cut := t.end.cut
	return clip(lo, hi, elementary.Dot(cut, sub(t.d, a)), elementary.Dot(cut, sub(t.d, b)))
}

// clip narrows [lo, hi] to where the value that is ga at 0 and gb at 1, linear
// between, is not negative.
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
