package impulses_test

import (
	"math"
	"testing"
)

// What the solver gets wrong stays small where bodies of very different masses meet, and where a heap of stones
// meets at once and impacts close gaps elsewhere in the same step.
func TestResidualOfImpacts(t *testing.T) {
	heavy := func(angle float64) *scene {
		s := begin(0.3, under(0), "").floor(-2, 2) // 20 kg on balls of 7 g
		s.box(-0.3, 0.2, 0.2, 0.4, 0, 0).box(0.3, 0.2, 0.2, 0.4, 0, 0)
		s.WriteString("[[particle]]\nname = \"p\"\nposition = [-0.19, 0.0088]\nradius = 0.0087\ngrid = [22, 3]\nspacing = 0.0175\ndensity = 2500\njitter = 1e-5\n")
		return s.box(0, 0.2, 0.2, 0.2, angle, 500).contact(0.5, 0.1)
	}
	stones := begin(1, under(0), "").floor(-3, 3)
	for k := range 25 {
		stones.box(0.25*float64(k/5)-0.5, 0.3+0.25*float64(k%5), 0.1+0.02*float64(k%4), 0.12, 0.3*float64((k*7)%11), 2500)
	}
	stones.contact(0.5, 0.2)
	for _, c := range []struct {
		what  string
		of    *scene
		bound float64
	}{{"20 kg on balls of 7 g", heavy(0), 1e-3}, {"20 kg on balls of 7 g", heavy(0.1), 1e-3}, {"20 kg on balls of 7 g", heavy(0.25), 1e-3}, {"20 kg on balls of 7 g", heavy(0.5), 1e-3}, {"25 stones", stones, 1e-3}} {
		r := start(t, c.of)
		r.to(r.Duration, nil)
		closes(t, r.Solver, r.Energies().ExternalWork)
		e := r.Energies()
		share := (math.Abs(e.SolverError) + math.Abs(e.PositionError)) / e.ExternalWork
		t.Logf("%s: errors %.2g of the work, %d of %d steps did not converge", c.what, share, r.UnconvergedSteps(), r.N)
		if !(share < c.bound) {
			t.Errorf("%s: errors of solver and positions are %g of the work", c.what, share)
		}
	}
}
