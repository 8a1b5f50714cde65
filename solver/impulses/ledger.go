package impulses

import "fdem/solver/system"

// The energy balance of a step. With the mean u_m of the relative velocities before and after it
//
//	T1 - T0 = sum h f . v_m + sum P_n u_n,m + sum P_t u_t,m + sum P_r u_r,m
//
// holds exactly, T the kinetic energy and f the other forces. Friction takes -P_t u_t,m and -P_r u_r,m; impacts take
// -P_n u_n,m, where bodies met or parted faster than weight makes them in a step, before it or in it: what parts, or
// has a gap, gets an impulse only if an impact elsewhere in the step turns it back, or closes the gap. At all other
// points the normal impulse should do no work: what it does is the solver's error. Of what impacts take by friction and
// along normals only the sum is certain: where an impact turns the slip round, or lifts what parted, one of them would
// give energy by the mean velocities, and is set against the other. Where bodies are pushed out of one another their
// positions do not follow the velocities, and the work of f on that way is the error of positions. Both errors are the
// residual.

// ledgerState is the energy so far.
type ledgerState struct {
	heat, Impact, solver, pushed, damped float64 // [J]
}

func (l *ledgerState) parts() []system.Part {
	return []system.Part{
		{Name: "impulses.heat", Values: &l.heat}, {Name: "impulses.impact", Values: &l.Impact}, {Name: "impulses.solver", Values: &l.solver},
		{Name: "impulses.position", Values: &l.pushed}, {Name: "impulses.damping", Values: &l.damped},
	}
}

// account adds the step to the energies and to the results of the contacts and bodies. dt is its length
// [s].
func (k *Contacts) account(dt float64) {
	clear(k.loads)
	clear(k.pressed)
	var impact, rubbed, turned float64 // of points with impacts, and of friction elsewhere that turns the slip round
	var impacts bool
	for i := range k.points {
		p := &k.points[i]
		if p.pn == 0 {
			continue
		}
		a, b := &k.moving[p.a], &k.moving[p.b]
		u := 0.5 * (p.before + p.normalVelocity(a, b))
		heat := -float64(p.pt * 0.5 * (p.slip(&k.started[p.a], &k.started[p.b]) + p.slip(a, b)))
		if p.rolling > 0 {
			heat -= float64(p.pr * 0.5 * (p.rolls(&k.started[p.a], &k.started[p.b]) + p.rolls(a, b)))
		}
		loss := -float64(p.pn * u)
		of := &k.of[p.contact]
		if p.impact {
			impact += loss
			rubbed += heat
			of.lost += loss + heat
			impacts = true
		} else {
			k.heat += max(heat, 0)
			turned += min(heat, 0)
			k.solver += loss
			of.lost += heat
		}
		of.peak = max(of.peak, p.pn)
		of.deepest = max(of.deepest, -p.gap)
		k.addForces(p, dt)
	}
	if impacts {
		impact += turned
	} else {
		k.solver += turned
	}
	heat := max(0, rubbed+min(impact, 0))
	k.Impact += impact + (rubbed - heat)
	k.heat += heat
	for i := range k.of {
		k.dissipated[i] += k.of[i].lost
		k.peakImpulse[i] = max(k.peakImpulse[i], k.of[i].peak)
		k.Deepest[i] = max(k.Deepest[i], k.of[i].deepest)
		k.of[i].lost, k.of[i].peak, k.of[i].deepest = 0, 0, 0
	}
	k.recordDrives(dt)
}

// recordDrives records the work of driven bodies against contact, in a step of length dt [s].
func (k *Contacts) recordDrives(dt float64) {
	for i := range k.bodies.List {
		r := &k.bodies.List[i]
		if r.Motion == nil {
			continue
		}
		v, was := &k.moving[i], &k.started[i]
		f := k.pressed[3*i : 3*i+3]
		work := float64(f[0]*(was.x+v.x)) + float64(f[1]*(was.y+v.y)) + float64(f[2]*(was.spin+v.spin))
		k.bodies.RecordDrive(i, -float64(0.5*dt*work))
	}
}

// loadWidth is the number of values of a contact in Loads: normal force, friction on the contactor along the
// opposite outline, the resultant on the contactor, or on the first body of a pair in which each may be it, and its
// moment about the origin.
const loadWidth = 5

// addForces adds the impulses of a point, over the step, to the forces of its contact and bodies.
func (k *Contacts) addForces(p *point, dt float64) {
	normal, tangent := p.pn/dt, p.pt/dt
	x := float64(normal*p.n.X) + float64(tangent*p.n.Y)
	y := float64(normal*p.n.Y) - float64(tangent*p.n.X)
	couple := p.pr * p.arm / dt
	turnA := float64(p.ra.X*y) - float64(p.ra.Y*x) + couple
	turnB := float64(p.rb.X*y) - float64(p.rb.Y*x) + couple
	for c, v := range [3]float64{x, y, turnA} {
		k.pressed[3*int(p.a)+c] -= v
	}
	for c, v := range [3]float64{x, y, turnB} {
		k.pressed[3*int(p.b)+c] += v
	}
	l := k.loads[loadWidth*int(p.contact):][:loadWidth]
	c := k.centres[p.b]
	moment := float64(c.X*y) - float64(c.Y*x) + turnB
	if s := &k.of[p.contact].sides; s[0][p.a] && s[1][p.b] { // the contactor is the first body
		x, y, moment = -x, -y, -moment
	}
	l[0] += normal
	l[1] -= tangent // on either body, along the outline of the other
	l[2] += x
	l[3] += y
	l[4] += moment
}
