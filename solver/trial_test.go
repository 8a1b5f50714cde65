package solver

import (
	"runtime"
	"testing"
	"time"

	"fdem/solver/threads"
)

// A trial gives every team of workers its turns and keeps one team.
func TestTrial(t *testing.T) {
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("one core")
	}
	s := start(t, oblique(t, kostek(t), 0.2))
	s.TuneWorkers(4)
	steps := map[int]int{}
	for s.Trial.Turn >= 0 {
		n, turn, ends, before := s.Workers(), s.Trial.Turn, s.Trial.Ends, time.Now()
		noError(t, s.Step(s.Limit, nil))
		steps[n]++
		if s.Trial.Turn == turn {
			continue
		}
		if time.Now().Before(ends) {
			t.Errorf("turn %d ended before its time", turn)
		}
		if got := s.Trial.Ends.Sub(before); got < threads.TrialLong {
			t.Errorf("the turn after turn %d may end after %v, want at least %v", turn, got, threads.TrialLong)
		}
	}
	for _, n := range []int{1, 2, 4} {
		if steps[n] < threads.TrialRounds*threads.TrialTurn {
			t.Errorf("%d workers did %d steps of the trial, want at least %d", n, steps[n], threads.TrialRounds*threads.TrialTurn)
		}
	}
	// A step with a new neighbour list does not count for any team.
	s.TuneWorkers(2)
	s.Trial.Ends = time.Now().Add(time.Hour) // this turn lasts, however slow the machine is
	for range 3 {
		noError(t, s.Step(s.Limit, nil))
	}
	counted := s.Team.Steps
	s.Outlines.Search.Rebuild(s.X)
	if noError(t, s.Step(s.Limit, nil)); s.Team.Steps != counted || counted != 2 {
		t.Errorf("%d steps count, then %d with a new list, want 2", counted, s.Team.Steps)
	}
	if noError(t, s.Step(s.Limit, nil)); s.Team.Steps != counted+1 && s.Trial.Steps > 0 {
		t.Errorf("%d steps count after the new list, want %d", s.Team.Steps, counted+1)
	}
	// A team with rare long steps is not the fastest, however short its other steps are.
	quick, even := &threads.Team{Workers: 2}, &threads.Team{Workers: 1}
	quick.Spent, quick.Steps, even.Spent, even.Steps = 9*time.Millisecond+91*time.Millisecond, 92, 100*time.Millisecond, 100
	r := threads.Trial{Teams: []*threads.Team{even, quick}, Turn: 2 * threads.TrialRounds}
	if r.Team() != even {
		t.Error("the team with the longer mean step was chosen")
	}
	even.Steps = 60
	if r.Team() != quick {
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
		r := threads.Trial{Turn: len(c.steps) * threads.TrialRounds}
		for i, n := range c.steps {
			r.Teams = append(r.Teams, &threads.Team{Workers: 1 << i, Spent: time.Second, Steps: n})
		}
		if got := r.Team().Workers; got != c.chosen {
			t.Errorf("of teams that do %v steps in a second that of %d workers was chosen, want %d", c.steps, got, c.chosen)
		}
	}
	s.SetWorkers(3)
	if s.Stepped(); s.Workers() != 3 {
		t.Errorf("%d workers, 3 were asked for", s.Workers())
	}
}
