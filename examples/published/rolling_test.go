package published

import (
	"math"
	"testing"
)

// The rolling cylinder converges to the steady state as contact nodes come
// closer together, and the quadrature itself has the values of an independent
// one.
func TestRollingConverges(t *testing.T) {
	known := steadyRoll(0.05, 0.1, 611.7)
	for name, v := range map[string][2]float64{
		"d_max": {known.deflection, 6.06075482329e-6}, "arm": {known.arm, 0.071803843599e-3},
		"peak": {known.peak, 8.5092751398e6}, "residual": {known.residual, 2.16152918068e-6}, "front": {known.front, 0.778508498559e-3},
	} {
		if math.Abs(v[0]-v[1]) > 1e-6*v[1] {
			t.Errorf("%s by quadrature: %.9g, independently %.9g", name, v[0], v[1])
		}
	}
	before := math.Inf(1)
	for _, fine := range []int{10, 40} { // beyond, the length of the increments is what is left

		first, second, err := rollThereAndBack(rollingDeck(0.05, 0.1, 611.7, known.front, fine), 0.05, 6*known.front)
		if err != nil {
			t.Fatal(err)
		}
		off := math.Abs(first.arm/known.arm - 1)
		t.Logf("%3d nodes on the front: d_max %.5f um, arm %.6f mm, peak %.5f MPa, residual %.5f um; second pass: arm %.6f mm",
			fine, 1e6*first.deflection, 1e3*first.arm, 1e-6*first.peak, 1e6*first.residual, 1e3*second.arm)
		if off > 0.5*before {
			t.Errorf("%d nodes: the arm is off by %.3g, with fewer by %.3g", fine, off, before)
		}
		before = off
	}
}
