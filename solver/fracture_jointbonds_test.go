package solver_test

import (
	"flag"
	"fmt"
	"math"
	"testing"
)

// bonded is a deck of two blocks that a joint with springs and strengths parts, pressed by a
// pressure [Pa] and drawn.
func bonded(plane string, pressure float64, drive string) string {
	return fmt.Sprintf(`
[analysis]
duration = "22 ms"
plane = %q
damping = { local = 0.7 }
thickness = 1
[output]
history_every = "20 us"
[[material]]
name = "stone"
young = "20 GPa"
poisson = 0.2
density = 2500
[[body]]
name = "left"
material = "stone"
[[body]]
name = "right"
material = "stone"
[[fix]]
on = "end"
[[load]]
on = "head"
pressure = %g
schedule = "min(t/2e-3, 1)"
[[drive]]
name = "draw"
on = "head"
displacement = %s
[[joint]]
on = "seam"
friction = 0.6
normal_stiffness = "60 GPa/m"
shear_stiffness = "40 GPa/m"
tensile_strength = "1 MPa"
cohesion = "2 MPa"
energy_tension = "20 J/m2"
energy_shear = "500 J/m2"
dilation = 4
dilation_until = "0.2 mm"
`, plane, pressure, drive)
}

const bondedBlocks = `
edge = %q
join = ["left", "right"]
[[rectangle]]
name = "left"
from = [0, 0]
to = ["20 mm", "200 mm"]
left = "end"
right = "seam"
[[rectangle]]
name = "right"
from = ["20 mm", 0]
to = ["40 mm", "200 mm"]
right = "head"
`

// A joint with stiffness, dilation and strengths is as stiff as it says until it breaks, by
// its tensile strength, or by cohesion and friction under pressure; then it carries friction
// alone, rides up, and has taken its fracture energy. In shear the blocks turn a little, and
// the ends of the joint yield before its middle.
func TestBondedJoint(t *testing.T) {
	t.Parallel()
	const height = 0.2
	edges := []string{"10 mm"}
	if flag.Lookup("whole").Value.String() == "true" {
		edges = append(edges, "5 mm")
	}
	for _, edge := range edges {
		for _, c := range []struct {
			pressure, peak, end, lost, tolerance float64 // [Pa], [J/m2]
			drive                                string
		}{
			{0, 1e6, 0, 20, 0.03, `["60e-6*t/22e-3", "free"]`},
			{3e6, 2e6 + 0.6*3e6, 0.6 * 3e6, 500, 0.08, `["free", "1e-3*max(t - 2e-3, 0)/20e-3"]`},
			{1e6, 2e6 + 0.6*1e6, 0.6 * 1e6, 500, 0.08, `["free", "-1e-3*max(t - 2e-3, 0)/20e-3"]`},
		} {
			s := built(t, bonded("strain", c.pressure, c.drive), fmt.Sprintf(bondedBlocks, edge))
			peak, end := 0.0, 0.0
			through(t, s, func() {
				f := math.Abs(forceOf(s, "draw")) // it is free across
				peak, end = max(peak, f/height), f/height
			})
			e := s.Energies()
			t.Logf("%s, %g Pa: peak %g of %g, end %g of %g Pa, fracture %g of %g J/m2; the ledger is off by %.2g", edge, c.pressure, peak, c.peak, end, c.end, e.FractureDissipated/height, c.lost, s.Relative(e))
			if math.Abs(peak-c.peak) > c.tolerance*c.peak || math.Abs(end-c.end) > 0.03*c.peak || math.Abs(e.FractureDissipated/height-c.lost) > 1e-2*c.lost {
				t.Errorf("%s, %g Pa: peak %g, end %g Pa, fracture %g J/m2, want %g, %g, %g", edge, c.pressure, peak, end, e.FractureDissipated/height, c.peak, c.end, c.lost)
			}
			if r := s.Relative(e); r > 1e-4 {
				t.Errorf("%s, %g Pa: the ledger is off by %g", edge, c.pressure, r)
			}
		}
	}
}
