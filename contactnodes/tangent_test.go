package contactnodes

import (
	"math"
	"math/rand"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// The springs are the change of the forces with the places of the nodes, but
// for the terms that the doc comment names; trying leaves the state alone.
func TestSpringsAreTheTangent(t *testing.T) {
	const stiff = 1e13
	for _, ends := range []bool{false, true} {
		square := []float64{1, 1, 1, 1}
		p := newPair(t, penalty(t, stiff), 0, star("a", r2.Vec{}, square, math.Pi/4), star("b", r2.Vec{X: 0.1, Y: math.Sqrt2}, square, math.Pi/4))
		c := p.contacts[0]
		if ends {
			config := c.Config
			config.Ends, config.Nodes = true, 3
			c = New(config, p.o, p.m.X, make([]float64, len(p.m.X)))
		}
		depth := 1e-3
		x := moved(p.m, r2.Vec{Y: -depth})
		v := make([]r2.Vec, len(x))
		forces := func(x []r2.Vec) []r2.Vec {
			p.out.Clear()
			if err := c.Try(p.out, x, v, p.search.Pairs(x), 0, 1); err != nil {
				t.Fatal(err)
			}
			f := make([]r2.Vec, len(x))
			for i := range f {
				f[i] = p.out.At(int32(i)).F
			}
			return f
		}
		before := forces(x)
		springs := c.Tangent(nil, x)
		if len(springs) == 0 {
			t.Fatal("nothing touches")
		}
		rng := rand.New(rand.NewSource(1))
		const h = 1e-9
		y := append([]r2.Vec(nil), x...)
		change := make([]r2.Vec, len(x))
		for _, n := range p.o.Nodes { // a deformation of the touching sides
			change[n] = r2.Vec{X: h * rng.NormFloat64(), Y: h * rng.NormFloat64()}
			y[n] = r2.Add(x[n], change[n])
		}
		want := make([]r2.Vec, len(x))
		for _, s := range springs {
			d := 0.0
			for i, n := range s.Nodes {
				d += r2.Dot(s.G[i], change[n])
			}
			for i, n := range s.Nodes {
				want[n] = r2.Sub(want[n], r2.Scale(s.K*d, s.G[i]))
			}
		}
		after := forces(y)
		off, most := 0.0, 0.0
		for n := range after {
			most = max(most, r2.Norm(want[n]))
			off = max(off, r2.Norm(r2.Sub(r2.Sub(after[n], before[n]), want[n])))
		}
		tolerance := 0.02 // nodes at the ends of the sides come and go
		if !(most > 0) || off > tolerance*most {
			t.Errorf("ends %v: off by %g of %g", ends, off, most)
		}
		for i, d := range c.Deflections() {
			if d != 0 || c.Kept[i].Pressure != 0 || math.IsNaN(d) {
				t.Fatal("trying has changed the state")
			}
		}
	}
}
