package contactnodes

import (
	"cmp"
	"fmt"
	"slices"

	"fdem/contactnodes/coulomb"
	"fdem/contactnodes/halves"
	"fdem/contactnodes/rolling"
	"fdem/contactnodes/work"
)

// State is what a contact stores from step to step (history variables). Its lists have entries for
// the contact nodes that have been in contact so far; most never are. It is part of a checkpoint.
type State struct {
	work.Done                    // work of the whole contact
	Touched      []int32         // contact nodes that have been in contact, in the order of their first contact
	Memory       []float64       // the law's memory, len(Law.Memory()) values per contact node
	Kept         []NodeState     // other values per contact node
	Sticks       []coulomb.Stick // friction per contact node; elastic stick only
	StickEnergy  float64         // present energy of the stick springs of the whole contact [J]
	Speeds       coulomb.Speeds  // greatest speeds of regularised friction so far
	RampWork     float64         // work so far of ramping in the initial overlap, of the whole contact [J]
	TransferWork float64         // work so far of contact transfer, of the whole contact [J]

	Rolls []rolling.State // rolling moments, ascending

	// Of pairs of edges, see rigidpairs.go and faces.go.
	Patches       []PatchState
	Grips         []GripState   // ascending
	Drags         []halves.Drag // friction of the halves of grips at the last evaluation
	OffsetBetween []PairOffset  // ascending
	PairElements  []int32       // contact elements that have touched
	PairPeaks     []float64     // greatest pressures so far of their contact nodes [Pa]
	PairPeak      float64       // greatest pressure so far [Pa]
	PairStored    float64       // stored energy at the last evaluation [J]
	PairDampers   NodeForces    // by dampers at the last evaluation

	columns     Columns
	pairColumns PairColumns
	rollColumns rolling.Columns
}

// NodeState is the stored values of a contact node that has been in contact. A step needs nearly
// all of them at once, and they fill one cache line.
type NodeState struct {
	Deflection   float64 // [m]; 0 if the node is not in contact
	Pressure     float64 // [Pa]
	Traction     float64 // friction on the contactor along the opposite edge [Pa]
	Slip         float64 // slip velocity along the opposite edges in its last contact [m/s]; 0 if the node is not in contact
	PeakPressure float64 // greatest pressure so far [Pa]
	AreaFraction float64 // fraction of the node's area that it represented in its last contact [-]
	Energy       float64 // recoverable, per area [J/m2]
	Offset       float64 // initial overlap that is not counted as deflection [m]; 0 without such an overlap
}

// nodeSlot is a contact node and the index of its state.
type nodeSlot struct{ id, slot int32 }

func (n nodeSlot) compare(o nodeSlot) int { return cmp.Compare(n.id, o.id) }

// Columns is Kept and Sticks in the form of a checkpoint: an array of each value, which is empty
// if the contact does not have that value.
type Columns struct {
	Deflection, Pressure, Traction, Slip       []float64
	StickTraction, StickStiffness              []float64 // as in coulomb.Stick
	Sliding                                    []bool
	PeakPressure, AreaFraction, Energy, Offset []float64
}

// Columns returns the columns of the state. Restore reads them after they have been filled. The
// next call changes them.
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

// eachColumn yields the columns of Kept, with a function that returns the value's address in a
// NodeState.
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

// RollColumns returns the columns of the rolling moments. Restore reads them after they have been filled.
// The next call changes them.
func (c *Contact) RollColumns() *rolling.Columns {
	c.rollColumns = rolling.ColumnsOf(c.Rolls)
	return &c.rollColumns
}

// Restore computes the data that follow from the state, after the state and its Columns have been
// filled. It fails for a state that no run can have.
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
	if c.Drags, whole = c.pairColumns.drags(); !whole {
		return fmt.Errorf("contact %q: the friction of its edges remembers less or more than it should", c.Name)
	}
	if c.Patches, c.OffsetBetween, c.Grips, whole = c.pairColumns.rows(); !whole || !c.indexPeaks() {
		return fmt.Errorf("contact %q: the patches of its rigid bodies remember less or more than they should", c.Name)
	}
	c.pairColumns = PairColumns{}
	if c.Rolls, whole = c.rollColumns.Rows(); !whole {
		return fmt.Errorf("contact %q: its rolling moments remember less or more than they should", c.Name)
	}
	c.rollColumns = rolling.Columns{}
	return c.index()
}

// indexPeaks finds where the peaks of contact elements of rigid bodies are. It tells whether they
// belong to the elements.
func (c *Contact) indexPeaks() bool {
	for i := range c.peaksOf {
		c.peaksOf[i] = noSlot
	}
	for i, e := range c.PairElements {
		if e < 0 || int(e) >= len(c.peaksOf) || c.peaksOf[e] != noSlot {
			return false
		}
		c.peaksOf[e] = int32(i * c.Nodes)
	}
	return len(c.PairPeaks) == c.Nodes*len(c.PairElements)
}

// index finds the slots of contact nodes, and which nodes are in contact or have an Offset, from
// the state.
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
			c.inContactBefore = append(c.inContactBefore, nodeSlot{c.Touched[i], int32(i)})
		}
		if c.Kept[i].Offset > 0 {
			c.withOffset = append(c.withOffset, int32(i))
		}
	}
	slices.SortFunc(c.inContactBefore, nodeSlot.compare)
	if c.Overlap.Mode != OverlapRefuse {
		c.wholeDeflection = slices.Grow(c.wholeDeflection[:0], len(c.Kept))[:len(c.Kept)]
	}
	return nil
}
