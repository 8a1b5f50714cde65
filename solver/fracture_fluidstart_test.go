package solver_test

import (
	"strings"
	"testing"
)

// A viscous liquid fills joints before the run starts. At that moment nothing flows: the flow into the
// end of a joint in the rock was infinite in a step of no length, and no pressure a number. Where
// bodies on joints settle under weight first, the state is set back to the start: the fluid was refused
// as it was in the joints already.
func TestFluidInJointAtTheStart(t *testing.T) {
	t.Parallel()
	within := "edge = 0.25\njoin = [\"rock\"]\n"
	across := within
	rectangle := func(shapes *string, rest string) {
		*shapes += "[[rectangle]]\nname = \"rock\"\nfrom = [" + rest + "\n"
	}
	for _, cell := range []string{"0, 0]\nto = [0.25, 0.25]\nbottom = \"south\"", "0, 0.25]\nto = [0.25, 0.5]\nright = \"well\"", "0, 0.5]\nto = [0.25, 0.75]\nright = \"crack\"",
		"0, 0.75]\nto = [0.25, 1]", "0.25, 0]\nto = [0.5, 0.25]\nbottom = \"south\"\ntop = \"well\"", "0.25, 0.5]\nto = [0.5, 0.75]\nbottom = \"well\"\nleft = \"crack\"",
		"0.25, 0.75]\nto = [0.5, 1]", "0.5, 0]\nto = [0.75, 0.25]\nbottom = \"south\"", "0.5, 0.25]\nto = [0.75, 0.5]\nleft = \"well\"", "0.5, 0.5]\nto = [0.75, 0.75]"} {
		rectangle(&within, cell)
	}
	for _, cell := range []string{"0, 0]\nto = [0.25, 0.25]\nbottom = \"south\"\ntop = \"crack\"", "0, 0.25]\nto = [0.25, 0.5]\nbottom = \"crack\"\nright = \"well\"", "0.25, 0]\nto = [0.5, 0.25]\nbottom = \"south\"\ntop = \"well\"",
		"0.25, 0.5]\nto = [0.5, 0.75]\nbottom = \"well\"", "0.5, 0]\nto = [0.75, 0.25]\ntop = \"crack\"", "0.5, 0.25]\nto = [0.75, 0.5]\nbottom = \"crack\"\nleft = \"well\""} {
		rectangle(&across, cell)
	}
	deck := `
[analysis]
duration = 0.004
[output]
history_every = 0.0004
[[material]]
name = "stone"
young = 6e8
poisson = 0.25
density = 1200
[[body]]
name = "rock"
material = "stone"
[[fix]]
on = "south"
[[joint]]
on = "crack"
friction = 0.5
[[fluid]]
name = "water"
well = "well"
density = 1000
rate = 4e-4
bulk = 8e6
viscosity = 5
residual = 8e-6
`
	for _, of := range []struct{ shapes, weight string }{{within, ""}, {within, "gravity = [0, -9.81]\n"}, {across, "gravity = [0, -9.81]\n"}} {
		s := built(t, "mesh = \"model.msh\"\n"+strings.Replace(deck, "duration", of.weight+"duration", 1), of.shapes)
		through(t, s, func() {
			if e := s.Energies(); !e.Finite() {
				t.Fatalf("%+v: energies at %g s: %+v", of, s.Time, e)
			}
		})
		if f := s.FluidStates()[0]; !(f.Length > 0.15 && f.Pressure > 0) || s.Energies().Residual > 1e-3*s.Ledger.Entered {
			t.Errorf("%+v: the fluid is %+v, residual %g J of %g J", of, f, s.Energies().Residual, s.Ledger.Entered)
		}
	}
}
