package rest

import (
	"slices"

	"fdem/materials/elementary"
	"fdem/solver/contacts"
	"fdem/solver/forces"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// Loads at the start on bodies that may rest: they are part of the equilibrium.

// pull adds the accelerations by the loads at the start to the released components. It marks the
// components as moving whose loads are not known to act on them alone.
func (s *RestFinder) pull(p *components) {
	for i := range s.Model.Loads {
		l := s.loads.List[i]
		if !s.standsOn(p, l) {
			for k := range l.LoadNodes {
				p.parts(s, l, k, func(component int32, _ float64) { p.moving[component] = true })
			}
			if l.OnRigid {
				p.moving[p.components[s.rigids.List[l.Rigid].Nodes[0]]] = true
			}
			continue
		}
		for k, n := range l.LoadNodes {
			p.parts(s, l, k, func(component int32, part float64) {
				t, f := &p.released[component], r2.Scale(part, l.Tried[k])
				t.acceleration.X += float64(t.inverse.X * f.X)
				t.acceleration.Y += float64(t.inverse.Y * f.Y)
				t.angular += float64(t.turning * elementary.Cross(r2.Sub(s.X[n], t.centre), f))
			})
		}
	}
}

// standsOn evaluates a load at the start and tells whether it is known as forces. It must have no
// moments, and it must be known on which component each of its forces acts.
func (k *RestFinder) standsOn(p *components, l *forces.Load) bool {
	if l.OnRigid && l.Field == nil || len(l.LoadMoment) > 0 || l.Evaluate(k.loads, k.loads.Time, l.Tried, l.Moments) != nil {
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
// with the part of the force. A force whose corners are unknown acts on all
// components of the node.
func (p *components) parts(s *RestFinder, l *forces.Load, i int, each func(component int32, part float64)) {
	n, at := l.LoadNodes[i], l.LoadCorners.At(i)
	if p.corner == nil || len(at) == 0 {
		p.of(s, n, func(component int32) { each(component, 1) })
		return
	}
	of := func(c models.Corner) int32 {
		return p.components[p.corner[3*c.Triangle+int32(contacts.Corner(s.Mesh.Triangles[c.Triangle], n))]]
	}
	for rest := slices.Clone(at); len(rest) > 0; {
		first, part := of(rest[0]), 0.0
		before := len(rest)
		rest = slices.DeleteFunc(rest, func(c models.Corner) bool {
			if of(c) != first {
				return false
			}
			part += c.Fraction
			return true
		})
		if before == len(at) && len(rest) == 0 {
			part = 1
		}
		each(first, part)
	}
}
