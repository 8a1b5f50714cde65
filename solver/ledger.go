package solver

import "math"

// Energies is one row of the ledger [J].
type Energies struct {
	Kinetic            float64
	Strain             float64
	ContactStored      float64 // recoverable
	ContactDissipated  float64
	FrictionDissipated float64
	DampingDissipated  float64
	ExternalWork       float64 // of loads, gravity, driven bodies and overlaps let press
	Residual           float64 // what the sum above, less external work, has gained since the start
}

// total is what leapfrog must keep but for external work.
func (e *Energies) total() float64 {
	return e.Kinetic + e.Strain + e.ContactStored + e.ContactDissipated + e.FrictionDissipated + e.DampingDissipated
}

// Ledger accumulates what cannot be read off the state.
type Ledger struct {
	Loads   float64   // work of the loads and of driven bodies so far [J]
	Damping float64   // taken by damping so far [J]
	Start   Energies  // the first row
	Entered float64   // greatest energy that the system has held or moved so far [J]
	OneStep float64   // greatest energy that a step at a drive's speed, or some of loads and weight, could make so far [J]
	Sources []float64 // work so far of the supports of a static analysis, of each rigid body that is driven, and of each load [J]
	Watch   Watch
	Jump    float64 // greatest change of the residual in one increment of a static analysis so far [J]
	JumpAt  float64 // the end of that increment [s]
}

// addSources makes the books of what works from outside.
func (s *Solver) addSources() {
	s.Ledger.Sources = make([]float64, 1+len(s.rigids)+len(s.loads))
	for i, l := range s.loads {
		l.source = 1 + len(s.rigids) + i
	}
}

// book adds work done from outside [J].
func (l *Ledger) book(source int, work float64) {
	l.Loads += work
	l.Sources[source] += work
}

// Energies returns the ledger at Time; forces must have been evaluated there.
func (s *Solver) Energies() Energies {
	e := Energies{
		Strain:            s.triangles.StrainEnergy(s.X),
		DampingDissipated: s.Ledger.Damping,
		ExternalWork:      s.Ledger.Loads,
	}
	for i, m := range s.mass {
		v := s.velocity(i)
		e.Kinetic += float64(0.5 * m * (float64(v.X*v.X) + float64(v.Y*v.Y)))
	}
	if s.beams != nil {
		s.beams.addEnergies(&e, s)
	}
	if s.Gravity.X != 0 || s.Gravity.Y != 0 {
		for i, m := range s.mass {
			x, x0 := s.X[i], s.Mesh.X[i]
			e.ExternalWork += float64(m * (float64(s.Gravity.X*(x.X-x0.X)) + float64(s.Gravity.Y*(x.Y-x0.Y))))
		}
	}
	s.addParticleEnergies(&e)
	for i := range s.rigids {
		s.rigids[i].addEnergies(&e, s, &s.Poses[i])
	}
	for _, i := range s.byName {
		c := s.Surfaces[i]
		e.ExternalWork += c.RampWork
		e.ContactStored += c.Stored + c.SpringEnergy
		e.ContactDissipated += c.Dissipated()
		e.FrictionDissipated += c.FrictionLoss()
	}
	for _, c := range s.Volumes {
		e.ContactStored += c.Stored
		e.ContactDissipated += c.Dissipated()
		e.FrictionDissipated += c.FrictionWork
	}
	if s.N == 0 {
		s.Ledger.Start = e
	}
	total := e.total()
	s.Ledger.Entered = max(s.Ledger.Entered, total, s.moved())
	s.Ledger.OneStep = max(s.Ledger.OneStep, s.inOneStep())
	e.Residual = (total - e.ExternalWork) - (s.Ledger.Start.total() - s.Ledger.Start.ExternalWork)
	return e
}

// Noise returns the energy that rounding may make out of nothing [J].
func (s *Solver) Noise() float64 { return s.noise }

// Relative returns the residual of e relative to the greatest energy that the
// system has held or moved so far; 0 where there was none.
func (s *Solver) Relative(e Energies) float64 {
	if s.Ledger.Entered <= s.noise {
		return 0
	}
	return math.Abs(e.Residual) / s.Ledger.Entered
}

// Doubt returns the residual of e relative to the greatest energy that the
// system has held or moved so far, or that one step can make where that is
// more: a run that has hardly begun is not judged by the little it holds.
func (s *Solver) Doubt(e Energies) float64 {
	if r := s.Relative(e); r == 0 || s.Ledger.OneStep <= s.Ledger.Entered {
		return r
	}
	return math.Abs(e.Residual) / s.Ledger.OneStep
}
