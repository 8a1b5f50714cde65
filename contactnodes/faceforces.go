package contactnodes

import (
	"math"
	"math/bits"
	"slices"

	"fdem/contactnodes/halves"
	"fdem/contactnodes/onnodes"
	"fdem/contactnodes/pairs"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Forces, energies and results of the pairs of edges that deform.

// addForces adds the forces of all halves to those of the nodes and to the sums. It adds their stiffness
// now and in the next steps to that of their nodes and of rigid bodies, and their loss of leapfrog at
// first contact.
func (k *faces) addForces(c *Contact, out onnodes.Forces, dt float64) {
	k.makePlaces(&out)
	k.rub(c, dt)
	s, p := &k.forces, &c.prediction
	s.Set(c.Friction.Stiffest(k.law)/k.law, c.damping/k.law, p.Energy, p.Speed, &out, k.ratio, slices.Grow(k.drags[:0], 2*halves.Lanes*len(k.fours)))
	k.kernel.Spread(k.fours, k.halves, s)
	near := 0
	k.touched = 0
	for i := range k.fours {
		f := &k.fours[i]
		k.touched += bits.OnesCount32(uint32(f.Touching))
		near += bits.OnesCount32(uint32(f.Near))
	}
	c.Approaching += near - k.touched
	for q := range k.sectors {
		k.addSector(c, &out, q)
	}
	c.Active += k.touched
	c.Normal += s.Normal
	c.Tangential += s.Friction
	k.turnForces(c)
	c.Stored += s.Stored
	c.ImpactLoss += s.Loss
	if len(k.sides) > 0 {
		k.each(func(q *face, h *halves.Half) { k.addResultant(c, q, h) })
	}
	if c.Rigid != nil {
		k.addRigidStiffness(c)
	}
}

// turnForces counts forces across and along the faces that are pressed, see across.
func (k *faces) turnForces(c *Contact) {
	for i := range k.fours {
		f := &k.fours[i]
		for m := f.Touching; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(uint32(m))
			run := f.Run[l]
			h := &k.halves[f.Half[l]]
			if length := k.whole[h.Own] / k.law; float64(run*run) < float64(0.25*leastTurn*length*length) {
				continue
			}
			q := k.lane(f, l)
			normal, friction := c.across(h.Own, h.Other, q.lo, q.hi, q.depth0, run, q.normal, q.friction)
			c.Normal += normal - q.normal
			c.Tangential += friction - q.friction
		}
	}
}

// makePlaces makes places for the forces on all nodes of the halves.
func (k *faces) makePlaces(out *onnodes.Forces) {
	_, loaded := out.Pages()
	if k.made == &loaded[0] {
		return
	}
	k.made = &loaded[0]
	for i := range k.halves {
		for _, n := range k.halves[i].Nodes {
			out.Make(n)
		}
	}
}

// addSector adds the force of a half in the sector of a re-entrant corner, and its stiffness.
func (k *faces) addSector(c *Contact, out *onnodes.Forces, q *face) {
	h, s := &k.halves[q.half], &k.forces
	inward, n, f := q.inward, &h.Nodes, q.force()
	e := sub(c.x[n[3]], c.x[n[2]])
	length := math.Sqrt(square(e))
	couple := q.friction * q.couple / length
	cx, cy := -float64(couple*e.Y), float64(couple*e.X)
	u := q.position
	stiff, damp := float64(2*q.Sum*h.Stiffness*s.Stiffest[0]), float64(2*q.Sum*h.Stiffness*s.Damping[0])
	add := func(n int32, x, y, share float64) {
		on := out.On(n)
		on.F.X += x
		on.F.Y += y
		on.Stiffness += float64(share * stiff)
		on.Damping += float64(share * damp)
	}
	add(n[0], float64((1-u)*f.X), float64((1-u)*f.Y), 1-u)
	add(n[1], float64(u*f.X), float64(u*f.Y), u)
	add(n[2], cx-f.X, cy-f.Y, 1)
	add(n[3], -cx, -cy, 0)
	k.touched++
	s.Drags = append(s.Drags, halves.Drag{Nodes: *n, AlongX: inward.Y, AlongY: -inward.X, Friction: q.friction, Position: u},
		halves.Drag{Nodes: [4]int32{n[2], n[2], n[2], n[3]}, AlongX: e.X / length, AlongY: e.Y / length, Friction: q.friction, Couple: q.couple})
	c.Normal += q.normal
	c.Tangential += q.friction
	c.Stored += q.energy
	c.ImpactLoss += impactLoss(float64(q.Sum*h.Stiffness*s.Stiffest[0]), q.closing, c.referenceEnergy(h.Own, h.Other))
}

// addResultant adds the force of a half to those between the two bodies of the contact.
func (k *faces) addResultant(c *Contact, q *face, h *halves.Half) {
	side, f := float64(k.sides[q.half]), q.force()
	at := between(c.x[h.Nodes[0]], c.x[h.Nodes[1]], q.position)
	c.Resultant.X += float64(side * f.X)
	c.Resultant.Y += float64(side * f.Y)
	c.Moment += float64(side * elementary.Cross(at, f))
}

// addRigidStiffness adds the stiffness of the halves of rigid bodies to that of the bodies.
func (k *faces) addRigidStiffness(c *Contact) {
	along := c.Friction.Along(k.law)
	add := func(h *halves.Half, inward r2.Vec, a pairs.Ahead) {
		if c.Rigid[h.Own] == Deformable && c.Rigid[h.Other] == Deformable {
			return
		}
		c.RigidStiffness = append(c.RigidStiffness, PairStiffness{
			Components: [2]int32{k.component[h.Own], k.component[h.Other]},
			A:          c.x[h.Nodes[0]], Chord: sub(c.x[h.Nodes[1]], c.x[h.Nodes[0]]), Inward: inward,
			Sum: float64(h.Stiffness * a.Sum), First: float64(h.Stiffness * a.First), Second: float64(h.Stiffness * a.Second),
			Tangential: along / k.law, Damping: c.damping / k.law,
		})
	}
	for i := range k.fours {
		f := &k.fours[i]
		for m := f.Near; m != 0; m &= m - 1 {
			if l := bits.TrailingZeros32(uint32(m)); f.Sum[l] > 0 {
				add(&k.halves[f.Half[l]], inwardOf(f, l), pairs.Ahead{Sum: f.Sum[l], First: f.First[l], Second: f.Second[l]})
			}
		}
	}
	for q := range k.sectors {
		if q.Sum > 0 {
			add(&k.halves[q.half], q.inward, q.Ahead)
		}
	}
}

// addOverlaps adds the normal forces between bodies that overlap at the start to those of their offsets [N].
func (k *faces) addOverlaps(to []float64) {
	for i := range k.fours {
		f := &k.fours[i]
		for m := f.Touching; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(uint32(m))
			if at := k.halves[f.Half[l]].Offset; at >= 0 {
				to[at] += f.Normal[l]
			}
		}
	}
	for q := range k.sectors {
		if at := k.halves[q.half].Offset; at >= 0 {
			to[at] += q.normal
		}
	}
}

// addDampers calls the function with the forces of dampers on nodes [N]. It returns their power [W].
func (k *faces) addDampers(add func(node int32, f r2.Vec)) (power float64) {
	for i := range k.chunks[:k.used] {
		for j := range k.chunks[i].dampers {
			d := &k.chunks[i].dampers[j]
			power += d.power
			n := &k.halves[d.half].Nodes
			for l, f := range [4]float64{d.at - d.force, -d.at, d.force - d.foot, d.foot} {
				add(n[l], scale(f, d.inward))
			}
		}
	}
	return power
}

// deepest returns the greatest depth of a half in contact [m].
func (q *face) deepest() float64 { return max(q.depthAt(q.lo), q.depthAt(q.hi)) }

// depthAt returns the depth at a position of the own edge [m].
func (q *face) depthAt(u float64) float64 { return q.depth0 + float64(u*q.run) }

// raisePeaks raises the peak pressures of contact nodes, and that of the contact.
func (k *faces) raisePeaks(c *Contact) {
	nodes := float64(c.Nodes)
	raise := func(own int32, lo, hi, depth0, run float64) {
		peaks := c.peaksOn(own)
		if peaks == nil {
			return
		}
		for n := int(float64(lo*nodes) + 0.5); n < int(float64(hi*nodes)+0.5); n++ {
			peaks[n] = max(peaks[n], float64(k.law*(depth0+float64(run*((float64(n)+0.5)/nodes)))))
		}
	}
	peak := c.PairPeak / k.law
	for i := range k.fours {
		f := &k.fours[i]
		for m := f.Touching; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(uint32(m))
			lo, hi, depth0, run := f.Lo[l], f.Hi[l], f.Depth0[l], f.Run[l]
			peak = max(peak, depth0+float64(lo*run), depth0+float64(hi*run))
			raise(k.halves[f.Half[l]].Own, lo, hi, depth0, run)
		}
	}
	for q := range k.sectors {
		peak = max(peak, q.depth0)
		raise(k.halves[q.half].Own, q.lo, q.hi, q.depth0, q.run)
	}
	c.PairPeak = max(c.PairPeak, float64(k.law*peak))
}

// received calls the function with the edges without contact nodes, with their greatest pressure [Pa] and
// the force on them [N], as Contact.Received does.
func (k *faces) received(c *Contact, do func(edge int32, pressure, force float64)) {
	k.each(func(q *face, h *halves.Half) {
		for _, e := range [2]int32{h.Own, h.Other} {
			if c.Opposes(e) {
				do(e, float64(k.law*max(0, q.deepest())), q.normal)
			}
		}
	})
}

// near calls the function with edges that are in contact, or would be if they were nearer by gap [m], as
// Contact.Near does.
func (k *faces) near(c *Contact, gap float64, each func(edge, opposite int32, ends [2]r2.Vec, inward r2.Vec)) {
	o := pairs.Outline{Edges: k.edges, X: c.x}
	var half pairs.Half
	for i := range k.halves {
		h := &k.halves[i]
		o.Update([]int32{h.Other})
		if lo, hi, ok := half.FindNear(&o, h.Own, h.Other, gap); ok {
			_, inward := o.Along(h.Other)
			a, b := c.x[h.Nodes[0]], c.x[h.Nodes[1]]
			each(h.Own, h.Other, [2]r2.Vec{between(a, b, lo), between(a, b, hi)}, inward)
		}
	}
}
