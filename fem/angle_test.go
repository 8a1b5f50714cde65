package fem

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestSincos(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.OneOf(rapid.Float64Range(-10, 10), rapid.Float64Range(-1.5e6, 1.5e6)).Draw(t, "angle")
		s, c := Sincos(a)
		if math.Abs(s-math.Sin(a)) > 3e-16 || math.Abs(c-math.Cos(a)) > 3e-16 {
			t.Errorf("%v: sine off by %g, cosine by %g", a, s-math.Sin(a), c-math.Cos(a))
		}
	})
	for _, n := range []float64{1, 2, 4, 8, 1024, 1 << 17} { // small values keep their digits
		s, c := Sincos(n * math.Pi / 2)
		if n == 1 {
			s, c = -c, s
		}
		// the double nearest to pi/2 misses it by this
		if want := -n * 6.123233995736766e-17; n == 2 && s != -want || n != 2 && s != want || math.Abs(c) != 1 {
			t.Errorf("%g quarter turns: %v, %v, want %v", n, s, c, want)
		}
	}
	if s, c := Sincos(math.NaN()); s == s || c == c {
		t.Errorf("NaN: %v, %v", s, c)
	}
}

// The parts of pi/2 add up to it and leave room for an integer of 20 bits.
func TestQuarterTurn(t *testing.T) {
	half, _ := new(big.Float).SetPrec(300).SetString("1.57079632679489661923132169163975144209858469968755291048747229615390820314")
	sum := new(big.Float).SetPrec(300)
	for _, v := range []float64{quarter1, quarter2, quarter3} {
		sum.Add(sum, big.NewFloat(v))
	}
	if d, _ := sum.Sub(sum, half).Float64(); math.Abs(d) > 1e-36 {
		t.Errorf("off by %g", d)
	}
	for _, v := range []float64{quarter1, quarter2} {
		if math.Float64bits(v)&(1<<20-1) != 0 {
			t.Errorf("%x has more than 33 bits", v)
		}
	}
}

func TestArc(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.OneOf(rapid.Float64Range(-math.Pi/2, math.Pi/2), rapid.Float64Range(-1e-6, 1e-6)).Draw(t, "angle")
		l := rapid.Float64Range(1e-6, 1e6).Draw(t, "length")
		x, y := l*math.Cos(a), l*math.Sin(a)
		if got, want := arc(x, y, math.Hypot(x, y)), math.Atan2(y, x); math.Abs(got-want) > 1.5e-15*math.Abs(want) {
			t.Errorf("%v, want %v, off by %g", got, want, got-want)
		}
	})
	if got := arc(3, 0, 3); got != 0 {
		t.Errorf("straight ahead: %v", got)
	}
}
