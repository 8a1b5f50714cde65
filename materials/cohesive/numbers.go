package cohesive

import "math"

// Length returns the characteristic length E G/f^2 [m] of a material of Young's
// modulus E [Pa] (E/(1 - nu^2) in plane strain), fracture energy G [J/m2] and
// tensile strength f [Pa]: how brittle it is, beside the size of a body.
// Source: A. Hillerborg, M. Modeer, P.-E. Petersson, Cement and Concrete
// Research 6 (1976) 773.
func Length(young, energy, strength float64) float64 { return young * energy / (strength * strength) }

// Zone returns the length [m] of the cohesive zone ahead of a slow crack,
// pi/8 of the characteristic length, by J. R. Rice (in Fracture, ed. H.
// Liebowitz, vol. 2, 1968) for constant traction. It is the shorter of the
// usual estimates; a running crack's zone is shorter still. Elements should be
// a third of it or smaller.
func Zone(length float64) float64 { return math.Pi / 8 * length }

// Time returns rho c G/f^2 [s], the time in which a plane opens that a step of
// stress of its own strength breaks, up to a factor of the curve; c is the wave
// speed [m/s]. Steps in time and output should resolve it. It follows from the
// traction that a wave leaves on an opening plane, f - rho c v/2, with softening
// over an opening of 2 G/f.
func Time(density, speed, energy, strength float64) float64 {
	return density * speed * energy / (strength * strength)
}
