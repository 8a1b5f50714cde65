package cohesive

import "math"

// Length returns the characteristic length E G/f^2 [m] of a material of Young's
// modulus E [Pa] (E/(1 - nu^2) in plane strain), fracture energy G [J/m2] and
// tensile strength f [Pa]. A body that is large against it is brittle. Source:
// A. Hillerborg, M. Modeer, P.-E. Petersson, Cement and Concrete Research 6
// (1976) 773.
func Length(young, energy, strength float64) float64 { return young * energy / (strength * strength) }

// Zone returns the length [m] of the cohesive zone ahead of a slow crack, pi/8
// of the characteristic length, by J. R. Rice (in Fracture, ed. H. Liebowitz,
// vol. 2, 1968) for constant traction. This is the shortest of the usual
// estimates. The zone of a fast crack is shorter still. Elements should be a
// third of it or smaller.
func Zone(length float64) float64 { return math.Pi / 8 * length }

// Time returns rho c G/f^2 [s], with c the wave speed [m/s]. Up to a factor of
// the softening curve, this is the time in which a plane opens under a step of
// stress equal to its strength. Time steps and output should resolve it. It
// follows from the traction on an opening plane under a wave, f - rho c v/2,
// with softening over an opening of 2 G/f.
func Time(density, speed, energy, strength float64) float64 {
	return density * speed * energy / (strength * strength)
}
