package deck

import (
	"fmt"
	"math"

	"fdem/io/tables"
	"fdem/solver/model"
)

// Warnings about schedules: those that go on after the end of the run, those that are
// always zero, and positions that jump.

const (
	missedShare = 0.01  // part of a schedule that may come after the end
	longAfter   = 1e3   // times the duration, when a ramp has ended
	finely      = 50000 // number of times at which a schedule is checked for zero
)

// warnLater adds a warning for the time when the model is made.
func (d *Deck) warnLater(format string, args ...any) {
	d.scheduleWarnings = append(d.scheduleWarnings, fmt.Sprintf(format, args...))
}

// warnSchedule warns of a schedule under a key that is zero throughout the run, if that
// matters, and of one that goes on after the end. For a table this follows from the times of
// its rows, for an expression from the time at which it becomes constant.
func (d *Deck) warnSchedule(t *tables.Reader, key string, f model.Schedule, times []float64, counts bool) {
	end := d.model.Duration
	most := greatest(f, end, samples)
	for _, at := range times {
		if at <= end {
			most = max(most, math.Abs(f(at)))
		}
	}
	if last := f(end); times != nil {
		missed, whole, by := 0.0, most, 0.0
		for _, at := range times {
			if at > end {
				missed, whole, by = max(missed, math.Abs(f(at)-last)), max(whole, math.Abs(f(at))), at
			}
		}
		if missed > float64(missedShare*whole) {
			d.warnLater("%s: the table of %s ends at t = %.6g s with the value %.6g, but the run ends at %.6g s, where the value is %.6g", t.Title, key, by, f(by), end, last)
			return
		}
	} else if to := f(longAfter * end); to != 0 && to == f(10*longAfter*end) && to == f(100*longAfter*end) && most < float64((1-missedShare)*math.Abs(to)) {
		d.warnLater("%s: %s reaches %.6g long after the end of the run at %.6g s, where its value is %.6g", t.Title, key, to, end, last)
		return
	}
	if counts && most == 0 && greatest(f, end, finely) == 0 {
		d.warnLater("%s: %s is 0 throughout the run, so that it has no effect", t.Title, key)
	}
}

// greatest returns the greatest size of a schedule at a number of times of a
// run.
func greatest(f model.Schedule, end float64, n int) (most float64) {
	for i := range n + 1 {
		most = max(most, math.Abs(f(end*(float64(i)/float64(n)))))
	}
	return most
}

// warnJumps warns of a position or an angle that jumps. The driven body would move there
// within one step.
func (d *Deck) warnJumps(t *tables.Reader, key string, f model.Schedule, unit string) {
	if d.model.Static != nil {
		return
	}
	if at, by := jump(f, d.model.Duration); by != 0 {
		d.warnLater("%s: %s jumps by %.3g %s at t = %.6g s, which the body then does within one step, at a very high speed: give the motion some time, for instance a ramp in a table", t.Title, key, by, unit, at)
	}
}

// jump finds the greatest change of a schedule between two samples, and locates it by
// bisection. by is the change between two neighbouring floating-point numbers, 0 if it is
// small.
func jump(f model.Schedule, end float64) (at, by float64) {
	from, to, most := 0.0, 0.0, 0.0
	before := f(0)
	for i := range samples {
		t := end * (float64(i+1) / samples)
		now := f(t)
		if c := math.Abs(now - before); c > most {
			from, to, most = end*(float64(i)/samples), t, c
		}
		before = now
	}
	for to-from > 1e-12*end {
		half := float64(0.5 * (from + to))
		if half <= from || half >= to {
			break
		}
		if math.Abs(f(half)-f(from)) >= math.Abs(f(to)-f(half)) {
			to = half
		} else {
			from = half
		}
	}
	if by = f(to) - f(from); !(math.Abs(by) > float64(0.5*most)) {
		return 0, 0
	}
	return to, by
}
