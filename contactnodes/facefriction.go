package contactnodes

import (
	"cmp"
	"math/bits"
	"slices"

	"fdem/contactnodes/coulomb"
	"fdem/contactnodes/halves"

	"gonum.org/v1/gonum/spatial/r2"
)

// Friction of the pairs of edges that deform. There are two frictions for each own edge and component of
// other edges, its grips: one at the first Gauss nodes of the halves, one at the second ones. So an edge that
// sticks cannot stretch, and a contact that slides over the edges of a body keeps its springs. The friction
// of a grip is carried by its halves in proportion to the normal forces there. Where one of the bodies is
// rigid and free, its grips stick or slide together, see patch.go.

// GripState is the friction of a grip, which is kept from step to step.
type GripState struct {
	Own, Component int32         // its own edge, and the component of its other edges
	Node           int32         // of the two Gauss nodes
	Stick          coulomb.Stick // in N and N/m
	Slip           float64       // slip velocity [m/s]
}

// key orders grips.
func (g *GripState) key() uint64 { return uint64(g.Own)<<32 | uint64(g.Component)<<1 | uint64(g.Node) }

// grip is a grip at this evaluation. Its state is beside it, see faces.kept.
type grip struct {
	group     int32
	other     int32   // one of its other edges
	patch     int32   // that of its rigid body, -1 for none
	normal    float64 // [N]
	slipped   float64 // sum of normal forces times slips [W]
	stiffness float64 // along the normal [N/m]
	bound     float64 // coefficient of friction that limits it
	inward    r2.Vec  // of its first half
}

func (g grip) compare(o grip) int { return cmp.Compare(g.group, o.group) }

// rub finds the friction of all halves, after a step dt [s].
func (k *faces) rub(c *Contact, dt float64) {
	k.grips, k.kept, k.ended, k.released = k.grips[:0], k.kept[:0], k.ended[:0], 0
	k.ratio = append(k.ratio[:0], 0)
	k.speeds = coulomb.Speeds{}
	if !c.Friction.Acts() {
		for i := range k.fours {
			k.fours[i].Grip = [2][halves.Lanes]int32{}
		}
		return
	}
	k.gather(c)
	k.sortGrips()
	k.recall(c)
	for i := range k.grips {
		k.hold(c, &k.grips[i], &k.kept[i], dt)
	}
	if c.Friction.Sticks() && c.Rigid != nil {
		k.holdTogether(c)
	}
	for i := range k.grips {
		g := &k.grips[i]
		k.gripOf[g.group] = 0
		k.ratio = append(k.ratio, k.kept[i].Stick.Friction/g.normal)
	}
	for q := range k.sectors {
		q.friction = float64(q.normal * k.ratio[q.grip])
		q.heat = -float64(q.friction * q.slip)
	}
}

// gather finds the grips of the halves in contact, and the loads of their edges. The index of the grip of
// a half is one more than here; that of index 0 has no friction.
func (k *faces) gather(c *Contact) {
	for _, i := range k.loaded {
		k.load[i] = 0
	}
	k.loaded = k.loaded[:0]
	for i := range k.fours {
		f := &k.fours[i]
		f.Grip = [2][halves.Lanes]int32{}
		for m := f.Touching; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(uint32(m))
			h := &k.halves[f.Half[l]]
			k.addLoad(c, h, f.Normal[l])
			for i := range f.Nodes {
				if n := &f.Nodes[i]; n.Normal[l] > 0 {
					f.Grip[i][l] = k.addToGrip(c, h, int32(i), inwardOf(f, l), n.Normal[l], n.Slip[l], 0.5*f.Stiffness[l])
				}
			}
		}
	}
	for q := range k.sectors {
		if q.grip = 0; q.normal > 0 {
			k.addLoad(c, &k.halves[q.half], q.normal)
			q.grip = k.addToGrip(c, &k.halves[q.half], 0, q.inward, q.normal, q.slip, q.stiffness)
		}
	}
}

// sortGrips sorts the grips, if those of sectors alone are among them.
func (k *faces) sortGrips() {
	if slices.IsSortedFunc(k.grips, grip.compare) {
		return
	}
	slices.SortFunc(k.grips, grip.compare)
	slices.SortFunc(k.kept, func(a, b GripState) int { return cmp.Compare(a.key(), b.key()) })
	for i := range k.grips {
		k.gripOf[k.grips[i].group] = int32(i + 1)
	}
	for i := range k.fours {
		f := &k.fours[i]
		for i := range f.Grip {
			for l, g := range f.Grip[i] {
				if g > 0 {
					f.Grip[i][l] = k.gripOf[2*k.halves[f.Half[l]].Group+int32(i)]
				}
			}
		}
	}
	for q := range k.sectors {
		if q.grip > 0 {
			q.grip = k.gripOf[2*k.halves[q.half].Group]
		}
	}
}

// addLoad adds a normal force to those of the two edges of a half.
func (k *faces) addLoad(c *Contact, h *halves.Half, normal float64) {
	for _, e := range [2]int32{c.representative(h.Own), c.representative(h.Other)} {
		if k.load[e] == 0 {
			k.loaded = append(k.loaded, e)
		}
		k.load[e] += normal
	}
}

// addToGrip adds a Gauss node of a half to its grip, and returns the index of that.
func (k *faces) addToGrip(c *Contact, h *halves.Half, node int32, inward r2.Vec, normal, slip, stiffness float64) int32 {
	group := 2*h.Group + node
	at := k.gripOf[group]
	if at == 0 {
		n := len(k.grips)
		k.grips, k.kept = slices.Grow(k.grips, 1)[:n+1], slices.Grow(k.kept, 1)[:n+1]
		g, s := &k.grips[n], &k.kept[n]
		g.group, g.other, g.patch, g.normal, g.slipped, g.stiffness, g.inward = group, h.Other, -1, 0, 0, 0, inward
		s.Own, s.Component, s.Node, s.Stick, s.Slip = h.Own, k.component[h.Other], node, coulomb.Stick{}, 0
		at = int32(n + 1)
		k.gripOf[group] = at
	}
	g := &k.grips[at-1]
	g.normal += normal
	g.slipped += float64(normal * slip)
	g.stiffness += stiffness
	return at
}

// recall gives the grips the sticks that they had before. Both lists are ascending.
func (k *faces) recall(c *Contact) {
	before, at := c.Grips, 0
	end := func(g *GripState) {
		if g.Node == 0 { // the second one ends with it
			k.ended = append(k.ended, g.Own)
		}
		k.released += g.Stick.Energy()
	}
	for i := range k.kept {
		g := &k.kept[i]
		key := g.key()
		for ; at < len(before) && before[at].key() < key; at++ {
			end(&before[at])
		}
		if at < len(before) && before[at].key() == key {
			g.Stick = before[at].Stick
			k.released += g.Stick.Energy()
			at++
		}
	}
	for ; at < len(before); at++ {
		end(&before[at])
	}
}

// hold finds the friction of a grip by itself.
func (k *faces) hold(c *Contact, g *grip, s *GripState, dt float64) {
	f := &c.Friction
	s.Slip = g.slipped / g.normal
	eased := float64(k.load[c.representative(s.Own)]*c.mobility[s.Own]) + float64(k.load[c.representative(g.other)]*c.mobility[g.other])
	if !f.Sticks() {
		var at coulomb.Speeds
		s.Stick = coulomb.Stick{}
		s.Stick.Friction, at = f.Regularised(g.normal, s.Slip, f.Kinetic*dt*eased)
		k.speeds.Raise(at)
		return
	}
	brake, spring := f.BrakeOf(g.normal, eased, s.Slip, dt), f.SpringOf(g.stiffness, k.law)
	if c.holdsTogether(s.Own, g.other) {
		s.Stick, g.bound = f.Try(s.Stick, g.normal, spring, float64(s.Slip*dt), brake)
		return
	}
	s.Stick = f.TryWhole(s.Stick, g.normal, spring, float64(s.Slip*dt), brake)
}

// holdTogether limits the friction of the grips of rigid bodies by that of their patches.
func (k *faces) holdTogether(c *Contact) {
	s := &c.patches
	s.clear()
	for i := range k.grips {
		g, of := &k.grips[i], &k.kept[i]
		if !c.holdsTogether(of.Own, g.other) {
			continue
		}
		g.patch = s.find(k.component[of.Own], of.Component, g.inward)
		p := &s.list[g.patch]
		p.spring += of.Stick.Spring
		p.all += of.Stick.Friction
		p.holds += float64(c.Friction.Static * g.normal)
		p.slides += float64(c.Friction.Kinetic * g.normal)
		p.slidesOn = p.slidesOn || of.Stick.Stiffness > 0 && g.bound < c.Friction.Static
	}
	for i := range s.list {
		s.list[i].limit()
	}
	for i := range k.grips {
		if g := &k.grips[i]; g.patch >= 0 {
			s.list[g.patch].yieldOrHold(&k.kept[i].Stick, &c.Friction, g.normal)
		}
	}
}

// keepGrips stores the grips in the state, and records the heat of the last step dt [s] by the
// trapezoidal rule, with the forces of halves before and after it where they were and are.
func (k *faces) keepGrips(c *Contact, dt float64) {
	power := 0.0
	c.StickEnergy -= k.released
	for i := range k.kept {
		g := &k.kept[i]
		c.StickEnergy += g.Stick.Energy()
		power += float64(g.Stick.Friction * g.Slip)
	}
	c.FrictionWork -= float64(0.5 * dt * k.kernel.Power(c.Drags, c.v, power))
	c.Drags, k.drags = k.forces.Drags, c.Drags
	c.Grips, k.kept = k.kept, c.Grips
	c.Speeds.Raise(k.speeds)
}
