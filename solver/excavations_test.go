package solver

import (
	"math"
	"testing"

	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// dugAway is two blocks that meet; of one the upper part, which moves by itself, leaves.
func dugAway(t testing.TB) *Model {
	src := &mesh.Source{Name: "blocks"}
	rectangle(src, "a", 0, 0, 0.02, 0.01, 20, 10)
	rectangle(src, "b", 0.0201, 0.003, 0.015, 0.02, 15, 20)
	low := &src.Groups[1] // the upper part of it is another body
	high := mesh.SourceGroup{Name: "c", Dim: 2, Number: 3}
	var stays []int32
	for _, k := range low.Elements {
		if n := src.Triangles[k]; src.X[n[0]].Y+src.X[n[1]].Y+src.X[n[2]].Y > 3*0.017 {
			high.Elements = append(high.Elements, k)
		} else {
			stays = append(stays, k)
		}
	}
	low.Elements = stays
	src.Groups = append(src.Groups, high)
	m := model(t, src, steel)
	m.Bodies[0].Velocity = r2.Vec{X: 3, Y: 0.5}
	m.Bodies[2].Velocity = r2.Vec{X: 0.1, Y: 0.4}
	m.Contacts = []SurfaceContact{{
		Name: "blocks", Contactor: edges(m.Mesh, 0), Opposite: edges(m.Mesh, 1), Law: law(t, "linear", map[string]float64{"k": 1e14}), NodesPerElement: 20, TwoSided: true,
	}}
	m.Damping, m.Gravity = Damping{Mass: 1e3, Stiffness: 1e-9}, r2.Vec{Y: -1e4}
	m.Excavations = []Excavation{{Name: "c", Body: 2, At: 15e-6, Fade: func(t float64) float64 { return max(0, 1-t/30e-6) }}}
	return m
}

// dugFromBroken is the two blocks with a stress that breaks the lower part at once, while
// the upper one leaves.
func dugFromBroken(t testing.TB) *Model {
	m := dugAway(t)
	m.Excavations[0].At = 0
	m = brittle(t, m, 20e6, 1)
	m.InitialStresses = []InitialStress{{Body: 1}}
	m.InitialStresses[0].At.XX, m.InitialStresses[0].At.XY = 25e6, 5e6
	return m
}

// What opens or leaves at once does so in the first step, not before: a state is restored
// into whole bodies.
func TestNothingPartsBeforeTheFirstStep(t *testing.T) {
	m := dugFromBroken(t)
	m.Duration = 1e-6
	s := start(t, m)
	if s.cracks.Cracks() > 0 || s.excavations.list[0].begun != 0 {
		t.Fatal("parted before the first step")
	}
	for range 2 { // one that takes the body away, and one in which the other knows its stress
		if err := s.Step(0, nil); err != nil {
			t.Fatal(err)
		}
	}
	if s.cracks.Cracks() == 0 || s.excavations.list[0].begun == 0 {
		t.Errorf("%d edges open and %g bodies have left in two steps", s.cracks.Cracks(), s.excavations.list[0].begun)
	}
	if n := len(s.fresh.walls[0].faces); n != 15 {
		t.Errorf("%d faces are laid bare, want the 15 that the bodies share", n)
	}
}

// A body that leaves takes its mass and its energy along; at that instant nothing
// jumps but these, and the books stay closed while it moves, has weight and is damped.
func TestDiggingKeepsTheBooks(t *testing.T) {
	m := dugAway(t)
	m.Duration, m.HistoryEvery = 60e-6, 1e-6
	s := start(t, m)
	before, worst := 0.0, 0.0
	if err := advance(s, Observer{Row: func() error {
		mass, nodes := 0.0, 0.0
		for _, b := range s.Motions() {
			mass += b.Mass
		}
		for _, w := range s.mass {
			nodes += w
		}
		if math.Abs(mass-nodes) > 1e-12*nodes {
			t.Errorf("t = %g: bodies weigh %g kg, nodes %g", s.Time, mass, nodes)
		}
		if before > 0 && mass < 0.99*before && (s.Time < 14.5e-6 || s.Time > 16.5e-6) {
			t.Errorf("mass goes from %g to %g kg at t = %g", before, mass, s.Time)
		}
		before, worst = mass, max(worst, s.Relative(s.Energies()))
		return nil
	}, Frame: func() error { return nil }}); err != nil {
		t.Fatal(err)
	}
	if e := s.Energies(); e.Excavated == 0 || worst > 2e-4 {
		t.Errorf("%g J have left, residual %g", e.Excavated, worst)
	}
}
