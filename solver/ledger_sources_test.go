package solver_test

import (
	"math"
	"testing"
)

// A load that pushes a block at rest and a drive are sources of their own: the work that one takes does
// not hide what the other gives.
func TestSourcesAreKeptApart(t *testing.T) {
	s := built(t, `
[analysis]
duration = "0.2 s"
thickness = "100 mm"
gravity = [0, -9.81]
[[material]]
name = "soft"
young = "20 MPa"
poisson = 0.3
density = 2000
[[body]]
name = "ground"
material = "soft"
[[body]]
name = "block"
material = "soft"
[[body]]
name = "pusher"
material = "soft"
[[fix]]
on = "base"
[[law]]
name = "penalty"
model = "linear"
k = "auto"
[[contact]]
contactor = "block"
opposite = "ground"
law = "penalty"
friction = 0.3
[[load]]
on = "block"
force = [10, 0]
schedule = [[0, 0], ["5 ms", 1]]
[[drive]]
on = "back"
velocity = ["0.05 m/s", "free"]
`, `
edge = "20 mm"
[[rectangle]]
name = "ground"
from = ["-200 mm", "-100 mm"]
to = ["200 mm", "0 mm"]
bottom = "base"
[[rectangle]]
name = "block"
from = ["-50 mm", "0 mm"]
to = ["50 mm", "100 mm"]
[[rectangle]]
name = "pusher"
from = ["-300 mm", "-100 mm"]
to = ["-250 mm", "100 mm"]
left = "back"
`)
	for s.Time < 10e-3 {
		noError(t, s.Step(0, nil))
	}
	of, sum := map[string]float64{}, 0.0
	s.Ledger.EachSource(func(name string, work float64) {
		of[name] = work
		sum += work
	})
	t.Logf("%v", of)
	if of["load 0"] == 0 || of["drive 0"] == 0 {
		t.Errorf("the sources are %v, want a load and a drive that have done work", of)
	}
	if math.Abs(sum-s.Ledger.Loads) > 1e-12*math.Abs(sum) {
		t.Errorf("the sources have done %g J, all together %g J", sum, s.Ledger.Loads)
	}
	const moving = 0.5 * 2000 * 0.1 * 0.05 * 0.2 * 0.05 * 0.05 // of the pusher at least once driven [J]
	if of["drive 0"] < 0.5*moving {
		t.Errorf("the drive has given %g J, want about %g J", of["drive 0"], moving)
	}
}
