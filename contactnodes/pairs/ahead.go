package pairs

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Stiffness of a half now and in the next steps, for the time step: that of the covered part, and of
// parts in front of the other edge with a weight that falls with their distance.

// Ahead is the weighted length of a part, relative to the own edge, and its moments about A.
type Ahead struct{ Sum, First, Second float64 }

// FindAhead finds the part of the own edge of a half that has begun that is in the region of the other
// edge now, or after an approach by near [m], with its full length, and that within an approach by far
// with the square of a weight that falls linearly to zero.
func (h *Half) FindAhead(o *Outline, near, far float64) (a Ahead) {
	d0, run := h.depth[0], h.depth[1]
	part := h.region
	part.clip(d0+far, run)
	if !(part.lo < part.hi) && !(far < near) {
		return a
	}
	part = h.region
	part.clip(d0+near, run)
	if through := o.Edges[h.Other].Through(); through > 0 { // what is deeper faces the other edge through the body
		part.clip(through-d0, -run)
	}
	if part.lo < part.hi {
		a.addWhole(part)
	}
	if !(far > near) {
		return a
	}
	part = h.region
	part.clip(d0+far, run)
	part.clip(-d0-near, -run)
	if part.lo < part.hi {
		per := 1 / (far - near)
		a.add(part, Quad{float64((d0 + far) * per), float64(run * per)})
	}
	return a
}

// addWhole adds a span with its full length.
func (a *Ahead) addWhole(p span) {
	width := p.hi - p.lo
	a.Sum += width
	a.First += float64(width * 0.5 * (p.lo + p.hi))
	a.Second += float64(width * (float64(p.lo*p.lo) + float64(p.lo*p.hi) + float64(p.hi*p.hi)) / 3)
}

// add adds a span with the square of a weight.
func (a *Ahead) add(p span, w Quad) {
	width := p.hi - p.lo
	for k, at := range Gauss3 {
		u := p.lo + float64(at*width)
		v := w.At(u)
		f := float64(float64(Weight3[k]*width) * float64(v*v))
		a.Sum += f
		a.First += float64(f * u)
		a.Second += float64(f * u * u)
	}
}

// ApproachSpeed bounds the speed at which two edges approach each other, from the velocities of their
// ends along the normal of the other edge [m/s].
func (o *Outline) ApproachSpeed(own, other int32, v []r2.Vec) float64 {
	a, b, n := &o.Edges[own], &o.Edges[other], o.frames[other].inward
	ownA, ownB := elementary.Dot(n, v[a.A]), elementary.Dot(n, v[a.B])
	otherA, otherB := elementary.Dot(n, v[b.A]), elementary.Dot(n, v[b.B])
	return max(math.Abs(ownA-otherA), math.Abs(ownA-otherB), math.Abs(ownB-otherA), math.Abs(ownB-otherB))
}

// WeightAhead returns the weight of a point at a depth, which is negative in front of an edge [m].
func WeightAhead(depth, near, far float64) float64 {
	switch {
	case depth >= -near:
		return 1
	case depth > -far && far > near:
		return (depth + far) / (far - near)
	}
	return 0
}

// facing is the least cosine between the outward normal of an edge and the inward normal of another one
// that it is near: an edge at right angles to a face is in front of the corner at the end of that face,
// and holds its body against nothing.
const facing = 0.1

// FindNear returns the part of edge own that is in the region of edge other or straight in front of it
// by less than a gap [m], if the two edges face each other.
func (h *Half) FindNear(o *Outline, own, other int32, gap float64) (lo, hi float64, ok bool) {
	h.set(o, own, other)
	if elementary.Dot(h.f.inward, h.outwards) < facing*math.Sqrt(elementary.Dot(h.chord, h.chord)) {
		return 0, 0, false
	}
	h.measure()
	h.clips = clips{}
	h.clips.add(Quad{h.depth[0] + gap, h.depth[1], h.depth[2]})
	h.addEnds()
	h.addLimits(o)
	h.clips.add(Quad{h.foot0, h.foot1})
	h.clips.add(Quad{1 - h.foot0, -h.foot1})
	h.n = h.clips.spans(&h.spans)
	lo, hi = h.Range()
	return lo, hi, h.n > 0
}

// Range returns the first and the last position of the covered part along the own edge.
func (h *Half) Range() (lo, hi float64) {
	if h.n == 0 {
		return 0, 0
	}
	return h.spans[0].lo, h.spans[h.n-1].hi
}

// FootAt returns the position along the other edge of position u of the own edge, between 0 and 1.
func (h *Half) FootAt(u float64) float64 {
	return min(max(h.foot0+float64(u*h.foot1), 0), 1)
}

// DepthLine returns the depth of straight edges at position 0 of the own edge, and its change along
// that edge [m]; in a sector that of the line through its ends.
func (h *Half) DepthLine() (at, run float64) {
	if !h.sector {
		return h.depth[0], h.depth[1]
	}
	if len(h.Points) < 2 {
		return 0, 0
	}
	a, b := &h.Points[0], &h.Points[len(h.Points)-1]
	if a.U == b.U {
		return a.Depth, 0
	}
	run = (b.Depth - a.Depth) / (b.U - a.U)
	return a.Depth - float64(run*a.U), run
}
