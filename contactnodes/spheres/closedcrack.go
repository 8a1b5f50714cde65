package spheres

import (
	"fdem/boundingbox"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Closed cracks: contact of spheres with bodies that break. A crack has two faces, which are
// edges of the outline like others. If it is closed, the faces lie on each other, and a sphere
// over it is in contact with both. The part that counts twice is subtracted, as at corners, by
// inclusion and exclusion of the two fragments P and Q,
//
//	    o              Phi(P or Q) = Phi(P) + Phi(Q) - k Phi(crack)
//	___/_\___
//	  P | Q            k = 1 closed, 0 once contact has the faces
//	    |
//
// with the energy Phi of the law at the penetration of the nearest point, and the closed crack
// in the middle between the faces, no deeper than the mean of P and Q. So the forces do not change
// when a vertex opens under a sphere, and no contact pulls. k is the part of the faces that still belongs to the crack (package fracture,
// Separate), a function of the positions of the nodes. The crack adds the force of dk/dx for
// the energies in ClosedCracks; then all forces have one potential. Dashpots have no potential.
// In a patch that a closed crack joins, the leading contact point damps fully, and the others
// as far as the crack has opened.

// ClosedCrackEnergy is the energy [J] that the law of one sphere would store in a closed
// crack.
type ClosedCrackEnergy struct {
	Edge   int32
	Energy float64
}

// Change gives an edge of the outline the nodes a and b at positions x [m], and activates or
// deactivates it. Its former nodes must be at the same positions.
func (s *Spheres) Change(e, a, b int32, x [2]r2.Vec, asleep bool) {
	o := &s.Outline.Edges[e]
	for i, n := range [2]int32{a, b} {
		if asleep || s.isUsed[n] {
			continue
		}
		s.X[s.rim+int(n)], s.atList[s.rim+int(n)] = x[i], x[i]
		if old := [2]int32{o.A, o.B}[i]; s.isUsed[old] { // the list was made with the position of the former node
			s.atList[s.rim+int(n)] = s.atList[s.rim+int(old)]
		}
	}
	wakes := o.Asleep && !asleep
	if !o.Asleep && asleep {
		o.left, o.Prev, o.Next = true, -1, -1
	}
	o.A, o.B, o.Asleep = a, b, asleep
	s.search.Change(s.n+len(s.owner)+int(e), s.searched(e), wakes && s.isNear(x))
}

// isNear tells whether a sphere may be in contact with a segment between two positions before
// the next list is made. Each of the two may move by twice the list's slack, because it may
// have been displaced by the slack in the opposite direction.
func (s *Spheres) isNear(x [2]r2.Vec) bool {
	span := r2.Vec{X: x[1].X - x[0].X, Y: x[1].Y - x[0].Y}
	length := elementary.Norm(span) // a closed crack's may be off by half of it
	for i := range s.n {
		if toSegment(s.X[i], x[0], x[1]) <= float64((1+lookAhead)*(1+gapRounding)*s.Radius[i])+float64(4*s.slack)+float64(0.5*length) {
			return true
		}
	}
	return false
}

// searched returns an edge of the outline in the form of the search, and marks its
// nodes as used.
func (s *Spheres) searched(e int32) boundingbox.Edge {
	o := &s.Outline.Edges[e]
	out := boundingbox.Edge{A: int32(s.rim) + o.A, B: int32(s.rim) + o.B, Component: int32(s.n+len(s.Walls)) + o.Component}
	if o.Asleep && !o.left {
		return out
	}
	out.Opposite = 1
	for _, n := range [2]int32{o.A, o.B} {
		if !s.isUsed[n] {
			s.isUsed[n], s.used = true, append(s.used, n)
		}
	}
	return out
}

// Used returns the nodes of the active edges of the outline.
func (s *Spheres) Used() []int32 { return s.used }

// span returns the ends of an edge of the outline. The ends of a closed crack are halfway
// between its faces.
func (s *Spheres) span(e int32) (a, b r2.Vec) {
	nodes, o := s.X[s.rim:], &s.Outline.Edges[e]
	if !o.ClosedCrack {
		return nodes[o.A], nodes[o.B]
	}
	p, q := &s.Outline.Edges[e-2], &s.Outline.Edges[e-1]
	half := func(n, m int32) r2.Vec {
		return r2.Vec{X: 0.5 * (nodes[n].X + nodes[m].X), Y: 0.5 * (nodes[n].Y + nodes[m].Y)}
	}
	return half(p.A, q.B), half(p.B, q.A)
}

// findClosedCrack appends the closed crack of a slot if a sphere is over it, or was so until
// the last step.
func (s *Spheres) findClosedCrack(b *batch, c int32, q *outlinePoints) {
	t := &s.slots
	p, h := t.pair[c], &t.pairMemory[c]
	i, e := &s.motion[p.I], s.edgeOf(p)
	kept := s.Outline.Edges[e].ClosedPart
	j := corner{edge: e, closedPart: [2]float64{kept, kept}, ends: [2]int32{-1, -1}, lead: -1, rule: b.rule, before: t.corner[c]}
	if h.d > 0 {
		j.closedPart[0] = h.force
	}
	h.d, h.force, t.corner[c] = 0, 0, 0
	from, to := s.span(e)
	chord, at := r2.Vec{X: to.X - from.X, Y: to.Y - from.Y}, r2.Vec{X: i.x.X - from.X, Y: i.x.Y - from.Y}
	j.at = min(max(elementary.Dot(at, chord)/elementary.Dot(chord, chord), 0), 1)
	n := r2.Vec{X: float64(j.at*chord.X) - at.X, Y: float64(j.at*chord.Y) - at.Y}
	distance := elementary.Norm(n)
	if d := t.reach[c].radii - distance; d > 0 && max(j.closedPart[0], j.closedPart[1]) > 0 {
		j.d, h.d, h.force = d, d, kept
	}
	if j.d == 0 && j.before == 0 || distance == 0 {
		return
	}
	n.X, n.Y = n.X/distance, n.Y/distance
	j.contactPoint = contactPoint{slot: c, i: p.I, j: p.J, n: n, armI: distance}
	v, w := s.velocityOn(e-2, j.at), s.velocityOn(e-1, 1-j.at)
	v = r2.Vec{X: 0.5 * (v.X + w.X), Y: 0.5 * (v.Y + w.Y)}
	j.setRates(i, v, 0, v, 0) // no rate: a closed crack with negative damping would drive a side with little contact
	q.corners = append(q.corners, j)
}
