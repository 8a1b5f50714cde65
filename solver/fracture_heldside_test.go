package solver_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// A fix that holds a body in one direction, or a curve of its outline that ends at a joint, holds
// that body's side alone, and carries the load of the joint: a block between two such bodies,
// pressed by half of the force that its weight needs, slides with half of its acceleration. In
// tension, a joint on a held body opens at its strength.
func TestJointOnHeldBody(t *testing.T) {
	const g, weight = 9.81, 0.6 * 0.8 * 2500 * 9.81
	for name, on := range map[string][]string{"bodies": {"left", "right"}, "curves": {"feet", "head"}} {
		more := ""
		for _, of := range on {
			more += fmt.Sprintf("[[fix]]\non = %q\ncomponents = [\"y\"]\n", of)
		}
		for _, side := range []string{"left", "right"} {
			more += fmt.Sprintf("[[load]]\non = \"%s end\"\npressure = %g\nschedule = [[0, 0], [0.02, 1], [1, 1]]\n[[joint]]\non = \"%s joint\"\nfriction = 0.5\n", side, 0.5*weight/2/0.5/0.8, side)
		}
		for _, body := range []string{"left", "block", "right"} {
			more += fmt.Sprintf("[[body]]\nname = %q\nmaterial = \"stone\"\n", body)
		}
		s := built(t, `
[analysis]
duration = "0.12 s"
gravity = [0, -9.81]
gravity_schedule = [[0, 0], [0.02, 0], [0.021, 1], [1, 1]]
[[material]]
name = "stone"
young = "10 GPa"
poisson = 0.2
density = 2500
`+more, `
edge = 0.2
join = ["left", "block", "right"]
[[rectangle]]
name = "left"
from = [-1.1, 0]
to = [-0.3, 0.8]
left = "left end"
right = "left joint"
bottom = "feet"
top = "head"
[[rectangle]]
name = "block"
from = [-0.3, 0]
to = [0.3, 0.8]
[[rectangle]]
name = "right"
from = [0.3, 0]
to = [1.1, 0.8]
right = "right end"
left = "right joint"
bottom = "feet"
top = "head"
`)
		through(t, s, nil)
		m := s.Motions()[1]
		v, want := m.Momentum.Y/m.Mass, -0.5*g*(0.12-0.0205)
		t.Logf("%s: %g m/s, want %g", name, v, want)
		if math.Abs(v/want-1) > 0.03 {
			t.Errorf("fix on %s: the block slides with %g m/s, want %g", name, v, want)
		}
	}

	s := built(t, strings.Replace(bar(`
[[fix]]
on = "left"
[[drive]]
on = "head"
displacement = ["20 um", "free"]
ramp = "1 ms"
[[joint]]
on = "seam"
friction = 0.5
tensile_strength = "1 MPa"
cohesion = "2 MPa"
energy_tension = "10 J/m2"
energy_shear = "40 J/m2"
`), `"30 us"`, `"1 ms"`, 1), halves)
	through(t, s, nil)
	if p := s.Reactions()[0].PeakForce / 0.02; math.Abs(p/1e6-1) > 0.06 {
		t.Errorf("the joint carries %g Pa at most, want 1e6", p)
	} else {
		t.Logf("the joint carries %g Pa at most", p)
	}
}
