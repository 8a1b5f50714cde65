package shot_test

import (
	"math"
	"testing"

	"fdem/examples/scenes"
)

// The first rows of shots: momentum is kept, the ledger closes, and half of the
// shots' energy goes where the full run leaves it, into dents.
func TestShotsPushPlate(t *testing.T) {
	s, err := scenes.Shaped("shot-peening", "grid = [25, 20]", "grid = [25, 2]", `duration = "4 ms"`, `duration = "0.25 ms"`)
	if err != nil {
		t.Fatal(err)
	}
	start := s.Energies().Kinetic
	if err := scenes.Finish(s, func() {}); err != nil {
		t.Fatal(err)
	}
	momentum, mass := 0.0, 0.0
	for _, b := range s.Motions() {
		momentum += b.Momentum.Y
		if b.Name == "shot" {
			mass = b.Mass
		}
	}
	if want := -20 * mass; math.Abs(momentum-want) > 1e-12*math.Abs(want) {
		t.Errorf("momentum %g kg m/s, at the start %g", momentum, want)
	}
	e := s.Energies()
	if r := s.Relative(e); math.Abs(r) > 1e-4 {
		t.Errorf("residual %g", r)
	}
	if part := e.ContactDissipated / start; part < 0.6 || part > 0.95 {
		t.Errorf("%g of the energy goes into dents", part)
	}
}
