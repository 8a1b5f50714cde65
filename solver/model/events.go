package model

import (
	"slices"

	"fdem/mesh"
)

// MaterialOf returns the material of a triangle.
func (m *Model) MaterialOf(t int32) int32 {
	i := slices.IndexFunc(m.Mesh.Bodies, func(b mesh.Body) bool { return t >= b.First && t < b.End && b.Kind == mesh.OfTriangles })
	return m.Bodies[i].Material
}
