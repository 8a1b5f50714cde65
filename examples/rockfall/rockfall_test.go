package rockfall_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"testing"
	"time"

	"fdem/contactnodes"
	"fdem/examples/cases"
	"fdem/examples/scenes"
	"fdem/solver"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// The whole example, some minutes long:
//
//	go test ./examples/rockfall -run Rest -v -rocks 1000 -until 0.6 -timeout 2h
var (
	rocks = flag.Int("rocks", 20, "rocks that fall")
	until = flag.Float64("until", 0.5, "when they must have come to rest [s]")
)

// fall runs the example with n rocks until the given time and returns its
// solver and the deepest deflection relative to the contact element under it.
func fall(t testing.TB, n int, seed int64, until float64) (s *solver.Solver, deepest float64) {
	t.Helper()
	m, err := scenes.Rockfall("rockfall.toml", n, seed)
	if err != nil {
		t.Fatal(err)
	}
	m.Duration = until
	if s, err = solver.New(m); err != nil {
		t.Fatal(err)
	}
	err = s.Run(context.Background(), solver.Observer{
		Row: func() error {
			c := s.Surfaces[0]
			for i, d := range c.Deflections() {
				if d == 0 {
					continue
				}
				e := m.Mesh.Edges[c.Edge(int(c.Touched[i]))]
				deepest = max(deepest, d/r2.Norm(r2.Sub(m.Mesh.X[e.B], m.Mesh.X[e.A])))
			}
			return nil
		},
		Frame: func() error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, deepest
}

// The rocks of a small fall come to rest in the hollow: no rock leaves it, no triangle is inverted
// (the run would stop), no penetration exceeds 2 % of an edge, and the ledger closes to 1 %.
func TestRocksComeToRest(t *testing.T) {
	if !cases.All() && *rocks == 20 {
		t.Skip("takes seconds: go test ./examples/rockfall -all -run TestRocksComeToRest")
	}
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	began := time.Now()
	s, deepest := fall(t, *rocks, 1, *until)
	t.Logf("%d steps of %d triangles and %d contact nodes, %d lists, in %v", s.N, len(s.Mesh.Triangles), s.ContactNodes(), s.Rebuilds(), time.Since(began).Round(time.Second))
	radius := -s.Mesh.Edges[len(s.Mesh.Edges)-1].Radius
	for i, x := range s.X[:s.Mesh.Bodies[1].Nodes[0]] {
		if r := r2.Norm(x); r > radius*(1+1e-3) {
			t.Fatalf("node %d is %g m from the middle of a hollow of %g m", i, r, radius)
		}
	}
	e := s.Energies()
	t.Logf("at the end %.3g J of %.3g J move; residual %.2g; deepest %.2g of an edge", e.Kinetic, s.Ledger.Entered, s.Relative(e), deepest)
	if e.Kinetic > 1e-3*s.Ledger.Entered {
		t.Errorf("kinetic energy %g J of %g J", e.Kinetic, s.Ledger.Entered)
	}
	if s.Relative(e) > 0.01 {
		t.Errorf("residual %g", s.Relative(e))
	}
	if deepest > 0.02 {
		t.Errorf("a contact node went %g of an edge deep", deepest)
	}
	if s.PeakForce[0] == 0 {
		t.Error("no rock touched anything")
	}
}

// The same seed gives the same rocks, another seed others.
func TestSeeds(t *testing.T) {
	a, _ := scenes.Rocks(50, 1)
	b, _ := scenes.Rocks(50, 1)
	c, _ := scenes.Rocks(50, 2)
	same := len(a.X) == len(c.X)
	for i := range a.X {
		if a.X[i] != b.X[i] {
			t.Fatalf("node %d lies at %v and at %v", i, a.X[i], b.X[i])
		}
		same = same && a.X[i] == c.X[i]
	}
	if same {
		t.Error("two seeds give the same rocks")
	}
}

// BenchmarkPile measures a step of tightly packed rocks that move against one another at 5 m/s, for
// several numbers of rocks. The cost for each rock and each contact node should not grow.
func BenchmarkPile(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprintf("rocks=%d", n), func(b *testing.B) {
			m, err := scenes.Rockfall("rockfall.toml", n, 1)
			if err != nil {
				b.Fatal(err)
			}
			const tight = 0.88 // the grid of their centres shrinks by this factor
			m.Gravity = r2.Vec{}
			m.Contacts[0].Overlap = contactnodes.Overlap{Mode: contactnodes.OverlapSubtract}
			squeeze(m, tight)
			s, err := solver.New(m)
			if err != nil {
				b.Fatal(err)
			}
			for i := range s.V[:m.Mesh.Bodies[1].Nodes[0]] {
				s.V[i] = r2.Vec{X: 5 * math.Sin(40*s.X[i].Y), Y: 5 * math.Sin(40*s.X[i].X)}
			}
			for range 150 { // until they touch
				if err := s.Step(s.Limit, nil); err != nil {
					b.Fatal(err)
				}
			}
			rebuilds := s.Rebuilds()
			for b.Loop() {
				if err := s.Step(s.Limit, nil); err != nil {
					b.Fatal(err)
				}
			}
			ns := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
			b.ReportMetric(ns/float64(n), "ns/rock-step")
			b.ReportMetric(ns/float64(s.ContactNodes()), "ns/contact-node-step")
			b.ReportMetric(float64(s.Surfaces[0].Active)/float64(n), "touching/rock")
			b.ReportMetric(float64(s.Rebuilds()-rebuilds)/float64(b.N), "rebuilds/step")
		})
	}
}

// squeeze moves the centres of the rocks towards one another.
func squeeze(m *model.Model, by float64) {
	centre := make([]r2.Vec, m.Mesh.Components)
	count := make([]float64, m.Mesh.Components)
	component := make([]int32, len(m.Mesh.X))
	for i := range component {
		component[i] = -1
	}
	for _, e := range m.Mesh.Edges {
		component[e.A] = e.Component
		centre[e.Component] = r2.Add(centre[e.Component], m.Mesh.X[e.A])
		count[e.Component]++
	}
	for changed := true; changed; { // inner nodes belong to their triangles' component
		changed = false
		for _, t := range m.Mesh.Triangles {
			k := max(component[t[0]], component[t[1]], component[t[2]])
			for _, n := range t {
				if component[n] != k {
					component[n], changed = k, true
				}
			}
		}
	}
	for i := range m.Mesh.X[:m.Mesh.Bodies[1].Nodes[0]] {
		c := r2.Scale(1/count[component[i]], centre[component[i]])
		m.Mesh.X[i] = r2.Add(m.Mesh.X[i], r2.Scale(by-1, c))
	}
}
