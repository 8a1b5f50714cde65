package contactnodes

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
	"pgregory.net/rapid"
)

// Two sides that carry contact nodes carry a pressure once, whatever their
// sizes: like ones by halves, a much finer one alone.
func TestSharesOfTwoSides(t *testing.T) {
	if w, _ := twoPassWeight(1, 1, 1); w != 0.5 {
		t.Errorf("like sizes carry %g", w)
	}
	for _, times := range []float64{fullWeightRatio, 10, 1e6} {
		if w, slope := twoPassWeight(1, times, 1); w != 1 || slope != 0 {
			t.Errorf("%g times finer carries %g, slope %g", times, w, slope)
		}
		if w, slope := twoPassWeight(times, 1, 1); w != 0 || slope != 0 {
			t.Errorf("%g times coarser carries %g, slope %g", times, w, slope)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		own, other := rapid.Float64Range(1e-3, 1).Draw(t, "own"), rapid.Float64Range(1e-3, 1).Draw(t, "other")
		a, slope := twoPassWeight(own, other, 1)
		b, _ := twoPassWeight(other, own, 1)
		if math.Abs(a+b-1) > 1e-15 || own < other && a < 0.5 {
			t.Errorf("parts %g and %g", a, b)
		}
		h := 1e-6 * other
		up, _ := twoPassWeight(own, other+h, 1)
		down, _ := twoPassWeight(own, other-h, 1)
		if difference := (up - down) / (2 * h); math.Abs(difference-slope) > 1e-4/own {
			t.Errorf("slope %g, by differences %g", slope, difference)
		}
	})
}

// The size of an outline changes along it without a jump, and is an edge's own
// in its middle.
func TestSizeIsContinuous(t *testing.T) {
	m := build(t, star("a", r2.Vec{}, []float64{1, 0.4, 1, 0.9, 0.3}, 0.2))
	o := NewOutline(m)
	for i, e := range m.Edges {
		if h, slope := o.sizes[i].size(0.5); h != o.sizes[i].own || slope != 0 {
			t.Errorf("edge %d: %g in the middle, slope %g, %g long", i, h, slope, o.sizes[i].own)
		}
		end, _ := o.sizes[i].size(1)
		next, _ := o.sizes[e.Next].size(0)
		if math.Abs(end-next) > 1e-15 {
			t.Errorf("edges %d and %d: %g and %g at their corner", i, e.Next, end, next)
		}
		for _, u := range []float64{0.01, 0.2, 0.49, 0.51, 0.77, 0.99} {
			const d = 1e-6
			up, _ := o.sizes[i].size(u + d)
			down, _ := o.sizes[i].size(u - d)
			_, slope := o.sizes[i].size(u)
			if got := (up - down) / (2 * d * o.sizes[i].own); math.Abs(got-slope) > 1e-6 {
				t.Errorf("edge %d at %g: slope %g, by differences %g", i, u, slope, got)
			}
		}
	}
}
