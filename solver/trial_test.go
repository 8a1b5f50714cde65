package solver

import (
	"testing"
	"time"
)

// A trial gives every team its turns and keeps one of them.
func TestTrial(t *testing.T) {
	s := start(t, oblique(t, kostek(t), 0.2))
	s.TuneWorkers(4)
	steps, spent := map[int]int{}, map[int]time.Duration{}
	for s.trial.turn >= 0 {
		n, began := s.Workers(), time.Now()
		noError(t, s.Step(s.Limit, nil))
		steps[n]++
		spent[n] += time.Since(began)
	}
	for _, n := range []int{1, 2, 4} {
		if steps[n] < trialRounds*trialTurn || spent[n] < trialRounds*trialLong*9/10 {
			t.Errorf("%d workers did %d steps of the trial in %v, want at least %d and %v", n, steps[n], spent[n], trialRounds*trialTurn, trialRounds*trialLong)
		}
	}
	// Whose steps are seldom long is not the fastest, however short its others are.
	quick, even := &team{}, &team{}
	quick.spent, quick.steps, even.spent, even.steps = 9*time.Millisecond+91*time.Millisecond, 92, 100*time.Millisecond, 100
	r := trial{teams: []*team{even, quick}, turn: 2 * trialRounds}
	if r.team() != even {
		t.Error("the team with the longer mean step was chosen")
	}
	even.steps = 80
	if r.team() != quick {
		t.Error("the team with the shorter mean step was not chosen")
	}
	s.SetWorkers(3)
	if s.stepped(); s.Workers() != 3 {
		t.Errorf("%d workers, 3 were asked for", s.Workers())
	}
}
