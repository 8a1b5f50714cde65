package model

import (
	"math"
)

// Permeable adds the joints that a fluid can enter while they are closed.
func (m *Model) Permeable(parts []bool) []bool {
	for i := range m.Fluids {
		f := &m.Fluids[i]
		for j := range m.Fracture.Edges {
			r := m.Fracture.Edges[j].Region
			if !(f.Residual > 0) || r < 0 || m.Fracture.Joints == nil || !m.Fracture.Joints[r] || f.Enters != nil && !f.Enters[r] {
				continue
			}
			if parts == nil {
				parts = make([]bool, len(m.Fracture.Edges))
			}
			parts[j] = true
		}
	}
	return parts
}

// Impedance returns the impedances of longitudinal and shear waves in a material [Pa s/m].
func (p *Model) Impedance(material int32) (pressure, shear float64) {
	of := &p.Materials[material]
	m := of.Moduli(p.Plane)
	return math.Sqrt(of.Density * m.C11), math.Sqrt(of.Density * m.G)
}
