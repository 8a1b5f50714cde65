package potential

import (
	"math"
	"math/bits"
	"slices"

	"fdem/contactnodes/coulomb"
	"fdem/contactnodes/motion"
	"fdem/contactnodes/onnodes"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Scene is the positions, velocities and masses of the nodes, and the lengths of the steps.
type Scene struct {
	X, V   []r2.Vec
	Masses *motion.Masses
	Step   float64 // last step [s]
	Next   float64 // next step [s]
	Speed  float64 // greatest closing speed of nodes [m/s]
}

// stepsAhead is the number of steps before contact at which a contact node is first evaluated.
const stepsAhead = 1.5

// turned is the cosine of the greatest angle between the directions of friction of two steps for
// which a stick spring is kept. At a greater angle the contact node is at another side.
const turned = 0.8

// Sum is the totals of the contact points of a rule.
type Sum struct {
	Active             int     // number of contact points
	Stored, Spring     float64 // recoverable, by the law and in stick springs [J]
	Normal, Tangential float64 // sums of the forces [N]
	Push               r2.Vec  // resultant on the faces [N]
	Moment             float64 // moment of Push about the origin [N m]
	Pressure           float64 // greatest pressure [Pa]
	Deflection         float64 // greatest deflection [m]
}

// ended is the work of the last half step of a contact point that has ended [J].
type ended struct {
	rule             int32
	normal, friction float64
}

// AddForces finds the contact points, evaluates laws and friction, and adds the forces to out. With
// commit it updates memory and work.
func (c *Contact) AddForces(out onnodes.Forces, at Scene, commit bool) {
	if c.at == nil { // contact points of the state continue
		for i := range c.pairs() {
			c.activate(c.pairAt(i).face)
		}
	}
	if c.Sleeps() {
		return
	}
	c.bent = slices.Contains(c.Bent, true)
	c.x, c.v, c.scene, c.out = at.X, at.V, at, out
	c.margin = min(stepsAhead*at.Next*at.Speed, 0.25*c.skin)
	c.search()
	n := len(c.Values) // new contact points begin with zeros
	c.Values = slices.Grow(c.Values, c.stride)
	clear(c.Values[n : n+c.stride])
	c.next.NormalWork = append(c.next.NormalWork[:0], c.NormalWork...)
	c.next.FrictionWork = append(c.next.FrictionWork[:0], c.FrictionWork...)
	c.next.TransferWork = append(c.next.TransferWork[:0], c.TransferWork...)
	clear(c.Sums)
	c.shareWork(len(c.faces), fewFaces, c.doPress)
	first := &c.finders[0] // it has all of them, or the first ones, which need not be copied
	c.next.InContact, first.inContact = first.inContact, c.next.InContact
	c.next.Values, first.values = first.values, c.next.Values
	for i := 1; i < c.chunks; i++ {
		f, before, n := &c.finders[i], int32(len(c.next.Values)/c.stride), len(c.next.InContact)
		c.addAll(f)
		c.next.InContact, c.next.Values = append(c.next.InContact, f.inContact...), append(c.next.Values, f.values...)
		for ; n < len(c.next.InContact); n += pairNumbers {
			c.next.InContact[n+2] += before
		}
	}
	c.Active = len(c.next.Values) / c.stride
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

// addAll adds a worker's groups to their nodes and to the sums of their rules, and clears them.
func (c *Contact) addAll(f *finder) {
	for groups := f.groups; len(groups) > 0; {
		n := 1
		for n < len(groups) && groups[n].rule == groups[0].rule {
			n++
		}
		c.addSome(groups[:n])
		groups = groups[n:]
	}
	f.groups = f.groups[:0]
}

// addSome adds groups of one rule.
func (c *Contact) addSome(groups []group) {
	rule := groups[0].rule
	s, w := c.Sums[rule], &c.next
	normal, friction, transferred := w.NormalWork[rule], w.FrictionWork[rule], w.TransferWork[rule]
	for i := range groups {
		g := &groups[i]
		if g.node[0] < 0 {
			continue
		}
		c.kernel.add(&c.out, g)
		first, second := &g.on[0].F, &g.on[1].F
		s.Active += int(g.active)
		s.Stored += g.stored
		s.Spring += g.spring
		s.Normal += g.normal
		s.Tangential += g.tangential
		s.Push.X += first.X + second.X
		s.Push.Y += first.Y + second.Y
		s.Moment += cross(c.x[g.node[0]], *first) + cross(c.x[g.node[1]], *second)
		if g.pressure > s.Pressure {
			s.Pressure = g.pressure
		}
		if g.deflection > s.Deflection {
			s.Deflection = g.deflection
		}
		normal += g.normalWork
		friction += g.frictionWork
		transferred += g.transferredWork
	}
	c.Sums[rule] = s
	w.NormalWork[rule], w.FrictionWork[rule], w.TransferWork[rule] = normal, friction, transferred
}

// addPlain adds a group to its nodes.
func addPlain(out *onnodes.Forces, g *group) {
	for k, n := range g.node {
		if n < 0 {
			continue
		}
		on, l := out.On(n), &g.on[k]
		on.F.X += l.F.X
		on.F.Y += l.F.Y
		on.Stiffness += l.Stiffness
		on.Damping += l.Damping
	}
}

// pressFaces is a worker's part of the contact. It processes a few faces at a time, so that their data
// stay in the fastest caches.
func (c *Contact) pressFaces(worker int) {
	f := &c.finders[worker]
	lo, hi := c.chunk(worker, len(c.faces))
	f.begin(&c.State, c.firstOf(lo))
	f.groups, f.ended, f.inContact, f.points, f.values = f.groups[:0], f.ended[:0], f.inContact[:0], 0, f.values[:0]
	for ; lo < hi; lo += atOnce {
		to := min(lo+atOnce, hi)
		c.find(f, lo, to)
		c.press(f, c.faces[lo:to])
		if worker == 0 { // the first results are added at once
			c.addAll(f)
		}
	}
}

// press evaluates the contact points found for some faces.
func (c *Contact) press(f *finder, faces []int32) {
	for _, face := range faces {
		c.energy[face] = 0
	}
	size := int(f.points) * c.stride // one more for contact nodes that are not in contact
	f.values = slices.Grow(f.values, size+c.stride-len(f.values))[:size+c.stride]
	f.groups = slices.Grow(f.groups, lanes*len(f.fours))
	mem := f.mem
	for i := range f.fours {
		q, n := &f.fours[i], len(f.groups)
		groups := f.groups[n : n+lanes]
		f.groups = f.groups[:n+int(q.n)]
		c.kernel.press(c, f, i, groups)
		for l := range q.n {
			if q.near[l] == 0 { // nothing to add
				groups[l].node[0] = -1
			}
			if face := q.face[l]; c.part[face] < 1 {
				energy, w := c.energy[face], f.w[perFour*i:][:perFour]
				for point := range int32(perFace) {
					energy += w[lanes*point+l]
				}
				c.energy[face] = energy
			}
		}
		if c.memory > 0 {
			mem = c.saveMemory(f, q, mem)
		}
	}
	f.values = f.values[:size]
}

// saveMemory stores the law's memory of the contact points of four pairs for the next state. It
// returns the rest of mem.
func (c *Contact) saveMemory(f *finder, q *four, mem []float64) []float64 {
	memory := len(c.Rules[q.rule].Law.Memory())
	for point := range int32(perFace) {
		for l := range lanes {
			v := f.values[int(q.now[l].of(point, f.points))*c.stride:][:c.stride]
			clear(v[values+copy(v[values:], mem[:memory]):])
			mem = mem[memory:]
		}
	}
	return mem
}

// end records the last half step of a contact point that has ended: its pressure and its friction
// still acted during separation.
func (c *Contact) end(f *finder, p pair, point int32) {
	old, e := c.Values[int(p.of(point, 0))*c.stride:][:values], ended{rule: c.ruleOf(p)}
	if !c.conserves[e.rule] {
		e.normal = -float64(0.5 * old[pressure] * old[area] * old[deflection])
	}
	if old[friction] != 0 {
		w := c.velocityPast(p.face, p.target, point)
		slip := (float64(w.X*old[alongX]) + float64(w.Y*old[alongY])) * c.scene.Step
		e.friction = -float64(0.5 * old[friction] * old[area] * slip)
	}
	f.ended = append(f.ended, e)
}

// velocityPast returns the velocity of a contact node relative to its target [m/s].
func (c *Contact) velocityPast(face, target, point int32) r2.Vec {
	na, nb := c.ends(face)
	u := positionOf(point)
	between := func(x []r2.Vec) r2.Vec {
		return r2.Vec{X: x[na].X + float64(u*(x[nb].X-x[na].X)), Y: x[na].Y + float64(u*(x[nb].Y-x[na].Y))}
	}
	w := between(c.v)
	if n := int32(len(c.Triangles)); target >= n { // the middle of the nearest edge represents the body
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

// pressPlain makes groups of the contact points of four i, and stores those in contact for the next
// state. It replaces the laws' stored energy by that of faces with all of their area [J].
func (c *Contact) pressPlain(f *finder, i int, groups []group) {
	q := &f.fours[i]
	of, damping := &c.Rules[q.rule].Friction, c.damping[q.rule]
	for l := range q.n {
		g := &groups[l]
		*g = group{rule: q.rule, active: int32(bits.OnesCount64(q.inContact[l]))}
		for k := range g.node {
			g.node[k] = q.node[k][l]
		}
		var sides [3]direction
		for point := range int32(perFace) {
			at := perFour*i + int(lanes*point+l)
			w := f.w[at]
			if f.w[at] = 0; q.near[l]>>point&1 == 0 {
				continue
			}
			if q.inContact[l]>>point&1 != 0 {
				d := &sides[q.side[point][l]]
				if d.steep == 0 {
					d.point(q.slopeOf(point, l))
				}
				c.pressBy(f, q, point, l, at, w, d, g)
				f.w[at] = float64(w * q.whole[l])
			}
			g.stiffen(q, point, l, 2*of.Stiffest(f.k[at])*q.size[l], 2*damping*q.size[l])
		}
	}
}

// direction is the direction of a side of a pair.
type direction struct {
	along r2.Vec  // unit vector
	steep float64 // length of the slope
}

// point finds the direction of a side with a slope.
func (d *direction) point(slope r2.Vec) {
	d.steep = norm(slope)
	d.along = r2.Vec{X: -slope.Y / d.steep, Y: slope.X / d.steep}
}

// addTransferWork records the energy of the area that was transferred to a contact point in the
// last step. stores is the stored energy per area [J/m2].
func (c *Contact) addTransferWork(q *four, point, l int32, stores float64, g *group) {
	if q.held[l]>>point&1 != 0 {
		stores = 0.5 * (stores + c.Values[int(q.was[l].of(point, 0))*c.stride+stored])
	}
	g.transferredWork += float64(stores * q.transferredArea[l])
}

// pressBy adds the force of a contact point to its group and stores the point for the next state.
// at is its index in the slots, w its stored energy [J/m2].
func (c *Contact) pressBy(f *finder, q *four, point, l int32, at int, w float64, d *direction, g *group) {
	rule, step, size := &c.Rules[q.rule], c.scene.Step, q.size[l]
	along, slope := d.along, q.slopeOf(point, l)
	relative := r2.Vec{X: q.relative[point][0][l], Y: q.relative[point][1][l]}
	p, k, deep := f.p[at], f.k[at], q.deep[point][l]
	slip, normal := elementary.Dot(along, relative)*step, p*d.steep
	var stick coulomb.Stick
	var old []float64
	if q.held[l]>>point&1 != 0 {
		old = c.Values[int(q.was[l].of(point, 0))*c.stride:][:values]
		stick = coulomb.Stick{Friction: old[friction], Spring: old[spring], Stiffness: old[stiffness], Sliding: old[sliding] > 0}
		was := r2.Vec{X: old[alongX], Y: old[alongY]}
		if elementary.Dot(was, along) < turned {
			stick = coulomb.Stick{}
		}
		g.frictionWork -= float64(0.5 * old[friction] * old[area] * elementary.Dot(relative, was) * step)
		if stick.Spring != 0 && old[area] < size { // its area has grown, so the force stays the same
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
	g.spring += float64(stick.Energy() * size)
	g.stored += float64(w * size)
	g.normal += float64(normal * size)
	g.tangential += math.Abs(float64(drag * size))
	if normal > g.pressure {
		g.pressure = normal
	}
	if deep > g.deflection {
		g.deflection = deep
	}
	if !c.conserves[q.rule] {
		d0, p0, w0, a0 := 0.0, 0.0, 0.0, size
		if old != nil {
			d0, p0, w0, a0 = old[deflection], float64(old[pressure]*old[area]), old[stored], old[area]
		}
		g.normalWork += float64(0.5*(float64(p*size)+p0)*(deep-d0)) + float64(0.5*(w+w0)*(size-a0))
	}
	if q.transferring && q.transferredArea[l] != 0 {
		c.addTransferWork(q, point, l, w, g)
	}

	force := r2.Vec{X: float64(drag*size*along.X) - float64(p*size*slope.X), Y: float64(drag*size*along.Y) - float64(p*size*slope.Y)}
	u := positionOf(point)
	w0, w1, w2 := q.weightsOf(point, l)
	for i, part := range [5]float64{1 - u, u, -w0, -w1, -w2} {
		g.on[i].F.X += float64(part * force.X)
		g.on[i].F.Y += float64(part * force.Y)
	}
	if a, b := c.x[g.node[0]], c.x[g.node[1]]; c.Dilates && c.Rise[q.face[l]] != 0 { // likewise
		addCouple(&g.on[0].F, &g.on[1].F, sub(b, a), cross(c.outOf(q.face[l], a, b), force))
	}
	if arm := q.arm[l]; q.edges && arm != 0 { // the force acts at the contact node, not at the edge
		addCouple(&g.on[2].F, &g.on[3].F, sub(c.x[g.node[3]], c.x[g.node[2]]), -float64(arm*cross(slope, force)))
	}

	moves := 0.0
	if stick.Sliding {
		moves = 1
	}
	v := f.values[int(q.now[l].of(point, 0))*c.stride:][:values]
	v[deflection], v[pressure], v[stored], v[area] = deep, p, w, size
	v[friction], v[spring], v[stiffness], v[sliding] = drag, stick.Spring, stick.Stiffness, moves
	v[alongX], v[alongY] = along.X, along.Y
}

// addCouple adds a couple with a moment [N m] to the forces on nodes a and b. d is the vector from
// a to b [m].
func addCouple(a, b *r2.Vec, d r2.Vec, moment float64) {
	couple := moment / elementary.Dot(d, d)
	pull := r2.Vec{X: -float64(couple * d.Y), Y: float64(couple * d.X)}
	a.X, a.Y = a.X-pull.X, a.Y-pull.Y
	b.X, b.Y = b.X+pull.X, b.Y+pull.Y
}

// stiffen adds the stiffness k [N/m] and the damping r [N s/m] of a contact node to its
// group.
func (g *group) stiffen(q *four, point, l int32, k, r float64) {
	u := positionOf(point)
	w0, w1, w2 := q.weightsOf(point, l)
	for i, part := range [5]float64{1 - u, u, clamp(w0), clamp(w1), clamp(w2)} {
		g.on[i].Stiffness += float64(part * k)
		g.on[i].Damping += float64(part * r)
	}
}

// clamp limits a weight to 0 ... 1.
func clamp(w float64) float64 {
	if w < 0 {
		return 0
	}
	if w > 1 {
		return 1
	}
	return w
}

// least returns the slip speed below which regularised friction under a force would stop a face
// within a step [m/s].
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
