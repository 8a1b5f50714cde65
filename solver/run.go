package solver

import (
	"context"
	"errors"
	"math"
	"time"

	"fdem/ranks"
	models "fdem/solver/model"
	"fdem/solver/processes"
	"fdem/solver/system"
)

// Observer receives results during a run. Row, Frame and Contact are called with the forces
// evaluated at Time, so that Energies, Motions and Velocities are those of that time.
type Observer struct {
	Row   func() error // every HistoryEvery, at the start and at the end
	Frame func() error // every FieldsEvery, at the start and at the end
	// Contact is called every ContactEvery, at the start and at the end, if the model has
	// OwnContactInterval.
	Contact func() error
	Tick    func() // from time to time, for a progress line; may be nil
	// Checkpoint is called before the forces are evaluated: every CheckpointEvery, when Asked
	// returns true, at the start, at the end, and where the run is stopped. A run that resumes from
	// the Parts at that time takes the same steps with the same bits. needed is false if the next
	// checkpoint is sufficient. Both may be nil.
	Checkpoint func(needed bool) error
	Asked      func() bool
}

// DueState counts how often each output has been due, in multiples of its interval.
type DueState struct{ Rows, Frames, ContactFrames, Checkpoints float64 }

func (d *DueState) parts(contactInterval bool) []system.Part {
	parts := []system.Part{{Name: "rows", Values: &d.Rows}, {Name: "frames", Values: &d.Frames}, {Name: "checkpoints", Values: &d.Checkpoints}}
	if contactInterval {
		parts = append(parts, system.Part{Name: "contact_frames", Values: &d.ContactFrames})
	}
	return parts
}

// Run advances from Time to Duration. It stops at the end of a step when ctx is
// done and returns ctx.Err(). After an error the state is that of the failure.
// A static analysis is run by package statics.
func (s *Solver) Run(ctx context.Context, out Observer) error {
	if s.Static != nil {
		return errors.New("a static analysis is not run in time: use package statics")
	}
	if ranks.Size > 1 {
		ctx, out.Asked = s.Agree(ctx, out.Asked)
	}
	if err := s.settleFirst(); err != nil {
		return err
	}
	for done := false; !done; {
		stop := ctx.Err()
		s.rest.Look()
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
			_, err = s.Show(out, row, s.N%processes.CheckEvery == 0 || done, dt, done)
			return !done, err
		})
		if err != nil {
			return err
		}
		if done {
			if stop == nil {
				s.rest.End()
			}
			return stop
		}
	}
	return nil
}

// Wake lets a run go on that has come to rest, since its model or its end has changed.
func (s *Solver) Wake() { s.rest.Wake() }

// Save writes a checkpoint if one is due.
func (s *Solver) Save(out Observer, stopped bool) error {
	now := due(&s.Checkpoints, s.CheckpointEvery, s.Time, 0)
	if out.Checkpoint == nil {
		return nil
	}
	needed := stopped || s.N == 0 || s.Ended() || out.Asked != nil && out.Asked()
	if !now && !needed {
		return nil
	}
	if s.Static != nil && s.Planned < s.Static.Increment { // the increment has been cut, so convergence is difficult
		needed = true
	}
	s.UpdateState()
	began := time.Now()
	err := out.Checkpoint(needed)
	s.Timer.Results += time.Since(began)
	return err
}

// Show writes a row if row is true, and calls Tick if tick is true. It then writes the fields and
// contact nodes that are due in the next dt, or all of them. It tells whether fields were written.
func (s *Solver) Show(out Observer, row, tick bool, dt float64, all bool) (fields bool, err error) {
	timed := func(do func() error) error {
		began := time.Now()
		err := do()
		s.Timer.Results += time.Since(began)
		return err
	}
	frame := due(&s.Frames, s.FieldsEvery, s.Time, dt) || all
	contact := s.OwnContactInterval && (due(&s.ContactFrames, s.ContactEvery, s.Time, dt) || all)
	if row || frame || contact {
		s.UpdateAll()
	}
	if frame {
		s.triangles.NoteCompression()
		s.UpdateLaws(false)
	} else if row {
		s.GetProbed()
	}
	if tick && out.Tick != nil {
		out.Tick()
	}
	if row {
		if err := timed(out.Row); err != nil {
			return false, err
		}
		s.EndRow()
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

// ShowBalance writes the results of the end of an increment of a static analysis. It tells whether
// fields were written.
func (s *Solver) ShowBalance(out Observer, last bool) (fields bool, err error) {
	s.AddImpulses()
	s.EndRow() // a row has the present values, not means
	return s.Show(out, true, true, s.Last, last)
}

// Recount sets the numbers of outputs so far for the present model's intervals, if they differ from
// the intervals of the model that wrote the state.
func (s *Solver) Recount(was *models.Model) {
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

// due tells whether an output at intervals is due: at the step nearest to each multiple of every,
// and only at the start if every is 0. count is the number of times that it was due, which due
// increases.
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
