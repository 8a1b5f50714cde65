package solver

import (
	"testing"

	"fdem/solver/cracks"
)

// The events of a run do not depend on the number of workers. Energies of breakages are those of
// their cracks, and released energy is never negative.
func TestEventsOfARun(t *testing.T) {
	var first []cracks.Breakage
	for _, workers := range []int{1, 3} {
		m := shattered(t)
		m.Duration = 60e-6
		s := start(t, m)
		s.SetWorkers(workers)
		run(t, s, nil)
		all, clusters := s.Clusters()
		t.Logf("%d breakages, %d events", len(all), len(clusters))
		if len(all) < 10 || len(all) != s.Cracks().Totals().BrokenEdges {
			t.Errorf("%d breakages", len(all))
		}
		last := 0.0
		for i, b := range all {
			if b.Kinetic < 0 || b.Time < last || b.InsertedAt > b.Time || !(b.Moment.Scalar() > 0) {
				t.Errorf("%+v", b)
			}
			last = b.Time
			if first != nil && b != first[i] {
				t.Errorf("another number of workers tells of breakage %d %+v, not %+v", i, b, first[i])
			}
		}
		first = all
	}
}
