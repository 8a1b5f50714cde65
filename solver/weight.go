package solver

import (
	"math"

	"fdem/materials/elementary"
	"fdem/solver/nodes"

	"gonum.org/v1/gonum/spatial/r2"
)

// Weight (gravity, a body force) acts on the nodes in their update, see
// fem.Leapfrog; rigid bodies and spheres take their own along. A static analysis
// has it among its loads.

// weight is gravity that changes with time. Its work is booked step by step, half
// of it with the gravity at either end.
type weight struct {
	idle
	*nodes.Field
	*analysis
	WeightState
	everything func(each func(mass float64, way r2.Vec)) // calls the function with all that has weight
	doAdd      func(mass float64, way r2.Vec)            // add, made once
}

// WeightState is what a gravity that changes keeps.
type WeightState struct {
	Work    float64 // so far [J]
	Way     r2.Vec  // sum of masses times their ways since the start [kg m]
	Gravity r2.Vec  // as last evaluated [m/s2]
}

// addWeight makes the gravity that changes with time.
func (s *Solver) addWeight() {
	if s.GravitySchedule == nil || s.Static != nil || s.Model.Gravity == (r2.Vec{}) {
		return
	}
	s.weight = &weight{Field: s.Field, analysis: s.analysis, everything: s.weigh}
	s.weight.doAdd = s.weight.add
	s.systems = append(s.systems, s.weight)
}

func (k *weight) name() string { return "weight" }

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
	k.Way = r2.Vec{}
	k.everything(k.doAdd)
	if now := k.Motion.Gravity; k.N > 0 {
		mean := r2.Vec{X: 0.5 * (k.Gravity.X + now.X), Y: 0.5 * (k.Gravity.Y + now.Y)}
		k.Work += elementary.Dot(mean, r2.Sub(k.Way, before))
	}
	k.Gravity = k.Motion.Gravity
	return nil
}

// add adds a mass and how far it has gone.
func (k *weight) add(mass float64, way r2.Vec) {
	k.Way.X += float64(mass * way.X)
	k.Way.Y += float64(mass * way.Y)
}

func (k *weight) parts() []Part {
	return []Part{
		{"weight.work", &k.Work}, {"weight.way.x", &k.Way.X}, {"weight.way.y", &k.Way.Y},
		{"weight.gravity.x", &k.Gravity.X}, {"weight.gravity.y", &k.Gravity.Y},
	}
}

// weightWork calls the function with the work that the weight of everything has
// done so far, one by one [J].
func (s *Solver) weightWork(each func(work float64)) {
	if s.weight != nil {
		each(s.weight.Work)
		return
	}
	g := s.Motion.Gravity
	if g == (r2.Vec{}) {
		return
	}
	s.weigh(func(mass float64, way r2.Vec) {
		each(float64(mass * (float64(g.X*way.X) + float64(g.Y*way.Y))))
	})
}

// weigh calls the function with all that has weight.
func (s *Solver) weigh(each func(mass float64, way r2.Vec)) {
	for _, k := range s.systems {
		k.weigh(each)
	}
}
