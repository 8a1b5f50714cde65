package cohesive

import "fdem/materials/elementary"

// concrete is the softening curve of the combined finite-discrete element
// method, with u = 1 - x/End, a = 0.63, b = 1.8 and c = 6:
//
//	s = (1 - (a+b-1)/(a+b) exp((1-u) (a+c b)/((a+b)(1-a-b)))) (a u + b u^c)
//
// Its area over 0 <= 1-u <= 1 is 0.386307295. Codes that take this area as 1/3,
// that is End = 3, dissipate 15.9 % more than the given energy. Here End is
// 1/0.386307295, and the area is 1.
type concrete struct{}

func init() {
	register(SofteningCurve{
		Name:      "concrete",
		Title:     "softening of concrete by Munjiza, Andrews and White, with its correct area",
		Source:    "A. Munjiza, K. R. F. Andrews, J. K. White, Int. J. Numer. Meth. Engng 44 (1999) 41; as in A. Farsi et al., Comput. Part. Mech. 7 (2020) 961, equation 2, where the second factor's exponent -1 is a misprint; D_c from the curve's own area",
		Formula:   "T = f (1 - p exp(q D/D_c)) (a (1 - D/D_c) + b (1 - D/D_c)^c)\np = (a+b-1)/(a+b), q = (a+c b)/((a+b) (1-a-b))\na = 0.63, b = 1.8, c = 6\nD_c = 2.58861 G/f",
		Softening: concrete{},
	})
}

const (
	curveA, curveB = 0.63, 1.8 // c = 6 is in the powers below
	curveP         = (curveA + curveB - 1) / (curveA + curveB)
	growth         = (curveA + 6*curveB) / ((curveA + curveB) * (1 - curveA - curveB))
)

var concreteEnd = 1 / concreteArea(0, elementary.Exp(growth))

// concreteArea returns the area below the curve of length 1 from its start to
// u, with e = exp(growth (1-u)).
func concreteArea(u, e float64) float64 {
	u3 := u * u * u
	area := float64(0.5*curveA*(1-u)*(1+u)) + float64(curveB/7*(1-float64(u3*u3*u)))
	// J_n, the integral of exp(growth (1-u)) u^n, by parts.
	j, power := (e-1)/growth, 1.0
	for n := 1; n <= 6; n++ {
		power *= u
		j = (float64(e*power) - 1 + float64(float64(n)*j)) / growth
		switch n {
		case 1:
			area -= float64(curveP * curveA * j)
		case 6:
			area -= float64(curveP * curveB * j)
		}
	}
	return area
}

// End implements Softening.
func (concrete) End() float64 { return concreteEnd }

// Eval implements Softening.
func (c concrete) Eval(x, s, slope, lost []float64) {
	for i, x := range x {
		var d float64
		s[i], d, lost[i] = c.at(x)
		if slope != nil {
			slope[i] = d
		}
	}
}

func (concrete) at(x float64) (s, slope, lost float64) {
	if x >= concreteEnd {
		return 0, 0, 1
	}
	u := 1 - x/concreteEnd
	u2 := u * u
	u5 := u2 * u2 * u
	e := elementary.Exp(growth * (1 - u))
	first, second := 1-float64(curveP*e), float64(curveA*u)+float64(curveB*u5*u)
	s = first * second
	slope = -(float64(curveP*growth*e*second) + float64(first*(curveA+float64(6*curveB*u5)))) / concreteEnd
	lost = float64(concreteEnd*concreteArea(u, e)) - float64(x*s)
	return s, min(slope, 0), min(max(lost, 0), 1)
}
