package brazilian_test

import (
	"math"
	"testing"

	"fdem/examples/scenes"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

// strength is the tensile strength of the deck [Pa].
const strength = 5e6

// onset is the pressure on two arcs, of the half angle a, at which the middle
// of a disc has the tensile stress s: 2p/pi (sin 2a - a) (Hondros 1959; with
// P = p D a the usual 2P/(pi D) times sin 2a / a - 1) [Pa].
func onset(s, a float64) float64 { return s * math.Pi / (2 * (math.Sin(2*a) - a)) }

// The disc begins to crack at the load of elasticity, about its middle, and
// splits along the loaded diameter in tension.
func TestSplitting(t *testing.T) {
	m, err := scenes.Load("brazilian-disc.toml")
	if err != nil {
		t.Fatal(err)
	}
	m.HistoryEvery = 1e-6
	s, err := solver.New(m)
	if err != nil {
		t.Fatal(err)
	}
	if err := scenes.Finish(s, func() {}); err != nil {
		t.Fatal(err)
	}
	k := s.Cracks()
	opens, breaks := math.Inf(1), math.Inf(1) // the first to do so [s]
	var opened, torn r2.Vec                   // and where
	least, most, wide, broken := 0.0, 0.0, 0.0, 0
	for i := range k.Cracks() {
		c := k.Crack(i)
		x := k.Event(&c).Place
		if c.InsertedAt < opens {
			opens, opened = c.InsertedAt, x
		}
		if math.IsNaN(c.BrokenAt) {
			continue
		}
		if c.BrokenAt < breaks {
			breaks, torn = c.BrokenAt, x
		}
		broken++
		least, most, wide = math.Min(least, x.Y), math.Max(most, x.Y), math.Max(wide, math.Abs(x.X))
	}
	got, want := 50e6*math.Pow(opens/500e-6, 2), onset(strength, scenes.BrazilianArc) // the deck's pressure
	totals, _ := s.CrackTotals()
	t.Logf("begins to crack at %.2f us, %.3f MPa, elasticity %.3f MPa, %+.2f %%, at (%.3g, %.3g) m; broken from %.2f us at (%.3g, %.3g) m; %d edges broken, y from %.1f to %.1f mm, x within %.1f mm; residual %.1e", 1e6*opens, got/1e6, want/1e6, 100*(got/want-1), opened.X, opened.Y, 1e6*breaks, torn.X, torn.Y, broken, 1e3*least, 1e3*most, 1e3*wide, s.Relative(s.Energies()))
	if !(math.Abs(got/want-1) <= 0.03) {
		t.Errorf("begins to crack at %g Pa, want %g", got, want)
	}
	for what, x := range map[string]r2.Vec{"opens": opened, "breaks": torn} {
		if r2.Norm(x) > 0.2*2*scenes.BrazilianRadius {
			t.Errorf("it %s first at (%g, %g) m", what, x.X, x.Y)
		}
	}
	if most-least < 1.4*scenes.BrazilianRadius || wide > 0.2*scenes.BrazilianRadius {
		t.Errorf("the crack is from y = %g to %g m, up to %g m off the diameter", least, most, wide)
	}
	if totals.Shear > 0 {
		t.Errorf("%g m broke in shear", totals.Shear)
	}
	if s.Relative(s.Energies()) > 1e-3 {
		t.Errorf("residual %g", s.Relative(s.Energies()))
	}
}
