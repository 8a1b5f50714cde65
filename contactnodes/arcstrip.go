package contactnodes

import (
	"math"

	"fdem/contactnodes/pairs"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Strips of which the element or the opposite edge is an arc of a rigid disc or hollow. As between
// straight edges, the deflection of a contact node is the root mean square of the depth over its
// strip, and zero outside the opposite body. So a corner or a disc presses from its first contact on,
// wherever along the edge it touches, and for a linear law the force is the gradient of the energy.
//
// A strip is a quadratic curve through its two ends and its contact node: exact for a straight
// element, and within 1e-7 of the radius for an arc. The part of it inside a circle of radius R ends
// where
//
//	R² - r² = 0,
//
// with the distance r from the centre, which is a quadratic along a straight element. In that part
// the depth R - r and the directions of its gradient are taken at three Gauss nodes. The strip has the
// resultant of the forces there.

// arcStrip is a strip of the present element.
type arcStrip struct {
	k    int
	at   [3]r2.Vec  // its start, the contact node, its end
	u    [3]float64 // their positions along the chord
	x, y pairs.Quad // of its points relative to from
	// The opposite edge is a line through from with normal inward, or a circle around from: the body
	// is on its inside, where side is 1, or on its outside, where it is -1.
	from, inward r2.Vec
	side, radius float64
	corner       bool       // a circle of radius 0 around a re-entrant corner, which is the nearest point
	inside       pairs.Quad // what is positive inside the opposite body
	stretch      float64    // see edgePair
}

// isArcStrip tells whether contact nodes of the present element represent strips against an arc, or
// strips of an arc. Parabolas over edges of a mesh have contact nodes that take the depth at their
// positions, see arcs.go.
func (f *finder) isArcStrip(t *target) bool {
	return f.nodes.hats == nil && !f.nodes.raised && t.height == 0 && (t.radius != 0 || f.nodes.radius != 0)
}

// addArcStrips adds to hits the strips of the present element that are in the target's region or in
// front of it.
func (c *Contact) addArcStrips(f *finder, t *target) {
	nodes, n := f.nodes, len(f.nodes.position)
	first, end := 0, n
	switch {
	case nodes.height != nil && t.radius == 0:
		if max(elementary.Cross(t.along, sub(f.a, t.c)), elementary.Cross(t.along, sub(f.b, t.c)))+nodes.sagitta < -t.lookAhead {
			return
		}
	case nodes.height == nil:
		if t.radius < 0 && t.remainsInside(f.a, f.b) {
			return
		}
		lo, hi := t.clipElement(f.a, f.b, c.lookAhead)
		if !(lo <= hi) {
			return
		}
		first, end = int(lo*float64(n)), min(n, int(hi*float64(n))+1)
	}
	var s arcStrip
	s.face(t)
	s.at[2], s.u[2] = nodes.border(f.a, f.b, first)
	for k := first; k < end; k++ {
		s.k, s.at[0], s.u[0] = k, s.at[2], s.u[2]
		s.at[1], _ = nodes.point(f.a, f.b, k)
		s.u[1] = nodes.position[k]
		s.at[2], s.u[2] = nodes.border(f.a, f.b, k+1)
		if s.isFar(t) {
			continue
		}
		if lo, hi := s.inRegion(t); hi > lo {
			s.setInside()
			c.addArcStrip(f, t, &s, lo, hi)
		}
		if t.radius != 0 || !t.start.reentrant {
			continue
		}
		if lo, hi := s.inCornerRegion(t); hi > lo {
			s.side, s.corner = -1, true
			s.setInside()
			c.addArcStrip(f, t, &s, lo, hi)
			s.face(t)
		}
	}
}

// border returns where strip k of an element from a to b begins, and its position along the chord.
func (p *layout) border(a, b r2.Vec, k int) (q r2.Vec, u float64) {
	if p.height == nil {
		u = float64(k) / float64(len(p.position))
		return between(a, b, u), u
	}
	u = p.borders[k]
	h := p.borderHeights[k] / p.chord
	q = between(a, b, u)
	return r2.Vec{X: q.X + float64(h*(b.Y-a.Y)), Y: q.Y + float64(h*(a.X-b.X))}, u
}

// inRegion returns the part of the strip between the ends of the target's region.
func (s *arcStrip) inRegion(t *target) (lo, hi float64) {
	lo, hi = s.clip(0, 1, t.start.boundary, t.c)
	return s.clip(lo, hi, scale(-1, t.end.boundary), t.d)
}

// inCornerRegion returns the part of the strip in the region of the target's re-entrant start corner.
func (s *arcStrip) inCornerRegion(t *target) (lo, hi float64) {
	lo, hi = s.clip(0, 1, scale(-1, t.along), t.c)
	return s.clip(lo, hi, t.start.before, t.c)
}

// clip narrows [lo, hi] to the part on the side of a line through p to which v is normal.
func (s *arcStrip) clip(lo, hi float64, v, p r2.Vec) (float64, float64) {
	q := pairs.Through(elementary.Dot(v, sub(s.at[0], p)), elementary.Dot(v, sub(s.at[1], p)), elementary.Dot(v, sub(s.at[2], p)))
	first, last := q.At(lo), q.At(hi)
	switch {
	case first < 0 && last < 0:
		return 1, 0
	case first >= 0 && last >= 0:
		return lo, hi
	}
	cut := lo + float64((hi-lo)*first/(first-last))
	roots, n := q.Roots()
	for _, w := range roots[:n] {
		if w >= lo && w <= hi {
			cut = w
		}
	}
	if first < 0 {
		return cut, hi
	}
	return lo, cut
}

// face makes the target what is opposite.
func (s *arcStrip) face(t *target) {
	s.side, s.radius, s.from, s.corner = 0, 0, t.c, false
	if t.radius != 0 {
		s.side, s.radius, s.from = math.Copysign(1, t.radius), math.Abs(t.radius), t.centre
		return
	}
	s.inward = r2.Vec{X: -t.along.Y, Y: t.along.X}
}

// isFar tells whether the strip is too far in front of a straight target to be predicted.
func (s *arcStrip) isFar(t *target) bool {
	if s.side != 0 || t.start.reentrant {
		return false
	}
	depth := func(q r2.Vec) float64 { return elementary.Dot(s.inward, sub(q, s.from)) }
	return max(depth(s.at[0]), depth(s.at[1]), depth(s.at[2])) < -t.lookAhead
}

// setInside sets the coefficients.
func (s *arcStrip) setInside() {
	a, b, c := sub(s.at[0], s.from), sub(s.at[1], s.from), sub(s.at[2], s.from)
	s.x, s.y = pairs.Through(a.X, b.X, c.X), pairs.Through(a.Y, b.Y, c.Y)
	of := func(r r2.Vec) float64 {
		if s.side == 0 {
			return elementary.Dot(s.inward, r)
		}
		return s.side * (float64(s.radius*s.radius) - elementary.Dot(r, r))
	}
	s.inside = pairs.Through(of(a), of(b), of(c))
}

// point returns a point of the strip relative to from, its depth [m] and the direction of the depth's
// gradient.
func (s *arcStrip) point(w float64) (r r2.Vec, depth float64, inward r2.Vec) {
	r = r2.Vec{X: s.x.At(w), Y: s.y.At(w)}
	if s.side == 0 {
		return r, elementary.Dot(s.inward, r), s.inward
	}
	away := math.Sqrt(elementary.Dot(r, r))
	if away == 0 {
		return r, s.side * s.radius, r2.Vec{}
	}
	return r, s.side * (s.radius - away), r2.Vec{X: -s.side * r.X / away, Y: -s.side * r.Y / away}
}

// addArcStrip adds the parts of the strip between lo and hi that are in contact, or else the strip if
// it is predicted.
func (c *Contact) addArcStrip(f *finder, t *target, s *arcStrip, lo, hi float64) {
	if _, depth, _ := s.point(0.5 * (lo + hi)); depth > t.depth {
		return // in front of another face of a thin body
	}
	parts, n, nearest := s.coveredParts(lo, hi)
	for _, p := range parts[:n] {
		h := hit{node: int32(s.k), corner: s.corner}
		in, ok := s.integrate(&h, f, p[0], p[1])
		if !ok {
			continue
		}
		f.cornered = f.cornered || s.corner || n > 1
		s.place(&h, f, t, in)
		f.curves = append(f.curves, *s)
		h.curve = int32(len(f.curves))
		f.hits = append(f.hits, h)
	}
	if n > 0 || !(t.lookAhead > 0) || s.corner {
		return
	}
	_, deepest, in := s.point(nearest)
	deepest = min(deepest, 0)
	far := float64(predictionSteps * t.approach)
	predicted := 1 + deepest/far
	if !(predicted > 0 && deepest > -t.lookAhead) {
		return
	}
	_, atLo, _ := s.point(lo)
	_, atHi, _ := s.point(hi)
	predicted = meanPredicted(predicted, (deepest-min(atLo, atHi))/far) * math.Sqrt(hi-lo)
	h := hit{node: int32(s.k), deflection: deepest, predicted: predicted}
	h.stripPart = stripPart{force: 1, covered: 1}
	s.place(&h, f, t, in)
	f.hits = append(f.hits, h)
}

// coveredParts returns the n parts [lo, hi] of the strip that are inside the opposite body, and the
// deepest position.
func (s *arcStrip) coveredParts(lo, hi float64) (parts [2][2]float64, n int, deepest float64) {
	d := &s.inside
	roots, count := d.Roots()
	if count == 2 && roots[0] > roots[1] {
		roots[0], roots[1] = roots[1], roots[0]
	}
	at := [4]float64{lo} // with the roots
	found := roots[:count]
	count = 1
	for _, w := range found {
		if w > at[count-1] && w < hi {
			at[count] = w
			count++
		}
	}
	at[count] = hi
	if deepest = lo; d.At(hi) > d.At(lo) {
		deepest = hi
	}
	if top := -0.5 * d[1] / d[2]; d[2] < 0 && top > lo && top < hi {
		deepest = top
	}
	for i := range count {
		if at[i+1]-at[i] > minPart && d.At(0.5*(at[i]+at[i+1])) > 0 && n < len(parts) {
			parts[n] = [2]float64{at[i], at[i+1]}
			n++
		}
	}
	return parts, n, deepest
}

// integrate sets the strip part of a hit to the part of the strip between lo and hi. It returns the
// direction of its force, and false if it has none.
func (s *arcStrip) integrate(h *hit, f *finder, lo, hi float64) (inward r2.Vec, ok bool) {
	width, square, depths, turn := hi-lo, 0.0, 0.0, 0.0
	var sum, first r2.Vec // of the forces, and of their first moments along the chord
	node := sub(s.at[1], s.from)
	for g, at := range pairs.Gauss3 {
		w := lo + float64(at*width)
		r, depth, in := s.point(w)
		depth = max(0, depth)
		part := float64(pairs.Weight3[g] * width * depth)
		square += float64(part * depth)
		depths += part
		force := scale(part, in)
		sum, first = r2.Add(sum, force), r2.Add(first, scale(s.positionAt(w)-s.u[1], force))
		turn += elementary.Cross(sub(r, node), force)
	}
	force := math.Sqrt(elementary.Dot(sum, sum))
	if !(force > 0 && square > 0) {
		return r2.Vec{}, false
	}
	inward = scale(1/force, sum)
	chord := sub(f.b, f.a)
	length2, lever := elementary.Dot(chord, chord), elementary.Cross(chord, inward)
	h.meanSquare, h.force, h.moment, h.covered = square, force, 0, width
	if lever*lever > 1e-12*length2 {
		h.moment = turn / lever
	}
	s.stretch = elementary.Dot(sub(first, scale(h.moment, inward)), chord) / (length2 * force)
	h.lo, h.hi = s.positionAt(lo), s.positionAt(hi)
	middle := float64(0.5 * (h.lo + h.hi))
	h.offset, h.width = middle-s.u[1], s.u[2]-s.u[0]
	_, atLo, _ := s.point(lo)
	_, atHi, _ := s.point(hi)
	// The slope that changes the energy as the mean slope of the depth does, as the body shifts.
	h.depthSlope = 0.5 * (float64(atHi*atHi) - float64(atLo*atLo)) / (depths * h.width)
	h.depth = depths/width - float64(h.depthSlope*middle)
	return inward, true
}

// positionAt returns the position along the chord of w.
func (s *arcStrip) positionAt(w float64) float64 {
	if w < 0.5 {
		return s.u[0] + float64(2*w*(s.u[1]-s.u[0]))
	}
	return s.u[1] + float64((float64(2*w)-1)*(s.u[2]-s.u[1]))
}

// fractionAt returns w at a position along the chord.
func (s *arcStrip) fractionAt(u float64) float64 {
	if u < s.u[1] {
		return 0.5 * (u - s.u[0]) / (s.u[1] - s.u[0])
	}
	return 0.5 + 0.5*(u-s.u[1])/(s.u[2]-s.u[1])
}

// place adds the pair of the present element and the target for a hit whose force has the direction
// inward.
func (s *arcStrip) place(h *hit, f *finder, t *target, inward r2.Vec) {
	if t.radius == 0 && !s.corner {
		h.opposite = f.addOpposite(t, true)
	} else {
		h.opposite = int32(len(f.opposites))
		m := f.newOpposite(t.edge)
		m.rotation, m.corner = rotationGradient(t.c, t.d), s.corner
	}
	f.opposites[h.opposite].kind = curved
	s.act(h, f, t, inward)
}

// act sets where the force of a hit acts on the target, with the direction inward.
func (s *arcStrip) act(h *hit, f *finder, t *target, inward r2.Vec) {
	m := &f.opposites[h.opposite]
	if h.predicted == 0 {
		m.tilt, m.stretch = h.depthSlope, s.stretch
	}
	if t.radius == 0 && !s.corner {
		r := sub(s.at[1], t.c)
		h.position, h.depthAt = elementary.Dot(t.along, r)/t.length, elementary.Cross(t.along, r)
		return
	}
	m.inward = inward
	at := s.at[1]
	if h.force > 0 && h.predicted == 0 {
		at = r2.Add(at, scale(h.moment/h.force, sub(f.b, f.a)))
	}
	from := t.c
	if !s.corner { // the line of action goes through the centre
		c, d := elementary.Cross(inward, sub(t.c, t.centre)), elementary.Cross(inward, sub(t.d, t.centre))
		h.position = c / (c - d)
		from = between(t.c, t.d, h.position)
	}
	h.depthAt = elementary.Dot(sub(at, from), inward)
}

// cut makes an arc strip that has been found the part of it between positions lo and hi along the
// chord.
func (h *hit) cut(c *Contact, f *finder, lo, hi float64) {
	s, t := &f.curves[h.curve-1], &f.target
	in, ok := s.integrate(h, f, s.fractionAt(lo), s.fractionAt(hi))
	if !ok {
		h.lo, h.hi = 0, 0
		return
	}
	h.lo, h.hi = max(h.lo, lo), min(h.hi, hi) // against rounding
	c.setTarget(t, f.opposites[h.opposite].edge, c.x)
	s.act(h, f, t, in)
}
