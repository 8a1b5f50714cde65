package fem

import (
	"math"
	"math/rand/v2"
	"testing"

	"fdem/materials/bulk"

	"gonum.org/v1/gonum/spatial/r2"
)

var steel = bulk.Elastic{Name: "steel", Young: 210e9, Poisson: 0.3, Density: 7860}

// patch is a rectangle of nx by ny cells of two triangles each, numbered
// column by column, triangles by their lowest node.
type patch struct {
	x      []r2.Vec
	tri    [][3]int32
	nx, ny int
}

// newPatch returns a patch of w by h metres, its lower left corner at the
// origin. The diagonals alternate, so that the mesh favours no direction.
// Inner nodes are moved by up to shake times half a cell, always alike.
func newPatch(nx, ny int, w, h, shake float64) patch {
	p := patch{nx: nx, ny: ny}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := 0; i <= nx; i++ {
		for j := 0; j <= ny; j++ {
			x := r2.Vec{X: w * float64(i) / float64(nx), Y: h * float64(j) / float64(ny)}
			if !p.boundary(len(p.x)) {
				x.X += shake * (rng.Float64() - 0.5) * w / float64(nx)
				x.Y += shake * (rng.Float64() - 0.5) * h / float64(ny)
			}
			p.x = append(p.x, x)
		}
	}
	for i := range nx {
		for j := range ny {
			a := int32(i*(ny+1) + j)
			b, c, d := a+int32(ny)+1, a+int32(ny)+2, a+1
			if (i+j)%2 == 0 {
				p.tri = append(p.tri, [3]int32{a, b, c}, [3]int32{a, c, d})
			} else {
				p.tri = append(p.tri, [3]int32{a, b, d}, [3]int32{b, c, d})
			}
		}
	}
	return p
}

// boundary tells whether node n lies on the edge of the patch.
func (p patch) boundary(n int) bool {
	i, j := n/(p.ny+1), n%(p.ny+1)
	return i == 0 || i == p.nx || j == 0 || j == p.ny
}

// triangles makes the patch of one material; file numbers start at 1001.
func (p patch) triangles(t testing.TB, m bulk.Elastic, plane bulk.Plane, thickness float64) *Triangles {
	t.Helper()
	id, material := make([]int32, len(p.tri)), make([]int32, len(p.tri))
	for i := range id {
		id[i] = int32(1001 + i)
	}
	s, err := NewTriangles(p.x, p.tri, id, material, []bulk.Moduli{m.Moduli(plane)}, []float64{m.Density}, thickness)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// moved returns the nodes displaced by u.
func (p patch) moved(u func(r2.Vec) r2.Vec) []r2.Vec {
	x := make([]r2.Vec, len(p.x))
	for i, q := range p.x {
		x[i] = r2.Add(q, u(q))
	}
	return x
}

// shaken returns the nodes displaced at random by up to d in each direction.
func (p patch) shaken(d float64) []r2.Vec {
	rng := rand.New(rand.NewPCG(3, 4))
	return p.moved(func(r2.Vec) r2.Vec {
		return r2.Vec{X: d * (2*rng.Float64() - 1), Y: d * (2*rng.Float64() - 1)}
	})
}

// linear returns the displacement field u = H x + u0.
func linear(hxx, hxy, hyx, hyy float64, u0 r2.Vec) func(r2.Vec) r2.Vec {
	return func(x r2.Vec) r2.Vec {
		return r2.Vec{X: hxx*x.X + hxy*x.Y + u0.X, Y: hyx*x.X + hyy*x.Y + u0.Y}
	}
}

// turned returns the displacement of a rotation by angle about c.
func turned(angle float64, c r2.Vec) func(r2.Vec) r2.Vec {
	return func(x r2.Vec) r2.Vec { return r2.Sub(r2.Rotate(x, angle, c), x) }
}

// largest returns the greatest component of f.
func largest(f []r2.Vec) float64 {
	m := 0.0
	for _, v := range f {
		m = max(m, math.Abs(v.X), math.Abs(v.Y))
	}
	return m
}

// forces returns AddForces on zero.
func forces(t *testing.T, s *Triangles, x []r2.Vec) []r2.Vec {
	t.Helper()
	f := make([]r2.Vec, len(x))
	if err := s.AddForces(f, x); err != nil {
		t.Fatal(err)
	}
	return f
}
