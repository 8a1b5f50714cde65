package contactnodes

import (
	"math"

	"fdem/contactnodes/onnodes"
	"fdem/contactnodes/pairs"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Forces, energies and overlaps at the start of the pairs of rigid bodies.

// inwardOf returns the unit vector of a touch into the other body: the direction of the sum of its
// gradients on the own edge, weighted by stiffness and depth.
func (k *rigidPairs) inwardOf(t *touch) r2.Vec {
	var sum r2.Vec
	a, b := k.Edges[t.own].A, k.Edges[t.own].B
	for i := t.first; i < t.end; i++ {
		p := &k.points[i]
		f := float64(p.stiffness * p.depth)
		for _, g := range k.gradients[p.first:p.end] {
			if g.node == a || g.node == b {
				sum = r2.Add(sum, scale(f, g.of))
			}
		}
	}
	l := math.Sqrt(square(sum))
	if l == 0 {
		_, inward := k.Along(t.other)
		return inward
	}
	return scale(1/l, sum)
}

// press finds the forces at the points: of the law, its dashpot, the damper of bodies at rest, and
// the correction of leapfrog at first contact (see kick.go), for a step dt [s].
func (k *rigidPairs) press(c *Contact, dt float64) {
	corrects := dt > 0 && c.damping == 0 && len(c.OffsetBetween) == 0 && (c.Corners || c.Elastic())
	k.pulls = 0
	k.findShifts(c)
	for i := range k.touches {
		t := &k.touches[i]
		damper, perSpeed2 := c.restDamperOf(t.own, t.other)
		for j := t.first; j < t.end; j++ {
			p := &k.points[j]
			p.force, p.damper = float64(p.stiffness*p.depth), 0
			if c.v == nil {
				continue
			}
			area, spring, changes := p.stiffness/k.law, p.force, p.rate+float64(t.shift*t.slope)
			p.force += float64(c.damping * changes * area)
			p.force += float64(damper*changes*area) / (1 + float64(perSpeed2*changes*changes))
			p.force = max(0, p.force)
			p.damper = p.force - spring
			k.pulls += float64(p.damper * p.rate)
			if displacement := math.Abs(p.rate) * dt; corrects && displacement > 0 && p.lo < displacement {
				p.force += float64(p.stiffness * displacement * kickCorrection(0, max(0, p.lo)/displacement, p.hi/displacement))
			}
		}
		k.resultant(c, t)
	}
}

// shift is how fast the depths of two components shift along the edges of the first one.
type shift struct {
	own, other             int32
	rateSlope, slopeSquare float64 // sums over the area
}

// findShifts finds the rates of the points, and how fast depths shift along their own edges. A damper
// acts on the change of a depth that remains beside that shift, by least squares: a tip that slides and
// a disc that rolls steadily move their depths along the face under them, and lose nothing. Depths are
// zero at both ends of a contact, so an approach has no shift.
func (k *rigidPairs) findShifts(c *Contact) {
	if c.v == nil {
		return
	}
	k.shifts = k.shifts[:0]
	first, of := 0, int32(-1) // the shifts of the present own component
	for i := range k.touches {
		t := &k.touches[i]
		for j := t.first; j < t.end; j++ {
			p := &k.points[j]
			p.rate = 0
			for _, g := range k.gradients[p.first:p.end] {
				p.rate += elementary.Dot(g.of, c.v[g.node])
			}
		}
		if t.corner {
			continue
		}
		own, other := c.outline.Edges[t.own].Component, c.outline.Edges[t.other].Component
		if own != of {
			first, of = len(k.shifts), own
		}
		at := first
		for at < len(k.shifts) && k.shifts[at].other != other {
			at++
		}
		if at == len(k.shifts) {
			k.shifts = append(k.shifts, shift{other: other})
		}
		s, e := &k.shifts[at], &k.Edges[t.own]
		t.slope, t.patch = t.run/distance(c.x[e.A], c.x[e.B]), int32(at)
		for j := t.first; j < t.end; j++ {
			p := &k.points[j]
			area := float64(p.stiffness * t.slope)
			s.rateSlope += float64(area * p.rate)
			s.slopeSquare += float64(area * t.slope)
		}
	}
	for i := range k.touches {
		t := &k.touches[i]
		if t.corner {
			continue
		}
		if s := &k.shifts[t.patch]; s.slopeSquare > 0 {
			t.shift = -s.rateSlope / s.slopeSquare
		}
	}
}

// restDamperOf returns the damper of bodies at rest between edges i and j [Pa s/m], and 1 over the
// square of the speed at which it is half of that [s2/m2].
func (c *Contact) restDamperOf(i, j int32) (damper, perSpeed2 float64) {
	damper = c.restDamper(i, j)
	if damper == 0 {
		return 0, 0
	}
	force := float64(restDampingSpeed * c.Pull[c.representative(c.lighterEdge(i, j))])
	speed := float64(force*2*restDampingRatio) / (damper * min(c.edgeArea[i], c.edgeArea[j]))
	if perSpeed2 = 1 / float64(speed*speed); math.IsInf(perSpeed2, 1) {
		return 0, 0
	}
	return damper, perSpeed2
}

// resultant finds the resultant of a touch and where it acts, its slip, and on which nodes friction
// acts.
func (k *rigidPairs) resultant(c *Contact, t *touch) {
	t.normal, t.position = 0, 0
	e, o := &k.Edges[t.own], &k.Edges[t.other]
	for i := t.first; i < t.end; i++ {
		p := &k.points[i]
		t.normal += p.force
		t.position += float64(p.force * p.at)
	}
	if t.straight {
		_, t.inward = k.Along(t.other)
	} else {
		t.inward = k.inwardOf(t)
	}
	switch {
	case t.corner:
		t.position = t.lo
	case t.normal > 0:
		t.position = within(t.position / t.normal)
	default:
		t.position = 0.5 * (t.lo + t.hi)
	}
	at := between(c.x[e.A], c.x[e.B], t.position)
	along := sub(c.x[o.B], c.x[o.A])
	l2 := square(along)
	t.foot = within(elementary.Dot(along, sub(at, c.x[o.A])) / l2)
	// The friction acts at that position on both edges: a couple on the other edge has its moment
	// about the foot.
	turned := r2.Vec{X: t.inward.Y, Y: -t.inward.X}
	arm := sub(at, between(c.x[o.A], c.x[o.B], t.foot))
	couple := scale(elementary.Cross(arm, turned)/l2, r2.Vec{X: -along.Y, Y: along.X})
	t.slipOn = [4]r2.Vec{
		scale(1-t.position, turned), scale(t.position, turned),
		r2.Add(scale(t.foot-1, turned), couple), r2.Sub(scale(-t.foot, turned), couple),
	}
	t.slip = 0
	if c.v != nil {
		for i, n := range [4]int32{e.A, e.B, o.A, o.B} {
			t.slip += elementary.Dot(t.slipOn[i], c.v[n])
		}
	}
}

// rub finds the friction of all touches, after a step dt [s].
func (k *rigidPairs) rub(c *Contact, dt float64) {
	k.rubbing.restart(c.Patches)
	if !c.Friction.Acts() {
		return
	}
	for i := range k.touches {
		t := &k.touches[i]
		l := faceLoad{a: c.outline.Edges[t.own].Component, b: c.outline.Edges[t.other].Component, inward: t.inward, normal: t.normal, slip: t.slip, mobility: c.mobility[t.own] + c.mobility[t.other]}
		for j := t.first; j < t.end; j++ {
			l.stiffness += k.points[j].stiffness
		}
		t.patch = k.rubbing.gather(&l, c.Patches)
	}
	k.rubbing.rub(&c.Friction, k.law, c.Patches, dt)
	for i := range k.touches {
		t := &k.touches[i]
		t.friction = k.rubbing.part(t.patch, t.normal)
	}
}

// distribute adds the forces of all touches to those of the nodes, and to the sums.
func (k *rigidPairs) distribute(c *Contact, out onnodes.Forces) {
	add := func(t *touch, n int32, f r2.Vec, onOwn bool) {
		on := out.On(n)
		on.F.X += f.X
		on.F.Y += f.Y
		if onOwn && t.side != 0 {
			c.Resultant.X += float64(t.side * f.X)
			c.Resultant.Y += float64(t.side * f.Y)
			c.Moment += float64(t.side * elementary.Cross(c.x[n], f))
		}
	}
	for i := range k.touches {
		t := &k.touches[i]
		e, o := &k.Edges[t.own], &k.Edges[t.other]
		for j := t.first; j < t.end; j++ {
			p := &k.points[j]
			for _, g := range k.gradients[p.first:p.end] {
				add(t, g.node, scale(-p.force, g.of), g.node == e.A || g.node == e.B)
			}
			c.Stored += float64(0.5 * p.stiffness * p.depth * p.depth)
		}
		for n, node := range [4]int32{e.A, e.B, o.A, o.B} {
			add(t, node, scale(t.friction, t.slipOn[n]), n < 2)
		}
		normal, friction := t.normal, t.friction
		if t.straight && !t.corner {
			normal, friction = c.across(t.own, t.other, t.lo, t.hi, t.depth0, t.run, normal, friction)
		}
		c.Normal += normal
		c.Tangential += friction
	}
	c.Active += len(k.touches)
}

// addStiffness adds the stiffness now and in the next steps to that of the nodes and of the bodies,
// and the losses of leapfrog at first contacts.
func (k *rigidPairs) addStiffness(c *Contact, out onnodes.Forces) {
	along := c.Friction.Along(k.law)
	stiffest := c.Friction.Stiffest(k.law) / k.law
	for i := range k.ahead {
		if a := &k.ahead[i]; a.touch >= 0 && len(k.rubbing.all) > 0 {
			k.rubbing.all[k.touches[a.touch].patch].ahead += float64(a.stiffness * a.Sum)
		}
	}
	for i := range k.ahead {
		a := &k.ahead[i]
		e, o := &k.Edges[a.own], &k.Edges[a.other]
		damping := (c.damping + c.restDamper(a.own, a.other)) / k.law
		sum := float64(a.stiffness * a.Sum)
		at := a.First / a.Sum
		for n, share := range [4]float64{1 - at, at, 1 - a.foot, a.foot} {
			on := out.On([4]int32{e.A, e.B, o.A, o.B}[n])
			on.Stiffness += float64(2 * share * sum * stiffest)
			on.Damping += float64(2 * share * sum * damping)
		}
		w := sub(between(c.v[e.A], c.v[e.B], at), between(c.v[o.A], c.v[o.B], a.foot))
		c.ImpactLoss += impactLoss(float64(sum*stiffest), elementary.Dot(a.inward, w), c.referenceEnergy(a.own, a.other))
		c.RigidStiffness = append(c.RigidStiffness, PairStiffness{
			Components: [2]int32{c.outline.Edges[a.own].Component, c.outline.Edges[a.other].Component},
			A:          c.x[e.A], Chord: sub(c.x[e.B], c.x[e.A]), Inward: a.inward,
			Sum: sum, First: float64(a.stiffness * a.First), Second: float64(a.stiffness * a.Second),
			Tangential: max(along/k.law, k.stickRatio(a)), Damping: damping,
		})
	}
	c.Approaching += max(0, len(k.ahead)-len(k.touches))
}

// stickRatio returns the ratio of the stiffness of the spring of a patch to that of all its halves and
// corners along the normal, now and in the next steps; 0 for what does not touch.
func (k *rigidPairs) stickRatio(a *aheadOf) float64 {
	if a.touch < 0 || len(k.rubbing.all) == 0 {
		return 0
	}
	p := &k.rubbing.all[k.touches[a.touch].patch]
	return p.Stick.Stiffness / p.ahead
}

// addForces adds the forces of the pairs of rigid bodies to those of the nodes, after a step dt [s].
// With commit it updates the state.
func (k *rigidPairs) addForces(c *Contact, out onnodes.Forces, dt float64, commit bool) {
	k.press(c, dt)
	k.rub(c, dt)
	k.distribute(c, out)
	if !commit {
		return
	}
	k.addStiffness(c, out)
	if len(k.rubbing.all)+len(c.Patches) > 0 {
		var heat, energy float64
		c.Patches, heat, energy = k.rubbing.settle(c.Patches, dt)
		c.FrictionWork += heat
		c.StickEnergy += energy
		c.Speeds.Raise(k.rubbing.speeds)
	}
	k.raisePeaks(c)
}

// addDampers calls the function with the forces of dampers on nodes [N]. It returns their power [W].
func (k *rigidPairs) addDampers(add func(node int32, f r2.Vec)) (power float64) {
	for i := range k.points {
		p := &k.points[i]
		if p.damper == 0 {
			continue
		}
		for _, g := range k.gradients[p.first:p.end] {
			add(g.node, scale(-p.damper, g.of))
		}
	}
	return k.pulls
}

// raisePeaks raises the peak pressures of contact nodes, and that of the contact.
func (k *rigidPairs) raisePeaks(c *Contact) {
	for i := range k.touches {
		t := &k.touches[i]
		c.PairPeak = max(c.PairPeak, float64(k.law*t.deepest()))
		if peaks := c.peaksOn(t.own); !t.corner {
			c.nodesBetween(t.own, t.lo, t.hi, func(n int, u float64) {
				peaks[n] = max(peaks[n], float64(k.law*max(0, t.depth0+float64(u*t.run))))
			})
		}
	}
}

// deepest returns the greatest depth of a touch [m].
func (t *touch) deepest() float64 {
	return max(t.depth0+float64(t.lo*t.run), t.depth0+float64(t.hi*t.run))
}

// raiseLeft raises what is left of each offset to the greatest overlap of its bodies.
func (k *rigidPairs) raiseLeft(c *Contact, left []float64) {
	for i := range k.halves {
		h := &k.halves[i]
		at, ok := offsetAt(c.OffsetBetween, c.outline.Edges[h.own].Component, c.outline.Edges[h.other].Component)
		if !ok {
			continue
		}
		for _, found := range [2]func(o *pairs.Outline, own, other int32, offset float64) bool{k.half.Find, k.half.FindSector} {
			if found(&k.Outline, h.own, h.other, 0) {
				t := touch{}
				t.lo, t.hi = k.half.Range()
				t.depth0, t.run = k.half.DepthLine()
				left[at] = max(left[at], t.deepest())
			}
		}
	}
}
