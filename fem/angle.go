package fem

import "math"

// The standard library's sine and arc tangent are compiled with fused products
// on some machines and without on others. These two round alike everywhere.

// pi/2 in three parts: the products of the first two with an integer below
// 2^20 are exact (Cody and Waite).
const (
	quarter1 = 0x1.921fb544p+00
	quarter2 = 0x1.0b4611a6p-34
	quarter3 = 0x1.3198a2e037073p-69
)

// Sincos returns the sine and the cosine of a [rad] with an error below
// 2.3e-16, for up to 250 000 turns: Taylor's series about the nearest multiple
// of pi/2.
func Sincos(a float64) (sin, cos float64) {
	n := math.RoundToEven(float64(a * (2 / math.Pi)))
	r := a - float64(n*quarter1) - float64(n*quarter2) - float64(n*quarter3)
	z := float64(r * r)
	s := float64(z*(1./355687428096000)) - 1./1307674368000
	s = float64(z*s) + 1./6227020800
	s = float64(z*s) - 1./39916800
	s = float64(z*s) + 1./362880
	s = float64(z*s) - 1./5040
	s = float64(z*s) + 1./120
	s = float64(z*s) - 1./6
	s = float64(r*z*s) + r
	c := float64(z*(1./20922789888000)) - 1./87178291200
	c = float64(z*c) + 1./479001600
	c = float64(z*c) - 1./3628800
	c = float64(z*c) + 1./40320
	c = float64(z*c) - 1./720
	c = float64(z*c) + 1./24
	c = float64(z*z*c) + (1 - float64(0.5*z))
	switch int64(n) & 3 {
	case 0:
		return s, c
	case 1:
		return c, -s
	case 2:
		return -s, -c
	}
	return -c, s
}

// arc returns the angle of the vector (x, y) of length l from the x axis [rad],
// with a relative error below 1.2e-15 up to a quarter turn; towards half a turn
// digits go. Halved until its tangent is at most 1/16, by
// tan(a/2) = tan(a)/(1 + sqrt(1 + tan(a)^2)), the angle has a short series.
func arc(x, y, l float64) float64 {
	t, times := y/(l+x), 2.0
	for math.Abs(t) > 1./16 {
		t /= 1 + math.Sqrt(1+float64(t*t))
		times *= 2
	}
	z := float64(t * t)
	a := float64(z*(1./13)) - 1./11
	a = float64(z*a) + 1./9
	a = float64(z*a) - 1./7
	a = float64(z*a) + 1./5
	a = float64(z*a) - 1./3
	return times * (float64(t*z*a) + t)
}
