package main

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// leastThickness returns the least thickness of a half-circle arch of n stones, over its
// mean radius, by the thrust line (M. Milankovitch, 1907): the least for which a horizontal
// thrust at the crown stays within all joints. Many stones have 0.1075.
func leastThickness(n int) float64 {
	lo, hi := 0.05, 0.2
	for range 20 {
		if t := 0.5 * (lo + hi); carriesThrust(t, n) {
			hi = t
		} else {
			lo = t
		}
	}
	return hi
}

// stone returns the corners of stone i of such an arch of mean radius 1.
func stone(t float64, i, n int) (c [4][2]float64) {
	for k, r := range []float64{1 - t/2, 1 + t/2, 1 + t/2, 1 - t/2} {
		sin, cos := math.Sincos(math.Pi * float64(i+k/2) / float64(n))
		c[k] = [2]float64{r * cos, max(0, r*sin)}
	}
	return c
}

// carriesThrust tells whether a thrust line stays within the half of the arch.
func carriesThrust(t float64, n int) bool {
	for part := range 101 {
		at := 1 - t/2 + t*float64(part)/100 // where it passes the crown
		least, most := 0.0, math.Inf(1)
		weight, moment := 0.0, 0.0
		for i := n/2 - 1; i >= 0; i-- {
			c := stone(t, i, n)
			for k, p := range c {
				q := c[(k+1)%4]
				area := 0.5 * (p[0]*q[1] - q[0]*p[1])
				weight, moment = weight+area, moment+area*(p[0]+q[0])/3
			}
			for k, p := range c[:2] { // of the joint, intrados and extrados
				thrust := (weight*p[0] - moment) / (at - p[1])
				if (k == 0) == (at > p[1]) {
					least = max(least, thrust)
				} else {
					most = min(most, thrust)
				}
			}
		}
		if least <= most {
			return true
		}
	}
	return false
}

// An arch of twelve rigid stones that are just put on one another, under a weight that grows from
// zero, stands if it is 4 % thicker than the thrust line requires, and falls if it is 5 % thinner.
func TestArchOfLeastThickness(t *testing.T) {
	t.Parallel()
	const n = 12
	if many := leastThickness(180); math.Abs(many-0.1075) > 2e-4 {
		t.Errorf("many stones may be %g thick, in the literature 0.1075", many)
	}
	for times, stands := range map[float64]bool{1.04: true, 0.95: false} {
		thickness := times * leastThickness(n)
		var deck strings.Builder
		deck.WriteString(`
[analysis]
duration = "0.35 s"
thickness = "1 m"
gravity = [0, "-9.81 m/s2"]
gravity_schedule = [[0, 0], ["0.1 s", 1], ["0.35 s", 1]]
[output]
fields_every = 0
checkpoint_every = 0
[[rigid]]
name = "ground"
shape = "line"
from = ["-2 m", 0]
to = ["2 m", 0]
[[contact]]
contactor = "all"
opposite = "all"
friction = 0.9
penetration = "0.2 %"
`)
		for i := range n {
			fmt.Fprintf(&deck, "[[rigid]]\nname = \"s%d\"\nshape = \"polygon\"\ndensity = \"2400 kg/m3\"\ncorners = [", i+1)
			for _, p := range stone(thickness, i, n) {
				fmt.Fprintf(&deck, "[%.12g, %.12g], ", p[0], p[1])
			}
			deck.WriteString("]\n")
		}
		h := ran(t, deck.String())
		last := len(column(t, h, "time")) - 1
		crown := column(t, h, "s6.vy")[last]
		t.Logf("%.3g of the least thickness: the crown moves at %.3g m/s, residual %.3g J of %.3g J", times, crown, column(t, h, "residual")[last], column(t, h, "external_work")[last])
		if fallen := crown < -0.1; fallen == stands || stands && math.Abs(crown) > 5e-3 {
			t.Errorf("%g of the least thickness: the crown moves at %g m/s", times, crown)
		}
	}
}
