package potential

import "slices"

// Others is the exchange between processes that share the nodes (package ranks). Each process has
// positions and velocities of its own nodes and of some others. All processes make candidates at
// the same time, by the greatest travel of any node, from the positions of all nodes. From then on
// they follow the nodes of the triangles that they find. So a face may be in contact with any
// triangle, although each process has few nodes.
type Others struct {
	First, End int32                              // this process's own nodes
	Farthest   func(displacement float64) float64 // greatest displacement of all processes' nodes, from that of this process [m]
	GetAll     func()                             // gets the positions of all nodes
	GetNodes   func(nodes []int32)                // gets positions, velocities and other data of some nodes, ascending
	Follow     func(nodes []int32)                // makes the process follow nodes whose data it has got
}

// lookAhead gets the positions of the targets with which activated faces may be in contact. Gaps
// are measured at the last mark.
func (c *Contact) lookAhead() {
	if c.Others == nil || len(c.activated) == 0 {
		return
	}
	c.mark()
	c.missing = c.missing[:0]
	for _, face := range c.activated {
		a, b := c.ends(face)
		s := c.sideOf(face, a, b, c.at)
		c.nearSide(&s, c.listMissing)
	}
	c.Others.GetNodes(c.sorted())
	for _, n := range c.missing {
		c.at[n] = c.x[n]
	}
}

// listMissing lists the nodes of a target.
func (c *Contact) listMissing(target int32) {
	if int(target) < len(c.Triangles) {
		c.missing = append(c.missing, c.Triangles[target][:]...)
	}
}

// sorted returns the listed nodes, each once, ascending.
func (c *Contact) sorted() []int32 {
	slices.Sort(c.missing)
	c.missing = slices.Compact(c.missing)
	return c.missing
}

// followCandidates makes the process follow the nodes of candidates from index from on.
func (c *Contact) followCandidates(from int) {
	if c.Others == nil || from == len(c.candidate) {
		return
	}
	c.missing = c.missing[:0]
	for _, t := range c.candidate[from:] {
		c.listMissing(t)
	}
	nodes := c.sorted()
	c.Others.GetNodes(nodes)
	c.Others.Follow(nodes)
}

// owns tells whether this process owns a node.
func (c *Contact) owns(n int32) bool {
	return c.Others == nil || n >= c.Others.First && n < c.Others.End
}

// farthestOf returns the greatest travel of any node, from that of this process's own nodes [m].
func (c *Contact) farthestOf(displacement float64) float64 {
	if c.Others == nil {
		return displacement
	}
	return c.Others.Farthest(displacement)
}
