package potential

import (
	"fdem/contactnodes"
	"fdem/contactnodes/coulomb"
	"fdem/materials/contact"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Scene is where the nodes are, how they came there, and what they weigh.
type Scene struct {
	X, V    []r2.Vec
	Inverse []r2.Vec // inverse masses [1/kg]
	Step    float64  // that led here [s]
	Next    float64  // to come [s]
	Speed   float64  // with which nodes may close in on one another [m/s]
}

// turned is the cosine of the angle between the directions of friction of two
// steps beyond which a stick spring lets go: the contact node has come to
// another side.
const turned = 0.8

// AddForces finds the contact nodes that touch, evaluates laws and friction, and
// adds the forces to out. With commit it keeps memory and books.
func (c *Contact) AddForces(out contactnodes.Forces, at Scene, commit bool) {
	if c.Sleeps() {
		return
	}
	c.x, c.v, c.step = at.X, at.V, at.Step
	c.margin = min(1.5*at.Next*at.Speed, 0.25*c.skin)
	c.search()
	if c.run != nil && len(c.faces) >= fewFaces && len(c.finders) > 1 {
		c.run(c.doFind)
	} else {
		for w := range c.finders {
			c.find(w)
		}
	}
	c.now = c.now[:0]
	for i := range c.finders {
		c.now = append(c.now, c.finders[i].touches...)
	}
	for _, f := range c.faces {
		c.energy[f] = 0
	}
	c.evaluate()
	c.next.Done = c.Done
	c.next.Touching, c.next.Values = c.next.Touching[:0], c.next.Values[:0]
	c.Stored, c.Spring, c.Active = 0, 0, 0
	before := 0 // touch of the state
	for i := range c.now {
		m := &c.now[i]
		old := c.upTo(m, &before)
		c.press(out, m, i, old, &at)
	}
	c.upTo(nil, &before)
	if commit {
		c.State, c.next = c.next, c.State
	}
}

// fewFaces is the number of faces that are not worth sharing.
const fewFaces = 200

// evaluate asks the laws for the pressures of touches: of those of a rule at once.
func (c *Contact) evaluate() {
	for i := range c.byRule {
		b := &c.byRule[i]
		b.of, b.d, b.rate, b.mem = b.of[:0], b.d[:0], b.rate[:0], b.mem[:0]
	}
	before := 0
	for i := range c.now {
		m := &c.now[i]
		b := &c.byRule[m.rule]
		b.of = append(b.of, int32(i))
		b.d = append(b.d, max(m.deflection, 0))
		b.rate = append(b.rate, elementary.Dot(m.slope, c.relative(m)))
		if n := len(c.Rules[m.rule].Law.Memory()); n > 0 {
			for ; before < len(c.Touching)/3 && c.precedes(before, m); before++ {
			}
			if old := c.same(before, m); old != nil {
				b.mem = append(b.mem, old[values:values+n]...)
			} else {
				for range n {
					b.mem = append(b.mem, 0)
				}
			}
		}
	}
	for i := range c.byRule {
		b := &c.byRule[i]
		for _, s := range [...]*[]float64{&b.p, &b.dp, &b.k, &b.w} {
			for len(*s) < len(b.d) {
				*s = append(*s, 0)
			}
			*s = (*s)[:len(b.d)]
		}
		c.Rules[i].Law.Eval(contact.Input{D: b.d, Rate: b.rate, Mem: b.mem}, contact.Output{P: b.p, DP: b.dp, K: b.k, W: b.w, Mem: b.mem})
		for k, j := range b.of {
			c.now[j].at = int32(k)
		}
	}
}

// precedes tells whether touch i of the state comes before m in their order.
func (c *Contact) precedes(i int, m *touch) bool {
	k := c.Touching[3*i : 3*i+3]
	return order(touch{face: k[0], target: k[1], point: k[2]}, *m) < 0
}

// same returns the values of touch i of the state if it is that of m, else nil.
func (c *Contact) same(i int, m *touch) []float64 {
	if 3*i >= len(c.Touching) {
		return nil
	}
	if k := c.Touching[3*i : 3*i+3]; k[0] != m.face || k[1] != m.target || k[2] != m.point {
		return nil
	}
	return c.Values[i*c.stride : (i+1)*c.stride]
}

// relative returns the velocity of a contact node past what is there of the
// target [m/s].
func (c *Contact) relative(m *touch) r2.Vec {
	na, nb := c.ends(m.face)
	u := place(m.point)
	a, b := c.v[na], c.v[nb]
	w := r2.Vec{X: a.X + float64(u*(b.X-a.X)), Y: a.Y + float64(u*(b.Y-a.Y))}
	for k, n := range m.node {
		if n >= 0 {
			w.X -= float64(m.weight[k] * c.v[n].X)
			w.Y -= float64(m.weight[k] * c.v[n].Y)
		}
	}
	if m.arm != 0 { // the edge turns
		a, b := m.node[0], m.node[1]
		d := sub(c.x[b], c.x[a])
		turn := cross(d, sub(c.v[b], c.v[a])) / elementary.Dot(d, d)
		w.X += float64(turn * m.arm * m.slope.Y)
		w.Y -= float64(turn * m.arm * m.slope.X)
	}
	return w
}

// upTo ends the touches of the state before m, all for nil, and returns the
// values of that which goes on as m, nil for none.
func (c *Contact) upTo(m *touch, before *int) []float64 {
	for ; 3**before < len(c.Touching); *before++ {
		if m != nil {
			if old := c.same(*before, m); old != nil {
				*before++
				if m.deflection > 0 && c.part[m.face] > 0 {
					return old
				}
				c.end(*before - 1)
				return nil
			}
			if !c.precedes(*before, m) {
				return nil
			}
		}
		c.end(*before)
	}
	return nil
}

// end books the last half step of a touch that has let go: its pressure and its
// friction still acted on the way out.
func (c *Contact) end(i int) {
	old := c.Values[i*c.stride : (i+1)*c.stride]
	k := c.Touching[3*i : 3*i+3]
	m := c.again(k[0], k[1], k[2])
	if !c.conserves[c.ruleOf(i)] {
		c.next.NormalWork -= float64(0.5 * old[pressure] * old[area] * old[deflection])
	}
	if old[friction] != 0 {
		w := c.relative(&m)
		slip := (float64(w.X*old[alongX]) + float64(w.Y*old[alongY])) * c.step
		c.next.FrictionWork -= float64(0.5 * old[friction] * old[area] * slip)
	}
}

// again returns a touch where it is now, wherever that is: as far as its relative
// velocity needs it.
func (c *Contact) again(face, target, point int32) touch {
	m := touch{face: face, target: target, point: point}
	na, nb := c.ends(face)
	u := place(point)
	a, b := c.x[na], c.x[nb]
	q := r2.Vec{X: a.X + float64(u*(b.X-a.X)), Y: a.Y + float64(u*(b.Y-a.Y))}
	if n := int32(len(c.Triangles)); target >= n { // the nearest edge's middle stands for the body
		e := &c.Outline.Edges[target-n]
		m.node, m.weight = [3]int32{e.A, e.B, -1}, [3]float64{0.5, 0.5, 0}
		return m
	}
	m.node = c.Triangles[target]
	m.weight, _ = coordinates(&[3]r2.Vec{c.x[m.node[0]], c.x[m.node[1]], c.x[m.node[2]]}, q)
	return m
}

// press adds the forces of touch i, m, of which old are the values so far, and
// notes it.
func (c *Contact) press(out contactnodes.Forces, m *touch, i int, old []float64, at *Scene) {
	b, rule := &c.byRule[m.rule], &c.Rules[m.rule]
	k := int(m.at)
	f := &c.Faces[m.face]
	whole := c.length[m.face] * c.Thickness / perFace
	if c.bodyOf(m.target) == c.Body[f.Triangle] { // both sides have contact nodes
		whole *= 0.5
	}
	size := float64(whole * c.part[m.face])
	c.addStiffness(out, m, 2*rule.Friction.Stiffest(b.k[k])*size, 2*c.damping[m.rule]*size)
	if !(m.deflection > 0) {
		return
	}
	c.Active++
	steep := norm(m.slope)
	along := r2.Vec{X: -m.slope.Y / steep, Y: m.slope.X / steep}
	slip := elementary.Dot(along, c.relative(m)) * c.step
	p, w := b.p[k], b.w[k]
	normal := p * steep
	var stick coulomb.Stick
	ended := 0.0 // area times friction of what has turned
	if old != nil {
		stick = coulomb.Stick{Friction: old[friction], Spring: old[spring], Stiffness: old[stiffness], Sliding: old[sliding] > 0}
		was := r2.Vec{X: old[alongX], Y: old[alongY]}
		ended = old[friction] * old[area]
		if elementary.Dot(was, along) < turned {
			stick = coulomb.Stick{}
		}
		rel := c.relative(m)
		c.next.FrictionWork -= float64(0.5 * ended * (float64(rel.X*was.X) + float64(rel.Y*was.Y)) * c.step)
		if stick.Spring != 0 && old[area] < size { // it stands for more now: the force is the same
			stick.Spring *= old[area] / size
		}
	}
	drag := 0.0
	if rule.Friction.Sticks() {
		stick = rule.Friction.Advance(stick, normal, rule.Friction.Follow(b.k[k], stick), slip, 0)
		drag = stick.Friction
	} else {
		drag, _ = rule.Friction.Regularised(normal, slip/max(c.step, 1e-300), c.least(m, normal*size, at))
	}
	c.next.FrictionWork -= float64(0.5 * drag * size * slip)
	c.Spring += float64(stick.Energy() * size)
	c.Stored += float64(w * size)
	c.energy[m.face] += float64(w * whole)

	force := r2.Vec{X: float64(drag*size*along.X) - float64(p*size*m.slope.X), Y: float64(drag*size*along.Y) - float64(p*size*m.slope.Y)}
	na, nb := c.ends(m.face)
	u := place(m.point)
	push(out, na, 1-u, force)
	push(out, nb, u, force)
	for q, n := range m.node {
		if n >= 0 {
			push(out, n, -m.weight[q], force)
		}
	}
	if m.arm != 0 { // the force acts at the contact node, not at the edge
		a, b := m.node[0], m.node[1]
		d := sub(c.x[b], c.x[a])
		couple := -float64(m.arm*cross(m.slope, force)) / elementary.Dot(d, d)
		push(out, a, -couple, r2.Vec{X: -d.Y, Y: d.X})
		push(out, b, couple, r2.Vec{X: -d.Y, Y: d.X})
	}

	if !c.conserves[m.rule] {
		d0, p0, w0, a0 := 0.0, 0.0, 0.0, size
		if old != nil {
			d0, p0, w0, a0 = old[deflection], float64(old[pressure]*old[area]), old[stored], old[area]
		}
		c.next.NormalWork += float64(0.5*(float64(p*size)+p0)*(m.deflection-d0)) + float64(0.5*(w+w0)*(size-a0))
	}
	moves := 0.0
	if stick.Sliding {
		moves = 1
	}
	c.next.Touching = append(c.next.Touching, m.face, m.target, m.point)
	c.next.Values = append(c.next.Values, m.deflection, p, w, size, drag, stick.Spring, stick.Stiffness, moves, along.X, along.Y)
	mem := len(rule.Law.Memory())
	c.next.Values = append(c.next.Values, b.mem[k*mem:(k+1)*mem]...)
	for range c.memory - mem {
		c.next.Values = append(c.next.Values, 0)
	}
}

// push adds a part of a force to a node.
func push(out contactnodes.Forces, n int32, part float64, force r2.Vec) {
	out.F[n].X += float64(part * force.X)
	out.F[n].Y += float64(part * force.Y)
	out.Load(n)
}

// addStiffness adds the stiffness [N/m] and the damping [N s/m] of a contact node
// to all that bear it.
func (c *Contact) addStiffness(out contactnodes.Forces, m *touch, k, r float64) {
	na, nb := c.ends(m.face)
	u := place(m.point)
	add := func(n int32, part float64) {
		out.Stiffness[n] += float64(part * k)
		out.Damping[n] += float64(part * r)
		out.Load(n)
	}
	add(na, 1-u)
	add(nb, u)
	for q, n := range m.node {
		if n >= 0 {
			add(n, min(max(m.weight[q], 0), 1))
		}
	}
}

// least returns the slip speed at which regularised friction under a force would
// stop its face within a step [m/s].
func (c *Contact) least(m *touch, force float64, at *Scene) float64 {
	na, nb := c.ends(m.face)
	w := max(at.Inverse[na].X, at.Inverse[na].Y, at.Inverse[nb].X, at.Inverse[nb].Y)
	for _, n := range m.node {
		if n >= 0 {
			w = max(w, at.Inverse[n].X, at.Inverse[n].Y)
		}
	}
	return c.Rules[m.rule].Friction.Kinetic * 2 * perFace * force * c.step * w
}
