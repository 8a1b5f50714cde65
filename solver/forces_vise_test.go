package solver_test

import (
	"fmt"
	"math"
	"testing"

	"fdem/solver"
)

// A block that a load presses between two walls, on contacts, holds where friction carries its
// weight, and falls as Coulomb says where it does not. The load is part of the equilibrium at the start:
// without it the vertical faces carry nothing.
func TestBlockInVise(t *testing.T) {
	t.Parallel()
	const friction, density, g, time = 0.5, 2650.0, 9.81, 0.4
	for i, of := range []float64{0.9, 0.97, 1.03, 1.1, 1.5} {
		if solver.LeftOut(t, i, 3) {
			continue
		}
		s := meshed(t, fmt.Sprintf(`
[analysis]
duration = %g
gravity = [0, -9.81]
[[material]]
name = "rock"
young = "5 GPa"
poisson = 0.2
density = 2650
[[body]]
name = "left"
material = "rock"
[[body]]
name = "block"
material = "rock"
[[body]]
name = "right"
material = "rock"
[[fix]]
on = "far"
[[fix]]
on = "guides"
components = ["y"]
[[load]]
on = "side"
pressure = %[3]g
[[contact]]
contactor = "block"
opposite = "left"
friction = %[2]g
[[contact]]
contactor = "block"
opposite = "right"
friction = %[2]g
`, time, friction, of*density*g/(2*friction)), betweenWalls(0.125, 1.5, false))
		finish(t, s)
		want := 0.5 * g * max(0, 1-of) * time * time
		if fall := 0.5 - centres(s, 1)[0].Y; math.Abs(fall-want) > 0.02*want+150e-6 { // the walls give by 100 um
			t.Errorf("%g of the pressure: the block has fallen by %.4g m, want %.4g", of, fall, want)
		}
	}
}
