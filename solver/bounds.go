package solver

import "math"

// Cause is what keeps a step short.
type Cause struct {
	What string // the kind, or the kind of contact
	At   int32  // the node or the body where it is, as What has it
}

// bounds gathers what limits the next time step (the CFL limit of an explicit
// scheme). Leapfrog with damping forces of half a step ago is stable for
// omega^2 dt^2 + 2 d dt < 4, with d the damping over the mass (Belytschko, Liu
// and Moran, Nonlinear Finite Elements, section 6.2). Both have a bound: element
// by element for the bodies, and by Gershgorin's row sums for the contacts as
// they press now and will in the coming step.
type bounds struct {
	elements  bound   // squared frequency of the bodies [1/s2]
	cracks    bound   // what cracks add to it [1/s2]
	stiffness bound   // of the contacts, over the mass that they move [1/s2]
	damping   bound   // and their damping [1/s]
	springs   bound   // squared frequency of springs [1/s2]
	dashpots  bound   // and damping of dashpots over the mass [1/s]
	step      bound   // what the step may be for other reasons [s]
	impact    bound   // and for the ledger's sake, where the step is free [s]
	period    bound   // and for the sake of what swings on springs, there [s]
	bodies    float64 // damping of whole bodies over the mass [1/s]
	contact   acts    // what contact does to the nodes that it presses, for the watch
}

// bound is a number with its cause.
type bound struct {
	of float64
	by Cause
}

// raise makes the bound at least v; what is no number stays.
func (b *bound) raise(v float64, by Cause) {
	if v > b.of || math.IsNaN(v) {
		b.of, b.by = v, by
	}
}

// lower makes the bound at most v; what is no number stays.
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

// stable returns the longest stable step [s]. Dashpots count twofold: leapfrog
// would let those of contacts turn a node round within a step, at touch again and
// again, and those of springs see velocities that are taken ahead. Local damping
// adds its share to the force on all that moves against it, as the fastest
// vibrations that a step can follow do in every step.
func (b *bounds) stable(m *Model) float64 {
	most := 1 + m.Damping.Local // of the force on the body that it slows
	omega2 := most * (b.elements.of + b.cracks.of + b.stiffness.of + b.springs.of)
	d := m.Damping.Mass + b.bodies + float64(m.Damping.Stiffness*b.elements.of) + float64(2*(b.damping.of+b.dashpots.of))
	d = float64(most * d)
	if omega2 == 0 { // rigid bodies out of contact
		if d := b.dashpots.of; d > 0 { // and springs
			return 1 / d
		}
		return math.Inf(1)
	}
	return (math.Sqrt(float64(d*d)+float64(4*omega2)) - d) / omega2
}

// felt is how much cracks must add to the squared frequency of the bodies to be what a step
// is shorter for than that of the whole bodies, which have theirs all along: 5 % of the step.
const felt = 0.1

// strictest returns the kind that limits the step; cracks if they add more than a share of the
// squared frequency of the bodies, 1 if they add more than the bodies have.
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
	case b.cracks.of > float64(share*b.elements.of): // and contact asks for more
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
