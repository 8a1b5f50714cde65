package fem

import (
	"errors"
	"math"
	"slices"
	"testing"

	"fdem/materials/bulk"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r2"
)

// dense returns the matrix of a pattern's values.
func dense(p *Pattern, val []float64) *mat.Dense {
	n := len(p.RowPtr) - 1
	k := mat.NewDense(n, n, nil)
	for i := range n {
		for at := p.RowPtr[i]; at < p.RowPtr[i+1]; at++ {
			k.Set(i, int(p.Col[at]), val[at])
		}
	}
	return k
}

// asymmetry returns the first pair of entries of k that differ in a bit.
func asymmetry(k *[6][6]float64) (p, q int, found bool) {
	for p := range 6 {
		for q := range p {
			if k[p][q] != k[q][p] {
				return p, q, true
			}
		}
	}
	return 0, 0, false
}

// A triangle's tangent is the change of its forces, in any state.
func TestTriangleTangent(t *testing.T) {
	p := newPatch(4, 3, 0.4, 0.3, 0.4)
	for _, plane := range planes {
		s := p.triangles(t, steel, plane, 0.02)
		for _, size := range []float64{0, 1e-3, 0.015} {
			x := p.shaken(size)
			worst, scale := 0.0, 0.0
			var want, k [6][6]float64
			for i, e := range s.elements {
				clear(want[:])
				addStiffness(s.only(i), x, func(a, b int, v float64) {
					at := func(d int) int { return 2*slices.Index([]int32{e.a, e.b, e.c}, int32(d/2)) + d%2 }
					want[at(a)][at(b)] += v
				})
				s.Tangent(i, x, &k)
				if a, b, found := asymmetry(&k); found {
					t.Fatalf("triangle %d: entries %d, %d differ: %v, %v", i, a, b, k[a][b], k[b][a])
				}
				for a := range 6 {
					for b := range 6 {
						worst, scale = max(worst, math.Abs(k[a][b]-want[a][b])), max(scale, math.Abs(k[a][b]))
					}
				}
			}
			if worst > 1e-8*scale {
				t.Errorf("plane %d, shaken by %g: off by %g of %g N/m", plane, size, worst, scale)
			}
		}
	}
}

// A beam's tangent is the change of its forces, in any state.
func TestBeamTangent(t *testing.T) {
	for seed := range uint64(10) {
		r := newRod(3, 1, float64(seed), 0.5)
		b := r.beams(t, Section{EA: 50, EI: 1, RhoA: 1})
		x, theta := r.shaken(0.05, 0.5, seed)
		x, theta = turnBeams(x, theta, 7*float64(seed), r2.Vec{})
		for i, n := range r.pairs {
			one := *b
			one.element = b.element[i : i+1]
			var k [6][6]float64
			b.Tangent(i, x, theta, &k)
			if a, c, found := asymmetry(&k); found {
				t.Fatalf("seed %d, beam %d: entries %d, %d differ", seed, i, a, c)
			}
			for q := range 6 {
				v := []*float64{&x[n[q/3]].X, &x[n[q/3]].Y, &theta[n[q/3]]}[q%3]
				old, h := *v, 1e-4
				at := func(d float64) (g [6]float64) {
					*v = old + d
					f, m := beamForces(t, &one, x, theta)
					*v = old
					for p := range 6 {
						g[p] = []float64{f[n[p/3]].X, f[n[p/3]].Y, m[n[p/3]]}[p%3]
					}
					return g
				}
				up, down, up2, down2 := at(h), at(-h), at(2*h), at(-2*h)
				for p := range 6 {
					want := -(8*(up[p]-down[p]) - (up2[p] - down2[p])) / (12 * h)
					if math.Abs(k[p][q]-want) > 1e-8*b.element[i].axial {
						t.Errorf("seed %d, beam %d, entry %d, %d: %g, differences %g", seed, i, p, q, k[p][q], want)
					}
				}
			}
		}
	}
}

// A block of triangles with a rod growing from its corner: the pattern holds
// every coupling once, in order, and its values are the change of the forces.
func TestPattern(t *testing.T) {
	p := newPatch(3, 2, 0.3, 0.2, 0.4)
	x0 := slices.Clone(p.x)
	corner := int32(len(x0) - 1)
	for i := range 4 {
		x0 = append(x0, r2.Vec{X: 0.3 + 0.1*float64(i+1), Y: 0.2 + 0.02*float64(i*i)})
	}
	soft := bulk.Elastic{Young: 100, Poisson: 0.3, Density: 1}
	s, err := NewTriangles(x0, p.tri, make([]int32, len(p.tri)), make([]int32, len(p.tri)), []bulk.Moduli{soft.Moduli(bulk.PlaneStress)}, []float64{1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	// the last runs against the numbering
	pairs := [][2]int32{{corner, corner + 1}, {corner + 1, corner + 2}, {corner + 3, corner + 2}, {corner + 4, corner + 3}}
	b, err := NewBeams(x0, pairs, make([]int32, 4), make([]int32, 4), []Section{{EA: 50, EI: 1, RhoA: 1}})
	if err != nil {
		t.Fatal(err)
	}
	q := NewPattern(len(x0), s, b)
	size := 2*len(x0) + 5
	if got := int(q.First[len(x0)]); got != size || len(q.RowPtr) != size+1 || int(q.RowPtr[size]) != len(q.Col) {
		t.Fatalf("%d degrees of freedom, want %d; %d rows, %d columns", got, size, len(q.RowPtr)-1, len(q.Col))
	}
	for i := range size {
		row := q.Col[q.RowPtr[i]:q.RowPtr[i+1]]
		if !slices.IsSorted(row) || len(slices.Compact(slices.Clone(row))) != len(row) || !slices.Contains(row, int32(i)) {
			t.Errorf("row %d: columns %v", i, row)
		}
	}

	x, theta := slices.Clone(x0), make([]float64, len(x0))
	for i, d := range random(len(x0), 1) {
		x[i], theta[i] = r2.Add(x[i], r2.Scale(0.005, d)), 0.3*d.X
	}
	fill := func() []float64 {
		val := make([]float64, len(q.Col))
		q.AddTriangles(val, s, x)
		q.AddBeams(val, b, x, theta)
		return val
	}
	val := fill()
	if !slices.Equal(val, fill()) {
		t.Error("two fillings differ")
	}
	k := dense(q, val)
	// node and component of each degree of freedom
	var at [][2]int
	for n := range x0 {
		for c := range int(q.First[n+1] - q.First[n]) {
			at = append(at, [2]int{n, c})
		}
	}
	all := func() []float64 {
		f, m := make([]r2.Vec, len(x)), make([]float64, len(x))
		if err := errors.Join(s.AddForces(f, x), b.AddForces(f, m, x, theta)); err != nil {
			t.Fatal(err)
		}
		g := make([]float64, size)
		for i, d := range at {
			g[i] = [3]float64{f[d[0]].X, f[d[0]].Y, m[d[0]]}[d[1]]
		}
		return g
	}
	scale := mat.Max(k)
	for j, d := range at {
		v := []*float64{&x[d[0]].X, &x[d[0]].Y, &theta[d[0]]}[d[1]]
		old, h := *v, 1e-6
		*v = old + h
		up := all()
		*v = old - h
		down := all()
		*v = old
		for i := range size {
			if want := (down[i] - up[i]) / (2 * h); math.Abs(k.At(i, j)-want) > 1e-7*scale {
				t.Errorf("entry %d, %d: %g, differences %g", i, j, k.At(i, j), want)
			}
			if math.Abs(k.At(i, j)-k.At(j, i)) > 1e-15*scale {
				t.Errorf("entry %d, %d: %g, transposed %g", i, j, k.At(i, j), k.At(j, i))
			}
		}
	}
	if q := NewPattern(2); !slices.Equal(q.Col, []int32{0, 1, 0, 1, 2, 3, 2, 3}) {
		t.Errorf("two nodes alone: columns %v", q.Col)
	}
}

func TestTangentNoAllocation(t *testing.T) {
	p := newPatch(8, 6, 0.4, 0.3, 0.5)
	s := p.triangles(t, steel, bulk.PlaneStress, 0.02)
	x := p.shaken(1e-3)
	q := NewPattern(len(x), s)
	val := make([]float64, len(q.Col))
	if n := testing.AllocsPerRun(10, func() { q.AddTriangles(val, s, x) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
