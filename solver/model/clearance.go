package model

import (
	"math"

	"fdem/materials/elementary"
)

// SagittaBound bounds the distance of an edge from its chord. The edge is an arc of at most half a
// circle [m].
func (m *Model) SagittaBound(e int) float64 {
	edge := &m.Mesh.Edges[e]
	if edge.Radius == 0 {
		return 0
	}
	chord := m.Mesh.Along(int32(e))
	return elementary.Dot(chord, chord) / (4 * math.Abs(edge.Radius))
}
