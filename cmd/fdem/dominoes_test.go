package main

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// The wave that falls along a row of dominoes goes at sqrt(g h) times a number of their
// shape, spacing and friction alone (W. G. McLachlan and others, Phys. Fluids 26, 1983): four
// times as large ones take twice as long, and energy is kept.
func TestDominoesScale(t *testing.T) {
	const n = 8
	var arrived [2]float64 // at the last one, over the square root of the scale [s]
	for k, scale := range []float64{1, 4} {
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
				fmt.Fprintf(&deck, "angular_velocity = \"%.15g 1/s\"\n", -20/root)
			}
		}
		h := ran(t, deck.String())
		times, turning, kinetic, residual := column(t, h, "time"), column(t, h, fmt.Sprintf("d%d.omega", n)), column(t, h, "kinetic"), column(t, h, "residual")
		most := 0.0
		for i, v := range residual {
			if most = max(most, kinetic[i]); math.Abs(v) > 1e-3*most {
				t.Fatalf("scale %g: residual %g J of %g J at %g s", scale, v, most, times[i])
			}
			if arrived[k] == 0 && math.Abs(turning[i]) > 1/root {
				arrived[k] = times[i] / root
			}
		}
	}
	if arrived[0] == 0 || math.Abs(arrived[1]/arrived[0]-1) > 0.01 {
		t.Errorf("the last one is reached at %g s; four times as large at %g s over 2", arrived[0], arrived[1])
	}
}
