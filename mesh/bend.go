package mesh

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Along returns the way from the start of an edge to its end [m].
func (m *Mesh) Along(edge int32) r2.Vec {
	e := &m.Edges[edge]
	return r2.Sub(m.X[e.B], m.X[e.A])
}

// Bend returns the curvature of the outline at the start of an edge [1/m], that of a circle through
// the middles of the edge and the one before it, and by how much the outline turns there: both
// above 0 at convex corners, 0 where an open outline starts.
func (m *Mesh) Bend(edge int32) (curvature, turn float64) {
	e := &m.Edges[edge]
	if e.Prev < 0 {
		return 0, 0
	}
	before, d := m.Along(e.Prev), m.Along(edge)
	turn = elementary.Atan2(elementary.Cross(before, d), elementary.Dot(before, d))
	return 2 * turn / (elementary.Norm(d) + elementary.Norm(before)), turn
}

// RoundTurn is by how much the edges of a round outline turn at most, and less than at a corner.
const RoundTurn = math.Pi / 4

// ArcBend returns the curvature of the arc that an edge stands for [1/m]: the harmonic mean of
// those at its ends, so that a straight edge beside an arc stays straight, and that of the other
// end at a corner; 0 for none.
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

// ArcHeight returns how far an arc of a curvature [1/m] is beyond its chord, whose length squared is
// given [m2], a part of the way along it [m].
func ArcHeight(curvature, length2, part float64) float64 {
	return float64(0.5 * curvature * length2 * part * (1 - part))
}

// Opposed tells whether two edges face each other, more or less.
func (m *Mesh) Opposed(i, j int32) bool {
	a, b := m.Along(i), m.Along(j)
	return elementary.Dot(a, b) < float64(-0.5*elementary.Norm(a)*elementary.Norm(b))
}
