package system

import (
	"math"

	"fdem/solver/model"
)

// passed is the values of an expression at the last two steps.
type passed struct {
	at, value [2]float64
}

// passedPole returns the time of an expression's pole between the last two steps, if its
// magnitude was greater there.
func (s *View) passedPole(i int, v float64) (at float64, met bool) {
	if s.passed == nil {
		s.passed = make([]passed, len(s.Model.Expressions))
		for i := range s.passed {
			s.passed[i].at = [2]float64{math.Inf(1), math.Inf(1)}
		}
	}
	p := &s.passed[i]
	if s.Time != p.at[1] { // a step may be evaluated twice
		if p.at[0] < p.at[1] && p.at[1] < s.Time && math.Abs(p.value[1]) >= max(math.Abs(p.value[0]), math.Abs(v)) && p.value[1] != p.value[0] {
			at, met = model.FindPole(s.Model.Expressions[i].At, p.at[0], s.Time)
		}
		p.at, p.value = [2]float64{p.at[1], s.Time}, [2]float64{p.value[1], v}
	}
	return at, met
}
