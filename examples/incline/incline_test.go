package incline_test

import (
	"math"
	"testing"

	"fdem/examples/scenes"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

// run simulates one of the decks for a while and returns how far the block's
// corner has moved, its velocity, and the solver.
func run(t *testing.T, deck string, duration float64) (moved, velocity r2.Vec, s *solver.Solver) {
	t.Helper()
	m, err := scenes.Load(deck)
	if err != nil {
		t.Fatal(err)
	}
	m.Duration = duration
	if s, err = solver.New(m); err != nil {
		t.Fatal(err)
	}
	if err := scenes.Finish(s, func() {}); err != nil {
		t.Fatal(err)
	}
	return s.Probe(m.Probes[0]), s.Motions()[0].Velocity, s
}

// Below the friction angle the block stays where it is, within a micrometre.
func TestBlockHolds(t *testing.T) {
	moved, velocity, s := run(t, "incline-hold.toml", 6e-3)
	t.Logf("moved by %.3g m, %.2g m/s, residual %.2g", r2.Norm(moved), r2.Norm(velocity), s.Relative(s.Energies()))
	if r2.Norm(moved) > 1e-6 {
		t.Errorf("the block moved by %g m", r2.Norm(moved))
	}
	if s.Relative(s.Energies()) > 1e-3 {
		t.Errorf("residual %g", s.Relative(s.Energies()))
	}
}

// Above it the block slides with g (sin a - mu cos a) within 0.5 %.
func TestBlockSlides(t *testing.T) {
	const mu, duration = 0.3, 6e-3
	_, velocity, s := run(t, "incline-slide.toml", duration)
	got := r2.Norm(velocity) / duration
	want := 9.81 * (math.Sin(scenes.Slope) - mu*math.Cos(scenes.Slope))
	t.Logf("slides with %.5f m/s2, theory %.5f m/s2, difference %+.3f %%", got, want, 100*(got/want-1))
	if math.Abs(got/want-1) > 0.005 {
		t.Errorf("slides with %g m/s2, want %g", got, want)
	}
	if e := s.Energies(); !(e.FrictionDissipated > 0) || s.Relative(e) > 1e-3 {
		t.Errorf("friction took %g J, residual %g", e.FrictionDissipated, s.Relative(e))
	}
}
