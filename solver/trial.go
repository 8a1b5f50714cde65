package solver

import "time"

// trial is the autotuning of the number of threads: it finds out how many
// workers make steps fastest. Teams of several sizes take steps, turn about, and
// the one with the fastest mean step stays, but more workers must save a good part of the
// time: they cost processor time, which in small scenes they do not repay. A turn is long against what an
// operating system grants a program at a time: beside another program that keeps a
// core busy two workers have the fastest steps, and the longest.
// What runs beside us changes, so a trial is made from time to time. It changes
// nothing but speed.
type trial struct {
	teams []*team       // smallest first; nil where the number of workers is given
	turn  int           // of the present trial, -1 between two
	steps int           // of the present turn
	ends  time.Time     // before which it does not end
	spent time.Duration // on the present step
	lists int           // of neighbours before it
	next  time.Time     // when the next trial begins
}

const (
	trialTurn   = 4                     // steps of a team in one turn at least, the first of which finds the data elsewhere and does not count
	trialLong   = 10 * time.Millisecond // how long a turn is at least
	trialRounds = 3                     // turns of each team in a trial
	trialGain   = 0.5                   // the least share that more workers must save of what they could save at best
	trialEvery  = 10 * time.Second      // from one trial to the next
)

// TuneWorkers chooses the number of workers, at most as many as there are cores, by
// measurement while a run goes on.
func (k *workers) TuneWorkers(cores int) {
	k.SetWorkers(1)
	teams := []*team{k.team}
	for n := min(2, cores); n > 1; n = min(2*n, cores) {
		teams = append(teams, k.newTeam(n))
		if n == cores {
			break
		}
	}
	if len(teams) > 1 {
		k.trial.teams, k.trial.ends = teams, time.Now().Add(trialLong)
	}
}

// begin reads the clock where a trial needs it.
func (r *trial) begin() (t time.Time) {
	if r.teams != nil && r.turn >= 0 {
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
	if r.turn < trialRounds*len(r.teams) {
		return r.teams[r.turn%len(r.teams)]
	}
	best := r.teams[0]
	for _, t := range r.teams[1:] {
		if t.meanStep() < t.longEnough(best) {
			best = t
		}
	}
	return best
}

// longEnough returns how long a mean step may be for the team to be worth its workers beside a
// smaller one [ns]: two workers must save a quarter of the time of one.
func (t *team) longEnough(smaller *team) float64 {
	saved := 1 - float64(smaller.workers)/float64(t.workers) // at best
	return (1 - float64(trialGain*saved)) * smaller.meanStep()
}

// meanStep returns how long a step on trial takes the team [ns].
func (t *team) meanStep() float64 { return float64(t.spent) / float64(t.steps) }

// stepped ends a step and chooses the team of the next.
func (k *workers) stepped() {
	r := &k.trial
	switch {
	case r.teams == nil:
		return
	case r.teams[len(r.teams)-1].helpers() == 0: // every other core is lent: one worker is what there is
		r.spent = 0
		return
	case r.turn < 0:
		if k.N%checkEvery != 0 || !time.Now().After(r.next) {
			return
		}
		for _, t := range r.teams {
			t.spent, t.steps = 0, 0
		}
	default:
		r.steps++
		lists := k.outlines.search.Rebuilds()
		if r.steps > 1 && lists == r.lists { // a list takes as long as some tens of steps
			k.team.spent += r.spent
			k.team.steps++
		}
		r.spent, r.lists = 0, lists
		if r.steps < trialTurn || time.Now().Before(r.ends) {
			return
		}
	}
	r.turn++
	r.steps, r.ends = 0, time.Now().Add(trialLong)
	k.choose(r.team())
	if r.turn == trialRounds*len(r.teams) {
		r.turn, r.next = -1, time.Now().Add(trialEvery)
	}
}
