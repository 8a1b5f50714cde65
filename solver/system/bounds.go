package system

import (
	"math"

	"fdem/solver/model"
)

// Cause is the reason why a step is short.
type Cause struct {
	What string // the kind, or the kind of contact
	At   int32  // the node or the body; What says which
}

// Bounds gathers what limits the next time step (the CFL limit of an explicit scheme).
// Leapfrog with damping forces of half a step ago is stable for omega^2 dt^2 + 2 d dt < 4,
// where d is the damping divided by the mass (Belytschko, Liu and Moran, Nonlinear Finite
// Elements, section 6.2). omega^2 and d have bounds: element by element for the bodies, and by
// Gershgorin's row sums for the contacts as they act now and in the coming step.
type Bounds struct {
	Elements  Bound   // squared frequency of the bodies [1/s2]
	Cracks    Bound   // what cracks add to it [1/s2]
	Stiffness Bound   // of the contacts, divided by the mass that they move [1/s2]
	Damping   Bound   // damping of the contacts, likewise [1/s]
	Springs   Bound   // squared frequency of springs [1/s2]
	Dashpots  Bound   // damping of dashpots divided by the mass [1/s]
	Step      Bound   // upper limit of the step for other reasons [s]
	Impact    Bound   // upper limit for a small energy error of impacts, unless the step is fixed [s]
	Period    Bound   // upper limit for an accurate period of masses on springs, likewise [s]
	Bodies    float64 // damping of whole bodies divided by the mass [1/s]
	Viscous   float64 // present factor of stiffness-proportional damping [s]
	Contact   Acts    // effect of contact on the nodes, for the watch
}

// Bound is a number with its cause.
type Bound struct {
	Of float64
	By Cause
}

// Raise makes the bound at least v. A NaN stays.
func (b *Bound) Raise(v float64, by Cause) {
	if v > b.Of || math.IsNaN(v) {
		b.Of, b.By = v, by
	}
}

// Lower makes the bound at most v. A NaN stays.
func (b *Bound) Lower(v float64, by Cause) {
	if v < b.Of || math.IsNaN(v) {
		b.Of, b.By = v, by
	}
}

// Stable returns the longest stable step [s]. Dashpots count twice: leapfrog would let
// dashpots of contacts reverse a node's velocity within a step, again at every new contact,
// and dashpots of springs use velocities that are predicted. Local damping adds its share to
// the force on everything that moves against the force, as the fastest vibrations that a step
// can follow do in every step.
func (b *Bounds) Stable(m *model.Model) float64 {
	most := 1 + m.Damping.Local // of the force on the body, with local damping
	omega2 := most * (b.Elements.Of + b.Cracks.Of + b.Stiffness.Of + b.Springs.Of)
	d := m.Damping.Mass + b.Bodies + float64(b.Viscous*b.Elements.Of) + float64(2*(b.Damping.Of+b.Dashpots.Of))
	d = float64(most * d)
	if omega2 == 0 { // rigid bodies without contact
		if d := b.Dashpots.Of; d > 0 { // but with springs
			return 1 / d
		}
		return math.Inf(1)
	}
	return (math.Sqrt(float64(d*d)+float64(4*omega2)) - d) / omega2
}

// Felt is the least ratio of the squared frequency that cracks add to that of the bodies,
// above which a shorter step is explained by cracks: 5 % of the step. The frequency of the
// bodies counts from the start.
const Felt = 0.1

// Strictest returns the cause that limits the step. Cracks are the cause if they add more than
// share times the squared frequency of the bodies; with share 1, if they add more than the
// bodies have.
func (b *Bounds) Strictest(share float64) Cause {
	spring, by := b.Springs.Of, b.Springs.By
	if rate2 := float64(b.Dashpots.Of * b.Dashpots.Of); rate2 > spring {
		spring, by = rate2, b.Dashpots.By
	}
	switch {
	case spring > max(b.Elements.Of, b.Cracks.Of, b.Stiffness.Of, float64(b.Damping.Of*b.Damping.Of)):
		return by
	case b.Cracks.Of > float64(share*b.Elements.Of) && b.Cracks.Of >= max(b.Stiffness.Of, float64(b.Damping.Of*b.Damping.Of)):
		return b.Cracks.By
	case b.Cracks.Of > float64(share*b.Elements.Of): // but contact limits more
	case b.Elements.Of >= b.Stiffness.Of && b.Elements.Of >= float64(b.Damping.Of*b.Damping.Of):
		return b.Elements.By
	}
	if b.Stiffness.Of >= float64(b.Damping.Of*b.Damping.Of) {
		return b.Stiffness.By
	}
	return b.Damping.By
}
