package contact

import "math"

// Elastic is the constants of a body's material that contact at a point needs:
// Young's modulus [Pa] and Poisson's ratio. The zero value is rigid.
type Elastic struct{ Young, Poisson float64 }

// EffectiveMass returns m1 m2/(m1+m2) [kg] of two masses in contact. A mass of
// 0 is a held body.
func EffectiveMass(a, b float64) float64 {
	switch {
	case a == 0:
		return b
	case b == 0:
		return a
	}
	return a * (b / (a + b))
}

// EffectiveModulus returns E* [Pa], 1/E* = (1-nu1^2)/E1 + (1-nu2^2)/E2, of two
// bodies in contact, or 0 if both are rigid.
func EffectiveModulus(a, b Elastic) float64 {
	soft := 0.0
	for _, k := range [2]Elastic{a, b} {
		if k.Young > 0 {
			soft += (1 - float64(k.Poisson*k.Poisson)) / k.Young
		}
	}
	if soft == 0 {
		return 0
	}
	return 1 / soft
}

// MindlinRatio returns the tangential stiffness of two spheres in contact over
// the normal one: 4 G*/E*, 1/G* = (2-nu1)/G1 + (2-nu2)/G2, or 0 if both are
// rigid. R. D. Mindlin, Compliance of elastic bodies in contact, 1949.
func MindlinRatio(a, b Elastic) float64 {
	soft := 0.0
	for _, k := range [2]Elastic{a, b} {
		if k.Young > 0 {
			soft += 2 * (2 - k.Poisson) * (1 + k.Poisson) / k.Young // (2-nu)/G
		}
	}
	if soft == 0 {
		return 0
	}
	return math.Min(4/(soft*EffectiveModulus(a, b)), 1e6)
}
