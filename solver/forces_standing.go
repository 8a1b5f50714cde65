package solver

import (
	"slices"

	"fdem/materials/elementary"
	"fdem/solver/contacts"
	"fdem/solver/forces"
	models "fdem/solver/model"

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
		l := s.loads.List[i]
		if !s.standsOn(p, l) {
			for k := range l.LoadNodes {
				p.parts(s, l, k, func(component int32, _ float64, _ []models.Corner) { p.moving[component] = true })
			}
			if l.OnRigid {
				p.moving[p.components[s.rigids.List[l.Rigid].Nodes[0]]] = true
			}
			continue
		}
		at := slices.Clone(l.Tried)
		for k, n := range l.LoadNodes {
			p.parts(s, l, k, func(component int32, part float64, _ []models.Corner) {
				t, f := &out[component], r2.Vec{X: float64(part * at[k].X), Y: float64(part * at[k].Y)}
				t.sum = r2.Add(t.sum, f)
				t.turn += elementary.Cross(r2.Sub(s.X[n], released[component].centre), f)
				t.all += elementary.Norm(f)
			})
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
// moments, and it must be known on which component each of its forces acts.
func (k *restFinder) standsOn(p *components, l *forces.Load) bool {
	if l.OnRigid && l.Field == nil || len(l.LoadMoment) > 0 || l.Evaluate(k.loads, l.Tried, l.Moments) != nil {
		return false
	}
	if p.corner == nil {
		return true
	}
	for i, n := range l.LoadNodes {
		if len(l.LoadCorners.At(i)) > 0 {
			continue
		}
		connected := 0
		p.of(k, n, func(int32) { connected++ })
		if connected > 1 {
			return false
		}
	}
	return true
}

// parts calls the function with the components on which the force of a load on its i-th node acts,
// with the part of the force and the corners. A force whose corners are unknown acts on all
// components of the node.
func (p *components) parts(s *restFinder, l *forces.Load, i int, each func(component int32, part float64, at []models.Corner)) {
	n, at := l.LoadNodes[i], l.LoadCorners.At(i)
	if p.corner == nil || len(at) == 0 {
		p.of(s, n, func(component int32) { each(component, 1, at) })
		return
	}
	of := func(c models.Corner) int32 {
		return p.components[p.corner[3*c.Triangle+int32(contacts.Corner(s.Mesh.Triangles[c.Triangle], n))]]
	}
	for rest := slices.Clone(at); len(rest) > 0; {
		first, part := of(rest[0]), 0.0
		var here []models.Corner
		rest = slices.DeleteFunc(rest, func(c models.Corner) bool {
			if of(c) != first {
				return false
			}
			here, part = append(here, c), part+c.Fraction
			return true
		})
		if len(here) == len(at) {
			part = 1
		}
		for k := range here {
			here[k].Fraction /= part
		}
		each(first, part, here)
	}
}

// follow adds the greatest change of a load within a time [s] to each component.
func (s *restFinder) follow(p *components, l *forces.Load, at []r2.Vec, within float64, out []standing) {
	if within == 0 || l.Schedule == nil && l.Field == nil && l.ByPosition == nil {
		return
	}
	defer func() { s.Time = 0 }()
	most := make([]float64, len(l.LoadNodes))
	for look := range loadChecks {
		s.Time = within * float64(look+1) / loadChecks
		if l.Evaluate(s.loads, l.Tried, l.Moments) != nil {
			return // the run reports the error at that time
		}
		for k := range most {
			most[k] = max(most[k], elementary.Norm(r2.Sub(l.Tried[k], at[k])))
		}
	}
	for k := range l.LoadNodes {
		p.parts(s, l, k, func(component int32, part float64, _ []models.Corner) {
			out[component].changes += float64(part * most[k])
		})
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
