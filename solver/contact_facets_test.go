package solver_test

import (
	"math"
	"testing"

	"fdem/solver/contacts"
)

// A disc is round in a contact, a block is not. The reported missing overlap at a width is that of
// the formula.
func TestFacets(t *testing.T) {
	const deck = "[analysis]\nduration = 1\n" + soft + `
[[body]]
name = "disc"
material = "gel"
[[body]]
name = "block"
material = "gel"
[[contact]]
contactor = "disc"
opposite = "block"
`
	s := built(t, deck, `
edge = 0.004
[[disc]]
name = "disc"
centre = [0, 0.06]
radius = 0.05
[[rectangle]]
name = "block"
from = [-0.02, -0.02]
to = [0.02, 0]
`)
	f := contacts.FacetsOf(s.Model, 0)
	if len(f) != 1 || f[0].Body != "disc" || math.Abs(f[0].Radius/0.05-1) > 1e-3 {
		t.Fatalf("round are %+v, want the disc of 0.05 m", f)
	}
	for _, missing := range []float64{0.03, 0.1} {
		x := f[0].Edge / (0.5 * f[0].Width(missing))
		if is := 0.28/f[0].Stiffness*x + 0.055*x*x; math.Abs(is-missing) > 1e-12 {
			t.Errorf("at the width for %g missing %g is missing", missing, is)
		}
	}
}
