package output

import (
	"cmp"
	"slices"
	"time"

	"fdem/contactnodes"
	"fdem/ranks"
	"fdem/solver/system"
)

// The profile of a run: how its time is distributed, and what limits its steps. One step in
// timedEvery is timed, phase by phase, and represents the others. This has no measurable
// cost. The profile is not part of the state, so a resumed run starts a new one. The limits
// of the steps are stored beside the state in checkpoints (RecallLimit).

// Profile is the distribution of a run's time so far.
type Profile struct {
	Phases []system.Timing // in the order of a step, the results last
	Counts []system.Count
	Limits []system.Limit // reasons that limited steps, the most frequent first
}

// TimeSteps restarts the profile and times every step from now on.
func (k *Results) TimeSteps() {
	k.Timer = system.Clock{All: true, Systems: make([]time.Duration, len(k.Timer.Systems))}
}

// RecallLimit adds a reason with the number of steps that it limited before the
// checkpoint from which a run is resumed.
func (k *Results) RecallLimit(name string, steps int64) {
	k.Timer.Limits, k.Timer.At = append(k.Timer.Limits, system.Limit{Name: name, Steps: steps}), append(k.Timer.At, map[int32]int64{})
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
func (s *Results) Profile() Profile {
	c := &s.Timer
	var p Profile
	scale := 0.0
	if c.Sampled > 0 {
		scale = float64(c.Steps) / float64(c.Sampled)
	}
	add := func(name string, d time.Duration, scale float64) {
		if d > 0 {
			p.Phases = append(p.Phases, system.Timing{Name: name, Seconds: scale * d.Seconds()})
		}
	}
	add("search", c.Others[system.PhaseSearch], scale)
	for i, name := range [contactnodes.Stages]string{"narrow phase", "contact law", "friction", "contact forces"} {
		add(name, c.Others[system.PhaseContact+i], scale)
	}
	for _, e := range c.Engines {
		add(e.Name, e.Took, scale)
	}
	for i, d := range c.Systems {
		add(s.systems[i].Name(), d, scale)
	}
	add("move", c.Others[system.PhaseMove], scale)
	add("step length", c.Others[system.PhaseStep], scale)
	add("ledger", c.Others[system.PhaseLedger], scale)
	add("waiting", c.Others[system.PhaseWait], scale)
	add("exchange", c.Others[system.PhaseExchange], scale)
	p.Phases = append(p.Phases, c.Static...)
	add("results", c.Results, 1)
	for _, k := range c.Counts {
		p.Counts = append(p.Counts, system.Count{Name: k.Name, Mean: k.Mean / float64(c.Sampled)})
	}
	for _, k := range s.systems {
		if of, ok := k.(system.Searching); ok && of.ListsMade() > 0 && c.Steps > 0 {
			p.Counts = append(p.Counts, system.Count{Name: "steps to a neighbour list of " + k.Name(), Mean: float64(c.Steps) / float64(of.ListsMade())})
		}
	}
	if ranks.Size > 1 && c.Steps > 0 {
		p.Counts = append(p.Counts, system.Count{Name: "bytes a step that ranks give one another", Mean: float64(ranks.Exchanged()) / float64(c.Steps)})
	}
	for i, l := range c.Limits {
		if len(c.At[i]) > 0 { // it limited a timed step
			l.Where = system.Where(s.systems, system.Cause{What: l.Name, At: mostFrequent(c.At[i])})
		}
		p.Limits = append(p.Limits, l)
	}
	slices.SortFunc(p.Limits, func(a, b system.Limit) int {
		return cmp.Or(cmp.Compare(b.Steps, a.Steps), cmp.Compare(a.Name, b.Name))
	})
	return p
}
