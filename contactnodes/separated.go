package contactnodes

import "math"

// Reopened returns how many of the contact nodes that separated in the last step have a mark, and
// marks all that did. Marks are in the order of Kept.
func (c *Contact) Reopened(marked []bool) (again int) {
	gone := c.points.nodes[c.closed:]
	for i := range gone {
		at := gone[i].slot
		if marked[at] {
			again++
		}
		marked[at] = true
	}
	return again
}

// CountSliding returns how many of the contact nodes in contact slide, and how many there are: the stick
// springs of those are at the limit of friction, or their slip is faster than the speed of regularised
// friction. A node that meets several edges counts once.
func (c *Contact) CountSliding() (sliding, all int) {
	sticks := c.Friction.Sticks()
	for i := range c.points.nodes[:c.closed] {
		t := &c.points.nodes[i]
		if t.repeated {
			continue
		}
		all++
		if sticks && c.stick[i].Sliding || !sticks && math.Abs(t.slip) > c.Friction.Speed {
			sliding++
		}
	}
	return sliding, all
}

// PressOverlap lets all of an initial overlap press from now on.
func (c *Contact) PressOverlap() {
	for _, i := range c.withOffset {
		c.Kept[i].Offset = 0
	}
	c.withOffset, c.OffsetBetween = c.withOffset[:0], c.OffsetBetween[:0]
}
