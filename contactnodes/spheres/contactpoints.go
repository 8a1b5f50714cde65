package spheres

import (
	"math"
	"slices"

	"fdem/contactnodes/coulomb"
	"fdem/contactnodes/motion"
	"fdem/contactnodes/rolling"
	"fdem/materials/contact"
	"fdem/materials/elementary"
	"fdem/materials/restitution"

	"gonum.org/v1/gonum/spatial/r2"
)

// contactPoints are the slots whose pairs are in contact, or were so until the last step.
type contactPoints struct {
	n                    int // number of contact points; slices may be longer
	points               []contactPoint
	d, rate, p, dp, k, w []float64 // input and output of the law
	memory               []float64
	near                 []int32 // slots of pairs that may be in contact, the candidates for contact points
	batch                []rulePoints
}

// contactPoint is a slot's data during an evaluation.
type contactPoint struct {
	slot, i, j           int32
	load                 int32   // of a pair of spheres: position of the partner's load in load
	n                    r2.Vec  // from the first sphere to its partner
	armI, armJ           float64 // from the centres to the point of contact [m]
	slip                 float64 // speed of the first relative to its partner, across n [m/s]
	slipBefore           float64 // the same half a step before [m/s]
	rateBefore           float64 // deflection rate half a step before [m/s]
	spinRate, turnBefore float64 // spin of the first relative to its partner, and half a step before [rad/s]
	friction, roll       float64 // friction and rolling torque on the first [N], [N m]
}

// clear removes all contact points.
func (q *contactPoints) clear() { q.n, q.batch = 0, q.batch[:0] }

// grow makes room for n more contact points, in fours.
func (q *contactPoints) grow(n int) {
	if n = (q.n + n + 3) &^ 3; n <= len(q.points) {
		return
	}
	q.points = append(q.points, make([]contactPoint, n-len(q.points))...)
	for _, v := range [...]*[]float64{&q.d, &q.rate, &q.p, &q.dp, &q.k, &q.w} {
		*v = append(*v, make([]float64, n-len(*v))...)
	}
}

// findPoints appends the contact points of a batch between spheres. A separate loop finds
// the near pairs. It is so short that the processor loads many spheres from memory at the
// same time.
func (s *Spheres) findPoints(b *batch, q *contactPoints) {
	t := &s.slots
	q.grow(int(b.end - b.first))
	found, deep, rate, near := q.points, q.d, q.rate, q.n
	for c := t.nextAwake(b.first, b.end); c < b.end; {
		p, touching := t.pair[c], t.reach[c].radii
		i, j := s.motion[p.I].x, s.motion[p.J].x
		x, y := j.X-i.X, j.Y-i.Y
		square := float64(x*x) + float64(y*y)
		o := &found[near]
		o.slot, o.i, o.j, o.load, o.n, deep[near] = c, p.I, p.J, t.load[c], r2.Vec{X: x, Y: y}, square
		near += 1 - one(square >= touching*touching)&one(t.pairMemory[c].d <= 0)
		if c++; c >= b.end || t.awake[c/64]>>(c%64)&1 == 0 {
			c = t.nextAwake(c, b.end)
		}
	}
	at := q.n
	for k := q.n; k < near; k++ {
		o := &found[at]
		if k > at {
			*o = found[k]
		}
		r := t.reach[o.slot]
		distance := math.Sqrt(deep[k])
		if distance > 0 {
			o.n.X, o.n.Y = o.n.X/distance, o.n.Y/distance
		} else {
			o.n = r2.Vec{X: 1}
		}
		d := r.radii - distance
		if d <= 0 && t.pairMemory[o.slot].d <= 0 {
			continue
		}
		i, j := &s.motion[o.i], &s.motion[o.j]
		o.armI = float64(distance * r.part)
		o.armJ = distance - o.armI
		deep[at], rate[at] = d, o.setRates(i, j.v, j.w, j.vBefore, j.wBefore)
		at++
	}
	q.n = at
}

// findWallPoints appends the contact points of a batch with walls.
func (s *Spheres) findWallPoints(b *batch, q *contactPoints) {
	t := &s.slots
	q.grow(int(b.end - b.first))
	for c := t.nextAwake(b.first, b.end); c < b.end; c = t.nextAwake(c+1, b.end) {
		p := t.pair[c]
		i, m := &s.motion[p.I], &s.walls[int(p.J)-s.n]
		n, distance := s.toWall(p.J-int32(s.n), t.near[t.edges[c]:t.edges[c+1]], i.x)
		d := t.reach[c].radii - distance
		if d <= 0 && t.pairMemory[c].d <= 0 {
			continue
		}
		o := &q.points[q.n]
		*o = contactPoint{slot: c, i: p.I, j: p.J, n: n, armI: distance} // no arm for the wall: its points move with it
		arm := r2.Vec{X: i.x.X + float64(distance*n.X) - m.Centre.X, Y: i.x.Y + float64(distance*n.Y) - m.Centre.Y}
		q.d[q.n] = d
		q.rate[q.n] = o.setRates(i, motion.Velocity(m.v, m.w, arm), m.w, motion.Velocity(m.vBefore, m.wBefore, arm), m.wBefore)
		q.n++
	}
}

// setRates sets the slip speed and spin of the first sphere relative to its
// partner, and returns the deflection rate [m/s].
func (o *contactPoint) setRates(i *sphereMotion, v r2.Vec, w float64, old r2.Vec, spun float64) (rate float64) {
	n := o.n
	vx, vy := i.v.X-v.X, i.v.Y-v.Y
	hx, hy := i.vBefore.X-old.X, i.vBefore.Y-old.Y
	o.rateBefore = float64(hx*n.X) + float64(hy*n.Y)
	o.slip = (float64(vy*n.X) - float64(vx*n.Y)) + (float64(i.w*o.armI) + float64(w*o.armJ))
	o.spinRate, o.turnBefore = i.w-w, i.wBefore-spun
	o.slipBefore = (float64(hy*n.X) - float64(hx*n.Y)) + (float64(i.wBefore*o.armI) + float64(spun*o.armJ))
	return float64(vx*n.X) + float64(vy*n.Y)
}

// toWall returns the direction from x to a wall and the distance of the wall's
// nearest point, negative behind a circle. For a chain, near lists the edges
// that are near.
func (s *Spheres) toWall(w int32, edges []int32, x r2.Vec) (n r2.Vec, distance float64) {
	if radius := s.Walls[w].Radius; radius != 0 {
		centre := s.X[s.base[w]]
		n := r2.Vec{X: centre.X - x.X, Y: centre.Y - x.Y}
		rho := elementary.Norm(n)
		if rho == 0 {
			return r2.Vec{X: 1}, -radius
		}
		n.X, n.Y = n.X/rho, n.Y/rho
		if radius < 0 { // a hollow: outwards
			return r2.Vec{X: -n.X, Y: -n.Y}, -radius - rho
		}
		return n, rho - radius
	}
	nearest, square := r2.Vec{}, math.Inf(1)
	for _, e := range edges {
		a, b := s.X[s.ends[e][0]], s.X[s.ends[e][1]]
		ux, uy := b.X-a.X, b.Y-a.Y
		px, py := a.X-x.X, a.Y-x.Y
		along := -(float64(px*ux) + float64(py*uy)) / (float64(ux*ux) + float64(uy*uy))
		along = min(max(along, 0), 1)
		px += float64(along * ux)
		py += float64(along * uy)
		if q := float64(px*px) + float64(py*py); q < square {
			nearest, square = r2.Vec{X: px, Y: py}, q
		}
	}
	if distance = math.Sqrt(square); distance > 0 {
		return r2.Vec{X: nearest.X / distance, Y: nearest.Y / distance}, distance
	}
	return r2.Vec{X: 1}, 0
}

// evaluateLaw evaluates the law of a batch for its contact points from number from on.
func (s *Spheres) evaluateLaw(rule *Rule, b *batch, q *contactPoints, from int) {
	n := q.n
	t, m := &s.slots, int(b.values)
	memory := slices.Grow(q.memory[:0], (n-from)*m)[:(n-from)*m]
	q.memory = memory
	if m > 0 {
		for c := from; c < n; c++ {
			copy(memory[(c-from)*m:], t.lawMemory(b, q.points[c].slot))
		}
		s.beginContacts(rule, q, from, memory)
	}
	rule.eval(contact.Input{D: q.d[from:n], Rate: q.rate[from:n], Mem: memory},
		contact.Output{P: q.p[from:n], DP: q.dp[from:n], K: q.k[from:n], W: q.w[from:n], Mem: memory})
	if m > 0 {
		for c := from; c < n; c++ {
			copy(t.lawMemory(b, q.points[c].slot), memory[(c-from)*m:])
		}
	}
}

// firstDeflection is the deflection at which a law first evaluates a contact point [m]. Its
// power 3/2 is not yet zero in floating point.
const firstDeflection = 1e-150

// beginContacts evaluates the law at the crossing for slots with a new contact. If the rule
// resets after an impact, it also clears the memory of separated slots. The crossing is the
// time at which the deflection, extrapolated back over the step, was zero.
func (s *Spheres) beginContacts(rule *Rule, q *contactPoints, from int, memory []float64) {
	m := int(rule.memory)
	for c := from; c < q.n; c++ {
		own := memory[(c-from)*m : (c-from+1)*m]
		o := &q.points[c]
		before := s.slots.pairMemory[o.slot].d
		if q.d[c] <= 0 {
			if rule.ResetsAfterImpact && before > 0 {
				clear(own)
			}
			continue
		}
		if before > 0 || o.rateBefore <= 0 {
			continue
		}
		// Half a step before, the pair was closing. At first contact the rate was
		// between its values at the step's start and end.
		start := float64(2*o.rateBefore) - q.rate[c]
		back := q.d[c] / o.rateBefore // time since the crossing
		whole := s.pastStep
		part := 0.5
		if whole > 0 {
			part = min(max(1-back/whole, 0), 1)
		}
		rate := start + float64(part*(q.rate[c]-start))
		d, now := q.d[c], q.rate[c]
		q.d[c], q.rate[c] = firstDeflection, rate
		rule.Law.Eval(contact.Input{D: q.d[c : c+1], Rate: q.rate[c : c+1], Mem: own},
			contact.Output{P: q.p[c : c+1], DP: q.dp[c : c+1], K: q.k[c : c+1], W: q.w[c : c+1], Mem: own})
		q.d[c], q.rate[c] = d, now
	}
}

// addForces finds the friction of the contact points of one rule and block, adds
// their forces to the spheres, and adds forces, energies and the work of the last
// step to sum. edgePoints belong to the contact points with an outline; nil for
// others.
func (s *Spheres) addForces(rule *Rule, q *contactPoints, from, n int, edgePoints []edgePoint, sum *blockSums) {
	e, last := *sum, s.pastStep
	f := &rule.Friction
	sticks := f.Sticks()
	held, rolls, loads := s.slots.pairMemory, s.slots.roll, s.load
	deep, press, stiff, work, rates := q.d[:n], q.p[:n], q.k[:n], q.w[:n], q.rate[:n]
	for c := from; c < n; c++ {
		o := &q.points[c]
		h := &held[o.slot]
		d, force := deep[c], h.force
		if d <= 0 { // separated in the last step
			press[c] = 0
			normal := float64(0.5 * force * float64(o.rateBefore*last))
			e.Restored.Add(restitution.Phase{Impulse: float64(0.5 * force * last), Work: normal})
			e.NormalWork += normal
			e.FrictionWork -= float64(0.5 * h.friction * o.slipBefore * last)
			rule.addRollingWork(&e, float64(0.5*rolls[o.slot].torque*o.turnBefore*last))
			*h, rolls[o.slot], s.slots.corner[o.slot] = pairMemory{}, rollMemory{}, 0
			o.friction, o.roll = 0, 0
			continue
		}
		p, k, before := press[c], stiff[c], h.friction
		load, yielding, leads, spring := p, 0.0, true, 0.0
		if edgePoints != nil {
			at := &edgePoints[c]
			load, yielding, leads = at.load, at.yielding, int(at.lead) == c
		}
		if sticks {
			g := f.Advance(h.stick(), load, f.Ratio*k, float64(o.slipBefore*last), 0)
			h.setStick(g)
			e.Spring += g.Energy()
			spring = g.Stiffness
		} else { // the brake halves a slip within one step at most
			var speeds coulomb.Speeds
			h.friction, speeds = f.Regularised(load, o.slip, s.leastRegularisation(o, load, f.Kinetic)+float64(2*f.Kinetic*yielding))
			e.Speeds.Raise(speeds)
		}
		h.d, h.force = d, p
		drag := h.friction
		normal := float64(0.5 * (force + p) * float64(o.rateBefore*last))
		o.splitWork(&e, force, p, normal, rates[c], last)
		roll, turning := 0.0, 0.0
		if leads && rule.resistsRolling() {
			roll, turning = o.resistRolling(rule, &e, &rolls[o.slot], d, rates[c], load, k, last)
		}
		o.friction, o.roll = drag, roll
		e.NormalWork += normal
		e.FrictionWork -= float64(0.5 * (before + drag) * float64(o.slipBefore*last))
		e.Active++
		e.Normal += p
		e.Tangential += math.Abs(drag)
		e.PeakForce = max(e.PeakForce, p)
		e.PeakDeflection = max(e.PeakDeflection, d)
		e.Stored += work[c]

		x, y := -float64(p*o.n.X)-float64(drag*o.n.Y), -float64(p*o.n.Y)+float64(drag*o.n.X)
		k += spring
		l := &loads[o.i]
		l.force.X += x
		l.force.Y += y
		l.moment += float64(drag*o.armI) + roll
		l.stiffness += k + float64((float64(spring*float64(o.armI*o.armI))+turning)*s.inertiaRatio[o.i])
		if int(o.j) >= s.n {
			continue
		}
		l = &loads[o.load]
		l.force.X -= x
		l.force.Y -= y
		l.moment += float64(drag*o.armJ) - roll
		l.stiffness += k + float64((float64(spring*float64(o.armJ*o.armJ))+turning)*s.inertiaRatio[o.j])
	}
	*sum = e
}

// splitWork divides the last step's impulse and work into those of approach and of
// separation, from the force at the start of the step and the rate at its end. If the rate
// changes its sign within the step, it is taken to be linear in time.
func (o *contactPoint) splitWork(e *blockSums, force, now, normal, rate, last float64) {
	start := float64(2*o.rateBefore) - rate
	impulse := float64(0.5 * (force + now) * last)
	if one(start > 0)&one(rate < 0) != 0 {
		x := start / (start - rate)
		turn := force + float64(x*(now-force))
		in := restitution.Phase{Impulse: float64(0.5 * last * x * (force + turn)), Work: float64(0.5 * last * x * force * start)}
		e.Compressed.Add(in)
		e.Restored.Add(restitution.Phase{Impulse: impulse - in.Impulse, Work: normal - in.Work})
		return
	}
	to := &e.Restored
	if one(o.rateBefore > 0)&one(rate >= 0) != 0 { // unpredictable in a pile at rest: no branch
		to = &e.Compressed
	}
	to.Impulse += impulse
	to.Work += normal
}

// one returns 1 for true and 0 for false, without a branch.
func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// leastRegularisation returns twice the slip speed that friction with the coefficient mu
// would stop within one step [m/s]. For two spheres it takes the force between them, for
// a free wall the sum of the forces of all spheres on it.
func (s *Spheres) leastRegularisation(o *contactPoint, force, mu float64) float64 {
	ease := s.InverseMass[o.i] + float64(float64(o.armI*o.armI)*s.InverseInertia[o.i]) // change of the slip speed by a unit impulse [1/kg]
	if int(o.j) < s.n {
		ease += s.InverseMass[o.j] + float64(float64(o.armJ*o.armJ)*s.InverseInertia[o.j])
	}
	least := float64(2 * mu * force * s.pastStep * ease)
	if w := int(o.j) - s.n; w >= 0 && w < len(s.walls) && s.walls[w].InverseMass > 0 {
		least += float64(2 * mu * s.wallNormal[w] * s.pastStep * s.walls[w].Mobility(s.wallArm(o), r2.Vec{X: -o.n.Y, Y: o.n.X}))
	}
	return least
}

// sumWallForces adds up the normal forces of the spheres on the walls.
func (s *Spheres) sumWallForces() {
	clear(s.wallNormal)
	for b := range s.block {
		q := &s.block[b].wallPoints
		for c := range q.n {
			if q.d[c] > 0 {
				s.wallNormal[int(q.points[c].j)-s.n] += q.p[c]
			}
		}
	}
}

// wallArm returns the vector from a wall's centre to the point where a sphere
// touches it [m].
func (s *Spheres) wallArm(o *contactPoint) r2.Vec {
	x, centre := s.X[o.i], s.walls[int(o.j)-s.n].Centre
	return r2.Vec{X: x.X + float64(o.armI*o.n.X) - centre.X, Y: x.Y + float64(o.armI*o.n.Y) - centre.Y}
}

// loadWalls adds the forces of a block's spheres to the walls.
func (s *Spheres) loadWalls(q *contactPoints) {
	for c := range q.n {
		if q.d[c] <= 0 {
			continue
		}
		o := &q.points[c]
		w := int(o.j) - s.n
		f := r2.Vec{X: float64(q.p[c]*o.n.X) + float64(o.friction*o.n.Y), Y: float64(q.p[c]*o.n.Y) - float64(o.friction*o.n.X)}
		at := s.wallArm(o)
		s.WallForce[w] = r2.Vec{X: s.WallForce[w].X + f.X, Y: s.WallForce[w].Y + f.Y}
		s.WallMoment[w] += float64(at.X*f.Y) - float64(at.Y*f.X) - o.roll
	}
}

// Rolling resistance: a moment that holds a pair against rolling up to a limit, elastic before it (J. Ai,
// J.-F. Chen, J. M. Rotter and J. Y. Ooi, Powder Technology 206, 2011, model C without its damping):
//
//	dM = -k_r dtheta,  k_r = 2.25 k (mu_r R)^2,  |M| <= mu_r R N
//
// with the angle theta by which the first turns against the second, the tangent k of the law, the normal
// force N and 1/R = 1/R_1 + 1/R_2. It is Coulomb friction with a stick, for a moment. The law by volume has
// a moment of its own.

// rollMemory is the memory of a slot for rolling.
type rollMemory struct {
	torque    float64 // on the first sphere at the last evaluation [N m]
	stiffness float64 // of its spring, 0 for none [N m]
}

// RollingOf returns the resistance to rolling of a pair with the coefficient mu_r and the radius R [m].
func RollingOf(coefficient, radius float64) Friction {
	arm := coefficient * radius
	return Friction{Kinetic: arm, Static: arm, Ratio: rolling.Stiffness * arm * arm}
}

// resistsRolling tells whether pairs have a rolling torque.
func (r *Rule) resistsRolling() bool { return r.volume != nil || r.Rolling.Kinetic > 0 }

// resistRolling returns the rolling torque on the first sphere [N m] and the stiffness of its spring, and
// adds its energies. load is the normal force [N], k the law's tangent [N/m], last the last step [s].
func (o *contactPoint) resistRolling(rule *Rule, e *blockSums, h *rollMemory, d, rate, load, k, last float64) (torque, stiffness float64) {
	before := h.torque
	if rule.volume != nil {
		h.torque = rule.volume.torque(d, rate, o.spinRate)
	} else {
		g := rule.Rolling.Advance(coulomb.Stick{Friction: before, Spring: before, Stiffness: h.stiffness}, load, rule.Rolling.Ratio*k, float64(o.turnBefore*last), 0)
		h.torque, h.stiffness = g.Spring, g.Stiffness
		e.Spring += g.Energy()
	}
	rule.addRollingWork(e, float64(0.5*(before+h.torque)*float64(o.turnBefore*last)))
	return h.torque, h.stiffness
}

// addRollingWork adds the work of a rolling torque on the first sphere [J]: to that of friction, or of the
// law whose torque it is.
func (r *Rule) addRollingWork(e *blockSums, work float64) {
	if r.volume != nil {
		e.NormalWork -= work
	} else {
		e.FrictionWork -= work
	}
}
