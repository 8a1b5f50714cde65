package system

import (
	"gonum.org/v1/gonum/spatial/r2"
)

// BodyMotion is the rigid part of a body's motion.
type BodyMotion struct {
	Name            string
	Mass            float64 // [kg]; 0 for a rigid body that is fixed or driven
	Centre          r2.Vec  // centre of mass [m]
	Velocity        r2.Vec  // mean over the mass [m/s]
	AngularVelocity float64 // angular momentum about the centre divided by the moment of inertia [rad/s]
	Momentum        r2.Vec  // [kg m/s]
	AngularMomentum float64 // about the centre of mass, with the spin of particles and beams [kg m2/s]
}

// Description describes a body in words.
type Description struct {
	Kind, Name string
	Made       string // elements and material
	Velocity   string // name of its velocity, "" if it has none to report
}

// StrainRounding is an energy relative to Young's modulus times volume. Strain energy below it is
// only rounding: it belongs to strains of 1e-12.
const StrainRounding = 1e-24
