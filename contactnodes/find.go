package contactnodes

import (
	"math"
	"math/bits"
	"slices"

	"fdem/boundingbox"
	"fdem/contactnodes/coulomb"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// listCandidates takes a new list from the broad phase, for the positions x. It sorts the pairs by
// contact element and drops those that cannot be in contact before there is another list.
func (c *Contact) listCandidates(pairs *boundingbox.Pairs, x []r2.Vec) {
	c.sleep.travel = pairs.Travel
	if pairs.Build == c.build && (c.faces == nil || len(c.faces.halves) == 0 || c.outline.Transfer == nil) {
		return
	}
	c.build = pairs.Build
	clear(c.firstCandidate)
	moved := 2 * pairs.Slack // greatest displacement of a node from x: the list may be as old as Slack
	each := func(visit func(element, edge int32)) {
		for _, p := range pairs.List {
			if c.byPairs(p.I, p.J) || c.byFaces(p.I, p.J) {
				continue
			}
			if c.mayTouch(p.I, p.J) && !c.remainsSeparated(p.I, p.J, x, moved) {
				visit(c.elementOf[p.I], p.J)
			}
			if c.mayTouch(p.J, p.I) && !c.remainsSeparated(p.J, p.I, x, moved) {
				visit(c.elementOf[p.J], p.I)
			}
		}
	}
	each(func(e, _ int32) { c.firstCandidate[e+1]++ })
	for e := range c.elements {
		c.firstCandidate[e+1] += c.firstCandidate[e]
	}
	total := int(c.firstCandidate[len(c.elements)])
	c.candidate = slices.Grow(c.candidate[:0], total)[:total]
	c.nextCandidate = append(c.nextCandidate[:0], c.firstCandidate...)
	each(func(e, edge int32) {
		c.candidate[c.nextCandidate[e]] = edge
		c.nextCandidate[e]++
	})
	for e := range c.elements {
		slices.Sort(c.candidate[c.firstCandidate[e]:c.firstCandidate[e+1]])
	}
	c.resetSleep()
	c.listPairs(pairs, x, moved)
}

// mayTouch tells whether contact nodes on edge i may be in contact with edge j in this contact.
func (c *Contact) mayTouch(i, j int32) bool {
	if !(c.isContactor[i] && c.isOpposite[j]) && !(c.TwoSided && c.isOpposite[i] && c.isContactor[j]) {
		return false
	}
	if c.MaterialPair != nil && (c.Material[i] != c.MaterialPair[0] || c.Material[j] != c.MaterialPair[1]) && (c.Material[i] != c.MaterialPair[1] || c.Material[j] != c.MaterialPair[0]) {
		return false
	}
	if c.twoPass(i, j) && !c.byPairs(i, j) && !c.byFaces(i, j) && c.carriesNoLoad(i, j) {
		return false
	}
	if kept, _ := c.outline.remaining(i, j); kept == 0 {
		return false
	}
	same := c.outline.Edges[i].Component == c.outline.Edges[j].Component
	if same && (!c.Self || c.neighbours(i, j)) {
		return false
	}
	if AreApart(c.Apart, c.outline.Edges[i].Body, c.outline.Edges[j].Body) {
		return false
	}
	for k := range c.Elsewhere {
		if c.Elsewhere[k].Has(i, j, same) {
			return false
		}
	}
	return true
}

// twoPass tells whether edges i and j both have contact nodes against each other.
func (c *Contact) twoPass(i, j int32) bool { return c.TwoSided || c.isOpposite[i] && c.isContactor[j] }

// areaFraction returns the fraction of its area that the contact node of a hit represents, and the
// change of that fraction along the opposite edge [1/m]. It is computed once for each hit.
func (c *Contact) areaFraction(f *finder, h *hit) (part, slope float64) {
	if !h.averaged {
		h.weight, h.weightSlope = c.findAreaFraction(f, h)
		h.averaged = true
	}
	return h.weight, h.weightSlope
}

// findAreaFraction computes areaFraction. If both sides have contact nodes, the side with smaller
// edges carries more, see twoPassWeight. Area that has been transferred carries nothing, see
// Transfer.
func (c *Contact) findAreaFraction(f *finder, h *hit) (part, slope float64) {
	i, nodes, k, j, t := f.own, f.nodes, h.node, f.opposites[h.opposite].edge, h.position
	part = 1
	if c.twoPass(i, j) {
		own := c.outline.sizes[i].sizeAt(nodes.towardsEnd[k])
		position := within(t)
		other, change := c.outline.sizes[j].size(position)
		if position != t {
			change = 0
		}
		part, slope = twoPassWeight(own, other, change)
	}
	if c.outline.Transfer != nil {
		kept, _ := c.outline.remaining(i, j)
		part *= kept
		slope *= kept
	}
	if c.Width != nil {
		narrower := min(1, c.Width[j]/c.Width[i])
		part *= narrower
		slope *= narrower
	}
	if nodes.hats != nil {
		part *= nodes.hats[k].area
		slope *= nodes.hats[k].area
	}
	return part, slope
}

// selfContactDepths is a thickness of the solid between two edges of one component, relative to
// Depth. Up to this thickness they cannot come into contact, because an element would have to be
// inverted.
const selfContactDepths = 3

// neighbourPositions is the number of positions on an edge that neighbours checks.
const neighbourPositions = 20

// neighbours tells whether edge i lies in the region of edge j from the start, around a corner or
// on the other side of a thin part.
func (c *Contact) neighbours(i, j int32) bool {
	e := &c.outline.Edges[i]
	var t target
	t.setEdge(c.outline, j, c.start)
	t.depth *= selfContactDepths
	for k := range neighbourPositions {
		if t.pointAt(between(c.start[e.A], c.start[e.B], (float64(k)+0.5)/neighbourPositions)).deflection > 0 {
			return true
		}
	}
	return false
}

// find fills points with the contact points at x, in the order of contact elements and contact
// nodes. It fills approaching with predicted contact points whose distance is at most ahead [m]. If
// v is nil, they have no rates and slips.
func (c *Contact) find(x, v []r2.Vec, ahead float64) error {
	c.x, c.v, c.lookAhead = x, v, ahead
	c.setQuery()
	c.advanceWheel(ahead)
	c.points.clear()
	c.approaching.clear()
	c.sleep.up = c.sleep.count()
	n := c.spread(len(c.finders), c.sleep.up, minParallelPairs, c.doFind)
	for i := range c.finders[:n] {
		f := &c.finders[i]
		if f.err != nil {
			c.points.clear() // incomplete: they have no indices in the state yet
			c.approaching.clear()
			return f.err
		}
		c.sleep.putToSleep(f.fallenAsleep)
		if i > 0 {
			f.at = [2]contactPointsAt{c.points.extend(f.points), c.approaching.extend(f.approaching)}
		}
	}
	if n > 1 {
		c.shared.Do(n, true, c.doJoin)
	}
	return nil
}

// joinChunk copies the contact points of chunk i to those of the contact.
func (c *Contact) joinChunk(i int) {
	if f := &c.finders[i]; i > 0 {
		c.points.put(f.at[0], f.points)
		c.approaching.put(f.at[1], f.approaching)
	}
}

// batch is the number of candidates that are tested together.
const batch = 64

// finder has the data of a chunk of find: the contact points of consecutive contact elements.
type finder struct {
	points       *contactPoints // for the first chunk those of the contact
	approaching  *contactPoints
	at           [2]contactPointsAt // where joinChunk copies them to
	fallenAsleep []int32            // candidates that start to sleep
	err          error

	awake  [batch]int32          // awake candidates that are tested together
	frames [batch / lanes]frames // frames of the candidates with straight edges

	// Data of the present contact element.
	element, own int32
	a, b         r2.Vec   // its ends
	nodes        *layout  // its contact nodes
	kind         pairKind // of its pairs with straight edges
	side         float64  // of the present pair, with the next one
	shared       bool
	opposites    []edgePair // its opposite edges in contact, or predicted
	hits         []hit      // their hits, edge after edge
	curves       []arcStrip // the strips of hits on arcs
	edges        int        // number of opposite edges
	last         [2]int32   // opposites of the last edge pair in contact and of the last predicted one; -1 for none
	target       target     // the present opposite edge, if it is in no frame
	frame        *frames    // frame of the present pair, nil for none
	lane         int        // lane of that frame

	// Per contact node of an element with several opposite edges: its hits, numbered from 1, 0 for
	// none.
	pointOf    []int32 // its first hit in contact; others follow
	approachOf []int32 // the predicted hit with the edge that it may reach first
	strips     []*hit  // hits of one contact node
	cornered   bool    // a part of the element is in the region of a re-entrant corner
	several    bool    // some contact node is in contact with several parts, since the last finishPairs
	anyShared  bool    // some pair is shared, see shareAreas
	finished   [2]int  // numbers of pairs of points and of approaching that finishPairs has finished

	speeds coulomb.Speeds // greatest speeds of friction
}

// hit is a contact node of the present element in the region of an edge, or in front of it.
type hit struct {
	node, opposite    int32
	next              int32   // next hit in contact of the same contact node, numbered from 1, 0 for none
	corner            bool    // in the region of a re-entrant corner
	deflection        float64 // [m]; at most 0 for a predicted contact point
	position, depthAt float64 // as in node
	predicted         float64
	stripPart
	averaged            bool    // weight and weightSlope have been found
	curve               int32   // number of its arc strip, from 1; 0 for none
	weight, weightSlope float64 // fraction of the contact node's area that it represents [-], and the change of this along the opposite edge [1/m]
}

func newFinder(nodes int) finder {
	return finder{points: &contactPoints{}, approaching: &contactPoints{}, pointOf: make([]int32, nodes), approachOf: make([]int32, nodes)}
}

// findChunk is chunk i of find: it tests the candidates that are awake.
func (c *Contact) findChunk(i int) {
	f := &c.finders[i]
	f.points.clear()
	f.approaching.clear()
	f.fallenAsleep, f.err, f.element, f.edges, f.several = f.fallenAsleep[:0], nil, -1, 0, false
	f.anyShared, f.finished = false, [2]int{}
	lo, hi := c.shared.Share(i, c.sleep.up)
	lo, hi = c.elementStart(c.sleep.behind(lo)), c.elementStart(c.sleep.behind(hi))
	count := 0
	for g := lo >> 6; g<<6 < hi; g++ {
		awake := c.sleep.awake[g]
		if g<<6 < lo {
			awake &= ^uint64(0) << (lo & 63)
		}
		awake &= ^uint64(0) >> max(0, 64*(g+1)-hi)
		for ; awake != 0; awake &= awake - 1 {
			f.awake[count] = int32(64*g + bits.TrailingZeros64(awake))
			if count++; count < batch {
				continue
			}
			if c.testBatch(f, count); f.err != nil {
				return
			}
			c.finishPairs(f)
			count = 0
		}
	}
	if c.testBatch(f, count); f.err == nil {
		c.finishElement(f)
		c.finishPairs(f)
	}
}

// testBatch tests the first count candidates in f.awake.
func (c *Contact) testBatch(f *finder, count int) {
	framed, in := uint(0), uint64(0) // bits of the candidates that have a lane in frames
	for i, n := range f.awake[:count] {
		if edges := c.sleep.framed[n]; edges[0] >= 0 {
			p := &f.frames[framed/lanes%uint(len(f.frames))]
			p.own[framed%lanes], p.edge[framed%lanes] = edges[0], edges[1]
			framed++
			in |= 1 << i
		}
	}
	fours := (framed + lanes - 1) / lanes
	if fours > 0 {
		f.frames[fours-1].fill(int(framed-1) % lanes)
		c.kernel.frames(c, f.frames[:fours])
	}
	framed = 0
	for i, n := range f.awake[:count] {
		f.frame = nil
		if in>>i&1 != 0 {
			p, l := &f.frames[framed/lanes%uint(len(f.frames))], framed%lanes
			framed++
			if tests := &c.sleep.tests[n]; *tests > 1 && p.missed[l] != 0 {
				*tests--
				continue
			}
			f.frame, f.lane = p, int(l)
		}
		if e := c.sleep.owner[n]; e != f.element {
			if c.finishElement(f); f.err != nil {
				return
			}
			f.startElement(c, e)
		}
		c.testCandidate(f, n)
	}
}

// elementStart returns the first candidate of the contact element that has candidate i.
func (c *Contact) elementStart(i int) int {
	if i >= len(c.candidate) {
		return len(c.candidate)
	}
	return int(c.firstCandidate[c.sleep.owner[i]])
}

// startElement makes a contact element the current one.
func (f *finder) startElement(c *Contact, element int32) {
	own := c.elements[element]
	edge := &c.outline.Edges[own]
	f.element, f.own, f.a, f.b, f.nodes = element, own, c.x[edge.A], c.x[edge.B], &c.layouts[c.layoutOf[element]]
	f.opposites, f.hits, f.curves, f.edges, f.last = f.opposites[:0], f.hits[:0], f.curves[:0], 0, [2]int32{-1, -1}
	f.cornered, f.kind = false, c.kindOf(element, f.nodes)
}

// kindOf returns the kind of pairs of a contact element with straight edges.
func (c *Contact) kindOf(element int32, nodes *layout) pairKind {
	if nodes.height != nil || nodes.hats != nil && c.cubic[element] {
		return curved
	}
	return straight
}

// testCandidate adds to hits the contact nodes of the present element in contact with the edge of
// candidate n, and the predicted ones. The candidate starts to sleep if the edge is far away.
func (c *Contact) testCandidate(f *finder, n int32) {
	i, tests, nodes := c.candidate[n], &c.sleep.tests[n], f.nodes
	f.side, f.shared = float64(c.sleep.roles[n].side), c.sleep.roles[n].shared && c.outline.Transfer == nil
	a, b := f.a, f.b
	if *tests == 0 {
		if gap, weight := c.gapByLines(n, a, b, nodes.sagitta, c.x); gap > 0 && f.fallAsleep(&c.sleep, n, gap/nodes.amplification, weight/nodes.amplification) {
			return
		}
	}
	t, before := &f.target, len(f.hits)
	if p := f.frame; p == nil {
		c.setTarget(t, i, c.x)
		c.setLookAhead(t, &c.outline.Edges[f.own])
		if f.isArcStrip(t) {
			c.addArcStrips(f, t)
		} else {
			c.addHits(f, t)
		}
	} else if !p.misses(f.lane) {
		c.addStrips(f, p, f.lane&(lanes-1))
	}
	if len(f.hits) > before {
		*tests = 1
		f.edges++
		return
	}
	if *tests > 1 {
		*tests--
		return
	}
	*tests = testsBeforeSleep
	c.setTarget(t, i, c.x)
	if gap, weight := c.gapByNodes(t, n, nodes, a, b, c.x); gap > 0 && f.fallAsleep(&c.sleep, n, gap/nodes.amplification, weight/nodes.amplification) {
		*tests = 0
	}
}

// addHits adds to hits the contact nodes of the present element that are in the target's region or
// in front of it.
func (c *Contact) addHits(f *finder, t *target) {
	nodes := f.nodes
	lo, hi := 0.0, 1.0
	if nodes.height == nil {
		if t.radius < 0 && t.remainsInside(f.a, f.b) {
			return
		}
		lo, hi = t.clipElement(f.a, f.b, c.lookAhead)
	}
	k0, k1 := nodes.nodesBetween(lo, hi)
	least, most := 0.0, math.Inf(1)
	if t.radius != 0 {
		least, most = t.ring()
	}
	shared := int32(-1)                             // opposite edge of those under the edge
	hats := nodes.hats != nil && c.cubic[f.element] // the resultant of the pressure is not at the position of its contact node
	arcs := t.radius == 0 && c.onArcs(f.own, t.edge)
	for k := k0; k < k1; k++ {
		q := between(f.a, f.b, nodes.position[k])
		if nodes.height != nil {
			q, _ = nodes.point(f.a, f.b, k)
		}
		own := t.radius != 0
		if own {
			if away := square(sub(q, t.centre)); away < least || away > most {
				continue
			}
		}
		h := hit{node: int32(k)}
		if !own {
			d, position, where := t.project(q)
			if where == outsideRegion {
				continue
			}
			h.deflection, h.position, h.depthAt, own = d, position, d, where == maybeCornerRegion
		}
		if own {
			at := t.pointAt(q)
			if at.inward == (r2.Vec{}) {
				continue
			}
			h.deflection, h.position, h.depthAt = at.deflection, at.position, at.depthAt
			m := f.newOpposite(t.edge)
			m.inward, m.rotation, m.corner = at.inward, at.rotation, t.radius == 0
			h.opposite = int32(len(f.opposites) - 1)
		} else if arcs {
			h.opposite = f.addOpposite(t, false)
			t.raise(&f.opposites[h.opposite], &h, q)
		} else {
			if shared < 0 {
				shared = f.addOpposite(t, hats)
			}
			h.opposite = shared
		}
		if !(h.deflection > 0) {
			if h.predicted = 1 + h.deflection/(predictionSteps*t.approach); !(h.predicted > 0) {
				continue
			}
		}
		h.setPoint(nodes, h.deflection)
		if hats && !own && h.predicted == 0 {
			h.moment = h.force * (nodes.hats[k].centroid - nodes.position[k])
		}
		f.hits = append(f.hits, h)
	}
}

// addOpposite adds the pair of the present element and the target, for all contact nodes under it.
// It returns the pair's number.
func (f *finder) addOpposite(t *target, hats bool) int32 {
	m := f.newOpposite(t.edge)
	m.inward, m.rotation = r2.Vec{X: -t.along.Y, Y: t.along.X}, rotationGradient(t.c, t.d)
	if hats {
		chord := sub(f.b, f.a)
		m.positionSlope, m.depthSlope = elementary.Dot(t.along, chord)/t.length, elementary.Cross(t.along, chord)
	}
	return int32(len(f.opposites) - 1)
}

// finishElement finishes a contact element. Each contact node gets the contact point with the
// nearest edge of the body in which it is deepest. If it is not in contact, it gets the predicted
// contact point with the shortest step.
func (c *Contact) finishElement(f *finder) {
	if f.edges == 0 {
		return
	}
	if f.edges == 1 && !f.cornered {
		for i := range f.hits {
			c.addContactPoint(f, &f.hits[i])
		}
	} else {
		first, end := f.chooseHits()
		approachOf := f.approachOf[first:end]
		for k, n := range f.pointOf[first:end] {
			switch {
			case n == 0:
				if n = approachOf[k]; n > 0 {
					c.addContactPoint(f, &f.hits[n-1])
				}
			case f.hits[n-1].next == 0:
				c.addContactPoint(f, &f.hits[n-1])
			default:
				f.several = c.addStripPoints(f, n) || f.several
			}
		}
	}
}

// finishPairs finds the areas, rates and slips of the contact points that a worker has found since
// the last call. It is called while their data are in the cache.
func (c *Contact) finishPairs(f *finder) {
	for i, t := range [...]*contactPoints{f.points, f.approaching} {
		pairs := t.pairs[f.finished[i]:]
		f.finished[i] = len(t.pairs)
		if f.anyShared {
			c.shareAreas(t, pairs)
		}
		t.growRates()
		if c.v != nil {
			c.findRates(f, t, pairs)
		}
		if f.several && i == 0 && c.v != nil && len(pairs) > 0 {
			t.sumRates(int(pairs[0].first))
		}
	}
	f.several = false
}

// chooseHits fills pointOf and approachOf from the hits. It returns the range [first, end) of
// contact nodes that have any.
func (f *finder) chooseHits() (first, end int32) {
	clear(f.pointOf)
	clear(f.approachOf)
	first = int32(len(f.pointOf))
	for i := range f.hits {
		h := &f.hits[i]
		n := int32(i + 1)
		first, end = min(first, h.node), max(end, h.node+1)
		if h.predicted > 0 {
			if old := f.approachOf[h.node]; old == 0 || h.predicted > f.hits[old-1].predicted {
				f.approachOf[h.node] = n
			}
			continue
		}
		at := &f.pointOf[h.node]
		for *at > 0 {
			at = &f.hits[*at-1].next
		}
		*at = n
	}
	return min(first, end), end
}

// addContactPoint adds a hit to the contact points or to the predicted ones, if its contact node
// represents any area.
func (c *Contact) addContactPoint(f *finder, h *hit) {
	fraction, slope := 1.0, 0.0
	if !f.opposites[h.opposite].shared {
		if fraction, slope = c.areaFraction(f, h); fraction == 0 {
			return
		}
	}
	if h.predicted > 0 {
		n := f.appendContactPoint(c, 1, h, h.deflection)
		n.fraction, n.fractionSlope, n.forceSum, n.coveredSum = fraction, slope, 1, 1
		return
	}
	c.checkDepth(f, h, h, h.force, fraction)
	d := math.Sqrt(h.meanSquare)
	h.force /= d
	h.moment /= d
	n := f.appendContactPoint(c, 0, h, d)
	n.fraction, n.fractionSlope, n.forceSum, n.coveredSum, n.beside = fraction, slope, h.force, h.covered, h.isBeside(f)
}

// shareAreas finds the fraction of its area that each contact point of the shared among some pairs
// represents, with the same result as findAreaFraction, in its own loop.
func (c *Contact) shareAreas(t *contactPoints, pairs []edgePair) {
	for ; len(pairs) > 0; pairs = pairs[1:] {
		if pairs = pairs[c.kernel.share(c, t, pairs):]; len(pairs) == 0 {
			return
		}
		c.sharePair(t, &pairs[0])
	}
}

// sharePair is shareAreas for one pair.
func (c *Contact) sharePair(t *contactPoints, m *edgePair) {
	own, other, base := &c.outline.sizes[m.own], &c.outline.sizes[m.edge], m.element*int32(c.Nodes)
	towardsEnd := c.layouts[c.layoutOf[m.element]].towardsEnd
	for i := m.first; i < m.end; i++ {
		n := &t.nodes[i]
		switch {
		case n.repeated:
			n.fraction = t.nodes[i-1].fraction
		case m.shared:
			position := within(n.position)
			size, change := other.size(position)
			if position != n.position {
				change = 0
			}
			n.fraction, n.fractionSlope = twoPassWeight(own.sizeAt(towardsEnd[n.id-base]), size, change)
		}
	}
}

// appendContactPoint appends a hit, with its position, to the contact points (to = 0) or to the
// predicted ones (to = 1). It returns the new node for the rest of its values.
func (f *finder) appendContactPoint(c *Contact, to int, h *hit, deflection float64) *node {
	list := f.points
	if to == 1 {
		list = f.approaching
	}
	at := len(list.nodes)
	if f.last[to] != h.opposite {
		f.last[to] = h.opposite
		if len(list.pairs) == cap(list.pairs) {
			list.pairs = slices.Grow(list.pairs, 1)
		}
		list.pairs = list.pairs[:len(list.pairs)+1]
		m := &list.pairs[len(list.pairs)-1]
		m.set(&f.opposites[h.opposite])
		m.first, m.end = int32(at), int32(at)
	}
	list.pairs[len(list.pairs)-1].end++
	list.d = append(list.d, deflection)
	if at == cap(list.nodes) {
		list.nodes = slices.Grow(list.nodes, 1)
	}
	list.nodes = list.nodes[:at+1]
	n := &list.nodes[at]
	n.id, n.slot, n.position, n.depthAt, n.fractionSlope, n.slip = f.element*int32(c.Nodes)+h.node, noSlot, h.position, h.depthAt, 0, 0
	n.force, n.moment, n.covered, n.offset, n.beside, n.repeated, n.predicted = h.force, h.moment, h.covered, h.offset, false, false, h.predicted
	return n
}
