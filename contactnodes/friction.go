package contactnodes

import "fdem/contactnodes/coulomb"

// Friction is Coulomb friction per area, see package coulomb.
type Friction = coulomb.Friction

// rub is the friction of a contact node that touches: where its pressure is p
// [Pa], its law's tangent k [Pa/m] and its area [m2], and where the contact
// element bears load times area [Pa] in all. It remembers the result beside the
// touch; the state stays as it is.
func (c *Contact) rub(t *node, p, k, load, area, dt float64) {
	f := &c.Friction
	if !f.Sticks() {
		// it stops nothing within one step: the impulse is that on the contact
		// element, from both sides
		mobility := c.mobility[c.elements[t.element]] + c.mobility[t.edge]
		t.grip.Drag, t.speed = f.Regularised(p, t.slip, f.Kinetic*(load*dt)*mobility)
		return
	}
	id := c.id(t)
	before := coulomb.Grip{Drag: c.Traction[id], Held: c.Held[id], Spring: c.Spring[id], Slides: c.Slides[id]}
	if old := c.area[t.element] * c.Share[id]; old < area { // it stands for more now: the force is the same
		before.Held *= old / area
	}
	brake := 0.0
	if f.Brake > 0 && dt > 0 && p > 0 {
		a, b := c.elements[t.element], t.edge
		if eased := float64(c.bears[c.bearer(a)]*c.mobility[a]) + float64(c.bears[c.bearer(b)]*c.mobility[b]); eased > 0 {
			brake = -f.Brake * (p / eased) * (t.slip / dt)
		}
	}
	t.grip = f.Stick(before, p, f.Follow(k, before), float64(t.slip*dt), brake)
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
	for i := range c.touches {
		t := &c.touches[i]
		c.bears[c.bearer(c.elements[t.element])], c.bears[c.bearer(t.edge)] = 0, 0
	}
	for i := range c.touches {
		t := &c.touches[i]
		if t.deflection > 0 {
			force := float64(c.packed.p[i] * (c.area[t.element] * t.share))
			c.bears[c.bearer(c.elements[t.element])] += force
			c.bears[c.bearer(t.edge)] += force
		}
	}
}

// hold makes what rub found the state. before and area are those that the
// contact node stood for until now, and stands for now [m2]. One without
// pressure lets its spring go slack.
func (c *Contact) hold(t *node, before, area, dt float64) {
	id := c.id(t)
	if c.Friction.Sticks() {
		old := coulomb.Grip{Held: c.Held[id], Spring: c.Spring[id]}
		c.SpringEnergy += float64(t.grip.Energy()*area) - float64(old.Energy()*before)
		c.Held[id], c.Spring[id], c.Slides[id] = t.grip.Held, t.grip.Spring, t.grip.Slides
	}
	drag := float64(t.grip.Drag*area) + float64(c.Traction[id]*before)
	c.FrictionWork -= float64(0.5 * drag * t.slip * dt)
	c.Traction[id] = t.grip.Drag
	c.Widest = max(c.Widest, t.speed)
}
