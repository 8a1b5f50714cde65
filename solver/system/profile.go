package system

import (
	"slices"
	"time"

	"fdem/contactnodes"
)

// Timing is the time of one part of the steps.
type Timing struct {
	Name    string
	Seconds float64 // in all steps
}

// Count is the mean number of some objects over the timed steps.
type Count struct {
	Name string
	Mean float64
}

// Limit is a reason that limited steps.
type Limit struct {
	Name  string
	Steps int64  // number of steps that it limited
	Where string // most frequent location, if known
}

// timedEvery is the interval of timed steps. It is a prime, so that it does not coincide
// with work done every 64 or 100 steps. The first timed step is the second step, because
// the first step does all such work.
const timedEvery = 127

// The phases that no system has, after those of the systems.
const (
	PhaseSearch = iota
	PhaseMove
	PhaseStep
	PhaseLedger
	PhaseWait     // waiting for other processes
	PhaseExchange // exchange with them
	PhaseContact  // the phases of contactnodes
	phases        = PhaseContact + int(contactnodes.Stages)
)

// Clock times the steps of a run.
type Clock struct {
	On      bool
	All     bool // steps are timed
	last    time.Time
	Systems []time.Duration // forces of each
	Others  [phases]time.Duration
	Engines []EngineTime
	Results time.Duration // time of results, in every step
	Static  []Timing      // phases of a static analysis
	Sampled int64
	Steps   int64
	Counts  []Count // sums
	Limits  []Limit
	At      []map[int32]int64 // per limit: number of steps by node or body
}

// EngineTime is the time of the forces of an engine of contact.
type EngineTime struct {
	Name string
	Took time.Duration
}

// Engine returns the phase of an engine of contact, for Lap or Nested.
func (c *Clock) Engine(name string) *time.Duration {
	for i := range c.Engines {
		if c.Engines[i].Name == name {
			return &c.Engines[i].Took
		}
	}
	c.Engines = append(c.Engines, EngineTime{Name: name})
	return &c.Engines[len(c.Engines)-1].Took
}

// Begin starts a step.
func (c *Clock) Begin() {
	c.On = c.All || c.Steps%timedEvery == 1
	c.Steps++
	if c.On {
		c.Sampled++
		c.last = time.Now()
	}
}

// Lap adds the time since the last lap to a phase.
func (c *Clock) Lap(of *time.Duration) {
	if c.On {
		c.add(of)
	}
}

// add is lap in a timed step. It is a separate function, so that other steps
// make no call.
func (c *Clock) add(of *time.Duration) {
	now := time.Now()
	*of += now.Sub(c.last)
	c.last = now
}

// Nested adds the time since a start, if there was one, to a phase inside other phases, and
// subtracts it from these. It returns the present time.
func (c *Clock) Nested(of *time.Duration, since time.Time) time.Time {
	if !c.On {
		return since
	}
	now := time.Now()
	if !since.IsZero() {
		*of += now.Sub(since)
		c.last = c.last.Add(now.Sub(since))
	}
	return now
}

// Skip leaves the time since the last lap out of all phases.
func (c *Clock) Skip() {
	if c.On {
		c.last = time.Now()
	}
}

// Count adds to a mean, in a step that is timed.
func (c *Clock) Count(name string, n int) {
	i := slices.IndexFunc(c.Counts, func(k Count) bool { return k.Name == name })
	if i < 0 {
		c.Counts = append(c.Counts, Count{Name: name})
		i = len(c.Counts) - 1
	}
	c.Counts[i].Mean += float64(n)
}

// Spend adds the time since it began to a phase of a static analysis.
func (s *Analysis) Spend(phase string, began time.Time) {
	c := &s.Timer
	i := slices.IndexFunc(c.Static, func(p Timing) bool { return p.Name == phase })
	if i < 0 {
		c.Static = append(c.Static, Timing{Name: phase})
		i = len(c.Static) - 1
	}
	c.Static[i].Seconds += time.Since(began).Seconds()
}

// Limit counts the reason that limited a step.
func (c *Clock) Limit(by Cause) {
	for i := range c.Limits {
		if c.Limits[i].Name == by.What {
			c.Limits[i].Steps++
			if c.On {
				c.At[i][by.At]++
			}
			return
		}
	}
	c.Limits, c.At = append(c.Limits, Limit{Name: by.What, Steps: 1}), append(c.At, map[int32]int64{by.At: 1})
}
