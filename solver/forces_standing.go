package solver

import (
	"slices"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Loads on what lies on something at the start. One that is in balance with weight and
// supports there is let down with the weight; one that then changes little while the weight
// comes does not set anything going.

const (
	loadChecks  = 16  // at a load while weight comes
	slowLoads   = 0.1 // of its weight: by how much loads on a component may change until it has all of it
	standsUnder = 1   // times its weight: the loads at the start up to which a component gets them smoothly
)

// standing is what acts on a component at the start, beside its weight.
type standing struct {
	sum     r2.Vec  // [N]
	turn    float64 // about its centre [N m]
	all     float64 // the sum of the magnitudes [N]
	changes float64 // at most while weight comes [N]
}

// loadsAtStart returns what loads put on components at the start, and by how much that changes
// within a time [s]; and notes those that loads set going.
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

// standsOn evaluates a load at the start and tells whether it can be let down: it has no
// moments then, and each of its nodes is of one component alone.
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

// follow adds to each component how much a load on it changes at most within a time [s].
func (s *restFinder) follow(p *components, l *load, at []r2.Vec, within float64, out []standing) {
	if within == 0 || l.Schedule == nil && l.Field == nil && l.ByPosition == nil {
		return
	}
	defer func() { s.Time = 0 }()
	most := make([]float64, len(l.nodes))
	for look := range loadChecks {
		s.Time = within * float64(look+1) / loadChecks
		if l.evaluate(s.loads, l.tried, l.moments) != nil {
			return // the run says so when it comes there
		}
		for k := range most {
			most[k] = max(most[k], elementary.Norm(r2.Sub(l.tried[k], at[k])))
		}
	}
	for k, n := range l.nodes {
		out[p.components[n]].changes += most[k]
	}
}

// pull lets components feel what loads put on them at the start.
func pull(on []standing, released []restComponent) {
	for n := range on {
		t, f := &released[n], &on[n]
		t.acceleration.X += float64(t.inverse.X * f.sum.X)
		t.acceleration.Y += float64(t.inverse.Y * f.sum.Y)
		t.angular += float64(t.turning * f.turn)
	}
}
