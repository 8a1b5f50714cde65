package contactnodes

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r2"
	"pgregory.net/rapid"
)

// The greatest frequency of a rigid body on springs at points along edges is the greatest
// eigenvalue of what they are against its three freedoms, point by point, never less; and so it
// is of dampers, which act along the normal alone.
func TestGreatestFrequency(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := func(lo, hi float64, name string) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
		mass, inertia := number(0.1, 10, "mass"), number(0.1, 10, "inertia")
		centre := r2.Vec{X: number(-2, 2, "x"), Y: number(-2, 2, "y")}
		var k, r [6]float64
		all, dampers := mat.NewSymDense(3, nil), mat.NewSymDense(3, nil)
		for range rapid.IntRange(1, 4).Draw(t, "edges") {
			angle := number(0, 7, "angle")
			p := PairStiffness{
				A: r2.Vec{X: number(-1, 1, "ax"), Y: number(-1, 1, "ay")}, Chord: r2.Vec{X: number(-1, 1, "wx"), Y: number(-1, 1, "wy")},
				Inward: r2.Vec{X: math.Cos(angle), Y: math.Sin(angle)}, Tangential: number(0.1, 1, "tangential"), Damping: number(1e-3, 0.1, "damping"),
			}
			for range 3 {
				u, spring := number(0, 1, "u"), number(1, 1e3, "spring")
				p.Sum, p.First, p.Second = p.Sum+spring, p.First+spring*u, p.Second+spring*u*u
				arm := r2.Sub(r2.Add(p.A, r2.Scale(u, p.Chord)), centre)
				for _, d := range []struct {
					n    r2.Vec
					k, r float64
				}{{p.Inward, spring, spring * p.Damping}, {r2.Vec{X: -p.Inward.Y, Y: p.Inward.X}, spring * p.Tangential, 0}} {
					b := []float64{d.n.X / math.Sqrt(mass), d.n.Y / math.Sqrt(mass), r2.Cross(arm, d.n) / math.Sqrt(inertia)}
					all.SymRankOne(all, d.k, mat.NewVecDense(3, b))
					dampers.SymRankOne(dampers, d.r, mat.NewVecDense(3, b))
				}
			}
			p.On(&k, &r, centre, 1)
		}
		for _, c := range []struct {
			of  *mat.SymDense
			sum *[6]float64
		}{{all, &k}, {dampers, &r}} {
			var eigen mat.EigenSym
			if !eigen.Factorize(c.of, false) {
				t.Fatal("no eigenvalues")
			}
			want, got := eigen.Values(nil)[2], GreatestFrequency(c.sum, 1/mass, 1/inertia)
			if !(got >= want*(1-1e-9)-1e-9) || got > 1.02*want+1e-9 {
				t.Fatalf("%g, want %g", got, want)
			}
		}
	})
}
