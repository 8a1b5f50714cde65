package solver

import (
	"math"

	"fdem/materials/elementary"
	"fdem/mesh"
	"fdem/solver/contacts"
)

// Facets returns the bodies of a contact that are round at their contact edges.
func (k *results) Facets(contact int) (out []contacts.Facets) {
	c := &k.Model.Contacts[contact]
	if !(c.Young > 0) || !(c.Suitable > 0) || c.Factor == 0 {
		return nil
	}
	seen := map[int32]bool{} // looked up, never iterated
	for _, side := range [][]int32{c.Contactor, c.Opposite} {
		for _, i := range side {
			if body := k.Mesh.Edges[i].Body; !seen[body] {
				seen[body] = true
				if radius, edge := k.round(side, body); radius > 0 {
					out = append(out, contacts.Facets{Body: k.Mesh.Bodies[body].Name, Radius: radius, Edge: edge, Stiffness: c.Factor * c.Suitable * edge / c.Young})
				}
			}
		}
	}
	return out
}

// round returns the radius of the outline of a meshed body along edges, and its
// longest edge [m]; 0 if it is not round.
func (k *results) round(edges []int32, body int32) (radius, longest float64) {
	m, sum, n := k.Mesh, 0.0, 0
	least, most := math.Inf(1), 0.0
	for _, i := range edges {
		e := &m.Edges[i]
		if e.Body != body {
			continue
		}
		if e.Tri < 0 || e.Prev < 0 {
			return 0, 0
		}
		bent, turn := m.Bend(i)
		length := elementary.Norm(m.Along(i))
		if !(turn > 0 && turn < mesh.RoundTurn) {
			return 0, 0
		}
		least, most, longest = min(least, bent), max(most, bent), max(longest, length)
		sum, n = sum+bent, n+1
	}
	if most > contacts.RoundSpread*least {
		return 0, 0
	}
	return float64(n) / sum, longest
}
