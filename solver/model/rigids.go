package model

import (
	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// BoundingRadius returns the greatest distance of the outline from the centre [m].
func (r *Rigid) BoundingRadius(m *mesh.Mesh) float64 {
	far := 0.0
	for i := range m.Bodies {
		if b := &m.Bodies[i]; b.Kind == mesh.OfOutline && b.Name == r.Name {
			for _, n := range b.Nodes {
				far = max(far, elementary.Norm(r2.Sub(m.X[n], r.Centre)))
			}
		}
	}
	return far
}

// ReactionName returns the name of a rigid body's reaction: the name of the body, unless a contact
// has columns of that name.
func (m *Model) ReactionName(body string) string {
	for i := range m.Contacts {
		if c := &m.Contacts[i]; c.Name == body || c.Of == body {
			return body + " rigid"
		}
	}
	return body
}
