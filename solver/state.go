package solver

import (
	"fmt"
	"math"

	"fdem/solver/bodies"
	"fdem/solver/constraints"
	"fdem/solver/output"
	"fdem/solver/system"
)

// State is everything that changes during a run apart from the nodal field: the state
// of each system, and that of the run as a whole. A checkpoint (restart file) contains
// it together with the state of the field and the ledger. Parts lists all of it.
type State struct {
	system.RigidState
	bodies.ContactState
	system.StaticState
	DueState
	output.MeanState
	constraints.ReactionState
}

// Parts returns all state that changes during a run, in a fixed order. Data that
// outlive a step must be added to the parts of their system. All other data are
// computed by Restore, or by the forces before they are read. The candidate lists of
// the search are not included, because they never change the bits of a result.
func (s *Solver) Parts() []system.Part {
	parts := []system.Part{{Name: "step", Values: &s.N}, {Name: "time", Values: &s.Time}, {Name: "last", Values: &s.Last}}
	parts = append(parts, s.StepState.StateParts()...)
	parts = append(parts, s.StaticState.StateParts()...)
	parts = append(parts, s.rigids.Clear.Parts()...)
	parts = append(parts, s.DueState.parts(s.OwnContactInterval)...)
	parts = append(parts, s.MeanState.StateParts()...)
	parts = append(parts, s.ReactionState.ReactionParts()...)
	parts = append(parts, s.Ledger.StateParts()...)
	for _, k := range s.systems {
		parts = append(parts, k.StateParts()...)
	}
	return parts
}

// Restore computes the data that follow from the state, after Parts have been filled.
// It fails for a state that no run can have.
func (s *Solver) Restore() error {
	for k := range system.All[system.Restoring](s.kinds.systems) {
		if err := k.Recompute(); err != nil {
			return err
		}
	}
	if !(s.Limit > 0) || s.N < 0 || math.IsNaN(s.Time) {
		return fmt.Errorf("step %d, t = %g s with steps of %g s cannot be", s.N, s.Time, s.Limit)
	}
	return nil
}

// Replan continues a run with a different model from that of its checkpoint, after
// Restore. The step is chosen anew, and nodes that are now held are stopped. gained is
// the energy that the change adds to the state [J], the difference of StandingResidual
// for the two models. It counts as external work.
func (s *Solver) Replan(gained float64) {
	s.StopHeld()
	s.Ledger.Loads += gained
	if s.Static != nil {
		s.Limit, s.Planned = s.Static.Increment, s.Static.Increment
		return
	}
	s.Planned = 0
	s.Limit = min(s.rigids.FirstStep, math.MaxFloat64)
	if s.FixedStep > 0 {
		s.Limit = s.FixedStep
	}
	s.First = min(s.First, s.longest())
}

// StandingResidual returns the residual of the ledger [J] after Restore. It evaluates
// the forces, so that the solver cannot continue from there. In a static analysis,
// which has no inertia, it is 0.
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
