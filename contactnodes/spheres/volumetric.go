package spheres

import (
	"fdem/contactnodes/overlap"
	"fdem/materials/contact"
)

// volumetric is the law contact.Volumetric over the overlap of two spheres, or of
// a sphere and a half space or a spherical socket: volume and second moment are
// in closed form. It has no memory. Its stored energy is the integral of k_f/h_f
// V.
type volumetric struct {
	contact.Volumetric
	overlap overlap.SphereOverlap
}

// NewVolumetric makes the law for a sphere of radius one and a partner of
// radius other [m]: 0 for a half space, negative for a socket.
func NewVolumetric(l contact.Volumetric, one, other float64) contact.Law {
	return &volumetric{l, overlap.SphereOverlap{Radius: one, Other: other}}
}

// torque returns the rolling torque on the first sphere [N m] at a deflection
// rate and a spin relative to its partner [rad/s].
func (l *volumetric) torque(d, rate, spin float64) float64 {
	return l.RollingTorque(l.overlap.J(d), rate, spin)
}

// Eval implements contact.Law.
func (l *volumetric) Eval(in contact.Input, out contact.Output) {
	for i, d := range in.D {
		out.P[i], out.DP[i], out.K[i], out.W[i] = 0, 0, 0, 0
		if !(d > 0) {
			continue
		}
		v, area, integral := l.overlap.Volume(d)
		grown := 1 + float64(l.A*in.Rate[i])
		out.P[i] = l.Force(v, in.Rate[i])
		out.DP[i] = l.K * area * max(0, grown)
		out.K[i] = l.K * area * max(1, grown)
		out.W[i] = l.K * integral
	}
}
