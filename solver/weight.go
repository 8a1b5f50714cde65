package solver

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Weight (gravity, a body force) acts on the nodes in their update, see
// fem.Leapfrog; rigid bodies and spheres take their own along. A static analysis
// has it among its loads.

// weight is gravity that changes with time. Its work is booked step by step, half
// of it with the gravity at either end.
type weight struct {
	idle
	s *Solver
	WeightState
	doAdd func(mass float64, way r2.Vec) // add, made once
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
	s.weight = &weight{s: s}
	s.weight.doAdd = s.weight.add
	s.systems = append(s.systems, s.weight)
}

func (k *weight) name() string { return "weight" }

// addForces sets gravity to that at Time, before all that has weight.
func (k *weight) addForces(commit bool) error {
	s := k.s
	factor := s.GravitySchedule(s.Time)
	if math.IsNaN(factor) || math.IsInf(factor, 0) {
		return &ScheduleError{Of: "gravity", Step: s.N, Time: s.Time}
	}
	s.Motion.Gravity = r2.Vec{X: factor * s.Model.Gravity.X, Y: factor * s.Model.Gravity.Y}
	if !commit {
		return nil
	}
	before := k.Way
	k.Way = r2.Vec{}
	for _, of := range s.systems {
		of.weigh(k.doAdd)
	}
	if s.N > 0 {
		mean := r2.Vec{X: 0.5 * (k.Gravity.X + s.Motion.Gravity.X), Y: 0.5 * (k.Gravity.Y + s.Motion.Gravity.Y)}
		k.Work += elementary.Dot(mean, r2.Sub(k.Way, before))
	}
	k.Gravity = s.Motion.Gravity
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
	for _, k := range s.systems {
		k.weigh(func(mass float64, way r2.Vec) {
			each(float64(mass * (float64(g.X*way.X) + float64(g.Y*way.Y))))
		})
	}
}
