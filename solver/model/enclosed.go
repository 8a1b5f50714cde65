package model

import (
	"fdem/mesh"
)

// Closed tells whether the boundary edges of a meshed body go around it. The boundary of a body
// that shares nodes with another body is open where they are joined.
func (m *Model) Closed(b *mesh.Body) bool {
	for i := b.FirstEdge; i < b.EndEdge; i++ {
		if next := m.Mesh.Edges[i].Next; next < b.FirstEdge || next >= b.EndEdge {
			return false
		}
	}
	return true
}
