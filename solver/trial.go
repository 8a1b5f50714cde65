package solver

import (
	"time"
)

// trial is the autotuning of the number of threads: it finds how many workers make steps fastest.
// Teams of several sizes take steps in turn, and the team with the fastest mean step is used. More
// workers must save a good part of the time, because they cost processor time, which they are not
// worth in small scenes. A turn is long compared with the time slices of the operating system:
// beside another program that keeps a core busy, two workers have the fastest steps and also the
// slowest. The load of other programs changes, so a trial is made from time to time. It changes
// nothing but speed.
type trial struct {
	teams []*team       // smallest first; nil if the number of workers is given
	turn  int           // number of the present turn, -1 between two trials
	steps int           // steps of the present turn
	ends  time.Time     // time before which it does not end
	spent time.Duration // time spent on the present step
	lists int           // number of neighbour lists before the step
	next  time.Time     // time of the next trial
}

const (
	trialTurn   = 4                     // least number of steps of a team in a turn; the first, with data in other caches, does not count
	trialLong   = 10 * time.Millisecond // least duration of a turn
	trialRounds = 3                     // turns of each team in a trial
	trialGain   = 0.5                   // least ratio of the time that more workers save to the time that they could save at best
	trialEvery  = 10 * time.Second      // interval of trials
)

// TuneWorkers chooses the number of workers, at most cores, by measurements during the run.
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

// begin returns the time if a trial needs it.
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

// team returns the team of the present turn, and after the last turn the fastest team.
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

// longEnough returns the longest mean step of the team that justifies its workers, compared with a
// smaller team [ns]. Two workers must save a quarter of the time of one.
func (t *team) longEnough(smaller *team) float64 {
	saved := 1 - float64(smaller.workers)/float64(t.workers) // at best
	return (1 - float64(trialGain*saved)) * smaller.meanStep()
}

// meanStep returns the mean time of the team's steps in the trial [ns].
func (t *team) meanStep() float64 { return float64(t.spent) / float64(t.steps) }

// stepped ends a step and chooses the team of the next step.
func (k *workers) stepped() {
	r := &k.trial
	switch {
	case r.teams == nil:
		return
	case r.teams[len(r.teams)-1].helpers() == 0: // all other cores are in use, so only one worker is left
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
		if r.steps > 1 && lists == r.lists { // making a list takes as long as some tens of steps
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
