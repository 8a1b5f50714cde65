package pairs

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Half is one half of a pair: the own edge A-B against the other edge C-D.
type Half struct {
	Own, Other int32
	Nodes      [4]int32 // A, B, C, D
	Points     []Point  // the Gauss nodes of the covered part; Find makes them
	Covered    float64  // length of the covered part relative to the own edge

	f               *frame
	from            r2.Vec  // from C to A [m]
	chord, outwards r2.Vec  // from A to B [m], and the same turned to the outside
	bulge, other    float64 // Bulge of the own and of the other edge
	foot0, foot1    float64 // position of the chord's point at u along the other edge: foot0 + u foot1
	depth           Quad    // [m]
	clips           clips
	roof            int // index of the clip at the roof, -1 for none
	spans           [maxSpans]span
	n               int  // number of spans
	region          span // part in the region of the other edge, see Begin
	offset          float64
	sector          bool
}

// Point is a Gauss node of the covered part.
type Point struct {
	U        float64 // position along the own edge
	Foot     float64 // position along the other edge
	Depth    float64 // that counts [m]
	Weight   float64 // length that it represents, relative to the own edge
	Falls    bool    // beyond the roof, where the depth that counts falls as the edge goes in
	Gradient [4]r2.Vec
}

// Spread is the distance of the two Gauss nodes of straight edges relative to the covered part.
const Spread = 0.57735026918962576451 // 1/sqrt(3)

// The Gauss nodes between 0 and 1: two are exact for straight edges, three for arcs.
var (
	gauss2  = [2]float64{0.5 - 0.5*Spread, 0.5 + 0.5*Spread}
	Gauss3  = [3]float64{0.5 - 0.5*math.Sqrt(0.6), 0.5, 0.5 + 0.5*math.Sqrt(0.6)}
	Weight3 = [3]float64{5.0 / 18, 8.0 / 18, 5.0 / 18}
)

// set begins a half.
func (h *Half) set(o *Outline, own, other int32) {
	a, b := &o.Edges[own], &o.Edges[other]
	h.Own, h.Other, h.Nodes = own, other, [4]int32{a.A, a.B, b.A, b.B}
	h.Points, h.Covered, h.f = h.Points[:0], 0, &o.frames[other]
	h.from, h.chord = r2.Sub(o.X[a.A], o.X[b.A]), r2.Sub(o.X[a.B], o.X[a.A])
	h.outwards = r2.Vec{X: h.chord.Y, Y: -h.chord.X}
	h.bulge, h.other = a.Bulge, b.Bulge
}

// along returns the product of a vector and the position on the own curve relative to C.
func (h *Half) along(v r2.Vec) Quad {
	across := float64(h.bulge * elementary.Dot(v, h.outwards))
	return Quad{elementary.Dot(v, h.from), elementary.Dot(v, h.chord) + across, -across}
}

// Find finds the covered part of edge own in the region of edge other, and its Gauss nodes. It returns
// false if there is none. offset is a depth that does not count [m].
func (h *Half) Find(o *Outline, own, other int32, offset float64) bool {
	h.set(o, own, other)
	h.measure()
	h.depth[0] -= offset
	h.clips = clips{}
	h.clips.add(h.depth)
	h.addEnds()
	h.addLimits(o)
	h.sector = false
	h.n = h.clips.spans(&h.spans)
	h.addPoints(1)
	if h.roof >= 0 && h.roofReached() {
		q := h.depth
		e := &o.Edges[other]
		h.clips.of[0] = Quad{e.Through() - q[0], -q[1], -q[2]}
		limit := &h.clips.of[h.roof]
		*limit = Quad{-limit[0], -limit[1], -limit[2]}
		ends, n := h.spans, h.n
		h.n = h.clips.spans(&h.spans)
		h.depth = Quad{2*e.Roof - q[0], -q[1], -q[2]}
		h.addPoints(-1)
		h.depth, h.spans, h.n = q, ends, n
	}
	return len(h.Points) > 0
}

// measure finds the foot and the depth along the own edge.
func (h *Half) measure() {
	f := h.f
	h.foot0 = elementary.Dot(f.along, h.from) / f.length
	h.foot1 = elementary.Dot(f.along, h.chord) / f.length
	h.depth = h.along(f.inward)
	if arc := float64(h.other * f.length); arc != 0 {
		h.depth[0] += float64(arc * h.foot0 * (1 - h.foot0))
		h.depth[1] += float64(arc * h.foot1 * (1 - float64(2*h.foot0)))
		h.depth[2] -= float64(arc * h.foot1 * h.foot1)
	}
}

// addEnds adds the clips at the two ends of the region.
func (h *Half) addEnds() {
	f := h.f
	end := h.along(f.end)
	end[0] -= float64(f.length * elementary.Dot(f.end, f.along))
	h.clips.add(h.along(f.start))
	h.clips.add(end)
}

// addLimits adds the clips deep inside the body: where the edge across is nearer, and at the roof.
func (h *Half) addLimits(o *Outline) {
	e := &o.Edges[h.Other]
	if e.Across >= 0 {
		other := &o.Edges[e.Across]
		inward := o.frames[e.Across].inward
		q := h.along(inward)
		q[0] += elementary.Dot(inward, r2.Sub(o.X[e.A], o.X[other.A]))
		for i := range q {
			q[i] -= h.depth[i]
		}
		h.clips.add(q)
	}
	h.roof = -1
	if e.Roof > 0 {
		h.roof = h.clips.n
		h.clips.add(Quad{e.Roof - h.depth[0], -h.depth[1], -h.depth[2]})
	}
}

// roofReached tells whether a part of the own edge is beyond the roof.
func (h *Half) roofReached() bool {
	q := &h.clips.of[h.roof]
	least := min(q.At(0), q.At(1))
	if u := -0.5 * q[1] / q[2]; u > 0 && u < 1 {
		least = min(least, q.At(u))
	}
	return least < 0
}

// addPoints adds the Gauss nodes of the spans. sign is -1 beyond the roof.
func (h *Half) addPoints(sign float64) {
	for _, part := range h.spans[:h.n] {
		width := part.hi - part.lo
		h.Covered += width
		if h.bulge == 0 && h.other == 0 && !h.sector {
			for _, at := range gauss2 {
				h.addStraight(part.lo+float64(at*width), 0.5*width, sign)
			}
			continue
		}
		for k, at := range Gauss3 {
			h.addCurved(part.lo+float64(at*width), Weight3[k]*width, sign)
		}
	}
}

// addStraight adds a Gauss node of two straight edges.
func (h *Half) addStraight(u, w, sign float64) {
	s, n := h.foot0+float64(u*h.foot1), r2.Scale(sign, h.f.inward)
	h.Points = append(h.Points, Point{
		U: u, Foot: s, Depth: h.depth.At(u), Weight: w, Falls: sign < 0,
		Gradient: [4]r2.Vec{times(1-u, n), times(u, n), times(s-1, n), times(-s, n)},
	})
}

// addCurved adds a Gauss node. The gradient of the depth has the derivatives by the positions of A,
// B, C and D.
func (h *Half) addCurved(u, w, sign float64) {
	p := Point{U: u, Depth: h.depth.At(u), Weight: w, Falls: sign < 0}
	f, high := h.f, float64(h.bulge*u*(1-u))
	s := h.foot0 + float64(u*h.foot1)
	on := s + float64(high*elementary.Dot(f.along, h.outwards))/f.length
	p.Foot = on
	n := f.inward
	slope := times(h.other*(1-float64(2*s)), f.along)
	own, turned := r2.Add(n, slope), times(high, r2.Vec{X: -n.Y, Y: n.X})
	above := elementary.Dot(n, h.from) + float64(u*elementary.Dot(n, h.chord)) // of the chord's point [m]
	arc := r2.Add(times(h.other*(1-float64(2*s))*above/f.length, n), times(h.other*s*(1-s), f.along))
	p.Gradient = [4]r2.Vec{
		r2.Sub(times(1-u, own), turned),
		r2.Add(times(u, own), turned),
		r2.Sub(r2.Add(times(on-1, n), times(s-1, slope)), arc),
		r2.Add(r2.Add(times(-on, n), times(-s, slope)), arc),
	}
	if sign < 0 {
		for i := range p.Gradient {
			p.Gradient[i] = times(-1, p.Gradient[i])
		}
	}
	h.Points = append(h.Points, p)
}

// Energy returns the energy of the half for a stiffness of the whole own edge [N/m], and adds its
// forces to those of the nodes [N].
func (h *Half) Energy(stiffness float64, force []r2.Vec) (energy float64) {
	for i := range h.Points {
		p := &h.Points[i]
		f := float64(stiffness * p.Weight * p.Depth)
		energy += float64(0.5 * f * p.Depth)
		for k, n := range h.Nodes {
			force[n] = r2.Sub(force[n], times(f, p.Gradient[k]))
		}
	}
	return energy
}

// times returns f a.
func times(f float64, a r2.Vec) r2.Vec { return r2.Vec{X: float64(f * a.X), Y: float64(f * a.Y)} }
