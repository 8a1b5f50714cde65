package contactnodes

import "fdem/contactnodes/coulomb"

// Most contact nodes are never in contact. A contact node gets an index in the
// state at its first contact. An element of which at least one contact node has
// been in contact has a block of slots, with the index of each of its contact
// nodes.

// noSlot is the slot of a contact node that has not been in contact.
const noSlot = -1

// clearSlots removes the slots of all contact nodes.
func (c *Contact) clearSlots() {
	for e := range c.firstSlot {
		c.firstSlot[e] = noSlot
	}
	c.slots, c.inContactBefore, c.withOffset = c.slots[:0], c.inContactBefore[:0], c.withOffset[:0]
}

// slot returns a pointer to the slot of a contact node.
func (c *Contact) slot(id int32) *int32 {
	nodes := int32(c.Nodes)
	return &c.slots[c.slotsOf(id/nodes)+id%nodes]
}

// slotsOf returns the index of the first slot of a contact element.
func (c *Contact) slotsOf(element int32) int32 {
	if c.firstSlot[element] == noSlot {
		c.firstSlot[element] = int32(len(c.slots))
		for range c.Nodes {
			c.slots = append(c.slots, noSlot)
		}
	}
	return c.firstSlot[element]
}

// assignSlots sets the slots of all contact nodes in contact, and adds those in
// contact for the first time to the state. It returns the contact nodes that have
// separated since the last commit, ascending.
func (c *Contact) assignSlots() (separated []nodeSlot) {
	n, was := &c.points, c.inContactBefore
	separated = c.released[:0]
	last := nodeSlot{id: -1}
	for i := range n.nodes {
		t := &n.nodes[i]
		if t.id != last.id { // otherwise it is in contact with several parts
			for len(was) > 0 && was[0].id < t.id {
				separated, was = append(separated, was[0]), was[1:]
			}
			if len(was) > 0 && was[0].id == t.id {
				last, was = was[0], was[1:]
			} else {
				last = nodeSlot{t.id, c.slotOf(t.id)}
			}
		}
		t.slot = last.slot
	}
	c.released = append(separated, was...)
	return c.released
}

// slotOf returns the slot of a contact node. At its first contact it gets a new
// one.
func (c *Contact) slotOf(id int32) int32 {
	at := c.slot(id)
	if *at == noSlot {
		*at = c.addToState(id)
	}
	return *at
}

// addToState adds a contact node to the state.
func (c *Contact) addToState(id int32) int32 {
	at := len(c.Touched)
	c.Touched, c.Kept = append(c.Touched, id), append(c.Kept, NodeState{})
	for range c.memorySize {
		c.Memory = append(c.Memory, 0)
	}
	if c.Friction.Sticks() {
		c.Sticks = append(c.Sticks, coulomb.Stick{})
	}
	if c.Overlap.Mode != OverlapRefuse {
		c.wholeDeflection = append(c.wholeDeflection, 0)
	}
	return int32(at)
}
