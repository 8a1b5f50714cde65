package solver_test

import (
	"fmt"
	"testing"
)

// Forces of contact nodes at the ends of parts of an edge act at the nodes. Two blocks that collide
// off their middles, where at first a corner touches with one contact node, keep momentum and
// angular momentum, and the ledger closes.
func TestEndNodesKeepMomentum(t *testing.T) {
	const shapes = `[[polygon]]
name = "thrown"
corners = [[0, 0], [0.02, 0.008], [0.012, 0.028], [-0.008, 0.02]]
edge = 0.007
[[rectangle]]
name = "met"
from = [0.0215, 0.001]
to = [0.045, 0.025]
edge = 0.005
`
	for _, sides := range []string{"contactor = \"thrown\"\nopposite = \"met\"", "contactor = \"met\"\nopposite = \"thrown\"", "contactor = \"all\"\nopposite = \"all\""} {
		for _, nodes := range []int{2, 5} {
			for _, friction := range []string{"friction = 0.5", "friction = 0.5\nfriction_speed = 0.01", "friction = 0"} {
				s := built(t, fmt.Sprintf(`[analysis]
duration = "1.5 ms"
thickness = "10 mm"
[[material]]
name = "plastic"
young = "2 GPa"
poisson = 0.3
density = 1200
[[body]]
name = "thrown"
material = "plastic"
velocity = [8, 0]
[[body]]
name = "met"
material = "plastic"
[[contact]]
%s
contact_nodes = "ends"
nodes_per_element = %d
%s
`, sides, nodes, friction), shapes)
				var kept drift
				open, pressed := 0.0, false
				through(t, s, func() {
					kept.follow(s)
					open = max(open, s.Relative(s.Energies()))
					pressed = pressed || s.Surfaces[0].Active > 0
				})
				name := fmt.Sprintf("%.20q, %d nodes, %q", sides, nodes, friction)
				t.Logf("%s: %d steps; momentum to %.2g, angular momentum to %.2g, residual at most %.2g, %.2g in the end", name, s.N, kept.momentum, kept.angular, open, s.Relative(s.Energies()))
				if kept.momentum > 1e-12 || kept.angular > 1e-12 || open > 2e-3 || !pressed {
					t.Errorf("%s: momentum changes by %g, angular momentum by %g, residual %g, touched: %v", name, kept.momentum, kept.angular, open, pressed)
				}
			}
		}
	}
}
