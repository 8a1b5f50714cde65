package impulses

import (
	"fmt"
	"math"
	"slices"
	"time"

	"fdem/materials/elementary"
	"fdem/solver/bodies"
	"fdem/solver/model"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Contacts are the contacts of rigid bodies by impulses. They move the bodies.
type Contacts struct {
	system.Idle
	system.View
	State
	shapes
	given   *model.Impulses // nil without
	bodies  *bodies.Rigids
	of      []contact
	near    neighbours
	size    float64  // of the smallest free body, the root of its area [m]
	natural float64  // step for that size [s]
	points  []point  // of this step
	ranges  [][2]int // of points that belong to one manifold
	owner   []int32  // per range: that manifold
	colours colours
	until   []float64 // per body: the share of the step until it hits another one
	group   []int32   // per body: another one of its group, see findShaken
	shaken  []bool    // per body that stands for a group
	bounces bool      // a point hits with restitution
	moving  []velocity
	started []velocity // the same before the step
	centres []r2.Vec   // before the step [m]
	direct  direct
	Swept   int64 // number of sweeps so far in this process
	Solved  int64 // number of contact points in all sweeps so far in this process
	others  []Midway
	more    []r2.Vec  // what they put [N]
	turn    []float64 // and their moments [N m]
}

// State is what outlives a step.
type State struct {
	ledgerState
	directState
	Angles      []float64 // of the bodies at the start of the last step [rad]
	loads       []float64 // forces of the contacts in the last step, loadWidth each
	pressed     []float64 // forces and moments of contact on the bodies in the last step, three each
	peakImpulse []float64 // greatest normal impulse of a point, per contact [N s]
	Deepest     []float64 // greatest penetration, per contact [m]
	dissipated  []float64 // per contact [J]
	Unconverged int64     // steps that ended before their sweeps had converged
	keys        []int32   // of the manifolds with contact points, keyWidth each
	values      []float64 // their impulses, valueWidth each
}

// contact is a contact with the bodies on its sides.
type contact struct {
	*model.ImpulseContact
	sides               [2][]bool // per body
	elsewhere           [][2][]bool
	lost, peak, deepest float64 // in this step [J], [N s], [m]
}

// Midway are forces on rigid bodies that change within a step. Midway calls put with what they exceed in the middle
// of the next step, of length dt [s], those at Time [N], [N m].
type Midway interface {
	Midway(dt float64, put func(body int32, f r2.Vec, moment float64))
}

// New makes the contacts by impulses, beside other forces; none for a model without.
func New(of system.View, given *model.Impulses, rigids *bodies.Rigids, others ...Midway) *Contacts {
	k := &Contacts{View: of, given: given, bodies: rigids, others: others}
	if given == nil {
		return k
	}
	count := len(rigids.List)
	for i := range given.Contacts {
		c := contact{ImpulseContact: &given.Contacts[i]}
		c.sides = sidesOf(count, c.Contactor, c.Opposite)
		for _, e := range c.Elsewhere {
			c.elsewhere = append(c.elsewhere, sidesOf(count, e[0], e[1]))
		}
		k.of = append(k.of, c)
	}
	k.size = math.Inf(1)
	for i := range rigids.List {
		r := &rigids.List[i]
		k.shapes.add(of.Mesh, r.Body, r.Rigid.Centre)
		if r.Inverse > 0 {
			size := math.Sqrt(k.area[i])
			if size == 0 { // a line
				size = math.Sqrt(r.Inertia / r.Mass)
			}
			k.size = min(k.size, size)
		}
	}
	k.shapes.close()
	if math.IsInf(k.size, 1) { // nothing moves freely
		for _, far := range k.far {
			k.size = min(k.size, far)
		}
	}
	contacts := len(k.of)
	k.more, k.turn = make([]r2.Vec, count), make([]float64, count)
	k.moving, k.started, k.centres = make([]velocity, count), make([]velocity, count), make([]r2.Vec, count)
	k.State = State{
		Angles: make([]float64, count), loads: make([]float64, loadWidth*contacts), pressed: make([]float64, 3*count),
		peakImpulse: make([]float64, contacts), Deepest: make([]float64, contacts), dissipated: make([]float64, contacts),
	}
	rigids.ByImpulses(k.Angles, k.pressed)
	k.prepareWorkers()
	for i := range rigids.List {
		r := &rigids.List[i]
		k.shapes.place(i, r.RigidMotion.Centre, r.Angle)
	}
	return k
}

// sidesOf returns per body whether it is on a side.
func sidesOf(count int, first, second []int32) (sides [2][]bool) {
	for i, list := range [2][]int32{first, second} {
		sides[i] = make([]bool, count)
		for _, b := range list {
			sides[i][b] = true
		}
	}
	return sides
}

func (k *Contacts) Name() string { return "impulses" }

func (k *Contacts) Empty() bool { return k.given == nil }

// naturalSteps is the number of automatic steps in which a body falls from rest by the root of its
// area, divided by the square root of two. A resting body rocks and topples at that pace.
const naturalSteps = 200

// The share of the smallest body that the fastest moves in an automatic step without gravity at the start, and in any
// step.
const (
	firstShare = 0.01
	mostShare  = 0.25
)

// speed returns the greatest speed of a point of a body [m/s].
func (k *Contacts) speed() float64 {
	fastest := 0.0
	for i := range k.bodies.List {
		r := &k.bodies.List[i]
		fastest = max(fastest, elementary.Norm(r.RigidMotion.Velocity)+float64(math.Abs(r.Spin)*k.far[i]))
	}
	return fastest
}

// reach returns the greatest gap that may close, or has opened, in a step of length dt [m].
func (k *Contacts) reach(dt float64) float64 {
	return min(float64(0.01*k.size)+float64(2*dt*(k.speed()+float64(k.acceleration()*dt))), 0.5*k.size)
}

// acceleration returns the greatest acceleration of a body by other forces than contact [m/s2].
func (k *Contacts) acceleration() float64 {
	most := elementary.Norm(k.Model.Gravity)
	for i := range k.bodies.List {
		r := &k.bodies.List[i]
		if r.Inverse > 0 {
			most = max(most, r.Inverse*elementary.Norm(r.RigidMotion.Force))
		}
	}
	return most
}

// OfSpeed is the cause of steps in which the fastest point of a body would else move too far.
const OfSpeed = "speed of the bodies"

// Bound limits the automatic step, and any in which a body might pass through another one: with the speed v and the
// acceleration a of the fastest no point moves by more than v dt + a dt^2, mostShare of the smallest body.
func (k *Contacts) Bound(b *system.Bounds) {
	speed := k.speed()
	if k.natural == 0 {
		k.natural = k.naturalStep(speed)
	}
	if k.FixedStep == 0 {
		b.Step.Lower(k.natural, system.Cause{What: "size of the bodies"})
	}
	way := float64(mostShare * k.size) // 2 way is a sum to compilers
	if v := speed + math.Sqrt(float64(speed*speed)+float64(4*way*k.acceleration())); v > 0 {
		b.Step.Lower(2*way/v, system.Cause{What: OfSpeed})
	}
}

// naturalStep returns the automatic step at the start [s].
func (k *Contacts) naturalStep(speed float64) float64 {
	switch a := k.acceleration(); {
	case a > 0:
		return math.Sqrt(k.size/a) / naturalSteps
	case speed > 0:
		return firstShare * k.size / speed
	}
	return k.Duration / 1000
}

// MoveBy takes the bodies from Time to Time + dt.
func (k *Contacts) MoveBy(_, dt float64) {
	began := k.Timer.Nested(nil, time.Time{})
	k.step(dt)
	if k.Timer.On {
		k.Timer.Nested(k.Timer.Engine("contact by impulses"), began)
	}
}

// step is a step of length dt [s].
func (k *Contacts) step(dt float64) {
	k.begin(dt)
	acceleration, margin := k.acceleration(), k.reach(dt)
	k.findPairs(margin)
	k.findPoints(margin)
	k.colour()
	k.setBounds(dt)
	k.free(dt)
	k.setRatios()
	k.direct.freed = append(k.direct.freed[:0], k.moving...)
	k.applyAll()
	within := k.given.Tolerance * dt * acceleration
	if acceleration == 0 {
		within = float64(k.given.Tolerance * firstShare * k.speed())
	}
	most := k.given.Sweeps
	if k.N == 0 {
		most = max(most, startSweeps)
	}
	if len(k.points) > 0 && !k.solve(within, most) {
		if k.Unconverged++; k.Unconverged == 1 {
			k.Note("impulses: the step at t = %.6g s ended after %d sweeps, before its impulses were right to the tolerance", k.Time, most)
		}
	}
	k.keep()
	k.account(dt)
	k.move(dt)
}

// begin copies the motion of the bodies. Driven bodies have, at both ends of the step, the velocities of their motion:
// bodies that they carry along then follow it by the mean of the two, to the second order.
func (k *Contacts) begin(dt float64) {
	end := float64(dt / driveShare)
	for i := range k.bodies.List {
		r := &k.bodies.List[i]
		m := r.RigidMotion
		if r.Motion != nil && k.N == 0 {
			m.Velocity, m.Spin = driven(r.Motion, 0, end)
		}
		k.moving[i] = velocity{m.Velocity.X, m.Velocity.Y, m.Spin, r.Inverse, r.InverseInertia}
		k.centres[i], k.Angles[i] = m.Centre, m.Angle
		k.shapes.place(i, m.Centre, m.Angle)
	}
	copy(k.started, k.moving)
	for i := range k.bodies.List {
		if r := &k.bodies.List[i]; r.Motion != nil {
			v, spin := driven(r.Motion, k.Time+dt-end, end)
			k.moving[i].x, k.moving[i].y, k.moving[i].spin = v.X, v.Y, spin
		}
	}
}

// driveShare is the share of a step, inverse, over which the velocity of a motion is a difference.
const driveShare = 128

// driven returns the mean velocities of a motion in a time of length dt [s] from t on.
func driven(motion func(t float64) (r2.Vec, float64), t, dt float64) (v r2.Vec, spin float64) {
	centre, angle := motion(t)
	next, turned := motion(t + dt)
	return r2.Vec{X: (next.X - centre.X) / dt, Y: (next.Y - centre.Y) / dt}, (turned - angle) / dt
}

// findPoints finds the contact points of all pairs.
func (k *Contacts) findPoints(margin float64) {
	k.points, k.ranges, k.owner = k.points[:0], k.ranges[:0], k.owner[:0]
	for i := range k.near.list {
		first := len(k.points)
		k.collide(&k.near.list[i], margin)
		if end := len(k.points); end > first {
			k.ranges, k.owner = append(k.ranges, [2]int{first, end}), append(k.owner, int32(i))
		}
	}
}

// turning returns the rate of the normal velocity of a point as the bodies turn and slide, with velocities that
// stay [m/s2]: for the gap n (x_b - x_a) it is that of n and of the centripetal motion of the points.
func (p *point) turning(a, b *velocity) float64 {
	ra, rb := p.ra, p.rb // of points that the bodies take along
	if p.meets.round[0] {
		ra = r2.Vec{}
	}
	if p.meets.round[1] {
		rb = r2.Vec{}
	}
	slip := float64(p.n.Y*(b.x-a.x)) - float64(p.n.X*(b.y-a.y)) + (float64(a.spin*elementary.Dot(p.n, ra)) - float64(b.spin*elementary.Dot(p.n, rb)))
	rate := float64(a.spin*a.spin*elementary.Dot(p.n, ra)) - float64(b.spin*b.spin*elementary.Dot(p.n, rb))
	switch p.meets.face {
	case 1:
		return rate - float64(2*a.spin*slip)
	case -1:
		return rate - float64(2*b.spin*slip)
	}
	return rate + float64(p.meets.curvature*slip*slip)
}

// setBounds sets what a step of length dt [s] asks of each point: masses, friction and the least
// normal velocity after it, by which the gap just closes. A gap d that the midpoint rule closes
// exactly has the bound -2 d/dt - u0; that alone rings where bodies rest, so that it is at least
// -d/dt. What has pressed before goes on to press: its normal velocity changes by c dt in the step as the
// bodies turn and slide. With half of that before and half of it after the step, of opposite sign, its
// impulse does no work; were it zero after the step, -P c dt/2 would be lost, and bodies sink in by twice as much.
func (k *Contacts) setBounds(dt float64) {
	k.bounces = false
	acceleration := k.acceleration()
	fall := elementary.Norm(k.Model.Gravity) * dt
	if fall == 0 {
		fall = acceleration * dt
	}
	for i := range k.points {
		p := &k.points[i]
		p.na, p.nb = elementary.Cross(p.ra, p.n), elementary.Cross(p.rb, p.n)
		t := r2.Vec{X: p.n.Y, Y: -p.n.X}
		p.ta, p.tb = elementary.Cross(p.ra, t), elementary.Cross(p.rb, t)
		a, b := &k.started[p.a], &k.started[p.b]
		mass := a.inverse + b.inverse
		p.kn = 1 / (mass + float64(p.na*p.na*a.inverseTurn) + float64(p.nb*p.nb*b.inverseTurn))
		p.kt = 1 / (mass + float64(p.ta*p.ta*a.inverseTurn) + float64(p.tb*p.tb*b.inverseTurn))
		if p.rolling > 0 {
			p.kr = 1 / (p.arm * p.arm * (a.inverseTurn + b.inverseTurn))
		}
		of := &k.of[p.contact]
		p.friction = of.Friction
		p.before = p.normalVelocity(a, b)
		slow := of.RestitutionSpeed
		if slow < 0 {
			slow = 4 * fall
		}
		p.impact = math.Abs(p.before) > fall
		p.hits = p.before < -slow && of.Restitution > 0 && p.gap+float64(dt*p.before) <= 0
		k.bounces = k.bounces || p.hits
		if p.gap > 0 && !p.hits {
			p.bound = min(0, max(-p.gap/dt, -2*p.gap/dt-p.before))
			if p.gap+float64(2*dt*min(p.before-float64(acceleration*dt), 0)) > 0 { // far: its last impulses say nothing
				p.pn, p.pt, p.pr = 0, 0, 0
			}
			p.impact = p.impact || -p.bound > fall // what another impact of this step brings together
		}
		if p.pn > 0 && !p.impact {
			p.bound -= float64(0.5 * dt * p.turning(a, b))
		}
	}
	k.bearUntilImpact(dt)
}

// bearUntilImpact lets points that have borne a body go on until it hits another one in a step of length dt [s]: by
// that share of the step of their last impulse at least, unless an impact had to do with that. This impact may lift them, as that of a block that rocks lifts
// the corner about which it has turned; without their impulse the block would lose what its weight does until then.
func (k *Contacts) bearUntilImpact(dt float64) {
	met := false
	for i := range k.points {
		p := &k.points[i]
		if !p.impact || p.before >= 0 || p.gap <= 0 || p.gap+float64(dt*p.before) > 0 {
			continue
		}
		if !met {
			met = true
			k.until = slices.Grow(k.until[:0], len(k.moving))[:len(k.moving)]
			for b := range k.until {
				k.until[b] = 1
			}
		}
		share := -p.gap / (dt * p.before)
		for _, b := range [2]int32{p.a, p.b} {
			if k.moving[b].inverse > 0 {
				k.until[b] = min(k.until[b], share)
			}
		}
	}
	if !met {
		return
	}
	shorter := min(1, dt/k.Last)
	for i := range k.points {
		p := &k.points[i]
		if share := min(k.until[p.a], k.until[p.b]); p.calm && !p.impact && share < 1 {
			p.least, p.impact = float64(share*shorter*p.pn), true
		}
	}
}

// free sets the velocities without impulses, under the other forces.
func (k *Contacts) free(dt float64) {
	clear(k.more)
	clear(k.turn)
	for _, of := range k.others {
		of.Midway(dt, func(body int32, f r2.Vec, moment float64) {
			k.more[body] = r2.Add(k.more[body], f)
			k.turn[body] += moment
		})
	}
	damping := k.Model.Damping.Mass
	for i := range k.bodies.List {
		v := &k.moving[i]
		if v.inverse == 0 {
			continue
		}
		m := k.bodies.List[i].RigidMotion
		v.x += float64(dt * v.inverse * (m.Force.X + k.more[i].X))
		v.y += float64(dt * v.inverse * (m.Force.Y + k.more[i].Y))
		v.spin += float64(dt * v.inverseTurn * (m.Moment + k.turn[i]))
		if damping > 0 {
			was := &k.started[i]
			v.x -= float64(dt * damping * was.x)
			v.y -= float64(dt * damping * was.y)
			v.spin -= float64(dt * damping * was.spin)
		}
	}
}

// setRatios sets the part of the normal velocity of impacts that the forces of the step have not made.
func (k *Contacts) setRatios() {
	if !k.bounces {
		return
	}
	for i := range k.points {
		if p := &k.points[i]; p.hits {
			p.ratio = max(0, min(1, p.before/p.normalVelocity(&k.moving[p.a], &k.moving[p.b])))
		}
	}
}

// keep stores the impulses in the manifolds.
func (k *Contacts) keep() {
	shaken := k.findShaken()
	for i, r := range k.ranges {
		m := &k.near.list[k.owner[i]]
		for j := range k.points[r[0]:r[1]] {
			p := &k.points[r[0]+j]
			calm := p.pn > 0 && !p.impact && !(shaken && (k.shaken[k.groupOf(p.a)] || k.shaken[k.groupOf(p.b)]))
			m.normal[j], m.tangent[j], m.calm[j], m.roll = p.pn, p.pt, calm, p.pr
		}
	}
}

// findShaken finds the groups of free bodies that press on one another, and which of them an impact has shaken: it may
// go through all of their contact points. It tells whether there was any.
func (k *Contacts) findShaken() (any bool) {
	for i := range k.points {
		if p := &k.points[i]; p.impact && p.pn > 0 {
			any = true
			break
		}
	}
	if !any {
		return false
	}
	k.group = slices.Grow(k.group[:0], len(k.moving))[:len(k.moving)]
	k.shaken = slices.Grow(k.shaken[:0], len(k.moving))[:len(k.moving)]
	clear(k.shaken)
	for b := range k.group {
		k.group[b] = int32(b)
	}
	for i := range k.points {
		if p := &k.points[i]; p.pn > 0 && k.moving[p.a].inverse > 0 && k.moving[p.b].inverse > 0 {
			k.group[k.groupOf(p.a)] = k.groupOf(p.b)
		}
	}
	for i := range k.points {
		if p := &k.points[i]; p.pn > 0 && p.impact {
			for _, b := range [2]int32{p.a, p.b} {
				k.shaken[k.groupOf(b)] = k.moving[b].inverse > 0
			}
		}
	}
	return true
}

// groupOf returns the body that stands for the group of a body (disjoint sets).
func (k *Contacts) groupOf(b int32) int32 {
	for k.group[b] != b {
		k.group[b] = k.group[k.group[b]]
		b = k.group[b]
	}
	return b
}

// move sets the new motion of the bodies and pushes them out of one another.
func (k *Contacts) move(dt float64) {
	for i := range k.bodies.List {
		r := &k.bodies.List[i]
		m := r.RigidMotion
		v, was := &k.moving[i], &k.started[i]
		switch {
		case r.Motion != nil:
			m.Centre, m.Angle = r.Motion(k.Time + dt)
			m.Velocity, m.Spin = r2.Vec{X: v.x, Y: v.y}, v.spin
		case r.Inverse > 0:
			if damping := k.Model.Damping.Mass; damping > 0 {
				x, y, spin := float64(was.x*(was.x+v.x)), float64(was.y*(was.y+v.y)), float64(was.spin*(was.spin+v.spin))
				k.damped += float64(0.5 * dt * damping * ((x+y)/r.Inverse + spin/r.InverseInertia))
			}
			m.Velocity, m.Spin = r2.Vec{X: v.x, Y: v.y}, v.spin
			m.Centre.X += float64(0.5 * dt * (was.x + v.x))
			m.Centre.Y += float64(0.5 * dt * (was.y + v.y))
			m.Angle += float64(0.5 * dt * (was.spin + v.spin))
		}
	}
	for i := range k.points {
		if p := &k.points[i]; p.pn > 0 {
			k.pushOut(p, dt)
		}
	}
	for i := range k.bodies.List {
		if r := &k.bodies.List[i]; r.Motion != nil || r.Inverse > 0 {
			k.bodies.Follow(i, dt)
		}
	}
}

// Bodies that penetrate by more than allowed are pushed out by a share of the penetration in a step,
// at most at the speed of a fall over half of the root of its area.
const (
	allowed      = 1e-7 // relative to the smallest body
	pushedShare  = 0.1
	startOverlap = 1e-4
)

// pushOut moves two bodies out of one another at a point, without a change of velocity.
func (k *Contacts) pushOut(p *point, dt float64) {
	a, b := &k.bodies.List[p.a], &k.bodies.List[p.b]
	ra := elementary.Rotate(p.ra, a.Angle-k.Angles[p.a])
	rb := elementary.Rotate(p.rb, b.Angle-k.Angles[p.b])
	d := r2.Sub(r2.Add(b.RigidMotion.Centre, rb), r2.Add(a.RigidMotion.Centre, ra))
	was := r2.Sub(r2.Add(k.centres[p.b], p.rb), r2.Add(k.centres[p.a], p.ra))
	gap := p.gap + elementary.Dot(p.n, r2.Sub(d, was))
	if gap >= -allowed*k.size {
		return
	}
	l := p.kn * min(-pushedShare*gap, k.size/(naturalSteps*k.natural)*dt)
	k.displace(p.a, r2.Scale(-l, p.n), -l*elementary.Cross(ra, p.n))
	k.displace(p.b, r2.Scale(l, p.n), l*elementary.Cross(rb, p.n))
}

// displace moves a free body as an impulse would within a unit of time, and records the work of the
// other forces.
func (k *Contacts) displace(body int32, along r2.Vec, turn float64) {
	r := &k.bodies.List[body]
	if r.Inverse == 0 {
		return
	}
	by, angle := r2.Scale(r.Inverse, along), float64(r.InverseInertia*turn)
	m := r.RigidMotion
	m.Centre = elementary.Along(m.Centre, along, r.Inverse)
	m.Angle += angle
	k.pushed += elementary.Dot(r2.Add(m.Force, k.more[body]), by) + float64((m.Moment+k.turn[body])*angle)
}

// Overlap returns an error if bodies overlap at the start.
func (k *Contacts) Overlap(evaluated bool) error {
	if evaluated {
		return nil
	}
	k.findPairs(0.01 * k.size)
	k.findPoints(0.01 * k.size)
	worst := -1
	for i := range k.points {
		if p := &k.points[i]; p.gap < -startOverlap*k.size && (worst < 0 || p.gap < k.points[worst].gap) {
			worst = i
		}
	}
	k.near.list, k.near.centre = k.near.list[:0], nil
	if worst < 0 {
		return nil
	}
	p := &k.points[worst]
	return &OverlapError{k.of[p.contact].Name, k.bodies.List[p.a].Name, k.bodies.List[p.b].Name, -p.gap, r2.Add(k.centre(p.a), p.ra)}
}

// AtStart returns what impulses cannot tell at the start. row names a body that touches two others, if an
// impact with more than this restitution may pass through it; redundant is the number of forces above that of the
// conditions of equilibrium, 0 if these determine them: of forces in touching points, or with joints of those by which
// two bodies press on one another, of which there are three at most, the resultant and its moment.
func (k *Contacts) AtStart(elastic float64, joints bool) (row string, redundant int) {
	if k.N > 0 {
		return "", 0
	}
	k.findPairs(0.01 * k.size)
	k.findPoints(0.01 * k.size)
	k.near.list, k.near.centre = k.near.list[:0], nil
	free, most := 0, math.MaxInt
	if joints {
		most = 3
	}
	forces := map[[2]int32]int{}
	touched := make([][]int32, len(k.bodies.List))
	for i := range k.points {
		p := &k.points[i]
		of := &k.of[p.contact]
		if p.gap > startOverlap*k.size {
			continue
		}
		count := forces[[2]int32{p.a, p.b}] + 1
		if of.Friction > 0 {
			count++
		}
		if p.rolling > 0 {
			count++
		}
		redundant += min(count, most) - forces[[2]int32{p.a, p.b}]
		forces[[2]int32{p.a, p.b}] = min(count, most)
		for _, pair := range [2][2]int32{{p.a, p.b}, {p.b, p.a}} {
			if t := &touched[pair[0]]; of.Restitution > elastic && k.bodies.List[pair[0]].Inverse > 0 && !slices.Contains(*t, pair[1]) {
				*t = append(*t, pair[1])
			}
		}
	}
	for i := range k.bodies.List {
		if k.bodies.List[i].Inverse > 0 {
			free++
		}
		if row == "" && len(touched[i]) > 1 {
			row = k.bodies.List[i].Name
		}
	}
	return row, max(0, redundant-3*free)
}

// OverlapError reports rigid bodies that overlap before the first step.
type OverlapError struct {
	Contact       string
	First, Second string // bodies
	Depth         float64
	At            r2.Vec
}

func (e *OverlapError) Error() string {
	return fmt.Sprintf("contact %q: %q and %q overlap at the start by %.3g m at (%.6g, %.6g) m: move them apart", e.Contact, e.First, e.Second, e.Depth, e.At.X, e.At.Y)
}
