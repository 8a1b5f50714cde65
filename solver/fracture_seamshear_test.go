package solver_test

import (
	"fmt"
	"testing"
)

// A seam sheared under pressure carries cohesion and friction times pressure at most, by balance,
// however unevenly both lie on it: when slip reaches a vertex, also on the outline, the vertex
// opens by the load that it carries itself.
func TestSeamShearedUnderPressure(t *testing.T) {
	for _, c := range []struct{ cohesion, pressure float64 }{{2e6, 3e6}, {0.2e6, 3e6}} {
		s := built(t, fmt.Sprintf(`
[analysis]
duration = "10 ms"
plane = "strain"
damping = { local = 0.3 }
[[material]]
name = "stone"
young = "50 GPa"
poisson = 0.2
density = 2500
[[body]]
name = "lower"
material = "stone"
[[body]]
name = "upper"
material = "stone"
[[fix]]
on = "foot"
[[drive]]
on = "cap"
displacement = ["0.4 mm", "free"]
ramp = "10 ms"
[[load]]
on = "cap"
pressure = %g
schedule = "min(t/1e-3, 1)"
[[joint]]
on = "seam"
friction = 0.6
tensile_strength = "1 MPa"
cohesion = %g
energy_tension = "50 J/m2"
energy_shear = "500 J/m2"
`, c.pressure, c.cohesion), `
join = ["lower", "upper"]
edge = "20 mm"
[[rectangle]]
name = "lower"
from = [0, 0]
to = [0.2, 0.05]
top = "seam"
bottom = "foot"
[[rectangle]]
name = "upper"
from = [0, 0.05]
to = [0.2, 0.1]
top = "cap"
`)
		peak := 0.0
		through(t, s, func() { peak = max(peak, -s.Reactions()[0].Force.X/0.2) })
		most := c.cohesion + 0.6*c.pressure
		t.Logf("cohesion %g Pa, pressure %g Pa: %g Pa at most, of %g", c.cohesion, c.pressure, peak, most)
		if peak < 0.9*most || peak > 1.02*most {
			t.Errorf("cohesion %g Pa under %g Pa carries %g Pa, want %g at most", c.cohesion, c.pressure, peak, most)
		}
	}
}
