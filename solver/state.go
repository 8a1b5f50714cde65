package solver

import (
	"fmt"
	"math"
)

// State is what changes during a run beside the nodal field: what each system owns, and
// what the run as a whole does. A checkpoint (restart file) holds it, the state of the
// field and the ledger; Parts lists all.
type State struct {
	RigidState
	ContactState
	StaticState
	DueState
	MeanState
	ReactionState
}

// Part is a piece of the state under the name it has in a checkpoint.
type Part struct {
	Name string
	// Values is where the piece lives: *int64 or *float64 for a number,
	// []float64, []r2.Vec or []RigidMotion where the model fixes how many there
	// are, *[]float64, *[]int32 or *[]bool where that changes, too.
	Values any
}

// Parts lists all that changes during a run, in a fixed order: who adds
// something that outlives a step adds it to the parts of its system. What is
// missing is made by Restore, or by forces before anything reads it. The
// candidate lists of the search are missing because they never change a bit.
func (s *Solver) Parts() []Part {
	parts := []Part{{"step", &s.N}, {"time", &s.Time}, {"last", &s.Last}}
	parts = append(parts, s.StepState.parts()...)
	parts = append(parts, s.StaticState.parts()...)
	parts = append(parts, s.clear.parts()...)
	parts = append(parts, s.DueState.parts(s.OwnContactInterval)...)
	parts = append(parts, s.MeanState.parts()...)
	parts = append(parts, s.ReactionState.parts()...)
	parts = append(parts, s.Ledger.parts()...)
	for _, k := range s.systems {
		parts = append(parts, k.parts()...)
	}
	return parts
}

// Restore makes what follows from the state, after someone has filled Parts.
// It fails for a state that no run leaves.
func (s *Solver) Restore() error {
	for k := range all[restoring](s.kinds) {
		if err := k.restore(); err != nil {
			return err
		}
	}
	if !(s.Limit > 0) || s.N < 0 || math.IsNaN(s.Time) {
		return fmt.Errorf("step %d, t = %g s with steps of %g s cannot be", s.N, s.Time, s.Limit)
	}
	return nil
}

// Replan lets a run go on under a model that is not the one of its checkpoint,
// after Restore: the step is chosen anew, nodes that are held from here on
// stop, and what the change has put into the state, as StandingResidual tells it under
// the two models, is booked as external work [J].
func (s *Solver) Replan(gained float64) {
	s.StopHeld()
	s.Ledger.Loads += gained
	if s.Static != nil {
		s.Limit, s.Planned = s.Static.Increment, s.Static.Increment
		return
	}
	s.Planned = 0
	s.Limit = min(s.rigids.firstStep, math.MaxFloat64)
	if s.FixedStep > 0 {
		s.Limit = s.FixedStep
	}
	s.First = min(s.First, s.longest())
}

// StandingResidual returns the residual of the ledger [J] after Restore. It evaluates
// the forces, so the solver cannot go on from there; in a static analysis,
// where nothing is inert, it is 0.
func (s *Solver) StandingResidual() (float64, error) {
	if s.Static != nil {
		return 0, nil
	}
	s.StopHeld()
	if err := s.forces(true); err != nil {
		return 0, err
	}
	return s.Energies().Residual, nil
}
