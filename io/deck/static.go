package deck

import (
	"slices"

	"fdem/contactnodes"
	"fdem/materials/contact"
	"fdem/solver"
)

// The keys of [analysis] that only one of its types has.
var (
	staticKeys  = []string{"increments", "largest_increment", "smallest_increment", "iterations", "tolerance"}
	dynamicKeys = []string{"step", "safety", "damping", "residual_limit"}
)

// readStatic reads the increments of a static analysis. Its duration is a
// pseudo-time, of one second where the deck does not say: then times in
// schedules are fractions.
func (d *Deck) readStatic(t *table) {
	m := &d.model
	for _, key := range dynamicKeys {
		if t.has(key) {
			t.bad(key, `%s goes with type = "dynamic"`, key)
		}
	}
	m.Safety = 1
	m.Duration = t.positive("duration", Time, 1, "s")
	s := &solver.Static{}
	m.Static = s
	s.Increment = m.Duration / float64(t.whole("increments", 20, 1, 10000000))
	s.Largest = s.Increment
	if t.has("largest_increment") {
		s.Largest = d.span(t, "largest_increment")
	}
	if s.Largest < s.Increment {
		t.bad("largest_increment", "largest_increment must not be below the first increment, %g s, got %g s", s.Increment, s.Largest)
	}
	s.Smallest = s.Increment / 1024
	if t.has("smallest_increment") {
		s.Smallest = d.span(t, "smallest_increment")
	}
	if s.Smallest > s.Increment {
		t.bad("smallest_increment", "smallest_increment must not be above the first increment, %g s, got %g s", s.Increment, s.Smallest)
	}
	s.Iterations = t.whole("iterations", 30, 1, 10000)
	s.Tolerance = t.positive("tolerance", None, 1e-8, "")
	s.Breaks, s.Whole = []float64{m.Duration}, m.Duration
}

// span reads a length of pseudo-time, or a fraction of the duration.
func (d *Deck) span(t *table, key string) float64 {
	v, _ := t.get(key)
	at := d.instant(t, key, v)
	if !(at > 0) {
		t.bad(key, "%s must be positive, got %g s", key, at)
	}
	return at
}

// breaks lets increments of a static analysis end at times.
func (d *Deck) breaks(times []float64) {
	s := d.model.Static
	if s == nil {
		return
	}
	for _, at := range times {
		if at > 0 && at < d.model.Duration {
			s.Breaks = append(s.Breaks, at)
		}
	}
	slices.Sort(s.Breaks)
	s.Breaks = slices.Compact(s.Breaks)
}

// ramped lets a load of a static analysis that has no schedule grow evenly from
// nothing.
func (d *Deck) ramped(s solver.Schedule) solver.Schedule {
	if s != nil || d.model.Static == nil {
		return s
	}
	end := d.model.Duration
	return func(t float64) float64 { return t / end }
}

// inert refuses keys that a static analysis has no use for.
func (d *Deck) inert(t *table, keys ...string) {
	for _, key := range keys {
		if d.model.Static != nil && t.has(key) {
			t.bad(key, `%s goes with type = "dynamic": nothing is inert in a static analysis`, key)
		}
	}
}

// readDisplacement reads where a fix moves its nodes.
func (d *Deck) readDisplacement(t *table, f *fix) {
	f.by.X, f.by.Y = t.vector("displacement", Length)
	f.when = d.schedule(t)
	if !t.has("displacement") {
		if t.has("schedule") {
			t.bad("schedule", "the schedule of a fix goes with a displacement")
		}
		return
	}
	if d.model.Static == nil {
		t.bad("displacement", `a displacement goes with type = "static"; in time a [[rigid]] body with a motion pushes`)
	}
	if f.by.X != 0 && !f.x || f.by.Y != 0 && !f.y {
		t.bad("displacement", "the displacement moves in a direction that components leaves free")
	}
	f.when = d.ramped(f.when)
}

// checkStatic refuses contact that a static analysis has no answer to.
func (d *Deck) checkStatic(c *contactBlock) {
	if d.model.Static == nil {
		return
	}
	laws := []contact.Law{c.Law}
	if c.pairs != nil {
		laws = laws[:0]
		for _, p := range c.pairs {
			laws = append(laws, p.law)
		}
	}
	for _, l := range laws {
		if damped, ok := l.(contact.Damped); ok && damped.Damping() > 0 {
			c.bad("law", "the law depends on the deflection rate, and a static analysis has none: leave its damping out")
		}
	}
	if c.Friction.Kinetic > 0 && !c.Friction.Sticks() {
		c.bad("friction", `friction in a static analysis needs friction_model = "stick": regularised friction follows the slip speed`)
	}
	if c.Overlap.Mode == contactnodes.OverlapSubtract {
		c.bad("overlap", `overlap = "subtract" goes with type = "dynamic"`)
	}
}

// loadedRigid resolves a force on a rigid body: shared by the nodes of its
// outline, it acts at their middle.
func (r *resolver) loadedRigid(l *load) (solver.Load, bool) {
	for i := range r.rigids {
		if r.rigids[i].Name != l.On {
			continue
		}
		if l.has("pressure") {
			l.bad("pressure", "a pressure needs a curve of a meshed body; a rigid body takes a force")
		}
		s := l.Load
		for _, b := range r.mesh.Bodies {
			if b.Name == l.On {
				s.Nodes = b.Nodes
			}
		}
		for range s.Nodes {
			s.Weights = append(s.Weights, 1/float64(len(s.Nodes)))
		}
		return s, true
	}
	return solver.Load{}, false
}
