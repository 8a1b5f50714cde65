package compression_test

import (
	"math"
	"testing"

	"fdem/examples/scenes"
	"fdem/solver"
)

// The block bears what Mohr and Coulomb say, 2 c (sqrt(1 + mu^2) + mu), within what
// a mesh without a free plane adds, and then the load falls.
func TestCompression(t *testing.T) {
	if testing.Short() {
		t.Skip("20,000 steps")
	}
	m, err := scenes.Load("uniaxial-compression.toml")
	if err != nil {
		t.Fatal(err)
	}
	m.Duration = 2.44e-3
	s, err := solver.New(m)
	if err != nil {
		t.Fatal(err)
	}
	greatest, last := 0.0, 0.0
	err = scenes.Finish(s, func() {
		for _, r := range s.MeanReactions() {
			if r.Name == "bottom" {
				last = r.Force.Y / 25e-3 / 1
				greatest = math.Max(greatest, last)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	const cohesion, friction = 17.5e6, 0.70021
	strength := 2 * cohesion * (math.Sqrt(1+friction*friction) + friction)
	cracks, _ := s.CrackTotals()
	e := s.Energies()
	t.Logf("bears %.2f MPa, %+.1f %%, in the end %.2f; broken %.0f mm, %.0f in shear; residual %.1e", greatest/1e6, 100*(greatest/strength-1), last/1e6, 1e3*cracks.Broken, 1e3*cracks.Shear, s.Relative(e))
	if ratio := greatest / strength; ratio < 0.95 || ratio > 1.25 {
		t.Errorf("the block bears %g Pa, want %g", greatest, strength)
	}
	if last > 0.5*strength { // 0.03 ms after the peak
		t.Errorf("the broken block bears %g Pa", last)
	}
	if cracks.Shear == 0 {
		t.Error("nothing has broken in shear")
	}
	if r := s.Relative(e); r > 1e-2 {
		t.Errorf("the ledger is off by %g", r)
	}
}
