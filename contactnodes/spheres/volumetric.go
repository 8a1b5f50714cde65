package spheres

import (
	"math"

	"fdem/materials/contact"
)

// volumetric is contact by the volume of the overlap of two spheres, or of a
// sphere and a half space or a spherical socket: Y. Gonthier, J. McPhee, C.
// Lange, J.-C. Piedboeuf, A novel contact model based on volumetric
// information, 2004,
//
//	F = k_f/h_f V(d) (1 + a v)          eq. (3), not below 0
//	torque = k_f/h_f a J(d) omega       eq. (4), against rolling
//
// with volume and second moment of the overlap in closed form. It has no
// memory; what it stores is the integral of k_f/h_f V.
type volumetric struct {
	contact.Volumetric
	one, other float64 // radii [m]; other 0 for a half space, negative for a socket
}

// NewVolumetric makes the law for a sphere of radius one and a partner of
// radius other [m]: 0 for a half space, negative for a socket.
func NewVolumetric(l contact.Volumetric, one, other float64) contact.Law {
	return &volumetric{l, one, other}
}

// heights returns how high the caps are that make up the overlap [m]; that of
// a socket is negative.
func (l *volumetric) heights(d float64) (one, other float64) {
	if l.other == 0 {
		return d, 0
	}
	between := l.one + l.other - d
	return d * (between + (l.other - l.one)) / (2 * between), d * (between - (l.other - l.one)) / (2 * between)
}

// overlap returns the volume [m3], the area across [m2] and the volume's
// integral over the deflection [m4].
func (l *volumetric) overlap(d float64) (volume, area, integral float64) {
	r := l.one
	h, _ := l.heights(d)
	area = math.Pi * h * (float64(2*r) - h)
	dd := float64(d * d)
	if l.other == 0 {
		return math.Pi * dd * (r - d/3), area, math.Pi * d * dd * (r/3 - d/12)
	}
	// V = pi d^2 (D^2 + 2 D S - 3 T^2)/(12 D), D = S - d between the centres
	s, t := r+l.other, r-l.other
	between := s - d
	// D^2 + 2 D S - 3 T^2 = 12 r q - 4 S d + d^2
	volume = math.Pi * dd * (float64(12*r*l.other) - float64(4*s*d) + dd) / (12 * between)
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

// moment returns the overlap's second moment about a plane through the axis
// [m5].
func (l *volumetric) moment(d float64) float64 {
	segment := func(r, h float64) float64 {
		return float64(0.25 * math.Pi * h * h * h * (float64(4./3*r*r) - float64(r*h) + float64(0.2*h*h)))
	}
	one, other := l.heights(d)
	return segment(l.one, one) + segment(l.other, other)
}

// torque returns the rolling torque on the first [N m] at a rate of deflection
// and its spin over its partner's [rad/s].
func (l *volumetric) torque(d, rate, spin float64) float64 {
	if 1+float64(l.A*rate) <= 0 || l.A == 0 {
		return 0
	}
	return -l.K * l.A * l.moment(d) * spin
}

// Eval implements contact.Law.
func (l *volumetric) Eval(in contact.Input, out contact.Output) {
	for i, d := range in.D {
		out.P[i], out.DP[i], out.K[i], out.W[i] = 0, 0, 0, 0
		if !(d > 0) {
			continue
		}
		v, area, integral := l.overlap(d)
		grown := max(0, 1+float64(l.A*in.Rate[i]))
		out.P[i] = l.K * v * grown
		out.DP[i] = l.K * area * grown
		out.K[i] = l.K * area * max(1, grown)
		out.W[i] = l.K * integral
	}
}
