package model

import (
	"slices"

	"fdem/fem/fracture"
)

// Dilates tells whether a joint has dilation.
func (f *Fracture) Dilates() bool {
	return f != nil && slices.ContainsFunc(f.Regions, func(r fracture.Region) bool { return r.Springs != nil && r.Springs.Dilation > 0 })
}

// BreaksBy returns for each body a region by which it breaks, plus 1; 0 if it cannot break.
func (m *Model) BreaksBy() []int32 {
	breaks := make([]int32, len(m.Mesh.Bodies))
	if m.Fracture == nil {
		return breaks
	}
	body := m.Mesh.BodyOf()
	for i := range m.Fracture.Edges {
		if e := &m.Fracture.Edges[i]; e.Region >= 0 {
			breaks[body[e.A]], breaks[body[e.B]] = e.Region+1, e.Region+1
		}
	}
	return breaks
}
