package elementary

import "math"

// tableSize is the number of entries of the tables powers and centers.
const tableSize = 128

// Exp returns e to the power of x: 0 below -745.2, infinity above 709.8.
//
// With x = (k/128) ln 2 + r it is 2^(k/128) exp(r): a table of the former's
// fractions, and the series of the latter up to the fifth power.
func Exp(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 709.8:
		return math.Inf(1)
	case x < -745.2:
		return 0
	}
	return exponential(x, 0)
}

// Exp2 returns 2 to the power of x.
func Exp2(x float64) float64 {
	switch {
	case x != x:
		return x
	case x >= 1024:
		return math.Inf(1)
	case x < -1075:
		return 0
	}
	k := round(float64(tableSize * x))
	return scaled(k, float64((x-float64(k/tableSize))*(ln2High+ln2Low)))
}

// exponential returns exp(x + tail) for a tail that is small beside 1/128, and
// x where the result is a number.
func exponential(x, tail float64) float64 {
	k := round(float64(x * (tableSize / math.Ln2)))
	return scaled(k, float64(x-float64(k*stepHigh))-float64(k*stepLow)+tail)
}

// scaled returns 2^(k/128) exp(r).
func scaled(k, r float64) float64 {
	q := r + float64(r*r*(0.5+float64(r*(1./6+float64(r*(1./24+float64(r*(1./120))))))))
	i := int(k)
	p := &powers[i&(tableSize-1)]
	y := p.high + (p.low + float64(p.high*q))
	if e := i >> 7; e > -1022 && e < 1024 {
		return y * math.Float64frombits(uint64(e+1023)<<52)
	}
	return math.Ldexp(y, i>>7)
}

// round returns the whole number nearest to x, below 2^51 in magnitude.
func round(x float64) float64 {
	const shift = 0x1.8p52
	return x + shift - shift
}
