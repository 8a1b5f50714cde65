package contactnodes

import (
	"fmt"
	"slices"

	"fdem/boundingbox"
	"fdem/materials/contact"

	"gonum.org/v1/gonum/spatial/r2"
)

// adopt sorts the broad phase's pairs by contact element, and drops those that
// cannot touch, with the nodes now at x, before there is a new list.
func (c *Contact) adopt(pairs *boundingbox.Pairs, x []r2.Vec) {
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
	c.near = c.near[:0]
	for e := range c.elements {
		if c.first[e+1] > 0 {
			c.near = append(c.near, int32(e))
		}
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
	c.finders[0].touches, c.finders[0].coming = c.touches[:0], c.coming[:0]
	n := c.spread(len(c.candidate), c.doFind)
	c.touches, c.coming = c.finders[0].touches, c.finders[0].coming
	for i := range c.finders[:n] {
		f := &c.finders[i]
		if f.err != nil {
			return f.err
		}
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
	best    []touch  // per contact node of one contact element: the deepest in any body
	nearest []touch  // and in the body at hand, its nearest edge
	front   []coming // and the edge in front of it that it may touch first
	facing  bool     // something is in front
	piece   int32    // that body, -1 for none
	found   bool     // something is in best
	target  target   // the edge at hand
	err     error
}

// add takes a touch of contact node k with a connected piece.
func (f *finder) add(piece int32, k int, t touch) {
	if piece != f.piece {
		f.settle()
		f.piece = piece
		clear(f.nearest)
	}
	if old := f.nearest[k].deflection; old == 0 || t.deflection < old {
		f.nearest[k] = t
	}
}

// await takes a touch to come of contact node k with an edge that may come nearer
// by way in a step.
func (f *finder) await(k int, t touch, way float64) {
	if !f.facing {
		clear(f.front)
		f.facing = true
	}
	slack := 1 + t.deflection/(horizon*way)
	if old := &f.front[k]; slack > old.slack {
		*old = coming{t, slack}
	}
}

// settle ends a piece.
func (f *finder) settle() {
	if f.piece < 0 {
		return
	}
	if !f.found {
		clear(f.best)
		f.found = true
	}
	for k := range f.best {
		if f.nearest[k].deflection > f.best[k].deflection {
			f.best[k] = f.nearest[k]
		}
	}
	f.piece = -1
}

// findPart is worker i's share of find.
func (c *Contact) findPart(i int) {
	f, x := &c.finders[i], c.x
	if i > 0 {
		f.touches, f.coming = f.touches[:0], f.coming[:0]
	}
	f.err = nil
	lo, hi := c.part(i, len(c.near))
	for _, e := range c.near[lo:hi] {
		if !c.meet(f, e, x) {
			continue
		}
		for k := range f.best {
			t := &f.best[k]
			if !f.found || t.deflection == 0 {
				f.expect(c, e, k)
				continue
			}
			share, slope := c.share(e, k, t)
			if share == 0 {
				continue
			}
			if limit := deepest * c.outline.Depth[t.edge]; t.deflection > limit {
				edge := &c.outline.Edges[c.elements[e]]
				place, _ := c.profiles[c.profile[e]].point(x[edge.A], x[edge.B], k)
				f.err = &DepthError{c.Name, place, t.deflection, limit, c.remedy(t.deflection, limit)}
				return
			}
			f.touches = append(f.touches, node{touch: *t, element: e, k: int32(k), share: share, slope: slope})
		}
	}
}

// expect adds contact node k of a contact element to those that are about to
// touch, where it is.
func (f *finder) expect(c *Contact, element int32, k int) {
	if !f.facing || f.front[k].slack == 0 {
		return
	}
	t := &f.front[k]
	if share, _ := c.share(element, k, &t.touch); share > 0 {
		f.coming = append(f.coming, node{touch: t.touch, element: element, k: int32(k), share: share, slack: t.slack})
	}
}

// meet fills best with the deepest touch of every contact node of contact
// element e, and front with the touches to come; false if there are none.
func (c *Contact) meet(f *finder, e int32, x []r2.Vec) bool {
	edge := &c.outline.Edges[c.elements[e]]
	a, b := x[edge.A], x[edge.B]
	nodes := &c.profiles[c.profile[e]]
	f.found, f.facing, f.piece = false, false, -1
	for _, i := range c.candidate[c.first[e]:c.first[e+1]] {
		lo, hi := 0.0, 1.0
		if nodes.radius == 0 {
			if lo, hi = c.outline.reaches(i, a, b, x, c.ahead); hi < lo {
				continue
			}
		} else if !c.outline.near(i, a, b, sagitta(nodes.radius, nodes.chord), x) {
			continue
		}
		t := &f.target
		t.way, t.ahead = 0, 0
		if c.ahead > 0 {
			if t.way = c.nearing(edge, i); !c.within(i, a, b, float64(horizon*t.way)+sagitta(nodes.radius, nodes.chord)) {
				continue
			}
			t.ahead = min(c.ahead, horizon*t.way)
		}
		t.aim(c.outline, i, x)
		if nodes.radius == 0 {
			if lo, hi = t.within(a, b, lo, hi); hi < lo {
				continue
			}
		}
		k0, k1 := nodes.between(lo, hi)
		for k := k0; k < k1; k++ {
			q, _ := nodes.point(a, b, k)
			if n := t.at(q); n.deflection > 0 {
				f.add(c.outline.Edges[i].Piece, k, n)
			} else if n.in != (r2.Vec{}) {
				f.await(k, n, t.way)
			}
		}
	}
	f.settle()
	return f.found || f.facing
}
