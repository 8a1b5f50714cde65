package contactnodes

import (
	"cmp"
	"fmt"
	"slices"

	"fdem/contactnodes/coulomb"
	"fdem/contactnodes/work"
)

// State is what a contact remembers from step to step (history variables), lists of it
// for each contact node that has touched so far: most never do. It is part of a
// checkpoint.
type State struct {
	work.Done                   // of the whole contact
	Touched     []int32         // the contact nodes that have touched, in the order of their first contact
	Memory      []float64       // the law's memory, len(Law.Memory()) values per contact node
	Kept        []NodeState     // what else they remember
	Sticks      []coulomb.Stick // and of their friction; elastic stick only
	StickEnergy float64         // in the stick springs now, of the whole contact [J]
	Speeds      coulomb.Speeds  // of regularised friction, the greatest so far
	RampWork    float64         // done so far by letting an overlap at the start press, of the whole contact [J]
	HandedWork  float64         // and by handing touches over, see Handed [J]

	columns Columns
}

// NodeState is what a contact node that has touched remembers. A step asks for nearly all
// of it at once: it fills one line of the cache.
type NodeState struct {
	Deflection   float64 // [m], 0 where the node does not touch
	Pressure     float64 // [Pa]
	Traction     float64 // friction on the contactor along the opposite edge [Pa]
	Slip         float64 // of its last touch, by which it slides along the opposite edges [m/s], 0 where the node does not touch
	PeakPressure float64 // greatest pressure so far [Pa]
	AreaFraction float64 // of the node's area that its last touch stood for [-]
	Energy       float64 // recoverable, per area [J/m2]
	Offset       float64 // overlap at the start, not counted as deflection [m]; 0 where the overlap has no consent
}

// nodeSlot is a contact node and where its state is.
type nodeSlot struct{ id, slot int32 }

func (n nodeSlot) compare(o nodeSlot) int { return cmp.Compare(n.id, o.id) }

// Columns is Kept and Sticks as a checkpoint holds them: an array of each value, empty
// where the contact has none of it.
type Columns struct {
	Deflection, Pressure, Traction, Slip       []float64
	StickTraction, StickStiffness              []float64 // as coulomb.Stick has them
	Sliding                                    []bool
	PeakPressure, AreaFraction, Energy, Offset []float64
}

// Columns returns those of the state, which Restore takes back once someone has filled
// them; the next call changes them.
func (c *Contact) Columns() *Columns {
	k := &c.columns
	*k = Columns{}
	for column, of := range k.eachColumn {
		for i := range c.Kept {
			*column = append(*column, *of(&c.Kept[i]))
		}
	}
	if c.Overlap.Mode == OverlapRefuse {
		k.Offset = nil
	}
	for _, g := range c.Sticks {
		k.StickTraction, k.StickStiffness, k.Sliding = append(k.StickTraction, g.Spring), append(k.StickStiffness, g.Stiffness), append(k.Sliding, g.Sliding)
	}
	return k
}

// eachColumn yields the columns of Kept, and where a contact node has its value.
func (k *Columns) eachColumn(yield func(column *[]float64, of func(n *NodeState) *float64) bool) {
	_ = yield(&k.Deflection, func(n *NodeState) *float64 { return &n.Deflection }) &&
		yield(&k.Pressure, func(n *NodeState) *float64 { return &n.Pressure }) &&
		yield(&k.Traction, func(n *NodeState) *float64 { return &n.Traction }) &&
		yield(&k.Slip, func(n *NodeState) *float64 { return &n.Slip }) &&
		yield(&k.PeakPressure, func(n *NodeState) *float64 { return &n.PeakPressure }) &&
		yield(&k.AreaFraction, func(n *NodeState) *float64 { return &n.AreaFraction }) &&
		yield(&k.Energy, func(n *NodeState) *float64 { return &n.Energy }) &&
		yield(&k.Offset, func(n *NodeState) *float64 { return &n.Offset })
}

// Restore makes the data that follow from the state, after it and its Columns have been filled. It
// fails for a state that no run leaves.
func (c *Contact) Restore() error {
	k, n, sticks := &c.columns, len(c.Touched), 0
	if c.Friction.Sticks() {
		sticks = n
	}
	whole := len(c.Memory) == n*c.memorySize && len(k.StickTraction) == sticks && len(k.StickStiffness) == sticks && len(k.Sliding) == sticks
	c.Kept, c.Sticks = slices.Grow(c.Kept[:0], n)[:n], slices.Grow(c.Sticks[:0], sticks)[:sticks]
	clear(c.Kept)
	for column, of := range k.eachColumn {
		if column == &k.Offset && c.Overlap.Mode == OverlapRefuse {
			whole = whole && len(*column) == 0
			continue
		}
		if whole = whole && len(*column) == n; !whole {
			break
		}
		for i, v := range *column {
			*of(&c.Kept[i]) = v
		}
	}
	if !whole {
		return fmt.Errorf("contact %q: the %d contact nodes that have touched remember less or more than they should", c.Name, n)
	}
	for i := range c.Sticks {
		c.Sticks[i] = coulomb.Stick{Friction: k.Traction[i], Spring: k.StickTraction[i], Stiffness: k.StickStiffness[i], Sliding: k.Sliding[i]}
	}
	*k = Columns{}
	return c.index()
}

// index finds again where the state of a contact node is, which of them touch, and which
// have an Offset.
func (c *Contact) index() error {
	c.clearSlots()
	for i, id := range c.Touched {
		if id < 0 || int(id) >= c.ContactNodes() || *c.slot(id) != noSlot {
			return fmt.Errorf("contact %q: contact node %d stands twice among those that have touched, or is none of the %d", c.Name, id, c.ContactNodes())
		}
		*c.slot(id) = int32(i)
	}
	for i := range c.Kept {
		if n := &c.Kept[i]; n.Deflection > 0 {
			c.touchingBefore = append(c.touchingBefore, nodeSlot{c.Touched[i], int32(i)})
		}
		if c.Kept[i].Offset > 0 {
			c.withOffset = append(c.withOffset, int32(i))
		}
	}
	slices.SortFunc(c.touchingBefore, nodeSlot.compare)
	if c.Overlap.Mode != OverlapRefuse {
		c.wholeDeflection = slices.Grow(c.wholeDeflection[:0], len(c.Kept))[:len(c.Kept)]
	}
	return nil
}
