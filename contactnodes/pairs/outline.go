// Package pairs is penalty contact of outlines, edge to edge (segment to segment), in closed form.
// A contact element is a pair of boundary edges. Its energy is
//
//	W = 1/2 K d² integrated over the covered part of the own edge,
//
// where d is the depth below the other edge. The own edge belongs to another edge in the region
// between the bisectors of that edge's ends, which is where no other edge is nearer (medial axis).
// The depth is a polynomial along the own edge, so the integral is a sum over a few Gauss nodes, and
// forces are the exact gradient of the energy. Each pair has two such halves, one for each of its
// edges as the own edge, and each half carries half the stiffness.
//
//	      ______________ own edge A-B, from right to left
//	 ____|______|______
//	C    lo     hi     D      the covered part, between the bisectors at C and D and below the edge
//
// Outlines run anticlockwise, with the body to the left of each edge.
package pairs

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Joint tells what an edge's start node is.
type Joint uint8

const (
	Corner Joint = iota // the two edges meet at an angle
	Arc                 // both edges belong to one arc: their regions meet at the bisector whichever way they turn
	Tip                 // two faces of one crack meet: both regions end at right angles to their edges
)

// Edge is an edge of an outline.
type Edge struct {
	A, B       int32   // nodes: the body is to the left of the direction from A to B
	Prev, Next int32   // edges that end at A and start at B, -1 for none
	Start      Joint   // at A
	Bulge      float64 // the edge is an arc of height Bulge/4 times its chord, outwards; 0 for a straight edge
	Across     int32   // edge on the other side of a thin body; the nearer one of both counts; -1 for none
	Roof       float64 // depth from which the depth that counts falls again [m], at most half the thickness of the body; 0 for none
	Back       float64 // depth from which nothing is in the edge's body [m]; 0 for twice the roof, where no depth counts
}

// Through returns the depth from which nothing is in the edge's body [m], 0 for none.
func (e *Edge) Through() float64 {
	if e.Back > 0 {
		return e.Back
	}
	return 2 * e.Roof
}

// BulgeOf returns the Bulge of an edge of an arc over which the outline turns by an angle.
func BulgeOf(turn float64) float64 { return 2 * elementary.Tan(0.25*turn) }

// Outline is the edges of all outlines and the positions of their nodes.
type Outline struct {
	Edges  []Edge
	X      []r2.Vec // positions of nodes [m]
	frames []frame
}

// frame is what halves need of an edge as the other edge.
type frame struct {
	along, inward r2.Vec // unit vectors
	length        float64
	// Edges bound a region by start.r >= 0, where r is the position relative to C, and by end.r >= 0,
	// where r is relative to D.
	start, end         r2.Vec
	before, after      r2.Vec  // directions of the edges that meet this one
	bordersA, bordersB bool    // start and end are bisectors, which neighbours share
	sector             bool    // C is a re-entrant corner
	lengthA, lengthB   float64 // of the edges that meet this one
}

// Update prepares the frames of some edges at the present positions.
func (o *Outline) Update(edges []int32) {
	if len(o.frames) < len(o.Edges) {
		o.frames = make([]frame, len(o.Edges))
	}
	for _, i := range edges {
		o.update(i)
	}
}

// UpdateAll prepares the frames of all edges.
func (o *Outline) UpdateAll() {
	o.Update(nil)
	for i := range o.Edges {
		o.update(int32(i))
	}
}

func (o *Outline) update(i int32) {
	e, f := &o.Edges[i], &o.frames[i]
	*f = frame{}
	f.along, f.length = o.direction(i)
	f.inward = r2.Vec{X: -f.along.Y, Y: f.along.X}
	f.start, f.end = f.along, r2.Vec{X: -f.along.X, Y: -f.along.Y}
	if e.Prev >= 0 {
		f.before, f.lengthA = o.direction(e.Prev)
		f.bordersA = shares(f.before, f.along, e.Start)
		f.sector = !f.bordersA && e.Start != Tip
		if f.bordersA {
			f.start = r2.Add(f.start, f.before)
		}
	}
	if e.Next >= 0 {
		f.after, f.lengthB = o.direction(e.Next)
		f.bordersB = shares(f.along, f.after, o.Edges[e.Next].Start)
		if f.bordersB {
			f.end = r2.Sub(f.end, f.after)
		}
	}
}

// shares tells whether two edges share the bisector of the joint between them: at a convex corner,
// and in an arc.
func shares(before, after r2.Vec, at Joint) bool {
	return at == Arc || at == Corner && elementary.Cross(before, after) >= 0
}

// direction returns the unit vector along an edge, and its length [m].
func (o *Outline) direction(i int32) (r2.Vec, float64) {
	e := &o.Edges[i]
	d := r2.Sub(o.X[e.B], o.X[e.A])
	l := math.Sqrt(elementary.Dot(d, d))
	return r2.Vec{X: d.X / l, Y: d.Y / l}, l
}

// Along returns the unit vector along an edge and its inward normal, both as of the last update.
func (o *Outline) Along(i int32) (along, inward r2.Vec) { return o.frames[i].along, o.frames[i].inward }
