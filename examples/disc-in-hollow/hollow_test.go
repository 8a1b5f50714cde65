package hollow_test

import (
	"math"
	"testing"

	"fdem/examples/scenes"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

const radius = 0.05 // of the disc [m]

// run simulates a deck and calls row at every row of the history.
func run(t *testing.T, deck string, duration float64, row func(s *solver.Solver)) (s *solver.Solver, worst float64) {
	t.Helper()
	m, err := scenes.Load(deck)
	if err != nil {
		t.Fatal(err)
	}
	if duration > 0 {
		m.Duration = duration
	}
	if s, err = solver.New(m); err != nil {
		t.Fatal(err)
	}
	err = scenes.Finish(s, func() {
		worst = max(worst, s.Relative(s.Energies()))
		row(s)
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, worst
}

// The disc bounces, then rolls without sliding: |v| = R |omega| within 0.1 %
// wherever it is faster than a quarter of its greatest rolling speed, and the
// ledger closes to 1e-4.
func TestDiscBouncesAndRolls(t *testing.T) {
	if testing.Short() {
		t.Skip("a long run")
	}
	type sample struct{ time, v, rolls float64 }
	var rolling []sample
	bounces, touching := 0, false
	s, worst := run(t, "hollow.toml", 4, func(s *solver.Solver) {
		n := s.ContactForces()[0].Normal
		if n > 0 && !touching {
			bounces++
		}
		if touching = n > 0; !touching {
			rolling = rolling[:0]
		}
		m := s.Motions()[1]
		rolling = append(rolling, sample{s.Time, r2.Norm(m.Velocity), radius * math.Abs(m.AngularVelocity)})
	})
	began := rolling[0].time
	greatest := 0.0
	for _, r := range rolling {
		if r.time > began+0.5 { // sliding has ended
			greatest = max(greatest, r.rolls)
		}
	}
	off, count := 0.0, 0
	for _, r := range rolling {
		if r.time > began+0.5 && r.rolls > 0.25*greatest {
			off = max(off, math.Abs(r.v/r.rolls-1))
			count++
		}
	}
	e := s.Energies()
	t.Logf("%d bounces seen, the last lasts since %.3f s; rolling at up to %.3f m/s; |v| off R |omega| by %.2g in %d rows; ledger %.2g; damping %.3g J, friction %.3g J",
		bounces, began, greatest, off, count, worst, e.ContactDissipated, e.FrictionDissipated)
	if bounces < 10 || count < 50 || !(greatest > 0.3) {
		t.Errorf("%d bounces seen, %d rows of rolling, at up to %g m/s", bounces, count, greatest)
	}
	if off > 1e-3 {
		t.Errorf("|v| is off R |omega| by %g of it", off)
	}
	if worst > 1e-4 {
		t.Errorf("residual %g", worst)
	}
}

// On felt the disc comes to rest at the lowest point, for rolling dissipates its energy.
func TestDiscComesToRest(t *testing.T) {
	if testing.Short() {
		t.Skip("a long run")
	}
	s, worst := run(t, "felt.toml", 0, func(*solver.Solver) {})
	m, e := s.Motions()[1], s.Energies()
	t.Logf("after %g s: %.2g m/s, %.2g rad/s, %.2g m off the middle, %.2g J of kinetic energy; ledger %.2g", s.Time, r2.Norm(m.Velocity), m.AngularVelocity, m.Centre.X, e.Kinetic, worst)
	if r2.Norm(m.Velocity) > 1e-3 || math.Abs(m.AngularVelocity) > 2e-2 || math.Abs(m.Centre.X) > 1e-3 || e.Kinetic > 1e-6*e.ExternalWork {
		t.Errorf("still moving: %+v, kinetic energy %g J", m, e.Kinetic)
	}
	if n := s.ContactForces()[0].Normal; math.Abs(n/(m.Mass*9.81)-1) > 1e-3 {
		t.Errorf("it rests under %g N, its weight is %g N", n, m.Mass*9.81)
	}
	if worst > 1e-4 {
		t.Errorf("residual %g", worst)
	}
}
