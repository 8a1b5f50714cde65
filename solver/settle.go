package solver

import (
	"fmt"
	"strings"

	"fdem/contactnodes"
	"fdem/solver/cracks"
	"fdem/solver/forces"
	"fdem/solver/rayleigh"
	rests "fdem/solver/rest"
	"fdem/solver/system"
)

// settleFirst brings what rests, slides or tips into equilibrium before the first step.
func (s *Solver) settleFirst() error {
	k := s.settle
	if k.Empty() || s.N > 0 || k.Settled > 0 {
		return nil
	}
	s.UpdateState()
	before := system.Keep(s.Parts())
	for range rests.SettleAttempts {
		steps, err := s.relaxOrSlower(before)
		switch {
		case err == nil:
			s.Note("settled before the start in %d steps: out-of-balance forces of %.2g of the weight", steps, k.Unbalanced())
			return s.beginSettled(before)
		case s.Cracked > 0 && k.Unbalanced() < 1: // nodes that cracks have added stay
			s.Note("warning: %v; the run begins from there", err)
			return s.beginSettled(before)
		case s.Cracked > 0:
			return fmt.Errorf("before the start: %w; start = \"sudden\" in [analysis] goes without", err)
		}
		s.Note("warning: %v", err)
		if err := s.startAgain(before); err != nil {
			return err
		}
		if !k.LeaveOut() {
			break
		}
	}
	k.Settled = rests.StartsAsItIs
	return nil
}

// startAgain goes back to the state before the settling.
func (s *Solver) startAgain(before system.Kept) error {
	before.PutBack(s.Parts(), nil)
	return s.Restore()
}

// relaxOrSlower relaxes, and if what rests does not end in balance once more with a load that grows
// more slowly: what is near its limit may have left its equilibrium on the way, and not be back yet.
func (s *Solver) relaxOrSlower(before system.Kept) (steps int, err error) {
	k := s.settle
	k.FirstPace()
	if steps, err = s.relax(); s.Cracked > 0 || !k.Again(err) {
		return steps, err
	}
	if err := s.startAgain(before); err != nil {
		return steps, err
	}
	more, err := s.relax()
	return steps + more, err
}

// relax takes steps until all is in balance. It returns an error if a component moves too far, or
// if no balance is found.
func (s *Solver) relax() (steps int, err error) {
	k := s.settle
	defer s.beginRelaxing()()
	still, dt := s.standingStill(), s.Limit
	now := k.Relax(s.Duration, dt)
	for steps = 1; ; steps++ {
		s.loads.Share = k.Grow()
		if err := s.forces(true); err != nil {
			return steps, fmt.Errorf("before the start: %w", err)
		}
		if k.Far {
			s.UpdateAll()
			return steps, k.Stray()
		}
		if over, err := now.Over(steps); over || err != nil {
			return steps, err
		}
		dt = min(1.05*dt, rests.SettleStep*s.longestStable())
		s.move(dt)
		s.N, s.Time = 0, 0
		s.damping.DampWhole()
		k.PutBack()
		if err := still(); err != nil {
			return steps, err
		}
	}
}

// beginRelaxing stops everything and lets the damping act. It returns a function that ends this.
func (s *Solver) beginRelaxing() (end func()) {
	k := s.settle
	k.Begin(s.RigidMotions)
	s.Stepping = true
	s.setRelaxing(true)
	friction := make([]contactnodes.Friction, len(s.Surfaces))
	for i, c := range s.Surfaces {
		friction[i] = c.Friction
		c.Friction.Brake = 0 // local damping beside it would reverse the slip
		if !k.Moves() {      // the way to rest shall not use up static friction
			c.Friction.Kinetic = max(c.Friction.Kinetic, c.Friction.Static)
		}
	}
	return func() {
		k.End()
		s.setRelaxing(false)
		s.loads.Share, s.N, s.Time, s.Last = 1, 0, 0, 0
		for i, c := range s.Surfaces {
			c.Friction = friction[i]
			for j := range c.Sticks {
				c.Sticks[j].Sliding = c.Sticks[j].Sliding && k.Moves()
			}
			for j := range c.Grips {
				c.Grips[j].Stick.Sliding = c.Grips[j].Stick.Sliding && k.Moves()
			}
		}
	}
}

// setRelaxing tells those who behave otherwise while bodies settle.
func (s *Solver) setRelaxing(relaxing bool) {
	s.rigids.Relaxes, s.damping.Relaxes = relaxing, relaxing
	for k := range system.All[*forces.LocalDamping](s.kinds.systems) {
		k.Off = relaxing
	}
}

// standingStill returns a function that puts back particles, fluids, temperatures and pore pressures.
func (s *Solver) standingStill() func() error {
	var of []system.System
	for _, k := range []system.System{s.spheres, s.fluids, s.heat, s.pores} {
		if !k.Empty() {
			of = append(of, k)
		}
	}
	parts := func() (all []system.Part) {
		for _, k := range of {
			all = append(all, k.StateParts()...)
		}
		return all
	}
	before := system.Keep(parts())
	return func() error {
		if len(of) == 0 {
			return nil
		}
		before.PutBack(parts(), nil)
		s.divide()
		for _, k := range of {
			if r, ok := k.(system.Restoring); ok {
				if err := r.Recompute(); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// divide gives nodes that have split while bodies settled the temperatures and pore pressures of the start.
func (s *Solver) divide() {
	s.heat.Divide()
	s.pores.Divide()
}

// beginSettled begins time, history and ledger after what has settled: of the state before it,
// everything is put back but the shapes of bodies and their contact.
func (s *Solver) beginSettled(before system.Kept) error {
	s.settle.Settled = rests.StartsSettled
	if err := s.forces(true); err != nil { // the energies of contact are those of the last positions
		return err
	}
	s.UpdateState()
	for i := range s.RigidMotions {
		q, was := &s.RigidMotions[i], &before.Poses[i]
		q.Velocity, q.Spin = was.Velocity, was.Spin
	}
	for _, c := range s.Surfaces {
		c.NormalWork, c.FrictionWork, c.Speeds = c.Stored, c.StickEnergy, contactnodes.Speeds{}
		for i := range c.Kept {
			c.Kept[i].PeakPressure = 0
		}
		clear(c.PairPeaks)
		c.PairPeak = 0
	}
	for _, c := range s.Volumes {
		c.NormalWork, c.FrictionWork, c.PeakPressure = c.Stored, 0, 0
	}
	settled := map[string]bool{"positions": true, "rotations": true}
	for _, p := range s.damping.Whole.Parts() { // they smooth the forces that carry the bodies
		settled[p.Name] = true
	}
	_, opening := s.Systems()
	for _, k := range []system.System{s.triangles, s.beams, s.rigids, s.contacts, s.springs, s.bolts, opening, s.settle} {
		for _, p := range k.StateParts() {
			settled[p.Name] = p.Name != "peak_force" && !strings.Contains(p.Name, ".chatter_")
		}
	}
	before.PutBack(s.Parts(), settled)
	s.divide()
	for k := range system.All[system.Restoring](s.kinds.systems) {
		switch k.(type) {
		case *cracks.Cracks, *rayleigh.Damping: // have gone on
			continue
		}
		if err := k.Recompute(); err != nil {
			return err
		}
	}
	if !s.damping.Empty() {
		s.damping.DampElements()
		s.damping.Whole.Follow(true) // joints have opened
		s.damping.Whole.Forget()
	}
	work, _, _ := s.weight.Total()
	s.Ledger.Loads = -work
	return nil
}
