package contactnodes

import (
	"math"
	"math/bits"
	"slices"

	"fdem/boundingbox"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Sleeping pairs: few candidates of the broad phase (neighbour list) are in contact. If the contact
// element of a candidate is outside the region of the edge by a gap, the candidate is not tested
// again before the two components can have closed the gap. The bound is
//
//	travel(contact element) + weight travel(opposite edge) < gap
//
// Travel is the displacement of a component since then (boundingbox.Travel). The weight is the
// displacement at the contact element of the lines that bound the region of the edge, divided by
// that of the edge's own nodes. In front of the edge the region includes predicted contact points,
// so its depth depends on the speeds of the two components. If a component becomes faster and the
// region deeper, the growth counts as travel, and the component's sleepers are tested at once. So a
// sleeping pair is neither in contact nor predicted: a test of every pair finds the same contact
// points to the last bit.
//
// Sleepers are in a timing wheel. It has one list for each quantum of the travel of the fastest
// component. A sleeper is in the list of the earliest quantum in which it can wake. A step reads
// the lists that are due, and moves sleepers of slower components to a later list.
type sleep struct {
	travel *boundingbox.Travel
	owner  []int32    // per candidate: its contact element
	framed [][2]int32 // per candidate: boundary edge of the contact element and opposite edge; -1 if frames do not handle it
	roles  []role     // per candidate
	awake  []uint64   // a bit per candidate
	up     int        // number of awake candidates in this evaluation
	tests  []uint8    // per candidate: the number of further tests before it may sleep
	pairs  []sleeper  // per candidate

	lookAhead      []float64 // per component: upper bound of its share of the prediction distance in front of an edge [m]
	lookAheadGrown []float64 // total growth of lookAhead [m]
	travelled      []float64 // per component: its travel plus that growth [m]
	growing        []int32   // components whose bound has just grown
	grown          float64   // total of the greatest growths of each evaluation [m]
	of             []int32   // candidates of each component, one component after the other
	firstOf        []int32   // per component: the index of its first candidate in of

	// The wheel.
	quantum    float64        // [m]
	meanTravel float64        // mean travel of the fastest component in a step, smoothed [m]
	due        int64          // quantum of Fastest up to which sleepers are awake
	head       [buckets]int32 // per list: its first sleeper, -1 for none
	next       []int32        // per sleeper: the next in its list, -1 for none; a separate array, for fast reading of lists
}

// sleeper is a candidate that sleeps or may sleep. It is smaller than a cache line.
type sleeper struct {
	wake       float64  // least weighted sum of the travels that may close its gap [m]
	weight     float64  // weight of the second travel
	until      float64  // least Travel.Fastest at which the gap may be closed, apart from growth of lookAhead [m]
	components [2]int32 // of the element and of the edge
	prev       int32    // previous sleeper in its list; -1-b for the first of list b
}

// role is the roles of the two edges of a candidate in the contact.
type role struct {
	side   int8 // result of Contact.side
	shared bool // see Contact.shares
}

const (
	buckets          = 1024
	gapRounding      = 1e-6 // relative to an edge's length: smaller gaps count as 0, so that rounding cannot close a gap
	maxEdgeMotion    = 0.02 // greatest displacement of an edge's ends while a pair sleeps, relative to the shortest edge
	rotationFactor   = 2.2  // arcs rotate by twice their ends' travel divided by their length, plus a little for maxEdgeMotion
	minSleepSteps    = 8    // least duration of a useful sleep, in steps like the last one
	testsBeforeSleep = 32   // number of tests of a pair too near to sleep before its gap is measured again
)

// resetSleep prepares the candidates of a new list. All are awake.
func (c *Contact) resetSleep() {
	s, n := &c.sleep, len(c.candidate)
	s.owner = slices.Grow(s.owner[:0], n)[:n]
	s.pairs, s.next = slices.Grow(s.pairs[:0], n)[:n], slices.Grow(s.next[:0], n)[:n]
	s.framed, s.roles = slices.Grow(s.framed[:0], n)[:n], slices.Grow(s.roles[:0], n)[:n]
	for e, own := range c.elements {
		for i := c.firstCandidate[e]; i < c.firstCandidate[e+1]; i++ {
			s.owner[i], s.framed[i] = int32(e), [2]int32{own, c.candidate[i]}
			s.roles[i] = role{int8(c.side(own, c.candidate[i])), c.shares(own, c.candidate[i])}
			if c.Ends || c.outline.corners[own].arc || c.outline.corners[c.candidate[i]].arc || c.onArcs(own, c.candidate[i]) { // only between straight edges do contact nodes represent strips
				s.framed[i][0] = -1
			}
			s.pairs[i].components = [2]int32{c.outline.Edges[own].Component, c.outline.Edges[c.candidate[i]].Component}
		}
	}
	s.tests = slices.Grow(s.tests[:0], n)[:n]
	clear(s.tests)
	s.awake = slices.Grow(s.awake[:0], (n+63)/64)[:(n+63)/64]
	if s.lookAhead == nil {
		components := len(s.travel.Total)
		s.lookAhead, s.lookAheadGrown, s.travelled = make([]float64, components), make([]float64, components), make([]float64, components)
	}
	clear(s.lookAheadGrown)
	s.index()
	s.updateTravel()
	c.wakeAll()
}

// index lists the candidates of each component.
func (s *sleep) index() {
	s.firstOf = slices.Grow(s.firstOf[:0], len(s.lookAhead)+1)[:len(s.lookAhead)+1]
	clear(s.firstOf)
	for i := range s.pairs {
		p := &s.pairs[i].components
		s.firstOf[p[0]]++
		if p[1] != p[0] {
			s.firstOf[p[1]]++
		}
	}
	total := int32(0)
	for p, n := range s.firstOf { // to the end of each component's candidates
		total += n
		s.firstOf[p] = total
	}
	s.of = slices.Grow(s.of[:0], int(total))[:total]
	put := func(p, i int32) { // and down to their start
		s.firstOf[p]--
		s.of[s.firstOf[p]] = i
	}
	for i := range s.pairs {
		p := &s.pairs[i].components
		put(p[0], int32(i))
		if p[1] != p[0] {
			put(p[1], int32(i))
		}
	}
}

// updateTravel updates the travel of each component.
func (s *sleep) updateTravel() {
	for p, total := range s.travel.Total {
		s.travelled[p] = total + s.lookAheadGrown[p]
	}
}

// updateLookAhead updates the bounds of the prediction distance of each component. ahead is the
// present distance, most its limit [m].
func (s *sleep) updateLookAhead(next *Prediction, ahead, most float64) {
	const more, less = 1.5, 5 // factors that make changes rare
	s.growing = s.growing[:0]
	greatest := 0.0
	for p, v := range s.travel.Speed {
		far := 0.0
		if ahead > 0 { // half of maxApproach of a pair, with the component's own part of the speed
			far = min(ahead, predictionSteps*(float64(2*v*next.Step)+float64(0.025*next.Approach)))
		}
		switch old := s.lookAhead[p]; {
		case far > old:
			s.lookAhead[p] = max(far, min(more*far, most))
			s.lookAheadGrown[p] += s.lookAhead[p] - old
			greatest = max(greatest, s.lookAhead[p]-old)
			s.growing = append(s.growing, int32(p))
		case far < old/less:
			s.lookAhead[p] = more * far
		}
	}
	s.grown += greatest
}

// fastest bounds the growth of travelled since any moment by its own growth [m].
func (s *sleep) fastest() float64 { return s.travel.Fastest + s.grown }

// wakeAll wakes every sleeper.
func (c *Contact) wakeAll() {
	s, n := &c.sleep, len(c.candidate)
	for g := range s.awake {
		s.awake[g] = ^uint64(0) >> max(0, 64*(g+1)-n)
	}
	s.clearWheel()
}

// clearWheel empties the wheel.
func (s *sleep) clearWheel() {
	if s.quantum = s.meanTravel; s.quantum == 0 {
		s.quantum = 1e-12
	}
	s.due = s.now()
	for i := range s.head {
		s.head[i] = -1
	}
}

// now returns the present quantum of the travel of the fastest component.
func (s *sleep) now() int64 { return int64(min(s.travel.Fastest/s.quantum, 1e15)) }

// advanceWheel wakes the sleepers whose gap may be closed. ahead is the prediction distance in
// front of an edge [m].
func (c *Contact) advanceWheel(ahead float64) {
	s := &c.sleep
	s.updateLookAhead(&c.prediction, ahead, c.outline.LookAhead)
	s.updateTravel()
	s.meanTravel += float64(0.1 * (s.travel.FastestLast - s.meanTravel))
	now := s.now()
	from := max(s.due+1, now-buckets+1)
	s.due = now
	for b := from; b <= now; b++ {
		list := s.head[b%buckets]
		s.head[b%buckets] = -1
		for list >= 0 {
			i := list
			list = s.next[i]
			s.reschedule(i)
		}
	}
	if s.meanTravel > 4*s.quantum || 0 < s.meanTravel && s.meanTravel < s.quantum/16 {
		c.rebuildWheel()
	}
	for _, p := range s.growing {
		for _, i := range s.of[s.firstOf[p]:s.firstOf[p+1]] {
			if s.awake[i>>6]>>(i&63)&1 == 0 {
				s.remove(i)
				s.reschedule(i)
			}
		}
	}
}

// reschedule inserts a sleeper that is in no list into the list of its next quantum, or wakes it.
func (s *sleep) reschedule(i int32) {
	p := &s.pairs[i]
	left := p.wake - (s.travelled[p.components[0]] + float64(p.weight*s.travelled[p.components[1]]))
	if p.until = s.travel.Fastest + left/(1+p.weight); !(left > 0) || !s.insert(i) {
		s.awake[i>>6] |= 1 << (i & 63)
	}
}

// remove takes a sleeper out of its list.
func (s *sleep) remove(i int32) {
	next, prev := s.next[i], s.pairs[i].prev
	if next >= 0 {
		s.pairs[next].prev = prev
	}
	if prev >= 0 {
		s.next[prev] = next
	} else {
		s.head[-1-prev] = next
	}
}

// count returns the number of awake candidates.
func (s *sleep) count() int {
	n := 0
	for _, awake := range s.awake {
		n += bits.OnesCount64(awake)
	}
	return n
}

// behind returns the awake candidate that has n awake candidates before it. It returns the number
// of candidates if n is the number of awake ones.
func (s *sleep) behind(n int) int {
	for g, awake := range s.awake {
		if k := bits.OnesCount64(awake); n >= k {
			n -= k
			continue
		}
		for range n {
			awake &= awake - 1
		}
		return 64*g + bits.TrailingZeros64(awake)
	}
	return len(s.pairs)
}

// insert inserts a sleeper into the wheel. It returns false if the sleeper is due in this quantum.
func (s *sleep) insert(i int32) bool {
	p := &s.pairs[i]
	b := int64(min(p.until/s.quantum, 1e15))
	if b <= s.due {
		return false
	}
	b = min(b, s.due+buckets-1) % buckets
	next := s.head[b]
	if next >= 0 {
		s.pairs[next].prev = i
	}
	s.next[i], p.prev = next, int32(-1-b)
	s.head[b] = i
	return true
}

// rebuildWheel inserts all sleepers into a wheel with a new quantum.
func (c *Contact) rebuildWheel() {
	s := &c.sleep
	s.clearWheel()
	for g, awake := range s.awake {
		for asleep := ^awake & (^uint64(0) >> max(0, 64*(g+1)-len(c.candidate))); asleep != 0; asleep &= asleep - 1 {
			if i := int32(64*g + bits.TrailingZeros64(asleep)); !s.insert(i) {
				s.awake[g] |= 1 << (i & 63)
			}
		}
	}
}

// least returns the smallest gap with which edges of two components may sleep [m]. With a smaller gap,
// waking costs more than testing.
func (s *sleep) least(p [2]int32, weight float64) float64 {
	return minSleepSteps * (s.travel.Last[p[0]] + float64(weight*s.travel.Last[p[1]]))
}

// worthwhile tells whether candidate i should sleep with a gap.
func (s *sleep) worthwhile(i int32, gap, weight float64) bool {
	return gap > s.least(s.pairs[i].components, weight)
}

// fallAsleep lets candidate i sleep with a gap, once all workers have finished their search. It
// tells whether it will sleep.
func (f *finder) fallAsleep(s *sleep, i int32, gap, weight float64) bool {
	if !s.worthwhile(i, gap, weight) {
		return false
	}
	p := &s.pairs[i]
	p.wake = s.travelled[p.components[0]] + float64(weight*s.travelled[p.components[1]]) + gap
	p.weight = weight
	p.until = s.travel.Fastest + gap/(1+weight)
	f.fallenAsleep = append(f.fallenAsleep, i)
	return true
}

// putToSleep puts the candidates to sleep whose gaps a worker has found large enough.
func (s *sleep) putToSleep(sleepers []int32) {
	for _, i := range sleepers {
		if s.insert(i) {
			s.awake[i>>6] &^= 1 << (i & 63)
		}
	}
}

// lookAheadOf returns the distance in front of an edge up to which sleepers of two components must not
// miss anything [m].
func (c *Contact) lookAheadOf(p [2]int32) float64 {
	return min(c.sleep.lookAhead[p[0]]+c.sleep.lookAhead[p[1]], c.outline.LookAhead)
}

// gapOfSegment returns a lower bound of the distance of a segment from a to b from the target's region [m]. It is
// exact from least on, and bounded by what the edge, the shortest one beside it and the weight of their motion
// allow while a pair sleeps.
func (t *target) gapOfSegment(a, b r2.Vec, queryRange, least, shortest, weight float64) float64 {
	rounding, most := float64(gapRounding*t.length), float64(maxEdgeMotion*shortest*weight)
	return t.segmentOutside(a, b, queryRange, rounding+float64(1.01*least), most+rounding) - rounding
}

// gapByLines returns a lower bound of the distance between the contact element from a to b and the
// region of the edge of candidate n, by one of four lines; at most 0 for no gap. bulge is the
// height of the element's arc [m].
func (c *Contact) gapByLines(n int32, a, b r2.Vec, bulge float64, x []r2.Vec) (gap, weight float64) {
	return c.outline.gapByLines(c.candidate[n], a, b, bulge+math.Abs(c.arc(c.candidate[n]).Height), c.lookAheadOf(c.sleep.pairs[n].components), x)
}

// gapByLines returns a lower bound of the distance of a segment from a to b from the region of edge
// i, extended by queryRange [m]. bulge is the height of the segment's arc [m]. The bound is the
// distance from one of four lines: in front of the region, below it, and beyond its two ends; at
// most 0 for no gap. The weight is the displacement of that line divided by that of the edge's
// nodes.
func (o *Outline) gapByLines(i int32, a, b r2.Vec, bulge, queryRange float64, x []r2.Vec) (gap, weight float64) {
	e := &o.Edges[i]
	p := x[e.A]
	along := sub(x[e.B], p)
	ra, rb := sub(a, p), sub(b, p)
	l2 := elementary.Dot(along, along)
	length := math.Sqrt(l2)
	per := 1 / length
	low, high := o.deflectionRange(i, length)
	shortest := length
	if e.Radius == 0 && e.Prev >= 0 {
		before := sub(p, x[o.Edges[e.Prev].A])
		b2 := elementary.Dot(before, before)
		if b2 < l2 {
			shortest = math.Sqrt(b2)
		}
		if isSharp(elementary.Cross(before, along), elementary.Dot(before, along), b2*l2) {
			low = -high
		}
	}
	low -= queryRange
	beyond := o.Depth[i] + queryRange
	da, db := float64(elementary.Cross(along, ra)*per), float64(elementary.Cross(along, rb)*per)
	sa, sb := float64(elementary.Dot(along, ra)*per), float64(elementary.Dot(along, rb)*per)
	off, start, end := max(da, -da, db, -db)+bulge, min(sa, sb)-bulge, max(sa, sb)+bulge
	gap, weight = max(low-max(da, db), min(da, db)-high), acrossWeight(off, start, end, length)
	beside := max(-end, start-length) + bulge - beyond
	if beside > gap && queryRange > 0 && o.hasSharpCorner(i, x) {
		beside -= o.LookAhead - queryRange
	}
	if beside > gap {
		gap, weight = beside, alongWeight(off, max(-start, end), length)
	}
	return min(gap-bulge-float64(gapRounding*length), float64(maxEdgeMotion*shortest*weight)), weight
}

// hasSharpCorner tells whether a corner of the straight edge i is so acute, or may become so while
// a pair sleeps, that points within the query range in front of the edge may lie beyond its end by
// more than Depth plus that range. Such points are on the edge's side of the bisector of the
// corner, and are found up to Depth plus LookAhead. LookAhead is at most lookAheadShare of Depth,
// so this cannot happen if the corner turns by less than 154 degrees.
func (o *Outline) hasSharpCorner(i int32, x []r2.Vec) bool {
	e := &o.Edges[i]
	along := sub(x[e.B], x[e.A])
	thin := func(before, after r2.Vec) bool {
		dot := elementary.Dot(before, after)
		return dot < 0 && float64(dot*dot) > sharpCosine2*elementary.Dot(before, before)*elementary.Dot(after, after)
	}
	return e.Prev >= 0 && thin(sub(x[e.A], x[o.Edges[e.Prev].A]), along) || e.Next >= 0 && thin(along, sub(x[o.Edges[e.Next].B], x[e.B]))
}

// sharpCosine2 is the squared cosine of the turn of a corner beyond which it may be sharp, minus
// 4.6 degrees by which two edges may rotate while a pair sleeps.
const sharpCosine2 = 0.74

// If the ends of an edge of a given length [m] move by at most 1, the edge rotates by at most 2
// divided by its length. A point at a distance off from its line, between start and end along it
// [m], then approaches the line, or the normal to it through one of its ends, by at most the
// following weights. They are the displacement of the line at that position plus the effect of the
// rotation on off. Effects of second order go the other way; while pairs sleep edges rotate by at
// most 0.0401 (maxEdgeMotion).
const (
	turnWeight   = 2.05
	secondWeight = 0.05
)

// acrossWeight returns the greatest approach to the line of an edge.
func acrossWeight(off, start, end, length float64) float64 {
	return 1 + float64(2*max(0, -start, end-length)+float64(secondWeight*off))/length
}

// alongWeight returns the greatest approach to the normal of the edge through an end, at a distance
// of at most far along the edge [m].
func alongWeight(off, far, length float64) float64 {
	return 1 + (float64(turnWeight*off)+float64(secondWeight*far))/length
}

// motionWeight returns the displacement of the lines that bound the target's region, at a segment
// from a to b, divided by that of the nodes of the target and its neighbours. bulge is the height
// of the segment's arc [m], and shortest the length of the shortest of these edges. neighbours must
// have been called.
func (t *target) motionWeight(a, b r2.Vec, bulge, shortest float64) float64 {
	if t.radius != 0 {
		far := math.Sqrt(max(square(sub(a, t.c)), square(sub(b, t.c)))) + bulge
		return 1 + rotationFactor*(far+t.length+math.Abs(t.radius))/shortest
	}
	// distances of a and b from a line through p, and their positions along it
	seen := func(p, along r2.Vec) (off, start, end float64) {
		ra, rb := sub(a, p), sub(b, p)
		da, db := elementary.Cross(along, ra), elementary.Cross(along, rb)
		sa, sb := elementary.Dot(along, ra), elementary.Dot(along, rb)
		return max(da, -da, db, -db) + bulge, min(sa, sb) - bulge, max(sa, sb) + bulge
	}
	off, start, end := seen(t.c, t.along)
	weight := max(acrossWeight(off, start, end, t.length), alongWeight(off, max(-start, end, t.length-start, end-t.length), t.length))
	off, start, end = seen(t.c, t.start.before)
	weight = max(weight, alongWeight(off, max(-start, end), shortest))
	off, start, end = seen(t.d, t.after)
	return max(weight, alongWeight(off, max(-start, end), shortest))
}

// gapByNodes returns a lower bound of the distance of the nearest contact node of an element from a
// to b from the target's region; 0 if it is not enough for candidate i to sleep.
func (c *Contact) gapByNodes(t *target, i int32, nodes *layout, a, b r2.Vec, x []r2.Vec) (gap, weight float64) {
	shortest := t.neighbours(c.outline, x)
	weight = t.motionWeight(a, b, nodes.sagitta, shortest)
	of := c.sleep.pairs[i].components
	rounding, queryRange := float64(gapRounding*t.length), c.lookAheadOf(of)+math.Abs(t.height)
	if nodes.strips && nodes.height == nil && t.radius == 0 { // strips fill the element
		return t.gapOfSegment(a, b, queryRange, c.sleep.least(of, weight), shortest, weight), weight
	}
	if nodes.hats == nil { // distance from the contact nodes to the ends of their strips
		rounding += float64(0.5 * nodes.amplification * distance(a, b) / float64(len(nodes.position)))
	}
	gap = math.Inf(1)
	for k := range nodes.position {
		q, _ := nodes.point(a, b, k)
		if g := t.distanceOutside(q, queryRange); g < gap {
			if gap = g; !c.sleep.worthwhile(i, gap-rounding, weight) {
				return 0, weight
			}
		}
	}
	return min(gap-rounding, float64(maxEdgeMotion*shortest*weight)), weight
}
