package cohesive

import (
	"math"

	"fdem/materials/elementary"
)

// Strength is the criterion by which a plane breaks: in tension an ellipse of
// normal and shear traction, in compression the law of Mohr and Coulomb.
type Strength struct {
	Tension  float64 // tensile strength f [Pa], above 0
	Cohesion float64 // shear strength without pressure c [Pa], above 0
	Friction float64 // coefficient of internal friction, tan phi
}

// Used returns the part of the strength that the traction (normal, shear) [Pa]
// on a plane uses. The plane breaks from 1 on. A plane with r times the
// cohesion and tensile strength, and the same friction, breaks from r on:
//
//	sqrt((normal/f)^2 + (shear/c)^2)        in tension, normal > 0
//	max(0, |shear| - friction |normal|)/c   in compression
//
// Source: quadratic criterion of G. T. Camacho and M. Ortiz, Int. J. Solids
// Structures 33 (1996) 2899; Mohr and Coulomb.
func (s Strength) Used(normal, shear float64) float64 {
	if normal > 0 {
		return elementary.Hypot(normal/s.Tension, shear/s.Cohesion)
	}
	return max(0, math.Abs(shear)+float64(s.Friction*normal)) / s.Cohesion
}

// Greatest returns the greatest Used of all planes through a point with the
// in-plane stresses xx, yy, xy [Pa]. Below 1 no plane breaks.
func (s Strength) Greatest(xx, yy, xy float64) float64 {
	p, r := float64(0.5*(xx+yy)), elementary.Hypot(0.5*(xx-yy), xy)
	// Mohr's circle against the line |shear| = used c - friction normal. Its
	// tangent point may lie in tension, where the ellipse holds.
	h := math.Sqrt(1 + float64(s.Friction*s.Friction))
	used := 0.0
	if p+float64(r*s.Friction/h) <= 0 {
		used = max(0, float64(r*h)+float64(s.Friction*p)) / s.Cohesion
	}
	if math.Abs(p) < r { // the plane without normal traction
		used = max(used, math.Sqrt((r-p)*(r+p))/s.Cohesion)
	}
	if p+r > 0 { // the plane of the greatest normal traction
		used = max(used, (p+r)/s.Tension)
	}
	// If the cohesion is below the tensile strength, the circle touches the
	// ellipse between the two planes.
	if f, c := s.Tension, s.Cohesion; c < f && r > 0 {
		u := p / r * c * c / ((f - c) * (f + c))
		if n := p + float64(r*u); math.Abs(u) < 1 && n > 0 {
			used = max(used, s.Used(n, r*math.Sqrt((1-u)*(1+u))))
		}
	}
	return used
}

// Sheared returns the cosine of twice the angle between the direction of the greatest
// tension and the normals of the two planes that break first in shear. p is the middle
// and r > 0 the radius of Mohr's circle [Pa]. The greatest Used of all planes is that of
// one of these two or of the plane of the greatest tension.
func (s Strength) Sheared(p, r float64) float64 {
	tangent := s.Friction / math.Sqrt(1+float64(s.Friction*s.Friction))
	if p+float64(r*tangent) <= 0 {
		return tangent
	}
	if f, c := s.Tension, s.Cohesion; c < f { // the circle touches the ellipse between this plane and that without normal traction
		if u := p / r * c * c / ((f - c) * (f + c)); math.Abs(u) < 1 && p+float64(r*u) > 0 {
			return u
		}
	}
	return max(-1, min(1, -p/r))
}

// Onset returns the size of the traction [Pa] at which a plane breaks on a
// straight path of a mode mixity: 1/sqrt((1 -
// mixity)/f^2 + mixity/c^2).
func (s Strength) Onset(mixity float64) float64 {
	return 1 / elementary.Hypot(math.Sqrt(1-mixity)/s.Tension, math.Sqrt(mixity)/s.Cohesion)
}
