package contactnodes

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
