package solver_test

import (
	"math"
	"strings"
	"testing"

	"fdem/examples/cases"
)

const drawnShapes = `
[[rectangle]]
name = "bar"
from = [0, 0]
to = ["300 mm", "20 mm"]
edge = "10 mm"
right = "head"
[[rectangle]]
name = "low"
from = ["0 mm", "-60 mm"]
to = ["200 mm", "0 mm"]
edge = "14 mm"
bottom = "floor"
[[rectangle]]
name = "top"
from = ["0 mm", "20 mm"]
to = ["200 mm", "80 mm"]
edge = "14 mm"
top = "roof"
`

const drawn = `
[analysis]
duration = "9 ms"
thickness = "50 mm"
[output]
history_every = "20 us"
[[material]]
name = "rock"
young = "20 GPa"
poisson = 0.25
density = "2500 kg/m3"
[[material]]
name = "block"
young = "20 GPa"
poisson = 0.25
density = "2500 kg/m3"
[[body]]
name = "bar"
material = "rock"
[[body]]
name = "low"
material = "block"
[[body]]
name = "top"
material = "block"
[[fix]]
on = "floor"
[[fix]]
on = "roof"
components = ["x"]
[[load]]
on = "roof"
pressure = "2 MPa"
schedule = [[0, 0], ["2 ms", 1], [1, 1]]
[[drive]]
on = "head"
displacement = [[0, 0, 0], ["3 ms", 0, 0], ["9 ms", "0.3 mm", 0]]
components = ["x"]
[[contact]]
contactor = "bar"
opposite = "low"
friction = 0.4
[[contact]]
contactor = "bar"
opposite = "top"
friction = 0.4
`

// A bar that is drawn out from between two blocks pressed on it carries Coulomb's friction on both faces,
// with or without weight. Without damping the contact chatters and carries less. Light damping takes
// less than 0.5 % of what friction takes.
func TestDrawnBarCarriesFriction(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, gravity string
		within        float64
	}{
		{"without weight", "0", 2e-3}, {"next to no weight", "1e-3", 5e-3}, {"under its weight", "9.81", 5e-3},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.gravity != "0" {
				cases.WithAll(t)
			}
			t.Parallel()
			s := built(t, strings.Replace(drawn, "[output]", "gravity = [0, -"+c.gravity+"]\n[output]", 1), drawnShapes)
			friction, normal := 0.0, 0.0
			through(t, s, func() {
				if s.Time < 0.8*s.Duration {
					return
				}
				for _, f := range s.ContactForces() {
					friction, normal = friction+math.Abs(f.Tangential), normal+f.Normal
				}
			})
			e := s.Energies()
			part, took := friction/(0.4*normal), e.DampingDissipated/e.FrictionDissipated
			t.Logf("%.5f of Coulomb's friction; damping took %.2g of its heat; %d steps, residual %.2g", part, took, s.N, s.Relative(e))
			if says := s.Unsteady(); len(says) > 0 {
				t.Errorf("steady friction is reported: %q", says)
			}
			if math.Abs(part-1) > c.within || took > 5e-3 || s.Relative(e) > 1e-5 {
				t.Errorf("%g of Coulomb's friction; damping took %g of its heat, residual %g", part, took, s.Relative(e))
			}
		})
	}
}

// Friction that is less than Coulomb's law says is reported: where undamped contact chatters, and
// where regularised friction is reduced although the slip is faster than its speed.
func TestIncompleteFrictionIsReported(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, from, to, says string }{
		{"chatter", `thickness = "50 mm"`, "thickness = \"50 mm\"\ndamping = { stiffness = 0 }", "opened and shut under a steady force"},
		{"regularised", "friction = 0.4", "friction = 0.4\nfriction_speed = \"1 mm/s\"", "faster than friction_speed, 0.001 m/s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			coarse := strings.NewReplacer(`edge = "10 mm"`, `edge = "20 mm"`, `edge = "14 mm"`, `edge = "25 mm"`).Replace(drawnShapes)
			s := built(t, strings.ReplaceAll(drawn, c.from, c.to), coarse)
			through(t, s, nil)
			says := s.Unsteady()
			t.Logf("%q", says)
			if len(says) != 2 || !strings.Contains(says[0], c.says) || !strings.Contains(says[1], c.says) {
				t.Errorf("not reported for both contacts: %q", says)
			}
		})
	}
}
