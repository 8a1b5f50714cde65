package seismicity

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Magnitudes drawn by the law of Gutenberg and Richter give back its b-value, within what so many
// draws may scatter, and the reported error is that scatter.
func TestFitFindsTheLaw(t *testing.T) {
	for _, b := range []float64{0.6, 1, 1.7} {
		const runs, n = 200, 2000
		sum, square, told := 0.0, 0.0, 0.0
		for run := range runs {
			rng := rand.New(rand.NewPCG(uint64(run), 7))
			m := make([]float64, n)
			for i := range m {
				m[i] = -4.05 + rng.ExpFloat64()/(b*math.Ln10)
			}
			d, ok := Fit(m)
			if !ok || math.Abs(d.Completeness+4) > 0.201 {
				t.Fatalf("b %g: %+v, %v", b, d, ok)
			}
			sum += d.B
			square += d.B * d.B
			told += d.Error
		}
		mean := sum / runs
		scatter := math.Sqrt(square/runs - mean*mean)
		t.Logf("b %g: %.4f +- %.4f, told %.4f", b, mean, scatter, told/runs)
		if math.Abs(mean/b-1) > 0.02 || math.Abs(told/runs/scatter-1) > 0.25 {
			t.Errorf("b %g: mean %g, scatter %g, told %g", b, mean, scatter, told/runs)
		}
	}
}

// Small events that were not recorded do not count: below the magnitude of completeness events are
// missing.
func TestFitLeavesOutWhatIsIncomplete(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 7))
	var m []float64
	for len(m) < 20000 {
		if v := -5 + rng.ExpFloat64()/math.Ln10; v > -4.05 || rng.Float64() < math.Exp(6*(v+4.05)) {
			m = append(m, v)
		}
	}
	if d, ok := Fit(m); !ok || math.Abs(d.Completeness+4) > 0.051 || math.Abs(d.B-1) > 0.03 {
		t.Errorf("%+v, %v", d, ok)
	}
}

func TestFitOfTooFew(t *testing.T) {
	for _, m := range [][]float64{nil, {-4, -4, -3.9}, {math.NaN(), math.Inf(-1)}, make([]float64, 50)} {
		if d, ok := Fit(m); ok {
			t.Errorf("%v: %+v", m, d)
		}
	}
}

func TestCounts(t *testing.T) {
	m, own, atLeast := Counts([]float64{-3.04, -3, -2.8, -2.79})
	want := []int{2, 0, 2}
	for i := range want {
		if own[i] != want[i] {
			t.Fatalf("%v %v %v", m, own, atLeast)
		}
	}
	if atLeast[0] != 4 || math.Abs(m[2]+2.8) > 1e-12 {
		t.Errorf("%v %v %v", m, own, atLeast)
	}
}
