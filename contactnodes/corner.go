package contactnodes

import "math"

// Corners of rigid bodies. A rigid body that tilts stands on its corner. Under a stiffness
// that is spread along its face a part of the face as long as sqrt(2 N/(k t theta)) bears
// the force N at a tilt theta, so that the body turns about a place a third of that inside
// its corner: it topples too early. So part of the area of a straight edge of a rigid body
// stands at its two ends, in strips so short that they are points to the eye, and bears
// against other rigid bodies:
//
//	 ___________________
//	|_|_____|_____|_____|_|     corner strips lie on the others
//
// What a flat face bears in all stays the same.

const (
	cornerStrip = 1e-4 // length of such a strip, of the edge
	cornerShare = 0.45 // of its area, in that of the shorter of the two edges at the corner
)

// newCornerLayout puts contact nodes at the middles of n-2 equal parts, and one at either
// corner.
func newCornerLayout(n int) layout {
	c := Config{Nodes: n - 2}
	p := newLayout(0, 0, &c)
	q := layout{amplification: 1, strips: true, corners: true}
	add := func(place, half float64) {
		q.place, q.half, q.towardsEnd = append(q.place, place), append(q.half, half), append(q.towardsEnd, towardsEnd(place))
	}
	add(0.5*cornerStrip, 0.5*cornerStrip)
	for k, u := range p.place {
		add(u, p.half[k])
	}
	add(1-0.5*cornerStrip, 0.5*cornerStrip)
	return q
}

// withCorners adds the contact nodes at corners in the part [lo, hi] of an element to the
// others k0 <= k < k1, of which it counts the first as 0.
func (p *layout) withCorners(lo, hi float64, k0, k1 int) (int, int) {
	n := len(p.place)
	k0, k1 = k0+1, min(n-1, k1+1)
	if lo <= cornerStrip {
		k0 = 0
	}
	if hi >= 1-cornerStrip {
		k1 = n
	}
	return k0, k1
}

// hasCorners tells whether an edge has contact nodes at its corners.
func (c *Contact) hasCorners(edge int32) bool {
	return c.Corners && c.Rigid != nil && c.Rigid[edge] != Deformable && c.outline.Edges[edge].Radius == 0
}

// onCorners tells whether those of edge i bear against edge j.
func (c *Contact) onCorners(i, j int32) bool { return c.hasCorners(i) && c.hasCorners(j) }

// addCornerStrip adds a strip at a corner of the element at hand, where it touches the
// edge of lane l, to the hits.
func (f *finder) addCornerStrip(p *frames, l, k int, shared int32) {
	u, half := f.nodes.place[k], f.nodes.half[k]
	lo, hi := max(p.from[l], u-half), min(p.to[l], u+half)
	if !(hi-lo > minPart) {
		return
	}
	depth, change := p.deflection[l], p.change[l]
	h := f.newHit(k, shared)
	h.place, h.depthAt = p.place[l]+float64(u*p.run[l]), depth+float64(u*change)
	h.depth, h.depthSlope = depth, change
	h.integrate(lo, hi, u, 2*half)
	if !(h.meanSquare > 0) {
		f.hits = f.hits[:len(f.hits)-1]
	}
}

// cornerFraction returns for which part of its area contact node k of edge i stands along
// edge j, at the place t there, before the two sides share it, and how that changes with
// the way along j [1/m]; and whether it is one at a corner, which shares nothing.
func (c *Contact) cornerFraction(i, j, k int32, t float64) (part, slope float64, atCorner bool) {
	last := int32(c.Nodes - 1)
	atCorner = k == 0 || k == last
	if !c.hasCorners(j) {
		if atCorner {
			return 0, 0, true
		}
		return 1, 0, false
	}
	s := &c.outline.sizes[i]
	atA, atB := c.cornerSize(i, c.outline.Edges[i].Prev), c.cornerSize(i, c.outline.Edges[i].Next)
	if !atCorner {
		return 1 - cornerShare*(atA+atB)/s.own, 0, false
	}
	own := atA
	if k == last {
		own = atB
	}
	relative := cornerShare * float64(last-1) / s.own
	place := within(t)
	other, change := c.outline.sizes[j].size(place)
	if own <= other {
		return relative * own, 0, true
	}
	if place != t {
		change = 0
	}
	return relative * other, relative * change, true
}

// cornerSize returns the shorter of two edges that meet at a corner, the first where there
// is no other [m].
func (c *Contact) cornerSize(i, beside int32) float64 {
	if beside < 0 {
		return c.outline.sizes[i].own
	}
	return math.Min(c.outline.sizes[i].own, c.outline.sizes[beside].own)
}
