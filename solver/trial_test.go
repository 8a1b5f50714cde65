package solver

import (
	"runtime"
	"testing"
	"time"
)

// A trial gives every team of workers its turns and keeps one team.
func TestTrial(t *testing.T) {
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("one core")
	}
	s := start(t, oblique(t, kostek(t), 0.2))
	s.TuneWorkers(4)
	steps := map[int]int{}
	for s.trial.turn >= 0 {
		n, turn, ends, before := s.Workers(), s.trial.turn, s.trial.ends, time.Now()
		noError(t, s.Step(s.Limit, nil))
		steps[n]++
		if s.trial.turn == turn {
			continue
		}
		if time.Now().Before(ends) {
			t.Errorf("turn %d ended before its time", turn)
		}
		if got := s.trial.ends.Sub(before); got < trialLong {
			t.Errorf("the turn after turn %d may end after %v, want at least %v", turn, got, trialLong)
		}
	}
	for _, n := range []int{1, 2, 4} {
		if steps[n] < trialRounds*trialTurn {
			t.Errorf("%d workers did %d steps of the trial, want at least %d", n, steps[n], trialRounds*trialTurn)
		}
	}
	// A step with a new neighbour list does not count for any team.
	s.TuneWorkers(2)
	s.trial.ends = time.Now().Add(time.Hour) // this turn lasts, however slow the machine is
	for range 3 {
		noError(t, s.Step(s.Limit, nil))
	}
	counted := s.team.steps
	s.outlines.search.Rebuild(s.X)
	if noError(t, s.Step(s.Limit, nil)); s.team.steps != counted || counted != 2 {
		t.Errorf("%d steps count, then %d with a new list, want 2", counted, s.team.steps)
	}
	if noError(t, s.Step(s.Limit, nil)); s.team.steps != counted+1 && s.trial.steps > 0 {
		t.Errorf("%d steps count after the new list, want %d", s.team.steps, counted+1)
	}
	// A team with rare long steps is not the fastest, however short its other steps are.
	quick, even := &team{workers: 2}, &team{workers: 1}
	quick.spent, quick.steps, even.spent, even.steps = 9*time.Millisecond+91*time.Millisecond, 92, 100*time.Millisecond, 100
	r := trial{teams: []*team{even, quick}, turn: 2 * trialRounds}
	if r.team() != even {
		t.Error("the team with the longer mean step was chosen")
	}
	even.steps = 60
	if r.team() != quick {
		t.Error("the team with the shorter mean step was not chosen")
	}
	// More workers must be worth their cost: they must save half of what they could save at best.
	for _, c := range []struct {
		steps  []int // that teams of 1, 2, 4 and 8 workers do in the same time
		chosen int
	}{
		{[]int{100, 100}, 1}, {[]int{100, 130}, 1}, {[]int{100, 137}, 2}, {[]int{100, 200}, 2},
		{[]int{100, 160, 200}, 2}, {[]int{100, 160, 220}, 4}, {[]int{100, 120, 140}, 1}, {[]int{100, 120, 180}, 4},
		{[]int{100, 190, 340, 400}, 4}, {[]int{100, 90, 80, 70}, 1},
	} {
		r := trial{turn: len(c.steps) * trialRounds}
		for i, n := range c.steps {
			r.teams = append(r.teams, &team{workers: 1 << i, spent: time.Second, steps: n})
		}
		if got := r.team().workers; got != c.chosen {
			t.Errorf("of teams that do %v steps in a second that of %d workers was chosen, want %d", c.steps, got, c.chosen)
		}
	}
	s.SetWorkers(3)
	if s.stepped(); s.Workers() != 3 {
		t.Errorf("%d workers, 3 were asked for", s.Workers())
	}
}
