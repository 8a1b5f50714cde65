package spall_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"fdem/examples/scenes"
	"fdem/solver"
)

// The bar spalls when and with the energy that the exact solution has
// (characteristics; the plane is rigid until it opens): open from 151.610 us,
// broken at 158.030 us, 10 J/m2 dissipated.
func TestSpall(t *testing.T) {
	m, err := scenes.Load("spall-bar.toml")
	if err != nil {
		t.Fatal(err)
	}
	m.Duration, m.HistoryEvery = 162e-6, 1e-6
	s, err := solver.New(m)
	if err != nil {
		t.Fatal(err)
	}
	var notes []string
	s.Note = func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	free := 0.0
	if err := scenes.Finish(s, func() { free = math.Max(free, s.Probe(m.Probes[0]).X) }); err != nil {
		t.Fatal(err)
	}
	const area, energy = 5e-3 * 1, 10
	k := s.Cracks()
	if k.Cracks() != 4 {
		t.Fatalf("%d edges open, want the 4 of the plane", k.Cracks())
	}
	opened, broken := math.Inf(1), 0.0
	for i := range k.Cracks() {
		c := k.Crack(i)
		opened, broken = math.Min(opened, c.InsertedAt), math.Max(broken, c.BrokenAt)
	}
	e := s.Energies()
	t.Logf("open from %.3f us, broken at %.3f us, %.6f J/m2, free end up to %.5f m/s, residual %.1e", 1e6*opened, 1e6*broken, e.FractureDissipated/area, free, s.Relative(e))
	if math.Abs(opened-151.610e-6) > 0.2e-6 {
		t.Errorf("opens at %g s", opened)
	}
	if !(math.Abs(broken-158.030e-6) <= 0.3e-6) {
		t.Errorf("breaks at %g s", broken)
	}
	if math.Abs(e.FractureDissipated/(area*energy)-1) > 5e-3 {
		t.Errorf("dissipates %g J", e.FractureDissipated)
	}
	if math.Abs(free-1.6) > 0.002*1.6 { // twice the pulse's p/(rho c)
		t.Errorf("the free end moves with %g m/s", free)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], ": cracks have opened, the crack at (") {
		t.Errorf("the step's notes are %q", notes)
	}
	if s.Relative(e) > 1e-3 {
		t.Errorf("residual %g", s.Relative(e))
	}
}
