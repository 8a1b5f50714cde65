package contactnodes

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"fdem/boundingbox"
	"fdem/materials/contact"

	"gonum.org/v1/gonum/spatial/r2"
)

// adopt takes over a new list of the broad phase: it sorts the pairs by contact
// element, and drops those that cannot touch, with the nodes now at x, before there
// is another list.
func (c *Contact) adopt(pairs *boundingbox.Pairs, x []r2.Vec) {
	c.sleep.ways = pairs.Ways
	if pairs.Build == c.build {
		return
	}
	c.build = pairs.Build
	clear(c.first)
	moved := 2 * pairs.Slack // a node's way from x at most: the list may be as old as Slack
	each := func(visit func(element, edge int32)) {
		for _, p := range pairs.List {
			if c.meets(p.I, p.J) && !c.outline.apart(p.I, p.J, x, moved) {
				visit(c.element[p.I], p.J)
			}
			if c.meets(p.J, p.I) && !c.outline.apart(p.J, p.I, x, moved) {
				visit(c.element[p.J], p.I)
			}
		}
	}
	each(func(e, _ int32) { c.first[e+1]++ })
	for e := range c.elements {
		c.first[e+1] += c.first[e]
	}
	total := int(c.first[len(c.elements)])
	c.candidate = slices.Grow(c.candidate[:0], total)[:total]
	c.fill = append(c.fill[:0], c.first...)
	each(func(e, edge int32) {
		c.candidate[c.fill[e]] = edge
		c.fill[e]++
	})
	for e := range c.elements {
		slices.Sort(c.candidate[c.first[e]:c.first[e+1]])
	}
	c.rouse()
}

// meets tells whether contact nodes on edge i may touch edge j.
func (c *Contact) meets(i, j int32) bool {
	if !(c.a[i] && c.b[j]) && !(c.TwoSided && c.b[i] && c.a[j]) {
		return false
	}
	if c.Pair != nil && (c.Material[i] != c.Pair[0] || c.Material[j] != c.Pair[1]) && (c.Material[i] != c.Pair[1] || c.Material[j] != c.Pair[0]) {
		return false
	}
	if c.bothSides(i, j) && c.outline.outdone(i, j) {
		return false
	}
	return c.outline.Edges[i].Piece != c.outline.Edges[j].Piece || c.Self && !c.neighbours(i, j)
}

// bothSides tells whether edges i and j carry contact nodes against each other.
func (c *Contact) bothSides(i, j int32) bool { return c.TwoSided || c.b[i] && c.a[j] }

// share returns the part of its area for which contact node k of a contact
// element stands at the place t along edge j, and how that changes with the way
// along it [1/m]. Where both sides carry contact nodes the finer one bears more, see
// bearing.
func (c *Contact) share(element, k, j int32, t float64) (part, slope float64) {
	i := c.elements[element]
	nodes := &c.profiles[c.profile[element]]
	part = 1
	if c.bothSides(i, j) {
		own := c.outline.sizeAt(i, nodes.place[k])
		place := min(max(t, 0), 1)
		other, change := c.outline.size(j, place)
		part, slope = bearing(own, other)
		if place != t {
			change = 0
		}
		slope *= change
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

// thin is how many Depths of solid between two edges of one piece keep them
// from touching: no deformation short of inversion brings them together.
const thin = 3

// neighbours tells whether edge i lies in the region of edge j from the start,
// around a corner or on the other face of a thin part.
func (c *Contact) neighbours(i, j int32) bool {
	e := &c.outline.Edges[i]
	var t target
	t.aim(c.outline, j, c.start)
	t.depth *= thin
	for k := range c.Nodes {
		if t.at(between(c.start[e.A], c.start[e.B], c.profiles[0].place[k])).deflection > 0 {
			return true
		}
	}
	return false
}

// DepthError reports a contact node deeper in a body than contact can follow.
type DepthError struct {
	Contact    string
	Place      r2.Vec
	Deflection float64 // [m]
	Limit      float64 // [m]
	Remedy     string  // the stiffness that would have held
}

func (e *DepthError) Error() string {
	return fmt.Sprintf("contact %q: a contact node at (%.6g, %.6g) m is %.3g m deep, more than the %.3g m that the elements under it allow: %s; or coarsen the surface",
		e.Contact, e.Place.X, e.Place.Y, e.Deflection, e.Limit, e.Remedy)
}

// roomy is the part of the depth that contact can follow up to which a law of
// the right stiffness lets a contact node in.
const roomy = 0.1

// remedy names the stiffness at which the pressure of a deflection [m] would
// keep well within a limit [m], and no less than suits the bodies.
func (c *Contact) remedy(deflection, limit float64) string {
	times := deflection / (roomy * limit)
	law, linear := c.Law.(contact.Linear)
	factor := max(1, c.Factor*times)
	switch {
	case linear && c.Factor > 0 && c.LawName == "auto":
		return fmt.Sprintf("the stiffness found for it is too small for this pressure; give it a linear law with k_factor = %.2g", factor)
	case linear && c.Factor > 0:
		return fmt.Sprintf("law %q is too soft for this pressure; take k_factor = %.2g instead of %g", c.LawName, factor, c.Factor)
	case linear && c.Suited > law.K*times:
		return fmt.Sprintf("law %q is too soft for this pressure; take k = \"auto\", which is %.2g Pa/m, instead of %g", c.LawName, c.Suited, law.K)
	case linear:
		return fmt.Sprintf("law %q is too soft for this pressure; take k = %.2g Pa/m instead of %g", c.LawName, law.K*times, law.K)
	}
	return fmt.Sprintf("law %q is too soft for this pressure; take parameters that make it some %.2g times as stiff", c.LawName, times)
}

// deepest is the part of an edge's Depth that a deflection may use up. Contact
// nodes that bear no more than a negligible share may go deeper: the other side
// bears in their place.
const (
	deepest    = 0.8
	negligible = 0.01
)

// find fills now with the contact nodes that touch at x, in the order contact
// element, contact node, and coming with those that are at most ahead [m] from
// touching. Without velocities v they have no rates and slips.
func (c *Contact) find(x, v []r2.Vec, ahead float64) error {
	c.x, c.v, c.ahead = x, v, ahead
	c.turn(ahead)
	one := &c.finders[0]
	one.touches, one.coming, c.now, c.coming = c.now, c.coming, one.touches, one.coming
	n := c.spread(c.sleep.count(), c.doFind)
	one.touches, one.coming, c.now, c.coming = c.now, c.coming, one.touches, one.coming
	for i := range c.finders[:n] {
		f := &c.finders[i]
		if f.err != nil {
			return f.err
		}
		c.sleep.settle(f.dozing)
		if i > 0 {
			c.now.append(&f.touches)
			c.coming.append(&f.coming)
		}
	}
	return nil
}

// finder is a worker's share of find: the touches of consecutive contact
// elements.
type finder struct {
	touches touches
	coming  touches
	dozing  []int32 // candidates that fall asleep
	err     error

	// Of the contact element at hand.
	element, own int32
	a, b         r2.Vec   // its ends
	nodes        *profile // its contact nodes
	rows         []row    // where they touch, or are about to
	hits         []hit    // and how, edge after edge
	edges        int      // how many edges
	last         [2]int32 // rows of the last meeting, and of the last to come; -1 for none
	target       target   // the edge at hand

	// Per contact node of an element that meets several edges: its hits, counted
	// from 1, 0 for none.
	found []int32 // its first touch, others follow
	first []int32 // the edge in front of it that it may touch first
	parts []*hit  // touches of one contact node
	round bool    // a re-entrant corner has a part of the element
}

// row is what contact nodes of the element at hand share that touch one edge.
type row struct {
	edge, piece int32
	in, swing   r2.Vec // as meeting has them
	run, climb  float64
}

// hit is a contact node of the element at hand in the region of an edge, or in
// front of it.
type hit struct {
	k, row     int32
	next       int32   // next touch of the same contact node, counted from 1, 0 for none
	corner     bool    // in the region of a re-entrant corner
	deflection float64 // [m]; not above 0 of a touch to come
	t, lever   float64 // as node has them
	slack      float64
	patch
}

func newFinder(nodes int) finder {
	return finder{found: make([]int32, nodes), first: make([]int32, nodes)}
}

// findPart is worker i's share of find: it looks at the candidates that are awake.
func (c *Contact) findPart(i int) {
	f := &c.finders[i]
	f.touches.clear()
	f.coming.clear()
	f.dozing, f.err, f.element, f.edges = f.dozing[:0], nil, -1, 0
	lo, hi := c.part(i, len(c.candidate))
	lo, hi = c.border(lo), c.border(hi)
	for g := lo >> 6; g<<6 < hi; g++ {
		awake := c.sleep.awake[g]
		if g<<6 < lo {
			awake &= ^uint64(0) << (lo & 63)
		}
		awake &= ^uint64(0) >> max(0, 64*(g+1)-hi)
		for ; awake != 0; awake &= awake - 1 {
			n := int32(64*g + bits.TrailingZeros64(awake))
			if e := c.sleep.owner[n]; e != f.element {
				if c.gather(f); f.err != nil {
					return
				}
				f.begin(c, e)
			}
			c.look(f, n)
		}
	}
	c.gather(f)
}

// border returns the first candidate of the contact element that has candidate i.
func (c *Contact) border(i int) int {
	if i >= len(c.candidate) {
		return len(c.candidate)
	}
	return int(c.first[c.sleep.owner[i]])
}

// begin turns to a contact element.
func (f *finder) begin(c *Contact, element int32) {
	own := c.elements[element]
	edge := &c.outline.Edges[own]
	f.element, f.own, f.a, f.b, f.nodes = element, own, c.x[edge.A], c.x[edge.B], &c.profiles[c.profile[element]]
	f.rows, f.hits, f.edges, f.last = f.rows[:0], f.hits[:0], 0, [2]int32{-1, -1}
	f.round = false
}

// look adds to hits what contact nodes of the element at hand touch and await of
// the edge of candidate n, which falls asleep where that is far.
func (c *Contact) look(f *finder, n int32) {
	i, stir, nodes := c.candidate[n], &c.sleep.stir[n], f.nodes
	a, b := f.a, f.b
	if *stir == 0 {
		if gap, weight := c.apartBy(n, a, b, nodes.bulge, c.x); gap > 0 && f.doze(&c.sleep, n, gap/nodes.swing, weight/nodes.swing) {
			return
		}
	}
	t := &f.target
	t.aim(c.outline, i, c.x)
	t.way, t.ahead = 0, 0
	if c.ahead > 0 {
		t.way = c.nearing(&c.outline.Edges[f.own], t)
		t.ahead = min(c.ahead, horizon*t.way)
	}
	lo, hi := 0.0, 1.0
	if nodes.radius == 0 {
		lo, hi = t.reaches(a, b, c.ahead)
	}
	if lo <= hi {
		before := len(f.hits)
		c.hit(f, t, lo, hi)
		if len(f.hits) > before {
			*stir = 1
			f.edges++
			return
		}
	}
	if *stir > 1 {
		*stir--
		return
	}
	*stir = wakeful
	if gap, weight := c.gap(t, n, nodes, a, b, c.x); gap > 0 && f.doze(&c.sleep, n, gap/nodes.swing, weight/nodes.swing) {
		*stir = 0
	}
}

// hit adds to hits the contact nodes in the part [lo, hi] of the element at hand that
// are in the target's region or in front of it.
func (c *Contact) hit(f *finder, t *target, lo, hi float64) {
	nodes, piece := f.nodes, c.outline.Edges[t.edge].Piece
	if nodes.strips && t.radius == 0 {
		f.lay(t, piece, lo, hi)
		return
	}
	k0, k1 := nodes.between(lo, hi)
	shared := int32(-1) // row of those under the edge
	for k := k0; k < k1; k++ {
		q := between(f.a, f.b, nodes.place[k])
		if nodes.height != nil {
			q, _ = nodes.point(f.a, f.b, k)
		}
		h := hit{k: int32(k)}
		own := t.radius != 0
		if !own {
			d, place, where := t.under(q)
			if where == nowhere {
				continue
			}
			h.deflection, h.t, h.lever, own = d, place, d, where == round
		}
		if own {
			at := t.at(q)
			if at.in == (r2.Vec{}) {
				continue
			}
			h.deflection, h.t, h.lever = at.deflection, at.t, at.lever
			f.rows = append(f.rows, row{edge: t.edge, piece: piece, in: at.in, swing: at.swing})
			h.row = int32(len(f.rows) - 1)
		} else {
			if shared < 0 {
				shared = int32(len(f.rows))
				f.rows = append(f.rows, row{edge: t.edge, piece: piece, in: r2.Vec{X: -t.along.Y, Y: t.along.X}, swing: swing(t.c, t.d)})
			}
			h.row = shared
		}
		if !(h.deflection > 0) {
			if h.slack = 1 + h.deflection/(horizon*t.way); !(h.slack > 0) {
				continue
			}
		}
		h.at(nodes, h.deflection)
		f.hits = append(f.hits, h)
	}
}

// gather ends a contact element: of each contact node it takes the touch with the
// nearest edge of the body in which it is deepest, and where there is none the touch
// to come that lets the step be shortest.
func (c *Contact) gather(f *finder) {
	if f.edges == 0 {
		return
	}
	first, next := len(f.touches.meetings), len(f.coming.meetings)
	several := false
	if f.edges == 1 && !f.round {
		for i := range f.hits {
			c.take(f, &f.hits[i])
		}
	} else {
		f.choose()
		for k, n := range f.found {
			switch {
			case n == 0:
				if n = f.first[k]; n > 0 {
					c.take(f, &f.hits[n-1])
				}
			case f.hits[n-1].next == 0:
				c.take(f, &f.hits[n-1])
			default:
				several = c.join(f, n) || several
			}
		}
	}
	f.touches.rates()
	f.coming.rates()
	if c.v == nil {
		return
	}
	for i := first; i < len(f.touches.meetings); i++ {
		c.relate(&f.touches, &f.touches.meetings[i])
	}
	if several {
		f.touches.total(int(f.touches.meetings[first].first))
	}
	for i := next; i < len(f.coming.meetings); i++ {
		c.relate(&f.coming, &f.coming.meetings[i])
	}
}

// choose fills found and first from the hits.
func (f *finder) choose() {
	clear(f.found)
	clear(f.first)
	for i := range f.hits {
		h := &f.hits[i]
		n := int32(i + 1)
		if h.slack > 0 {
			if old := f.first[h.k]; old == 0 || h.slack > f.hits[old-1].slack {
				f.first[h.k] = n
			}
			continue
		}
		at := &f.found[h.k]
		for *at > 0 {
			at = &f.hits[*at-1].next
		}
		*at = n
	}
}

// take adds a hit to the touches or to those to come, where its contact node bears
// anything.
func (c *Contact) take(f *finder, h *hit) {
	share, slope := c.share(f.element, h.k, f.rows[h.row].edge, h.t)
	if share == 0 {
		return
	}
	if h.slack > 0 {
		f.add(c, 1, h, node{share: share, slope: slope, slack: h.slack, presses: 1, covers: 1}, h.deflection)
		return
	}
	c.limit(f, h, h.force, share)
	d := math.Sqrt(h.square)
	h.force /= d
	h.turn /= d
	f.add(c, 0, h, node{share: share, slope: slope, presses: h.force, covers: h.covered, grazes: h.misses(f) > 0}, d)
}

// limit refuses a contact node that bears a share and lies too deep [m].
func (c *Contact) limit(f *finder, h *hit, depth, share float64) {
	if limit := deepest * c.outline.Depth[f.rows[h.row].edge]; depth > limit && share > negligible && f.err == nil {
		place, _ := f.nodes.point(f.a, f.b, int(h.k))
		f.err = &DepthError{c.Name, place, depth, limit, c.remedy(depth, limit)}
	}
}

// add appends a hit to the touches, or, to 1, to those to come: what n says of the
// contact node with what the hit says of the place.
func (f *finder) add(c *Contact, to int, h *hit, n node, deflection float64) {
	list := &f.touches
	if to == 1 {
		list = &f.coming
	}
	at, r := int32(len(list.nodes)), &f.rows[h.row]
	if f.last[to] != h.row {
		f.last[to] = h.row
		list.meetings = append(list.meetings, meeting{f.element, r.edge, at, at, r.in, r.swing, r.run, r.climb})
	}
	list.meetings[len(list.meetings)-1].end++
	n.id, n.t, n.lever, n.force, n.turn, n.covered, n.off = f.element*int32(c.Nodes)+h.k, h.t, h.lever, h.force, h.turn, h.covered, h.off
	list.nodes = append(list.nodes, n)
	list.d = append(list.d, deflection)
}
