package solver

import (
	"math"
	"testing"

	"fdem/materials/bulk"
	"fdem/mesh"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// ground is a block of rock, 12 m by 8 m, under its own weight and the stress that
// balances it; its foot and sides are held.
func ground(t testing.TB, k0 float64) *models.Model {
	src := &mesh.Source{Name: "ground"}
	rectangle(src, "ground", 0, -8, 12, 8, 12, 8)
	m := model(t, src, rock)
	m.Plane, m.Duration, m.Gravity.Y = bulk.PlaneStrain, 20e-3, -9.81
	weight := rock.Density * 9.81
	p := models.InitialStress{}
	p.More.XX, p.More.YY = -k0*weight, -weight
	m.InitialStresses = []models.InitialStress{p}
	sides, foot := models.Fix{X: true}, models.Fix{Y: true}
	for i, x := range m.Mesh.X {
		if x.X == 0 || x.X == 12 {
			sides.Nodes = append(sides.Nodes, int32(i))
		}
		if x.Y == -8 {
			foot.Nodes = append(foot.Nodes, int32(i))
		}
	}
	m.Fixes = []models.Fix{sides, foot}
	return m
}

// Ground in balance with its weight stays at rest, in time and in a static analysis with growing
// weight.
func TestGroundAtRest(t *testing.T) {
	for _, k0 := range []float64{0.3, 1} {
		s := start(t, ground(t, k0))
		if u, ok := s.Unbalanced(); !ok || u.Force > 1e-9*u.Of {
			t.Errorf("%g N of %g N are out of balance", u.Force, u.Of)
		}
		run(t, s, nil)
		for i, x := range s.X {
			if d := r2.Norm(r2.Sub(x, s.Mesh.X[i])); d > 1e-14 {
				t.Fatalf("node %d has moved by %g m", i, d)
			}
		}
	}
	m := ground(t, 0.5)
	m.Relief = func(at float64) float64 { return 1 - at/m.Static.Whole }
	s := start(t, statically(m, 4))
	if u, _ := s.Unbalanced(); u.Force > 1e-9*u.Of {
		t.Errorf("%g N of %g N will be out of balance", u.Force, u.Of)
	}
	for _, at := range []float64{0, 0.5, 1} {
		s.Time = at * m.Static.Whole
		noError(t, s.forces(false))
		for n, f := range s.F {
			for c, v := range []float64{f.X, f.Y} {
				if !s.HeldIn(nil, int32(n), c) && math.Abs(v) > 1e-6 {
					t.Fatalf("at %g of the ramp, %g N on node %d", at, v, n)
				}
			}
		}
	}
}

// Stress that is not in balance is released within the time that the model gives. A block under
// pressure on all sides whose top is free rises by the displacement of elasticity, without
// oscillation. The ledger has the work of the forces that held it.
func TestStressReleased(t *testing.T) {
	m := ground(t, 0)
	m.Gravity, m.Duration = r2.Vec{}, 60e-3
	m.InitialStresses[0] = models.InitialStress{}
	m.InitialStresses[0].At.XX, m.InitialStresses[0].At.YY = -1e6, -4e6
	m.Relief = func(at float64) float64 {
		u := min(at/50e-3, 1)
		return 1 - u*u*u*(10+u*(6*u-15))
	}
	s := start(t, m)
	u, _ := s.Unbalanced()
	if u.Force < 0.1*u.Of {
		t.Fatalf("%g N of %g N are out of balance", u.Force, u.Of)
	}
	worst := 0.0
	run(t, s, func() { worst = max(worst, s.Relative(s.Energies())) })
	mod := rock.Moduli(bulk.PlaneStrain)
	want := 8 * 4e6 / mod.C11 // the sides hold it
	top, _ := side(s.Mesh, 6)
	for _, n := range top {
		if x := s.Mesh.X[n]; x.Y == 0 {
			if up := s.X[n].Y; math.Abs(up/want-1) > 2e-3 {
				t.Errorf("the top has come up by %g m, want %g", up, want)
			}
		}
	}
	e := s.Energies()
	if e.Kinetic > 5e-4*e.Strain {
		t.Errorf("it swings with %g J of %g J", e.Kinetic, e.Strain)
	}
	if e.ExternalWork >= 0 {
		t.Errorf("what held it has taken %g J", -e.ExternalWork)
	}
	if worst > 1e-6 {
		t.Errorf("residual %g", worst)
	}
}
