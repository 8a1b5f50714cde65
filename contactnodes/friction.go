package contactnodes

import "fdem/contactnodes/coulomb"

// Friction is Coulomb friction of tractions, per area: see package coulomb.
type Friction = coulomb.Friction

// stick is the friction of an elastic stick on a contact node that touches: where
// its pressure is p [Pa], its law's tangent k [Pa/m] and its area [m2]. The state
// stays as it is.
func (c *Contact) stick(t *node, m *meeting, p, k, area, dt float64) coulomb.Grip {
	f, at, own := &c.Friction, t.slot, c.elements[m.element]
	before := coulomb.Grip{Drag: c.Traction[at], Held: c.Held[at], Spring: c.Spring[at], Slides: c.Slides[at]}
	if old := c.area[m.element] * c.Share[at]; old < area { // it stands for more now: the force is the same
		before.Held *= old / area
	}
	brake := 0.0
	if f.Brake > 0 && dt > 0 && p > 0 {
		if eased := float64(c.bears[c.bearer(own)]*c.mobility[own]) + float64(c.bears[c.bearer(m.edge)]*c.mobility[m.edge]); eased > 0 {
			brake = -f.Brake * (p / eased) * (t.slip / dt)
		}
	}
	return f.Stick(before, p, f.Follow(k, before), float64(t.slip*dt), brake)
}

// bearer returns the edge under whose number bears counts what an edge bears.
func (c *Contact) bearer(edge int32) int32 {
	if c.Bearer == nil {
		return edge
	}
	return c.Bearer[edge]
}

// weigh fills bears with the normal forces on edges and on whole rigid bodies,
// from both sides: brakes share what they stop within one step by them.
func (c *Contact) weigh() {
	if c.Friction.Brake == 0 {
		return
	}
	n := &c.now
	for i := range n.meetings {
		m := &n.meetings[i]
		c.bears[c.bearer(c.elements[m.element])], c.bears[c.bearer(m.edge)] = 0, 0
	}
	for i := range n.meetings {
		m := &n.meetings[i]
		for k := m.first; k < m.end; k++ {
			force := float64(n.p[k] * n.nodes[k].force * (c.area[m.element] * n.nodes[k].share))
			c.bears[c.bearer(c.elements[m.element])] += force
			c.bears[c.bearer(m.edge)] += force
		}
	}
}

// hold makes what an elastic stick has come to the state, at a place there. before
// and area are those that it stood for until now, and stands for now [m2]. One
// without pressure lets its spring go slack.
func (c *Contact) hold(at int, grip *coulomb.Grip, before, area float64) {
	old := coulomb.Grip{Held: c.Held[at], Spring: c.Spring[at]}
	c.SpringEnergy += float64(grip.Energy()*area) - float64(old.Energy()*before)
	c.Held[at], c.Spring[at], c.Slides[at] = grip.Held, grip.Spring, grip.Slides
}
