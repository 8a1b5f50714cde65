package kalthoff_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"fdem/examples/scenes"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

// The crack leaves the end of the cut at 70 degrees, to 5, in tension, slower than
// Rayleigh waves, as in the experiment.
func TestKalthoff(t *testing.T) {
	m, err := scenes.Load("kalthoff.toml")
	if err != nil {
		t.Fatal(err)
	}
	tip := r2.Vec{X: 50e-3, Y: 25e-3}
	far := 70e-3 // gets so far from the cut
	if testing.Short() {
		m.Duration, far = 40e-6, 20e-3
	}
	s, err := solver.New(m)
	if err != nil {
		t.Fatal(err)
	}
	if err := scenes.Finish(s, func() {}); err != nil {
		t.Fatal(err)
	}
	type event struct {
		at   r2.Vec // from the end of the cut [m]
		far  float64
		time float64 // [s]
	}
	var events []event // of the crack that begins at the cut
	k := s.Cracks()
	for i := range k.Cracks() {
		if c := k.Crack(i); !math.IsNaN(c.BrokenAt) {
			if e := k.Event(&c); e.Position.Y > tip.Y {
				at := r2.Sub(e.Position, tip)
				events = append(events, event{at, r2.Norm(at), e.Time})
			}
		}
	}
	slices.SortFunc(events, func(a, b event) int { return cmp.Compare(a.time, b.time) })
	// its end in time, and the line through the end of the cut that is nearest to it
	var xx, yy, xy, fastest float64
	var front []event
	for _, e := range events {
		xx, yy, xy = xx+e.at.X*e.at.X, yy+e.at.Y*e.at.Y, xy+e.at.X*e.at.Y
		if len(front) == 0 || e.far > front[len(front)-1].far {
			front = append(front, e)
		}
	}
	for i, e := range front {
		for _, b := range front[i:] {
			if b.far-e.far >= 10e-3 {
				fastest = math.Max(fastest, (b.far-e.far)/(b.time-e.time))
				break
			}
		}
	}
	end := front[len(front)-1]
	line := 0.5 * math.Atan2(2*xy, xx-yy) * 180 / math.Pi
	ends := math.Atan2(end.at.Y, end.at.X) * 180 / math.Pi
	starts := front[0].time
	whole, steps := scenes.Residuals(s)
	cracks, _ := s.CrackTotals()
	t.Logf("starts at %.1f us; comes %.1f mm; the nearest line at %.1f degrees, its end at %.1f; %.0f m/s over 10 mm at most; residual %.1e, of steps %.1e", 1e6*starts, 1e3*end.far, line, ends, fastest, whole, steps)
	if math.Abs(line-70) > 5 || math.Abs(ends-70) > 5 {
		t.Errorf("the crack goes at %g degrees, its end lies at %g", line, ends)
	}
	if end.far < far {
		t.Errorf("the crack has come %g m", end.far)
	}
	if starts < 20e-6 || starts > 30e-6 {
		t.Errorf("the crack starts at %g s", starts)
	}
	if fastest > 2803 {
		t.Errorf("the crack runs with %g m/s", fastest)
	}
	if cracks.Shear > 0.05*cracks.Broken {
		t.Errorf("%g m of %g m are broken in shear", cracks.Shear, cracks.Broken)
	}
	if steps > 1e-3 || whole > 5e-3 {
		t.Errorf("the ledger is off by %g, of which steps make %g", whole, steps)
	}
}
