package contactnodes

import (
	"math"

	"fdem/mesh"
)

// Symmetric (two-pass) contact. Where both sides of a contact carry contact
// nodes, a position carries its pressure once: the contact nodes of the two sides
// stand for parts of their areas that add up to one. The finer side carries more,
// and all of it from three times finer on, as the "master" and "slave" of other
// codes, chosen point by point.
//
//	w  1 |             ______     part of the finer side
//	     |         __--
//	 1/2 |      .-'               like sizes carry halves
//	     |  __--
//	   0 |__________________
//	     1/3      1       3       opposite size over own size
//
// Contact nodes of a coarse edge are far from one another: alone they would press single fine edges,
// as bumps. Sizes are those of the reference position. They change along an outline without a jump,
// so that w does not jump where a contact node passes from one opposite edge to the next. Where w
// changes with the position, so does the energy of the contact, and its gradient has a part along
// the opposite edge (node.shift).
//
// Rigid bodies have no mesh that one of them could be finer by, and under a linear law
// strips integrate exactly however long they are. Where straight edges of two of them meet,
// sizes are those of the bodies, the mean of their edges, so that w is the same wherever
// they touch: a strip that a corner passes keeps its energy.

// size describes how fine an edge is: its own length in its middle, and near its
// ends the geometric mean of its length and its neighbour's, smooth in between
// [m].
type size struct {
	own, atA, atB float64
	body          float64 // mean length of the edges of its connected component

	shorterA, shorterB float64 // the shorter one of the two edges that meet at an end, its own where there is no other
	inner              float64 // part of its area that contact nodes at corners leave to the others [-]
	slopeFactor        float64 // 2 over own and plateau [1/m]
}

// plateau is the part of half an edge, from its middle, beyond which its size is
// that of its end: around a corner it is the same on both sides, so that a contact
// node that passes from one to the other inside of the body finds no jump.
const plateau = 0.75

func newSizes(m *mesh.Mesh) []size {
	sizes := make([]size, len(m.Edges))
	for i, e := range m.Edges {
		p := layout{radius: e.Radius, chord: distance(m.X[e.A], m.X[e.B])}
		sizes[i].own = p.length()
	}
	lengths, edges := make([]float64, m.Components), make([]float64, m.Components)
	for i, e := range m.Edges {
		lengths[e.Component] += sizes[i].own
		edges[e.Component]++
	}
	for i, e := range m.Edges {
		s := &sizes[i]
		s.body = lengths[e.Component] / edges[e.Component]
		s.atA, s.atB, s.slopeFactor = s.own, s.own, 2/(plateau*s.own)
		s.shorterA, s.shorterB = s.own, s.own
		if e.Prev >= 0 {
			s.atA, s.shorterA = math.Sqrt(s.own*sizes[e.Prev].own), min(s.own, sizes[e.Prev].own)
		}
		if e.Next >= 0 {
			s.atB, s.shorterB = math.Sqrt(s.own*sizes[e.Next].own), min(s.own, sizes[e.Next].own)
		}
		s.inner = 1 - cornerShare*(s.shorterA+s.shorterB)/s.own
	}
	return sizes
}

// size returns the size of the edge at the position t along it, 0...1 [m], and its
// change per length along the edge [1].
func (s *size) size(t float64) (h, slope float64) {
	end, z, side := s.atB, towardsEnd(t), s.slopeFactor
	if z < 0 {
		end, z, side = s.atA, -z, -side
	}
	if z >= 1 {
		return end, 0
	}
	more := end - s.own
	return s.own + float64(more*z*z*(3-float64(2*z))), more * 6 * z * (1 - z) * side
}

// towardsEnd is how far the position t of an edge is from its middle: 0 there, 1 where
// the size is that of B from then on, -1 where it is that of A.
func towardsEnd(t float64) float64 { return (float64(2*t) - 1) / plateau }

// sizeAt is size without the change, at the position that is so far towards an end.
func (s *size) sizeAt(z float64) float64 {
	end := s.atB
	if z < 0 {
		end, z = s.atA, -z
	}
	if z >= 1 {
		return end
	}
	return s.own + float64((end-s.own)*z*z*(3-float64(2*z)))
}

// fullWeightRatio is the ratio of sizes from which on the finer side carries all.
const (
	fullWeightRatio = 3
	steep           = (fullWeightRatio*fullWeightRatio + 1.0) / (fullWeightRatio*fullWeightRatio - 1)
)

// twoPassWeight returns the part of its area for which a contact node on an edge of
// size own stands against an edge of another size, and the derivative with
// respect to that times a change of it. twoPassWeight(a, b) + twoPassWeight(b, a) = 1.
func twoPassWeight(own, other, change float64) (part, slope float64) {
	a, b := float64(own*own), float64(other*other)
	y := steep * (b - a) / (a + b)
	switch {
	case y >= 1:
		return 1, 0 * change
	case y <= -1:
		return 0, 0 * change
	}
	part = 0.5 + float64(0.25*y*(3-float64(y*y)))
	if change == 0 {
		return part, change
	}
	slope = 0.75 * (1 - float64(y*y)) * (steep * 4 * a * other / ((a + b) * (a + b)))
	return part, slope * change
}

// integrates tells whether strips of an edge integrate the law exactly: on a straight edge
// of a rigid body, where the law is linear.
func (c *Contact) integrates(edge int32) bool {
	return c.exact && c.Rigid[edge] != Deformable && c.outline.Edges[edge].Radius == 0
}

// byBodies tells whether edges i and j share the load that they carry by the sizes of their bodies.
func (c *Contact) byBodies(i, j int32) bool { return c.integrates(i) && c.integrates(j) }

// carriesNoLoad tells that contact nodes on edge i carry no load against edge j.
func (c *Contact) carriesNoLoad(i, j int32) bool {
	own, other := &c.outline.sizes[i], &c.outline.sizes[j]
	if c.byBodies(i, j) {
		return fullWeightRatio*other.body <= own.body
	}
	return fullWeightRatio*max(other.own, other.atA, other.atB) <= min(own.own, own.atA, own.atB)
}

// shares tells whether the fraction of its area that a contact node on edge i stands for against
// edge j follows from the sizes of both edges alone, where nothing is transferred, and is nowhere zero. Then it is found once all
// contact points are there.
func (c *Contact) shares(i, j int32) bool {
	if !c.twoPass(i, j) || c.Ends || c.Width != nil || c.hasCorners(i) || c.integrates(i) {
		return false
	}
	const rounding = 1e-6
	own, other := &c.outline.sizes[i], &c.outline.sizes[j]
	return fullWeightRatio*min(other.own, other.atA, other.atB) > (1+rounding)*max(own.own, own.atA, own.atB)
}
