package solver_test

import (
	"fmt"
	"math"
	"testing"
)

// Loads so small that positions have no digits for what they move are told as all rounding.
func TestLoadsBelowPositionsDigits(t *testing.T) {
	for _, c := range []struct{ pressure, least, most float64 }{{1e-12, 1, math.Inf(1)}, {1e-9, 1, math.Inf(1)}, {1e-3, 1e-3, 1}, {1e3, 0, 1e-6}} {
		s := built(t, fmt.Sprintf(`
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
[[load]]
on = "head"
pressure = %g
`, c.pressure), "[[rectangle]]\nname = \"block\"\nfrom = [0, 0]\nto = [0.1, 0.2]\nedge = 0.05\nbottom = \"foot\"\ntop = \"head\"\n")
		through(t, s, nil)
		if noise := s.StressNoise(s.Energies()); noise < c.least || noise > c.most {
			t.Errorf("%g Pa: %g of the stress is rounding, want %g to %g", c.pressure, noise, c.least, c.most)
		}
	}
}
