package published

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"fdem/io/throw"
	"fdem/materials/contact"
)

// dampers gives restitutions to every damper that takes one and lets two steel spheres
// collide. The resulting restitution is known. For dampers proportional to the elastic
// force it is the root of z (1+e) = ln((1+z)/(1-z e)). A linear dashpot and Tsuji's
// damper return the given restitution if contact ends at d = 0. If contact ends as soon
// as the force is zero, they have the closed form of a damped oscillator, and so has
// Jankowski's. For Lee and Wang's viscous damper there is no known value.
var dampers = Problem{
	Name:   "dampers",
	Title:  "restitution put into a damper against what comes out",
	Source: "G. Wang et al., review of contact force models, Tables 1 and 2, eqs. (31), (53), (55)",
	Solve:  solveDampers,
}

// The spheres of the review's section 1.3: steel, radius 20 mm, 8 m/s.
const (
	ballRadius  = 0.02   // [m]
	ballYoung   = 207e9  // [Pa]
	ballPoisson = 0.3    // [1]
	ballDensity = 7800.0 // [kg/m3]
	ballYield   = 500e6  // [Pa]
	ballSpeed   = 8.0    // [m/s]
)

func solveDampers() []Row {
	var out []Row
	for _, name := range contact.Names() {
		model, _ := contact.Lookup(name)
		if _, takes := model.Parameter("restitution"); model.Kind != contact.Point || !takes {
			continue
		}
		for _, raw := range []float64{0, 1} {
			for _, put := range []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95} {
				row, err := damped(model, put, raw)
				if err != nil {
					throw.If(fmt.Errorf("%s, %g put in: %w", name, put, err))
				}
				if raw == 0 || row.Case != name { // raw is another case where the damper pulls
					out = append(out, row)
				}
			}
		}
	}
	return out
}

// damped lets the spheres collide once.
func damped(model contact.Model, put, raw float64) (Row, error) {
	const mass = ballDensity * 4 / 3 * math.Pi * ballRadius * ballRadius * ballRadius / 2 // effective
	ball := map[string]float64{
		"radius": ballRadius / 2, "modulus": ballYoung / (1 - ballPoisson*ballPoisson) / 2, "mass": mass,
		"yield": ballYield, "stiffness": 3e8, "restitution": put, "raw": raw,
	}
	maps.DeleteFunc(ball, func(name string, _ float64) bool {
		return !slices.ContainsFunc(model.Parameters, func(p contact.Parameter) bool { return p.Name == name })
	})
	law, err := model.Build(ball)
	if err != nil {
		return Row{}, err
	}
	c, err := contact.Impact(law, mass, ballSpeed)
	if err != nil {
		return Row{}, err
	}
	row := Row{Case: model.Name, Quantity: "restitution", Unit: "1", Given: put, Computed: c.Restitution, Tolerance: 1e-6}
	switch law := law.(type) {
	case contact.Hysteretic:
		row.Known, row.Note = law.Restitution(), "exact relation"
	case contact.Viscous:
		switch {
		case law.ApproachOnly:
			row.Known, row.Note = approachOnly(law.Chi/math.Sqrt(5*law.K*mass)), "exact"
		case raw == 1:
			row.Case += ", raw"
			row.Known, row.Note = put, "exact, ends at d = 0"
		default:
			row.Known, row.Note = withoutPull(put), "exact, ends at F = 0"
		}
	default: // intended to return the given restitution; no accuracy is published
		if raw == 1 {
			row.Case += ", raw"
		}
		row.Known, row.Tolerance, row.Note = put, 0, "put in, for comparison"
	}
	return row, nil
}

// withoutPull returns the restitution of a linear dashpot tuned to r if contact ends with
// the force and not with the deflection: exp(-zeta/s atan2(2 zeta s, 2 zeta^2 - 1)), s =
// sqrt(1 - zeta^2), with its damping ratio zeta. Tsuji's damper, the same oscillator in
// d^(5/4), has the same value.
func withoutPull(r float64) float64 {
	zeta := -math.Log(r) / math.Hypot(math.Pi, math.Log(r))
	s := math.Sqrt(1 - zeta*zeta)
	return math.Exp(-zeta / s * math.Atan2(2*zeta*s, 2*zeta*zeta-1))
}

// approachOnly returns the restitution of an oscillator with the damping ratio zeta that
// is damped during approach only, exp(-zeta arccos(zeta)/sqrt(1-zeta^2)), and the same
// with hyperbolic functions for a ratio above one. Jankowski's damper is that oscillator
// in d^(5/4).
func approachOnly(zeta float64) float64 {
	if zeta > 1 {
		return math.Exp(-zeta / math.Sqrt(zeta*zeta-1) * math.Acosh(zeta))
	}
	return math.Exp(-zeta / math.Sqrt(1-zeta*zeta) * math.Acos(zeta))
}
