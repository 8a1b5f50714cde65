package atrest

import (
	"math"

	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// LastChange returns the time from which on nothing that the model prescribes changes any more until
// Duration: loads, motions, gravity, excavations, what is installed or taken out [s]. It is infinite
// if something changes until then, as a wave does. kinks are the times at which tables and ramps are
// not smooth.
func LastChange(m *model.Model, kinks []float64) float64 {
	c := changes{duration: m.Duration}
	for _, t := range kinks {
		c.at(t)
	}
	c.of(m.GravitySchedule)
	c.of(m.Relief)
	c.ofLoads(m)
	for i := range m.Drives {
		for _, p := range m.Drives[i].Motion {
			c.of(p.At)
		}
	}
	for i := range m.Rigids {
		if path := m.Rigids[i].Motion; path != nil {
			c.of(func(t float64) float64 { x, _ := path(t); return x.X })
			c.of(func(t float64) float64 { x, _ := path(t); return x.Y })
			c.of(func(t float64) float64 { _, angle := path(t); return angle })
		}
	}
	for i := range m.Excavations {
		x := &m.Excavations[i]
		c.at(x.At)
		c.of(func(t float64) float64 { return x.Fade(max(0, t-x.At)) })
	}
	for i := range m.Springs {
		c.staged(&m.Springs[i].When)
	}
	for i := range m.Bolts {
		c.staged(&m.Bolts[i].When)
	}
	for i := range m.Fixes {
		c.staged(&m.Fixes[i].When)
	}
	for i := range m.Ties {
		c.staged(&m.Ties[i].When)
	}
	for i := range m.Clamps {
		c.staged(&m.Clamps[i].When)
	}
	for i := range m.Bodies {
		c.staged(&m.Bodies[i].When)
	}
	return c.last
}

// changes finds the last change.
type changes struct{ duration, last float64 }

// at adds a change at a time.
func (c *changes) at(t float64) {
	if t < c.duration {
		c.last = max(c.last, t)
	}
}

// of adds the changes of a schedule, which may be nil.
func (c *changes) of(f model.Schedule) {
	if f != nil {
		c.last = max(c.last, lastChange(f, c.duration))
	}
}

// staged adds those of what comes and goes.
func (c *changes) staged(w *model.When) {
	c.at(w.From)
	if c.at(w.Until); w.Until > 0 {
		c.of(w.Remaining)
	}
}

// ofLoads adds the changes of loads.
func (c *changes) ofLoads(m *model.Model) {
	for i := range m.Loads {
		l := &m.Loads[i]
		c.of(l.Schedule)
		c.staged(&l.When)
		where := place(l, m)
		if l.Field != nil {
			c.of(func(t float64) float64 { return l.Field(t, where).X })
			c.of(func(t float64) float64 { return l.Field(t, where).Y })
		}
		if l.ByPosition != nil {
			c.of(func(t float64) float64 { return l.ByPosition(t, where) })
		}
	}
}

// place returns the position of a node on which the load acts, at the start.
func place(l *model.Load, m *model.Model) r2.Vec {
	switch {
	case l.OnRigid:
		return m.Rigids[l.Rigid].Centre
	case len(l.Nodes) > 0:
		return m.Mesh.X[l.Nodes[0]]
	case len(l.Edges) > 0:
		return m.Mesh.X[m.Mesh.Edges[l.Edges[0]].A]
	}
	return r2.Vec{}
}

// lastChange returns the time from which on a schedule keeps its value until Duration, by samples.
func lastChange(f model.Schedule, duration float64) float64 {
	const samples, rounding = 2000, 1e-9
	end, size := f(duration), 0.0
	var value [samples]float64
	for i := range value {
		value[i] = f(duration * float64(i) / samples)
		size = max(size, math.Abs(value[i]))
	}
	for i := samples - 1; i >= 0; i-- {
		if math.Abs(value[i]-end) > rounding*size {
			if i == samples-1 {
				return math.Inf(1)
			}
			return duration * float64(i+1) / samples
		}
	}
	return 0
}
