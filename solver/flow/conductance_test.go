package flow

import (
	"math"
	"testing"
)

// The edges of a crack whose aperture changes linearly from one end to the other have together the
// resistance of the whole, for any number of edges.
func TestTaper(t *testing.T) {
	const in, out, length, mu, dp = 50e-6, 20e-6, 0.5, 1e-3, 1e6
	for _, edges := range []int{1, 3, 50} {
		resistance := 0.0
		w := func(i int) float64 { return in + (out-in)*float64(i)/float64(edges) }
		for i := range edges {
			resistance += 1 / conductance(w(i), w(i+1), length/float64(edges), mu)
		}
		if q := dp / resistance; math.Abs(q/4.761904761904762e-06-1) > 1e-12 {
			t.Errorf("%d edges: %g m2/s", edges, q)
		}
	}
}
