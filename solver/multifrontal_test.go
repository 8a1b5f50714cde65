package solver

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The factor solves systems of the stiffness of a plate on a floor to
// rounding, and it tells a matrix that is not positive definite.
func TestMultifrontal(t *testing.T) {
	s := start(t, pressed(t, 40, 20, law(t, "linear", map[string]float64{"k": 1e14})))
	s.Time = 0.3
	a := &s.static.newton
	if _, err := a.solve(0.3); err != nil {
		t.Fatal(err)
	}
	k, n := a.stiffness, a.unknowns.n
	k.assemble(s, a.unknowns)
	f := newMultifrontal(k, a.linear.places)
	seen := make([]bool, n)
	for _, front := range f.fronts {
		for _, u := range front.rows[:front.own] {
			if seen[u] {
				t.Fatalf("unknown %d is eliminated twice", u)
			}
			seen[u] = true
		}
	}
	if !f.factorise(k, k.data) {
		t.Fatal("not positive definite")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	want, b := make([]float64, n), make([]float64, n)
	for i := range want {
		want[i] = rng.Float64()
	}
	k.times(b, want)
	f.solve(b)
	for i := range b {
		if math.Abs(b[i]-want[i]) > 1e-8 {
			t.Fatalf("unknown %d: %g, want %g", i, b[i], want[i])
		}
	}
	if full := float64(n) * 2 * 21 * 2; float64(len(f.data)) > full {
		t.Errorf("%d entries, more than the %g of a band", len(f.data), full)
	}
	k.data[k.at(7, 7)] *= -1
	if f.factorise(k, k.data) {
		t.Error("a negative diagonal is taken for positive definite")
	}
}
