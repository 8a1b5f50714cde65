package mesh

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Along returns the vector from the start of an edge to its end [m].
func (m *Mesh) Along(edge int32) r2.Vec {
	e := &m.Edges[edge]
	return r2.Sub(m.X[e.B], m.X[e.A])
}

// Bend returns the curvature of the outline at the start of an edge [1/m]. It is the curvature
// of a circle through the middles of this edge and the previous one. Bend also returns the
// angle by which the outline turns there [rad]. Both are positive at convex corners, and 0 at
// the start of an open outline.
func (m *Mesh) Bend(edge int32) (curvature, turn float64) {
	e := &m.Edges[edge]
	if e.Prev < 0 {
		return 0, 0
	}
	before, d := m.Along(e.Prev), m.Along(edge)
	turn = elementary.Atan2(elementary.Cross(before, d), elementary.Dot(before, d))
	return 2 * turn / (elementary.Norm(d) + elementary.Norm(before)), turn
}

// RoundTurn is the greatest angle between the edges of a round outline; a greater angle is a
// corner.
const RoundTurn = math.Pi / 4

// ArcBend returns the curvature of the arc that an edge represents [1/m], 0 for none. It is the
// harmonic mean of the curvatures at its ends, so that a straight edge beside an arc stays
// straight. If one end is a corner, it is the curvature at the other end.
func (m *Mesh) ArcBend(edge int32) float64 {
	e := &m.Edges[edge]
	if e.Radius != 0 {
		return 1 / e.Radius
	}
	if e.Prev < 0 || e.Next < 0 {
		return 0
	}
	a, turnA := m.Bend(edge)
	b, turnB := m.Bend(e.Next)
	switch cornerA, cornerB := math.Abs(turnA) >= RoundTurn, math.Abs(turnB) >= RoundTurn; {
	case cornerA && cornerB:
		return 0
	case cornerA:
		return b
	case cornerB:
		return a
	case !(a*b > 0):
		return 0
	}
	return 2 * a * b / (a + b)
}

// ArcHeight returns the height of an arc over its chord [m] at the fraction part of the chord.
// curvature is that of the arc [1/m], length2 the squared length of the chord [m2].
func ArcHeight(curvature, length2, part float64) float64 {
	return float64(0.5 * curvature * length2 * part * (1 - part))
}

// Opposed tells whether two edges approximately face each other.
func (m *Mesh) Opposed(i, j int32) bool {
	a, b := m.Along(i), m.Along(j)
	return elementary.Dot(a, b) < float64(-0.5*elementary.Norm(a)*elementary.Norm(b))
}
