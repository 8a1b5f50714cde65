package solver

import (
	"math"
	"testing"

	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// A body that is far from what it may meet takes long steps, and comes to its first touch
// with those that the touch needs: a box falls 90 m onto a stiff floor as it falls 1 m.
func TestFarTouchesCostNothing(t *testing.T) {
	fall := func(height, duration float64) (s *Solver, peak, worst float64) {
		m := rigidModel(t, 1e9, 0, []Rigid{{Name: "floor", Material: -1}, {Name: "box", Material: -1, Centre: r2.Vec{Y: height + 0.5}, Mass: 100, Inertia: 20, Velocity: r2.Vec{Y: -1}}},
			floor(0), mesh.Outline{Name: "box", Closed: true, Depth: 0.2, Points: []r2.Vec{{X: -0.5, Y: height}, {X: 0.5, Y: height}, {X: 0.5, Y: height + 1}, {X: -0.5, Y: height + 1}}})
		m.Duration = duration
		s = start(t, m)
		run(t, s, func() {
			if e := s.Energies(); math.Abs(e.Residual) > worst {
				worst = math.Abs(e.Residual)
			}
			s.followClearances()
			for p, c := range s.Clearances {
				if is := s.measureClearance(p); c > is+1e-9 {
					t.Fatalf("at %g s piece %d is %g m from what it may meet, and taken to be %g m", s.Time, p, is, c)
				}
			}
		})
		return s, s.PeakForce[0], worst / 50
	}
	far, force, lost := fall(90, 90.1)
	near, forceNear, lostNear := fall(0.01, 0.11)
	t.Logf("from 90 m: %d steps, %.4g m force, residual %.2g; from 10 mm: %d, %.4g N, %.2g", far.N, force, lost, near.N, forceNear, lostNear)
	if far.N > near.N+3000 {
		t.Errorf("%d steps from 90 m, %d from 10 mm", far.N, near.N)
	}
	if math.Abs(force/forceNear-1) > 1e-2 || lost > 2*lostNear+1e-4 {
		t.Errorf("from 90 m %g N with a residual of %g, from 10 mm %g and %g", force, lost, forceNear, lostNear)
	}
}
