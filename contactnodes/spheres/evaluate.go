package spheres

import (
	"math"
	"slices"
	"sync"

	"fdem/contactnodes/coulomb"
	"fdem/materials/contact"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Evaluate sets the contact forces at X. pose is that of the walls, whose nodes
// must stand in X; last is the length of the step that led here [s], step its
// number. A second call for the same step changes nothing. It fails where two
// meet for which there can be no rule.
//
// Laws see the rate at X: a sphere's velocity there is half a step ahead of V,
// and what carries it there are last step's forces and its weight.
func (s *Spheres) Evaluate(pose []Pose, gravity r2.Vec, last float64, step int64) error {
	if step == s.Evaluated {
		return nil
	}
	s.Evaluated = step
	copy(s.pose, pose)
	s.pastStep, s.gravity = last, gravity
	if s.refresh(); s.failure != nil {
		return s.failure
	}
	slots := len(s.slots.pair)
	s.share(slots, measuring)
	s.share(slots, asking)
	s.weigh()
	s.share(slots, rubbing)
	s.total()
	if step == 0 { // what overlaps at the start has been there for ever
		for i := range s.Interaction {
			s.Interaction[i].NormalWork = s.Interaction[i].Stored
		}
	}
	s.share(s.n, gathering)
	s.strike()
	s.Stiffest = slices.Max(s.stiff)
	return nil
}

// perWorker is the number of slots below which another worker costs more than
// it saves.
const perWorker = 1000

// The phases of an evaluation that workers share.
const (
	measuring = iota // of slots
	asking
	rubbing
	gathering // of spheres
)

func (s *Spheres) do(phase, first, end int) {
	switch phase {
	case measuring:
		s.measure(first, end)
	case asking:
		s.ask(first, end)
	case rubbing:
		s.rub(first, end)
	case gathering:
		s.gather(first, end)
	}
}

// share lets the workers do parts of n.
func (s *Spheres) share(n, phase int) {
	workers := min(s.parallel, n/perWorker)
	if workers <= 1 {
		s.do(phase, 0, n)
		return
	}
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() { s.do(phase, w*n/workers, (w+1)*n/workers) })
	}
	wait.Wait()
}

// ahead returns the velocity and the spin of sphere i at X.
func (s *Spheres) ahead(i int32, half float64) (r2.Vec, float64) {
	gravity := s.gravity
	v, w := s.V[i], half*s.Inverse[i]
	if w > 0 {
		v.X += float64(w*s.F[i].X) + float64(half*gravity.X)
		v.Y += float64(w*s.F[i].Y) + float64(half*gravity.Y)
	}
	return v, s.Spin[i] + float64(half*s.Turning[i]*s.Moment[i])
}

// measure finds the deflection, its rate and the slip of slots.
func (s *Spheres) measure(first, end int) {
	t, half := &s.slots, float64(0.5*s.pastStep)
	for c := first; c < end; c++ {
		p, o := t.pair[c], &t.touch[c]
		i, j := p.I, p.J
		x := s.X[i]
		var n r2.Vec         // towards the partner
		var distance float64 // to the partner's surface, or between centres
		ri, rj := s.Radius[i], 0.0
		if int(j) < s.n {
			rj = s.Radius[j]
			n = r2.Vec{X: s.X[j].X - x.X, Y: s.X[j].Y - x.Y}
			square := float64(n.X*n.X) + float64(n.Y*n.Y)
			reach := ri + rj
			if square >= reach*reach && t.d[c] <= 0 && o.before <= 0 { // far: most are
				t.d[c], o.before = reach-math.Sqrt(square), 0
				t.rate[c] = 0
				continue
			}
			if distance = math.Sqrt(square); distance > 0 {
				n.X, n.Y = n.X/distance, n.Y/distance
			} else {
				n = r2.Vec{X: 1}
			}
		} else {
			n, distance = s.toWall(c, x)
		}
		d := ri + rj - distance
		if int(j) < s.n {
			o.armI = float64(distance * (ri / (ri + rj)))
			o.armJ = distance - o.armI
		} else {
			o.armI, o.armJ = distance, 0
		}
		o.n = n
		o.before = max(t.d[c], 0)
		t.d[c] = d
		if d <= 0 && o.before <= 0 {
			t.rate[c] = 0
			continue
		}
		vi, wi := s.ahead(i, half)
		var vj r2.Vec
		var wj float64
		oldI, oldJ := s.V[i], r2.Vec{}
		spinI, spinJ := s.Spin[i], 0.0
		if int(j) < s.n {
			vj, wj = s.ahead(j, half)
			oldJ, spinJ = s.V[j], s.Spin[j]
		} else {
			pose := &s.pose[int(j)-s.n]
			ax, ay := x.X+float64(distance*n.X)-pose.Centre.X, x.Y+float64(distance*n.Y)-pose.Centre.Y
			wj, spinJ = pose.Spin, pose.PastSpin
			vj = r2.Vec{X: pose.Velocity.X - float64(pose.Spin*ay), Y: pose.Velocity.Y + float64(pose.Spin*ax)}
			oldJ = r2.Vec{X: pose.Past.X - float64(pose.PastSpin*ay), Y: pose.Past.Y + float64(pose.PastSpin*ax)}
		}
		vx, vy := vi.X-vj.X, vi.Y-vj.Y
		hx, hy := oldI.X-oldJ.X, oldI.Y-oldJ.Y
		t.rate[c] = float64(vx*n.X) + float64(vy*n.Y)
		o.closing = float64(hx*n.X) + float64(hy*n.Y)
		o.slip = (float64(vy*n.X) - float64(vx*n.Y)) + (float64(wi*o.armI) + float64(wj*o.armJ))
		o.turn, o.turned = wi-wj, spinI-spinJ
		o.half = (float64(hy*n.X) - float64(hx*n.Y)) + (float64(spinI*o.armI) + float64(spinJ*o.armJ))
	}
}

// toWall returns the direction from x to the wall of slot c and the way to its
// nearest point, negative behind a circle.
func (s *Spheres) toWall(c int, x r2.Vec) (n r2.Vec, distance float64) {
	t := &s.slots
	w := int(t.pair[c].J) - s.n
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
	for _, e := range t.near[t.edges[c]:t.edges[c+1]] {
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

// ask lets the laws answer.
func (s *Spheres) ask(first, end int) {
	t := &s.slots
	for r := range len(t.first) - 1 {
		a, b := max(int(t.first[r]), first), min(int(t.first[r+1]), end)
		if a >= b {
			continue
		}
		rule := s.rules[s.order[r]]
		m := int(rule.memory)
		at := int(t.mem[r]) + (a-int(t.first[r]))*m
		memory := t.memory[at : at+(b-a)*m]
		if m > 0 {
			s.begin(rule, a, b, memory)
		}
		rule.Law.Eval(contact.Input{D: t.d[a:b], Rate: t.rate[a:b], Mem: memory},
			contact.Output{P: t.p[a:b], DP: t.dp[a:b], K: t.k[a:b], W: t.w[a:b], Mem: memory})
		if l, ok := rule.Law.(contact.Sprung); ok {
			l.Springs(t.d[a:b], t.k[a:b])
		}
	}
}

// leastTouch is the deflection at which a law is told of a touch [m]; its power
// 3/2 is still a number.
const leastTouch = 1e-150

// begin tells the law of slots that have just come to touch, at the crossing,
// and where rule forgets clears what apart slots remember. The crossing is
// where deflection and rate, taken back evenly over the step, meet zero.
func (s *Spheres) begin(rule *Rule, a, b int, memory []float64) {
	t, m := &s.slots, int(rule.memory)
	for c := a; c < b; c++ {
		own := memory[(c-a)*m : (c-a+1)*m]
		o := &t.touch[c]
		if t.d[c] <= 0 {
			if rule.Forgets && o.before > 0 {
				clear(own)
			}
			continue
		}
		if o.before > 0 || o.closing <= 0 {
			continue
		}
		// half a step before, the rate was closing; at the touch it was between
		// that of the step's start and that of its end.
		start := float64(2*o.closing) - t.rate[c]
		back := t.d[c] / o.closing // time since the crossing
		whole := s.pastStep
		part := 0.5
		if whole > 0 {
			part = min(max(1-back/whole, 0), 1)
		}
		rate := start + float64(part*(t.rate[c]-start))
		d, now := t.d[c], t.rate[c]
		t.d[c], t.rate[c] = leastTouch, rate
		rule.Law.Eval(contact.Input{D: t.d[c : c+1], Rate: t.rate[c : c+1], Mem: own},
			contact.Output{P: t.p[c : c+1], DP: t.dp[c : c+1], K: t.k[c : c+1], W: t.w[c : c+1], Mem: own})
		t.d[c], t.rate[c] = d, now
	}
}

// rub finds the friction of slots and the work of the last step.
func (s *Spheres) rub(first, end int) {
	t, last := &s.slots, s.pastStep
	for r := range len(t.first) - 1 {
		a, b := max(int(t.first[r]), first), min(int(t.first[r+1]), end)
		if a >= b {
			continue
		}
		rule := s.rules[s.order[r]]
		f := &rule.Friction
		for c := a; c < b; c++ {
			o := &t.touch[c]
			force := o.force
			if t.d[c] <= 0 {
				t.p[c], t.w[c], t.k[c] = 0, 0, 0
				if o.before > 0 {
					o.normal = float64(0.5 * o.force * float64(o.closing*last))
					o.across = -float64(0.5 * o.grip.Drag * o.half * last)
				} else {
					o.normal, o.across = 0, 0
				}
				o.force, o.grip, o.speed = 0, coulomb.Grip{}, 0
				o.in, o.out = Phase{}, Phase{Impulse: float64(0.5 * force * last), Work: o.normal}
				o.normal -= float64(0.5 * o.roll * o.turned * last)
				o.roll = 0
				continue
			}
			before := o.grip.Drag
			o.force, o.speed = t.p[c], 0
			if f.Sticks() {
				o.grip = f.Stick(o.grip, o.force, f.Ratio*t.k[c], float64(o.half*last), 0)
			} else { // it halves a slip within one step at most
				o.grip.Drag, o.speed = f.Regularised(o.force, o.slip, s.least(c, f.Kinetic))
			}
			o.normal = 0.5 * (force + o.force) * float64(o.closing*last)
			o.across = -0.5 * (before + o.grip.Drag) * float64(o.half*last)
			o.split(force, t.rate[c], last)
			if rule.rolls != nil {
				roll := o.roll
				o.roll = rule.rolls.torque(t.d[c], t.rate[c], o.turn)
				o.normal -= float64(0.5 * (roll + o.roll) * float64(o.turned*last))
			}
		}
	}
}

// split shares the last step's impulse and work between approach and parting,
// from the force at its start and the rate at its end. Where it turns in
// between, the rate changes evenly.
func (o *touch) split(force, rate, last float64) {
	start := float64(2*o.closing) - rate
	o.in, o.out = Phase{}, Phase{}
	switch impulse := float64(0.5 * (force + o.force) * last); {
	case o.closing > 0 && rate >= 0:
		o.in = Phase{impulse, o.normal}
	case start > 0 && rate < 0:
		x := start / (start - rate)
		turn := force + float64(x*(o.force-force))
		o.in = Phase{float64(0.5 * last * x * (force + turn)), float64(0.5 * last * x * force * start)}
		o.out = Phase{impulse - o.in.Impulse, o.normal - o.in.Work}
	default:
		o.out = Phase{impulse, o.normal}
	}
}

// add adds another phase.
func (p *Phase) add(o Phase) {
	p.Impulse += o.Impulse
	p.Work += o.Work
}

// least returns twice the speed that friction with the coefficient mu would
// stop within one step [m/s]: of two spheres by the force between them, of a
// wall that gives way by all that spheres press it with.
func (s *Spheres) least(c int, mu float64) float64 {
	p, o := s.slots.pair[c], &s.slots.touch[c]
	i, j := p.I, int(p.J)
	ease := s.Inverse[i] + float64(float64(o.armI*o.armI)*s.Turning[i]) // change of the slip speed by a unit impulse [1/kg]
	if j < s.n {
		ease += s.Inverse[j] + float64(float64(o.armJ*o.armJ)*s.Turning[j])
	}
	least := float64(2 * mu * o.force * s.pastStep * ease)
	if j >= s.n && s.Walls[j-s.n].Inverse > 0 {
		w, arm := &s.Walls[j-s.n], elementary.Dot(s.lever(c), o.n)
		least += float64(2 * mu * s.press[j-s.n] * s.pastStep * (w.Inverse + float64(float64(arm*arm)*w.Turning)))
	}
	return least
}

// weigh adds up how hard spheres press the walls.
func (s *Spheres) weigh() {
	clear(s.press)
	for _, c := range s.slots.walls {
		if s.slots.d[c] > 0 {
			s.press[int(s.slots.pair[c].J)-s.n] += s.slots.p[c]
		}
	}
}

// lever returns the way from a wall's centre to where slot c touches it [m].
func (s *Spheres) lever(c int) r2.Vec {
	p, o := s.slots.pair[c], &s.slots.touch[c]
	x, centre := s.X[p.I], s.pose[int(p.J)-s.n].Centre
	return r2.Vec{X: x.X + float64(o.armI*o.n.X) - centre.X, Y: x.Y + float64(o.armI*o.n.Y) - centre.Y}
}

// total adds up the interactions, slot after slot.
func (s *Spheres) total() {
	t := &s.slots
	for i := range s.Interaction {
		e := &s.Interaction[i]
		e.Active, e.Normal, e.Tangential, e.Stored, e.Spring = 0, 0, 0, 0, 0
	}
	for r := range len(t.first) - 1 {
		e := &s.Interaction[s.rules[s.order[r]].Interaction]
		for c := t.first[r]; c < t.first[r+1]; c++ {
			o := &t.touch[c]
			if t.d[c] <= 0 && o.before <= 0 {
				continue
			}
			e.NormalWork += o.normal
			e.FrictionWork += o.across
			e.Compressed.add(o.in)
			e.Restored.add(o.out)
			if t.d[c] <= 0 {
				continue
			}
			e.Active++
			e.Normal += o.force
			e.Tangential += math.Abs(o.grip.Drag)
			e.PeakForce = max(e.PeakForce, o.force)
			e.Deepest = max(e.Deepest, t.d[c])
			e.Stored += t.w[c]
			e.Spring += o.grip.Energy()
			e.Widest = max(e.Widest, o.speed)
		}
	}
}

// gather adds up the forces on spheres, partner after partner.
func (s *Spheres) gather(first, end int) {
	t := &s.slots
	for i := first; i < end; i++ {
		var f r2.Vec
		moment, stiff := 0.0, 0.0
		for _, entry := range t.of[t.start[i]:t.start[i+1]] {
			c, sign := entry, 1.0
			if c < 0 {
				c, sign = -c-1, -1
			}
			if t.d[c] <= 0 {
				continue
			}
			o := &t.touch[c]
			arm := o.armI
			if sign < 0 {
				arm = o.armJ
			}
			f.X += float64(sign * (-float64(o.force*o.n.X) - float64(o.grip.Drag*o.n.Y)))
			f.Y += float64(sign * (-float64(o.force*o.n.Y) + float64(o.grip.Drag*o.n.X)))
			moment += float64(o.grip.Drag*arm) + float64(sign*o.roll)
			stiff += t.k[c] + o.grip.Spring
			if s.Turning[i] > 0 {
				stiff += float64(o.grip.Spring*float64(arm*arm)) * s.Turning[i] / s.Inverse[i]
			}
		}
		s.F[i], s.Moment[i] = f, moment
		s.stiff[i] = float64(2 * stiff * s.Inverse[i])
	}
}

// strike adds up what the spheres do to the walls.
func (s *Spheres) strike() {
	clear(s.Struck)
	clear(s.Twist)
	t := &s.slots
	for _, c := range t.walls {
		if t.d[c] <= 0 {
			continue
		}
		p, o := t.pair[c], &t.touch[c]
		w := int(p.J) - s.n
		f := r2.Vec{X: float64(o.force*o.n.X) + float64(o.grip.Drag*o.n.Y), Y: float64(o.force*o.n.Y) - float64(o.grip.Drag*o.n.X)}
		at := s.lever(int(c))
		s.Struck[w] = r2.Vec{X: s.Struck[w].X + f.X, Y: s.Struck[w].Y + f.Y}
		s.Twist[w] += float64(at.X*f.Y) - float64(at.Y*f.X) - o.roll
	}
}

// Fastest returns the greatest speed of a sphere or a point of a wall [m/s].
func (s *Spheres) Fastest() float64 {
	most := 0.0
	for _, v := range s.V {
		most = max(most, float64(v.X*v.X)+float64(v.Y*v.Y))
	}
	return math.Sqrt(most)
}

// Overlapping returns how many pairs that must not lie in one another do, by
// more than part of the smaller radius, and the deepest deflection [m].
func (s *Spheres) Overlapping(part float64) (pairs int, deepest float64) {
	s.refresh()
	s.measure(0, len(s.slots.pair))
	t := &s.slots
	for r := range len(t.first) - 1 {
		if s.rules[s.order[r]].Overlap {
			continue
		}
		for c := t.first[r]; c < t.first[r+1]; c++ {
			least := s.Radius[t.pair[c].I]
			if j := int(t.pair[c].J); j < s.n {
				least = min(least, s.Radius[j])
			}
			if t.d[c] > part*least {
				pairs++
				deepest = max(deepest, t.d[c])
			}
		}
	}
	clear(t.d)
	clear(t.touch)
	return pairs, deepest
}
