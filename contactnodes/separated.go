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

// CountSliding returns how many of the contact nodes in contact slide: their stick springs are at the
// limit of friction, or their slip is faster than the speed of regularised friction.
func (c *Contact) CountSliding() (sliding int) {
	if !c.Friction.Sticks() {
		for i := range c.points.nodes[:c.closed] {
			if math.Abs(c.points.nodes[i].slip) > c.Friction.Speed {
				sliding++
			}
		}
		return sliding
	}
	for i := range c.stick[:min(c.closed, len(c.stick))] {
		if c.stick[i].Sliding {
			sliding++
		}
	}
	return sliding
}
