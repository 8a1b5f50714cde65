package impulses_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// Discs leave a flat-bottomed bin at a rate by Beverloo's law in the plane, C sqrt(g/d) (D/d - k)^(3/2) a second
// (W. A. Beverloo, H. A. Leniger and J. van de Velde, Chem. Engrg. Sci. 15, 1961). A rate of 200 discs scatters by 5 %: each is the mean of three heaps.
func TestHopper(t *testing.T) {
	if !*whole {
		t.Skip("minutes: go test ./solver/impulses -whole -run '^TestHopper$'")
	}
	var openings, rates []float64
	for _, opening := range []float64{6, 7, 8, 9, 10, 11, 12, 13} {
		sum, seeds := 0.0, 3
		for seed := range seeds {
			sum += hopperRate(t, opening, seed+1)
		}
		t.Logf("D/d = %g: %.0f discs a second, the mean of %d", opening, sum/float64(seeds), seeds)
		openings, rates = append(openings, opening), append(rates, sum/float64(seeds)/math.Sqrt(g/hopperSize))
	}
	// the exponent with k = 1.5, and k and C with the exponent of 3/2
	exponent, _ := line(logs(openings, 1.5), logs(rates, 0))
	roots := slices.Clone(rates)
	for i := range roots {
		roots[i] = math.Pow(roots[i], 2./3)
	}
	slope, at0 := line(openings, roots)
	c, k := math.Pow(slope, 1.5), -at0/slope
	t.Logf("exponent %.3f; C %.3f, k %.3f", exponent, c, k)
	if math.Abs(exponent-1.5) > 0.1 || c < 0.85 || c > 1.1 || k < 1.2 || k > 2 {
		t.Errorf("exponent %g, C %g, k %g", exponent, c, k)
	}
}

const hopperSize = 0.01 // mean diameter of its discs [m]

// hopperRate returns how many discs leave a bin in a second through an opening of so many diameters, after a plug has
// gone from it.
func hopperRate(t *testing.T, opening float64, seed int) float64 {
	const d, wide, n, opens, first, most = hopperSize, 0.24, 900, 0.3, 40, 240
	s := begin(2, under(0), "step = 3e-4\nimpulses = { sweeps = 30 }")
	half := opening * d / 2
	s.box(-wide/2-0.05, 5, 0.1, 10.04, 0, 0).box(wide/2+0.05, 5, 0.1, 10.04, 0, 0)
	s.box(-(wide/2+half)/2, -0.01, wide/2-half, 0.02, 0, 0).box((wide/2+half)/2, -0.01, wide/2-half, 0.02, 0, 0)
	// at 3 m/s, no faster than steps of this length allow
	fmt.Fprintf(s, "[[rigid]]\nname = \"plug\"\nshape = \"box\"\ncentre = [0, -0.01]\nwidth = %v\nheight = 0.02\nmotion = [[0, 0, -0.01], [%v, 0, -0.01], [%v, 0, -10]]\n", 2*half-1e-6, opens, opens+10./3)
	fmt.Fprintf(s, "[[particle]]\nname = \"p\"\nposition = [%v, %v]\nradius = [\"4.5 mm\", \"5.5 mm\"]\ngrid = [20, %d]\nspacing = 0.0113\njitter = 1e-4\nseed = %d\ndensity = 2500\n", -wide/2+0.0075, 0.0065, n/20, seed)
	r := start(t, s.contact(0.5, 0.3))
	r.to(opens, nil)
	var left []float64
	gone := make([]bool, len(r.Rigids))
	r.to(2, func() bool {
		for i := range r.Rigids {
			if !gone[i] && strings.HasPrefix(r.Rigids[i].Name, "p ") && r.RigidMotions[i].Centre.Y < -0.02 {
				gone[i] = true
				left = append(left, r.Time)
			}
		}
		return len(left) > most
	})
	if len(left) < 100 {
		t.Fatalf("D/d = %g: only %d discs leave", opening, len(left))
	}
	last := min(len(left)-1, most)
	return float64(last-first) / (left[last] - left[first])
}

// logs returns the logarithms of what exceeds a number.
func logs(values []float64, less float64) (out []float64) {
	for _, v := range values {
		out = append(out, math.Log(v-less))
	}
	return out
}

// line returns the slope and the value at 0 of the line of least squares.
func line(x, y []float64) (slope, at0 float64) {
	n, sx, sy, sxx, sxy := float64(len(x)), 0.0, 0.0, 0.0, 0.0
	for i := range x {
		sx, sy, sxx, sxy = sx+x[i], sy+y[i], sxx+x[i]*x[i], sxy+x[i]*y[i]
	}
	slope = (n*sxy - sx*sy) / (n*sxx - sx*sx)
	return slope, (sy - slope*sx) / n
}
