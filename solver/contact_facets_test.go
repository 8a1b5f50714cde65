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
	// A force presses the disc half an edge wide, Johnson's (4.43) with R of the disc and E* of two
	// equal bodies in plane strain: below it edges are too long, above it they are not.
	const modulus = 5e6 / (2 * (1 - 0.3*0.3))
	force := math.Pi * modulus * f[0].Edge * f[0].Edge * s.Thickness / (4 * f[0].Radius)
	if of, half := contacts.Coarse(s.Model, 0, 0.99*force); of != f[0] || math.Abs(half/(math.Sqrt(0.99)*f[0].Edge)-1) > 1e-9 {
		t.Errorf("%+v, half width %g m with edges of %g m", of, half, f[0].Edge)
	}
	if of, half := contacts.Coarse(s.Model, 0, 1.01*force); half != 0 {
		t.Errorf("edges are called too long: %+v, half width %g m", of, half)
	}
	for _, missing := range []float64{0.03, 0.1} {
		x := f[0].Edge / (0.5 * f[0].Width(missing))
		if is := 0.28/f[0].Stiffness*x + 0.055*x*x; math.Abs(is-missing) > 1e-12 {
			t.Errorf("at the width for %g missing %g is missing", missing, is)
		}
	}
}
