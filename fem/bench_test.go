package fem

import (
	"fmt"
	"testing"

	"fdem/materials/bulk"

	"gonum.org/v1/gonum/spatial/r2"
)

// scenes calls run with shaken patches of 20 n^2 triangles for each n and
// reports nanoseconds per element.
func scenes(b *testing.B, sizes []int, run func(s *Triangles, f, x []r2.Vec)) {
	for _, n := range sizes { // 10 n by n cells of two triangles
		b.Run(fmt.Sprint(20*n*n), func(b *testing.B) {
			p := newPatch(10*n, n, 0.1, 0.01, 0.3)
			s := p.triangles(b, steel, bulk.PlaneStress, 0.01)
			x := p.shaken(1e-4 * 0.01 / float64(n))
			f := make([]r2.Vec, len(x))
			b.ResetTimer()
			for b.Loop() {
				run(s, f, x)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(p.tri)), "ns/element")
		})
	}
}

func BenchmarkAddForces(b *testing.B) {
	scenes(b, []int{10, 32, 100}, func(s *Triangles, f, x []r2.Vec) {
		if err := s.AddForces(f, x); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkAddDamping(b *testing.B) {
	scenes(b, []int{32}, func(s *Triangles, f, x []r2.Vec) { s.AddDamping(f, x, x, 1e-9) })
}

func BenchmarkStrainEnergy(b *testing.B) {
	scenes(b, []int{32}, func(s *Triangles, f, x []r2.Vec) { s.StrainEnergy(x) })
}

func BenchmarkMaxFrequencySquared(b *testing.B) {
	scenes(b, []int{32}, func(s *Triangles, f, x []r2.Vec) { s.MaxFrequencySquared(x) })
}
