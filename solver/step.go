package solver

import "fmt"

// Step advances from t to t+dt by leapfrog: X at t, V at t-Last/2.
func (s *Solver) Step(dt float64) error {
	if err := s.forces(); err != nil {
		return fmt.Errorf("step %d, t = %.6g s: %w", s.N, s.Time, err)
	}
	s.move(dt)
	return nil
}

// forces evaluates every force at X and keeps the books up to Time. It
// changes memory, never motion, and may be called twice at the same X.
func (s *Solver) forces() error {
	if err := s.addTriangleForces(); err != nil { // -dU/dx
		return err
	}
	if s.beams != nil {
		if err := s.addBeamForces(); err != nil {
			return err
		}
	}
	if err := s.addContactForces(); err != nil {
		return err
	}
	if err := s.addParticleForces(); err != nil {
		return err
	}
	for _, l := range s.loads {
		if err := l.add(s); err != nil {
			return err
		}
	}
	if s.damping != nil {
		s.addDamping()
	}
	s.addGravity()
	if s.beams != nil {
		s.beams.gather(s) // what acts on their faces
	}
	for i := range s.rigids {
		s.rigids[i].gather(s, i)
	}
	return nil
}

// addContactForces asks every contact, of surfaces and of volumes, for its
// forces. addTriangleForces has looked how far the nodes have moved.
func (s *Solver) addContactForces() error {
	if len(s.Surfaces)+len(s.Volumes) == 0 {
		return nil
	}
	s.contact.Clear(s.pressedNodes())
	s.pressed = false
	if len(s.Surfaces) > 0 {
		next := s.outlook()
		pairs := s.search.PairsAfter(s.X, s.team.moved()) // rebuilt only after half a skin of motion
		for _, i := range s.byName {
			c := s.Surfaces[i]
			if err := c.AddForces(s.contact, s.X, s.V, pairs, s.Time, s.Last, next); err != nil {
				return err
			}
			s.pressed = s.pressed || c.Active+c.Coming > 0
			s.PeakForce[i] = max(s.PeakForce[i], c.Normal)
		}
	}
	if err := s.addVolumeForces(); err != nil {
		return err
	}
	for _, n := range s.pressedNodes() {
		if f := s.contact.F[n]; f.X != 0 || f.Y != 0 {
			s.f[n].X += f.X
			s.f[n].Y += f.Y
		}
	}
	return nil
}

// move kicks the velocities from t-Last/2 to t+dt/2 and drifts the positions
// to t+dt. Fixed directions have no inverse mass and stay; beams take the
// nodes of their faces along, rigid bodies theirs.
func (s *Solver) move(dt float64) {
	kick := 0.5 * (s.Last + dt)
	s.moveNodes(kick, dt)
	s.moveParticles(kick, dt)
	if s.beams != nil {
		s.beams.move(s, kick, dt)
	}
	for i := range s.rigids {
		s.rigids[i].move(s, &s.Poses[i], kick, dt)
	}
	s.N++
	s.Time += dt
	s.Last = dt
}

// addGravity adds the weight; free fall of fixed nodes is held by their fix.
func (s *Solver) addGravity() {
	if s.Gravity.X == 0 && s.Gravity.Y == 0 {
		return
	}
	for i, m := range s.mass {
		s.f[i].X += float64(m * s.Gravity.X)
		s.f[i].Y += float64(m * s.Gravity.Y)
	}
}

// addDamping adds mass- and stiffness-proportional damping and books the work
// it took over the last step.
func (s *Solver) addDamping() {
	taken := s.dampingPower() // of the forces at the step's start
	clear(s.damping)
	if a := s.Damping.Mass; a > 0 {
		for i, m := range s.mass {
			s.damping[i].X -= float64(float64(a*m) * s.V[i].X)
			s.damping[i].Y -= float64(float64(a*m) * s.V[i].Y)
		}
	}
	if b := s.Damping.Stiffness; b > 0 {
		s.triangles.AddDamping(s.damping, s.X, s.V, b)
	}
	if s.beams != nil {
		s.beams.addDamping(s)
	}
	s.Ledger.Damping -= float64(0.5 * s.Last * (taken + s.dampingPower()))
	for i, d := range s.damping {
		s.f[i].X += d.X
		s.f[i].Y += d.Y
	}
}

// dampingPower returns the power of the damping forces on the velocities.
func (s *Solver) dampingPower() float64 {
	p := 0.0
	for i, d := range s.damping {
		p += float64(d.X*s.V[i].X) + float64(d.Y*s.V[i].Y)
	}
	if s.beams != nil {
		for _, n := range s.beams.nodes {
			p += float64(s.beams.damping[n] * s.Spin[n])
		}
	}
	return p
}
