package cohesive

import "fdem/materials/elementary"

// Mixity returns the mode mixity, which is the part of shear in the energy, of a plane that
// breaks by the traction (normal, shear) on a straight path: shear^2/(normal^2 + shear^2). A
// plane under pressure breaks in shear alone. The mixity is 0 without traction.
func Mixity(normal, shear float64) float64 {
	n := max(normal, 0)
	if n == 0 {
		if shear == 0 {
			return 0
		}
		return 1
	}
	r := shear / n
	r = float64(r * r)
	if r > 1 { // so that neither branch overflows
		return 1 / (1 + 1/r)
	}
	return r / (1 + r)
}

// Mixed holds the fracture energies of tension (mode I) and shear (mode II).
type Mixed struct {
	Tension, Shear float64 // [J/m2]
	Exponent       float64 // of Benzeggagh and Kenane
}

// Energy returns the fracture energy [J/m2] at a mode mixity,
// G_I + (G_II - G_I) mixity^exponent. Source: M. L. Benzeggagh, M. Kenane,
// Composites Science and Technology 56 (1996) 439.
func (m Mixed) Energy(mixity float64) float64 {
	if mixity <= 0 {
		return m.Tension
	}
	return m.Tension + float64((m.Shear-m.Tension)*elementary.Pow(min(mixity, 1), m.Exponent))
}
