package cohesive

import (
	"math"

	"fdem/materials/elementary"
)

// Strength is when a plane breaks: in tension by an ellipse of normal and
// shear traction, in compression by the law of Mohr and Coulomb.
type Strength struct {
	Tension  float64 // tensile strength f [Pa], above 0
	Cohesion float64 // shear strength without pressure c [Pa], above 0
	Friction float64 // coefficient of internal friction, tan phi
}

// Used returns how much of the strength the traction (normal, shear) [Pa] on a
// plane takes; from 1 on the plane breaks, and a plane of r times the strength
// (cohesion and tension; friction stays) breaks from r on:
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
// in-plane stresses xx, yy, xy [Pa]. No plane breaks where it is below 1.
func (s Strength) Greatest(xx, yy, xy float64) float64 {
	p, r := float64(0.5*(xx+yy)), elementary.Hypot(0.5*(xx-yy), xy)
	// Mohr's circle against the line |shear| = used c - friction normal; its
	// tangent point may lie in tension, where the ellipse decides.
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
	// With less cohesion than tension the ellipse is touched between the two.
	if f, c := s.Tension, s.Cohesion; c < f && r > 0 {
		u := p / r * c * c / ((f - c) * (f + c))
		if n := p + float64(r*u); math.Abs(u) < 1 && n > 0 {
			used = max(used, s.Used(n, r*math.Sqrt((1-u)*(1+u))))
		}
	}
	return used
}

// Sheared returns the cosine of twice the angle between the direction of the greatest
// tension and the normals of the two planes that shear breaks first, where Mohr's circle
// has the middle p and the radius r > 0 [Pa]. The greatest Used of all planes is that of
// one of them or of the plane of the greatest tension.
func (s Strength) Sheared(p, r float64) float64 {
	tangent := s.Friction / math.Sqrt(1+float64(s.Friction*s.Friction))
	if p+float64(r*tangent) <= 0 {
		return tangent
	}
	if f, c := s.Tension, s.Cohesion; c < f { // the ellipse is touched between this plane and that without normal traction
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
