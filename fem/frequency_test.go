package fem

import (
	"math"
	"slices"
	"testing"

	"fdem/materials/bulk"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r2"
	"pgregory.net/rapid"
)

// addStiffness calls add with the entries of K = -df/dx at positions x, found
// by central differences of AddForces on one triangle at a time. Degree of
// freedom 2n is node n's x, 2n+1 its y.
func addStiffness(s *Triangles, x []r2.Vec, add func(i, j int, k float64)) {
	f := make([]r2.Vec, len(x))
	for i, e := range s.elements {
		one := s.only(i)
		h := 1e-5 / max(math.Abs(e.bx), math.Abs(e.by), math.Abs(e.cx), math.Abs(e.cy))
		nodes := [3]int32{e.a, e.b, e.c}
		at := func(v *float64, h float64) (g [6]float64) {
			old := *v
			*v += h
			if err := one.AddForces(f, x); err != nil {
				panic(err)
			}
			*v = old
			for k, n := range nodes {
				g[2*k], g[2*k+1] = f[n].X, f[n].Y
				f[n] = r2.Vec{}
			}
			return g
		}
		for j := range 6 {
			n := nodes[j/2]
			v := &x[n].X
			if j%2 == 1 {
				v = &x[n].Y
			}
			up, down := at(v, h), at(v, -h)
			for i := range 6 {
				add(2*int(nodes[i/2])+i%2, 2*int(n)+j%2, (down[i]-up[i])/(2*h))
			}
		}
	}
}

// highest returns the highest squared frequency of the assembled problem by
// gonum's eigenvalues of M^-1/2 K M^-1/2 [1/s2].
func highest(t interface{ Fatal(...any) }, s *Triangles, x []r2.Vec) float64 {
	mass := s.Masses()
	k := mat.NewDense(2*len(x), 2*len(x), nil)
	addStiffness(s, x, func(i, j int, v float64) { k.Set(i, j, k.At(i, j)+v/math.Sqrt(mass[i/2]*mass[j/2])) })
	sym := mat.NewSymDense(2*len(x), nil)
	for i := range 2 * len(x) {
		for j := i; j < 2*len(x); j++ {
			sym.SetSym(i, j, 0.5*(k.At(i, j)+k.At(j, i)))
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(sym, false) {
		t.Fatal("no eigenvalues")
	}
	v := eigen.Values(nil)
	return v[len(v)-1]
}

func TestFrequencyBoundsAssembly(t *testing.T) {
	for _, shake := range []float64{0, 0.2} {
		p := newPatch(6, 5, 0.5, 0.3, shake)
		for _, plane := range planes {
			s := p.triangles(t, steel, plane, 0.02)
			bound, exact := s.MaxFrequencySquared(p.x), highest(t, s, p.x)
			if !(exact <= bound && bound < 2.5*exact) {
				t.Errorf("shake %g, plane %d: bound %g, assembled %g 1/s2", shake, plane, bound, exact)
			}
			x := p.shaken(0.01)
			bound, exact = s.MaxFrequencySquared(x), highest(t, s, x)
			if !(exact <= bound && bound < 3*exact) {
				t.Errorf("shake %g, plane %d, deformed: bound %g, assembled %g 1/s2", shake, plane, bound, exact)
			}
		}
	}
}

// A single undeformed triangle's own value is exact, whatever its shape; a
// deformed one's is a bound.
func TestFrequencyOfOneTriangle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string, low, high float64) float64 { return rapid.Float64Range(low, high).Draw(t, name) }
		x := []r2.Vec{{}, {X: draw("bx", 0.1, 2), Y: draw("by", -1, 1)}, {X: draw("cx", -2, 2), Y: draw("cy", 0.1, 2)}}
		if r2.Cross(x[1], x[2]) < 0.02 {
			t.Skip("flat")
		}
		m := bulk.Elastic{Young: 1, Poisson: draw("nu", -0.9, 0.49), Density: 1}
		plane := bulk.Plane(rapid.IntRange(0, 1).Draw(t, "plane"))
		s, err := NewTriangles(x, [][3]int32{{0, 1, 2}}, []int32{1}, []int32{0}, []bulk.Moduli{m.Moduli(plane)}, []float64{1}, 1)
		if err != nil {
			t.Fatal(err)
		}
		bound, exact := s.MaxFrequencySquared(x), highest(t, s, x)
		if math.Abs(bound-exact) > 1e-7*exact {
			t.Errorf("undeformed: %.12g, exact %.12g", bound, exact)
		}
		f := linear(draw("hxx", -0.3, 0.3), draw("hxy", -0.3, 0.3), draw("hyx", -0.3, 0.3), draw("hyy", -0.3, 0.3), r2.Vec{})
		for i := range x {
			x[i] = r2.Add(x[i], f(x[i]))
		}
		bound, exact = s.MaxFrequencySquared(x), highest(t, s, x)
		if bound < exact*(1-1e-7) {
			t.Errorf("deformed: bound %.12g, exact %.12g", bound, exact)
		}
	})
}

func TestGreatestEigenvalue(t *testing.T) {
	check := func(t interface{ Errorf(string, ...any) }, m [6]float64) {
		sym := mat.NewSymDense(3, []float64{m[0], m[3], m[4], 0, m[1], m[5], 0, 0, m[2]})
		var eigen mat.EigenSym
		if !eigen.Factorize(sym, false) {
			t.Errorf("no eigenvalues")
			return
		}
		v := eigen.Values(nil)
		got, scale := greatestEigenvalue(m[0], m[1], m[2], m[3], m[4], m[5]), max(math.Abs(v[0]), math.Abs(v[2]))
		// near a double root half the digits go
		if math.Abs(got-v[2]) > 3e-8*scale {
			t.Errorf("%v: %.15g, want %.15g", m, got, v[2])
		}
	}
	for _, m := range [][6]float64{
		{}, {2, 2, 2, 0, 0, 0}, {3, 3, 1, 0, 0, 0}, {1, 3, 3, 0, 0, 0}, {3, 1, 1, 0, 0, 0}, {-3, -1, -2, 0, 0, 0},
		{0, 0, 0, 1, 1, 1}, {0, 0, 0, -1, -1, -1}, {1, 1, 1 + 1e-15, 0, 0, 1e-16}, {1e20, 1e-20, 1, 0, 1, 0},
	} {
		check(t, m)
	}
	rapid.Check(t, func(t *rapid.T) {
		var m [6]float64
		for i := range m {
			m[i] = float64(rapid.IntRange(-1000, 1000).Draw(t, "thousandth")) / 1000
		}
		check(t, m)
	})
}

// An equilateral triangle in plane stress has a closed form: the sum of
// grad N_a (x) grad N_a is 2/edge^2 I, and stretching alike in all directions
// meets C11 + C12 = E/(1-nu).
func TestFrequencyOfEquilateralTriangle(t *testing.T) {
	const edge = 0.01
	x := []r2.Vec{{}, {X: edge}, {X: edge / 2, Y: edge * math.Sqrt(3) / 2}}
	s, err := NewTriangles(x, [][3]int32{{0, 1, 2}}, []int32{1}, []int32{0},
		[]bulk.Moduli{steel.Moduli(bulk.PlaneStress)}, []float64{steel.Density}, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := 3 / steel.Density * steel.Young / (1 - steel.Poisson) * 2 / (edge * edge)
	if got := s.MaxFrequencySquared(x); math.Abs(got-want) > 1e-12*want {
		t.Errorf("%g, want %g 1/s2", got, want)
	}
}

// Triangles with more bulk modulus vibrate as those of a material that has it: without drainage, with
// b^2 M more, as with the undrained Poisson's ratio (Rice and Cleary, 1976).
func TestFirmerFrequency(t *testing.T) {
	drained := bulk.Elastic{Young: 14.4e9, Poisson: 0.2, Density: 2600}
	const k, g, more = 8e9, 6e9, 0.79 * 0.79 * 9789227166.276346
	undrained := bulk.Elastic{Young: 9 * (k + more) * g / (3*(k+more) + g), Poisson: (3*(k+more) - 2*g) / (2 * (3*(k+more) + g)), Density: 2600}
	p := newPatch(6, 5, 0.1, 0.03, 0.3)
	of := func(e bulk.Elastic) *Triangles { return p.triangles(t, e, bulk.PlaneStrain, 0.01) }
	got := of(drained).FrequencySquaredFirmer(p.x, slices.Repeat([]float64{more}, len(p.tri)))
	want := of(undrained).MaxFrequencySquared(p.x)
	if math.Abs(got-want) > 1e-12*want {
		t.Errorf("%g, want %g 1/s2", got, want)
	}
	if dry := of(drained).MaxFrequencySquared(p.x); !(dry < want) {
		t.Errorf("drained %g, undrained %g 1/s2", dry, want)
	}
}
