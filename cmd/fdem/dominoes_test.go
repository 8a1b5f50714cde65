package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// The wave that falls along a row of dominoes goes at sqrt(g h) times a number of their
// shape, spacing and friction alone (W. G. McLachlan and others, Phys. Fluids 26, 1983): four
// times as large ones take twice as long, and energy is kept. A row is chaotic: of starts that
// differ by 1e-9 the last domino is reached up to 1.7 % sooner or later, so means are held.
func TestDominoesScale(t *testing.T) {
	const n, starts = 8, 3
	var arrived [2]float64 // at the last one, over the square root of the scale [s]
	for k, scale := range []float64{1, 4} {
		for start := range starts {
			spin := -20 * (1 + 1e-9*float64(start))
			arrived[k] += row(t, n, scale, spin)[n-1] / starts
		}
	}
	if math.Abs(arrived[1]/arrived[0]-1) > 0.01 {
		t.Errorf("the last one is reached at %g s; four times as large at %g s over 2", arrived[0], arrived[1])
	}
}

// row returns when each of n dominoes 48 mm high and so many times as large is reached, over
// the square root of the scale [s], where the first is pushed at such a spin, over the same.
func row(t *testing.T, n int, scale, spin float64) []float64 {
	root := math.Sqrt(scale)
	var deck strings.Builder
	fmt.Fprintf(&deck, `
[analysis]
duration = "%g s"
thickness = "24 mm"
gravity = [0, "-9.81 m/s2"]
[output]
fields_every = 0
checkpoint_every = 0
history_every = "%g ms"
[[rigid]]
name = "table"
shape = "line"
from = ["%g m", 0]
to = ["%g m", 0]
[[contact]]
contactor = "all"
opposite = "all"
friction = 0.3
penetration = "0.2 %%"
`, 0.33*root, 0.1*root, -0.2*scale, 0.6*scale)
	for i := range n {
		fmt.Fprintf(&deck, "[[rigid]]\nname = \"d%d\"\nshape = \"box\"\nwidth = \"%g mm\"\nheight = \"%g mm\"\ncentre = [\"%g mm\", \"%g mm\"]\ndensity = \"700 kg/m3\"\n",
			i+1, 7.5*scale, 48*scale, 24*float64(i)*scale, 24*scale)
		if i == 0 {
			fmt.Fprintf(&deck, "angular_velocity = \"%.15g 1/s\"\n", spin/root)
		}
	}
	h := ran(t, deck.String())
	times, kinetic, residual := column(t, h, "time"), column(t, h, "kinetic"), column(t, h, "residual")
	most := 0.0
	for i, v := range residual {
		if most = max(most, kinetic[i]); math.Abs(v) > 1e-3*most {
			t.Fatalf("scale %g: residual %g J of %g J at %g s", scale, v, most, times[i])
		}
	}
	arrived := make([]float64, n)
	for d := range arrived {
		turning := column(t, h, fmt.Sprintf("d%d.omega", d+1))
		i := slices.IndexFunc(turning, func(v float64) bool { return math.Abs(v) > 1/root })
		if i < 0 {
			t.Fatalf("scale %g: domino %d is not reached", scale, d+1)
		}
		arrived[d] = times[i] / root
	}
	return arrived
}
