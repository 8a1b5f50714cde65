package contactnodes

import (
	"fmt"
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
// element stands at a touch, and how that changes with the way along the
// opposite edge [1/m]. Where both sides carry contact nodes the finer one bears
// more, see bearing.
func (c *Contact) share(element int32, k int, t *touch) (part, slope float64) {
	i, j := c.elements[element], t.edge
	part = 1
	if c.bothSides(i, j) {
		nodes := &c.profiles[c.profile[element]]
		own, _ := c.outline.size(i, nodes.place[k])
		other, change := c.outline.size(j, t.t)
		part, slope = bearing(own, other)
		slope *= change
	}
	if c.Width != nil {
		narrower := min(1, c.Width[j]/c.Width[i])
		part *= narrower
		slope *= narrower
	}
	if hats := c.profiles[c.profile[element]].hats; hats != nil {
		part *= hats[k].area
		slope *= hats[k].area
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

// deepest is the part of an edge's Depth that a deflection may use up.
const deepest = 0.8

// find fills touches with the contact nodes that touch at x, in the order
// contact element, contact node.
// coming gets those that are at most ahead [m] from touching.
func (c *Contact) find(x, v []r2.Vec, ahead float64) error {
	c.x, c.v, c.ahead = x, v, ahead
	c.turn(ahead)
	c.finders[0].touches, c.finders[0].coming = c.touches[:0], c.coming[:0]
	n := c.spread(len(c.candidate), c.doFind)
	c.touches, c.coming = c.finders[0].touches, c.finders[0].coming
	for i := range c.finders[:n] {
		f := &c.finders[i]
		if f.err != nil {
			return f.err
		}
		c.sleep.settle(f.dozing)
		if i > 0 {
			c.touches = append(c.touches, f.touches...)
			c.coming = append(c.coming, f.coming...)
		}
	}
	return nil
}

// finder is a worker's share of find: the touches of consecutive contact
// elements.
type finder struct {
	touches []node
	coming  []node
	dozing  []int32 // candidates that fall asleep
	err     error

	// Of the contact element at hand.
	element, own int32
	a, b         r2.Vec   // its ends
	nodes        *profile // its contact nodes
	hits         []hit    // what they touch and await, edge after edge
	edges        int      // how many
	target       target   // the edge at hand

	// Per contact node of an element that meets several edges: its hits, counted
	// from 1, 0 for none.
	nearest []int32 // nearest touch in the body at hand
	deepest []int32 // deepest of these in any body
	first   []int32 // the edge in front of it that it may touch first
}

// hit is a contact node of the element at hand in the region of an edge, or in
// front of it.
type hit struct {
	touch
	k     int32
	piece int32
	slack float64 // of a touch to come, see coming; 0 of a touch
}

func newFinder(nodes int) finder {
	return finder{nearest: make([]int32, nodes), deepest: make([]int32, nodes), first: make([]int32, nodes)}
}

// findPart is worker i's share of find: it looks at the candidates that are awake.
func (c *Contact) findPart(i int) {
	f := &c.finders[i]
	if i > 0 {
		f.touches, f.coming = f.touches[:0], f.coming[:0]
	}
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
	f.hits, f.edges = f.hits[:0], 0
}

// look adds to hits what contact nodes of the element at hand touch and await of
// the edge of candidate n, which falls asleep where that is far.
func (c *Contact) look(f *finder, n int32) {
	i, hot, nodes := c.candidate[n], &c.sleep.hot[n], f.nodes
	a, b := f.a, f.b
	if !*hot {
		if gap, weight := c.apartBy(i, a, b, nodes.bulge, c.x); gap > 0 && f.doze(&c.sleep, n, gap/nodes.swing, weight/nodes.swing) {
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
	*hot = false
	if lo <= hi {
		piece, before := c.outline.Edges[i].Piece, len(f.hits)
		k0, k1 := nodes.between(lo, hi)
		for k := k0; k < k1; k++ {
			q, _ := nodes.point(a, b, k)
			touch := t.at(q)
			if touch.in == (r2.Vec{}) {
				continue
			}
			h := hit{touch: touch, k: int32(k), piece: piece}
			if !(touch.deflection > 0) {
				if h.slack = 1 + touch.deflection/(horizon*t.way); !(h.slack > 0) {
					continue
				}
			}
			f.hits = append(f.hits, h)
		}
		if len(f.hits) > before {
			*hot = true
			f.edges++
			return
		}
	}
	if gap, weight := c.gap(t, n, nodes, a, b, c.x); gap > 0 {
		f.doze(&c.sleep, n, gap/nodes.swing, weight/nodes.swing)
	}
}

// gather ends a contact element: of each contact node it takes the touch with the
// nearest edge of the body in which it is deepest, and where there is none the touch
// to come that lets the step be shortest.
func (c *Contact) gather(f *finder) {
	if f.edges == 1 {
		for i := range f.hits {
			if c.take(f, &f.hits[i]); f.err != nil {
				return
			}
		}
		return
	}
	if f.edges == 0 {
		return
	}
	clear(f.nearest)
	clear(f.deepest)
	clear(f.first)
	piece := int32(-1)
	for i := range f.hits {
		h := &f.hits[i]
		n := int32(i + 1)
		if h.slack > 0 {
			if old := f.first[h.k]; old == 0 || h.slack > f.hits[old-1].slack {
				f.first[h.k] = n
			}
			continue
		}
		if h.piece != piece {
			f.settle()
			piece = h.piece
		}
		if old := f.nearest[h.k]; old == 0 || h.deflection < f.hits[old-1].deflection {
			f.nearest[h.k] = n
		}
	}
	f.settle()
	for k, n := range f.deepest {
		if n == 0 {
			n = f.first[k]
		}
		if n == 0 {
			continue
		}
		if c.take(f, &f.hits[n-1]); f.err != nil {
			return
		}
	}
}

// settle ends a body.
func (f *finder) settle() {
	for k, n := range f.nearest {
		if n == 0 {
			continue
		}
		if old := f.deepest[k]; old == 0 || f.hits[n-1].deflection > f.hits[old-1].deflection {
			f.deepest[k] = n
		}
		f.nearest[k] = 0
	}
}

// take adds a hit to the touches or to those to come, where its contact node bears
// anything.
func (c *Contact) take(f *finder, h *hit) {
	share, slope := c.share(f.element, int(h.k), &h.touch)
	if share == 0 {
		return
	}
	n := node{touch: h.touch, element: f.element, k: h.k, share: share, slope: slope, slack: h.slack}
	if h.slack > 0 {
		n.slope = 0
		f.coming = append(f.coming, n)
		return
	}
	if limit := deepest * c.outline.Depth[h.edge]; h.deflection > limit {
		place, _ := f.nodes.point(f.a, f.b, int(h.k))
		f.err = &DepthError{c.Name, place, h.deflection, limit, c.remedy(h.deflection, limit)}
		return
	}
	f.touches = append(f.touches, n)
}
