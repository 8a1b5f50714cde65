package contactnodes

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Corners of rigid bodies. A rigid body that tilts stands on its corner. If the contact stiffness
// is uniform along its face, a part of the face of length sqrt(2 N/(k t theta)) carries the force N
// at a tilt theta. The body then rotates about a point a third of that length from its corner, and
// topples too early. So a part of the area of a straight edge of a rigid body is concentrated in
// very short strips at its two ends, which carry load against other rigid bodies:
//
//	 ___________________
//	|_|_____|_____|_____|_|     corner strips lie on the others
//
// At a corner both edges have such a strip. They share the area by the direction into the other
// body, which lies between the two normals. A face that lies flat carries load with its own strips
// only, and its total load is unchanged. The energy of a strip changes as the body rotates. Couples
// on both edges are this part of the energy's gradient.

const (
	cornerStrip = 1e-4 // length of such a strip relative to the edge
	cornerShare = 0.45 // area of such a strip relative to that of the shorter edge at the corner
	leastFacing = 1e-9 // a strip whose share is at most this carries nothing
)

// cornerLayout is the index in layouts of the result of newCornerLayout.
const cornerLayout = 1

// newCornerLayout returns a layout of contact nodes at the middles of n-2 equal parts and one at
// each corner.
func newCornerLayout(n int) layout {
	c := Config{Nodes: n - 2}
	p := newLayout(0, 0, &c)
	q := layout{amplification: 1, strips: true, corners: true, width: p.width}
	add := func(position, half float64) {
		q.position, q.half, q.towardsEnd = append(q.position, position), append(q.half, half), append(q.towardsEnd, towardsEnd(position))
	}
	add(0.5*cornerStrip, 0.5*cornerStrip)
	for k, u := range p.position {
		add(u, p.half[k])
	}
	add(1-0.5*cornerStrip, 0.5*cornerStrip)
	return q
}

// withCorners adds the contact nodes at corners that lie in the part [lo, hi] of an element to the
// other contact nodes k0 <= k < k1. k0 and k1 do not count the contact node at the first corner.
func (p *layout) withCorners(lo, hi float64, k0, k1 int) (int, int) {
	n := len(p.position)
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

// onCorners tells whether contact nodes at corners of edge i carry load against edge j.
func (c *Contact) onCorners(i, j int32) bool { return c.hasCorners(i) && c.hasCorners(j) }

// betweenCorners returns the part of [from, to] of the contact element of lane l that counts for
// the strips between its corners, if strips at corners carry load, too. The end of a side face
// under a flat face, about 1e-6 of it, belongs to the corner. The part of a flat face beyond such
// an end belongs to the next flat face. If these parts counted for the long strips, they would be
// two of three edge pairs of a wall and carry 1e-11 of its weight.
func (p *frames) betweenCorners(l int, from, to float64) (lo, hi float64) {
	s, run, depth, change := p.position[l], p.run[l], p.deflection[l], p.change[l]
	a, b := s+float64(from*run), s+float64(to*run)
	if math.Abs(change) > math.Abs(run*p.length[l]) { // more across the edge than along it
		if max(a, b) < cornerStrip || min(a, b) > 1-cornerStrip {
			return 1, 0
		}
	} else {
		end := func(at, position float64) float64 { // the end of the edge if it is near
			over := position
			if position < cornerStrip {
				over = 0
			} else if position > 1-cornerStrip {
				over = 1
			}
			if u := (over - s) / run; over != position && depth+float64(u*change) > 0 {
				return u
			}
			return at
		}
		from, to = max(0, min(from, end(from, a))), min(1, max(to, end(to, b)))
	}
	return max(from, cornerStrip), min(to, 1-cornerStrip)
}

// addCornerStrip adds a strip at a corner of the current element to the hits, if it is in contact
// with the edge of lane l and carries load against it.
func (c *Contact) addCornerStrip(f *finder, p *frames, l, k int, shared int32) {
	u, half := f.nodes.position[k], f.nodes.half[k]
	lo, hi := max(p.from[l], u-half), min(p.to[l], u+half)
	if !(hi-lo > minPart) || c.Rigid[p.edge[l]] == Deformable {
		return
	}
	facing, _ := c.facing(f.own, p.edge[l], k > 0)
	if facing == 0 {
		return
	}
	depth, change := p.deflection[l], p.change[l]
	h := f.newHit(k, shared)
	h.facing = facing
	h.position, h.depthAt = p.position[l]+float64(u*p.run[l]), depth+float64(u*change)
	h.depth, h.depthSlope, h.width = depth, change, 2*half
	h.integrate(lo, hi, u, h.width)
	if !(h.meanSquare > 0) {
		f.hits = f.hits[:len(f.hits)-1]
	}
}

// cornerFraction returns the fraction of its area that the contact node of a hit of edge i with
// edge j represents, before the two sides share it, and the change of that fraction along j [1/m].
// It tells whether the contact node is at a corner, where the corner's rule determines the sharing.
func (c *Contact) cornerFraction(i, j int32, h *hit) (part, slope float64, atCorner bool) {
	k, t, last := h.node, h.position, int32(c.Nodes-1)
	atCorner = k == 0 || k == last
	if !c.hasCorners(j) {
		if atCorner {
			return 0, 0, true
		}
		return 1, 0, false
	}
	s := &c.outline.sizes[i]
	if !atCorner {
		return s.inner, 0, false
	}
	facing := h.facing
	if facing < 0 {
		facing, _ = c.facing(i, j, k == last)
	}
	if facing == 0 {
		return 0, 0, true
	}
	own := s.shorterA
	if k == last {
		own = s.shorterB
	}
	relative := facing * cornerShare * float64(last-1) / s.own
	position := within(t)
	other, change := c.outline.sizes[j].size(position)
	if position != t {
		change = 0
	}
	// the corners of the other body carry load too if it is no larger
	weight, along := twoPassWeight(own, other, change)
	if weight < 0.5 {
		weight, along = 0.5, 0
	}
	if own <= other {
		return relative * own * weight, relative * own * along, true
	}
	return relative * other * weight, relative * (float64(other*along) + float64(change*weight)), true
}

// facing returns edge i's share of the two strips at its end (or start) corner against edge j, and
// how the share changes as j turns relative to i [1/rad]. The share is 1 where the direction into j
// is the normal of i, and falls smoothly to 0 at the normal of the other edge.
func (c *Contact) facing(i, j int32, atEnd bool) (part, slope float64) {
	edge, o := &c.outline.Edges[i], &c.outline.Edges[j]
	beside, sign := edge.Next, 1.0
	if !atEnd {
		beside, sign = edge.Prev, -1
	}
	if beside < 0 {
		return 1, 0
	}
	next := &c.outline.Edges[beside]
	e, a, b := sub(c.x[edge.B], c.x[edge.A]), sub(c.x[o.B], c.x[o.A]), sub(c.x[next.B], c.x[next.A])
	// sines, divided by lengths, of the angles from the normal of edge i and to the normal of the
	// other edge
	of, to := float64(sign*elementary.Cross(a, e)), float64(sign*elementary.Cross(b, a))
	corner := float64(sign * elementary.Cross(e, b))
	if corner <= 0 { // not convex
		return 1, 0
	}
	of, to = float64(of*math.Sqrt(square(b))), float64(to*math.Sqrt(square(e)))
	if of <= 0 || to <= 0 {
		if of < to {
			return 1, 0
		}
		return 0, 0
	}
	t := to / (of + to)
	if part = t * t * (3 - float64(2*t)); part < leastFacing {
		return 0, 0
	}
	turn := corner * square(a) * math.Sqrt(square(b)*square(e)) / float64((of+to)*(of+to))
	return part, -sign * 6 * t * (1 - t) * turn
}

// addCornerCouples adds the couples of the contact points at corners of an edge pair to the end
// nodes of its edges.
func (c *Contact) addCornerCouples(m *edgePair) {
	n, base, area, last := &c.points, m.element*int32(c.Nodes), c.area[m.element], int32(c.Nodes-1)
	for i := m.first; i < m.end; i++ {
		t := &n.nodes[i]
		k := t.id - base
		if t.repeated || k != 0 && k != last {
			continue
		}
		part, slope := c.facing(m.own, m.edge, k == last)
		if slope == 0 || part == 0 {
			continue
		}
		couple := float64(n.w[i]*area*t.fraction) * slope / part
		e, o := &c.outline.Edges[m.own], &c.outline.Edges[m.edge]
		onOwn, onOther := scale(couple, rotationGradient(c.x[e.A], c.x[e.B])), scale(couple, m.rotation)
		add := func(node int32, f r2.Vec) {
			on := c.out.On(node)
			on.F = r2.Add(on.F, f)
		}
		add(e.A, r2.Scale(-1, onOwn))
		add(e.B, onOwn)
		add(o.A, onOther)
		add(o.B, r2.Scale(-1, onOther))
		c.Moment += float64(m.side * couple)
	}
}
