package solver

import (
	"errors"
	"math"
	"testing"

	"fdem/contactnodes"
	"fdem/materials/bulk"
	"fdem/mesh"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// overlapping is two blocks that lie 20 um in one another.
func overlapped(t testing.TB, o contactnodes.Overlap) *models.Model {
	src := &mesh.Source{Name: "blocks"}
	rectangle(src, "a", 0, 0, 0.02, 0.01, 20, 10)
	rectangle(src, "b", 0.01998, 0.001, 0.015, 0.008, 15, 8)
	m := model(t, src, steel)
	m.Contacts = []models.SurfaceContact{{Name: "a-b", Contactor: edges(m.Mesh, 0), Opposite: edges(m.Mesh, 1), TwoSided: true,
		Law: law(t, "linear", map[string]float64{"k": 1e14}), NodesPerElement: 20, Friction: contactnodes.Friction{Kinetic: 0.1, Speed: 1e-3}, Overlap: o}}
	m.Duration, m.HistoryEvery = 50e-6, 1e-6
	return m
}

// A subtracted overlap does nothing until the bodies come closer still.
func TestOverlapSubtracted(t *testing.T) {
	m := overlapped(t, contactnodes.Overlap{Mode: contactnodes.OverlapSubtract})
	s := start(t, m)
	run(t, s, nil)
	if e := s.Energies(); e.Kinetic > s.RoundingNoise || s.PeakForce[0] > 1e-6 {
		t.Errorf("bodies at rest got %g J, pressed by %g N", e.Kinetic, s.PeakForce[0])
	}
	m.Bodies[0].Velocity, m.Duration = r2.Vec{X: 0.5}, 150e-6
	s = start(t, m)
	worst := 0.0
	run(t, s, func() { worst = max(worst, s.Relative(s.Energies())) })
	v := s.Motions()[1].Velocity.X
	t.Logf("the other leaves at %.3f m/s, worst residual %.2g", v, worst)
	if !(v > 0.3) || worst > 1e-3 {
		t.Errorf("the other leaves at %g m/s, worst residual %g", v, worst)
	}
	left := 0
	for _, n := range s.Surfaces[0].Kept {
		if n.Offset > 0 {
			left++
		}
	}
	if left > 0 {
		t.Errorf("%d contact nodes still remember an overlap after the bodies have parted", left)
	}
}

// The force of an allowed overlap is ramped in. Its work is external.
func TestOverlapAllowed(t *testing.T) {
	worst := func(safety float64) float64 {
		m := overlapped(t, contactnodes.Overlap{Mode: contactnodes.OverlapAllow, Ramp: 10e-6})
		m.Safety = safety
		s := start(t, m)
		w := 0.0
		run(t, s, func() { w = max(w, s.Relative(s.Energies())) })
		e := s.Energies()
		if !(e.ExternalWork > 0) || !(s.Motions()[1].Velocity.X > 0) || math.Abs(s.Motions()[0].Momentum.X+s.Motions()[1].Momentum.X) > 1e-12 {
			t.Errorf("work %g J, velocity %g m/s", e.ExternalWork, s.Motions()[1].Velocity.X)
		}
		return w
	}
	whole, half := worst(0.4), worst(0.2)
	t.Logf("worst residual %.3g, with half the step %.3g", whole, half)
	if whole > 1e-3 {
		t.Errorf("residual %g", whole)
	}
}

// The order in which a deck names its contacts does not matter to a bit.
func TestOrderOfContactsDoesNotMatter(t *testing.T) {
	end := func(order ...int) []r2.Vec {
		src := &mesh.Source{Name: "blocks"}
		rectangle(src, "a", 0, 0, 0.02, 0.01, 10, 5)
		rectangle(src, "b", 0.0201, 0.003, 0.015, 0.02, 8, 10)
		rectangle(src, "c", 0.005, 0.0101, 0.015, 0.02, 8, 10)
		m := model(t, src, steel)
		m.Bodies[0].Velocity, m.Bodies[1].Velocity = r2.Vec{X: 2, Y: 1.5}, r2.Vec{X: -2}
		all := []models.SurfaceContact{
			{Name: "ab", Contactor: edges(m.Mesh, 0), Opposite: edges(m.Mesh, 1), Law: kostek(t)},
			{Name: "ac", Contactor: edges(m.Mesh, 0), Opposite: edges(m.Mesh, 2), Law: law(t, "linear", map[string]float64{"k": 3e14}), TwoSided: true},
			{Name: "bc", Contactor: edges(m.Mesh, 2), Opposite: edges(m.Mesh, 1), Law: kostek(t)},
		}
		for _, i := range order {
			c := all[i]
			c.NodesPerElement, c.Friction = 20, contactnodes.Friction{Kinetic: 0.2, Speed: 1e-3}
			m.Contacts = append(m.Contacts, c)
		}
		m.Duration = 150e-6
		s := start(t, m)
		run(t, s, nil)
		for i := range s.PeakForce {
			if s.PeakForce[i] == 0 {
				t.Fatalf("contact %q did not press", m.Contacts[i].Name)
			}
		}
		return append(s.X, s.V...)
	}
	want := end(0, 1, 2)
	for i, v := range end(2, 0, 1) {
		if v != want[i] {
			t.Fatalf("value %d is %v, want %v", i, v, want[i])
		}
	}
}

// Laws for pairs of materials: every pair follows its own, each surface stands
// for its part of the area once.
func TestLawsByPairOfMaterials(t *testing.T) {
	soft, hard := law(t, "linear", map[string]float64{"k": 1e12}), law(t, "linear", map[string]float64{"k": 1e14})
	press := func(pairs bool) []float64 {
		src := &mesh.Source{Name: "blocks"}
		rectangle(src, "a", 0, 0, 0.02, 0.01, 10, 5)
		rectangle(src, "b", 0.01999, 0, 0.02, 0.01, 10, 5)
		rectangle(src, "c", 0.03998, 0, 0.02, 0.01, 10, 5)
		m := model(t, src, steel)
		m.Materials = append(m.Materials, bulk.Material{Elastic: steel})
		m.Bodies[2].Material = 1
		all := append(append(edges(m.Mesh, 0), edges(m.Mesh, 1)...), edges(m.Mesh, 2)...)
		c := models.SurfaceContact{NodesPerElement: 20, Friction: contactnodes.Friction{Speed: 1e-3}, Overlap: contactnodes.Overlap{Mode: contactnodes.OverlapAllow, Ramp: 1e-12}}
		if pairs {
			for i, p := range []([2]int32){{0, 0}, {0, 1}} {
				k := c
				k.Name, k.Contactor, k.Opposite, k.Pair = string(rune('p'+i)), all, all, &p
				if k.Law = soft; i == 1 {
					k.Law = hard
				}
				m.Contacts = append(m.Contacts, k)
			}
		} else {
			for i := range 2 {
				k := c
				k.Name, k.Contactor, k.Opposite, k.TwoSided = string(rune('p'+i)), edges(m.Mesh, i), edges(m.Mesh, i+1), true
				if k.Law = soft; i == 1 {
					k.Law = hard
				}
				m.Contacts = append(m.Contacts, k)
			}
		}
		m.Duration = 1e-3
		s := start(t, m)
		noError(t, s.Step(1e-10, nil))
		noError(t, s.Step(1e-10, nil))
		return []float64{s.Surfaces[0].Normal, s.Surfaces[1].Normal}
	}
	got, want := press(true), press(false)
	for i := range got {
		if !(want[i] > 0) || math.Abs(got[i]-want[i]) > 1e-9*want[i] {
			t.Errorf("pair %d presses with %g N, contacts named one by one with %g N", i, got[i], want[i])
		}
	}
	if r := want[1] / want[0]; math.Abs(r-100) > 1 {
		t.Errorf("the harder pair presses %g times as much, want 100", r)
	}
}

// When its ramp is over, a run whose overlap was pressed apart is judged by the energy that it has,
// however fast the ramp was: one that has made a tenth of it is stopped.
func TestFastRampIsNoYardstick(t *testing.T) {
	for _, c := range []struct {
		ramp, k float64
		stopped bool
	}{{10e-6, 1e14, false}, {0.1e-6, 1e15, true}} {
		m := overlapped(t, contactnodes.Overlap{Mode: contactnodes.OverlapAllow, Ramp: c.ramp})
		m.Contacts[0].Law = law(t, "linear", map[string]float64{"k": c.k})
		s := start(t, m)
		err := s.Run(t.Context(), Observer{Row: func() error { return nil }, Frame: func() error { return nil }})
		e := s.Energies()
		t.Logf("ramp of %g s: residual %.3g of the greatest energy, %v", c.ramp, s.Relative(e), err)
		if s.RelativeResidual(e) != s.Relative(e) {
			t.Errorf("ramp of %g s: the residual is judged as %g, it is %g", c.ramp, s.RelativeResidual(e), s.Relative(e))
		}
		var unstable *UnstableError
		if errors.As(err, &unstable) != c.stopped {
			t.Errorf("ramp of %g s: %v", c.ramp, err)
		}
	}
}
