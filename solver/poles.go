package solver

import (
	"math"
)

// Poles of what a deck gives as expressions of time, found by a golden-section search: where
// a schedule is greater than before and after, its magnitude is followed uphill, and has a
// pole there if it goes on to grow however near one comes. A step hardly ever falls on a
// pole; what comes close to one is any large number, and what is beside it a run would take.
const (
	poleSections = 45   // of the search: the interval shrinks to 4e-10
	poleNear     = 1e-6 // of the interval: so near it is looked at
	poleGrowth   = 300  // times the greater of both ends there, or more; 1/sqrt has 700
	poleGrows    = 0.75 // at most is four times as far away; 1/sqrt has a half
)

// FindPole looks for a pole of f between two times [s], where its magnitude is greater
// somewhere within than at both.
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

// passed is what an expression had at the last two steps.
type passed struct {
	at, value [2]float64
}

// passedPole tells where an expression has a pole that the last two steps lie around, as its
// magnitude was greater between them.
func (s *view) passedPole(i int, v float64) (at float64, met bool) {
	if s.passed == nil {
		s.passed = make([]passed, len(s.Model.Expressions))
		for i := range s.passed {
			s.passed[i].at = [2]float64{math.Inf(1), math.Inf(1)}
		}
	}
	p := &s.passed[i]
	if s.Time != p.at[1] { // a step may be evaluated twice
		if p.at[0] < p.at[1] && p.at[1] < s.Time && math.Abs(p.value[1]) >= max(math.Abs(p.value[0]), math.Abs(v)) && p.value[1] != p.value[0] {
			at, met = FindPole(s.Model.Expressions[i].At, p.at[0], s.Time)
		}
		p.at, p.value = [2]float64{p.at[1], s.Time}, [2]float64{p.value[1], v}
	}
	return at, met
}
