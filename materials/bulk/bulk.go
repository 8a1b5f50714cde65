// Package bulk holds the constitutive laws inside a body: linear elasticity in
// plane stress and plane strain.
package bulk

import "errors"

// Plane is the state out of the plane of the model.
type Plane int

// The two plane states.
const (
	PlaneStress Plane = iota // no stress through the thickness
	PlaneStrain              // no strain through the thickness
)

// Elastic is an isotropic linear elastic material (St. Venant-Kirchhoff at
// finite rotation).
type Elastic struct {
	Name    string
	Young   float64 // Young's modulus [Pa]
	Poisson float64 // Poisson's ratio [-]
	Density float64 // [kg/m3]
}

// Moduli are the constants of S = C : E in the plane:
// Sxx = C11 Exx + C12 Eyy, Syy = C12 Exx + C11 Eyy, Sxy = 2 G Exy [Pa].
type Moduli struct{ C11, C12, G float64 }

// Validate returns an error that names the violated rule, if there is one.
func (m Elastic) Validate() error {
	switch {
	case !(m.Young > 0):
		return errors.New("young must be positive")
	case !(m.Poisson > -1 && m.Poisson < 0.5):
		return errors.New("poisson must lie between -1 and 0.5")
	case !(m.Density > 0):
		return errors.New("density must be positive")
	}
	return nil
}

// Moduli returns the constants of a plane state.
func (m Elastic) Moduli(p Plane) Moduli {
	e, nu := m.Young, m.Poisson
	g := e / (2 * (1 + nu))
	if p == PlaneStrain {
		d := e / ((1 + nu) * (1 - float64(2*nu)))
		return Moduli{C11: d * (1 - nu), C12: d * nu, G: g}
	}
	d := e / (1 - float64(nu*nu))
	return Moduli{C11: d, C12: d * nu, G: g}
}
