package threads

import (
	"time"
)

// Trial is the autotuning of the number of threads: it finds how many workers make steps fastest.
// Teams of several sizes take steps in turn, and the team with the fastest mean step is used. More
// workers must save a good part of the time, because they cost processor time, which they are not
// worth in small scenes. A turn is long compared with the time slices of the operating system:
// beside another program that keeps a core busy, two workers have the fastest steps and also the
// slowest. The load of other programs changes, so a trial is made from time to time. It changes
// nothing but speed.
type Trial struct {
	Teams []*Team       // smallest first; nil if the number of workers is given
	Turn  int           // number of the present turn, -1 between two trials
	Steps int           // steps of the present turn
	Ends  time.Time     // time before which it does not end
	Spent time.Duration // time spent on the present step
	Lists int           // number of neighbour lists before the step
	Next  time.Time     // time of the next trial
}

const (
	TrialTurn   = 4                     // least number of steps of a team in a turn; the first, with data in other caches, does not count
	TrialLong   = 10 * time.Millisecond // least duration of a turn
	TrialRounds = 3                     // turns of each team in a trial
	trialGain   = 0.5                   // least ratio of the time that more workers save to the time that they could save at best
	TrialEvery  = 10 * time.Second      // interval of trials
)

// Begin returns the time if a trial needs it.
func (r *Trial) Begin() (t time.Time) {
	if r.Teams != nil && r.Turn >= 0 {
		t = time.Now()
	}
	return t
}

// End adds the time since begin to the present step.
func (r *Trial) End(began time.Time) {
	if !began.IsZero() {
		r.Spent += time.Since(began)
	}
}

// Team returns the team of the present turn, and after the last turn the fastest team.
func (r *Trial) Team() *Team {
	if r.Turn < TrialRounds*len(r.Teams) {
		return r.Teams[r.Turn%len(r.Teams)]
	}
	best := r.Teams[0]
	for _, t := range r.Teams[1:] {
		if t.meanStep() < t.longEnough(best) {
			best = t
		}
	}
	return best
}

// longEnough returns the longest mean step of the team that justifies its workers, compared with a
// smaller team [ns]. Two workers must save a quarter of the time of one.
func (t *Team) longEnough(smaller *Team) float64 {
	saved := 1 - float64(smaller.Workers)/float64(t.Workers) // at best
	return (1 - float64(trialGain*saved)) * smaller.meanStep()
}

// meanStep returns the mean time of the team's steps in the trial [ns].
func (t *Team) meanStep() float64 { return float64(t.Spent) / float64(t.Steps) }
