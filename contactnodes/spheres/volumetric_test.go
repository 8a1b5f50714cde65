package spheres

import (
	"math"
	"testing"

	"fdem/materials/contact"
)

func ask(l contact.Law, d, rate float64) (force, slope, stiffest, stored float64) {
	one := func(v float64) []float64 { return []float64{v} }
	out := contact.Output{P: one(0), DP: one(0), K: one(0), W: one(0)}
	l.Eval(contact.Input{D: one(d), Rate: one(rate)}, out)
	return out.P[0], out.DP[0], out.K[0], out.W[0]
}

// A sphere on a plane: force and rolling torque against independent values
// (reference, volumetric_sphere_plane.csv).
func TestVolumetricSphereOnPlane(t *testing.T) {
	for _, tt := range []struct{ r, d, v, omega, force, torque float64 }{
		{0.1, 0.004, 0, 0, 9919.05520493, 0},
		{0.1, 0.004, 0.3, 5, 10365.4126892, 0.97539163399},
		{0.05, 0.001, -0.2, 2, 302.702924149, 0.00154732862967},
		{0.02, 0.002, 0.3, 5, 507.765148624, 0.00465709694968},
	} {
		l := NewVolumetric(contact.Volumetric{K: 2e9, A: 0.15}, tt.r, 0).(*volumetric)
		f, _, _, _ := ask(l, tt.d, tt.v)
		if math.Abs(f/tt.force-1) > 1e-10 || math.Abs(-l.torque(tt.d, tt.v, tt.omega)-tt.torque) > 1e-10*tt.torque {
			t.Errorf("%+v: force %.12g, torque %.12g", tt, f, l.torque(tt.d, tt.v, tt.omega))
		}
	}
}

// The force is the derivative of the stored energy, and the tangent that of the
// force. Volume and moment are sums over slices. A very large partner is a half
// space.
func TestVolumetricSpheres(t *testing.T) {
	const k = 1e9
	for _, radii := range [][2]float64{{0.1, 0}, {0.1, 0.1}, {0.05, 0.2}, {0.1, -0.3}, {0.1, -0.12}} {
		l := NewVolumetric(contact.Volumetric{K: k}, radii[0], radii[1]).(*volumetric)
		for _, d := range []float64{1e-7, 1e-5, 1e-3, 0.01} {
			h := 1e-4 * d
			f, slope, _, _ := ask(l, d, 0)
			up, _, _, above := ask(l, d+h, 0)
			down, _, _, below := ask(l, d-h, 0)
			if math.Abs((above-below)/(2*h)/f-1) > 2e-7 || math.Abs((up-down)/(2*h)/slope-1) > 1e-7 {
				t.Errorf("%v, d %g: force %g, energy's slope %g; tangent %g, force's slope %g", radii, d, f, (above-below)/(2*h), slope, (up-down)/(2*h))
			}
			// Slices across the axis, from the deepest point of the first.
			r, q := radii[0], radii[1]
			one, other := caps(l, d)
			volume, moment := 0.0, 0.0
			slices := func(r, h, sign float64) {
				const n = 20000
				for i := range n {
					z := h * (float64(i) + 0.5) / n
					rho2 := z * (2*r - z)
					volume += sign * math.Pi * rho2 * h / n
					moment += sign * math.Pi / 4 * rho2 * rho2 * h / n
				}
			}
			slices(r, one, 1)
			if q != 0 {
				slices(math.Abs(q), math.Abs(other), math.Copysign(1, q))
			}
			if math.Abs(f/(k*volume)-1) > 1e-6 || math.Abs(l.overlap.J(d)/moment-1) > 1e-6 {
				t.Errorf("%v, d %g: force %g over %g, moment %g over %g", radii, d, f, k*volume, l.overlap.J(d), moment)
			}
		}
	}
	flat := NewVolumetric(contact.Volumetric{K: k}, 0.1, 0).(*volumetric)
	great := NewVolumetric(contact.Volumetric{K: k}, 0.1, 1e5).(*volumetric)
	a, _, _, _ := ask(flat, 0.003, 0)
	b, _, _, _ := ask(great, 0.003, 0)
	if math.Abs(a/b-1) > 1e-5 || math.Abs(flat.overlap.J(0.003)/great.overlap.J(0.003)-1) > 1e-5 {
		t.Errorf("half space %g N, great sphere %g N", a, b)
	}
}

// caps returns the heights of the overlap's two caps. They have a common chord,
// and their heights add up to the deflection.
func caps(l *volumetric, d float64) (one, other float64) {
	r, q := l.overlap.Radius, l.overlap.Other
	if q == 0 {
		return d, 0
	}
	between := r + q - d
	chord := (between*between + r*r - q*q) / (2 * between) // from the first centre
	return r - chord, d - (r - chord)
}
