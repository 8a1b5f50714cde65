package fit

import (
	"math"

	"fdem/materials/contact"
)

// A parameter with a dimension is searched between these multiples of its
// scale, or between their inverses if it grows with stiffness. A flexibility
// times a power of the pressure is a part of the deflection.
const (
	leastMultiple = 1.0 / 300
	maxMultiple   = 3
)

// Box returns the parameter with the default box of the search. powers returns
// the powers of deflection and answer in the parameter's unit; it is nil for a
// parameter without a dimension. Box returns false if the data do not give the
// size of the parameter; then the user must give bounds.
func Box(p contact.Parameter, data Data, powers func(values map[string]float64) (deflection, answer float64)) (Parameter, bool) {
	f := Parameter{Name: p.Name, Min: p.Min, Max: p.Max}
	if powers == nil {
		if !(p.Max-p.Min <= 10) {
			return f, false
		}
		f.Low, f.High = max(p.Min, 0.05), min(p.Max, 2)
		return f, f.Low < f.High
	}
	if p.Min != 0 || !math.IsInf(p.Max, 1) {
		return f, false
	}
	d, a := data.Largest()
	f.Scale = func(values map[string]float64) float64 {
		m, n := powers(values)
		return math.Pow(d, m) * math.Pow(a, n)
	}
	f.Low, f.High = leastMultiple, maxMultiple
	exponents := map[string]float64{} // 0 for every name
	if _, n := powers(exponents); n > 0 {
		f.Low, f.High = 1/f.High, 1/f.Low
	}
	return f, true
}

// Between returns the parameter with a box from the user, in multiples of
// scale. The refinement stays in that box, too.
func Between(p contact.Parameter, low, high float64, scale func(values map[string]float64) float64) Parameter {
	return Parameter{Name: p.Name, Scale: scale, Low: low, High: high, Min: low, Max: high}
}
