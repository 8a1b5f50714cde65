package overlap

import "math"

// SphereOverlap is a sphere that a second body overlaps: another sphere, a half space or
// the solid around a spherical hollow.
type SphereOverlap struct {
	Radius float64 // [m]
	Other  float64 // radius of the second body [m]: 0 for a half space, negative for a hollow
}

// caps returns the heights of the two caps that make up the overlap at a
// deflection d [m]. The cap of a hollow has a negative height.
func (b SphereOverlap) caps(d float64) (one, other float64) {
	if b.Other == 0 {
		return d, 0
	}
	between := b.Radius + b.Other - d
	return d * (between + (b.Other - b.Radius)) / (2 * between), d * (between - (b.Other - b.Radius)) / (2 * between)
}

// Volume returns the volume of the overlap at a deflection d [m3], its area
// across the axis [m2], and the integral of the volume over the deflection
// [m4].
func (b SphereOverlap) Volume(d float64) (volume, area, integral float64) {
	r := b.Radius
	h, _ := b.caps(d)
	area = math.Pi * h * (float64(2*r) - h)
	dd := float64(d * d)
	if b.Other == 0 {
		return math.Pi * dd * (r - d/3), area, math.Pi * d * dd * (r/3 - d/12)
	}
	// V = pi d^2 (D^2 + 2 D S - 3 T^2)/(12 D), D = S - d between the centres
	s, t := r+b.Other, r-b.Other
	between := s - d
	// D^2 + 2 D S - 3 T^2 = 12 r q - 4 S d + d^2
	volume = math.Pi * dd * (float64(12*r*b.Other) - float64(4*s*d) + dd) / (12 * between)
	// integral of d^2/(S - d), term by term
	x := d / s
	power, sum := float64(x*x*x), 0.0
	for k := 3.0; k < 60; k++ {
		term := power / k
		sum += term
		if math.Abs(term) < 1e-17*math.Abs(sum) {
			break
		}
		power *= x
	}
	integral = math.Pi / 12 * (float64(s*d*dd) - float64(0.25*dd*dd) - float64(3*t*t*s*s*sum))
	return volume, area, integral
}

// J returns the overlap's second moment about a plane through the axis at a
// deflection d [m5].
func (b SphereOverlap) J(d float64) float64 {
	segment := func(r, h float64) float64 {
		return float64(0.25 * math.Pi * h * h * h * (float64(4./3*r*r) - float64(r*h) + float64(0.2*h*h)))
	}
	one, other := b.caps(d)
	return segment(b.Radius, one) + segment(b.Other, other)
}
