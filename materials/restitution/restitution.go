// Package restitution has the coefficients of restitution of an impact: by
// speeds (Newton), impulses (Poisson), works (Stronge) and energies.
package restitution

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Coefficients are the four of one impact (G. Wang et al., review of contact
// force models). They agree for a central impact without friction of two bodies
// without other forces.
type Coefficients struct {
	Newton  float64 // speed of separation over that of approach, eq. (41)
	Poisson float64 // impulse of restitution over that of compression, eq. (42)
	Stronge float64 // root of the work of restitution over that of compression, eq. (43), which lacks the root in print
	Energy  float64 // root of the kinetic energy after over that before; the loss is the net work
}

// Phase is the impulse and work of the contact force in one part of an impact:
// while the bodies approach (compression), or while they separate
// (restitution).
type Phase struct {
	Impulse float64 // [N s]
	Work    float64 // work done on the contact, negative while it is returned [J]
}

// Add adds the impulse and work of another interval.
func (p *Phase) Add(o Phase) {
	p.Impulse += o.Impulse
	p.Work += o.Work
}

// Newton returns the speed of separation of two bodies over their speed of
// approach, both along the impulse on the first [N s]. approach is the velocity
// of the second relative to the first before the impact, separation the velocity
// of the first relative to the second after it [m/s].
func Newton(impulse, approach, separation r2.Vec) float64 {
	return elementary.Dot(impulse, separation) / elementary.Dot(impulse, approach)
}

// RelativeEnergy returns the kinetic energy of the relative motion of two
// bodies, m1 m2/(m1 + m2) v^2/2 [J], from their masses [kg] and their relative
// velocity [m/s]. A mass of 0 is that of a fixed or driven body.
func RelativeEnergy(m1, m2 float64, v r2.Vec) float64 {
	switch {
	case m1 == 0:
		m1 = m2
	case m2 > 0:
		m1 *= m2 / (m1 + m2)
	}
	speed := elementary.Norm(v)
	return 0.5 * m1 * speed * speed
}

// Of returns the four coefficients of an impact from Newton's, the kinetic
// energy of the relative motion before it [J] and its two phases. It returns
// false if there is no compression or no energy.
func Of(newton, energy float64, compression, restitution Phase) (Coefficients, bool) {
	if !(compression.Impulse > 0 && compression.Work > 0 && energy > 0) {
		return Coefficients{}, false
	}
	return Coefficients{
		Newton:  newton,
		Poisson: restitution.Impulse / compression.Impulse,
		Stronge: math.Sqrt(max(-restitution.Work/compression.Work, 0)),
		Energy:  math.Sqrt(max(1-(compression.Work+restitution.Work)/energy, 0)),
	}, true
}
