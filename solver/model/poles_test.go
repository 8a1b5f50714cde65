package model

import (
	"math"
	"testing"
)

// Poles are found wherever they lie between two times. A steep slope, a jump or a peak is not taken
// for a pole.
func TestFindPole(t *testing.T) {
	const from, to = 2e-4, 3e-4
	for _, c := range []float64{2.1e-4, 2.34567891234e-4, 2.5e-4, 2.9e-4} {
		for name, f := range map[string]Schedule{
			"1/x":        func(t float64) float64 { return 5e-9 / (t - c) },
			"1/x^2":      func(t float64) float64 { return -1 / ((t - c) * (t - c)) },
			"1/sqrt|x|":  func(t float64) float64 { return 1 / math.Sqrt(math.Abs(t-c)) },
			"tan":        func(t float64) float64 { return math.Tan(0.5*math.Pi + 1e3*(t-c)) },
			"beside one": func(t float64) float64 { return 5e3 + 1/(t-c) },
		} {
			if at, is := FindPole(f, from, to); !is || math.Abs(at-c) > 1e-5*(to-from) {
				t.Errorf("%s at %g: found %v at %g", name, c, is, at)
			}
		}
		for name, f := range map[string]Schedule{
			"a bump":    func(t float64) float64 { return 1 / (1e-14 + (t-c)*(t-c)) },
			"a Gauss":   func(t float64) float64 { return math.Exp(-1e12 * (t - c) * (t - c)) },
			"a jump":    func(t float64) float64 { return math.Copysign(1e9, t-c) },
			"a pulse":   func(t float64) float64 { return math.Max(0, 1-1e6*math.Abs(t-c)) },
			"a root":    func(t float64) float64 { return math.Sqrt(math.Abs(t - c)) },
			"a wave":    func(t float64) float64 { return math.Sin(1e5 * (t - c)) },
			"nothing":   func(float64) float64 { return 0 },
			"a line":    func(t float64) float64 { return t - c },
			"a dip":     func(t float64) float64 { return 1 - math.Exp(-1e12*(t-c)*(t-c)) },
			"logarithm": func(t float64) float64 { return math.Log(math.Abs(t-c) + 1e-30) },
		} {
			if at, is := FindPole(f, from, to); is {
				t.Errorf("%s at %g: a pole at %g", name, c, at)
			}
		}
	}
}
