package model

import (
	"fmt"
	"slices"

	"fdem/mesh"
)

// Element returns the name of element i of a kind, with its number in the mesh
// from id, and the name of its body.
func (m *Model) Element(kind string, i int, id []int32, elements func(*mesh.Body) (first, end int32)) string {
	of := slices.IndexFunc(m.Mesh.Bodies, func(b mesh.Body) bool {
		first, end := elements(&b)
		return i >= int(first) && i < int(end)
	})
	return fmt.Sprintf("%s %d of %q", kind, id[i], m.Bodies[of].Name)
}
