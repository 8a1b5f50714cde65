package model

import (
	"math"
	"slices"

	"fdem/fem/fracture"
)

// BreakingEdges returns all interior edges if bodies can break, otherwise those between excavated
// bodies and their neighbours.
func (m *Model) BreakingEdges() []fracture.Edge {
	if m.Fracture != nil {
		return m.Fracture.Edges
	}
	if len(m.Excavations) == 0 {
		return nil
	}
	body, leaves := m.Mesh.BodyOf(), m.ExcavationTimes()
	return slices.DeleteFunc(fracture.Interior(m.Mesh.Triangles), func(e fracture.Edge) bool {
		a, b := body[e.A], body[e.B]
		return a == b || leaves[a] == leaves[b]
	})
}

// ExcavationTimes returns for each body of the mesh the time at which it is excavated [s], +Inf if
// it is not.
func (m *Model) ExcavationTimes() []float64 {
	out := slices.Repeat([]float64{math.Inf(1)}, len(m.Mesh.Bodies))
	for _, x := range m.Excavations {
		out[x.Body] = x.At
	}
	return out
}
