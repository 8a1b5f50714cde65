package contacts_test

import (
	"fmt"
	"math"
	"testing"

	"fdem/examples/scenes"
)

// A meshed block that lands flat rebounds with its coefficient of restitution within 2 %: the contact is so soft that
// it stores the energy, not the block.
func TestRestitutionOfMeshedBlocks(t *testing.T) {
	for _, c := range []struct{ length, height, restitution float64 }{{0.1, 0.1, 0.3}, {0.1, 0.1, 0.5}, {0.1, 0.1, 0.8}, {0.4, 0.1, 0.5}} {
		s, err := scenes.Start("block.toml", fmt.Sprintf(`[analysis]
duration = 0.05
[output]
checkpoint_every = 0
[[material]]
name = "rubber"
young = "100 MPa"
poisson = 0.3
density = 2000
[[body]]
name = "beam"
material = "rubber"
velocity = [0, -1]
[[rigid]]
name = "floor"
shape = "line"
from = [-1, "-1 mm"]
to = [1, "-1 mm"]
[[contact]]
contactor = "beam"
opposite = "floor"
restitution = %v
`, c.restitution), scenes.BeamTriangles(c.length, c.height, int(80*c.length), int(80*c.height)))
		if err != nil {
			t.Fatal(err)
		}
		for on := true; on; {
			if err := s.Step(0, func(dt float64) (bool, error) { on = dt > 0; return on, nil }); err != nil {
				t.Fatal(err)
			}
		}
		v := s.Motions()[0].Velocity.Y
		t.Logf("%g by %g m: rebounds with %.4f for %g", c.length, c.height, v, c.restitution)
		if math.Abs(v-c.restitution) > 0.02*c.restitution {
			t.Errorf("%g by %g m: rebounds with %g, want %g", c.length, c.height, v, c.restitution)
		}
	}
}
