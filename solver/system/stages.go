package system

import "fdem/solver/model"

// Staged construction: what is installed and removed during a run. What is installed finds its state
// without load in the positions of that moment; energy that it then stores, as by a preload, is work
// from outside. What is taken out fades: with a factor s on its forces a stored energy S is s S, and
// S ds is work from outside. The bound of the stable step has all from the start.

// Stages is the state of those of one kind that come and go, each with a number.
type Stages struct {
	Begun  []bool    // it is installed
	stored []float64 // its energy without the factor, at the end of the last step [J]
	Shares []float64 // the factor of its forces then
	Now    []float64 // the factor at the last evaluation

	of      []*model.When
	sources []Source
	ledger  *Ledger
}

// Add adds one, whose work has a name in the ledger.
func (s *Stages) Add(l *Ledger, name string, when *model.When) {
	s.ledger, s.of, s.sources = l, append(s.of, when), append(s.sources, l.Source(name))
	s.Begun, s.stored = append(s.Begun, false), append(s.stored, 0)
	s.Shares, s.Now = append(s.Shares, 1), append(s.Now, 1)
}

// Due tells whether the time has come to install number i.
func (s *Stages) Due(i int, time float64) bool { return !s.Begun[i] && time >= s.of[i].From }

// Choose sets the factor of the forces of number i at a time.
func (s *Stages) Choose(i int, time float64) { s.Now[i] = s.of[i].Remaining(time) }

// IsThere tells whether number i has been installed and is not gone at a time.
func (s *Stages) IsThere(i int, time float64) bool { return s.Begun[i] && s.of[i].Remaining(time) > 0 }

// Install begins number i with an energy that it stores and the work that this takes [J], and with a
// factor of its forces until the end of this step.
func (s *Stages) Install(i int, stored, work, share float64) {
	s.Begun[i], s.stored[i], s.Shares[i] = true, stored, share
	s.Record(i, work)
}

// Record adds work on number i from outside [J].
func (s *Stages) Record(i int, work float64) { s.ledger.Record(s.sources[i], work) }

// Spent records that number i has lost an energy without its factor by itself, as by ageing [J].
func (s *Stages) Spent(i int, energy float64) {
	s.Record(i, -float64(s.Now[i]*energy))
	s.stored[i] -= energy
}

// Advance ends a step in which number i has come to store an energy without its factor [J], and records
// the work of that factor.
func (s *Stages) Advance(i int, stored float64) {
	if !s.Begun[i] {
		return
	}
	s.Record(i, float64(0.5*(stored+s.stored[i])*(s.Now[i]-s.Shares[i])))
	s.stored[i], s.Shares[i] = stored, s.Now[i]
}

// Lingers tells whether forces that number i leaves as it goes act, or did so at the end of the last step.
func (s *Stages) Lingers(i int) bool { return s.Begun[i] && s.Shares[i]+s.Now[i] > 0 }

// Spend ends a step of dt [s] in which these forces had a power without their factor [W], and records
// their work.
func (s *Stages) Spend(i int, dt, power float64) {
	s.Record(i, float64(0.5*(s.Shares[i]+s.Now[i])*dt*power))
	s.Shares[i] = s.Now[i]
}

// Staged tells whether one comes or goes during the run.
func (s *Stages) Staged() bool {
	for _, w := range s.of {
		if w.Staged() {
			return true
		}
	}
	return false
}

// StateParts lists the state, with names that begin with that of the kind.
func (s *Stages) StateParts(kind string) []Part {
	return []Part{{kind + ".begun", &s.Begun}, {kind + ".held", s.stored}, {kind + ".shares", s.Shares}}
}
