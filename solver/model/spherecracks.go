package model

import (
	"fdem/fem/fracture"
)

// ContactsWhereBreaking returns for each edge 0 if spheres may contact it once it has separated,
// else -1. It returns nil if there is no such edge.
func (m *Model) ContactsWhereBreaking(edges []fracture.Edge, body []int32) []int32 {
	kinds, leaves := m.Particles.BodyKind, m.ExcavationTimes()
	first, some := make([]int32, len(edges)), false
	for j := range edges {
		e := &edges[j]
		a, b := body[e.A], body[e.B]
		if first[j] = -1; max(kinds[a], kinds[b]) >= 0 && (e.Region >= 0 || a != b && leaves[a] != leaves[b]) {
			first[j], some = 0, true
		}
	}
	if !some {
		return nil
	}
	return first
}
