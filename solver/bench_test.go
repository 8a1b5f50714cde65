package solver

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"fdem/contactnodes"
	"fdem/mesh"
	models "fdem/solver/model"
)

// Whole steps of two blocks far apart: triangles, search with nothing near, update, energy balance.
func BenchmarkStep(b *testing.B) {
	for _, triangles := range []int{2000, 20000, 200000} {
		n := int(math.Sqrt(float64(triangles) / 4))
		src := &mesh.Source{Name: "blocks"}
		rectangle(src, "a", 0, 0, 0.01, 0.01, n, n)
		rectangle(src, "b", 0.02, 0, 0.01, 0.01, n, n)
		m := model(b, src, steel)
		m.Duration = 1
		m.Bodies[0].Velocity.X = 0.1
		m.Contacts = []models.SurfaceContact{{
			Name: "blocks", Contactor: edges(m.Mesh, 1), Opposite: edges(m.Mesh, 0), Law: kostek(b),
			NodesPerElement: 20, Friction: contactnodes.Friction{Kinetic: 0.1, Speed: 1e-3},
		}}
		for workers := 1; workers <= runtime.GOMAXPROCS(0); workers++ {
			b.Run(fmt.Sprintf("triangles=%d/workers=%d", len(m.Mesh.Triangles), workers), func(b *testing.B) {
				s := start(b, m)
				s.SetWorkers(workers)
				b.ReportAllocs()
				for b.Loop() {
					noError(b, s.Step(s.Limit, nil))
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(m.Mesh.Triangles)), "ns/element-step")
			})
		}
	}
}

// sliding is two strips of one layer, the upper of the given number of boundary
// edges, sliding at 5 m/s on the other that is as long, or far above it.
func sliding(b *testing.B, edgesOf int, gap float64) *Solver {
	const h = 1e-3
	n := edgesOf / 2
	src := &mesh.Source{Name: "strips"}
	rectangle(src, "lower", 0, 0, h*float64(n), h, n, 1)
	rectangle(src, "upper", 0.3*h, h+gap, h*float64(n), h, n, 1)
	m := model(b, src, steel)
	m.Duration = 1
	m.Bodies[1].Velocity.X = 5
	m.Fixes = []models.Fix{{Nodes: m.Mesh.Bodies[0].Nodes, X: true, Y: true}}
	m.Gravity.Y = -1e6 // keeps them together
	m.Contacts = []models.SurfaceContact{{
		Name: "strips", Contactor: edges(m.Mesh, 1), Opposite: edges(m.Mesh, 0), Law: law(b, "linear", map[string]float64{"k": 1e14}),
		NodesPerElement: 20, Friction: contactnodes.Friction{Kinetic: 0.1, Speed: 1e-3},
	}}
	s := start(b, m)
	for range 20 {
		noError(b, s.Step(s.Limit, nil))
	}
	return s
}

// A long body slides along another: a step should cost no more than 1.5 times
// a step of the same edges far apart and the narrow phase together.
func BenchmarkSliding(b *testing.B) {
	const n = 100_000
	perEdge := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/edge-step")
	}
	for _, c := range []struct {
		name string
		gap  float64
	}{{"far apart", 1}, {"sliding", 0}} {
		b.Run(c.name, func(b *testing.B) {
			s := sliding(b, n, c.gap)
			for b.Loop() {
				noError(b, s.Step(s.Limit, nil))
			}
			perEdge(b)
		})
	}
	b.Run("narrow phase", func(b *testing.B) {
		s := sliding(b, n, 0)
		pairs := s.Outlines.Search.Pairs(s.X)
		for b.Loop() {
			noError(b, s.Surfaces[0].AddForces(s.Contact, s.X, s.V, pairs, s.Time, 0, contactnodes.Prediction{}))
		}
		if s.Surfaces[0].Active == 0 {
			b.Fatal("nothing touches")
		}
		b.ReportMetric(float64(s.Surfaces[0].Active), "touching")
		perEdge(b)
	})
}

// The cost of checking the ledger, beside that of the step, for two blocks that press one another.
// The check should cost no more than a hundredth of the step.
func BenchmarkWatch(b *testing.B) {
	const n = 70 // 19600 triangles
	src := &mesh.Source{Name: "blocks"}
	rectangle(src, "a", 0, 0, 0.01, 0.01, n, n)
	rectangle(src, "b", 0.01001, 0, 0.01, 0.01, n, n)
	m := model(b, src, steel)
	m.Duration = 1
	m.Bodies[0].Velocity.X = 10
	m.Contacts = []models.SurfaceContact{{
		Name: "blocks", Contactor: edges(m.Mesh, 1), Opposite: edges(m.Mesh, 0), Law: kostek(b),
		NodesPerElement: 20, Friction: contactnodes.Friction{Kinetic: 0.1, Speed: 1e-3},
	}}
	s := start(b, m)
	for s.Surfaces[0].Active < 20*n {
		noError(b, s.Step(s.longest(), nil))
	}
	b.Run("step", func(b *testing.B) {
		for b.Loop() {
			if err := s.Step(1e-12, nil); err != nil { // it stays as it is
				b.Fatal(err)
			}
		}
	})
	b.Run("watch", func(b *testing.B) {
		for b.Loop() {
			s.watch(s.contacts.Act())
			s.beginContactAccount()
		}
	})
	b.Run("ledger", func(b *testing.B) {
		for b.Loop() {
			s.Energies()
		}
	})
}
