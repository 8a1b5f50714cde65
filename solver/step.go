package solver

import (
	"fmt"

	"fdem/solver/system"
)

// Step takes one step by leapfrog, the central difference method: X is at Time, V
// half a step behind. It evaluates every force, updates the ledger, calls look
// with the state, and moves everything. If dt is 0, Step chooses the longest
// allowed step. look, which may be nil, is called with the length of the step and
// ends the run if it returns false.
func (s *Solver) Step(dt float64, look func(dt float64) (on bool, err error)) (err error) {
	s.Stepping = true
	s.Timer.Begin()
	clock := s.Trial.Begin()
	if err := s.forces(true); err != nil {
		s.UpdateState()
		return fmt.Errorf("step %d, t = %.6g s: %w", s.N, s.Time, s.advise(err))
	}
	s.Trial.End(clock)
	if dt == 0 {
		if dt, err = s.account(); err != nil {
			s.UpdateState()
			return err
		}
	}
	if look != nil {
		if on, err := look(dt); err != nil || !on {
			return err
		}
		s.Timer.Skip()
	}
	clock = s.Trial.Begin()
	s.move(dt)
	s.Trial.End(clock)
	s.Stepped()
	return nil
}

// forces evaluates every force at X, V and Time. With commit it updates memory
// and energy balance. It never changes motion, and may be called twice at the
// same positions.
func (s *Solver) forces(commit bool) error {
	if err := s.CheckExpressions(); err != nil {
		return err
	}
	for i, k := range s.systems {
		if err := k.ApplyForces(commit); err != nil {
			return err
		}
		s.Timer.Lap(&s.Timer.Systems[i])
	}
	if commit {
		for i, k := range s.systems {
			k.AfterForces()
			s.Timer.Lap(&s.Timer.Systems[i])
		}
	}
	return nil
}

// move advances the velocities from Time - Last/2 to Time + dt/2 and the
// positions to Time + dt. Held nodes have no inverse mass and stay.
func (s *Solver) move(dt float64) {
	kick := 0.5 * (s.Last + dt)
	for _, k := range s.systems {
		k.MoveBy(kick, dt)
	}
	s.N++
	s.Time += dt
	s.Last = dt
	s.Ledger.Stepped(dt)
	s.beginContactAccount()
	s.Timer.Lap(&s.Timer.Others[system.PhaseMove])
}

// account updates the ledger for the step that led to Time. It returns the length
// of the next step, 0 at the end [s]. It fails if the run can no longer be
// trusted.
func (s *Solver) account() (dt float64, err error) {
	defer s.Timer.Lap(&s.Timer.Others[system.PhaseLedger])
	s.AddImpulses()
	s.measure()
	s.Timer.Lap(&s.Timer.Others[system.PhaseLedger])
	dt = s.nextStep()
	s.Timer.Lap(&s.Timer.Others[system.PhaseStep])
	if err := s.collapsed(); err != nil {
		return 0, err
	}
	return dt, s.audit(dt)
}
