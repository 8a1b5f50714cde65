package contactnodes

import (
	"math"
	"slices"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Segment-to-segment contact, the exact integral: a contact node represents its part of the edge, a
// strip, and not only the middle of the strip. Its deflection is the root mean square of the depth
// over the strip, where the depth is zero outside the opposite body:
//
//	 strip  |_________________|     d^2 = 1/w int depth^2 du
//	        |       |    depth|
//	        |        \________|
//	  outside  opposite edge
//
// For a linear law the energy k d^2/2 of the strip is then exactly the integral of k depth^2/2 over
// it, wherever corners and ends of edges lie within the strip. So the force changes smoothly as a
// sharp corner moves from strip to strip, and it acts from the first contact on. If the opposite
// outline has a corner over the strip, each side of the corner carries its part of the force in its
// own direction.
//
// Arcs of rigid discs and hollows are in arcstrip.go. If one of the two edges of a mesh represents an
// arc, or contact nodes are at the ends of parts, a contact node takes the depth at its own position.

// stripPart is the part of a strip that presses on one opposite edge, with its contribution to the
// strip.
type stripPart struct {
	lo, hi     float64 // part of the contact element, 0 at A, 1 at B
	depth      float64 // at A, extrapolated linearly [m]
	depthSlope float64 // change of the depth from A to B [m]
	meanSquare float64 // integral of the squared depth divided by the length of the strip [m2]
	force      float64 // integral of the depth; finally the share of the contact node's force that acts here [-]
	moment     float64 // its first moment about the contact node, along the contact element
	covered    float64 // fraction of the strip [-]
	offset     float64 // from the contact node to its middle, along the contact element [-]
	width      float64 // of the whole strip [-]
}

// newHit returns another hit of contact node k with the given opposite edge. Only these two fields,
// and the fields that mark it as in contact, are set; all other fields may have old values.
func (f *finder) newHit(k int, opposite int32) *hit {
	n := len(f.hits)
	if n == cap(f.hits) {
		f.hits = slices.Grow(f.hits, 1)
	}
	f.hits = f.hits[:n+1]
	h := &f.hits[n]
	h.node, h.opposite, h.next, h.corner, h.curve, h.deflection, h.predicted, h.averaged = int32(k), opposite, 0, false, 0, 0, 0, false
	return h
}

// minPart is the fraction of a contact element below which a part of a strip is ignored.
const minPart = 1e-12

// edgeRegion returns the part [lo, hi] of the contact element from a to b that lies in the target's
// region, without the region of a re-entrant start corner. It returns the depth at a, and its
// change to b [m]. lo > hi means none.
func (t *target) edgeRegion(a, b r2.Vec) (lo, hi, depth, change float64) {
	ra, rb := sub(a, t.c), sub(b, t.c)
	da, db := elementary.Cross(t.along, ra), elementary.Cross(t.along, rb)
	lo, hi = clip(0, 1, da, db)
	lo, hi = clip(lo, hi, t.depth-da, t.depth-db)
	lo, hi = clip(lo, hi, elementary.Dot(t.start.boundary, ra), elementary.Dot(t.start.boundary, rb))
	lo, hi = clip(lo, hi, elementary.Dot(t.end.boundary, sub(t.d, a)), elementary.Dot(t.end.boundary, sub(t.d, b)))
	return lo, hi, da, db - da
}

// cornerRegion returns the part of the contact element in the region of a re-entrant start corner.
func (t *target) cornerRegion(a, b r2.Vec) (lo, hi float64) {
	if !t.start.reentrant {
		return 1, 0
	}
	ra, rb := sub(a, t.c), sub(b, t.c)
	lo, hi = clip(0, 1, -elementary.Dot(t.along, ra), -elementary.Dot(t.along, rb))
	return clip(lo, hi, elementary.Dot(t.start.before, ra), elementary.Dot(t.start.before, rb))
}

// setPoint makes h the strip part of a contact node that takes the depth at its own position.
func (h *hit) setPoint(nodes *layout, depth float64) {
	u, half := nodes.position[h.node], nodes.half[h.node]
	h.stripPart = stripPart{lo: u - half, hi: u + half, depth: depth, meanSquare: depth * depth, force: depth, covered: 1, width: 2 * half}
	if h.predicted > 0 {
		h.force = 1
	}
}

// distanceBeside returns the distance of the strip part from the contact node's position, 0 if the
// part contains it.
func (h *hit) distanceBeside(f *finder) float64 {
	u := f.nodes.position[h.node]
	return max(h.lo-u, u-h.hi, 0)
}

// isBeside tells whether the contact node's position lies outside the strip part.
func (h *hit) isBeside(f *finder) bool {
	u := f.nodes.position[h.node]
	return h.lo > u || u > h.hi
}

// addStrips adds to the hits the parts of strips of the present element that are in contact with
// the opposite edge of lane l. It also adds the strips in its part [lo, hi] that are predicted, by
// their nearer end.
func (c *Contact) addStrips(f *finder, p *frames, l int) {
	from, to, depth, change := p.from[l], p.to[l], p.deflection[l], p.change[l]
	if depth == 0 && change == 0 { // in contact, and about to press
		from, to = 1, 0
	}
	shared, before := int32(len(f.opposites)), len(f.hits)
	if to-from > minPart {
		c.addContact(f, p, l, from, to, shared)
	}
	if p.startReentrant[l] != 0 {
		f.addFramed(p, l)
		p.setTarget(&f.target, l, c.outline, c.x)
		c.addCornerStrips(f, &f.target)
	}
	if p.lookAhead[l] > 0 {
		c.addApproaching(f, p, l, from, to, shared)
	}
	switch {
	case len(f.hits) == before:
		f.opposites = f.opposites[:shared]
	case int(shared) == len(f.opposites):
		f.addFramed(p, l)
	}
}

// addFramed adds the pair of the present element and the opposite edge of lane l.
func (f *finder) addFramed(p *frames, l int) {
	m := f.newOpposite(p.edge[l])
	m.inward.X, m.inward.Y, m.rotation.X, m.rotation.Y = -p.alongY[l], p.alongX[l], p.rotationX[l], p.rotationY[l]
	m.positionSlope, m.depthSlope = p.run[l], p.change[l]
}

// newOpposite adds a pair of the present element and an opposite edge.
func (f *finder) newOpposite(edge int32) *edgePair {
	n := len(f.opposites)
	if n == cap(f.opposites) {
		f.opposites = slices.Grow(f.opposites, 1)
	}
	f.opposites = f.opposites[:n+1]
	m := &f.opposites[n]
	m.clear()
	m.element, m.edge, m.own, m.side, m.kind, m.shared = f.element, edge, f.own, f.side, f.kind, f.shared
	f.anyShared = f.anyShared || f.shared
	return m
}

// addContact adds the strips in the part [from, to] of the element, which is in contact.
func (c *Contact) addContact(f *finder, p *frames, l int, from, to float64, shared int32) {
	depth, change, start, run := p.deflection[l], p.change[l], p.position[l], p.run[l]
	position, w := f.nodes.position, f.nodes.width
	half, whole := float64(0.5*w), newWholeStrip(w, change, to-from)
	for k := int(from / w); k < len(position) && float64(float64(k)*w) < to; k++ {
		u := position[k]
		lo, hi := u-half, u+half
		h := f.newHit(k, shared)
		h.position, h.depthAt = start+float64(u*run), depth+float64(u*change)
		h.depth, h.depthSlope, h.width = depth, change, w
		if from <= lo && hi <= to {
			h.setWhole(&whole, lo, hi)
		} else {
			h.integrate(max(lo, from), min(hi, to), u, w)
		}
		f.keepHit(h)
	}
}

// wholeStrip has values that are equal for all strips of a pair that are in contact along their
// whole length: the term that integrate adds to the square of the depth, and the moment.
type wholeStrip struct{ square, moment float64 }

// newWholeStrip returns these values for strips of width w. change is the change of depth along the
// element; inContact is the length of its part in contact.
func newWholeStrip(w, change, inContact float64) wholeStrip {
	if inContact < 0.9*w { // no strip is in contact along its whole length
		return wholeStrip{}
	}
	part := float64(change * w)
	return wholeStrip{float64(part*part) / 12, float64(part*w) / 12}
}

// setWhole is integrate for a strip that is in contact along its whole length.
func (h *hit) setWhole(s *wholeStrip, lo, hi float64) {
	h.lo, h.hi, h.covered, h.offset = lo, hi, 1, 0
	h.force, h.moment, h.meanSquare = h.depthAt, s.moment, float64(h.depthAt*h.depthAt)+s.square
}

// keepHit drops the last hit if no part of it is in contact.
func (f *finder) keepHit(h *hit) {
	if !(h.hi-h.lo > minPart && h.meanSquare > 0) {
		f.hits = f.hits[:len(f.hits)-1]
	}
}

// addApproaching adds to the hits the strips of the present element that are predicted for the
// opposite edge of lane l, by their nearer end. The part [from, to] of the element is already in
// contact.
func (c *Contact) addApproaching(f *finder, p *frames, l int, from, to float64, shared int32) {
	set, t := false, &f.target
	k0, k1 := f.nodes.nodesBetween(p.lo[l], p.hi[l])
	for k := k0; k < k1; k++ {
		u, half := f.nodes.position[k], f.nodes.half[k]
		end := float64(half * math.Abs(p.change[l]))
		lo, hi := u-half, u+half
		if from > lo {
			lo = from
		}
		if to < hi {
			hi = to
		}
		if hi-lo > minPart { // in contact
			continue
		}
		if !set {
			p.setTarget(t, l, c.outline, c.x)
			set = true
		}
		t.lookAhead = p.lookAhead[l] + end
		d, position, where := t.project(between(f.a, f.b, u))
		if where != inEdgeRegion || d > 0 {
			continue
		}
		deflection := d + end
		if deflection > 0 {
			deflection = 0
		}
		predicted := 1 + deflection/(predictionSteps*t.approach)
		if !(predicted > 0) {
			continue
		}
		if c.covers {
			predicted = meanPredicted(predicted, 2*end/float64(predictionSteps*t.approach))
		}
		h := f.newHit(k, shared)
		h.deflection, h.position, h.depthAt, h.predicted = deflection, position, d, predicted
		h.stripPart = stripPart{force: 1, covered: 1}
	}
}

// addCornerStrips adds to the hits the parts of strips of the present element in the region of a
// re-entrant start corner.
func (c *Contact) addCornerStrips(f *finder, t *target) {
	n := len(f.nodes.position)
	w := 1 / float64(n)
	if c0, c1 := t.cornerRegion(f.a, f.b); c1-c0 > minPart {
		for k := int(c0 / w); k < n && float64(float64(k)*w) < c1; k++ {
			u := f.nodes.position[k]
			h := hit{node: int32(k), corner: true}
			in := h.integrateCorner(f.a, f.b, t.c, max(c0, u-float64(0.5*w)), min(c1, u+float64(0.5*w)), u, w)
			if h.depthAt > t.depth || !(h.hi-h.lo > minPart && h.meanSquare > 0) {
				continue
			}
			f.cornered, h.opposite = true, int32(len(f.opposites))
			m := f.newOpposite(t.edge)
			m.inward, m.rotation, m.corner = in, rotationGradient(t.c, t.d), true
			f.hits = append(f.hits, h)
		}
	}
}

// integrate sets p to the contribution of the part [lo, hi] of the contact element to the strip of
// width w around u.
func (p *stripPart) integrate(lo, hi, u, w float64) {
	p.lo, p.hi = lo, hi
	length, off := (hi-lo)/w, float64(0.5*(lo+hi))-u
	depth, change := p.depth+float64(p.depthSlope*(u+off)), float64(p.depthSlope*(hi-lo))
	p.covered, p.offset = length, off
	p.meanSquare = (float64(depth*depth) + float64(change*change)/12) * length
	p.force = depth * length
	p.moment = (float64(depth*off) + float64(change*(hi-lo))/12) * length
}

// depthRounding is the greatest relative difference, by rounding, between the depth at the end of a
// strip part and the depth at which it was cut.
const depthRounding = 1e-9

// deepest returns the depth at the deeper end of the strip part [m].
func (h *hit) deepest() float64 {
	if h.corner {
		return h.depthAt
	}
	return max(h.depth+float64(h.depthSlope*h.lo), h.depth+float64(h.depthSlope*h.hi))
}

// shallow tells whether the strip part is nowhere deeper than a limit [m].
func (h *hit) shallow(limit float64) bool {
	if h.corner {
		return h.depthAt <= limit
	}
	return h.depth+float64(h.depthSlope*h.lo) <= limit && h.depth+float64(h.depthSlope*h.hi) <= limit
}

// integrateCorner is integrate in the region of a re-entrant corner at c, where the depth is the
// distance from c. It returns the direction into the opposite body.
func (h *hit) integrateCorner(a, b, c r2.Vec, lo, hi, u, w float64) (in r2.Vec) {
	h.lo, h.hi = lo, hi
	length, off := (hi-lo)/w, float64(0.5*(lo+hi))-u
	e, r := sub(b, a), sub(between(a, b, u+off), c)
	depth := math.Sqrt(elementary.Dot(r, r))
	h.depthAt, h.depth = depth, depth
	h.covered, h.offset = length, off
	h.meanSquare = (float64(depth*depth) + float64(elementary.Dot(e, e)*(hi-lo)*(hi-lo))/12) * length
	h.force = depth * length
	h.moment = depth * length * off
	return r2.Vec{X: r.X / depth, Y: r.Y / depth}
}

// addStripPoints adds the strip parts of a contact node, from hit number n on, to the contact
// points. The part that contains the contact node, or else the nearest part, is the first and
// determines the fraction of the area. It returns true if there are several parts.
func (c *Contact) addStripPoints(f *finder, n int32) bool {
	f.strips = f.strips[:0]
	for ; n > 0; n = f.hits[n-1].next {
		f.strips = append(f.strips, &f.hits[n-1])
	}
	f.resolveOverlaps(c)
	square, depth, presses, covers := 0.0, 0.0, 0.0, 0.0
	var first *hit
	for _, p := range f.strips {
		square += p.meanSquare
		depth += p.force
		covers += p.covered
		if first == nil || p.distanceBeside(f) < first.distanceBeside(f) {
			first = p
		}
	}
	if first == nil {
		return false
	}
	fraction, slope := 1.0, 0.0
	if !f.opposites[first.opposite].shared {
		fraction, slope = c.areaFraction(f, first)
		if c.integrates(f.own) {
			fraction, depth, covers = c.averageParts(f, square)
		}
		if fraction == 0 {
			return false
		}
	}
	c.checkDepth(f, first, first, depth, fraction)
	d := math.Sqrt(square)
	for _, p := range f.strips {
		if p != first {
			c.checkDepth(f, p, first, 0, fraction)
		}
		p.force /= d
		p.moment /= d
		presses += p.force
	}
	t := f.appendContactPoint(c, 0, first, d)
	t.fraction, t.fractionSlope, t.forceSum, t.coveredSum, t.beside = fraction, slope, presses, covers, first.isBeside(f)
	for _, p := range f.strips {
		if p != first {
			t := f.appendContactPoint(c, 0, p, d)
			t.fraction, t.forceSum, t.coveredSum, t.repeated = fraction, presses, covers, true
		}
	}
	return len(f.strips) > 1
}

// averageParts weights the parts of a strip by the fractions of its area that they represent. It
// returns the mean fraction, weighted by each part's share of the sum square, and the sums of
// forces and covered parts. Each part then has the energy and the force that it would have alone.
func (c *Contact) averageParts(f *finder, square float64) (fraction, depth, covers float64) {
	same := true
	for _, p := range f.strips {
		c.areaFraction(f, p)
		same = same && p.weight == f.strips[0].weight
		fraction += float64(p.weight * p.meanSquare)
	}
	if fraction /= square; same {
		fraction = f.strips[0].weight
	}
	if fraction == 0 {
		return 0, 0, 0
	}
	for _, p := range f.strips {
		if !same {
			times := p.weight / fraction
			p.force, p.moment, p.covered = float64(times*p.force), float64(times*p.moment), float64(times*p.covered)
		}
		depth += p.force
		covers += p.covered
	}
	return fraction, depth, covers
}

// sumRates gives every contact point from first on the deflection rate and the slip speed of its
// contact node.
func (t *contactPoints) sumRates(first int) {
	for i := first; i < len(t.nodes); {
		j := i + 1
		for ; j < len(t.nodes) && t.nodes[j].id == t.nodes[i].id; j++ {
			t.rate[i] += t.rate[j]
			t.nodes[i].slip += t.nodes[j].slip
		}
		for k := i + 1; k < j; k++ {
			t.rate[k], t.nodes[k].slip = t.rate[i], t.nodes[i].slip
		}
		i = j
	}
}

// resolveOverlaps assigns every position of a strip to one of its parts. Within a connected
// component that is the part with the nearest edge; among components it is the deepest part.
func (f *finder) resolveOverlaps(c *Contact) {
	for _, same := range []bool{true, false} {
		for i, q := range f.strips {
			for _, p := range f.strips[:i] {
				i, j := f.opposites[p.opposite].edge, f.opposites[q.opposite].edge
				if (c.outline.Edges[i].Component == c.outline.Edges[j].Component) == same {
					f.divide(c, p, q, same)
				}
			}
		}
	}
	left := f.strips[:0]
	for _, p := range f.strips {
		if p.hi-p.lo > minPart {
			left = append(left, p)
		}
	}
	f.strips = left
}

// divide gives the range that p and q both cover to the less deep of the two (if nearest), else to
// the deeper one. It cuts the range where their depths cross.
func (f *finder) divide(c *Contact, p, q *hit, nearest bool) {
	lo, hi := max(p.lo, q.lo), min(p.hi, q.hi)
	if hi-lo <= minPart {
		return
	}
	more := func(s float64) float64 { // how much p is to be preferred to q at s
		d := p.depth - q.depth + float64((p.depthSlope-q.depthSlope)*s)
		if nearest {
			return -d
		}
		return d
	}
	at0, at1 := more(lo), more(hi)
	switch {
	case at0 >= 0 && at1 >= 0:
		f.remove(c, q, lo, hi)
	case at0 <= 0 && at1 <= 0:
		f.remove(c, p, lo, hi)
	default:
		s := lo + float64((hi-lo)*(at0/(at0-at1)))
		if at0 < 0 {
			p, q = q, p
		}
		f.remove(c, q, lo, s)
		f.remove(c, p, s, hi)
	}
}

// remove cuts the range [lo, hi] out of a strip part. If two parts remain, it drops the smaller
// one.
func (f *finder) remove(c *Contact, p *hit, lo, hi float64) {
	if lo-p.lo >= p.hi-hi {
		lo, hi = p.lo, max(p.lo, lo)
	} else {
		lo, hi = min(hi, p.hi), p.hi
	}
	if hi-lo <= minPart {
		p.lo, p.hi = 0, 0
		return
	}
	if p.curve > 0 {
		p.cut(c, f, lo, hi)
		return
	}
	u := f.nodes.position[p.node]
	if p.corner {
		f.opposites[p.opposite].inward = p.integrateCorner(f.a, f.b, c.x[c.outline.Edges[f.opposites[p.opposite].edge].A], lo, hi, u, 2*f.nodes.half[p.node])
		return
	}
	p.integrate(lo, hi, u, p.width)
}
