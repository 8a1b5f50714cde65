package contactnodes

import (
	"cmp"
	"slices"

	"fdem/contactnodes/coulomb"
	"fdem/contactnodes/rolling"
)

// Transfer is the contact transfer from contact by edges to contact of fragments (package
// potential). Contact nodes are searched under the edges of outlines, and these edges do not follow
// the fragments of a body that has broken. A fragment that comes from the side would be found deep
// inside at once, and energy would be created. So the contact points of two bodies are transferred
// once the crack faces of one of them have separated:
//
//	1 |--.              .---  under triangles
//	  |   `.          .'
//	  |     `.      .'        each stands for so much of its area
//	  |       `.  .'
//	  |         `'
//	0 |_______.'  `.________  under edges
//	          first faces have separated
//
// The two shares add up to 1. They change with time, independent of the motion of the bodies. The
// energy that this adds or removes is in the account of work, see work.Account. Two meshed bodies
// that approach so fast that one shatters have contact under triangles from the start. So do two
// bodies of one mesh that a joint or a crack may separate: their outlines end where they are
// joined, and the extension of one outline lies inside the other body as soon as they slide. A body
// without self-contact gets it when it breaks. If it overlaps itself then, the force is ramped in
// in the same way.
type Transfer struct {
	Fragments   []bool    // per body: its own edges are never in contact by contact nodes
	FromStart   [][]bool  // per two bodies: they have contact under triangles from the start
	Transfers   [][]bool  // per two bodies, or one and itself: their contact points are transferred when one breaks
	Now, Before []float64 // per body: the transferred fraction of its contact, at this evaluation and at the previous one, 0 to 1
	Left        []bool    // per body: it has been excavated, and has no contact
}

// NewTransfer returns the transfer of a number of bodies that transfer nothing yet.
func NewTransfer(bodies int) *Transfer {
	h := &Transfer{Fragments: make([]bool, bodies), Now: make([]float64, bodies), Before: make([]float64, bodies), Left: make([]bool, bodies)}
	for range bodies {
		h.FromStart, h.Transfers = append(h.FromStart, make([]bool, bodies)), append(h.Transfers, make([]bool, bodies))
	}
	return h
}

// Fraction returns the fraction of the contact of two bodies that is transferred now, and at the
// previous evaluation.
func (h *Transfer) Fraction(a, b int32) (now, before float64) {
	if h.FromStart[a][b] {
		return 1, 1
	}
	if !h.Transfers[a][b] {
		return 0, 0
	}
	return max(h.Now[a], h.Now[b]), max(h.Before[a], h.Before[b])
}

// remaining returns the fraction of the contact of two edges that is not transferred now, and at
// the previous evaluation.
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

// Invalidate makes the contact find again which edges may be in contact, after some have been
// transferred completely or excavated.
func (c *Contact) Invalidate() { c.build = -1 }

// EndExcavated ends the contact points of excavated bodies, as evaluated last, without work. It
// returns their stored energy [J]. A contact node that is also in contact with a remaining body is
// left to Stay.
func (c *Contact) EndExcavated() (stored float64) {
	left := func(edge int32) bool { return c.outline.Transfer.Left[c.outline.Edges[edge].Body] }
	n := &c.points
	c.partlyReleased = c.partlyReleased[:0]
	leaves := make([]bool, len(n.nodes))
	for i := range n.pairs {
		m := &n.pairs[i]
		gone := left(c.elements[m.element]) || left(m.edge)
		for k := m.first; k < m.end; k++ {
			leaves[k] = gone
		}
	}
	for k := 0; k < c.closed; {
		end := k + 1
		for end < c.closed && n.nodes[end].repeated {
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
	for i := range n.pairs {
		if m := &n.pairs[i]; left(m.own) || left(m.edge) {
			var of float64
			c.Rolls, of = rolling.End(c.Rolls, c.outline.Edges[m.own].Component, c.outline.Edges[m.edge].Component)
			c.FrictionWork -= of
			c.StickEnergy -= of
			stored += of
		}
	}
	c.Invalidate()
	return stored
}

// endContact ends the contact of a contact node without work. It returns the stored energy [J].
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
	if j, ok := slices.BinarySearchFunc(c.inContactBefore, nodeSlot{id: id}, nodeSlot.compare); ok {
		c.inContactBefore = slices.Delete(c.inContactBefore, j, j+1)
	}
	return stored
}

// Stay handles contact nodes that were in contact with an excavated and with a remaining body. They
// keep the part with the remaining body, as evaluated since, without work. It returns the stored
// energy of the other part [J].
func (c *Contact) Stay() (stored float64) {
	n := &c.points
	for _, id := range c.partlyReleased {
		i, touches := slices.BinarySearchFunc(n.nodes[:c.closed], id, func(t node, id int32) int { return cmp.Compare(t.id, id) })
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

// addTransferWork records the energy that the transfer has added to contact point i of an edge pair
// in the last step. whole is the area of the contact node [m2].
func (c *Contact) addTransferWork(m *edgePair, i int32, whole float64) {
	now, before := c.outline.remaining(c.elements[m.element], m.edge)
	kept := &c.Kept[c.points.nodes[i].slot]
	if now == before || kept.Deflection == 0 {
		return
	}
	c.TransferWork += float64(0.5 * (c.points.w[i] + kept.Energy) * whole * kept.AreaFraction * (now/before - 1))
}
