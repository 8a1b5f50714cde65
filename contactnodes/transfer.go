package contactnodes

import (
	"cmp"
	"slices"

	"fdem/contactnodes/coulomb"
)

// Transfer is what contacts by edges leave to contact of fragments (package potential).
// A contact node is looked for under the edges of outlines, and these do not follow the fragments
// of a body that has broken. A fragment that comes from the side would be found deep inside at
// once, with energy from nowhere. So the contact points of two bodies are transferred once the
// crack faces of one of them have separated:
//
//	1 |--.              .---  under triangles
//	  |   `.          .'
//	  |     `.      .'        each stands for so much of its area
//	  |       `.  .'
//	  |         `'
//	0 |_______.'  `.________  under edges
//	          first faces have separated
//
// The two shares add up to 1. They change with time, whatever the bodies do; the energy that this
// adds or takes is in the account of work, see work.Account. Two meshed bodies that approach so fast
// that one shatters meet under triangles from the start. So do two bodies of one mesh that a joint
// or a crack may separate: their outlines end where they are joined, and the prolongation of one
// outline lies in the other body as soon as they slide. A body that had no contact with itself
// before gets it when it breaks: where it overlaps itself, the force is ramped in in the same way.
type Transfer struct {
	Fragments   []bool    // per body: its own edges never meet by contact nodes
	FromStart   [][]bool  // per two bodies: they meet under triangles from the start
	Transfers   [][]bool  // per two bodies, or one and itself: they transfer what touches
	Now, Before []float64 // per body: the part that it has transferred, at this evaluation and at the one before, 0 to 1
	Left        []bool    // per body: it has been excavated, and meets nothing
}

// NewTransfer returns that of so many bodies, none of which hands anything over.
func NewTransfer(bodies int) *Transfer {
	h := &Transfer{Fragments: make([]bool, bodies), Now: make([]float64, bodies), Before: make([]float64, bodies), Left: make([]bool, bodies)}
	for range bodies {
		h.FromStart, h.Transfers = append(h.FromStart, make([]bool, bodies)), append(h.Transfers, make([]bool, bodies))
	}
	return h
}

// Fraction returns which part of the contact points of two bodies is transferred, and was at the
// evaluation before.
func (h *Transfer) Fraction(a, b int32) (now, before float64) {
	if h.FromStart[a][b] {
		return 1, 1
	}
	if !h.Transfers[a][b] {
		return 0, 0
	}
	return max(h.Now[a], h.Now[b]), max(h.Before[a], h.Before[b])
}

// remaining returns which part of the contact points of two edges is not transferred, and was not at
// the evaluation before.
func (o *Outline) remaining(i, j int32) (now, before float64) {
	if o.Transfer == nil {
		return 1, 1
	}
	a, b := o.Edges[i].Body, o.Edges[j].Body
	if a == b && o.Transfer.Fragments[a] || o.Transfer.FromStart[a][b] || o.Transfer.Left[a] || o.Transfer.Left[b] {
		return 0, 0
	}
	now, before = o.Transfer.Fraction(a, b)
	return 1 - now, 1 - before
}

// Invalidate makes the contact look anew which edges may touch: some have handed all over, or
// have left.
func (c *Contact) Invalidate() { c.build = -1 }

// EndExcavated ends the contact points of bodies that have left, as last evaluated, without work, and
// returns what was stored in them [J]. A contact node that touches what stays as well waits
// for Stay.
func (c *Contact) EndExcavated() (stored float64) {
	left := func(edge int32) bool { return c.outline.Transfer.Left[c.outline.Edges[edge].Body] }
	n := &c.touching
	c.partlyReleased = c.partlyReleased[:0]
	leaves := make([]bool, len(n.nodes))
	for i := range n.pairs {
		m := &n.pairs[i]
		gone := left(c.elements[m.element]) || left(m.edge)
		for k := m.first; k < m.end; k++ {
			leaves[k] = gone
		}
	}
	for k := 0; k < c.Active; {
		end := k + 1
		for end < c.Active && n.nodes[end].repeated {
			end++
		}
		some, all := slices.Contains(leaves[k:end], true), !slices.Contains(leaves[k:end], false)
		switch t := &n.nodes[k]; {
		case all:
			stored += c.endContact(t.id, int(t.slot))
		case some:
			c.partlyReleased = append(c.partlyReleased, t.id)
		}
		k = end
	}
	c.Invalidate()
	return stored
}

// endContact ends that of a contact node, without work, and returns what was stored [J].
func (c *Contact) endContact(id int32, at int) (stored float64) {
	kept := &c.Kept[at]
	if kept.Deflection == 0 {
		return 0
	}
	area := c.area[int(id)/c.Nodes] * kept.AreaFraction
	stored = float64(kept.Energy * area)
	c.NormalWork -= stored
	c.Stored -= stored
	if c.Friction.Sticks() {
		of := float64(c.Sticks[at].Energy() * area)
		c.FrictionWork -= of
		c.StickEnergy -= of
		stored += of
		c.Sticks[at] = coulomb.Stick{}
	}
	kept.Deflection, kept.Pressure, kept.Traction, kept.Slip, kept.Energy = 0, 0, 0, 0, 0
	if j, ok := slices.BinarySearchFunc(c.touchingBefore, nodeSlot{id: id}, nodeSlot.compare); ok {
		c.touchingBefore = slices.Delete(c.touchingBefore, j, j+1)
	}
	return stored
}

// Stay gives contact nodes that have touched what has left and what stays the part of the
// latter as it has been evaluated since, without work, and returns what was stored in the
// other [J].
func (c *Contact) Stay() (stored float64) {
	n := &c.touching
	for _, id := range c.partlyReleased {
		i, touches := slices.BinarySearchFunc(n.nodes[:c.Active], id, func(t node, id int32) int { return cmp.Compare(t.id, id) })
		if !touches {
			stored += c.endContact(id, int(*c.slot(id)))
			continue
		}
		t := &n.nodes[i]
		at, whole := int(t.slot), c.area[int(id)/c.Nodes]
		kept := &c.Kept[at]
		before, area := float64(whole*kept.AreaFraction), float64(whole*t.fraction)
		of := float64(kept.Energy*before) - float64(n.w[i]*area)
		c.NormalWork -= of
		stored += of
		if c.Friction.Sticks() {
			had := c.StickEnergy
			c.commitStick(at, &c.stick[i], before, area)
			c.FrictionWork += c.StickEnergy - had
			stored -= c.StickEnergy - had
		}
		kept.AreaFraction, kept.Deflection, kept.Pressure, kept.Traction, kept.Energy = t.fraction, n.d[i], n.p[i], n.friction[i], n.w[i]
	}
	c.partlyReleased = c.partlyReleased[:0]
	return stored
}

// addTransferWork records what the transfer has taken from the energy of contact point i, of an
// edge pair, in the last step; whole is the area of the contact node [m2].
func (c *Contact) addTransferWork(m *edgePair, i int32, whole float64) {
	now, before := c.outline.remaining(c.elements[m.element], m.edge)
	kept := &c.Kept[c.touching.nodes[i].slot]
	if now == before || kept.Deflection == 0 {
		return
	}
	c.HandedWork += float64(0.5 * (c.touching.w[i] + kept.Energy) * whole * kept.AreaFraction * (now/before - 1))
}
