package elementary

import "math"

// Sin returns the sine of an angle x [rad].
func Sin(x float64) float64 { s, _ := Sincos(x); return s }

// Cos returns the cosine of an angle x [rad].
func Cos(x float64) float64 { _, c := Sincos(x); return c }

// Tan returns the tangent of an angle x [rad].
func Tan(x float64) float64 { s, c := Sincos(x); return s / c }

// Sincos returns sine and cosine of an angle x [rad], the series after the
// nearest multiple of pi/2 has been taken off. Angles above a million are taken
// modulo the double next to 2 pi first, which is off by less than such an
// angle's own rounding.
func Sincos(x float64) (sin, cos float64) {
	if !(math.Abs(x) <= math.MaxFloat64) {
		return math.NaN(), math.NaN()
	}
	if math.Abs(x) > 1e6 {
		x = math.Mod(x, 2*math.Pi)
	}
	k := round(float64(x * (2 / math.Pi)))
	a, b := x-float64(k*quarterHigh), float64(k*quarterMiddle) // exact
	r := a - b
	back := a - r
	tail := (a - (r + back)) + (back - b) - float64(k*quarterLow)
	sin, cos = series(r+tail, r-(r+tail)+tail)
	if x == 0 {
		sin = x // also -0
	}
	switch int(k) & 3 {
	case 1:
		return cos, -sin
	case 2:
		return -sin, -cos
	case 3:
		return -cos, sin
	}
	return sin, cos
}

// series returns sine and cosine of r + tail, |r| <= pi/4.
func series(r, tail float64) (sin, cos float64) {
	q := float64(r * r)
	s := 1./6 - float64(q*(1./120-float64(q*(1./5040-float64(q*(1./362880-float64(q*(1./39916800-float64(q*(1./6227020800-float64(q*(1./1307674368000-float64(q*(1./355687428096000))))))))))))))
	c := 1./24 - float64(q*(1./720-float64(q*(1./40320-float64(q*(1./3628800-float64(q*(1./479001600-float64(q*(1./87178291200-float64(q*(1./20922789888000))))))))))))
	half := float64(0.5 * q)
	sin = r + (float64(tail*(1-half)) - float64(float64(r*q)*s))
	w := 1 - half
	cos = w + (((1 - w) - half) + (float64(q*q*c) - float64(r*tail)))
	return sin, cos
}

// Atan2 returns the angle of the point (x, y) [rad], from -pi to pi; in special
// cases what math.Atan2 returns.
//
// The tangent y/x of an angle below 45 degrees is brought next to that of a
// table, i/16, and t = tan(a - b) = (y - x tan b)/(x + y tan b) below 1/32
// into the series.
func Atan2(y, x float64) float64 {
	a, b := math.Abs(x), math.Abs(y)
	if a == 0 || b == 0 || !(a <= math.MaxFloat64) || !(b <= math.MaxFloat64) {
		return math.Atan2(y, x)
	}
	steep := b > a
	if steep {
		a, b = b, a
	}
	switch { // so that nothing below overflows or loses bits
	case a > 0x1p1000:
		a, b = a*0x1p-100, b*0x1p-100
	case a < 0x1p-900:
		a, b = a*0x1p150, b*0x1p150
	}
	i := int(float64(16*(b/a)) + 0.5)
	c := float64(i) / 16
	first := leading(a)
	t := ((b - float64(c*first)) - float64(c*(a-first))) / (a + float64(c*b))
	q := float64(t * t)
	arc := t - float64(t*q*(1./3-float64(q*(1./5-float64(q*(1./7-float64(q*(1./9-float64(q*(1./11))))))))))
	arc += arcs[i].low

	base, turn, rest := arcs[i].high, 0.0, 0.0
	switch {
	case steep:
		turn, rest = 0.5*piHigh, 0.5*piLow
	case x < 0:
		turn, rest = piHigh, piLow
	}
	if steep != (x < 0) {
		base, arc = -base, -arc
	}
	high := turn + base
	return math.Copysign(high+((turn-high)+base+(rest+arc)), y)
}

// Asin returns the angle with the sine x [rad]; not a number beyond 1.
func Asin(x float64) float64 { return Atan2(x, math.Sqrt((1-x)*(1+x))) }

// Acos returns the angle with the cosine x [rad]; not a number beyond 1.
func Acos(x float64) float64 { return Atan2(math.Sqrt((1-x)*(1+x)), x) }
