package hopper_test

import (
	"math"
	"testing"

	"fdem/examples/scenes"
)

// A few stones fall into the hopper: its walls bend, and no stone goes through
// them.
func TestStonesBendHopper(t *testing.T) {
	s, err := scenes.Shaped("hopper", "grid = [38, 53]", "grid = [38, 3]", `duration = "3 s"`, `duration = "0.9 s"`)
	if err != nil {
		t.Fatal(err)
	}
	lip := 0.0
	err = scenes.Finish(s, func() { lip = min(lip, s.Probe(s.Model.Probes[0]).X) })
	if err != nil {
		t.Fatal(err)
	}
	if lip > -0.01 || lip < -0.2 {
		t.Errorf("the lip moves outwards by %g m", -lip)
	}
	if r := s.Relative(s.Energies()); math.Abs(r) > 2e-3 {
		t.Errorf("residual %g", r)
	}
	const slope, opening = 1.7320508, 0.75 // of the walls; half of the outlet [m]
	for i := range s.Spheres().Radius {
		x := s.Spheres().X[i]
		if x.Y > 0.1 && math.Abs(x.X) > opening+0.2+x.Y/slope {
			t.Errorf("stone %d has gone through a wall, to %v", i, x)
		}
	}
}
