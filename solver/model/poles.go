package model

import (
	"math"
)

// Poles of expressions of time in a deck, found by a golden-section search. If a value of a
// schedule is greater than the values before and after it, the search follows the magnitude
// to its maximum. There is a pole if the magnitude grows without limit. A step hardly ever
// falls exactly on a pole. Near a pole values are arbitrarily large, and a run would use the
// finite values there without a warning.
const (
	poleSections = 45   // steps of the search, in which the interval shrinks to 4e-10
	poleNear     = 1e-6 // distance from the pole of the last value, relative to the interval
	poleGrowth   = 300  // least ratio of that value to the greater of both ends; 1/sqrt has 700
	poleGrows    = 0.75 // greatest ratio of the value at four times the distance to that value; 1/sqrt has a half
)

// FindPole searches for a pole of f between two times [s]. The magnitude must be greater at
// some time between them than at both.
func FindPole(f Schedule, from, to float64) (at float64, is bool) {
	const golden = 0.6180339887498949
	size := func(t float64) float64 {
		v := math.Abs(f(t))
		if math.IsNaN(v) {
			return math.Inf(1)
		}
		return v
	}
	ends := max(size(from), size(to))
	a, b := from, to
	c, d := b-float64(golden*(b-a)), a+float64(golden*(b-a))
	fc, fd := size(c), size(d)
	for range poleSections {
		if fc > fd {
			b, d, fd = d, c, fc
			c = b - float64(golden*(b-a))
			fc = size(c)
		} else {
			a, c, fc = c, d, fd
			d = a + float64(golden*(b-a))
			fd = size(d)
		}
	}
	at = float64(0.5 * (a + b))
	near := func(d float64) float64 { return max(size(at-d), size(at+d)) }
	step := float64(poleNear * (to - from))
	close := near(step)
	return at, close > float64(poleGrowth*ends) && !(near(float64(4*step)) > float64(poleGrows*close))
}
