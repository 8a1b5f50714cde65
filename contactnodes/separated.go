package contactnodes

import "math"

// Marks returns the number of marks of Reopened.
func (c *Contact) Marks() int { return len(c.outline.Edges) + len(c.Kept) }

// Reopened returns how many of the contact nodes, and of the edges in contact by pairs, that separated in
// the last step have a mark, and marks all that did. Marks are those of edges, then in the order of Kept.
func (c *Contact) Reopened(marked []bool) (again int) {
	mark := func(at int) {
		if marked[at] {
			again++
		}
		marked[at] = true
	}
	for i := range c.points.nodes[c.closed:] {
		mark(len(c.outline.Edges) + int(c.points.nodes[c.closed+i].slot))
	}
	if c.faces != nil {
		for _, own := range c.faces.ended {
			mark(int(own))
		}
	}
	return again
}

// Slips returns the sum of the slip speeds of all contact nodes and grips times their normal forces, and that
// of their absolute values [W]. The direction of slip is the same on both sides of a contact.
func (c *Contact) Slips() (one, all float64) {
	n := &c.points
	for j := range n.pairs {
		m := &n.pairs[j]
		for i := m.first; i < m.end; i++ {
			t := &n.nodes[i]
			if t.repeated || int(i) >= c.closed {
				continue
			}
			slip := float64(n.p[i] * c.area[m.element] * t.fraction * t.slip)
			one, all = one+slip, all+math.Abs(slip)
		}
	}
	if c.faces != nil {
		for i := range c.faces.grips {
			slip := c.faces.grips[i].slipped
			one, all = one+slip, all+math.Abs(slip)
		}
	}
	return one, all
}

// PressOverlap lets all of an initial overlap press from now on.
func (c *Contact) PressOverlap() {
	for _, i := range c.withOffset {
		c.Kept[i].Offset = 0
	}
	c.withOffset, c.OffsetBetween = c.withOffset[:0], c.OffsetBetween[:0]
}
