package contactnodes

// Most contact nodes never touch: those that do get a place in the state at their
// first touch. An element of which one has touched has a block of slots, which say
// where the state of each of its contact nodes is.

// noSlot is the slot of a contact node that has not touched.
const noSlot = -1

// clearSlots leaves no contact node a slot.
func (c *Contact) clearSlots() {
	for e := range c.firstSlot {
		c.firstSlot[e] = noSlot
	}
	c.slots, c.wasTouching, c.withOffset = c.slots[:0], c.wasTouching[:0], c.withOffset[:0]
}

// slot returns where the slot of a contact node is.
func (c *Contact) slot(id int32) *int32 {
	nodes := int32(c.Nodes)
	return &c.slots[c.slotsOf(id/nodes)+id%nodes]
}

// slotsOf returns where the slots of a contact element begin.
func (c *Contact) slotsOf(element int32) int32 {
	if c.firstSlot[element] == noSlot {
		c.firstSlot[element] = int32(len(c.slots))
		for range c.Nodes {
			c.slots = append(c.slots, noSlot)
		}
	}
	return c.firstSlot[element]
}

// assignSlots tells all that touch now their slots, and gives those a place in the
// state that touch for the first time.
func (c *Contact) assignSlots() {
	n := &c.touching
	for i := range n.pairs {
		m := &n.pairs[i]
		block, base := c.slotsOf(m.element), m.element*int32(c.Nodes)
		slots := c.slots[block:][:c.Nodes]
		list := n.nodes[m.first:m.end]
		for k := range list {
			t := &list[k]
			at := &slots[t.id-base]
			if *at == noSlot {
				*at = c.addToState(t.id)
			}
			t.slot = *at
		}
	}
}

// addToState gives a contact node a place in the state.
func (c *Contact) addToState(id int32) int32 {
	at := len(c.Touched)
	c.Touched = append(c.Touched, id)
	for range c.memorySize {
		c.Memory = append(c.Memory, 0)
	}
	c.Deflection, c.Pressure, c.Traction, c.Slip = append(c.Deflection, 0), append(c.Pressure, 0), append(c.Traction, 0), append(c.Slip, 0)
	c.PeakPressure, c.AreaFraction, c.Energy = append(c.PeakPressure, 0), append(c.AreaFraction, 0), append(c.Energy, 0)
	if c.Friction.Sticks() {
		c.StickTraction, c.StickStiffness, c.Sliding = append(c.StickTraction, 0), append(c.StickStiffness, 0), append(c.Sliding, false)
	}
	if c.Overlap.Mode != OverlapRefuse {
		c.Offset, c.wholeDeflection = append(c.Offset, 0), append(c.wholeDeflection, 0)
	}
	return int32(at)
}
