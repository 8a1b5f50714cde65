package solver_test

import (
	"math"
	"testing"
)

// A contact may name one side of a convex corner only. If that corner strikes, energy is kept as if both sides
// were named.
func TestOneSideOfACornerStrikes(t *testing.T) {
	const shapes = `
edge = 0.01
[[rectangle]]
name = "block"
from = [0, 0.001]
to = [0.06, 0.041]
bottom = "foot"
[[rectangle]]
name = "floor"
from = [-0.05, -0.03]
to = [0.1, 0]
top = "top"
`
	of := 0.0 // the residual with both sides
	for _, c := range []struct{ contactor, opposite string }{{"block", "floor"}, {"foot", "floor"}, {"floor", "foot"}, {"foot", "top"}} {
		s := built(t, "mesh = \"model.msh\"\n"+`
[analysis]
duration = "20 ms"
residual_limit = 1
[[material]]
name = "rubber"
young = "5 MPa"
poisson = 0.3
density = 1100
[[body]]
name = "block"
material = "rubber"
velocity = [0.4, -1]
angular_velocity = -30
[[body]]
name = "floor"
material = "rubber"
[[contact]]
contactor = "`+c.contactor+`"
opposite = "`+c.opposite+`"
`, shapes)
		first, worst, stored := 0.0, 0.0, 0.0
		through(t, s, func() {
			e := s.Energies()
			first, worst, stored = math.Max(first, e.Kinetic), math.Max(worst, math.Abs(e.Residual)), math.Max(stored, e.ContactStored)
		})
		if of == 0 {
			of = worst
		}
		if worst > 1.5*of || of > 1e-3*first || stored < 1e-3*first { // it has to strike
			t.Errorf("%s on %s: a residual of %.2g J of %.2g J, %.2g J stored in the contact", c.contactor, c.opposite, worst, first, stored)
		}
	}
}
