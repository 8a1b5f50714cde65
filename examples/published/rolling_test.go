package published

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"testing"
)

// The quadrature of the steady state against an independent one.
func TestSteadyRoll(t *testing.T) {
	f, err := os.Open("testdata/rolling_cylinder.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() {
		records = records[:2] // a second each
	}
	for _, record := range records[1:] {
		known := make([]float64, len(record))
		for i := range record {
			if known[i], err = strconv.ParseFloat(record[i], 64); err != nil {
				t.Fatal(err)
			}
		}
		r := steadyRoll(0.05, 0.1, known[0])
		for i, v := range []float64{1e6 * r.deflection, 1e3 * r.arm, 1e-6 * r.peak, 1e6 * r.residual, 1e3 * r.front} {
			if want := known[i+1]; math.Abs(v-want) > 1e-6*want {
				t.Errorf("%g N: %s %.9g, independently %.9g", known[0], records[0][i+1], v, want)
			}
		}
	}
}

// The rolling cylinder converges to the steady state as contact nodes come
// closer together.
func TestRollingConverges(t *testing.T) {
	known := steadyRoll(0.05, 0.1, 611.7)
	before := math.Inf(1)
	for _, fine := range []int{10, 40} { // beyond, the length of the increments is what is left

		first, second := rollThereAndBack(rollingDeck(0.05, 0.1, 611.7, known.front, fine), 0.05, 6*known.front)
		off := math.Abs(first.arm/known.arm - 1)
		t.Logf("%3d nodes on the front: d_max %.5f um, arm %.6f mm, peak %.5f MPa, residual %.5f um; second pass: arm %.6f mm",
			fine, 1e6*first.deflection, 1e3*first.arm, 1e-6*first.peak, 1e6*first.residual, 1e3*second.arm)
		if off > 0.5*before {
			t.Errorf("%d nodes: the arm is off by %.3g, with fewer by %.3g", fine, off, before)
		}
		before = off
	}
}
