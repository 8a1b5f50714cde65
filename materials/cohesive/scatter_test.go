package cohesive

import (
	"math"
	"testing"
)

func TestGamma(t *testing.T) {
	for x := 1.0; x < 20; x += 0.037 {
		near(t, "gamma", gamma(x)/math.Gamma(x), 1, 1e-14)
	}
}

func TestNormalCDF(t *testing.T) {
	for z := -8.0; z <= 8; z += 0.01 {
		near(t, "share", normalCDF(z), 0.5*math.Erfc(-z/math.Sqrt2), 1e-15)
	}
}

// Strengths are of Weibull's distribution: mean, scatter, and shares below five
// values; with a length the field's correlation, too. 4e4 draws leave 0.5 % in
// a share of one half; positions beyond the length count as draws.
func TestScatter(t *testing.T) {
	const m = 8.0
	scale := math.Gamma(1 + 1/m)
	for _, length := range []float64{0, 5e-3} {
		s := Scatter{Modulus: m, Length: length, Seed: 7}
		const n = 40000
		sum, squares := 0.0, 0.0
		below := make([]int, 5)
		limits := []float64{0.7, 0.85, 0.95, 1.05, 1.15}
		for i := range n {
			x, y := float64(i%200)*3*length, float64(i/200)*3*length
			w := s.At(int64(i), int64(i+1), x, y)
			sum, squares = sum+w, squares+w*w
			for j, limit := range limits {
				if w < limit {
					below[j]++
				}
			}
		}
		mean := sum / n
		variance := math.Gamma(1+2/m)/(scale*scale) - 1
		near(t, "mean", mean, 1, 4*math.Sqrt(variance/n))
		near(t, "variance", squares/n-mean*mean, variance, 0.03*variance)
		for j, limit := range limits {
			want := 1 - math.Exp(-math.Pow(limit*scale, m))
			near(t, "share below", float64(below[j])/n, want, 4*math.Sqrt(want*(1-want)/n))
		}
	}
	s := Scatter{Modulus: m, Length: 1, Seed: 3}
	for _, r := range []float64{0.1, 0.3, 0.5, 1, 2} {
		var one, two, both float64
		const n = 20000
		for i := range n {
			x, y := float64(i%100)*3.1, float64(i/100)*3.1
			sin, cos := math.Sincos(float64(i))
			a, b := s.field(x, y), s.field(x+r*cos, y+r*sin)
			one, two, both = one+a*a, two+b*b, both+a*b
		}
		near(t, "correlation", both/math.Sqrt(one*two), math.Exp(-r*r), 0.02)
	}
}

// A draw depends on the numbers of the edge's nodes, or on its position, and on
// nothing else; seeds differ.
func TestScatterOfAnEdge(t *testing.T) {
	s := Scatter{Modulus: 8, Seed: 1}
	if a, b := s.At(17, 4, 0, 0), s.At(4, 17, 1, 2); a != b {
		t.Errorf("an edge has the strengths %g and %g", a, b)
	}
	if a, b := s.At(17, 4, 0, 0), s.At(17, 5, 0, 0); a == b {
		t.Errorf("two edges have the same strength %g", a)
	}
	if a, b := s.At(17, 4, 0, 0), (Scatter{Modulus: 8, Seed: 2}).At(17, 4, 0, 0); a == b {
		t.Errorf("two seeds have the same strength %g", a)
	}
	field := Scatter{Modulus: 8, Length: 1, Seed: 1}
	if a, b := field.At(1, 2, 0.4, -3.7), field.At(8, 9, 0.4, -3.7); a != b {
		t.Errorf("a position has the strengths %g and %g", a, b)
	}
	last := field.At(1, 2, -5, 0)
	for x := -5.0; x < 5; x += 1e-3 { // across the lattice
		now := field.At(1, 2, x, 0)
		if math.Abs(now-last) > 2e-3 {
			t.Errorf("the strength jumps from %g to %g at %g", last, now, x)
		}
		last = now
	}
	if w := (Scatter{}).At(1, 2, 3, 4); w != 1 {
		t.Errorf("without scatter the strength is %g", w)
	}
	// The same bits on every machine.
	for _, v := range []struct {
		s    Scatter
		want uint64
	}{{s, 0x3fed51fd5047060f}, {field, 0x3ff127635d74b4f2}} {
		if got := math.Float64bits(v.s.At(12, 34, 0.5, 0.25)); got != v.want {
			t.Errorf("%+v has the bits %#x, want %#x", v.s, got, v.want)
		}
	}
}

// Energies are of Weibull's distribution, and their normal deviates have the correlation to
// those of strengths that is asked for; so have moduli of triangles in a field.
func TestScatterTogether(t *testing.T) {
	const n = 20000
	for _, length := range []float64{0, 5e-3} {
		for _, want := range []float64{-0.8, 0, 0.5, 1} {
			s := Scatter{Modulus: 8, Energy: 5, Correlation: want, Length: length, Seed: 11}
			var sum, squares, both, young float64
			for i := range n {
				a, b, x, y := int64(i), int64(i+1), float64(i%200)*3*length, float64(i/200)*3*length
				f := s.EnergyAt(a, b, x, y)
				sum, squares = sum+f, squares+f*f
				z := normalQuantile(s.share(a, b, x, y))
				both += z * normalQuantile(s.correlated(energyStream, a, b, x, y))
				young += z * normalQuantile(s.YoungShare(a, x, y))
			}
			variance := math.Gamma(1+2.0/5)/math.Pow(math.Gamma(1+1.0/5), 2) - 1
			near(t, "mean of energies", sum/n, 1, 4*math.Sqrt(variance/n))
			near(t, "variance of energies", squares/n-sum*sum/n/n, variance, 0.05*variance)
			near(t, "correlation", both/n, want, 0.03)
			if length > 0 {
				near(t, "correlation of moduli", young/n, want, 0.03)
			}
		}
	}
	for z := -7.5; z <= 7.5; z += 0.037 {
		near(t, "quantile", normalCDF(normalQuantile(normalCDF(z))), normalCDF(z), 1e-14)
	}
	if s := (Scatter{Modulus: 8, Seed: 1}); s.EnergyAt(1, 2, 0, 0) != 1 {
		t.Error("energies scatter where nobody asks for it")
	}
}
