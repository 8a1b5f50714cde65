package model

import (
	"slices"
)

// InPairs tells whether triangles of a body share their volume with another.
func (m *Model) InPairs(body int) bool {
	b := &m.Mesh.Bodies[body]
	return m.Mesh.Pairs != nil && slices.Contains(m.Mesh.Pairs[b.First:b.End], true)
}
