package contactnodes

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// The springs are the change of the forces with the positions of the nodes, under edges, in a
// re-entrant corner and at the corners of both; trying leaves the state alone.
func TestSpringsAreTheTangent(t *testing.T) {
	square := []float64{1, 1, 1, 1}
	dent, spike := []float64{1, 0.9, 0.3, 0.9, 1, 0.95}, []float64{1, 0.45, 0.45, 0.8, 0.5, 0.45}
	for name, of := range map[string]struct {
		bodies    [2]*mesh.Source
		down      float64 // by which the second is moved [m]
		ends      bool
		tolerance float64 // of the greatest force
		arcs      float64 // height of what the edges stand for [m]
	}{
		"faces":                          {[2]*mesh.Source{star("a", r2.Vec{}, square, math.Pi/4), star("b", r2.Vec{X: 0.1, Y: math.Sqrt2}, square, math.Pi/4)}, 1e-3, false, 2e-5, 0},
		"arcs":                           {[2]*mesh.Source{star("a", r2.Vec{}, square, math.Pi/4), star("b", r2.Vec{X: 0.1, Y: math.Sqrt2}, square, math.Pi/4)}, 1e-3, false, 1e-2, 0.02},
		"faces that lean":                {[2]*mesh.Source{star("a", r2.Vec{}, square, math.Pi/4), star("b", r2.Vec{X: 0.1, Y: math.Sqrt2}, square, math.Pi/4+0.02)}, 1e-3, false, 2e-3, 0},
		"a spike in a re-entrant corner": {[2]*mesh.Source{star("b", r2.Vec{X: -1.135, Y: 0.576}, spike, -0.45), star("a", r2.Vec{}, dent, 0.5)}, 0, false, 2e-3, 0},
		"ends":                           {[2]*mesh.Source{star("a", r2.Vec{}, square, math.Pi/4), star("b", r2.Vec{X: 0.1, Y: math.Sqrt2}, square, math.Pi/4)}, 1e-3, true, 2e-3, 0}, // without the turning of edges
	} {
		t.Run(name, func(t *testing.T) {
			p := newPair(t, penalty(t, 1e13), 0, of.bodies[0], of.bodies[1])
			config := p.contacts[0].Config
			config.TwoSided = false
			if of.ends {
				config.Ends, config.Nodes = true, 3
			}
			if of.arcs != 0 {
				config.Arcs = make([]Arc, len(p.o.Edges))
				for i := range config.Arcs {
					config.Arcs[i].Height = of.arcs * float64(1+i%2)
				}
			}
			c := byNodes(New(config, p.o, p.m.X, make([]float64, len(p.m.X))))
			x := moved(p.m, r2.Vec{Y: -of.down})
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
			forces(x)
			springs := c.Tangent(nil, x)
			if len(springs) == 0 {
				t.Fatal("nothing touches")
			}
			rng := rand.New(rand.NewSource(1))
			const h = 1e-9
			displacement, y, z := make([]r2.Vec, len(x)), slices.Clone(x), slices.Clone(x)
			for _, n := range p.o.Nodes { // a deformation of the touching sides
				displacement[n] = r2.Vec{X: h * rng.NormFloat64(), Y: h * rng.NormFloat64()}
				y[n], z[n] = r2.Add(x[n], displacement[n]), r2.Sub(x[n], displacement[n])
			}
			want := make([]r2.Vec, len(x))
			for _, s := range springs {
				d := 0.0
				for i, n := range s.Nodes {
					if n >= 0 {
						d += r2.Dot(s.G[i], displacement[n])
					}
				}
				for i, n := range s.Nodes {
					if n < 0 {
						break
					}
					want[n] = r2.Sub(want[n], r2.Scale(s.K*d, s.G[i]))
				}
			}
			after, before := forces(y), forces(z)
			off, most := 0.0, 0.0
			for n := range after {
				most = max(most, r2.Norm(want[n]))
				off = max(off, r2.Norm(r2.Sub(r2.Scale(0.5, r2.Sub(after[n], before[n])), want[n])))
			}
			if !(most > 0) || off > of.tolerance*most {
				t.Errorf("off by %g of %g", off, most)
			}
			for i, d := range c.Deflections() {
				if d != 0 || c.Kept[i].Pressure != 0 || math.IsNaN(d) {
					t.Fatal("trying has changed the state")
				}
			}
		})
	}
}
