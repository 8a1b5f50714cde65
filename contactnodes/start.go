package contactnodes

import (
	"fdem/boundingbox"
	"fdem/contactnodes/halves"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Overlap tells how overlaps of bodies at the start are treated (initial penetration).
type Overlap struct {
	// Mode is the choice of the deck.
	Mode OverlapMode
	Ramp float64 // time over which the force of an allowed overlap is ramped in [s]
}

// OverlapMode is a treatment of initial overlap.
type OverlapMode int

const (
	OverlapRefuse   OverlapMode = iota // the run does not start
	OverlapAllow                       // the overlap presses; its force is ramped in from zero
	OverlapSubtract                    // the overlap is not counted as deflection, and is forgotten as it opens
)

// Begin finds how bodies overlap at the start, at positions x. If the deck allows overlap, it
// is stored in the state; if not, Overlapping reports it.
func (c *Contact) Begin(x []r2.Vec, pairs *boundingbox.Pairs) error {
	c.listCandidates(pairs, x)
	if err := c.find(x, nil, 0); err != nil {
		return err
	}
	if err := c.beginOffsets(); err != nil {
		return err
	}
	if c.Overlap.Mode == OverlapRefuse {
		return nil
	}
	c.assignSlots()
	for i, t := range c.points.nodes {
		c.Kept[t.slot].Offset = c.points.d[i]
	}
	return c.index()
}

// Near calls the function with edges whose contact nodes are in contact with opposite edges at
// positions x, or would be if they were nearer by gap [m]. ends are the ends of the part in
// contact, inward is the direction into the opposite body. It fails if a contact node is too
// deep.
func (c *Contact) Near(x, v []r2.Vec, pairs *boundingbox.Pairs, gap float64, each func(edge, opposite int32, ends [2]r2.Vec, inward r2.Vec)) error {
	c.listCandidates(pairs, x)
	c.prediction = Prediction{Approach: gap}
	if err := c.find(x, v, min(c.outline.LookAhead, gap)); err != nil {
		return err
	}
	if c.rigid != nil {
		c.rigid.place(c)
	}
	if err := c.findWhole(); err != nil {
		return err
	}
	if c.rigid != nil {
		c.rigid.near(c, gap, each)
	}
	if c.faces != nil {
		c.faces.near(c, gap, each)
	}
	for _, t := range [...]*contactPoints{&c.points, &c.approaching} {
		for i := range t.pairs {
			p := &t.pairs[i]
			edge, nodes := c.elements[p.element], &c.layouts[c.layoutOf[p.element]]
			e := c.outline.Edges[edge]
			var ends [2]r2.Vec
			for k, at := range [...]int32{p.first, p.end - 1} {
				node := int(t.nodes[at].id) % c.Nodes
				switch ends[k], _ = nodes.point(x[e.A], x[e.B], node); {
				case nodes.strips && nodes.height != nil:
					ends[k], _ = nodes.border(x[e.A], x[e.B], node+k)
				case nodes.strips:
					o := &c.outline.Edges[p.edge]
					u := nodes.position[node] + float64(float64(2*k-1)*nodes.half[node])
					ends[k] = between(x[e.A], x[e.B], inFront(u, x[e.A], x[e.B], x[o.A], x[o.B]))
				}
			}
			each(edge, p.edge, ends, p.inward)
		}
	}
	return nil
}

// HasOffsets tells whether some initial overlap is not counted as deflection.
func (c *Contact) HasOffsets() bool { return len(c.withOffset)+len(c.OffsetBetween) > 0 }

// inFront returns the position u along an edge from a to b, or the nearest position that is in
// front of the edge from c to d.
func inFront(u float64, a, b, c, d r2.Vec) float64 {
	along := sub(d, c)
	start, run := elementary.Dot(along, sub(a, c)), elementary.Dot(along, sub(b, a))
	if run == 0 {
		return u
	}
	u0, u1 := -start/run, (elementary.Dot(along, along)-start)/run
	return min(max(u, min(u0, u1)), max(u0, u1))
}

// subtractOverlap subtracts the initial overlap from the deflections, at time t after a step
// dt. With commit it forgets the part that has opened.
func (c *Contact) subtractOverlap(t, dt float64, commit bool) {
	if len(c.withOffset) == 0 {
		return
	}
	c.offsetFraction, c.offsetFractionBefore = 1, 1
	if c.Overlap.Mode == OverlapAllow {
		c.offsetFraction, c.offsetFractionBefore = max(0, 1-t/c.Overlap.Ramp), max(0, 1-(t-dt)/c.Overlap.Ramp)
	}
	for _, i := range c.withOffset {
		c.wholeDeflection[i] = 0
	}
	n := &c.points
	left, meetings := int32(0), n.pairs[:0]
	for _, m := range n.pairs {
		first := left
		slots := c.slots[c.slotsOf(m.element):][:c.Nodes]
		for i := m.first; i < m.end; i++ {
			t := &n.nodes[i]
			if at := slots[t.id-m.element*int32(c.Nodes)]; at != noSlot {
				c.wholeDeflection[at] = n.d[i]
				if o := c.Kept[at].Offset; o > 0 {
					n.d[i] -= float64(o * c.offsetFraction)
				}
			}
			if n.d[i] > 0 {
				if left < i {
					n.nodes[left], n.d[left], n.rate[left] = *t, n.d[i], n.rate[i]
				}
				left++
			} else if n.d[i] > -c.lookAhead {
				t.predicted = 1
				at := int32(len(c.approaching.nodes))
				one := m
				one.first, one.end = at, at+1
				c.approaching.pairs = append(c.approaching.pairs, one)
				c.approaching.nodes = append(c.approaching.nodes, *t)
				c.approaching.d, c.approaching.rate = append(c.approaching.d, n.d[i]), append(c.approaching.rate, n.rate[i])
			}
		}
		if m.first, m.end = first, left; first < left {
			meetings = append(meetings, m)
		}
	}
	n.pairs, n.nodes, n.d, n.rate = meetings, n.nodes[:left], n.d[:left], n.rate[:left]
	if commit {
		c.dropOpened()
	}
}

// dropOpened reduces the offsets to what is left of the overlap and drops offsets that are
// zero.
func (c *Contact) dropOpened() {
	kept := c.withOffset[:0]
	for _, i := range c.withOffset {
		offset := &c.Kept[i].Offset
		if c.Overlap.Mode == OverlapSubtract {
			*offset = min(*offset, c.wholeDeflection[i])
		} else if c.offsetFractionBefore == 0 {
			*offset = 0
		}
		if *offset > 0 {
			kept = append(kept, i)
		}
	}
	c.withOffset = kept
}

// Overlapping returns the number of contact nodes that are deeper than tolerance times their
// edge's Depth, and the greatest deflection [m].
func (c *Contact) Overlapping(tolerance float64) (nodes int, deepest float64) {
	c.Overlaps(tolerance, func(_, _ int32, depth float64) {
		nodes++
		deepest = max(deepest, depth)
	})
	return nodes, deepest
}

// Overlaps calls the function with the edge of each of these contact nodes, the opposite edge,
// and the depth below it [m].
func (c *Contact) Overlaps(tolerance float64, each func(edge, opposite int32, depth float64)) {
	if c.rigid != nil {
		c.rigid.overlaps(c, tolerance, each)
	}
	c.faces.each(func(q *face, h *halves.Half) {
		if d := q.deepest(); d > tolerance*c.outline.Depth[h.Other] {
			each(h.Own, h.Other, d)
		}
	})
	for _, m := range c.points.pairs {
		for _, d := range c.points.d[m.first:m.end] {
			if d > tolerance*c.outline.Depth[m.edge] {
				each(c.elements[m.element], m.edge, d)
			}
		}
	}
}
