package forces

import (
	"fdem/materials/elementary"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// Contact by impulses takes the forces of springs in the middle of a step, at which bodies arrive with their
// velocities at its start. As positions follow the mean of the velocities at both ends, that is leapfrog: the
// energy of a vibration does not drift. Dashpots have the velocities at the start of the step.

// Midway calls put with what the forces and moments of springs on rigid bodies, in the middle of a step of
// length dt [s], exceed those at Time. It keeps the forces of dashpots there, for what they dissipate.
func (k *Springs) Midway(dt float64, put func(body int32, f r2.Vec, moment float64)) {
	for i := range k.Units {
		u := k.Units[i]
		spring := &k.list[u.Of]
		share := k.shareMidway(u.Of, dt)
		now := elementary.Along(r2.Vec{}, u.Normal, u.Force)
		var ends [2]reach
		for j := range ends {
			ends[j] = k.reachAt(&u.Ends[j], 0.5*dt)
		}
		k.measure(i, &u, r2.Sub(ends[1].at, ends[0].at))
		u.Force = u.elastic
		if u.damping > 0 {
			u.damp(spring.Only, float64(u.damping*elementary.Dot(r2.Sub(ends[1].velocity, ends[0].velocity), u.Normal)))
		}
		u.fade(share)
		then := elementary.Along(r2.Vec{}, u.Normal, u.Force)
		k.state.pulls[i] = elementary.Along(r2.Vec{}, u.Normal, u.Force-u.elastic)
		for j := range ends {
			e, sign := &ends[j], float64(1-2*j)
			if body := u.Ends[j].Rigid; body >= 0 {
				put(body, r2.Scale(sign, r2.Sub(then, now)), sign*(elementary.Cross(e.arm, then)-elementary.Cross(e.was, now)))
			}
		}
	}
	for i := range k.torsions {
		t := &k.torsions[i]
		rate := k.spin(&t.Ends[1]) - k.spin(&t.Ends[0])
		share := k.shareMidway(t.of, dt)
		twist := float64(share * t.damping * rate)
		more := float64(share*t.stiffness*(t.angle+float64(0.5*dt*rate))) + twist - t.moment
		k.state.twists[i] = twist
		for j := range t.Ends {
			if body := t.Ends[j].Rigid; body >= 0 {
				put(body, r2.Vec{}, float64(1-2*j)*more)
			}
		}
	}
}

// shareMidway returns the factor of the forces of a spring in the middle of a step.
func (k *Springs) shareMidway(of int32, dt float64) float64 {
	if !k.state.Begun[of] {
		return 0
	}
	return k.list[of].Remaining(k.Time + float64(0.5*dt))
}

// reach is where an end will be.
type reach struct {
	was, arm     r2.Vec // from the centre of its rigid body now, and then [m]
	at, velocity r2.Vec // [m], [m/s]
}

// reachAt returns where an end, on a rigid body or the ground, will be after some time [s].
func (k *Springs) reachAt(e *models.End, after float64) reach {
	if e.Rigid < 0 {
		return reach{at: e.At}
	}
	m := k.bodies.List[e.Rigid].RigidMotion
	was := r2.Sub(k.endPosition(e), m.Centre)
	arm := elementary.Rotate(was, float64(after*m.Spin))
	return reach{
		was: was, arm: arm, at: r2.Add(elementary.Along(m.Centre, m.Velocity, after), arm),
		velocity: r2.Vec{X: m.Velocity.X - float64(m.Spin*arm.Y), Y: m.Velocity.Y + float64(m.Spin*arm.X)},
	}
}
