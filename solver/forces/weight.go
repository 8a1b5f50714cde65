package forces

import (
	"math"

	"fdem/materials/elementary"
	"fdem/solver/nodes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Weight (gravity, a body force) acts on the nodes in their update, see
// fem.Leapfrog. Rigid bodies and spheres add their own weight. In a static
// analysis weight is one of the loads.

// Weight is gravity that changes with time. Its work is recorded step by step:
// half with the gravity at the start of the step, half with that at its end.
type Weight struct {
	system.Idle
	system.View
	weightState
	changes    bool                // gravity changes with time; otherwise it is constant, or a load of a static analysis
	everything func() nodes.Weight // everything with a weight
}

// weightState is the state of gravity that changes with time.
type weightState struct {
	Work    float64 // so far [J]
	moved   r2.Vec  // sum of masses times their displacements since the start [kg m]
	gravity r2.Vec  // at the last evaluation [m/s2]
}

// NewWeight makes the gravity, which acts from the start except in a static analysis.
func NewWeight(of system.View, everything func() nodes.Weight) *Weight {
	if of.Static == nil {
		of.Motion.Gravity = of.Model.Gravity
	}
	return &Weight{View: of, everything: everything, changes: of.GravitySchedule != nil && of.Static == nil && of.Model.Gravity != (r2.Vec{})}
}

func (k *Weight) Name() string { return "weight" }

func (k *Weight) NodesRead(func(n int32)) bool { return true }

func (k *Weight) Empty() bool { return !k.changes }

// ApplyForces sets gravity to its value at Time, before the forces of everything
// with a weight.
func (k *Weight) ApplyForces(commit bool) error {
	factor := k.GravitySchedule(k.Time)
	if math.IsNaN(factor) || math.IsInf(factor, 0) {
		return &system.ScheduleError{Of: "gravity", Step: k.N, Time: k.Time}
	}
	k.Motion.Gravity = r2.Vec{X: factor * k.Model.Gravity.X, Y: factor * k.Model.Gravity.Y}
	if !commit {
		return nil
	}
	before := k.moved
	k.moved = k.everything().Moved
	if now := k.Motion.Gravity; k.N > 0 {
		mean := r2.Vec{X: 0.5 * (k.gravity.X + now.X), Y: 0.5 * (k.gravity.Y + now.Y)}
		k.Work += elementary.Dot(mean, r2.Sub(k.moved, before))
	}
	k.gravity = k.Motion.Gravity
	return nil
}

// Midway calls put with what the mean of the weights at both ends of a step of length dt [s] exceeds those at Time.
func (k *Weight) Midway(dt float64, put func(body int32, f r2.Vec, moment float64)) {
	if !k.changes {
		return
	}
	change := 0.5 * (k.GravitySchedule(k.Time+dt) - k.GravitySchedule(k.Time))
	if math.IsNaN(change) || math.IsInf(change, 0) {
		return // the next step tells
	}
	for i := range k.Rigids {
		put(int32(i), r2.Scale(change*k.Rigids[i].Mass, k.Model.Gravity), 0)
	}
}

func (k *Weight) StateParts() []system.Part {
	return []system.Part{
		{Name: "weight.work", Values: &k.Work}, {Name: "weight.way.x", Values: &k.moved.X}, {Name: "weight.way.y", Values: &k.moved.Y},
		{Name: "weight.gravity.x", Values: &k.gravity.X}, {Name: "weight.gravity.y", Values: &k.gravity.Y},
	}
}

// Total returns the work of all weight so far, the energy that it has added and
// the energy that it has removed [J].
func (k *Weight) Total() (work, in, out float64) {
	if k.changes {
		return k.Work, max(k.Work, 0), max(-k.Work, 0)
	}
	if k.Motion.Gravity == (r2.Vec{}) {
		return 0, 0, 0
	}
	w := k.everything()
	return elementary.Dot(k.Motion.Gravity, w.Moved), w.In, w.Out
}
