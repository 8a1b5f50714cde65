package pairs

import (
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Circle is a rigid disc, or a hollow in a solid.
type Circle struct {
	Node   int32   // at its centre
	Radius float64 // [m]; negative for a hollow
}

// FindCircle finds the part of edge own that is inside the solid of a circle. The depth is
// (R² - r²)/2R, with the distance r from the centre: a polynomial, and to second order the distance
// from the circle. length is that of the own edge in the reference position [m]. In the half C is
// the centre, and there is no D.
func (h *Half) FindCircle(o *Outline, own int32, c Circle, length float64) bool {
	a := &o.Edges[own]
	h.Own, h.Other, h.Nodes = own, -1, [4]int32{a.A, a.B, c.Node, c.Node}
	h.Points, h.Covered, h.f, h.sector, h.roof = h.Points[:0], 0, nil, true, -1
	h.from, h.chord = r2.Sub(o.X[a.A], o.X[c.Node]), r2.Sub(o.X[a.B], o.X[a.A])
	h.outwards = r2.Vec{X: h.chord.Y, Y: -h.chord.X}
	h.bulge, h.other = a.Bulge, 0
	q := 0.5 / c.Radius
	across := float64(h.bulge * elementary.Dot(h.outwards, h.from))
	h.depth = Quad{
		float64(q * (float64(c.Radius*c.Radius) - elementary.Dot(h.from, h.from))),
		float64(-2 * q * (elementary.Dot(h.from, h.chord) + across)),
		-float64(q * (elementary.Dot(h.chord, h.chord) - 2*across)),
	}
	// The fourth-order term of the own arc, (u (1-u))², as 1 and u (1-u) by least squares.
	fourth := float64(float64(q*float64(h.bulge*h.bulge)) * float64(length*length))
	h.depth[0] += fourth / 70
	h.depth[1] -= float64(fourth * 2 / 7)
	h.depth[2] += float64(fourth * 2 / 7)
	h.clips = clips{}
	h.clips.add(h.depth)
	h.n = h.clips.spans(&h.spans)
	for _, part := range h.spans[:h.n] {
		width := part.hi - part.lo
		h.Covered += width
		for k, at := range Gauss3 {
			h.addTowards(part.lo+float64(at*width), Weight3[k]*width, q)
		}
	}
	return len(h.Points) > 0
}

// addTowards adds a Gauss node against a circle, q is 1/2R.
func (h *Half) addTowards(u, w, q float64) {
	high := float64(h.bulge * u * (1 - u))
	r := r2.Add(r2.Add(h.from, times(u, h.chord)), times(high, h.outwards)) // the bulge counts to first order
	chordOnly := r2.Add(h.from, times(u, h.chord))
	turned := times(high, r2.Vec{X: -h.from.Y, Y: h.from.X})
	up := times(high, h.outwards)
	p := Point{U: u, Depth: h.depth.At(u), Weight: w}
	p.Gradient[0] = times(-2*q, r2.Sub(r2.Add(times(1-u, chordOnly), up), turned))
	p.Gradient[1] = times(-2*q, r2.Add(times(u, chordOnly), turned))
	p.Gradient[2] = times(2*q, r)
	h.Points = append(h.Points, p)
}
