package fem

import (
	"fmt"
	"slices"
	"strings"
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

// What damping, and a stress threshold, add is the difference: a whole step.
func BenchmarkStep(b *testing.B) {
	for _, kind := range []string{"plain", "watched", "damped", "damped+watched"} {
		damped, watched := strings.Contains(kind, "damped"), strings.Contains(kind, "watched")
		b.Run(kind, func(b *testing.B) {
			var m Leapfrog
			var p *Subdomain
			scenes(b, []int{10, 32, 100}, func(s *Triangles, f, x []r2.Vec) {
				if len(m.X) != len(x) {
					m = Leapfrog{X: slices.Clone(x), V: make([]r2.Vec, len(x)+100)[100:], F: f, Mass: s.Masses(), Held: slices.Repeat([]uint8{3}, len(x)), End: int32(len(x))}
					if damped {
						m.Damping, m.Powers = make([]r2.Vec, len(x)+200)[200:], make([]Power, Groups(len(x)))
						s.Damp(1e-9)
					}
					if watched {
						s.Watch([]StressThreshold{{0, int32(s.count), 1e9, 1e9, 0.5, false}})
					}
					p = s.Subdomains(1)[0]
				}
				if !p.AddForces(&m) {
					b.Fatal("a triangle is turned inside out")
				}
				p.Move(&m, 1e-9, 1e-9)
			})
		})
	}
}

func BenchmarkStrainEnergy(b *testing.B) {
	scenes(b, []int{32}, func(s *Triangles, f, x []r2.Vec) { s.StrainEnergy(x) })
}

func BenchmarkStresses(b *testing.B) {
	out := make([]Stress, 200_000)
	scenes(b, []int{32, 100}, func(s *Triangles, f, x []r2.Vec) { s.Stresses(x, bulk.PlaneStrain, out) })
}

func BenchmarkMaxFrequencySquared(b *testing.B) {
	scenes(b, []int{32}, func(s *Triangles, f, x []r2.Vec) { s.MaxFrequencySquared(x) })
}

// beamScenes calls run with bent rods of n beams and reports nanoseconds per
// beam.
func beamScenes(b *testing.B, sizes []int, run func(s *Beams, f, x []r2.Vec, m, theta []float64)) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := newRod(n, float64(n), 0.3, 0.5)
			s := r.beams(b, thin)
			x, theta := r.shaken(0.01, 0.1, 1)
			f, m := make([]r2.Vec, len(x)), make([]float64, len(x))
			b.ResetTimer()
			for b.Loop() {
				run(s, f, x, m, theta)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/beam")
		})
	}
}

func BenchmarkBeamAddForces(b *testing.B) {
	beamScenes(b, []int{20, 1000, 100000}, func(s *Beams, f, x []r2.Vec, m, theta []float64) {
		if err := s.AddForces(f, m, x, theta); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkBeamAddDamping(b *testing.B) {
	beamScenes(b, []int{1000}, func(s *Beams, f, x []r2.Vec, m, theta []float64) { s.AddDamping(f, m, x, x, theta, 1e-9) })
}

func BenchmarkBeamMaxFrequencySquared(b *testing.B) {
	beamScenes(b, []int{1000}, func(s *Beams, f, x []r2.Vec, m, theta []float64) { s.MaxFrequencySquared(x, theta) })
}

func BenchmarkPatternAddTriangles(b *testing.B) {
	var p *Pattern
	var val []float64
	scenes(b, []int{32}, func(s *Triangles, f, x []r2.Vec) {
		if p == nil {
			p = NewPattern(len(x), s)
			val = make([]float64, len(p.Col))
		}
		p.AddTriangles(val, s, x)
	})
}

func BenchmarkPatternAddBeams(b *testing.B) {
	var p *Pattern
	var val []float64
	beamScenes(b, []int{1000}, func(s *Beams, f, x []r2.Vec, m, theta []float64) {
		if p == nil {
			p = NewPattern(len(x), s)
			val = make([]float64, len(p.Col))
		}
		p.AddBeams(val, s, x, theta)
	})
}
