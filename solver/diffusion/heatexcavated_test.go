package diffusion_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"fdem/solver"
	"fdem/solver/statics"

	"gonum.org/v1/gonum/spatial/r2"
)

// A part of hot ground is excavated with its heat, and the new wall is cooled: in the end heat flows as
// steadily as towards any cold side, the ground has expanded, and the books close.
func TestExcavatedHeat(t *testing.T) {
	g := grid{nx: 24, ny: 4, at: func(u, v float64) r2.Vec { return r2.Vec{X: 1.2 * u, Y: 0.2 * v} }, bodies: func(u float64) string {
		if u < 1./3 {
			return "dug"
		}
		return "rock"
	}}
	for _, motion := range []bool{false, true} {
		head, duration, at, factor := "type = \"static\"\nincrements = 40\n", 2e6, 2e5, ""
		if motion {
			head, duration, at, factor = "damping = { local = 0.5 }\n", 20e-3, 2e-3, "time_factor = 1e8\n"
		}
		s := built(t, wall{g}, fmt.Sprintf("[analysis]\n%splane = \"strain\"\nduration = %g\n[heat]\n%sinitial = \"20 degC\"\n[[initial_stress]]\nstress = [-5e6, -5e6, 0]\n%s[[body]]\nname = \"dug\"\nmaterial = \"rock\"\n", head, duration, factor, granite)+fmt.Sprintf(`[[fix]]
on = "bottom"
components = ["y"]
[[fix]]
on = "top"
components = ["y"]
[[fix]]
on = "right"
components = ["x"]
[[fix]]
on = "left"
components = ["x"]
[[excavate]]
in = ["dug"]
time = %g
ramp = %g
[[temperature]]
on = "right"
value = "120 degC"
[[temperature]]
on = "wall"
value = "20 degC"
after = "dug"
`, at, at))
		nothing := func() error { return nil }
		out := solver.Observer{Row: nothing, Frame: nothing, Contact: nothing}
		var err error
		if motion {
			err = s.Run(context.Background(), out)
		} else {
			err = statics.Run(context.Background(), s, out)
		}
		if err != nil {
			t.Fatal(err)
		}
		const flux, modulus = 3 * 100 / 0.8 * 0.2, 30e9 * 0.75 / (1.25 * 0.5)
		within(t, "heat in", column(s, "right.heat"), flux, 0.005*flux)
		within(t, "heat out", column(s, "wall.heat"), -flux, 0.005*flux)
		within(t, "temperature in the middle", above(s, 0.8, 0.1), 50, 0.2)
		dx, _ := displacementAt(s, 0.4, 0.1)
		want := -0.8 * (5e6/modulus + 1e-5*1.25/0.75*50)
		within(t, "wall", dx, want, -0.01*want)
		if dug := column(s, "heat_excavated"); !(dug > 0) {
			t.Errorf("excavated rock has taken %g J along", dug)
		}
		if lost, moved := column(s, "heat_residual"), math.Abs(column(s, "heat_in")); math.Abs(lost) > 1e-10*moved {
			t.Errorf("of %g J of heat %g J are missing", moved, lost)
		}
		e := s.Energies()
		within(t, "energy residual", e.Residual, 0, 2e-3*(e.Strain+math.Abs(e.ExternalWork)+math.Abs(e.Excavated)))
	}
}
