package solver

import "math"

// Cause is the reason why a step is short.
type Cause struct {
	What string // the kind, or the kind of contact
	At   int32  // the node or the body; What says which
}

// bounds gathers what limits the next time step (the CFL limit of an explicit scheme).
// Leapfrog with damping forces of half a step ago is stable for omega^2 dt^2 + 2 d dt < 4,
// where d is the damping divided by the mass (Belytschko, Liu and Moran, Nonlinear Finite
// Elements, section 6.2). omega^2 and d have bounds: element by element for the bodies, and by
// Gershgorin's row sums for the contacts as they act now and in the coming step.
type bounds struct {
	elements  bound   // squared frequency of the bodies [1/s2]
	cracks    bound   // what cracks add to it [1/s2]
	stiffness bound   // of the contacts, divided by the mass that they move [1/s2]
	damping   bound   // damping of the contacts, likewise [1/s]
	springs   bound   // squared frequency of springs [1/s2]
	dashpots  bound   // damping of dashpots divided by the mass [1/s]
	step      bound   // upper limit of the step for other reasons [s]
	impact    bound   // upper limit for a small energy error of impacts, unless the step is fixed [s]
	period    bound   // upper limit for an accurate period of masses on springs, likewise [s]
	bodies    float64 // damping of whole bodies divided by the mass [1/s]
	contact   acts    // effect of contact on the nodes, for the watch
}

// bound is a number with its cause.
type bound struct {
	of float64
	by Cause
}

// raise makes the bound at least v. A NaN stays.
func (b *bound) raise(v float64, by Cause) {
	if v > b.of || math.IsNaN(v) {
		b.of, b.by = v, by
	}
}

// lower makes the bound at most v. A NaN stays.
func (b *bound) lower(v float64, by Cause) {
	if v < b.of || math.IsNaN(v) {
		b.of, b.by = v, by
	}
}

// bounds gathers the bounds of all systems. The result is valid until the next call.
func (k *stepLimits) bounds() *bounds {
	b := &k.limits
	*b = bounds{}
	b.step.of, b.impact.of, b.period.of = math.Inf(1), math.Inf(1), math.Inf(1)
	k.clear.follow()
	for _, k := range k.systems {
		k.bound(b)
	}
	return b
}

// stable returns the longest stable step [s]. Dashpots count twice: leapfrog would let
// dashpots of contacts reverse a node's velocity within a step, again at every new contact,
// and dashpots of springs use velocities that are predicted. Local damping adds its share to
// the force on everything that moves against the force, as the fastest vibrations that a step
// can follow do in every step.
func (b *bounds) stable(m *Model) float64 {
	most := 1 + m.Damping.Local // of the force on the body, with local damping
	omega2 := most * (b.elements.of + b.cracks.of + b.stiffness.of + b.springs.of)
	d := m.Damping.Mass + b.bodies + float64(m.Damping.Stiffness*b.elements.of) + float64(2*(b.damping.of+b.dashpots.of))
	d = float64(most * d)
	if omega2 == 0 { // rigid bodies without contact
		if d := b.dashpots.of; d > 0 { // but with springs
			return 1 / d
		}
		return math.Inf(1)
	}
	return (math.Sqrt(float64(d*d)+float64(4*omega2)) - d) / omega2
}

// felt is the least ratio of the squared frequency that cracks add to that of the bodies,
// above which a shorter step is explained by cracks: 5 % of the step. The frequency of the
// bodies counts from the start.
const felt = 0.1

// strictest returns the cause that limits the step. Cracks are the cause if they add more than
// share times the squared frequency of the bodies; with share 1, if they add more than the
// bodies have.
func (b *bounds) strictest(share float64) Cause {
	spring, by := b.springs.of, b.springs.by
	if rate2 := float64(b.dashpots.of * b.dashpots.of); rate2 > spring {
		spring, by = rate2, b.dashpots.by
	}
	switch {
	case spring > max(b.elements.of, b.cracks.of, b.stiffness.of, float64(b.damping.of*b.damping.of)):
		return by
	case b.cracks.of > float64(share*b.elements.of) && b.cracks.of >= max(b.stiffness.of, float64(b.damping.of*b.damping.of)):
		return b.cracks.by
	case b.cracks.of > float64(share*b.elements.of): // but contact limits more
	case b.elements.of >= b.stiffness.of && b.elements.of >= float64(b.damping.of*b.damping.of):
		return b.elements.by
	}
	if b.stiffness.of >= float64(b.damping.of*b.damping.of) {
		return b.stiffness.by
	}
	return b.damping.by
}

// elements bounds the highest squared frequency of the bodies [1/s2].
func (k *stepLimits) elements() float64 {
	b := k.bounds()
	return b.elements.of
}
