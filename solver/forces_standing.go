package solver

import (
	"slices"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Loads on bodies at rest at the start. A load in equilibrium with weight and supports is ramped
// in with the weight. It must change little during the ramp, otherwise it moves the body.

const (
	loadChecks  = 16  // times at which a load is checked during the ramp
	slowLoads   = 0.1 // greatest change of the loads on a component during the ramp, relative to its weight
	standsUnder = 1   // greatest loads at the start that are ramped in, relative to the weight
)

// standing is the sum of the loads on a component at the start, without its weight.
type standing struct {
	sum     r2.Vec  // [N]
	turn    float64 // moment about its centre [N m]
	all     float64 // sum of the magnitudes [N]
	changes float64 // greatest change during the ramp [N]
}

// loadsAtStart returns the loads on components at the start and their changes within a time [s].
// It marks the components that loads move.
func (s *restFinder) loadsAtStart(p *components, released []restComponent, within float64) []standing {
	if len(s.Model.Loads) == 0 {
		return nil
	}
	out := make([]standing, len(p.node))
	for i := range s.Model.Loads {
		l := s.loads.list[i]
		if !s.standsOn(p, l) {
			for _, n := range l.nodes {
				p.of(s, n, func(component int32) { p.moving[component] = true })
			}
			if l.OnRigid {
				p.moving[p.components[s.rigids.list[l.Rigid].nodes[0]]] = true
			}
			continue
		}
		at := slices.Clone(l.tried)
		for k, n := range l.nodes {
			t, f := &out[p.components[n]], at[k]
			t.sum = r2.Add(t.sum, f)
			t.turn += elementary.Cross(r2.Sub(s.X[n], released[p.components[n]].centre), f)
			t.all += elementary.Norm(f)
		}
		s.follow(p, l, at, within, out)
	}
	gravity := elementary.Norm(s.Motion.Gravity)
	for n := range out {
		weight := released[n].mass * gravity
		p.moving[n] = p.moving[n] || out[n].all > standsUnder*weight || out[n].changes > slowLoads*weight
	}
	return out
}

// standsOn evaluates a load at the start and tells whether it can be ramped in. It must have no
// moments, and each of its nodes must belong to one component only.
func (k *restFinder) standsOn(p *components, l *load) bool {
	if l.OnRigid && l.Field == nil || len(l.moment) > 0 || l.evaluate(k.loads, l.tried, l.moments) != nil {
		return false
	}
	shared := false
	if p.corner != nil {
		for _, n := range l.nodes {
			connected := 0
			p.of(k, n, func(int32) { connected++ })
			shared = shared || connected > 1
		}
	}
	return !shared
}

// follow adds the greatest change of a load within a time [s] to each component.
func (s *restFinder) follow(p *components, l *load, at []r2.Vec, within float64, out []standing) {
	if within == 0 || l.Schedule == nil && l.Field == nil && l.ByPosition == nil {
		return
	}
	defer func() { s.Time = 0 }()
	most := make([]float64, len(l.nodes))
	for look := range loadChecks {
		s.Time = within * float64(look+1) / loadChecks
		if l.evaluate(s.loads, l.tried, l.moments) != nil {
			return // the run reports the error at that time
		}
		for k := range most {
			most[k] = max(most[k], elementary.Norm(r2.Sub(l.tried[k], at[k])))
		}
	}
	for k, n := range l.nodes {
		out[p.components[n]].changes += most[k]
	}
}

// pull adds the accelerations by the loads at the start to the components.
func pull(on []standing, released []restComponent) {
	for n := range on {
		t, f := &released[n], &on[n]
		t.acceleration.X += float64(t.inverse.X * f.sum.X)
		t.acceleration.Y += float64(t.inverse.Y * f.sum.Y)
		t.angular += float64(t.turning * f.turn)
	}
}
