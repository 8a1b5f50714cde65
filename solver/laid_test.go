package solver_test

import (
	"math"
	"strings"
	"testing"

	"fdem/solver"
)

// What rests on something gets its weight smoothly, and then bears neither more nor
// less than its weight, with nothing damped; what slides off, what moves, what falls
// and what a schedule is for gets it at once.
func TestLaidDown(t *testing.T) {
	const onFloor = `
[[body]]
name = "block"
material = "gel"
[[rigid]]
name = "floor"
shape = "line"
from = [0, %Y]
to = [3, %Y]
[[contact]]
contactor = "block"
opposite = "floor"
friction = 0.5
`
	for _, c := range []struct {
		name, gravity, more, y string
		things                 int
	}{
		{"flat", "[0, -9.81]", "", "0", 1},
		{"holds on a slope", "[3.355, -9.218]", "", "0", 1},
		{"slides off", "[5.627, -8.036]", "", "0", 0},
		{"falls", "[0, -9.81]", "", "-0.001", 0},
		{"held by its side", "[0, 9.81]", "", "0", 0},
		{"comes with a speed", "[0, -9.81]", "velocity = [1, 0]", "0", 0},
		{"as scheduled", "[0, -9.81]\ngravity_schedule = [[0, 1], [1, 1]]", "", "0", 0},
	} {
		deck := "[analysis]\nduration = \"0.2 s\"\nthickness = 1\ngravity = " + c.gravity + "\n[output]\nhistory_every = \"1 ms\"\n" + soft + onFloor
		deck = strings.NewReplacer("%Y", c.y, "name = \"block\"\nmaterial", "name = \"block\"\n"+c.more+"\nmaterial").Replace(deck)
		s := built(t, deck, alone)
		if l := s.Laid(); l.Things != c.things {
			t.Errorf("%s: %d things are laid down, want %d", c.name, l.Things, c.things)
		}
		if c.name != "holds on a slope" {
			continue
		}
		weight := s.Motions()[0].Mass
		wrong, last := 0.0, solver.ContactForce{}
		through(t, s, func() {
			last = s.ContactForces()[0]
			if s.Time > 1.5*s.Laid().Within {
				wrong = max(wrong, math.Abs(last.Normal/(9.218*weight)-1))
			}
		})
		e := s.Energies()
		speed := math.Hypot(s.Motions()[0].Velocity.X, s.Motions()[0].Velocity.Y)
		t.Logf("within %.3g s; force off by %.3g of the weight, friction over it %.4g, speed %.2g m/s, residual %.2g", s.Laid().Within, wrong, math.Abs(last.Tangential/last.Normal), speed, s.Relative(e))
		if wrong > 0.05 || speed > 1e-3 || s.Relative(e) > 1e-4 {
			t.Errorf("force off by %g of the weight, speed %g m/s, residual %g", wrong, speed, s.Relative(e))
		}
	}
}
