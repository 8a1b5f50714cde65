package contact

import (
	"math"

	"fdem/materials/elementary"
)

// A law that gives the deflection as a sum of powers of the pressure has to be
// inverted at every contact node in every step. inverse is a lookup table for
// that, with quintic Hermite polynomials. There are 32 bins for each power of two
// of the deflection. Their polynomials agree with their neighbours up to the
// second derivative. The leading bits of a number are the index of its bin, so
// that there is no search, logarithm or power. The relative error is below 1e-13.

// inverse tabulates the pressure p(x), which inverts a sum of powers, and other
// terms that laws need, as functions of x.
type inverse struct {
	base   uint64          // number of the first bin
	curves [4][]polynomial // of the pressure, then of the terms; each has all bins
}

// polynomial holds coefficients, lowest power first.
type polynomial [6]float64

const (
	binBits  = 5            // bins to the octave, as a power of two
	binShift = 52 - binBits // from a number's bits to the number of its bin
)

// term is factor times p^power.
type term struct{ factor, power float64 }

// at returns the term at p and its first two derivatives.
func (t term) at(p float64) (v, d, dd float64) {
	v = t.factor * elementary.Pow(p, t.power)
	return v, t.power * v / p, t.power * (t.power - 1) * v / (p * p)
}

// newInverse tabulates p, and the terms of beside, between the pressures least
// and most [Pa]. x is the sum of the terms of sum, and solve inverts it.
func newInverse(least, most float64, sum []term, solve func(x float64) float64, beside ...term) *inverse {
	x := func(p float64) (v, d, dd float64) {
		for _, t := range sum {
			a, b, c := t.at(p)
			v, d, dd = v+a, d+b, dd+c
		}
		return v, d, dd
	}
	lowest, _, _ := x(least)
	highest, _, _ := x(most)
	t := &inverse{base: math.Float64bits(lowest) >> binShift}
	// edge returns p and the other terms, with two derivatives by x.
	edge := func(number uint64) (at float64, v [][3]float64) {
		at = math.Float64frombits(number << binShift)
		p := solve(at)
		_, d, dd := x(p)
		p1, p2 := 1/d, -dd/(d*d*d)
		v = append(v, [3]float64{p, p1, p2})
		for _, b := range beside {
			z, z1, z2 := b.at(p)
			v = append(v, [3]float64{z, z1 * p1, float64(z2*p1*p1) + float64(z1*p2)})
		}
		return at, v
	}
	from, a := edge(t.base)
	for number := t.base; number < math.Float64bits(highest)>>binShift; number++ {
		to, b := edge(number + 1)
		for i := range a {
			t.curves[i] = append(t.curves[i], quintic(a[i], b[i], to-from))
		}
		from, a = to, b
	}
	return t
}

// quintic returns the polynomial on 0...1 with the value and the first two
// derivatives a at 0 and b at 1. The derivatives are by a variable that grows by
// w between the ends.
func quintic(a, b [3]float64, w float64) polynomial {
	a1, b1, a2, b2 := float64(a[1]*w), float64(b[1]*w), float64(a[2]*w*w), float64(b[2]*w*w)
	rise := b[0] - a[0]
	return polynomial{
		a[0], a1, 0.5 * a2,
		float64(10*rise) - float64(6*a1) - float64(4*b1) - float64(1.5*a2) + float64(0.5*b2),
		float64(8*a1) - float64(15*rise) + float64(7*b1) + float64(1.5*a2) - b2,
		float64(6*rise) - float64(3*a1) - float64(3*b1) - float64(0.5*a2) + float64(0.5*b2),
	}
}

// find returns the number of the bin of x and the position in it, 0...1; false
// outside the table.
func (t *inverse) find(x float64) (n int, s float64, ok bool) {
	bits := math.Float64bits(x)
	n = int(bits>>binShift - t.base)
	s = math.Float64frombits(bits<<binBits&(1<<52-1)|0x3ff<<52) - 1
	return n, s, uint(n) < uint(len(t.curves[0])) // below the table n is negative
}

// at evaluates a polynomial. Its terms are paired, so that a processor can
// compute several at a time.
func (c *polynomial) at(s float64) float64 {
	ss := s * s
	low := c[0] + float64(s*c[1])
	middle := c[2] + float64(s*c[3])
	high := c[4] + float64(s*c[5])
	return low + float64(ss*(middle+float64(ss*high)))
}
