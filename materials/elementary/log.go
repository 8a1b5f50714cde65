package elementary

import "math"

// Log returns the natural logarithm of x > 0; minus infinity at 0, not a
// number below.
func Log(x float64) float64 {
	if !(x > 0 && x <= math.MaxFloat64) {
		return math.Log(x) // of no number: exact
	}
	high, low := logarithm(x)
	return high + low
}

// Log1p returns the logarithm of 1 + x, good for small x too.
func Log1p(x float64) float64 {
	if !(x > -1 && x <= math.MaxFloat64) || x == 0 {
		return math.Log1p(x)
	}
	u := 1 + x
	lost := x - (u - 1) // by rounding, exact
	if x > 1 {
		lost = 1 - (u - x)
	}
	high, low := logarithm(u)
	return high + (low + lost/u)
}

// logarithm returns the logarithm of a positive number in two parts, to about
// 2^-66 of its value.
//
// x is 2^k z, and 1/c from a table brings z next to 1: with r = z/c - 1, which
// is exact in two parts, log x = k log 2 + log c + r - r^2/2 + r^3/3 ...
func logarithm(x float64) (high, low float64) {
	const (
		least = 0x3fe6000000000000 // 0.6875
		half  = 1<<32 - 1          // the bits of a double that it has beyond 21
	)
	bits, k := math.Float64bits(x), 0
	if bits < 1<<52 { // subnormal
		bits, k = math.Float64bits(x*0x1p54), -54
	}
	above := int64(bits - least)
	k += int(above >> 52)
	z := math.Float64frombits(bits - uint64(above)&^(1<<52-1))
	c := &centers[above>>45&(steps-1)]

	first := math.Float64frombits(math.Float64bits(z) &^ half)
	r1, r2 := float64(first*c.inverse)-1, float64((z-first)*c.inverse)
	r := r1 + r2
	tail := (r1 - r) + r2
	near := r + 0x1.8p19 - 0x1.8p19 // to 2^-33: its square is exact
	square := float64(0.5 * near * near)
	rest := float64(0.5 * (r - near) * (r + near))
	p := float64(r * r * r * (1./3 - float64(r*(1./4-float64(r*(1./5-float64(r*(1./6-float64(r*(1./7-float64(r*(1./8-float64(r*(1./9))))))))))))))

	w := float64(float64(k)*ln2High) + c.high // exact
	a := w + r
	low = (w - a) + r
	b := a - square
	low += (a - b) - square
	low += float64(float64(k)*ln2Low) + c.low + (tail - rest + p)
	high = b + low
	return high, (b - high) + low
}
