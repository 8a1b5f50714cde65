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

// roundSpread is the least ratio of the curvatures at neighbouring nodes of an arc.
const roundSpread = 0.9

// ArcBends returns per edge the curvature of the arc that it represents [1/m], positive if the body is
// inside, 0 for a straight one. Four edges or more are an arc if the outline turns between them by about
// the same curvature, and by less than RoundTurn. An edge has the mean curvature of its ends within the arc.
func (m *Mesh) ArcBends() []float64 {
	at, on := make([]float64, len(m.Edges)), make([]bool, len(m.Edges)) // of the node where an edge starts
	for i := range m.Edges {
		if curvature, turn := m.Bend(int32(i)); math.Abs(turn) < RoundTurn {
			at[i] = curvature
		}
	}
	alike := func(i, j int32) bool {
		a, b := at[i], at[j]
		return a*b > 0 && min(math.Abs(a), math.Abs(b)) >= float64(roundSpread*max(math.Abs(a), math.Abs(b)))
	}
	for i := range m.Edges {
		if e := &m.Edges[i]; e.Prev >= 0 && e.Next >= 0 && alike(e.Prev, int32(i)) && alike(int32(i), e.Next) {
			on[e.Prev], on[i], on[e.Next] = true, true, true
		}
	}
	bend := make([]float64, len(m.Edges))
	for i := range m.Edges {
		switch e := &m.Edges[i]; {
		case e.Radius != 0:
			bend[i] = 1 / e.Radius
		case e.Next < 0:
		case on[i] && on[e.Next] && at[i]*at[e.Next] > 0:
			bend[i] = 0.5 * (at[i] + at[e.Next])
		case on[i] && !on[e.Next]:
			bend[i] = at[i]
		case on[e.Next] && !on[i]:
			bend[i] = at[e.Next]
		}
	}
	return bend
}

// ArcRise returns the height of an arc over the middle of its chord [m]. It belongs to the circle with the same
// mean radius.
func ArcRise(curvature float64, chord r2.Vec) float64 {
	length := elementary.Norm(chord)
	turn := curvature * length
	return 0.125 * turn * length * (1 + float64(turn*turn)/30)
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
