package contactnodes

import (
	"math"

	"fdem/mesh"
)

// Symmetric (two-pass) contact. If both sides of a contact have contact nodes, each position must
// carry its pressure only once. So the contact nodes of the two sides represent parts of their
// areas that add up to one. The side with smaller edges carries more, and everything if its edges
// are three times smaller. This is a choice of "master" and "slave", as in other codes, at each
// point.
//
//	w  1 |             ______     part of the finer side
//	     |         __--
//	 1/2 |      .-'               like sizes carry halves
//	     |  __--
//	   0 |__________________
//	     1/3      1       3       opposite size over own size
//
// Contact nodes of a coarse edge are far from one another. Alone they would press on single fine
// edges, like bumps. Sizes are those of the reference position. They change continuously along an
// outline, so w does not jump when a contact node passes from one opposite edge to the next. If w
// depends on the position, so does the energy of the contact, and its gradient has a component
// along the opposite edge.

// size is the size of an edge as a function of position [m]: its own length in its middle, the
// geometric mean of its length and its neighbour's near its ends, and smooth in between.
type size struct {
	own, atA, atB float64
	slopeFactor   float64 // 2 divided by the product of own and plateau [1/m]
}

// plateau is the part of half an edge, from its middle, beyond which its size is that of its end.
// Around a corner the size is the same on both sides, so it does not jump for a contact node that
// passes from one to the other inside the body.
const plateau = 0.75

func newSizes(m *mesh.Mesh) []size {
	sizes := make([]size, len(m.Edges))
	for i, e := range m.Edges {
		p := layout{radius: e.Radius, chord: distance(m.X[e.A], m.X[e.B])}
		sizes[i].own = p.length()
	}
	for i, e := range m.Edges {
		s := &sizes[i]
		s.atA, s.atB, s.slopeFactor = s.own, s.own, 2/(plateau*s.own)
		if e.Prev >= 0 {
			s.atA = math.Sqrt(s.own * sizes[e.Prev].own)
		}
		if e.Next >= 0 {
			s.atB = math.Sqrt(s.own * sizes[e.Next].own)
		}
	}
	return sizes
}

// size returns the size of the edge at the position t along it, 0...1 [m], and its derivative along
// the edge [1].
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

// towardsEnd returns the distance of position t of an edge from its middle: 0 there, 1 where the
// size becomes that of B, -1 where it becomes that of A.
func towardsEnd(t float64) float64 { return (float64(2*t) - 1) / plateau }

// sizeAt is size without the derivative. z is towardsEnd of the position.
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

// fullWeightRatio is the ratio of sizes from which the side with smaller edges carries everything.
const (
	fullWeightRatio = 3
	steep           = (fullWeightRatio*fullWeightRatio + 1.0) / (fullWeightRatio*fullWeightRatio - 1)
)

// twoPassWeight returns the part of its area that a contact node on an edge of size own represents
// against an edge of size other. It also returns the derivative with respect to other, times
// change. twoPassWeight(a, b) + twoPassWeight(b, a) = 1.
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

// integrates tells whether strips of an edge integrate the law exactly. This is so on a straight
// edge of a rigid body with a linear law.
func (c *Contact) integrates(edge int32) bool {
	return c.exact && c.Rigid[edge] != Deformable && c.outline.Edges[edge].Radius == 0
}

// carriesNoLoad tells that contact nodes on edge i carry no load against edge j.
func (c *Contact) carriesNoLoad(i, j int32) bool {
	own, other := &c.outline.sizes[i], &c.outline.sizes[j]
	return fullWeightRatio*max(other.own, other.atA, other.atB) <= min(own.own, own.atA, own.atB)
}

// shares tells whether the area fraction of a contact node on edge i against edge j depends only on
// the sizes of both edges and is nowhere zero, if nothing is transferred. Then it is found once all
// contact points are known.
func (c *Contact) shares(i, j int32) bool {
	if !c.twoPass(i, j) || c.Ends || c.Width != nil || c.integrates(i) {
		return false
	}
	const rounding = 1e-6
	own, other := &c.outline.sizes[i], &c.outline.sizes[j]
	return fullWeightRatio*min(other.own, other.atA, other.atB) > (1+rounding)*max(own.own, own.atA, own.atB)
}
