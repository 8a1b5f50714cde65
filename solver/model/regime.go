package model

import (
	"math"

	"fdem/materials/elementary"
)

// Regime is the propagation regime of a plane-strain fracture that a viscous fluid drives.
type Regime struct {
	Rate      float64 // greatest rate of injection, into two wings, per thickness [m2/s]
	Reynolds  float64 // Reynolds number of one wing
	Toughness float64 // sqrt(E' G), the least of everything that can break [Pa m^(1/2)]; 0 for none
	Number    float64 // K_m = K'/(E'^3 mu' Q)^(1/4); below 0.7 viscosity dominates, above 4 toughness
	Length    float64 // length of a wing at the end, by the solution of the regime [m]
	Edge      float64 // the longest edge that can break [m]
	Stress    float64 // least initial compression of the cracks at the well [Pa]
	Lag       float64 // E'^2 mu'/stress^3: the time after which the dry zone at the tip is small [s]
}

// greatestRate returns the greatest rate of a fluid [m3/s].
func (f *Fluid) greatestRate(m *Model) (rate float64) {
	const looks = 100
	for i := range looks + 1 {
		rate = max(rate, f.Rate(m.Duration*float64(i)/looks))
	}
	return rate
}

// Strike returns the rise of the pressure of an injected liquid in a rigid well, while a
// pressure wave goes around the wall, and the least tensile strength of everything that can
// break [Pa]; infinite if nothing can.
func (f *Fluid) Strike(m *Model) (rise, strength float64) {
	round := 0.0
	for _, i := range f.Well {
		round += elementary.Norm(m.Mesh.Along(i))
	}
	strength = math.Inf(1)
	for i := range m.Fracture.Sizes {
		if m.Fracture.Joints == nil || !m.Fracture.Joints[i] {
			strength = min(strength, 1/m.Fracture.Regions[i].Law.Used(1, 0))
		}
	}
	of := &m.Materials[m.Bodies[m.Mesh.Edges[f.Well[0]].Body].Material]
	speed := math.Sqrt(of.Moduli(m.Plane).C11 / of.Density)
	return f.Bulk * f.greatestRate(m) / f.Volume * round / speed, strength
}

// Regime estimates the propagation regime of the fracture that a fluid drives (Detournay 2004).
func (f *Fluid) Regime(m *Model) (r Regime) {
	r.Rate = f.greatestRate(m) / m.Thickness
	r.Reynolds = 0.5 * f.Density * r.Rate / f.Viscosity
	wall := &m.Mesh.Edges[f.Well[0]]
	of := &m.Materials[m.Bodies[wall.Body].Material]
	young := of.Young / (1 - float64(of.Poisson*of.Poisson))
	energy := math.Inf(1)
	for i, s := range m.Fracture.Sizes {
		if m.Fracture.Joints == nil || !m.Fracture.Joints[i] {
			energy, r.Edge = min(energy, m.Fracture.Regions[i].Law.Energy.Tension), max(r.Edge, s.Edge)
		}
	}
	if math.IsInf(energy, 1) || !(young > 0) {
		return r
	}
	r.Toughness = math.Sqrt(young * energy)
	mu := 12 * f.Viscosity
	r.Number = 4 * math.Sqrt(2/math.Pi) * r.Toughness / math.Sqrt(math.Sqrt(young*young*young*mu*r.Rate))
	r.Length = elementary.Pow(young*r.Rate*m.Duration/(2*math.Sqrt(math.Pi)*r.Toughness), 2./3)
	if viscous := 0.6154 * elementary.Pow(young*r.Rate*r.Rate*r.Rate/mu, 1./6) * elementary.Pow(m.Duration, 2./3); viscous < r.Length {
		r.Length = viscous
	}
	for i := range m.InitialStresses {
		if s := &m.InitialStresses[i]; s.Body == wall.Body {
			t := s.Stress(m.Mesh.X[wall.A])
			r.Stress = max(0, float64(-0.5*(t.XX+t.YY))-elementary.Hypot(0.5*(t.XX-t.YY), t.XY))
		}
	}
	if r.Stress > 0 {
		r.Lag = young * young * mu / (r.Stress * r.Stress * r.Stress)
	}
	return r
}
