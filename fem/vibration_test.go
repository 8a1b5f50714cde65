package fem

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Roots of the characteristic equations of Euler-Bernoulli beams, the
// wave number times the length: cos z cosh z = -1 and cos z cosh z = 1.
var (
	cantileverRoots = []float64{1.8751040687119611, 4.694091132974175, 7.854757438237613}
	freeRoots       = []float64{4.730040744862704, 7.853204624095838, 10.995607838001671}
)

// vibrations returns the angular frequencies of a thin rod of n elements, free
// or clamped at one end, ascending, in units of sqrt(EI/(rho A))/L^2: those of
// L^-1 K L^-T where M = L L^T, with consistent or lumped masses.
func vibrations(t *testing.T, n int, clamped, consistent bool, direction float64) []float64 {
	r := newRod(n, 1, direction, 0)
	b := r.beams(t, thin)
	p := NewPattern(n+1, b)
	val := make([]float64, len(p.Col))
	p.AddBeams(val, b, r.x, make([]float64, n+1))
	k := dense(p, val)
	clear(val)
	p.AddConsistentMasses(val, b, r.x)
	m := dense(p, val)
	if !consistent {
		mass, inertia := make([]float64, n+1), make([]float64, n+1)
		b.AddMasses(mass, inertia)
		m.Zero()
		for i := range 3 * (n + 1) {
			m.Set(i, i, [3]float64{mass[i/3], mass[i/3], inertia[i/3]}[i%3])
		}
	}
	first, size := 0, 3*(n+1)
	if clamped {
		first = 3
	}
	symmetric := func(d *mat.Dense) *mat.SymDense {
		s := mat.NewSymDense(size-first, nil)
		for i := range size - first {
			for j := i; j < size-first; j++ {
				s.SetSym(i, j, 0.5*(d.At(first+i, first+j)+d.At(first+j, first+i)))
			}
		}
		return s
	}
	var factor mat.Cholesky
	if !factor.Factorize(symmetric(m)) {
		t.Fatal("the mass matrix is not positive definite")
	}
	var l mat.TriDense
	factor.LTo(&l)
	var c, a mat.Dense
	if err := c.Solve(&l, symmetric(k)); err != nil {
		t.Fatal(err)
	}
	if err := a.Solve(&l, c.T()); err != nil {
		t.Fatal(err)
	}
	first, size = 0, size-first
	var eigen mat.EigenSym
	if !eigen.Factorize(symmetric(&a), false) {
		t.Fatal("no eigenvalues")
	}
	omega := eigen.Values(nil)
	for i, v := range omega {
		omega[i] = math.Sqrt(max(v, 0))
	}
	slices.Sort(omega)
	if !clamped {
		for i, v := range omega[:3] {
			if v > 1e-3*omega[3] {
				t.Fatalf("rigid motion %d has %g rad/s", i, v)
			}
		}
		omega = omega[3:]
	}
	return omega
}

// The first three frequencies with consistent masses: within 0.1 percent at 20
// elements, converging at fourth order.
func TestBeamFrequencies(t *testing.T) {
	for _, clamped := range []bool{true, false} {
		roots := freeRoots
		if clamped {
			roots = cantileverRoots
		}
		ten, twenty := vibrations(t, 10, clamped, true, 0.3), vibrations(t, 20, clamped, true, 0.3)
		for i, z := range roots {
			want := z * z
			rate := math.Log2((ten[i] - want) / (twenty[i] - want))
			t.Logf("clamped %t, mode %d: %.8f, theory %.8f, off by %.2e, rate %.3f", clamped, i+1, twenty[i], want, twenty[i]/want-1, rate)
			// of 20 elements the third mode is off by about z^4/(720 n^4)
			if limit := 2*math.Pow(z/20, 4)/720 + 1e-8; math.Abs(twenty[i]/want-1) > limit || limit > 1e-3 {
				t.Errorf("clamped %t, mode %d: %.10g, want %.10g", clamped, i+1, twenty[i], want)
			}
			if math.Abs(rate-4) > 0.2 {
				t.Errorf("clamped %t, mode %d: rate %g, want 4", clamped, i+1, rate)
			}
		}
	}
}

// With lumped masses the frequencies converge at second order.
func TestBeamFrequenciesLumped(t *testing.T) {
	for _, clamped := range []bool{true, false} {
		roots := freeRoots
		if clamped {
			roots = cantileverRoots
		}
		ten, twenty, forty := vibrations(t, 10, clamped, false, 0.3), vibrations(t, 20, clamped, false, 0.3), vibrations(t, 40, clamped, false, 0.3)
		for i, z := range roots {
			want := z * z
			rate := math.Log2((twenty[i] - want) / (forty[i] - want))
			t.Logf("clamped %t, mode %d: %.6f %.6f %.6f, theory %.6f, off by %.2e at 20, rate %.3f", clamped, i+1, ten[i], twenty[i], forty[i], want, twenty[i]/want-1, rate)
			if math.Abs(rate-2) > 0.1 {
				t.Errorf("clamped %t, mode %d: rate %g, want 2", clamped, i+1, rate)
			}
		}
	}
}
