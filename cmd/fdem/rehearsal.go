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

// A rehearsal predicts what a run takes: it computes the beginning of the run without
// output, a short run whole, and the rest is taken to go on as the later half of that.
// Time is that of the processor, which other programs do not lengthen.

const (
	rehearsedShare = 1. / 3 // of the time that the run is predicted to take
	rehearsedLeast = 0.5    // a run that takes less is rehearsed whole [s]
	maxRehearsal   = 2.0    // [s]
	longRun        = 5.0    // that several workers share [s]
)

// afterBreak is how many increments are rehearsed after the last break of the loads: where
// they turn, increments are cut. firstIncrements are rehearsed in any case, for up to twice
// the most: where bodies find their positions, increments begin short and grow.
const (
	afterBreak      = 5
	firstIncrements = 12
)

// What steps cost more, in the mean of models that were measured, once there is what a
// rehearsal has not come to: contact that presses finds more and makes steps shorter,
// cracks have forces of their own.
const (
	costOfContact  = 1.2
	costOfCracks   = 2.2 // where it is not known how many come, see growth
	costOfYielding = 2.5
	costOfFile     = 0.6e-3 // to make one and rename it, beside what is in it, and its collection [s]
	costOfByte     = 5e-9   // to write one of a frame, beside making it [s]
	costOfStart    = 0.02   // of the program itself [s]
)

// estimate is what a run is predicted to take, with contact, cracks and output.
type estimate struct {
	Seconds  float64 // 0 where that is not known
	Steps    float64 // or increments
	Each     float64 // of the steps that have been rehearsed, by one worker [s]
	Seen     float64 // share of the duration that has been rehearsed
	Complete bool    // all of it
	results.Sizes
}

// mark is where a rehearsal has come.
type mark struct{ spent, time, steps float64 }

// rehearsal takes notes of how a run comes on.
type rehearsal struct {
	s               *solver.Solver
	began           float64 // of the processor's time [s]
	marks           []mark
	growth          growth
	spentAtEstimate float64 // spent when look last asked what the rest takes [s]
	stride, left    int     // steps from one mark to the next
	text            []byte
	rows, digits    float64 // numbers of the history so far, and their length
}

// predict tells what a run takes whose model took shape since the processor's time began.
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
		if s.Static != nil && errors.As(err, &unsettled) { // a run says why, where it comes to that
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

// run goes through a run for as long as look allows and tells whether that was all.
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

// row makes a row of the history.
func (r *rehearsal) row() error {
	e := r.s.Energies()
	r.s.Row(&e, func(_ quantity.Column, v float64) {
		r.text = strconv.AppendFloat(r.text[:0], v, 'g', -1, 64)
		r.rows, r.digits = r.rows+1, r.digits+float64(len(r.text)+1)
	})
	return nil
}

// update takes a mark now and then and tells whether to go on.
func (r *rehearsal) update() (on bool) {
	if r.left--; r.left > 0 {
		return true
	}
	const soon, late = 0.5e-3, 2e-3 // from one mark to the next [s]
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

// goesOn tells whether a rehearsal that has taken so long goes on: for a share of what the
// whole run takes, and not for long.
func (r *rehearsal) goesOn(spent float64) bool {
	const again = 1.1 // longer spent, until the rest is asked for once more
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

// turnsLater tells whether loads of a static analysis take another course in what has not
// been rehearsed, or have only just taken it.
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

// turned returns when loads of a static analysis last took another course [s].
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

// rest is what is still to come if it goes on as in the later half, by the processor's
// time, of what has been seen; in a static analysis as in the later half of the increments,
// and not as before its loads turned.
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

// ahead is what is still to come with what has not been seen: contact, cracks, yielding.
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

// firstHalf is how long a step took in the first half of those so far [s].
func (r *rehearsal) firstHalf() float64 {
	now := r.marks[len(r.marks)-1]
	half := r.marks[sort.Search(len(r.marks), func(i int) bool { return r.marks[i].steps >= 0.5*now.steps })]
	return half.spent / half.steps
}

// cracks is how many times as long the rest takes, and how many times as many steps,
// because of cracks that are to come, where a step takes so long now, and took so long at
// first [s].
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

// sharing is the share of the time of one worker that as many as there are cores take, at most
// 1, by steps of each.
func sharing(s *solver.Solver) float64 {
	defer s.SetWorkers(1)
	cores, one := runtime.GOMAXPROCS(0), speedOf(s)
	if cores == 1 || math.IsInf(one, 1) {
		return 1
	}
	s.SetWorkers(cores)
	return min(1, max(speedOf(s)/one, 1/float64(cores)))
}

// speedOf returns how long a step takes by the clock on the wall: the fastest of a few, for other
// programs only make steps longer [s].
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
			break // a run says why
		}
		best = min(best, time.Since(began).Seconds())
	}
	return best
}
