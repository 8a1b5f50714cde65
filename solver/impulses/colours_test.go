package impulses_test

import (
	"testing"

	"fdem/examples/cases"
	"fdem/solver/system"

	"github.com/google/go-cmp/cmp"
)

// Workers share the sweeps of a wall on which discs fall, with restitution and rolling resistance, and the bits do
// not depend on their number.
func TestWorkersHaveTheSameBits(t *testing.T) {
	steps := 12
	if cases.All() {
		steps = 200
	}
	run := func(workers int) []system.BodyMotion {
		s := begin(1, under(0.05), "step = 1e-3\nimpulses = { sweeps = 30 }").floor(-10, 100).wall(20, 40, 0.4, 0.2)
		for i := range 30 {
			s.disc(0.2+0.25*float64(i), 8.1002, 0.1, 2000, "velocity = [0, -0.5]")
		}
		r := start(t, s.rolling(0.5, 0.4, 0.05))
		r.SetWorkers(workers)
		r.to(1, func() bool { return r.N == int64(steps) })
		if each := float64(r.Kinds.Impulses.Solved) / float64(r.Kinds.Impulses.Swept); each < 2000 {
			t.Fatalf("%.0f contact points in a sweep: they have no colours", each)
		}
		return r.Motions()
	}
	one := run(1)
	for _, workers := range []int{2, 3} {
		if d := cmp.Diff(one, run(workers)); d != "" {
			t.Errorf("with %d workers: %.300s", workers, d)
		}
	}
}
