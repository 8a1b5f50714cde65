package background

import (
	"errors"
	"testing"
)

// Jobs run one after another, and an error is returned once, by the next call.
func TestWriter(t *testing.T) {
	var w Writer
	if ready, err := w.Ready(); !ready || err != nil {
		t.Errorf("a fresh one: ready %v, error %v", ready, err)
	}
	hold, done := make(chan bool), []int{}
	if err := w.Start(func() error { <-hold; done = append(done, 1); return nil }); err != nil {
		t.Fatal(err)
	}
	if ready, _ := w.Ready(); ready {
		t.Error("ready while a job waits")
	}
	close(hold)
	full := errors.New("disk full")
	if err := w.Start(func() error { done = append(done, 2); return full }); err != nil {
		t.Fatal(err)
	}
	if err := w.Start(func() error { done = append(done, 3); return nil }); err != full {
		t.Errorf("error %v, want that of the job before", err)
	}
	if err := w.Wait(); err != nil || len(done) != 2 || done[0] != 1 || done[1] != 2 {
		t.Errorf("error %v, jobs %v; want none and 1, 2: after an error nothing begins", err, done)
	}
}
