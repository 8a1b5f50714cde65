package solver

import "time"

// trial is the autotuning of the number of threads: it finds out how many
// workers make a step fastest. Teams of several sizes
// take some steps each, turn about, and the one with the fastest step stays.
// What runs beside us changes, so a trial is made from time to time. It changes
// nothing but speed.
type trial struct {
	teams []*team       // smallest first; nil where the number of workers is given
	step  int           // of the present trial, -1 between two
	spent time.Duration // on the present step
	next  time.Time     // when the next trial begins
}

const (
	trialTurn   = 4                // steps of a team in one turn, the first of which finds the data elsewhere
	trialRounds = 3                // turns of each team in a trial
	trialGain   = 0.95             // of the time of fewer workers must more workers take at most
	trialEvery  = 10 * time.Second // from one trial to the next
)

// TuneWorkers chooses the number of workers, at most as many as there are cores, by
// measurement while a run goes on.
func (s *Solver) TuneWorkers(cores int) {
	s.SetWorkers(1)
	teams := []*team{s.team}
	for n := min(2, cores); n > 1; n = min(2*n, cores) {
		teams = append(teams, s.newTeam(n))
		if n == cores {
			break
		}
	}
	if len(teams) > 1 {
		s.trial.teams = teams
	}
}

// begin reads the clock where a trial needs it.
func (r *trial) begin() (t time.Time) {
	if r.teams != nil && r.step >= 0 {
		t = time.Now()
	}
	return t
}

// end adds the time since begin to the present step.
func (r *trial) end(began time.Time) {
	if !began.IsZero() {
		r.spent += time.Since(began)
	}
}

// team returns whose turn it is, and after the last turn the fastest.
func (r *trial) team() *team {
	if r.step < trialRounds*trialTurn*len(r.teams) {
		return r.teams[r.step/trialTurn%len(r.teams)]
	}
	best := r.teams[0]
	for _, t := range r.teams[1:] {
		if float64(t.cost) < trialGain*float64(best.cost) {
			best = t
		}
	}
	return best
}

// stepped ends a step and says who does the next.
func (s *Solver) stepped() {
	r := &s.trial
	switch {
	case r.teams == nil:
		return
	case r.teams[len(r.teams)-1].helpers() == 0: // every other core is lent: one worker is what there is
		r.spent = 0
		return
	case r.step < 0:
		if s.N%checkEvery == 0 && time.Now().After(r.next) {
			r.step = 0
			for _, t := range r.teams {
				t.cost = 0
			}
		}
	default:
		if t := s.team; t.cost == 0 || r.spent < t.cost {
			t.cost = r.spent
		}
		r.spent = 0
		r.step++
	}
	if r.step < 0 {
		return
	}
	s.choose(r.team())
	if r.step == trialRounds*trialTurn*len(r.teams) {
		r.step, r.next = -1, time.Now().Add(trialEvery)
	}
}
