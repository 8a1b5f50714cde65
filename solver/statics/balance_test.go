package statics

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"fdem/io/deck"
	"fdem/io/plan"
	"fdem/mesh"
	"fdem/solver"
)

// built returns a solver of a deck on shapes.
func built(t *testing.T, text, shapes string, changes ...func(*mesh.Source)) *solver.Solver {
	t.Helper()
	d, err := deck.Parse("model.toml", []byte(text))
	noError(t, err)
	src, err := plan.ParseShapes("model.shapes.toml", []byte(shapes))
	noError(t, err)
	for _, change := range changes {
		change(src)
	}
	m, _, err := d.Build(src)
	noError(t, err)
	s, err := solver.New(m)
	noError(t, err)
	return s
}

// noError ends the test at an error.
func noError(t testing.TB, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}

// toEnd runs an analysis without output.
func toEnd(s *solver.Solver) error {
	nothing := func() error { return nil }
	return New(s).Run(context.Background(), solver.Observer{Row: nothing, Frame: nothing, Contact: nothing})
}

// balanced runs a deck on shapes and returns the solver at its end.
func balanced(t *testing.T, text, shapes string) *solver.Solver {
	t.Helper()
	s := built(t, text, shapes)
	noError(t, toEnd(s))
	return s
}

const bar = `
[[rectangle]]
name = "soft"
from = [0, 0]
to = ["50 mm", "10 mm"]
edge = "5 mm"
left = "end"
right = "seam"
[[rectangle]]
name = "hard"
from = ["50 mm", 0]
to = ["100 mm", "10 mm"]
edge = "3 mm"
left = "joint"
right = "head"
`

// Displacements of linear models are proportional to their loads, for small and great loads
// relative to the stiffness of ties, springs and bodies, as far as positions have digits.
func TestAnswersInProportion(t *testing.T) {
	for name, more := range map[string]string{
		"a tie":                    "",
		"a stiff spring to ground": "[[spring]]\nname = \"s\"\non = \"seam\"\ncomponents = [\"x\"]\nstiffness = 1e14\n",
		"a soft one":               "[[spring]]\nname = \"s\"\non = \"head\"\ncomponents = [\"x\"]\nstiffness = 1e3\n",
	} {
		t.Run(name, func(t *testing.T) {
			displacement := func(force float64) float64 {
				s := balanced(t, fmt.Sprintf(`
analysis = { type = "static", thickness = "10 mm" }
material = [{ name = "soft", young = 1e7, poisson = 0.3, density = 1000 }, { name = "hard", young = 210e9, poisson = 0.3, density = 7850 }]
body = [{ name = "soft", material = "soft" }, { name = "hard", material = "hard" }]
fix = [{ on = "end" }]
tie = [{ on = "joint", to = "seam" }]
load = [{ on = "head", force = [%g, 0] }]
%s`, force, more), bar)
				most := 0.0
				for i, x := range s.X {
					most = max(most, math.Abs(x.X-s.Mesh.X[i].X))
				}
				return most
			}
			const unit, digits = 1e-2, 3e-17 // [N], of a position [m]
			want := displacement(unit) / unit
			for _, factor := range []float64{1e-12, 1e-9, 1e-6, 1e-3} {
				if got := displacement(factor * unit); math.Abs(got-factor*unit*want) > 1e-4*got+digits {
					t.Errorf("%g times the force moves by %g m, want %g m", factor, got, factor*unit*want)
				}
			}
		})
	}
}

// The force of a preloaded spring at the start is released slowly. The bar and the spring share the
// displacement as springs in series do, and the ledger has all of the energy.
func TestPreloadIsReleased(t *testing.T) {
	for _, stiffness := range []float64{1e4, 1e8, 1e11} {
		s := balanced(t, fmt.Sprintf(`
analysis = { type = "static", thickness = "10 mm" }
material = [{ name = "steel", young = 210e9, poisson = 0, density = 7850 }]
body = [{ name = "hard", material = "steel" }]
fix = [{ on = "joint" }]
spring = [{ on = "head", to_at = [1, 0.005], stiffness = %g, preload = "1 kN" }]
`, stiffness), bar[strings.LastIndex(bar, "[[rectangle]]"):])
		const yields = 0.05 / (210e9 * 0.01 * 0.01) // of the bar [m/N]
		want := 1e3 / (1 + stiffness*yields)
		if got := s.Kinds.Springs.Forces()[0].Force; math.Abs(got-want) > 1e-3*want {
			t.Errorf("stiffness %g N/m: the spring carries %g N, want %g N", stiffness, got, want)
		}
		if e := s.Energies(); math.Abs(e.Residual) > 1e-4*e.Strain || !(e.ExternalWork < 0) {
			t.Errorf("stiffness %g N/m: residual %g J of %g J, external work %g J", stiffness, e.Residual, e.Strain, e.ExternalWork)
		}
	}
}

// A steel block on a spring has the displacement that follows from the load, however soft the
// spring is and however small the load, although the rounding of the stiff block hides the balance
// at single nodes. The edge is free to turn about its middle, and rounding chooses by how much: its
// mean is read.
func TestSoftSpringBesideStiffBody(t *testing.T) {
	for _, c := range []struct{ stiffness, displacement float64 }{{1, 1e-3}, {1e3, 1e-9}, {1e3, 1e-6}, {1e3, 1e-3}, {1e6, 1e-9}, {1e6, 1e-6}} {
		s := built(t, fmt.Sprintf(`
analysis = { type = "static", thickness = "10 mm" }
material = [{ name = "steel", young = "210 GPa", poisson = 0.3, density = 7850 }]
body = [{ name = "a", material = "steel" }, { name = "b", material = "steel" }]
tie = [{ on = "left of b", to = "right of a" }]
fix = [{ on = "left of a", components = ["y"] }]
spring = [{ on = "a", at = [0, 0.025], to_at = [-0.1, 0.025], stiffness = %g }]
load = [{ on = "right of b", force = [%g, 0] }]
`, c.stiffness, c.stiffness*c.displacement), `
[[rectangle]]
name = "a"
from = [0, 0]
to = [0.1, 0.05]
edge = 0.01
left = "left of a"
right = "right of a"
[[rectangle]]
name = "b"
from = [0.1, 0]
to = [0.2, 0.05]
edge = 0.008
left = "left of b"
right = "right of b"
`)
		if err := toEnd(s); err != nil {
			t.Errorf("%g N/m: %v", c.stiffness, err)
			continue
		}
		group := slices.IndexFunc(s.Mesh.Groups, func(g mesh.Group) bool { return g.Name == "left of a" })
		edge := s.Mesh.Groups[group].Nodes
		got := 0.0
		for _, n := range edge {
			got += (s.X[n].X - s.Mesh.X[n].X) / float64(len(edge))
		}
		if math.Abs(got/c.displacement-1) > 1e-3 {
			t.Errorf("a spring of %g N/m goes %g m, want %g m", c.stiffness, got, c.displacement)
		}
	}
}
