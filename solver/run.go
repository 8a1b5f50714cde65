package solver

import (
	"context"
	"errors"
	"math"
	"time"

	"fdem/ranks"
)

// Observer receives results during a run. Both functions are called with the forces evaluated at
// Time, so that Energies, Motions and Velocities are those of that instant.
type Observer struct {
	Row   func() error // every HistoryEvery, at the start and at the end
	Frame func() error // every FieldsEvery, at the start and at the end
	// Contact is called every ContactEvery, at the start and at the end, of a
	// model whose contact nodes are ContactApart.
	Contact func() error
	Tick    func() // now and then, for a progress line; may be nil
	// Checkpoint is called before the forces are evaluated: every CheckpointEvery, when Asked
	// returns true, at the start, at the end and where the run is stopped. A run that resumes from
	// what Parts hold then takes the same steps to the bit. needed is false where the next one will
	// do as well. Both may be nil.
	Checkpoint func(needed bool) error
	Asked      func() bool
}

// DueState is how often something was due so far, in multiples of the time
// between two.
type DueState struct{ Rows, Frames, ContactFrames, Checkpoints float64 }

func (d *DueState) parts(contactInterval bool) []Part {
	parts := []Part{{"rows", &d.Rows}, {"frames", &d.Frames}, {"checkpoints", &d.Checkpoints}}
	if contactInterval {
		parts = append(parts, Part{"contact_frames", &d.ContactFrames})
	}
	return parts
}

// checkEvery is the number of steps between checks of the ledger where nothing
// asks for one before.
const checkEvery = 100

// Run advances from Time to Duration. It stops at the end of a step when ctx is
// done and returns ctx.Err(). After an error the state is that of the failure.
// A static analysis is run by package statics.
func (s *Solver) Run(ctx context.Context, out Observer) error {
	if s.Static != nil {
		return errors.New("a static analysis is not run in time: use package statics")
	}
	if ranks.Size > 1 {
		ctx, out = s.agree(ctx, out)
	}
	for done := false; !done; {
		stop := ctx.Err()
		if err := s.Save(out, stop != nil); err != nil {
			return err
		}
		err := s.Step(0, func(dt float64) (on bool, err error) {
			done = dt == 0 || stop != nil
			if stop != nil && dt > 0 {
				if err := s.check(true); err != nil {
					return false, err
				}
			}
			row := due(&s.Rows, s.HistoryEvery, s.Time, dt) || done
			_, err = s.Show(out, row, s.N%checkEvery == 0 || done, dt, done)
			return !done, err
		})
		if err != nil {
			return err
		}
		if done {
			return stop
		}
	}
	return nil
}

// Save writes a checkpoint if one is due.
func (s *Solver) Save(out Observer, stopped bool) error {
	now := due(&s.Checkpoints, s.CheckpointEvery, s.Time, 0)
	if out.Checkpoint == nil {
		return nil
	}
	needed := stopped || s.N == 0 || s.ended() || out.Asked != nil && out.Asked()
	if !now && !needed {
		return nil
	}
	if s.Static != nil && s.Planned < s.Static.Increment { // it has been cut: there is trouble ahead
		needed = true
	}
	s.UpdateState()
	began := time.Now()
	err := out.Checkpoint(needed)
	s.clock.results += time.Since(began)
	return err
}

// Show writes a row and asks for a tick where told to, and then what is due in
// the coming dt of fields and contact nodes, or all of it. It tells whether
// fields were.
func (s *Solver) Show(out Observer, row, tick bool, dt float64, all bool) (fields bool, err error) {
	timed := func(do func() error) error {
		began := time.Now()
		err := do()
		s.clock.results += time.Since(began)
		return err
	}
	frame := due(&s.Frames, s.FieldsEvery, s.Time, dt) || all
	contact := s.OwnContactInterval && (due(&s.ContactFrames, s.ContactEvery, s.Time, dt) || all)
	if row || frame || contact {
		s.updateAll()
	}
	if frame {
		s.updateLaws(false)
	} else if row {
		s.getProbed()
	}
	if tick && out.Tick != nil {
		out.Tick()
	}
	if row {
		if err := timed(out.Row); err != nil {
			return false, err
		}
		s.row()
	}
	if contact {
		if err := timed(out.Contact); err != nil {
			return false, err
		}
	}
	if frame {
		err = timed(out.Frame)
	}
	return frame, err
}

// ShowBalance shows the end of an increment of a static analysis. It tells
// whether fields were shown.
func (s *Solver) ShowBalance(out Observer, last bool) (fields bool, err error) {
	s.addImpulses()
	s.row() // a row tells of the balance, not of a mean
	return s.Show(out, true, true, s.Last, last)
}

// timeRounding is the rounding of Time at Duration, relative to the step.
const timeRounding = 1e-9

// ended tells whether Time is Duration, to rounding.
func (s *view) ended() bool { return s.Duration-s.Time <= timeRounding*s.Limit }

// Recount counts anew how often output was due, where it comes at other
// intervals than under the model that the state is of.
func (s *Solver) Recount(was *Model) {
	for _, c := range []struct {
		count      *float64
		every, was float64
	}{
		{&s.Rows, s.HistoryEvery, was.HistoryEvery}, {&s.Frames, s.FieldsEvery, was.FieldsEvery},
		{&s.ContactFrames, s.ContactEvery, was.ContactEvery}, {&s.Checkpoints, s.CheckpointEvery, was.CheckpointEvery},
	} {
		switch {
		case c.every == c.was || s.N == 0:
		case c.every == 0:
			*c.count = 1
		default:
			*c.count = math.Floor((s.Time-float64(0.5*s.Last))/c.every) + 1
		}
	}
}

// due tells whether something that is done at intervals is due: at the step nearest to each
// multiple of every, at the start only where every is 0. count is how often it was due until now
// and is moved on.
func due(count *float64, every, t, dt float64) bool {
	if every == 0 {
		first := *count == 0
		*count = 1
		return first
	}
	if t+float64(0.5*dt) < *count*every {
		return false
	}
	*count = math.Floor((t+float64(0.5*dt))/every) + 1
	return true
}
