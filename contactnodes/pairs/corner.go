package pairs

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Corners. A rigid body that tilts stands on its corner. If the contact stiffness is uniform along
// its face, the body stands on a part of the face that depends on the load, rotates about a point a
// third of that part from its corner, and topples too early. So a part of the stiffness of a rigid
// body's edges is concentrated in the corners. A corner's depth in a convex body is
//
//	d = (sum of d_j^-4)^(-1/4)
//
// over the depths d_j below all edges of the body. This is the depth below the nearest edge, except
// near a bisector, where it is smooth (0.84 of it on the bisector of two edges). The depth below
// the nearest edge alone has a kink there, where the force would jump.

// CornerPart is the part of an edge in the depth of a corner, see InConvex.
type CornerPart struct {
	Edge   int32
	Foot   float64 // position of the corner along the edge
	Weight float64 // derivative of the corner's depth by that below the edge
}

// InConvex appends the parts of a corner at node n that is inside a convex outline with edges [first,
// end). It returns the corner's depth, at most 0 outside: minus its distance from the line of an edge
// there. Frames of the edges must be up to date.
func (o *Outline) InConvex(parts []CornerPart, n, first, end int32) (depth float64, _ []CornerPart) {
	least := math.Inf(1)
	for j := first; j < end; j++ {
		least = min(least, o.below(n, j))
	}
	if !(least > 0) {
		return least, parts
	}
	sum := 0.0
	for j := first; j < end; j++ {
		q := least / o.below(n, j)
		q *= q
		sum += float64(q * q)
	}
	depth = least / math.Sqrt(math.Sqrt(sum))
	for j := first; j < end; j++ {
		q := depth / o.below(n, j)
		w := float64(float64(q*q) * float64(q*q) * q)
		if w > 1e-30 {
			parts = append(parts, CornerPart{j, o.foot(n, j), w})
		}
	}
	return depth, parts
}

// below returns the depth of node n below the line of an edge [m].
func (o *Outline) below(n, edge int32) float64 {
	return elementary.Dot(o.frames[edge].inward, r2.Sub(o.X[n], o.X[o.Edges[edge].A]))
}

// foot returns the position of node n along an edge.
func (o *Outline) foot(n, edge int32) float64 {
	f := &o.frames[edge]
	return elementary.Dot(f.along, r2.Sub(o.X[n], o.X[o.Edges[edge].A])) / f.length
}

// Below returns the depth of node n in the region of an edge [m], negative in front of it. It returns
// false outside of the region.
func (o *Outline) Below(n, edge int32) (depth float64, part CornerPart, ok bool) {
	e, f := &o.Edges[edge], &o.frames[edge]
	if elementary.Dot(f.start, r2.Sub(o.X[n], o.X[e.A])) < 0 || elementary.Dot(f.end, r2.Sub(o.X[n], o.X[e.B])) < 0 {
		return 0, CornerPart{}, false
	}
	return o.below(n, edge), CornerPart{edge, o.foot(n, edge), 1}, true
}

// IsConvex tells whether edges [first, end) are a closed convex outline.
func (o *Outline) IsConvex(first, end int32) bool {
	for i := first; i < end; i++ {
		e := &o.Edges[i]
		if e.Prev < 0 || e.Next < 0 || e.Bulge != 0 {
			return false
		}
		before, _ := o.direction(e.Prev)
		along, _ := o.direction(i)
		if elementary.Cross(before, along) < 0 {
			return false
		}
	}
	return end > first
}

// IsConvexAt tells whether the start of an edge is a convex corner.
func (o *Outline) IsConvexAt(edge int32) bool {
	e := &o.Edges[edge]
	if e.Prev < 0 || e.Start != Corner {
		return false
	}
	before, _ := o.direction(e.Prev)
	along, _ := o.direction(edge)
	return elementary.Cross(before, along) > 0
}

// EdgeLength returns the length of an edge as of the last update [m].
func (o *Outline) EdgeLength(edge int32) float64 { return o.frames[edge].length }
