package solver

import (
	"context"
	"errors"
	"math"
	"testing"

	"fdem/contactnodes"
	"fdem/materials/contact"
	"fdem/mesh"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// understated is a law that reports only a part of its stiffness to the bound of the step.
type understated struct {
	contact.Law
	part float64
}

func (u understated) Eval(in contact.Input, out contact.Output) {
	u.Law.Eval(in, out)
	for i := range out.K {
		out.K[i] *= u.part
	}
}

// A contact that is too stiff for the step ends the run within ten steps after the residual has
// passed the limit for good, whether the step is a little or far above the stable one. If the
// residual stays below the limit, the run is not stopped.
func TestStopsAtOnce(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(part float64) *models.Model
		part []float64
	}{
		{"blocks", func(part float64) *models.Model {
			m := oblique(t, understated{law(t, "linear", map[string]float64{"k": 1e15}), part}, 0.1)
			m.Duration = 200e-6
			return m
		}, []float64{0.3, 1e-4, 1e-5, 1e-6}},
		{"disc", func(part float64) *models.Model {
			m := rigidModel(t, 1e15, 0, []models.Rigid{{Name: "floor", Material: -1}, freeDisc("disc", r2.Vec{Y: 0.06}, r2.Vec{X: 0.3, Y: -1}, 0.05, 0)},
				floor(0), disc("disc", r2.Vec{Y: 0.06}, 0.05))
			m.Contacts[0].Law = understated{m.Contacts[0].Law, part}
			m.Gravity.Y, m.Duration = -gravity, 0.1
			return m
		}, []float64{0.01, 1e-5, 1e-6, 1e-7}},
	} {
		stopped := 0
		for _, part := range c.part {
			m := c.make(part)
			m.ResidualLimit, m.HistoryEvery = math.Inf(1), 1e-12
			s := start(t, m)
			const limit = 0.05
			first := int64(-1) // the step since which the residual is above the limit
			err := s.Run(context.Background(), Observer{
				Row: func() error {
					switch over := s.RelativeResidual(s.Energies()) > limit; {
					case !over:
						first = -1
					case first < 0:
						first = s.N
					}
					if first >= 0 && s.N > first+50 {
						return errOther
					}
					return nil
				},
				Frame: func() error { return nil },
			})
			m = c.make(part)
			m.ResidualLimit = limit
			if first < 0 && err == nil {
				t.Logf("%s, %g of the stiffness: never above the limit", c.name, part)
				run(t, start(t, m), nil)
				continue
			}
			stopped++
			err = ends(t, start(t, m))
			var unstable *UnstableError
			if !errors.As(err, &unstable) {
				t.Errorf("%s, %g of the stiffness: %v", c.name, part, err)
				continue
			}
			t.Logf("%s, %g of the stiffness: above the limit at step %d, stopped at step %d", c.name, part, first, unstable.Step)
			if unstable.Step < first || unstable.Step > first+10 {
				t.Errorf("%s, %g of the stiffness: above the limit since step %d, stopped at step %d", c.name, part, first, unstable.Step)
			}
		}
		if stopped < 2 {
			t.Errorf("%s: only %d runs go wrong", c.name, stopped)
		}
	}
}

// platen is a block on its foot and a platen that comes slowly from a distance,
// with a contact of the given stiffness times E over the edge.
func platen(t testing.TB, stiffness, speed, gap float64) *models.Model {
	src := &mesh.Source{Name: "block"}
	rectangle(src, "block", 0, 0, 0.02, 0.01, 20, 10)
	m := model(t, src, steel)
	var foot []int32
	for i, x := range m.Mesh.X {
		if x.Y == 0 {
			foot = append(foot, int32(i))
		}
	}
	m.Fixes = []models.Fix{{Nodes: foot, X: true, Y: true}}
	y := 0.01 + gap
	m.Mesh = m.Mesh.With([]mesh.Outline{{Name: "platen", Points: []r2.Vec{{X: -0.01, Y: y}, {X: 0.03, Y: y}}, Depth: 5e-4}})
	centre := r2.Vec{X: 0.01, Y: y}
	m.Rigids = []models.Rigid{{Name: "platen", Material: -1, Centre: centre, Motion: func(t float64) (r2.Vec, float64) {
		return r2.Vec{X: centre.X, Y: centre.Y - speed*t}, 0
	}}}
	m.Contacts = []models.SurfaceContact{{Name: "platen", Contactor: edges(m.Mesh, 0), Opposite: edges(m.Mesh, 1), NodesPerElement: 20,
		Law: law(t, "linear", map[string]float64{"k": stiffness * steel.Young / 1e-3}), Friction: contactnodes.Friction{Kinetic: 0.1, Speed: 1e-3}}}
	m.Duration = 20e-6 + gap/speed
	return m
}

// The first contact of a slow platen does not stop the run: the energy at that time is the work of
// one step.
func TestSlowPlatenIsNoWarning(t *testing.T) {
	t.Parallel()
	for _, stiffness := range []float64{0.1, 1, 10} {
		for _, speed := range []float64{1e-3, 0.1, 10} {
			m := platen(t, stiffness, speed, 7e-6*speed)
			s := start(t, m)
			run(t, s, nil)
			e := s.Energies()
			if !(s.PeakForce[0] > 0) || s.RelativeResidual(e) > 0.01 {
				t.Errorf("k = %g E/h, %g m/s: peak force %g N, residual %g", stiffness, speed, s.PeakForce[0], s.RelativeResidual(e))
			}
		}
	}
}

// The residual is relative to the energy that a drive and the weight transfer, even if nothing of
// it is stored: a platen lowers a block slowly.
func TestMovedEnergyCounts(t *testing.T) {
	t.Parallel()
	m := platen(t, 1, 1e-2, 0)
	m.Fixes = nil
	m.Mesh.X = append([]r2.Vec(nil), m.Mesh.X...)
	for i, n := range m.Mesh.Bodies[1].Nodes { // below the block, facing up
		m.Mesh.X[n] = r2.Vec{X: 0.03 - 0.04*float64(i), Y: -1e-12}
	}
	centre := r2.Vec{X: 0.01, Y: -1e-12}
	const displacement = 1e-6
	m.Duration = 1e-3
	m.Rigids[0].Centre = centre
	m.Rigids[0].Motion = func(t float64) (r2.Vec, float64) {
		return r2.Vec{X: centre.X, Y: centre.Y - 0.5*displacement*(1-math.Cos(math.Pi*t/m.Duration))}, 0
	}
	m.Gravity.Y = -gravity
	s := start(t, m)
	run(t, s, nil)
	weight := 0.02 * 0.01 * 0.01 * steel.Density * gravity
	e := s.Energies()
	held := e.Total()
	t.Logf("%g J held, %g J moved, residual %g J", held, s.Ledger.Entered, e.Residual)
	if moved := s.Ledger.Entered; math.Abs(moved/(weight*displacement)-1) > 0.05 || held > 0.2*moved {
		t.Errorf("%g J are held and %g J moved, the weight has done %g J", held, moved, weight*displacement)
	}
}
