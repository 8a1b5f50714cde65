package solver

import "fmt"

// Step takes one step by leapfrog, the central difference method: X is at Time, V
// half a step behind. It evaluates every force, updates the ledger, calls look
// with the state, and moves everything. If dt is 0, Step chooses the longest
// allowed step. look, which may be nil, is called with the length of the step and
// ends the run if it returns false.
func (s *Solver) Step(dt float64, look func(dt float64) (on bool, err error)) (err error) {
	s.stepping = true
	s.clock.begin()
	clock := s.trial.begin()
	if err := s.forces(true); err != nil {
		s.UpdateState()
		return fmt.Errorf("step %d, t = %.6g s: %w", s.N, s.Time, s.advise(err))
	}
	s.trial.end(clock)
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
		s.clock.skip()
	}
	clock = s.trial.begin()
	s.move(dt)
	s.trial.end(clock)
	s.stepped()
	return nil
}

// forces evaluates every force at X, V and Time. With commit it updates memory
// and energy balance. It never changes motion, and may be called twice at the
// same positions.
func (s *Solver) forces(commit bool) error {
	if err := s.expressions(); err != nil {
		return err
	}
	for i, k := range s.systems {
		if err := k.addForces(commit); err != nil {
			return err
		}
		s.clock.lap(&s.clock.systems[i])
	}
	if commit {
		for i, k := range s.systems {
			k.afterForces()
			s.clock.lap(&s.clock.systems[i])
		}
	}
	return nil
}

// move advances the velocities from Time - Last/2 to Time + dt/2 and the
// positions to Time + dt. Held nodes have no inverse mass and stay.
func (s *Solver) move(dt float64) {
	kick := 0.5 * (s.Last + dt)
	for _, k := range s.systems {
		k.move(kick, dt)
	}
	s.N++
	s.Time += dt
	s.Last = dt
	s.Ledger.stepped(dt)
	s.beginContactAccount()
	s.clock.lap(&s.clock.others[phaseMove])
}

// account updates the ledger for the step that led to Time. It returns the length
// of the next step, 0 at the end [s]. It fails if the run can no longer be
// trusted.
func (s *Solver) account() (dt float64, err error) {
	defer s.clock.lap(&s.clock.others[phaseLedger])
	s.addImpulses()
	s.measure()
	s.clock.lap(&s.clock.others[phaseLedger])
	dt = s.nextStep()
	s.clock.lap(&s.clock.others[phaseStep])
	if err := s.collapsed(); err != nil {
		return 0, err
	}
	return dt, s.audit(dt)
}
