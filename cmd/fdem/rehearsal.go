package main

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"sort"
	"strconv"
	"time"

	"fdem/benchmarks"
	"fdem/io/curves"
	"fdem/io/results"
	"fdem/materials/bulk"
	"fdem/solver"
	"fdem/solver/quantity"
	"fdem/solver/statics"
)

// A rehearsal predicts the time of a run. It computes the beginning of the run without
// output, or all of a short run. The rest is taken to continue as the later half of
// that. Time is processor time, which does not depend on other programs.

const (
	rehearsedShare = 1. / 3 // of the predicted time of the run
	longRun        = 5.0    // a longer run is shared by several workers [s]
)

// Tests that need no prediction take less.
var (
	rehearsedLeast = 0.5 // a shorter run is rehearsed completely [s]
	maxRehearsal   = 2.0 // [s]
)

// afterBreak is the number of increments rehearsed after the last break of the loads, since
// increments are cut where loads change their course. firstIncrements are rehearsed in any
// case, for up to twice maxRehearsal, since increments begin short and grow while bodies
// settle.
const (
	afterBreak      = 5
	firstIncrements = 12
)

// The additional cost of steps after events that the rehearsal has not reached, as
// means over measured models. With contact there are more contact points and shorter
// steps, and cracks have forces of their own.
const (
	costOfContact  = 1.2
	costOfCracks   = 2.2 // if their number is unknown, see growth
	costOfYielding = 2.5
	costOfFile     = 0.6e-3 // to make and rename a file, without its contents, and to update its collection [s]
	costOfByte     = 5e-9   // to write a byte of a frame, without making it [s]
	costOfStart    = 0.02   // of the program itself [s]
)

// estimate is the predicted time of a run, with contact, cracks and output.
type estimate struct {
	Seconds  float64 // 0 if unknown
	Steps    float64 // or increments
	Each     float64 // time of a rehearsed step, by one worker [s]
	Seen     float64 // rehearsed fraction of the duration
	Complete bool    // the whole run was rehearsed
	results.Sizes
}

// mark is the progress of a rehearsal at one time.
type mark struct{ spent, time, steps float64 }

// rehearsal records the progress of a run.
type rehearsal struct {
	s               *solver.Solver
	began           float64 // processor time at the start [s]
	marks           []mark
	growth          growth
	spentAtEstimate float64 // time spent when the rest was last estimated [s]
	stride, left    int     // steps from one mark to the next
	text            []byte
	rows, digits    float64 // number of values in the history so far, and their length
}

// predict returns the estimate for a run whose model has been built since processor time
// began.
func predict(in *input, s *solver.Solver, computed *curves.Set, began float64) (estimate, error) {
	prepared := benchmarks.ProcessorTime() - began
	before, err := outputSizes(in, s, true)
	if err != nil {
		return estimate{}, err
	}
	r := &rehearsal{s: s, began: benchmarks.ProcessorTime(), stride: 1}
	complete, err := r.run()
	if err != nil {
		var unsettled *solver.NotConvergedError
		if s.Static != nil && errors.As(err, &unsettled) { // the run will report the reason
			return estimate{Steps: math.Ceil(s.Duration / s.Static.Increment), Sizes: before}, nil
		}
		return estimate{}, err
	}
	f := estimate{Complete: complete, Seen: s.Time / s.Duration, Sizes: before}
	now, rest := r.marks[len(r.marks)-1], mark{}
	if !complete {
		rest = r.ahead()
	}
	f.Each = now.spent / now.steps
	f.Steps = math.Round(now.steps + rest.steps)
	after, err := outputSizes(in, s, true)
	if err != nil {
		return f, err
	}
	f.PerFrame, f.PerContact = 0.5*(before.PerFrame+after.PerFrame), 0.5*(before.PerContact+after.PerContact)
	frames := float64(f.Frames*f.PerFrame) + float64(f.Contacts*f.PerContact)
	f.PerRow = r.digits / r.rows * float64(len(results.Columns(s))+len(computed.Curves))
	f.Sizes.Seconds = 0.5*(before.Seconds+after.Seconds) + float64(costOfFile*before.Files) + float64(costOfByte*frames)
	f.Seconds = costOfStart + prepared + now.spent + rest.spent + f.Sizes.Seconds
	if s.Static == nil && f.Seconds > longRun {
		f.Seconds *= sharing(s)
	}
	return f, nil
}

// run runs the model as long as allowed, and tells whether that was the whole run.
func (r *rehearsal) run() (complete bool, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	nothing := func() error { return nil }
	err = statics.Run(ctx, r.s, solver.Observer{
		Row: r.row, Frame: nothing, Contact: nothing, Checkpoint: func(bool) error { return nil },
		Asked: func() bool { // before each step
			if !r.update() {
				cancel()
			}
			return false
		},
	})
	stopped := errors.Is(err, context.Canceled)
	if stopped {
		err = nil
	}
	r.left = 0
	r.update()
	return !stopped, err
}

// row computes a row of the history.
func (r *rehearsal) row() error {
	e := r.s.Energies()
	r.s.Row(&e, func(_ quantity.Column, v float64) {
		r.text = strconv.AppendFloat(r.text[:0], v, 'g', -1, 64)
		r.rows, r.digits = r.rows+1, r.digits+float64(len(r.text)+1)
	})
	return nil
}

// update records a mark from time to time, and tells whether to continue.
func (r *rehearsal) update() (on bool) {
	if r.left--; r.left > 0 {
		return true
	}
	const soon, late = 0.5e-3, 2e-3 // interval between marks [s]
	m := mark{benchmarks.ProcessorTime() - r.began, r.s.Time, float64(r.s.N)}
	if n := len(r.marks); n > 0 {
		switch took := m.spent - r.marks[n-1].spent; {
		case took < soon:
			r.stride *= 2
		case took > late && r.stride > 1:
			r.stride /= 2
		}
	}
	r.left = r.stride
	r.marks = append(r.marks, m)
	r.growth.note(r.s)
	return r.goesOn(m.spent)
}

// goesOn tells whether a rehearsal continues after a time: up to a fraction of the run's
// time, and up to a limit.
func (r *rehearsal) goesOn(spent float64) bool {
	const again = 1.1 // factor on the time spent until the rest is estimated again
	switch {
	case spent < rehearsedLeast, r.s.Static != nil && r.s.N < firstIncrements && spent < 2*maxRehearsal:
		return true
	case spent > maxRehearsal:
		return false
	case r.turnsLater() || spent < again*r.spentAtEstimate:
		return true
	}
	r.spentAtEstimate = spent
	return spent < rehearsedShare*(spent+r.ahead().spent)
}

// turnsLater tells whether loads of a static analysis change their course in the part
// that is not rehearsed, or have just changed it.
func (r *rehearsal) turnsLater() bool {
	if r.s.Static == nil {
		return false
	}
	breaks := r.s.Static.Breaks
	for i := len(breaks) - 1; i >= 0; i-- {
		if breaks[i] < r.s.Duration {
			return r.s.Time < breaks[i]+float64(afterBreak*r.s.Planned)
		}
	}
	return false
}

// turned returns the last time at which loads of a static analysis changed
// their course [s].
func (r *rehearsal) turned() (at float64) {
	if r.s.Static == nil {
		return 0
	}
	for _, b := range r.s.Static.Breaks {
		if b < r.s.Time {
			at = b
		}
	}
	return at
}

// rest returns the remaining time and steps if the run continues as in the later half of
// the rehearsed part, by processor time. A static analysis continues as in the later half
// of the increments, but not as before its loads changed their course.
func (r *rehearsal) rest() mark {
	now := r.marks[len(r.marks)-1]
	half := sort.Search(len(r.marks), func(i int) bool {
		if r.s.Static != nil {
			return r.marks[i].steps >= 0.5*now.steps
		}
		return r.marks[i].spent >= 0.5*now.spent
	})
	from := r.marks[max(half-1, 0)]
	if turn := r.turned(); from.time < turn && turn < now.time {
		from = r.marks[sort.Search(len(r.marks), func(i int) bool { return r.marks[i].time >= turn })]
	}
	if !(now.time > from.time) {
		return mark{spent: math.Inf(1), steps: math.Inf(1)}
	}
	times := (r.s.Duration - now.time) / (now.time - from.time)
	return mark{spent: float64(times * (now.spent - from.spent)), steps: float64(times * (now.steps - from.steps))}
}

// ahead is rest with the events that the rehearsal has not reached: contact, cracks,
// yielding.
func (r *rehearsal) ahead() mark {
	s, e, rest := r.s, r.s.Energies(), r.rest()
	if math.IsInf(rest.spent, 1) {
		return rest
	}
	times, steps := r.cracks(rest.spent/rest.steps, r.firstHalf())
	if len(s.Surfaces) > 0 && e.ContactStored+e.ContactDissipated+e.FrictionDissipated == 0 {
		times *= costOfContact
	}
	if slices.ContainsFunc(s.Materials, bulk.Material.Yields) && e.PlasticWork == 0 {
		times *= costOfYielding
	}
	rest.spent, rest.steps = float64(rest.spent*times), float64(rest.steps*steps)
	return rest
}

// firstHalf returns the time of a step in the first half of the steps so far
// [s].
func (r *rehearsal) firstHalf() float64 {
	now := r.marks[len(r.marks)-1]
	half := r.marks[sort.Search(len(r.marks), func(i int) bool { return r.marks[i].steps >= 0.5*now.steps })]
	return half.spent / half.steps
}

// cracks returns two factors for the rest of the run, on its time and on its number of
// steps, for cracks to come. each and first are the times of a step now and at first [s].
func (r *rehearsal) cracks(each, first float64) (times, steps float64) {
	s := r.s
	if s.Cracks() == nil || breakable(s) == 0 {
		return 1, 1
	}
	if times, steps, known := r.growth.cost(s, each, first); known {
		return times, steps
	}
	if t, _ := s.CrackTotals(); t.InsertedEdges > 0 {
		return 1, 1
	}
	return costOfCracks, 1
}

// sharing returns the time with as many workers as cores over the time with one worker, at
// most 1, from measured steps of both.
func sharing(s *solver.Solver) float64 {
	defer s.SetWorkers(1)
	cores, one := runtime.GOMAXPROCS(0), speedOf(s)
	if cores == 1 || math.IsInf(one, 1) {
		return 1
	}
	s.SetWorkers(cores)
	return min(1, max(speedOf(s)/one, 1/float64(cores)))
}

// speedOf returns the wall-clock time of a step [s]. It is the least of a few, since other
// programs only lengthen steps.
func speedOf(s *solver.Solver) float64 {
	const few = 20
	best := math.Inf(1)
	for range few {
		began, ended := time.Now(), false
		err := s.Step(0, func(dt float64) (bool, error) {
			ended = dt == 0
			return !ended, nil
		})
		if err != nil || ended {
			break // the run will report the reason
		}
		best = min(best, time.Since(began).Seconds())
	}
	return best
}
