package brazilian_test

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"fdem/examples/scenes"
	"fdem/fem/fracture"
	"fdem/mesh"
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
		x := k.Event(&c).Position
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

// Other discs, rocks and arcs, on meshes as shapes make them, rows and all, whichever
// path the load goes through these: they begin to crack at the load of elasticity, and
// split along the loaded diameter soon after, on the first at 1.08 times that load where
// the crack is led along the diameter.
func TestOtherDiscs(t *testing.T) {
	text, err := os.ReadFile("brazilian-disc.toml")
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range []struct {
		radius           float64 // [m]
		sides, arc, turn int
		young            float64 // [Pa]
		strength         float64 // [Pa]
		energy           float64 // [J/m2]
	}{
		{25e-3, 216, 6, 10, 30e9, 5e6, 10},
		{25e-3, 108, 3, 4, 30e9, 5e6, 10},
		{25e-3, 80, 2, 0, 30e9, 5e6, 5},
		{10e-3, 180, 8, 7, 70e9, 12e6, 3},
		{100e-3, 160, 4, 13, 10e9, 2e6, 20},
	} {
		if testing.Short() && i != 1 {
			continue
		}
		src := &mesh.Source{Name: "disc"}
		if err := scenes.PressedDisc(src, d.radius, d.sides, d.arc, d.turn); err != nil {
			t.Fatal(err)
		}
		begins := onset(d.strength, 2*math.Pi*float64(d.arc)/float64(d.sides))
		rise := 500e-6 * d.radius / 25e-3 * math.Sqrt(30e9/d.young) // as slow for the disc
		most := 1.25 * begins
		if d.energy*d.young/(d.strength*d.strength) > 0.25*2*d.radius {
			t.Fatalf("disc %d is too tough to split so early", i)
		}
		deck := strings.NewReplacer(`"522 us"`, fmt.Sprint(rise), "50e6 * (t/500e-6)^2", fmt.Sprintf("%g * (t/%g)^2", most, rise),
			"fields_every = \"6 us\"", "", "history_every = \"0.5 us\"", fmt.Sprintf("history_every = %g", rise),
			`"30 GPa"`, fmt.Sprint(d.young), `"5 MPa"`, fmt.Sprint(d.strength), `"30 MPa"`, fmt.Sprint(6*d.strength),
			`"10 J/m2"`, fmt.Sprint(d.energy), `"100 J/m2"`, fmt.Sprint(10*d.energy)).Replace(string(text))
		s, err := scenes.Start("disc.toml", deck, src)
		if err != nil {
			t.Fatal(err)
		}
		if err := scenes.Finish(s, func() {}); err != nil {
			t.Fatal(err)
		}
		sin, cos := math.Sincos(2 * math.Pi * float64(d.turn) / float64(d.sides))
		opens := math.Inf(1)
		var events []fracture.Event
		k := s.Cracks()
		for i := range k.Cracks() {
			c := k.Crack(i)
			opens = math.Min(opens, c.InsertedAt)
			if !math.IsNaN(c.BrokenAt) {
				events = append(events, k.Event(&c))
			}
		}
		slices.SortFunc(events, func(p, q fracture.Event) int { return cmp.Compare(p.Time, q.Time) })
		breaks := math.Inf(1)
		least, top, wide := 0.0, 0.0, 0.0
		for _, e := range events { // until the crack is as long as the radius
			breaks = math.Min(breaks, e.Time)
			along, across := e.Position.Y*cos-e.Position.X*sin, e.Position.X*cos+e.Position.Y*sin
			least, top, wide = math.Min(least, along/d.radius), math.Max(top, along/d.radius), math.Max(wide, math.Abs(across)/d.radius)
			if top-least >= 1 {
				break
			}
		}
		first, broken := 1.25*opens/rise*opens/rise, 1.25*breaks/rise*breaks/rise
		t.Logf("disc %d: opens at %.4f, breaks at %.3f of the load of elasticity; broken from %.2f to %.2f of the radius, within %.2f", i, first, broken, least, top, wide)
		if !(math.Abs(first-1) < 0.03) {
			t.Errorf("disc %d begins to crack at %g of the load of elasticity", i, first)
		}
		if top-least < 1 || wide > 0.2 {
			t.Errorf("disc %d: the crack is from %g to %g of the radius, up to %g off the diameter", i, least, top, wide)
		}
	}
}
