package model

import (
	"fdem/mesh"
)

// Widths returns the width of every boundary edge out of the plane [m]; nil without beams.
func (m *Model) Widths() []float64 {
	if len(m.Mesh.Beams) == 0 {
		return nil
	}
	out := make([]float64, len(m.Mesh.Edges))
	for i, e := range m.Mesh.Edges {
		out[i] = m.Thickness
		if m.Mesh.Bodies[e.Body].Kind == mesh.OfBeams {
			out[i] = m.Bodies[e.Body].Width
		}
	}
	return out
}
