package solver

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"fdem/contactnodes"
	"fdem/mesh"
	"fdem/ranks"
)

// The profile of a run: how its time is distributed, and what limits its steps. One step in
// timedEvery is timed, phase by phase, and represents the others. This has no measurable
// cost. The profile is not part of the state, so a resumed run starts a new one. The limits
// of the steps are stored beside the state in checkpoints (RecallLimit).

// Profile is the distribution of a run's time so far.
type Profile struct {
	Phases []Timing // in the order of a step, the results last
	Counts []Count
	Limits []Limit // reasons that limited steps, the most frequent first
}

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
	phaseSearch = iota
	phaseMove
	phaseStep
	phaseLedger
	phaseWait     // waiting for other processes
	phaseExchange // exchange with them
	phaseContact  // the phases of contactnodes
	phases        = phaseContact + int(contactnodes.Stages)
)

// clock times the steps of a run.
type clock struct {
	on      bool
	all     bool // steps are timed
	last    time.Time
	systems []time.Duration // forces of each
	others  [phases]time.Duration
	results time.Duration // time of results, in every step
	static  []Timing      // phases of a static analysis
	sampled int64
	steps   int64
	counts  []Count // sums
	limits  []Limit
	at      []map[int32]int64 // per limit: number of steps by node or body
}

// begin starts a step.
func (c *clock) begin() {
	c.on = c.all || c.steps%timedEvery == 1
	c.steps++
	if c.on {
		c.sampled++
		c.last = time.Now()
	}
}

// TimeSteps restarts the profile and times every step from now on.
func (k *stepLimits) TimeSteps() {
	k.clock = clock{all: true, systems: make([]time.Duration, len(k.clock.systems))}
}

// lap adds the time since the last lap to a phase.
func (c *clock) lap(of *time.Duration) {
	if c.on {
		c.add(of)
	}
}

// add is lap in a timed step. It is a separate function, so that other steps
// make no call.
func (c *clock) add(of *time.Duration) {
	now := time.Now()
	*of += now.Sub(c.last)
	c.last = now
}

// nested adds the time since a start, if there was one, to a phase inside other phases, and
// subtracts it from these. It returns the present time.
func (c *clock) nested(of *time.Duration, since time.Time) time.Time {
	if !c.on {
		return since
	}
	now := time.Now()
	if !since.IsZero() {
		*of += now.Sub(since)
		c.last = c.last.Add(now.Sub(since))
	}
	return now
}

// skip leaves the time since the last lap out of all phases.
func (c *clock) skip() {
	if c.on {
		c.last = time.Now()
	}
}

// count adds to a mean, in a step that is timed.
func (c *clock) count(name string, n int) {
	i := slices.IndexFunc(c.counts, func(k Count) bool { return k.Name == name })
	if i < 0 {
		c.counts = append(c.counts, Count{Name: name})
		i = len(c.counts) - 1
	}
	c.counts[i].Mean += float64(n)
}

// Spend adds the time since it began to a phase of a static analysis.
func (s *analysis) Spend(phase string, began time.Time) {
	c := &s.clock
	i := slices.IndexFunc(c.static, func(p Timing) bool { return p.Name == phase })
	if i < 0 {
		c.static = append(c.static, Timing{Name: phase})
		i = len(c.static) - 1
	}
	c.static[i].Seconds += time.Since(began).Seconds()
}

// limit counts the reason that limited a step.
func (c *clock) limit(by Cause) {
	for i := range c.limits {
		if c.limits[i].Name == by.What {
			c.limits[i].Steps++
			if c.on {
				c.at[i][by.At]++
			}
			return
		}
	}
	c.limits, c.at = append(c.limits, Limit{Name: by.What, Steps: 1}), append(c.at, map[int32]int64{by.At: 1})
}

// RecallLimit adds a reason with the number of steps that it limited before the
// checkpoint from which a run is resumed.
func (k *stepLimits) RecallLimit(name string, steps int64) {
	k.clock.limits, k.clock.at = append(k.clock.limits, Limit{Name: name, Steps: steps}), append(k.clock.at, map[int32]int64{})
}

// mostFrequent returns the most frequent location of a limit, the lowest of
// several.
func mostFrequent(at map[int32]int64) int32 {
	best, most := int32(-1), int64(0)
	for k, n := range at { // the maximum is the same in any order
		if n > most || n == most && k < best {
			best, most = k, n
		}
	}
	return best
}

// Profile returns the distribution of the time of the steps so far.
func (s *results) Profile() Profile {
	c := &s.clock
	var p Profile
	scale := 0.0
	if c.sampled > 0 {
		scale = float64(c.steps) / float64(c.sampled)
	}
	add := func(name string, d time.Duration, scale float64) {
		if d > 0 {
			p.Phases = append(p.Phases, Timing{name, scale * d.Seconds()})
		}
	}
	add("search", c.others[phaseSearch], scale)
	for i, name := range [contactnodes.Stages]string{"narrow phase", "contact law", "friction", "contact forces"} {
		add(name, c.others[phaseContact+i], scale)
	}
	for i, d := range c.systems {
		add(s.systems[i].name(), d, scale)
	}
	add("move", c.others[phaseMove], scale)
	add("step length", c.others[phaseStep], scale)
	add("ledger", c.others[phaseLedger], scale)
	add("waiting", c.others[phaseWait], scale)
	add("exchange", c.others[phaseExchange], scale)
	p.Phases = append(p.Phases, c.static...)
	add("results", c.results, 1)
	for _, k := range c.counts {
		p.Counts = append(p.Counts, Count{k.Name, k.Mean / float64(c.sampled)})
	}
	for _, k := range s.systems {
		if of, ok := k.(searching); ok && of.rebuilds() > 0 && c.steps > 0 {
			p.Counts = append(p.Counts, Count{"steps to a neighbour list of " + k.name(), float64(c.steps) / float64(of.rebuilds())})
		}
	}
	if ranks.Size > 1 && c.steps > 0 {
		p.Counts = append(p.Counts, Count{"bytes a step that ranks give one another", float64(ranks.Exchanged()) / float64(c.steps)})
	}
	for i, l := range c.limits {
		if len(c.at[i]) > 0 { // it limited a timed step
			l.Where = s.where(Cause{l.Name, mostFrequent(c.at[i])})
		}
		p.Limits = append(p.Limits, l)
	}
	slices.SortFunc(p.Limits, func(a, b Limit) int {
		return cmp.Or(cmp.Compare(b.Steps, a.Steps), cmp.Compare(a.Name, b.Name))
	})
	return p
}

// where returns the location of a cause as text.
func (k *stepLimits) where(by Cause) string {
	for k := range all[locating](k.kinds.systems) {
		if text := k.where(by); text != "" {
			return text
		}
	}
	return ""
}

// element returns the name of element i of a kind, with its number in the mesh
// from id, and the name of its body.
func (m *Model) element(kind string, i int, id []int32, elements func(*mesh.Body) (first, end int32)) string {
	of := slices.IndexFunc(m.Mesh.Bodies, func(b mesh.Body) bool {
		first, end := elements(&b)
		return i >= int(first) && i < int(end)
	})
	return fmt.Sprintf("%s %d of %q", kind, id[i], m.Bodies[of].Name)
}
