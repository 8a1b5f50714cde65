package spheres

import (
	"math"

	"fdem/contactnodes/motion"

	"gonum.org/v1/gonum/spatial/r2"
)

// sphereMotion is the motion of a sphere, read at all of its contact points. It
// fills one line of the cache.
type sphereMotion struct {
	x       r2.Vec  // [m]
	v       r2.Vec  // at x [m/s]
	vBefore r2.Vec  // velocity half a step before [m/s]
	w       float64 // spin at x [rad/s]
	wBefore float64 // spin half a step before [rad/s]
}

// wallMotion is the motion of a wall.
type wallMotion struct {
	motion.Body
	v, vBefore r2.Vec  // as sphereMotion has them
	w, wBefore float64 // as sphereMotion has them
}

// sphereLoad is the sum of the contact forces on a sphere.
type sphereLoad struct {
	force     r2.Vec  // [N]
	moment    float64 // [N m]
	stiffness float64 // sum of the stiffnesses [N/m]
}

func (l *sphereLoad) add(o sphereLoad) {
	l.force.X += o.force.X
	l.force.Y += o.force.Y
	l.moment += o.moment
	l.stiffness += o.stiffness
}

// block is a range of consecutive spheres with the results of their slots. One
// worker evaluates it.
type block struct {
	first, end int32             // spheres
	distance2  float64           // square of the greatest displacement since the list was made [m2]
	fastest2   float64           // square of the greatest speed [m2/s2]
	omega2     float64           // greatest squared frequency [1/s2]
	pairSums   []blockSums       // per interaction: of pairs of spheres
	wallSums   []blockSums       // of pairs with walls
	remote     [2]int32          // range of slots.remote
	pairPoints contactPoints     // of pairs of spheres, batch by batch
	wallPoints contactPoints     // of all slots with walls
	deep       *PenetrationError // the first contact point that is too deep, nil for none

	outlineSums   []blockSums // per interaction: of pairs with the outline
	outlinePoints outlinePoints
}

// spheresPerBlock is the number of spheres in a block. It affects the order of sums.
const spheresPerBlock = 1024

// addBlocks divides the spheres into blocks.
func (s *Spheres) addBlocks() {
	for first := 0; first < s.n; first += spheresPerBlock {
		s.block = append(s.block, block{
			first: int32(first), end: int32(min(first+spheresPerBlock, s.n)),
			pairSums: make([]blockSums, s.Interactions), wallSums: make([]blockSums, s.Interactions), outlineSums: make([]blockSums, s.Interactions),
		})
	}
}

// Evaluate sets the contact forces at X. walls are the rigid bodies, whose nodes
// must be set in X. last is the length of the step that led here [s], step its
// number. A second call for the same step changes nothing. Evaluate fails if two
// kinds are in contact for which no rule is possible.
//
// Laws get the rate at X. A sphere's velocity there is half a step ahead of V;
// it follows from V by the last step's forces and the weight.
func (s *Spheres) Evaluate(walls []motion.Body, gravity r2.Vec, last float64, step int64) error {
	if step == s.evaluated {
		return nil
	}
	s.evaluated = step
	s.pastStep, s.gravity = last, gravity
	for w := range walls {
		m := &s.walls[w]
		m.Body = walls[w]
		m.v, m.w = m.Ahead(last) // by the last step's forces, as for spheres
		m.vBefore, m.wBefore = m.Velocity, m.Spin
	}
	s.team.forEach(len(s.block), s.team.prepare)
	if travelled := s.travel(); !s.updateSlots(travelled > s.slack) {
		s.slots.wake(travelled)
	}
	if s.failure != nil {
		return s.failure
	}
	s.team.forEach(len(s.block), s.team.evaluate)
	for i, sphere := range s.slots.remote { // block after block
		s.load[sphere].add(s.load[s.n+i])
	}
	s.evaluateWalls()
	for b := range s.block {
		if err := s.block[b].deep; err != nil {
			return err
		}
	}
	if err := s.evaluateOutlines(); err != nil {
		return err
	}
	s.team.forEach(len(s.block), s.team.finish)
	s.total()
	if step == 0 { // overlaps at the start have no crossing
		for i := range s.Interaction {
			s.Interaction[i].NormalWork = s.Interaction[i].Stored
		}
	}
	return nil
}

// prepare sets the motion of block b's spheres at X.
func (s *Spheres) prepare(b int) {
	half, gravity := float64(0.5*s.pastStep), s.gravity
	weight := r2.Vec{X: float64(half * gravity.X), Y: float64(half * gravity.Y)}
	own := &s.block[b]
	travelled2, fastest2 := 0.0, 0.0
	low, n := int(own.first), int(own.end-own.first)
	motions, positions, from := s.motion[low:][:n], s.X[low:][:n], s.atList[low:][:n]
	velocities, forces, ease := s.V[low:][:n], s.F[low:][:n], s.InverseMass[low:][:n]
	spins, moments, turning := s.Spin[low:][:n], s.Moment[low:][:n], s.InverseInertia[low:][:n]
	for i := range motions {
		o, x, v, spin := &motions[i], positions[i], velocities[i], spins[i]
		o.x, o.vBefore, o.wBefore = x, v, spin
		if q := float64(v.X*v.X) + float64(v.Y*v.Y); q > fastest2 {
			fastest2 = q
		}
		if w := half * ease[i]; w > 0 {
			v.X += float64(w*forces[i].X) + weight.X
			v.Y += float64(w*forces[i].Y) + weight.Y
		}
		o.v, o.w = v, spin+float64(half*turning[i]*moments[i])
		x.X -= from[i].X
		x.Y -= from[i].Y
		if q := float64(x.X*x.X) + float64(x.Y*x.Y); q > travelled2 {
			travelled2 = q
		}
	}
	own.distance2, own.fastest2 = travelled2, fastest2
}

// travel returns the greatest displacement of a centre or of a wall's node
// since the list was made [m].
func (s *Spheres) travel() float64 {
	travelled2 := 0.0
	for b := range s.block {
		if q := s.block[b].distance2; q > travelled2 {
			travelled2 = q
		}
	}
	far := func(i int) {
		x, y := s.X[i].X-s.atList[i].X, s.X[i].Y-s.atList[i].Y
		if q := float64(x*x) + float64(y*y); q > travelled2 {
			travelled2 = q
		}
	}
	for i := s.n; i < s.rim; i++ {
		far(i)
	}
	for _, n := range s.used {
		far(s.rim + int(n))
	}
	return math.Sqrt(travelled2)
}

// evaluateBlock evaluates the slots between spheres of block b.
func (s *Spheres) evaluateBlock(b int) {
	own, t, q := &s.block[b], &s.slots, &s.block[b].pairPoints
	clear(own.pairSums)
	clear(s.load[s.n+int(own.remote[0]) : s.n+int(own.remote[1])])
	for k := t.first[b]; k < t.first[b+1]; k++ {
		batch := &t.batch[k]
		rule := s.rules[batch.rule]
		q.clear()
		s.kernel.findPoints(s, batch, q)
		if q.n == 0 {
			continue
		}
		own.noteTooDeep(s, rule, q, 0)
		s.evaluateLaw(rule, batch, q, 0)
		s.kernel.addForces(s, rule, q, &own.pairSums[rule.Interaction])
	}
}

// noteTooDeep records the first contact point that is deeper than the rule allows.
func (own *block) noteTooDeep(s *Spheres, rule *Rule, q *contactPoints, from int) {
	if rule.Deepest == 0 || own.deep != nil {
		return
	}
	for c, d := range q.d[from:q.n] {
		if d > rule.Deepest {
			o := &q.points[from+c]
			other := int32(0)
			if int(o.j) < s.n {
				other = s.Kind[o.j]
			} else {
				other = s.Walls[int(o.j)-s.n].Kind
			}
			own.deep = &PenetrationError{Sphere: o.i, Position: s.X[o.i], Kinds: [2]int32{s.Kind[o.i], other}, Depth: d, Radius: s.Radius[o.i]}
			return
		}
	}
}

// evaluateWalls evaluates the slots with walls.
func (s *Spheres) evaluateWalls() {
	clear(s.WallForce)
	clear(s.WallMoment)
	t, n := &s.slots, len(s.block)
	if t.first[n] == t.first[2*n] {
		return
	}
	s.team.forEach(n, s.team.pressWalls)
	s.sumWallForces()
	s.team.forEach(n, s.team.addWallForces)
	for b := range s.block {
		s.loadWalls(&s.block[b].wallPoints)
	}
}

// evaluateOutlines evaluates the slots with the outline.
func (s *Spheres) evaluateOutlines() error {
	t, n := &s.slots, len(s.block)
	if t.first[2*n] == t.first[3*n] && len(s.Loaded) == 0 {
		return nil
	}
	for _, r := range s.rules {
		if r.speed != s.PredictedSpeed && r.Mass > 0 && !math.IsInf(r.Mass, 1) {
			r.speed = s.PredictedSpeed
			r.stiffness, r.damping = impactStiffness(r.Law, r.Mass, r.speed)
		}
	}
	s.team.forEach(n, s.team.pressOutlines)
	for b := range s.block {
		if err := s.block[b].outlinePoints.failure; err != nil {
			return err
		}
	}
	for _, n := range s.Loaded {
		s.nodeNormal[n] = 0
	}
	s.sumNodeForces()
	s.team.forEach(n, s.team.addOutlineForces)
	s.loadOutline()
	return nil
}

// pressWalls finds the contact points and normal forces of block b's spheres at
// the walls.
func (s *Spheres) pressWalls(b int) {
	t, q := &s.slots, &s.block[b].wallPoints
	q.clear()
	for k := t.first[len(s.block)+b]; k < t.first[len(s.block)+b+1]; k++ {
		from := q.n
		s.findWallPoints(&t.batch[k], q)
		if q.n > from {
			s.block[b].noteTooDeep(s, s.rules[t.batch[k].rule], q, from)
			s.evaluateLaw(s.rules[t.batch[k].rule], &t.batch[k], q, from)
			q.batch = append(q.batch, rulePoints{t.batch[k].rule, int32(from), int32(q.n)})
		}
	}
}

// rulePoints is a range of contact points of one rule.
type rulePoints struct{ rule, first, end int32 }

// addWallForces finds friction at the walls and adds the forces there to the
// spheres.
func (s *Spheres) addWallForces(b int) {
	own := &s.block[b]
	clear(own.wallSums)
	for _, k := range own.wallPoints.batch {
		rule := s.rules[k.rule]
		s.addForces(rule, &own.wallPoints, int(k.first), int(k.end), nil, &own.wallSums[rule.Interaction])
	}
}

// finish sets the forces on the spheres of block b and clears their loads for the
// next evaluation.
func (s *Spheres) finish(b int) {
	own := &s.block[b]
	stiffest := 0.0
	low, n := int(own.first), int(own.end-own.first)
	loads, forces, moments, ease := s.load[low:][:n], s.F[low:][:n], s.Moment[low:][:n], s.InverseMass[low:][:n]
	for i := range loads {
		l := &loads[i]
		forces[i], moments[i] = l.force, l.moment
		stiffest = max(stiffest, float64(2*l.stiffness*ease[i]))
		*l = sphereLoad{}
	}
	own.omega2 = stiffest
}

// total adds up the sums of the interactions, block after block.
func (s *Spheres) total() {
	for i := range s.Interaction {
		e := &s.Interaction[i]
		e.Present = Present{}
	}
	s.Omega2 = 0
	n := len(s.block)
	walls, outlines := s.slots.first[n] < s.slots.first[2*n], s.slots.first[2*n] < s.slots.first[3*n]
	for b := range s.block {
		own := &s.block[b]
		s.Omega2 = max(s.Omega2, own.omega2)
		for i := range s.Interaction {
			s.Interaction[i].add(&own.pairSums[i])
			if walls {
				s.Interaction[i].add(&own.wallSums[i])
			}
			if outlines {
				s.Interaction[i].add(&own.outlineSums[i])
			}
		}
	}
}

// blockSums is the sums over a block's pairs at X, and over the last step.
type blockSums struct {
	Balance
	Present
}

// add adds the sums of a block.
func (t *Totals) add(o *blockSums) {
	t.NormalWork += o.NormalWork
	t.FrictionWork += o.FrictionWork
	t.PeakForce = max(t.PeakForce, o.PeakForce)
	t.PeakDeflection = max(t.PeakDeflection, o.PeakDeflection)
	t.Speeds.Raise(o.Speeds)
	t.Compressed.Add(o.Compressed)
	t.Restored.Add(o.Restored)
	t.Active += o.Active
	t.Normal += o.Normal
	t.Tangential += o.Tangential
	t.Stored += o.Stored
	t.Spring += o.Spring
}

// Move advances the spheres' velocities by kick [s] and their positions by dt [s].
func (s *Spheres) Move(kick, dt float64, gravity r2.Vec) {
	s.team.kick, s.team.drift, s.gravity = kick, dt, gravity
	s.team.forEach(len(s.block), s.team.move)
}

// move moves the spheres of block b.
func (s *Spheres) move(b int) {
	kick, dt, gravity := s.team.kick, s.team.drift, s.gravity
	low, n := int(s.block[b].first), int(s.block[b].end-s.block[b].first)
	positions, angles, velocities, spins := s.X[low:][:n], s.Angle[low:][:n], s.V[low:][:n], s.Spin[low:][:n]
	forces, moments, ease, turning := s.F[low:][:n], s.Moment[low:][:n], s.InverseMass[low:][:n], s.InverseInertia[low:][:n]
	for i, w := range ease {
		if w == 0 {
			continue
		}
		v, x, f := &velocities[i], &positions[i], forces[i]
		v.X += float64(kick * (float64(w*f.X) + gravity.X))
		v.Y += float64(kick * (float64(w*f.Y) + gravity.Y))
		spins[i] += float64(kick * float64(turning[i]*moments[i]))
		x.X += float64(dt * v.X)
		x.Y += float64(dt * v.Y)
		angles[i] += float64(dt * spins[i])
	}
}

// Fastest returns the greatest speed of a sphere at the last evaluation, half a
// step behind it [m/s].
func (s *Spheres) Fastest() float64 {
	most := 0.0
	for b := range s.block {
		if s.evaluated < 0 { // none yet
			s.prepare(b)
		}
		most = max(most, s.block[b].fastest2)
	}
	return math.Sqrt(most)
}

// Overlapping returns the number of pairs that overlap by more than part of the
// smaller radius although that is not allowed, and the greatest deflection [m].
func (s *Spheres) Overlapping(part float64) (pairs int, deepest float64) {
	for b := range s.block {
		s.prepare(b)
	}
	s.updateSlots(s.travel() > s.slack)
	t := &s.slots
	var q contactPoints
	for k := range t.batch {
		b := &t.batch[k]
		if s.rules[b.rule].Overlap {
			continue
		}
		q.clear()
		if int(b.block) < len(s.block) {
			s.findPoints(b, &q)
		} else if int(b.block) < 2*len(s.block) {
			s.findWallPoints(b, &q)
		} else {
			o := outlinePoints{contactPoints: q}
			s.findOutlinePoints(b, &o)
			q = o.contactPoints
		}
		for c := range q.n {
			o := &q.points[c]
			least := s.Radius[o.i]
			if int(o.j) < s.n {
				least = min(least, s.Radius[o.j])
			}
			if q.d[c] > part*least {
				pairs++
				deepest = max(deepest, q.d[c])
			}
		}
	}
	return pairs, deepest
}
