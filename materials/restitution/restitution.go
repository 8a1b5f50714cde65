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
// that nothing else acts on.
type Coefficients struct {
	Newton  float64 // speed of separation over that of approach, eq. (41)
	Poisson float64 // impulse of restitution over that of compression, eq. (42)
	Stronge float64 // root of the work given back over the work taken, eq. (43), where the root is lost
	Energy  float64 // root of the kinetic energy left over that at first, the loss being the net work
}

// Phase is a part of an impact: what the contact force did while the bodies
// approached (compression), or while they parted (restitution).
type Phase struct {
	Impulse float64 // [N s]
	Work    float64 // done on the contact, negative while it gives back [J]
}

// Add adds what a force did at another time.
func (p *Phase) Add(o Phase) {
	p.Impulse += o.Impulse
	p.Work += o.Work
}

// Newton returns the speed at which two bodies part over that at which they met,
// both along the impulse on the first [N s]: approach is the velocity of the
// second relative to the first before the impact, separation that of the first
// relative to the second after it [m/s].
func Newton(impulse, approach, separation r2.Vec) float64 {
	return elementary.Dot(impulse, separation) / elementary.Dot(impulse, approach)
}

// RelativeEnergy returns the kinetic energy [J] of the motion of two bodies
// relative to one another, m1 m2/(m1 + m2) v^2/2, from their masses [kg], 0 for
// one that is fixed or driven, and their relative velocity [m/s].
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
// false for an impact without compression or energy.
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
