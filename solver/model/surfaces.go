package model

import (
	"fdem/contactnodes"
)

// CornersMeet tells whether a contact has straight edges of rigid bodies on both sides, and
// one of the bodies can move.
func (m *Model) CornersMeet(c *SurfaceContact, rigid []contactnodes.Rigidity) bool {
	if rigid == nil {
		return false
	}
	sides, free := [2]bool{}, false
	for k, list := range [2][]int32{c.Contactor, c.Opposite} {
		for _, i := range list {
			if rigid[i] != contactnodes.Deformable && m.Mesh.Edges[i].Radius == 0 {
				sides[k] = true
				free = free || rigid[i] == contactnodes.Free
			}
		}
	}
	return sides[0] && sides[1] && free
}
