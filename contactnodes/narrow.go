package contactnodes

import (
	"math"

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
// A region ends at the edge's Depth. Where thin parts let regions of distant
// edges overlap, the nearest edge has the node; where two bodies claim one
// node, the deeper one has it.

// touch says where a contact node touches.
type touch struct {
	deflection float64 // [m], 0 for none
	edge       int32   // opposite edge
	t          float64 // place along it, 0 at A, 1 at B
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
}

// corner is one end of a target: a node is on the target's side of it where
// cut.(q - place) >= 0 at the start, <= 0 at the end.
type corner struct {
	cut       r2.Vec
	reentrant bool
	before    r2.Vec // start corner only: direction of the previous edge
}

// aim puts edge i into its current place.
func (o *Outline) aim(i int32, x []r2.Vec) target {
	e := &o.Edges[i]
	c, d := x[e.A], x[e.B]
	l := distance(c, d)
	t := target{edge: i, c: c, d: d, length: l, depth: o.Depth[i]}
	t.along = r2.Vec{X: (d.X - c.X) / l, Y: (d.Y - c.Y) / l}
	before := direction(x[o.Edges[e.Prev].A], c)
	after := direction(d, x[o.Edges[e.Next].B])
	t.start = turn(before, t.along, t.along)
	t.start.before = before
	t.end = turn(t.along, after, t.along)
	return t
}

// turn describes the corner between edges of directions a and b for the edge
// of direction own.
func turn(a, b, own r2.Vec) corner {
	if cross(a, b) < 0 {
		return corner{cut: own, reentrant: true}
	}
	return corner{cut: r2.Vec{X: a.X + b.X, Y: a.Y + b.Y}}
}

// at returns the touch of a contact node at q with the target; its deflection
// is 0 when q is not in the target's region.
func (t *target) at(q r2.Vec) touch {
	r := sub(q, t.c)
	deflection := cross(t.along, r)
	atStart := dot(t.start.cut, r)
	if atStart < 0 && t.start.reentrant {
		return t.atCorner(r)
	}
	if !(deflection > 0) || deflection > t.depth || atStart < 0 {
		return touch{}
	}
	atEnd := dot(t.end.cut, sub(q, t.d))
	if atEnd > 0 || atEnd == 0 && !t.end.reentrant {
		return touch{} // the next edge's, or the corner's
	}
	place := min(max(dot(t.along, r)/t.length, 0), 1)
	return touch{deflection, t.edge, place, r2.Vec{X: -t.along.Y, Y: t.along.X}, t.swing()}
}

// atCorner serves the region of a re-entrant start corner; r leads from the
// corner to the contact node.
func (t *target) atCorner(r r2.Vec) touch {
	if dot(t.start.before, r) <= 0 {
		return touch{}
	}
	deflection := math.Sqrt(dot(r, r))
	if !(deflection > 0) || deflection > t.depth {
		return touch{}
	}
	return touch{deflection, t.edge, 0, r2.Vec{X: r.X / deflection, Y: r.Y / deflection}, t.swing()}
}

func (t *target) swing() r2.Vec {
	return r2.Vec{X: -t.along.Y / t.length, Y: t.along.X / t.length}
}

// reaches returns the range of contact nodes k0 <= k < k1, of n at the middles
// of equal parts of the edge from a to b, outside of which none can be in the
// target's region. The deflection and the place along the target are linear
// along the contact element, so the range has a closed form.
func (t *target) reaches(a, b r2.Vec, n int) (k0, k1 int) {
	ra, rb := sub(a, t.c), sub(b, t.c)
	da, db := cross(t.along, ra), cross(t.along, rb)
	lo, hi := 0.0, 1.0
	low := 0.0
	if t.start.reentrant {
		low = -t.depth // the corner's region reaches behind the edge
	}
	lo, hi = clip(lo, hi, da-low, db-low)
	lo, hi = clip(lo, hi, t.depth-da, t.depth-db)
	if hi < lo {
		return 0, 0
	}
	sa, sb := dot(t.along, ra), dot(t.along, rb)
	margin := t.depth
	lo, hi = clip(lo, hi, sa+margin, sb+margin)
	lo, hi = clip(lo, hi, t.length+margin-sa, t.length+margin-sb)
	if hi < lo {
		return 0, 0
	}
	m := float64(n)
	k0 = max(0, int(math.Floor(float64(lo*m)-0.5)))
	k1 = min(n, int(math.Ceil(float64(hi*m)-0.5))+1)
	return k0, k1
}

// clip narrows [lo, hi] to where the value that is ga at 0 and gb at 1 is not
// negative.
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
