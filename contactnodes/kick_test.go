package contactnodes

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A mass that meets a spring and goes back, by leapfrog: with the correction its speed
// after that is the one before to a higher order of omega dt, whenever it touches: but for
// the few separations that come a little earlier than predicted.
func TestKicksKeepEnergy(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	off := func(omega float64, correct bool) float64 { // of 1 kg at 1 m/s, steps of 1 s
		k, sum := omega*omega, 0.0
		for range 1000 {
			x, v := -1-rng.Float64(), 1.0
			for x += v; v > 0 || x > 0; x += v {
				if x > 0 {
					p := k * x
					if s := x / math.Abs(v); correct && s < 1 {
						p += k * math.Abs(v) * kickCorrection(meanLoss, s, s)
					}
					v -= p
				}
			}
			sum += math.Abs(v*v-1) / 1000
		}
		return sum
	}
	for _, omega := range []float64{0.2, 0.1, 0.05} {
		plain, corrected := off(omega, false), off(omega, true)
		if square := omega * omega; !(plain > 0.05*square && corrected < 0.4*square*square) {
			t.Errorf("omega dt = %g: energy off by %.2e on the mean, with the correction by %.2e", omega, plain, corrected)
		}
	}
}

// The correction of a strip is the mean over its points. For a strip that becomes flat it tends to
// the correction of a flat one.
func TestKickCorrectionOfStrips(t *testing.T) {
	for _, c := range [][2]float64{{0, 0.3}, {0.2, 0.9}, {0, 1}, {0, 5}, {0.7, 3}, {0.4, 0.4 + 2e-6}} {
		const parts = 20000
		sum := 0.0
		for i := range parts {
			if s := c[0] + (c[1]-c[0])*(float64(i)+0.5)/parts; s < 1 {
				sum += kickCorrection(meanLoss, s, s) / parts
			}
		}
		if got := kickCorrection(meanLoss, c[0], c[1]); math.Abs(got-sum) > 1e-5 {
			t.Errorf("depth %g to %g: %g, want %g", c[0], c[1], got, sum)
		}
	}
}
