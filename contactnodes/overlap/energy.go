package overlap

import (
	"math"
	"slices"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// gauss is half of the 12-point Gauss-Legendre rule on -1 to 1: its points
// above 0, for even functions.
var gauss = [6][2]float64{
	{0.1252334085114689, 0.2491470458134028}, {0.3678314989981802, 0.2334925365383548},
	{0.5873179542866175, 0.2031674267230659}, {0.7699026741943047, 0.1600783285433462},
	{0.9041172563704749, 0.1069393259953184}, {0.9815606342467192, 0.0471753363865118},
}

// chordEnergy returns half the integral of h^2 over a chord of the given half length.
// h is the height over the chord of the circle of radius r whose centre lies base
// behind it, plus sign times the height of a circle of radius q with its own base.
func chordEnergy(half, r, base, sign, q, other float64) float64 {
	sum := 0.0
	for _, g := range gauss {
		s := float64(half * g[0])
		h := height(half, s, r, base)
		if sign != 0 {
			h += float64(sign * height(half, s, q, other))
		}
		sum += float64(g[1] * h * h)
	}
	return sum * half
}

// height is the height of the circle of radius r over a chord at the position s
// along it. It keeps its digits for flat arcs.
func height(half, s, r, base float64) float64 {
	root := math.Sqrt(max(0, float64((r-s)*(r+s))))
	if base <= 0 {
		return root - base
	}
	return (half - s) * (half + s) / (root + base)
}

// ringEnergy returns half the integral, over the direction along, of the square
// of a ring's thickness across that direction [m3].
func (c *Clipper) ringEnergy(ring []r2.Vec, along r2.Vec) float64 {
	n := len(ring)
	c.flat = slices.Grow(c.flat[:0], n)[:n]
	c.breaks = slices.Grow(c.breaks[:0], n)[:n]
	for i, p := range ring {
		p = sub(p, ring[0])
		c.flat[i] = r2.Vec{X: elementary.Dot(p, along), Y: elementary.Cross(along, p)}
		c.breaks[i] = c.flat[i].X
	}
	slices.Sort(c.breaks)
	sum := 0.0
	for k := range c.breaks[1:] {
		lo, hi := c.breaks[k], c.breaks[k+1]
		if !(hi > lo) {
			continue
		}
		var h0, h1 float64 // thickness at both ends, linear between
		for i, p := range c.flat {
			q := c.flat[(i+1)%n]
			sign := -1.0 // bottom edges run along, top edges back
			if p.X > q.X {
				p, q, sign = q, p, 1
			}
			if p.X > lo || q.X < hi {
				continue
			}
			slope := (q.Y - p.Y) / (q.X - p.X)
			h0 += float64(sign * (p.Y + float64(slope*(lo-p.X))))
			h1 += float64(sign * (p.Y + float64(slope*(hi-p.X))))
		}
		sum += float64((hi - lo) * (float64(h0*h0) + float64(h0*h1) + float64(h1*h1)) / 6)
	}
	return sum
}
