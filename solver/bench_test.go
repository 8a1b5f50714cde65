package solver

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"fdem/contactnodes"
	"fdem/mesh"
)

// Whole steps of two blocks far apart: triangles, search with nothing near,
// update, books.
func BenchmarkStep(b *testing.B) {
	for _, triangles := range []int{2000, 20000, 200000} {
		n := int(math.Sqrt(float64(triangles) / 4))
		src := &mesh.Source{Name: "blocks"}
		rectangle(src, "a", 0, 0, 0.01, 0.01, n, n)
		rectangle(src, "b", 0.02, 0, 0.01, 0.01, n, n)
		m := model(b, src, steel)
		m.Duration = 1
		m.Bodies[0].Velocity.X = 0.1
		m.Contacts = []Contact{{
			Name: "blocks", Contactor: edges(m.Mesh, 1), Opposite: edges(m.Mesh, 0), Law: kostek(b),
			NodesPerElement: 20, Friction: contactnodes.Friction{Kinetic: 0.1, Speed: 1e-3},
		}}
		for workers := 1; workers <= runtime.GOMAXPROCS(0); workers++ {
			b.Run(fmt.Sprintf("triangles=%d/workers=%d", len(m.Mesh.Triangles), workers), func(b *testing.B) {
				s := start(b, m)
				s.Share(workers)
				b.ReportAllocs()
				for b.Loop() {
					if err := s.Step(s.Limit); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(m.Mesh.Triangles)), "ns/element-step")
			})
		}
	}
}
