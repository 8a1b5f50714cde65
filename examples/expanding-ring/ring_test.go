package ring_test

import (
	"math"
	"testing"

	"fdem/examples/scenes"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

// Cracks in the ring begin to open at the time that follows from strain alone, and it breaks into
// the fragments that its README counts by cracks in tension across its wall; momentum is kept.
func TestExpandingRing(t *testing.T) {
	m, err := scenes.Load("expanding-ring.toml")
	if err != nil {
		t.Fatal(err)
	}
	s, err := solver.New(m)
	if err != nil {
		t.Fatal(err)
	}
	const mass, middle = 2500 * math.Pi * (0.2165*0.2165 - 0.2135*0.2135), 0.215
	speed := m.Bodies[0].Expansion * middle
	if start, want := s.Energies().Kinetic, 0.5*mass*speed*speed; math.Abs(start/want-1) > 1e-3 {
		t.Errorf("the ring starts with %g J, want %g", start, want)
	}
	if err := scenes.Finish(s, func() {}); err != nil {
		t.Fatal(err)
	}
	opened := math.Inf(1)
	for i := range s.Cracks().Cracks() {
		opened = math.Min(opened, s.Cracks().Crack(i).InsertedAt)
	}
	cracks, fragments := s.CrackTotals()
	e, momentum := s.Energies(), r2.Norm(s.Motions()[0].Momentum)
	t.Logf("opens at %.2f us, %d fragments, cracks of %.2f walls each, momentum %.1e, residual %.1e", 1e6*opened, fragments, cracks.Broken/float64(fragments)/3e-3, momentum/(mass*speed), s.Relative(e))
	if math.Abs(opened/7.5e-6-1) > 0.02 { // f_t/(E rate)
		t.Errorf("opens at %g s", opened)
	}
	if math.Abs(float64(fragments)-60) > 8 {
		t.Errorf("%d fragments", fragments)
	}
	if cracks.Shear > 0 || cracks.Broken > 1.1*3e-3*float64(fragments) {
		t.Errorf("%g m broken in all, %g m in shear: not across the wall", cracks.Broken, cracks.Shear)
	}
	if momentum > 1e-12*mass*speed {
		t.Errorf("momentum of %g", momentum)
	}
	if r := s.Relative(e); r > 1e-5 {
		t.Errorf("the ledger is off by %g", r)
	}
}

// Faster rings break into fragments of the size that the one-dimensional bar has.
func TestFasterRings(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, c := range []struct{ rate, size float64 }{{3, 0.454}, {10, 0.204}} { // over c f_t^3/(E^2 G) and E G/f_t^2
		m, err := scenes.Load("expanding-ring.toml")
		if err != nil {
			t.Fatal(err)
		}
		m.Bodies[0].Expansion *= c.rate
		s, err := solver.New(m)
		if err != nil {
			t.Fatal(err)
		}
		if err := scenes.Finish(s, func() {}); err != nil {
			t.Fatal(err)
		}
		_, fragments := s.CrackTotals()
		size := 2 * math.Pi * 0.215 / float64(fragments) / 30e-3
		t.Logf("rate %g: %d fragments of %.3f, known %.3f", c.rate, fragments, size, c.size)
		if math.Abs(size/c.size-1) > 0.15 {
			t.Errorf("rate %g: the mean fragment is %g, want %g", c.rate, size, c.size)
		}
	}
}
