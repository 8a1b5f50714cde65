package cohesive

// bilinear is linear softening in two parts: from 1 at x = 0 to 1/3 at 0.8 and
// 0 at 3.6.
type bilinear struct{}

func init() {
	register(SofteningCurve{
		Name:      "bilinear",
		Title:     "bilinear softening of concrete: a third of the strength remains up to a large opening",
		Source:    "P.-E. Petersson, Crack growth and development of fracture zones in plain concrete, report TVBM-1006, Lund, 1981",
		Formula:   "T = f (1 - 2 D/(3 D_1)), D <= D_1\nT = f (D_c - D)/(3 (D_c - D_1)), D > D_1\nD_1 = 0.8 G/f\nD_c = 3.6 G/f",
		Softening: bilinear{},
	})
}

const (
	kink  = 0.8
	third = 1.0 / 3
)

// End implements Softening.
func (bilinear) End() float64 { return 3.6 }

// Eval implements Softening.
func (c bilinear) Eval(x, s, slope, lost []float64) {
	for i, x := range x {
		var d float64
		s[i], d, lost[i] = c.at(x)
		if slope != nil {
			slope[i] = d
		}
	}
}

func (c bilinear) at(x float64) (s, slope, lost float64) {
	const steep, flat = (1 - third) / kink, third / (3.6 - kink)
	switch {
	case x >= 3.6:
		return 0, 0, 1
	case x > kink:
		return flat * (3.6 - x), -flat, 0.5*steep*kink*kink + float64(0.5*flat*(x-kink)*(x+kink))
	}
	return 1 - float64(steep*x), -steep, 0.5 * steep * x * x
}
