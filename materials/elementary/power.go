package elementary

import "math"

// Pow returns x to the power of y, in all special cases what math.Pow returns.
func Pow(x, y float64) float64 {
	if x == 1 || y == 0 || y == 1 || x == 0 || !(math.Abs(x) <= math.MaxFloat64) || !(math.Abs(y) <= math.MaxFloat64) {
		return math.Pow(x, y) // exact
	}
	sign := 1.0
	if x < 0 {
		if y != math.Trunc(y) {
			return math.NaN()
		}
		if math.Mod(y, 2) != 0 {
			sign = -1
		}
		x = -x
	}
	high, low := logarithm(x)
	product := float64(y * high)
	switch {
	case product > 720:
		return sign * math.Inf(1)
	case product < -750:
		return sign * 0
	}
	y1, h1 := leading(y), leading(high)
	y2, h2 := y-y1, high-h1
	tail := (float64(y1*h1) - product) + float64(y1*h2) + float64(y2*h1) + float64(y2*h2) + float64(y*low)
	return sign * exponential(product, tail)
}

// leading returns x without its last 27 bits: products of two such are exact.
func leading(x float64) float64 {
	return math.Float64frombits(math.Float64bits(x) &^ (1<<27 - 1))
}

// Cbrt returns the cube root of x.
//
// A third of the exponent gives it to 5 %, two steps of Halley's method to
// 1e-12, and a last one from a start of 26 bits, whose square is exact, all.
func Cbrt(x float64) float64 {
	if x == 0 || !(math.Abs(x) <= math.MaxFloat64) {
		return x
	}
	a, scale := math.Abs(x), 1.0
	switch { // so that nothing below is subnormal or overflows
	case a < 0x1p-900:
		a, scale = a*0x1p150, 0x1p-50
	case a > 0x1p900:
		a, scale = a*0x1p-150, 0x1p50
	}
	const third = 0x2a9f7893_00000000 // 2/3 of 1's bits, less for the least error
	t := math.Float64frombits(math.Float64bits(a)/3 + third)
	for range 2 {
		cube := float64(t * t * t)
		t *= (cube + float64(2*a)) / (float64(2*cube) + a)
	}
	t = leading(t)
	q := a / (t * t)
	t += float64(t * ((q - t) / (float64(2*t) + q)))
	return math.Copysign(scale*t, x)
}

// Hypot returns the length of (x, y).
func Hypot(x, y float64) float64 {
	square := float64(x*x) + float64(y*y)
	if square > 0x1p-960 && square < 0x1p1020 {
		return math.Sqrt(square)
	}
	largest := max(math.Abs(x), math.Abs(y))
	switch {
	case math.IsInf(x, 0) || math.IsInf(y, 0):
		return math.Inf(1)
	case largest == 0 || largest != largest:
		return largest
	}
	_, e := math.Frexp(largest)
	x, y = math.Ldexp(x, -e), math.Ldexp(y, -e)
	return math.Ldexp(math.Sqrt(float64(x*x)+float64(y*y)), e)
}
