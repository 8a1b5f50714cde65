package solver

import (
	"math"

	"fdem/materials/elementary"
	"fdem/solver/nodes"

	"gonum.org/v1/gonum/spatial/r2"
)

// Weight (gravity, a body force) acts on the nodes in their update, see
// fem.Leapfrog; rigid bodies and spheres add their own weight. A static analysis
// has it among its loads.

// weight is gravity that changes with time. Its work is recorded step by step,
// half of it with the gravity at either end.
type weight struct {
	idle
	view
	WeightState
	changes    bool                // with time; it is constant else, or a load of a static analysis
	everything func() nodes.Weight // all that has weight
}

// WeightState is the state of a gravity that changes.
type WeightState struct {
	Work    float64 // so far [J]
	Way     r2.Vec  // sum of masses times their displacements since the start [kg m]
	Gravity r2.Vec  // as last evaluated [m/s2]
}

// newWeight makes the gravity.
func newWeight(of view, everything func() nodes.Weight) *weight {
	return &weight{view: of, everything: everything, changes: of.GravitySchedule != nil && of.Static == nil && of.Model.Gravity != (r2.Vec{})}
}

func (k *weight) name() string { return "weight" }

func (k *weight) follows(func(n int32)) bool { return true }

func (k *weight) empty() bool { return !k.changes }

// addForces sets gravity to that at Time, before all that has weight.
func (k *weight) addForces(commit bool) error {
	factor := k.GravitySchedule(k.Time)
	if math.IsNaN(factor) || math.IsInf(factor, 0) {
		return &ScheduleError{Of: "gravity", Step: k.N, Time: k.Time}
	}
	k.Motion.Gravity = r2.Vec{X: factor * k.Model.Gravity.X, Y: factor * k.Model.Gravity.Y}
	if !commit {
		return nil
	}
	before := k.Way
	k.Way = k.everything().Moved
	if now := k.Motion.Gravity; k.N > 0 {
		mean := r2.Vec{X: 0.5 * (k.Gravity.X + now.X), Y: 0.5 * (k.Gravity.Y + now.Y)}
		k.Work += elementary.Dot(mean, r2.Sub(k.Way, before))
	}
	k.Gravity = k.Motion.Gravity
	return nil
}

func (k *weight) parts() []Part {
	return []Part{
		{"weight.work", &k.Work}, {"weight.way.x", &k.Way.X}, {"weight.way.y", &k.Way.Y},
		{"weight.gravity.x", &k.Gravity.X}, {"weight.gravity.y", &k.Gravity.Y},
	}
}

// total returns the work of all weight so far, the energy that came in by it and
// the energy that went out [J].
func (k *weight) total() (work, in, out float64) {
	if k.changes {
		return k.Work, max(k.Work, 0), max(-k.Work, 0)
	}
	if k.Motion.Gravity == (r2.Vec{}) {
		return 0, 0, 0
	}
	w := k.everything()
	return elementary.Dot(k.Motion.Gravity, w.Moved), w.In, w.Out
}

// weights returns the weights of all kinds.
func (k *kinds) weights() (all nodes.Weight) {
	for _, k := range k.systems {
		w := k.weights()
		all.Mass, all.Moved, all.In, all.Out = all.Mass+w.Mass, r2.Add(all.Moved, w.Moved), all.In+w.In, all.Out+w.Out
	}
	return all
}
