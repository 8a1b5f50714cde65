package cohesive

// linear is linear softening: s = 1 - x/2.
type linear struct{}

func init() {
	register(SofteningCurve{
		Name:      "linear",
		Title:     "linear softening",
		Source:    "A. Hillerborg, M. Modeer, P.-E. Petersson, Cement and Concrete Research 6 (1976) 773; as an extrinsic law: G. T. Camacho, M. Ortiz, Int. J. Solids Structures 33 (1996) 2899",
		Formula:   "T = f (1 - D/D_c)\nD_c = 2 G/f",
		Softening: linear{},
	})
}

// End implements Softening.
func (linear) End() float64 { return 2 }

// Eval implements Softening.
func (c linear) Eval(x, s, slope, lost []float64) {
	for i, x := range x {
		var d float64
		s[i], d, lost[i] = c.at(x)
		if slope != nil {
			slope[i] = d
		}
	}
}

func (linear) at(x float64) (s, slope, lost float64) {
	if x >= 2 {
		return 0, 0, 1
	}
	return 1 - float64(0.5*x), -0.5, 0.25 * x * x
}
