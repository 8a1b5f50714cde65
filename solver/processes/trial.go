package processes

import (
	"time"

	"fdem/solver/threads"
)

// TuneWorkers chooses the number of workers, at most cores, by measurements during the run.
func (k *Division) TuneWorkers(cores int) {
	k.SetWorkers(1)
	teams := []*threads.Team{k.Team}
	for n := min(2, cores); n > 1; n = min(2*n, cores) {
		teams = append(teams, k.newTeam(n))
		if n == cores {
			break
		}
	}
	if len(teams) > 1 {
		k.Trial.Teams, k.Trial.Ends = teams, time.Now().Add(threads.TrialLong)
	}
}

// Stepped ends a step and chooses the team of the next step.
func (k *Division) Stepped() {
	r := &k.Trial
	switch {
	case r.Teams == nil:
		return
	case r.Teams[len(r.Teams)-1].Helpers() == 0: // all other cores are in use, so only one worker is left
		r.Spent = 0
		return
	case r.Turn < 0:
		if k.N%CheckEvery != 0 || !time.Now().After(r.Next) {
			return
		}
		for _, t := range r.Teams {
			t.Spent, t.Steps = 0, 0
		}
	default:
		r.Steps++
		lists := k.Tracked.Search.Rebuilds()
		if r.Steps > 1 && lists == r.Lists { // making a list takes as long as some tens of steps
			k.Team.Spent += r.Spent
			k.Team.Steps++
		}
		r.Spent, r.Lists = 0, lists
		if r.Steps < threads.TrialTurn || time.Now().Before(r.Ends) {
			return
		}
	}
	r.Turn++
	r.Steps, r.Ends = 0, time.Now().Add(threads.TrialLong)
	k.choose(r.Team())
	if r.Turn == threads.TrialRounds*len(r.Teams) {
		r.Turn, r.Next = -1, time.Now().Add(threads.TrialEvery)
	}
}
