package solver

import (
	"math"
	"testing"

	"fdem/contactnodes/spheres"
	"fdem/materials/contact"
	"fdem/mesh"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// A body that is far from all others takes long steps. It reaches its first contact with the short
// steps that the contact point needs: a box that falls 90 m onto a stiff floor behaves as one that
// falls 1 m.
func TestFarContactsCostNothing(t *testing.T) {
	fall := func(height, duration float64) (s *Solver, peak, worst float64) {
		m := rigidModel(t, 1e9, 0, []models.Rigid{{Name: "floor", Material: -1}, {Name: "box", Material: -1, Centre: r2.Vec{Y: height + 0.5}, Mass: 100, Inertia: 20, Velocity: r2.Vec{Y: -1}}},
			floor(0), mesh.Outline{Name: "box", Closed: true, Depth: 0.2, Points: []r2.Vec{{X: -0.5, Y: height}, {X: 0.5, Y: height}, {X: 0.5, Y: height + 1}, {X: -0.5, Y: height + 1}}})
		m.Duration = duration
		s = start(t, m)
		run(t, s, func() {
			if e := s.Energies(); math.Abs(e.Residual) > worst {
				worst = math.Abs(e.Residual)
			}
			s.rigids.Clear.Follow()
			for p, c := range s.rigids.Clear.Clearances {
				if is := s.rigids.Clear.Measure(p); c > is+1e-9 {
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

// Particles fall side by side onto a floor, past one that is held. Steps depend on their contact
// points, not on particles that are far away or beside them.
func TestFarParticlesCostNothing(t *testing.T) {
	const r, mass = 0.01, 0.01
	fall := func(height, duration float64) (s *Solver, peak, worst float64) {
		m := rigidModel(t, 1e9, 0, []models.Rigid{{Name: "floor", Material: -1}}, floor(0))
		m.Contacts, m.Duration, m.HistoryEvery = nil, duration, duration/200
		p := &m.Particles
		for _, x := range []r2.Vec{{X: -0.05, Y: height}, {Y: height + 0.002}, {X: 0.05, Y: height + 0.001}, {X: 0.3, Y: 0.5 * height}} {
			p.X, p.V, p.Spin = append(p.X, x), append(p.V, r2.Vec{Y: -20}), append(p.Spin, 0)
			p.Radius, p.Mass, p.Kind = append(p.Radius, r), append(p.Mass, mass), append(p.Kind, 0)
		}
		p.Mass[3] = 0
		p.Groups, p.Kinds, p.RigidKind = []models.ParticleGroup{{Name: "cloud", First: 0, End: 4}}, 2, []int32{1}
		p.Interactions, p.Predicted = []string{"elastic"}, [][2]int32{{0, 0}, {0, 1}}
		of, _ := contact.Lookup("hertz")
		law, err := of.Build(map[string]float64{"radius": r, "modulus": 1e8})
		p.RuleOf = func(a, b int32) (*spheres.Rule, error) { return &spheres.Rule{Law: law, Mass: mass}, err }
		s = start(t, m)
		run(t, s, func() {
			worst = max(worst, s.Relative(s.Energies()))
			s.spheres.Follow()
			others, rest := s.spheres.SphereClearances()
			if c := s.spheres.Far.Clearances; c[0] > others+1e-9 || c[1] > rest+1e-9 {
				t.Fatalf("at %g s spheres are %g m from one another and %g m from the rest, and taken to be %v m", s.Time, others, rest, c)
			}
		})
		return s, s.spheres.Interaction[0].PeakForce, worst
	}
	far, force, lost := fall(90, 4.6)
	near, forceNear, lostNear := fall(0.05, 0.1)
	t.Logf("from 90 m: %d steps, %.6g N, residual %.2g; from 5 cm: %d, %.6g N, %.2g", far.N, force, lost, near.N, forceNear, lostNear)
	if far.N > near.N+2000 {
		t.Errorf("%d steps from 90 m, %d from 5 cm", far.N, near.N)
	}
	if math.Abs(force/forceNear-1) > 1e-3 || lost > 2*lostNear+1e-6 {
		t.Errorf("from 90 m %g N with a residual of %g, from 5 cm %g and %g", force, lost, forceNear, lostNear)
	}
}
