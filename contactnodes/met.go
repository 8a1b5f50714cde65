package contactnodes

// Most contact nodes never touch: those that do get a place in the state at their
// first touch. An element of which one has touched has a block of slots, which say
// where the state of each of its contact nodes is.

// none is the slot of a contact node that has not touched.
const none = -1

// forget leaves no contact node a slot.
func (c *Contact) forget() {
	for e := range c.block {
		c.block[e] = none
	}
	c.slots, c.touched, c.overlaps = c.slots[:0], c.touched[:0], c.overlaps[:0]
}

// slot returns where the slot of a contact node is.
func (c *Contact) slot(id int32) *int32 {
	nodes := int32(c.Nodes)
	return &c.slots[c.blockOf(id/nodes)+id%nodes]
}

// blockOf returns where the slots of a contact element begin.
func (c *Contact) blockOf(element int32) int32 {
	if c.block[element] == none {
		c.block[element] = int32(len(c.slots))
		for range c.Nodes {
			c.slots = append(c.slots, none)
		}
	}
	return c.block[element]
}

// enter tells all that touch now their slots, and gives those a place in the state
// that touch for the first time.
func (c *Contact) enter() {
	n := &c.now
	for i := range n.meetings {
		m := &n.meetings[i]
		block, base := c.blockOf(m.element), m.element*int32(c.Nodes)
		slots := c.slots[block:][:c.Nodes]
		list := n.nodes[m.first:m.end]
		for k := range list {
			t := &list[k]
			at := &slots[t.id-base]
			if *at == none {
				*at = c.place(t.id)
			}
			t.slot = *at
		}
	}
}

// place gives a contact node a place in the state.
func (c *Contact) place(id int32) int32 {
	at := len(c.Met)
	c.Met = append(c.Met, id)
	for range c.memory {
		c.Memory = append(c.Memory, 0)
	}
	c.Deflection, c.Pressure, c.Traction = append(c.Deflection, 0), append(c.Pressure, 0), append(c.Traction, 0)
	c.PeakPressure, c.Share, c.Energy = append(c.PeakPressure, 0), append(c.Share, 0), append(c.Energy, 0)
	if c.Friction.Sticks() {
		c.Held, c.Spring, c.Slides = append(c.Held, 0), append(c.Spring, 0), append(c.Slides, false)
	}
	if c.Overlap.Mode != OverlapRefuse {
		c.Offset, c.seen = append(c.Offset, 0), append(c.seen, 0)
	}
	return int32(at)
}
