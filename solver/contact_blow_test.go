package solver

import (
	"context"
	"math"
	"strings"
	"testing"

	"fdem/materials/bulk"
	"fdem/mesh"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// A bar that strikes a wall keeps its energy balance to 3e-4 of the energy of the blow, whatever
// its law, with as few as four triangles across its half, and to a quarter of that with half the
// step. The energy that the central difference method holds between steps is reported separately,
// and returns to zero.
func TestBlowKeepsEnergy(t *testing.T) {
	const length, half, across, speed = 32.4e-3, 3.2e-3, 4, 100.0
	copper := bulk.Elastic{Name: "copper", Young: 117e9, Poisson: 0.35, Density: 8930}
	rubber := bulk.Elastic{Name: "rubber", Young: 5e6, Poisson: 0.49, Density: 1100}
	polymer := bulk.Elastic{Name: "polymer", Young: 3e9, Poisson: 0.35, Density: 1200}
	for _, c := range []struct {
		law    string
		of     bulk.Elastic
		speed  float64
		values map[string]float64
	}{
		{"", copper, 20, nil},
		{"j2", copper, 100, map[string]float64{"yield_stress": 400e6, "hardening": 100e6}},
		{"johnson-cook", copper, 100, map[string]float64{"a": 90e6, "b": 292e6, "n": 0.31, "c": 0.025, "rate": 1}},
		{"neo-hooke", rubber, 15, nil},
		{"mohr-coulomb", polymer, 30, map[string]float64{"cohesion": 20e6, "friction_angle": 20, "dilation_angle": 5}},
	} {
		var most, held [2]float64
		for k, safety := range []float64{0.8, 0.4} {
			src := &mesh.Source{Name: "bar"}
			rectangle(src, "bar", 0, 0, half, length, across, across*10)
			m := model(t, src, c.of)
			m.Plane, m.Safety = bulk.PlaneStrain, safety
			m.Duration = 2 * length / math.Sqrt(c.of.Young/c.of.Density)
			m.HistoryEvery = m.Duration / 1000
			if c.law != "" {
				m.Materials[0].Law = bulkLaw(t, c.of, c.law, c.values)
				inPairs(m)
			}
			m.Bodies[0].Velocity.Y = -c.speed
			m.Fixes = []models.Fix{
				{Nodes: nodesWhere(m, func(x r2.Vec) bool { return x.X < 1e-9 }), X: true},
				{Nodes: nodesWhere(m, func(x r2.Vec) bool { return x.Y < 1e-9 }), Y: true},
			}
			s := start(t, m)
			kinetic := 0.0
			run(t, s, func() {
				e := s.Energies()
				if kinetic == 0 {
					kinetic = e.Kinetic
				}
				most[k], held[k] = max(most[k], math.Abs(e.Residual)/kinetic), max(held[k], e.StepEnergy/kinetic)
			})
		}
		t.Logf("%q: at most %.2g of the energy, with half the step %.2g; between steps %.2g, %.2g", c.law, most[0], most[1], held[0], held[1])
		if r := held[0] / held[1]; !(r > 3.5 && r < 5) || !(most[0] < 3e-4) || !(most[1] < most[0]/3.5) {
			t.Errorf("%q: the residual is at most %g of the energy, with half the step %g; between steps %g, %g", c.law, most[0], most[1], held[0], held[1])
		}
	}
}

// The residual of a static analysis is that of the trapezoidal rule over its increments. With twice
// as many increments it falls fourfold, for any law, but less if triangles begin to yield within an
// increment.
func TestIncrementsKeepEnergy(t *testing.T) {
	for _, c := range []struct {
		law    string
		values map[string]float64
	}{{"", nil}, {"neo-hooke", nil}, {"j2", map[string]float64{"yield_stress": 400e6, "hardening": 2e9}}} {
		var off [3]float64
		for k, increments := range []int{10, 20, 40} {
			src := &mesh.Source{Name: "block"}
			rectangle(src, "block", 0, 0, 1, 1, 6, 6)
			m := statically(model(t, src, steel), increments)
			m.Plane = bulk.PlaneStrain
			if c.law != "" {
				m.Materials[0].Law = bulkLaw(t, steel, c.law, c.values)
			}
			if c.law == "j2" {
				inPairs(m)
			}
			low, high := nodesWhere(m, func(x r2.Vec) bool { return x.Y < 1e-9 }), nodesWhere(m, func(x r2.Vec) bool { return x.Y > 1-1e-9 })
			m.Fixes = []models.Fix{{Nodes: low, X: true, Y: true}, {Nodes: high, X: true}}
			m.Drives = []models.Drive{{Nodes: high, Y: true, Motion: [3]models.PrescribedMotion{1: {At: func(at float64) float64 { return 0.01 * at }}}}}
			s := start(t, m)
			run(t, s, nil)
			e := s.Energies()
			off[k] = math.Abs(e.Residual) / e.ExternalWork
		}
		t.Logf("%q: %.2g, %.2g, %.2g of the work", c.law, off[0], off[1], off[2])
		if least := map[bool]float64{false: 3.5, true: 2.5}[c.law == "j2"]; !(off[0] > least*off[1] && off[1] > least*off[2]) || !(off[2] < 5e-6) {
			t.Errorf("%q: the residual is %g, %g, %g of the work in 10, 20, 40 increments", c.law, off[0], off[1], off[2])
		}
	}
}

// Rubber without a law that is compressed too far limits the step, not a stiffer body beside it.
// The program advises to give it a law.
func TestSqueezedTooFarWithoutLaw(t *testing.T) {
	src := &mesh.Source{Name: "press"}
	rectangle(src, "plate", 0, 0, 6e-3, 2e-3, 6, 2)
	rectangle(src, "pad", 1e-3, 3e-3, 4e-3, 4e-3, 4, 4)
	m := model(t, src, steel)
	rubber := bulk.Elastic{Name: "rubber", Young: 5e6, Poisson: 0.4995, Density: 1100}
	m.Plane, m.Duration, m.HistoryEvery = bulk.PlaneStrain, 0.72e-3, 1e-4
	m.Materials = append(m.Materials, bulk.Material{Elastic: rubber})
	m.Bodies[1].Material = 1
	inPairs(m)
	low, high := nodesWhere(m, func(x r2.Vec) bool { return math.Abs(x.Y-3e-3) < 1e-9 }), nodesWhere(m, func(x r2.Vec) bool { return x.Y > 7e-3-1e-9 })
	m.Fixes = []models.Fix{{Nodes: low, X: true, Y: true}}
	m.Drives = []models.Drive{{Nodes: high, X: true, Y: true, Motion: [3]models.PrescribedMotion{{At: func(float64) float64 { return 0 }}, {At: func(at float64) float64 { return -3e-3 * at / 1e-3 }}}}}
	nothing := func() error { return nil }
	err := start(t, m).Run(context.Background(), Observer{Row: nothing, Frame: nothing, Contact: nothing})
	if err == nil || !strings.Contains(err.Error(), "\"pad\"") || !strings.Contains(err.Error(), "neo-hooke") {
		t.Errorf("error %v", err)
	}
}
