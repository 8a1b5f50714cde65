// Package cohesive holds the laws of cohesive zones (cohesive cracks, mode I
// and II fracture): pure functions of the opening, slip and memory of a point
// of a crack. They return traction, stored and dissipated energy. The package
// also has the strength that starts a crack, its scatter, and characteristic
// numbers. It has no edges, bodies or time steps.
//
// The law is extrinsic: a point exists from the time at which the body breaks there. It
// starts with the traction that the body carried there, so that no force jumps. Its
// stiffness is bounded at any damage, so that there is a stable time step. Tension is
// positive.
package cohesive

import (
	"fmt"
	"math"
)

// Parameters are a user's parameters of a material that breaks.
type Parameters struct {
	TensileStrength float64 // f [Pa]
	Cohesion        float64 // c [Pa]: shear strength without pressure
	Friction        float64 // coefficient of internal friction, and of the friction of faces
	EnergyTension   float64 // G_I [J/m2]
	EnergyShear     float64 // G_II [J/m2]
	Mixed           float64 // exponent of Benzeggagh and Kenane
	Softening       string  // name of a curve
	Scatter         Scatter // scatter of strength; the zero value is none
}

// Law is a cohesive law: strength, energies, friction and softening of a
// material. It never changes, and several workers may use it at once.
type Law struct {
	Strength
	Energy           Mixed
	Curve            SofteningCurve
	ResidualFriction float64 // coefficient of friction of the faces; New makes it Strength.Friction
	Rate             *Rate   // nil if the speed of opening has no effect
}

// New returns the law. It fails for values that are missing (0), negative or not
// finite, for an unknown softening and for a Weibull modulus below 1. The error
// names the key as in decks, its rule and the value.
func New(p Parameters) (*Law, error) {
	for _, v := range []struct {
		key   string
		value float64
		unit  string
		zero  bool
	}{
		{"tensile_strength", p.TensileStrength, " Pa", false},
		{"cohesion", p.Cohesion, " Pa", false},
		{"friction", p.Friction, "", true},
		{"energy_tension", p.EnergyTension, " J/m2", false},
		{"energy_shear", p.EnergyShear, " J/m2", false},
		{"mixed", p.Mixed, "", false},
	} {
		rule := "greater than 0"
		if v.zero {
			rule = "at least 0"
		}
		if !(v.value > 0 || v.zero && v.value == 0) || math.IsInf(v.value, 1) {
			return nil, fmt.Errorf("%s must be %s and finite, got %g%s", v.key, rule, v.value, v.unit)
		}
	}
	switch s := p.Scatter; {
	case s != Scatter{} && !(s.Modulus >= 1 && s.Modulus <= math.MaxFloat64):
		return nil, fmt.Errorf("scatter: weibull must be at least 1 and finite, got %g", s.Modulus)
	case !(s.Length >= 0 && s.Length <= math.MaxFloat64):
		return nil, fmt.Errorf("scatter: length must be at least 0 and finite, got %g m", s.Length)
	}
	curve, err := Lookup(p.Softening)
	if err != nil {
		return nil, err
	}
	return &Law{
		Strength:         Strength{p.TensileStrength, p.Cohesion, p.Friction},
		Energy:           Mixed{p.EnergyTension, p.EnergyShear, p.Mixed},
		Curve:            curve,
		ResidualFriction: p.Friction,
	}, nil
}
