package deck

import (
	"fmt"
	"math"
	"slices"

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

// warnPlace does so about a key of a block, with its place.
func (d *Deck) warnPlace(t *tables.Reader, key, format string, args ...any) {
	d.warnLater("%s", withPlace(t, key, format, args...))
}

// arrives tells whether a schedule that is constant long after the end of the run comes to that value
// at some time, as a ramp does: a function that only tends to it, such as tanh(t), is as meant.
func arrives(f model.Schedule, to, end float64) bool {
	const before, least = 0.99, 1e-9 // a smooth ramp of fifth order misses 1e-5 of the whole so long before its end
	low, high := end, longAfter*end
	for range 60 {
		if mid := 0.5 * (low + high); f(mid) == to {
			high = mid
		} else {
			low = mid
		}
	}
	return math.Abs(f(before*high)-to) > least*math.Abs(to)
}

// warnSchedule warns of a schedule under a key that is zero throughout the run, if that
// matters, and of one that goes on after the end. For a table this follows from the times of
// its rows, for an expression from the time at which it becomes constant.
func (d *Deck) warnSchedule(t *tables.Reader, key string, f model.Schedule, times []float64, counts bool) {
	d.keepCourse(t, key, f, times)
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
	} else if to := f(longAfter * end); to != 0 && to == f(10*longAfter*end) && to == f(100*longAfter*end) && most < float64((1-missedShare)*math.Abs(to)) && arrives(f, to, end) {
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

// Warnings of schedules that change faster than the steps of a run see: a pulse between two
// steps, an oscillation shorter than a step.

// course is a schedule with the block that it is of, and the times of its table.
type course struct {
	of, key string
	f       model.Schedule
	times   []float64
}

// keepCourse keeps a schedule until the step is known.
func (d *Deck) keepCourse(t *tables.Reader, key string, f model.Schedule, times []float64) {
	d.courses = append(d.courses, course{t.Title, key, f, times})
}

const (
	unseenShare = 0.5  // share of the variation of a schedule that steps may lose
	windows     = 1000 // steps in which a schedule is looked at
	inWindow    = 40_000
	golden      = 0.6180339887498949
)

// Unresolved returns warnings of schedules of which steps of a length [s] lose more than half
// of the variation, with the step that would see it.
func (d *Deck) Unresolved(step float64) (out []string) {
	end := d.model.Duration
	if !(step > 0) || !(end > 0) {
		return nil
	}
	for i := range d.courses {
		c := &d.courses[i]
		if c.lost(step, end) <= unseenShare {
			continue
		}
		fine := step
		for k := 0; k < 40 && c.lost(fine, end) > 0.2; k++ {
			fine *= 0.5
		}
		said := fmt.Sprintf("%s: %s changes faster than the step of %.3g s, so that most of its variation is lost: a step of %.2g s would see it (step in [analysis])", c.of, c.key, step, fine)
		if !slices.Contains(out, said) {
			out = append(out, said)
		}
	}
	return out
}

// lost returns the share of the variation of a schedule within steps that their ends do not
// show, in some of the steps and in those with times of its table.
func (c *course) lost(step, end float64) float64 {
	n := max(1, math.Ceil(end/step))
	chosen := make([]float64, 0, windows+len(c.times))
	for k := range int(min(n, windows)) {
		chosen = append(chosen, math.Floor(float64(k)*n/min(n, windows)))
	}
	for _, t := range c.times[:min(len(c.times), windows)] {
		if t > 0 && t < end {
			chosen = append(chosen, math.Floor(t/step))
		}
	}
	slices.Sort(chosen)
	chosen = slices.Compact(chosen)
	parts := max(16, inWindow/len(chosen))
	all, net := 0.0, 0.0
	for _, k := range chosen {
		from, to := float64(k*step), min(float64((k+1)*step), end)
		at := []float64{from, to}
		for j := 1; j < parts; j++ {
			s := float64(float64(j)*golden) - math.Floor(float64(float64(j)*golden)) // even, and in step with no oscillation
			at = append(at, from+float64((to-from)*s))
		}
		first, _ := slices.BinarySearch(c.times, from)
		for _, t := range c.times[first:] {
			if t >= to {
				break
			}
			at = append(at, t)
		}
		slices.Sort(at)
		before, start := c.f(from), c.f(from)
		for _, t := range at[1:] {
			now := c.f(t)
			all, before = all+math.Abs(now-before), now
		}
		net += math.Abs(before - start)
	}
	if all == 0 || math.IsNaN(all) {
		return 0
	}
	return 1 - net/all
}
