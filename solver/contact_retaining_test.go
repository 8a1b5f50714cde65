package solver_test

import (
	"fmt"
	"math"
	"testing"

	"fdem/examples/cases"
)

// retained is sand of 1 m behind a smooth, stiff wall that turns about its toe, where the ground is clamped.
const retained = `
[analysis]
type = "static"
plane = "strain"
increments = 10
gravity = [0, -10]
gravity_schedule = [[0, 0], [0.4, 1], [1, 1]]
[[material]]
name = "sand"
young = "200 MPa"
poisson = 0.3
density = 2000
law = "mohr-coulomb"
cohesion = "200 Pa"
friction_angle = 30
dilation_angle = 30
[[body]]
name = "soil"
material = "sand"
[[fix]]
on = "base"
[[fix]]
on = "far"
components = ["x"]
[[rigid]]
name = "wall"
shape = "box"
centre = ["-0.5 m", "0.5 m"]
width = "1 m"
height = "1.2 m"
motion = [[0, -0.5, 0.5, 0], [0.4, -0.5, 0.5, 0], [1, %g, %g, %g]]
[[contact]]
contactor = "soil"
opposite = "wall"
friction = 0
`

const behindWall = `
[[rectangle]]
name = "soil"
from = [0, 0]
to = ["%g m", "1 m"]
edge = "%g m"
bottom = "base"
right = "far"
`

// Sand presses on a wall that turns away from it about its toe with Rankine's active pressure, and on one that
// is pressed into it with the passive one, within 5 %. Both are less, since the clamped ground at the toe carries
// half of the lowest edge: active 6 % less with 16 edges along the wall, 3 % with 24 and with 32.
func TestRetainingWall(t *testing.T) {
	cases.WithAll(t)
	const weight, cohesion = 20e3, 200.0
	for _, c := range []struct {
		name                string
		turns, width, edges float64
		k, sign             float64
	}{{"active", 4e-4, 1, 24, 1.0 / 3, -1}, {"passive", -5e-3, 2.25, 16, 3, 1}} {
		s := built(t, fmt.Sprintf(retained, -0.5-c.turns/2, 0.5-c.turns/2, c.turns), fmt.Sprintf(behindWall, c.width, 1/c.edges))
		before, force := 0.0, 0.0
		through(t, s, func() { before, force = force, s.ContactForces()[0].Normal })
		want := 0.5*c.k*weight + c.sign*2*cohesion*math.Sqrt(c.k)
		t.Logf("%s: %.1f N, Rankine %.1f N: %+.2f %%", c.name, force, want, 100*(force/want-1))
		if math.Abs(force/want-1) > 0.05 || math.Abs(force/before-1) > 0.01 {
			t.Errorf("%s: %g N after %g N, want %g N", c.name, force, before, want)
		}
	}
}
