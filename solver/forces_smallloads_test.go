package solver_test

import (
	"fmt"
	"math"
	"testing"
)

// steelBlock is a static deck of a block on a fixed foot, steelBlockShape its mesh.
const (
	steelBlock = `
[analysis]
type = "static"
[[material]]
name = "steel"
young = "210 GPa"
poisson = 0.3
density = 7850
[[body]]
name = "block"
material = "steel"
[[fix]]
on = "foot"
`
	steelBlockShape = "[[rectangle]]\nname = \"block\"\nfrom = [0, 0]\nto = [0.1, 0.2]\nedge = 0.05\nbottom = \"foot\"\ntop = \"head\"\n"
)

// Loads whose displacements are below the last digit of positions are reported as rounding.
func TestLoadsBelowPositionsDigits(t *testing.T) {
	for _, c := range []struct{ pressure, least, most float64 }{{1e-12, 1, math.Inf(1)}, {1e-9, 1, math.Inf(1)}, {1e-3, 1e-3, 1}, {1e3, 0, 1e-6}} {
		s := built(t, steelBlock+fmt.Sprintf(`
[[load]]
on = "head"
pressure = %g
`, c.pressure), steelBlockShape)
		through(t, s, nil)
		if noise := s.StressNoise(s.Energies()); noise < c.least || noise > c.most {
			t.Errorf("%g Pa: %g of the stress is rounding, want %g to %g", c.pressure, noise, c.least, c.most)
		}
	}
}

// A body that has been unloaded has no stress but rounding, and this gives no warning.
func TestUnloadedStressIsNoRounding(t *testing.T) {
	s := built(t, steelBlock+`
[[drive]]
on = "head"
displacement = [0, 1e-5]
schedule = [[0, 0], [0.5, 1], [1, 0]]
[[load]]
on = "head"
force = ["1 N", 0]
schedule = [[0, 0], [0.5, 1], [1, 0]]
`, steelBlockShape)
	through(t, s, nil)
	if e := s.Energies(); e.Strain > 1e-9*s.Ledger.Strained || s.StressNoise(e) > 1e-3 {
		t.Errorf("%g J of %g J are left, and %g of the stress is reported as rounding", e.Strain, s.Ledger.Strained, s.StressNoise(e))
	}
}
