package rockfallbreaking_test

import (
	"flag"
	"math"
	"slices"
	"testing"

	"fdem/examples/scenes"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

// The whole example, some minutes long:
//
//	go test ./examples/rockfall-breaking -v -rocks 200 -until 0.6 -speed 0 -timeout 2h
var (
	rocks = flag.Int("rocks", 12, "rocks that fall")
	until = flag.Float64("until", 0.025, "when to look [s]")
	speed = flag.Float64("speed", 3, "with which they begin to fall [m/s]")
)

// Rocks fall, break and meet: none leaves the hollow, every gram of them is in a
// fragment, the ledger closes to 1 %, and two workers make the same bits as one.
func TestRocksBreak(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	var first []r2.Vec
	for _, workers := range []int{1, 2} {
		m, err := scenes.Rockfall("rockfall-breaking.toml", *rocks, 1)
		if err != nil {
			t.Fatal(err)
		}
		m.Duration, m.Bodies[0].Velocity.Y = *until, -*speed
		s, err := solver.New(m)
		if err != nil {
			t.Fatal(err)
		}
		s.SetWorkers(workers)
		if err := scenes.Finish(s, func() {}); err != nil {
			t.Fatal(err)
		}
		if first != nil {
			if !slices.Equal(first, s.X) {
				t.Error("two workers: other bits")
			}
			continue
		}
		first = slices.Clone(s.X)
		radius := -s.Mesh.Edges[len(s.Mesh.Edges)-1].Radius
		mass, farthest := 0.0, 0.0
		fragments := s.FragmentList()
		for _, f := range fragments {
			mass += f.Mass
			farthest = math.Max(farthest, r2.Norm(f.Centre))
		}
		whole := 0.0
		for _, q := range s.Mesh.Triangles {
			a, b, c := s.Mesh.X[q[0]], s.Mesh.X[q[1]], s.Mesh.X[q[2]]
			whole += 0.5 * r2.Cross(r2.Sub(b, a), r2.Sub(c, a)) * 0.01 * 2000
		}
		e := s.Energies()
		t.Logf("%d steps: %d rocks are %d fragments, %d contact nodes of these touch; %.3g J move, %.3g J fractured, residual %.2g", s.N, *rocks, len(fragments), len(s.FragmentContacts()), e.Kinetic, e.FractureDissipated, s.Relative(e))
		if len(fragments) < *rocks*5/4 {
			t.Errorf("%d rocks are %d fragments", *rocks, len(fragments))
		}
		if math.Abs(mass/whole-1) > 1e-9 || farthest > radius {
			t.Errorf("fragments weigh %g kg of %g, and the farthest is at %g m of %g", mass, whole, farthest, radius)
		}
		if s.Relative(e) > 0.01 {
			t.Errorf("residual %g", s.Relative(e))
		}
	}
}
