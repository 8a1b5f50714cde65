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
		to := min(lo+atOnce, hi)
		c.find(f, lo, to)
		c.press(f, c.faces[lo:to])
		if worker == 0 { // what comes first is added at once
			c.addAll(f)
		}
	}
}

// press evaluates the touches that have been found of some faces.
func (c *Contact) press(f *finder, faces []int32) {
	for _, face := range faces {
		c.energy[face] = 0
	}
	first := int32(0)
	for i := range f.pairs {
		p := &f.pairs[i]
		c.pressPair(f, p, f.touches[first:p.end])
		first = p.end
	}
	for last := faces[len(faces)-1]; 3*f.past < len(c.Touching) && c.Touching[3*f.past] <= last; f.past++ {
		c.end(f, f.past)
	}
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

// handed returns which part of a pair's touches has been handed over to it, and had been
// at the evaluation before.
func (c *Contact) handed(p *pair) (now, before float64) {
	f := &c.Faces[p.face]
	if body, of := c.Body[f.Triangle], c.bodyOf(p.target); !f.Fresh && (body != of || c.Handed.Meets[body][of]) {
		return c.Handed.Part(body, of)
	}
	return 1, 1
}

// areaOf returns for what area of its face a contact node of a pair stands, once the
// face takes part with all of it [m2].
func (c *Contact) areaOf(p *pair) float64 {
	whole := c.length[p.face] * c.Thickness / perFace
	if int(p.target) < len(c.Triangles) { // both sides have contact nodes
		whole *= 0.5
	}
	return whole
}

// pressPair makes a group of what the touches of a pair do, and notes those that press for
// the next state.
func (c *Contact) pressPair(f *finder, p *pair, touches []touch) {
	n := len(f.groups)
	f.groups = slices.Grow(f.groups, 1)[:n+1]
	g := &f.groups[n]
	*g = group{}
	g.rule, g.node = p.rule, p.node
	law, damping := &f.byRule[p.rule], c.damping[p.rule]
	of := &c.Rules[p.rule].Friction
	whole := c.areaOf(p)
	now, was := c.handed(p)
	size := float64(whole * c.part[p.face] * now)
	energy := c.energy[p.face]
	var sides [3]direction
	for i := range touches {
		m, at := &touches[i], int(p.first)+i
		if m.old >= 0 {
			for ; f.past < int(m.old); f.past++ {
				c.end(f, f.past)
			}
			f.past++
		}
		if m.deflection > 0 {
			d := &sides[m.side]
			if d.steep == 0 {
				d.point(p.slope[m.side])
			}
			w := law.w[at]
			c.pressBy(f, law, at, g, p, m, d, size)
			if was < now {
				c.hand(g, m, w, float64(size*(1-was/now)))
			}
			energy += float64(w * whole)
		} else if m.old >= 0 {
			c.end(f, int(m.old))
		}
		g.stiffen(m, 2*of.Stiffest(law.k[at])*size, 2*damping*size)
	}
	c.energy[p.face] = energy
}

// direction is that of a side of a pair.
type direction struct {
	along r2.Vec  // unit vector
	steep float64 // length of the slope
}

// point finds the direction of a side with a slope.
func (d *direction) point(slope r2.Vec) {
	d.steep = norm(slope)
	d.along = r2.Vec{X: -slope.Y / d.steep, Y: slope.X / d.steep}
}

// hand books what a touch, in which the law stores so much [J/m2], stores in the area [m2]
// that it has been handed over in the last step.
func (c *Contact) hand(g *group, m *touch, stores, area float64) {
	if m.old >= 0 {
		stores = 0.5 * (stores + c.Values[int(m.old)*c.stride+stored])
	}
	g.handedWork += float64(stores * area)
}

// pressBy adds the force of a touch, which stands at a place in the batch of its law, on so
// large an area [m2], to its group and notes it for the next state.
func (c *Contact) pressBy(f *finder, law *batch, at int, g *group, pair *pair, m *touch, d *direction, size float64) {
	rule, step := &c.Rules[g.rule], c.scene.Step
	along, slope := d.along, pair.slope[m.side]
	p, w, k := law.p[at], law.w[at], law.k[at]
	slip, normal := elementary.Dot(along, m.relative)*step, p*d.steep
	var stick coulomb.Stick
	var old []float64
	if m.old >= 0 {
		old = c.Values[int(m.old)*c.stride:][:values]
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
	if normal > g.Pressure {
		g.Pressure = normal
	}
	if m.deflection > g.Deflection {
		g.Deflection = m.deflection
	}
	if !c.conserves[g.rule] {
		d0, p0, w0, a0 := 0.0, 0.0, 0.0, size
		if old != nil {
			d0, p0, w0, a0 = old[deflection], float64(old[pressure]*old[area]), old[stored], old[area]
		}
		g.normalWork += float64(0.5*(float64(p*size)+p0)*(m.deflection-d0)) + float64(0.5*(w+w0)*(size-a0))
	}

	force := r2.Vec{X: float64(drag*size*along.X) - float64(p*size*slope.X), Y: float64(drag*size*along.Y) - float64(p*size*slope.Y)}
	u := place(m.point)
	w0, w1, w2 := -m.weight[0], -m.weight[1], -m.weight[2]
	on := &g.force
	on[0].X += float64((1 - u) * force.X)
	on[0].Y += float64((1 - u) * force.Y)
	on[1].X += float64(u * force.X)
	on[1].Y += float64(u * force.Y)
	on[2].X += float64(w0 * force.X)
	on[2].Y += float64(w0 * force.Y)
	on[3].X += float64(w1 * force.X)
	on[3].Y += float64(w1 * force.Y)
	on[4].X += float64(w2 * force.X)
	on[4].Y += float64(w2 * force.Y)
	if pair.arm != 0 { // the force acts at the contact node, not at the edge
		d := sub(c.x[g.node[3]], c.x[g.node[2]])
		couple := float64(pair.arm*cross(slope, force)) / elementary.Dot(d, d)
		pull := r2.Vec{X: -float64(couple * d.Y), Y: float64(couple * d.X)}
		on[2].X, on[2].Y = on[2].X+pull.X, on[2].Y+pull.Y
		on[3].X, on[3].Y = on[3].X-pull.X, on[3].Y-pull.Y
	}

	moves := 0.0
	if stick.Sliding {
		moves = 1
	}
	f.touching = append(f.touching, pair.face, pair.target, m.point)
	n := len(f.values)
	f.values = slices.Grow(f.values, c.stride)[:n+c.stride]
	v := f.values[n:][:values]
	v[deflection], v[pressure], v[stored], v[area] = m.deflection, p, w, size
	v[friction], v[spring], v[stiffness], v[sliding] = drag, stick.Spring, stick.Stiffness, moves
	v[alongX], v[alongY] = along.X, along.Y
	if c.memory > 0 {
		of, v := len(rule.Law.Memory()), f.values[n+values:]
		clear(v[copy(v, law.mem[at*of:(at+1)*of]):])
	}
}

// stiffen adds the stiffness k [N/m] and the damping r [N s/m] of a touch to the group.
func (g *group) stiffen(m *touch, k, r float64) {
	u := place(m.point)
	w0, w1, w2 := clamp(m.weight[0]), clamp(m.weight[1]), clamp(m.weight[2])
	g.stiffness[0] += float64((1 - u) * k)
	g.stiffness[1] += float64(u * k)
	g.stiffness[2] += float64(w0 * k)
	g.stiffness[3] += float64(w1 * k)
	g.stiffness[4] += float64(w2 * k)
	if r != 0 {
		g.damping[0] += float64((1 - u) * r)
		g.damping[1] += float64(u * r)
		g.damping[2] += float64(w0 * r)
		g.damping[3] += float64(w1 * r)
		g.damping[4] += float64(w2 * r)
	}
}

// clamp returns a weight from 0 to 1.
func clamp(w float64) float64 {
	if w < 0 {
		return 0
	}
	if w > 1 {
		return 1
	}
	return w
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
