package potential

import (
	"math"
	"slices"

	"fdem/contactnodes"
	"fdem/contactnodes/coulomb"
	"fdem/contactnodes/motion"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Scene is where the nodes are, how they came there, and what they weigh.
type Scene struct {
	X, V   []r2.Vec
	Masses *motion.Masses
	Step   float64 // that led here [s]
	Next   float64 // to come [s]
	Speed  float64 // with which nodes may close in on one another [m/s]
}

// stepsAhead is how many steps a contact node is looked at before it may touch.
const stepsAhead = 1.5

// turned is the cosine of the angle between the directions of friction of two
// steps beyond which a stick spring lets go: the contact node has come to
// another side.
const turned = 0.8

// Sum is what the touches of a rule come to.
type Sum struct {
	Active             int     // touches
	Stored, Spring     float64 // recoverable, by the law and in stick springs [J]
	Normal, Tangential float64 // sums of the forces [N]
	Push               r2.Vec  // resultant on the faces [N]
	Moment             float64 // of it about the origin [N m]
	Pressure           float64 // the greatest [Pa]
	Deflection         float64 // the greatest [m]
}

// ended is work of the last half step of a touch that has let go [J].
type ended struct {
	rule             int32
	normal, friction float64
}

// AddForces finds the contact nodes that touch, evaluates laws and friction, and
// adds the forces to out. With commit it keeps memory and books.
func (c *Contact) AddForces(out contactnodes.Forces, at Scene, commit bool) {
	if c.at == nil { // what the state has takes part once more
		for i := 0; i < len(c.Touching); i += 3 {
			c.rouse(c.Touching[i])
		}
	}
	if c.Sleeps() {
		return
	}
	c.x, c.v, c.scene, c.out = at.X, at.V, at, out
	c.margin = min(stepsAhead*at.Next*at.Speed, 0.25*c.skin)
	c.search()
	c.next.NormalWork = append(c.next.NormalWork[:0], c.NormalWork...)
	c.next.FrictionWork = append(c.next.FrictionWork[:0], c.FrictionWork...)
	c.next.HandedWork = append(c.next.HandedWork[:0], c.HandedWork...)
	clear(c.Sums)
	c.share(len(c.faces), fewFaces, c.doMeet)
	first := &c.finders[0] // has all, or the first of them: no need to copy these
	c.next.Touching, first.touching = first.touching, c.next.Touching
	c.next.Values, first.values = first.values, c.next.Values
	c.addAll(first)
	for i := 1; i < c.chunks; i++ {
		f := &c.finders[i]
		c.addAll(f)
		c.next.Touching, c.next.Values = append(c.next.Touching, f.touching...), append(c.next.Values, f.values...)
	}
	c.Active = len(c.next.Touching) / 3
	for i := range c.chunks {
		for _, e := range c.finders[i].ended {
			c.next.NormalWork[e.rule] += e.normal
			c.next.FrictionWork[e.rule] += e.friction
		}
	}
	if commit {
		c.State, c.next = c.next, c.State
	}
}

// addAll adds what the groups that a worker has do, and drops them.
func (c *Contact) addAll(f *finder) {
	for i := range f.groups {
		c.add(c.out, &f.groups[i])
	}
	f.groups = f.groups[:0]
}

// add adds what a group does to its nodes, and to the sums of its rule.
func (c *Contact) add(out contactnodes.Forces, g *group) {
	for k, n := range g.node {
		if n < 0 {
			continue
		}
		on := out.On(n)
		on.F.X += g.force[k].X
		on.F.Y += g.force[k].Y
		on.Stiffness += g.stiffness[k]
		on.Damping += g.damping[k]
	}
	s := &c.Sums[g.rule]
	s.Active += g.Active
	s.Stored += g.Stored
	s.Spring += g.Spring
	s.Normal += g.Normal
	s.Tangential += g.Tangential
	s.Push.X += g.force[0].X + g.force[1].X
	s.Push.Y += g.force[0].Y + g.force[1].Y
	s.Moment += cross(c.x[g.node[0]], g.force[0]) + cross(c.x[g.node[1]], g.force[1])
	s.Pressure = max(s.Pressure, g.Pressure)
	s.Deflection = max(s.Deflection, g.Deflection)
	c.next.NormalWork[g.rule] += g.normalWork
	c.next.FrictionWork[g.rule] += g.frictionWork
	c.next.HandedWork[g.rule] += g.handedWork
}

// meet is a worker's part of the contact. It takes some faces at a time, all that is
// to be done with them: what they find then stays in the nearest caches.
func (c *Contact) meet(worker int) {
	f := &c.finders[worker]
	lo, hi := c.chunk(worker, len(c.faces))
	f.before = c.firstOf(lo)
	f.past = f.before
	f.groups, f.ended, f.touching, f.values = f.groups[:0], f.ended[:0], f.touching[:0], f.values[:0]
	for ; lo < hi; lo += atOnce {
		to, group := min(lo+atOnce, hi), len(f.groups)
		c.find(f, lo, to)
		c.press(f, c.faces[lo:to], group)
		if c.chunks == 1 {
			c.addAll(f)
		}
	}
}

// press evaluates the touches that have been found of some faces, from a group on.
func (c *Contact) press(f *finder, faces []int32, group int) {
	before, i := f.past, int32(0)
	for _, face := range faces {
		c.energy[face] = 0
		for ; group < len(f.groups) && f.groups[group].face == face; group++ {
			g := &f.groups[group]
			law := &f.byRule[g.rule]
			whole := c.areaOf(g)
			now, was := c.handed(g)
			size := float64(whole * c.part[face] * now)
			for ; i < g.end; i++ {
				m := &f.touches[i]
				if m.old >= 0 {
					for ; before < int(m.old); before++ {
						c.end(f, before)
					}
					before++
				}
				switch {
				case m.deflection > 0:
					c.pressBy(f, law, g, m, size)
					if was < now {
						c.hand(law, g, m, float64(size*(1-was/now)))
					}
					c.energy[face] += float64(law.w[m.at] * whole)
				case m.old >= 0:
					c.end(f, int(m.old))
				}
				c.stiffen(law, g, m, size)
			}
		}
		for ; 3*before < len(c.Touching) && c.Touching[3*before] == face; before++ {
			c.end(f, before)
		}
	}
	f.past = before
}

// end books the last half step of a touch that has let go: its pressure and its
// friction still acted on the way out.
func (c *Contact) end(f *finder, i int) {
	old, e := c.Values[i*c.stride:(i+1)*c.stride], ended{rule: c.ruleOf(i)}
	if !c.conserves[e.rule] {
		e.normal = -float64(0.5 * old[pressure] * old[area] * old[deflection])
	}
	if old[friction] != 0 {
		w := c.velocityPast(c.Touching[3*i], c.Touching[3*i+1], c.Touching[3*i+2])
		slip := (float64(w.X*old[alongX]) + float64(w.Y*old[alongY])) * c.scene.Step
		e.friction = -float64(0.5 * old[friction] * old[area] * slip)
	}
	f.ended = append(f.ended, e)
}

// velocityPast returns the velocity of a contact node past its target, wherever that
// is now [m/s].
func (c *Contact) velocityPast(face, target, point int32) r2.Vec {
	na, nb := c.ends(face)
	u := place(point)
	between := func(x []r2.Vec) r2.Vec {
		return r2.Vec{X: x[na].X + float64(u*(x[nb].X-x[na].X)), Y: x[na].Y + float64(u*(x[nb].Y-x[na].Y))}
	}
	w := between(c.v)
	if n := int32(len(c.Triangles)); target >= n { // the nearest edge's middle stands for the body
		e := &c.Outline.Edges[target-n]
		w.X -= float64(0.5 * (c.v[e.A].X + c.v[e.B].X))
		w.Y -= float64(0.5 * (c.v[e.A].Y + c.v[e.B].Y))
		return w
	}
	node := &c.Triangles[target]
	weight, _ := coordinates(&[3]r2.Vec{c.x[node[0]], c.x[node[1]], c.x[node[2]]}, between(c.x))
	for k, n := range node {
		w.X -= float64(weight[k] * c.v[n].X)
		w.Y -= float64(weight[k] * c.v[n].Y)
	}
	return w
}

// handed returns which part of a group's touches has been handed over to it, and had been
// at the evaluation before.
func (c *Contact) handed(g *group) (now, before float64) {
	f := &c.Faces[g.face]
	if body, of := c.Body[f.Triangle], c.bodyOf(g.target); !f.Fresh && (body != of || c.Handed.Meets[body][of]) {
		return c.Handed.Part(body, of)
	}
	return 1, 1
}

// hand books what a touch stores in the area [m2] that it has been handed over in the
// last step.
func (c *Contact) hand(law *batch, g *group, m *touch, area float64) {
	stores := law.w[m.at]
	if m.old >= 0 {
		stores = 0.5 * (stores + c.Values[int(m.old)*c.stride+stored])
	}
	g.handedWork += float64(stores * area)
}

// areaOf returns for what area of its face a contact node of a group stands, once the
// face takes part with all of it [m2].
func (c *Contact) areaOf(g *group) float64 {
	whole := c.length[g.face] * c.Thickness / perFace
	if int(g.target) < len(c.Triangles) { // both sides have contact nodes
		whole *= 0.5
	}
	return whole
}

// pressBy adds the force of a touch, on so large an area [m2], to its group and notes it
// for the next state.
func (c *Contact) pressBy(f *finder, law *batch, g *group, m *touch, size float64) {
	rule := &c.Rules[g.rule]
	steep := norm(m.slope)
	along := r2.Vec{X: -m.slope.Y / steep, Y: m.slope.X / steep}
	step := c.scene.Step
	slip := elementary.Dot(along, m.relative) * step
	p, w, k := law.p[m.at], law.w[m.at], law.k[m.at]
	normal := p * steep
	var stick coulomb.Stick
	var old []float64
	if m.old >= 0 {
		old = c.Values[int(m.old)*c.stride : (int(m.old)+1)*c.stride]
		stick = coulomb.Stick{Friction: old[friction], Spring: old[spring], Stiffness: old[stiffness], Sliding: old[sliding] > 0}
		was := r2.Vec{X: old[alongX], Y: old[alongY]}
		if elementary.Dot(was, along) < turned {
			stick = coulomb.Stick{}
		}
		g.frictionWork -= float64(0.5 * old[friction] * old[area] * elementary.Dot(m.relative, was) * step)
		if stick.Spring != 0 && old[area] < size { // it stands for more now: the force is the same
			stick.Spring *= old[area] / size
		}
	}
	drag := 0.0
	if rule.Friction.Sticks() {
		stick = rule.Friction.Advance(stick, normal, rule.Friction.Follow(k, stick), slip, 0)
		drag = stick.Friction
	} else {
		drag, _ = rule.Friction.Regularised(normal, slip/max(step, 1e-300), c.least(g, normal*size))
	}
	g.frictionWork -= float64(0.5 * drag * size * slip)
	g.Active++
	g.Spring += float64(stick.Energy() * size)
	g.Stored += float64(w * size)
	g.Normal += float64(normal * size)
	g.Tangential += math.Abs(float64(drag * size))
	g.Pressure = max(g.Pressure, normal)
	g.Deflection = max(g.Deflection, m.deflection)
	if !c.conserves[g.rule] {
		d0, p0, w0, a0 := 0.0, 0.0, 0.0, size
		if old != nil {
			d0, p0, w0, a0 = old[deflection], float64(old[pressure]*old[area]), old[stored], old[area]
		}
		g.normalWork += float64(0.5*(float64(p*size)+p0)*(m.deflection-d0)) + float64(0.5*(w+w0)*(size-a0))
	}

	force := r2.Vec{X: float64(drag*size*along.X) - float64(p*size*m.slope.X), Y: float64(drag*size*along.Y) - float64(p*size*m.slope.Y)}
	u := place(m.point)
	for k, part := range [5]float64{1 - u, u, -m.weight[0], -m.weight[1], -m.weight[2]} {
		g.force[k].X += float64(part * force.X)
		g.force[k].Y += float64(part * force.Y)
	}
	if m.arm != 0 { // the force acts at the contact node, not at the edge
		d := sub(c.x[g.node[3]], c.x[g.node[2]])
		couple := float64(m.arm*cross(m.slope, force)) / elementary.Dot(d, d)
		pull := r2.Vec{X: -float64(couple * d.Y), Y: float64(couple * d.X)}
		g.force[2].X, g.force[2].Y = g.force[2].X+pull.X, g.force[2].Y+pull.Y
		g.force[3].X, g.force[3].Y = g.force[3].X-pull.X, g.force[3].Y-pull.Y
	}

	moves := 0.0
	if stick.Sliding {
		moves = 1
	}
	f.touching = append(f.touching, g.face, g.target, m.point)
	n := len(f.values)
	f.values = slices.Grow(f.values, c.stride)[:n+c.stride]
	v := f.values[n:]
	v[deflection], v[pressure], v[stored], v[area] = m.deflection, p, w, size
	v[friction], v[spring], v[stiffness], v[sliding] = drag, stick.Spring, stick.Stiffness, moves
	v[alongX], v[alongY] = along.X, along.Y
	if c.memory > 0 {
		n := len(rule.Law.Memory())
		clear(v[values+copy(v[values:], law.mem[int(m.at)*n:(int(m.at)+1)*n]):])
	}
}

// stiffen adds the stiffness and the damping of a touch, on so large an area [m2], to its
// group.
func (c *Contact) stiffen(law *batch, g *group, m *touch, size float64) {
	k, r := 2*c.Rules[g.rule].Friction.Stiffest(law.k[m.at])*size, 2*c.damping[g.rule]*size
	u := place(m.point)
	for i, part := range [5]float64{1 - u, u, min(max(m.weight[0], 0), 1), min(max(m.weight[1], 0), 1), min(max(m.weight[2], 0), 1)} {
		g.stiffness[i] += float64(part * k)
		g.damping[i] += float64(part * r)
	}
}

// least returns the slip speed at which regularised friction under a force would
// stop a face within a step [m/s].
func (c *Contact) least(g *group, force float64) float64 {
	w := 0.0
	for _, n := range g.node {
		if n >= 0 {
			inverse := c.scene.Masses.Inverse(n)
			w = max(w, inverse.X, inverse.Y)
		}
	}
	return c.Rules[g.rule].Friction.Kinetic * 2 * perFace * force * c.scene.Step * w
}
