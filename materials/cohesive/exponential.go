package cohesive

import "fdem/materials/elementary"

// exponential is exponential softening with an end: the traction exp(-6) that
// is left there is subtracted along the whole curve, and the length is such
// that the area is 1.
type exponential struct{}

func init() {
	register(SofteningCurve{
		Name:      "exponential",
		Title:     "exponential softening, which ends at 1/400 of the traction",
		Source:    "V. S. Gopalaratnam, S. P. Shah, ACI Journal 82 (1985) 310, with exponent 1; the end, without loss of area, is ours",
		Formula:   "T = f (exp(-6 D/D_c) - exp(-6))/(1 - exp(-6))\nD_c = 6.0908 G/f",
		Softening: exponential{},
	})
}

const exponentialPower = 6 // the exponent at the end

var (
	left = elementary.Exp(-exponentialPower)                     // part of the traction at the end, before it is subtracted
	rate = (1 - float64((1+exponentialPower)*left)) / (1 - left) // exponent over x, so that the area is 1
)

// End implements Softening.
func (exponential) End() float64 { return exponentialPower / rate }

// Eval implements Softening.
func (c exponential) Eval(x, s, slope, lost []float64) {
	for i, x := range x {
		var d float64
		s[i], d, lost[i] = c.at(x)
		if slope != nil {
			slope[i] = d
		}
	}
}

func (c exponential) at(x float64) (s, slope, lost float64) {
	if x >= c.End() {
		return 0, 0, 1
	}
	u := float64(rate * x)
	e := elementary.Exp(-u)
	return max(e-left, 0) / (1 - left), -rate * e / (1 - left), min(max(1-float64((1+u)*e), 0)/(1-float64((1+exponentialPower)*left)), 1)
}
