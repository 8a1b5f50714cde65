package collision_test

import (
	"math"
	"testing"

	"fdem/examples/scenes"
	"fdem/solver"
	"fdem/solver/model"
	"fdem/solver/system"
)

// load reads the example's own deck and mesh.
func load(t testing.TB) *model.Model {
	t.Helper()
	m, err := scenes.Load("elastic-collision.toml")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// run simulates the model and returns its solver at the end, and the striker's
// velocity at the history row nearest to 94 us.
func run(t testing.TB, m *model.Model) (s *solver.Solver, early system.BodyMotion) {
	t.Helper()
	s, err := solver.New(m)
	if err != nil {
		t.Fatal(err)
	}
	nearest := math.Inf(1)
	err = scenes.Finish(s, func() {
		if d := math.Abs(s.Time - 9.4e-5); d < nearest {
			nearest, early = d, s.Motions()[0]
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, early
}

// The four velocities that the paper prints, within 0.005 m/s each.
func TestPublishedVelocities(t *testing.T) {
	s, early := run(t, load(t))
	late := s.Motions()[0]
	for _, c := range []struct {
		what           string
		got, published float64
	}{
		{"Vx at 94 us", early.Velocity.X, -1.25e-3},
		{"Vy at 94 us", early.Velocity.Y, 4.75e-2},
		{"Vx at 385 us", late.Velocity.X, -3.30e-1},
		{"Vy at 385 us", late.Velocity.Y, 5.15e-2},
	} {
		t.Logf("%s: %.5f m/s, published %.5f, difference %+.5f", c.what, c.got, c.published, c.got-c.published)
		if math.Abs(c.got-c.published) > 0.005 {
			t.Errorf("%s is %.5f m/s, published %.5f", c.what, c.got, c.published)
		}
	}
	if early.Name != "striker" || s.Motions()[1].Name != "target" {
		t.Errorf("the bodies are named %q and %q", early.Name, s.Motions()[1].Name)
	}
}

// The ledger closes to 1e-6 of the energy that entered, and what leapfrog holds between its steps
// is four times less with half the step.
func TestLedgerCloses(t *testing.T) {
	worst := func(safety float64) (residual, held float64) {
		m := load(t)
		m.Safety, m.Duration, m.HistoryEvery = safety, 60e-6, 0.1e-6
		s, err := solver.New(m)
		if err != nil {
			t.Fatal(err)
		}
		err = scenes.Finish(s, func() {
			e := s.Energies()
			residual, held = max(residual, s.Relative(e)), max(held, e.StepEnergy/s.Ledger.Entered)
		})
		if err != nil {
			t.Fatal(err)
		}
		return residual, held
	}
	residual, whole := worst(0.8)
	finer, half := worst(0.4)
	t.Logf("worst residual %.3g, with half the step %.3g; between steps %.3g and %.3g: %.2f times less", residual, finer, whole, half, whole/half)
	if residual > 1e-6 || finer > residual {
		t.Errorf("the ledger's residual reaches %g of the energy that entered, with half the step %g", residual, finer)
	}
	if ratio := whole / half; ratio < 3.5 || ratio > 4.6 {
		t.Errorf("half the step holds %.2f times less between steps, want four", ratio)
	}
}

// BenchmarkStep measures the whole step of the example, contact included.
func BenchmarkStep(b *testing.B) {
	m := load(b)
	s, err := solver.New(m)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := s.Step(s.Limit, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(m.Mesh.Triangles)), "ns/element-step")
}
