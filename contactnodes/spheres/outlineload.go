package spheres

import (
	"fdem/materials/restitution"

	"gonum.org/v1/gonum/spatial/r2"
)

// sumNodeForces adds up the normal forces of the spheres on the nodes of the
// outlines.
func (s *Spheres) sumNodeForces() {
	r := &s.OutlineLoad
	for b := range s.block {
		q := &s.block[b].outlinePoints
		for c := range q.n {
			if f := &q.edgePoints[c]; f.load > 0 {
				e := &s.Outline.Edges[f.edge]
				r.nodeNormal[e.A] += float64((1 - f.at) * f.load)
				r.nodeNormal[e.B] += float64(f.at * f.load)
			}
		}
	}
}

// addOutlineForces finds friction at the outlines and adds the forces there to
// the spheres.
func (s *Spheres) addOutlineForces(b int) {
	own := &s.block[b]
	clear(own.outlineSums)
	q := &own.outlinePoints
	for c := range q.n {
		if f := &q.edgePoints[c]; f.load > 0 {
			e := &s.Outline.Edges[f.edge]
			f.yielding = float64(s.pastStep * (float64((1-f.at)*float64(s.Outline.Mobility[e.A]*s.nodeNormal[e.A])) + float64(f.at*float64(s.Outline.Mobility[e.B]*s.nodeNormal[e.B]))))
		}
	}
	for _, k := range q.batch {
		rule := s.rules[s.slots.batch[k.rule].rule]
		s.addForces(rule, &q.contactPoints, int(k.first), int(k.end), q.edgePoints, &own.outlineSums[rule.Interaction])
	}
	for i := range q.corners {
		s.subtractCorner(&q.corners[i], own)
	}
}

// subtractCorner subtracts the force of a corner in a sphere, which both of its edges
// have counted.
func (s *Spheres) subtractCorner(j *corner, own *block) {
	rule := s.rules[j.rule]
	e, last := &own.outlineSums[rule.Interaction], s.pastStep
	if j.d <= 0 {
		j.p = 0
	}
	normal := float64(0.5 * (j.before + j.p) * float64(j.rateBefore*last))
	var phases blockSums
	j.splitWork(&phases, j.before, j.p, normal, j.rate, last)
	e.Compressed.Add(restitution.Phase{Impulse: -phases.Compressed.Impulse, Work: -phases.Compressed.Work})
	e.Restored.Add(restitution.Phase{Impulse: -phases.Restored.Impulse, Work: -phases.Restored.Work})
	e.NormalWork += float64(j.energy*(j.closedPart[0]-j.closedPart[1])) - normal
	if j.d <= 0 {
		return
	}
	if j.closedPart[1] > 0.5 {
		e.Active--
	}
	e.Normal -= j.p
	e.Stored -= j.w
	s.slots.corner[j.slot] = j.p
	l := &s.load[j.i]
	l.force.X += float64(j.p * j.n.X)
	l.force.Y += float64(j.p * j.n.Y)
}

// loadOutline adds up the loads of the spheres on the nodes of the outlines,
// block after block.
func (s *Spheres) loadOutline() {
	r := &s.OutlineLoad
	for _, n := range r.Loaded {
		r.NodeF[n], r.NodeStiffness[n], r.NodeDamping[n], r.nodeNormal[n], r.loaded[n] = r2.Vec{}, 0, 0, 0, false
	}
	r.Loaded, r.ClosedCracks = r.Loaded[:0], r.ClosedCracks[:0]
	for b := range s.block {
		q := &s.block[b].outlinePoints
		for _, k := range q.batch {
			rule := s.rules[s.slots.batch[k.rule].rule]
			for c := k.first; c < k.end; c++ {
				if q.d[c] <= 0 {
					continue
				}
				o, f := &q.points[c], &q.edgePoints[c]
				x, y := float64(q.p[c]*o.n.X)+float64(o.friction*o.n.Y), float64(q.p[c]*o.n.Y)-float64(o.friction*o.n.X)
				s.addNodeForce(f.edge, f.at, r2.Vec{X: x, Y: y})
				if o.roll != 0 {
					s.addNodeCouple(f.edge, -o.roll)
				}
				s.addNodeStiffness(f.edge, f.at, 2*rule.Friction.Stiffest(q.k[c]), 2*rule.damping)
			}
		}
		for i := range q.corners {
			j := &q.corners[i]
			f := r2.Vec{X: -float64(j.p * j.n.X), Y: -float64(j.p * j.n.Y)}
			switch {
			case j.d <= 0:
			case j.bounded:
				for _, c := range j.on {
					if c >= 0 {
						half, on := float64(0.5*j.p), &q.edgePoints[c]
						s.addNodeForce(on.edge, on.at, r2.Vec{X: -float64(half * q.points[c].n.X), Y: -float64(half * q.points[c].n.Y)})
					}
				}
				r.ClosedCracks = append(r.ClosedCracks, ClosedCrackEnergy{j.edge, j.energy})
			case s.Outline.Edges[j.edge].ClosedCrack:
				half := r2.Vec{X: 0.5 * f.X, Y: 0.5 * f.Y}
				s.addNodeForce(j.edge-2, j.at, half)
				s.addNodeForce(j.edge-1, 1-j.at, half)
				r.ClosedCracks = append(r.ClosedCracks, ClosedCrackEnergy{j.edge, j.energy})
			default:
				s.addNodeForce(j.edge, 0, f)
			}
		}
		for _, c := range q.approaching {
			rule := s.rules[c.rule]
			s.addNodeStiffness(c.edge, c.at, 2*rule.Friction.Stiffest(rule.stiffness), 2*rule.damping)
		}
	}
}

// markLoaded marks a node as loaded.
func (l *OutlineLoad) markLoaded(n int32) {
	if !l.loaded[n] {
		l.loaded[n] = true
		l.Loaded = append(l.Loaded, n)
	}
}

// addNodeForce puts a force on the nodes of an edge.
func (s *Spheres) addNodeForce(e int32, at float64, f r2.Vec) {
	edge, r := &s.Outline.Edges[e], &s.OutlineLoad
	r.markLoaded(edge.A)
	r.NodeF[edge.A].X += float64((1 - at) * f.X)
	r.NodeF[edge.A].Y += float64((1 - at) * f.Y)
	r.markLoaded(edge.B)
	r.NodeF[edge.B].X += float64(at * f.X)
	r.NodeF[edge.B].Y += float64(at * f.Y)
}

// addNodeCouple puts a moment [N m] on an edge, as two forces across it.
func (s *Spheres) addNodeCouple(e int32, moment float64) {
	edge, r := &s.Outline.Edges[e], &s.OutlineLoad
	a, b := s.X[s.rim+int(edge.A)], s.X[s.rim+int(edge.B)]
	ux, uy := b.X-a.X, b.Y-a.Y
	f := moment / (float64(ux*ux) + float64(uy*uy))
	x, y := -float64(f*uy), float64(f*ux)
	r.markLoaded(edge.A)
	r.NodeF[edge.A].X -= x
	r.NodeF[edge.A].Y -= y
	r.markLoaded(edge.B)
	r.NodeF[edge.B].X += x
	r.NodeF[edge.B].Y += y
}

// addNodeStiffness adds a stiffness [N/m] and a damping [N s/m] to the nodes of an edge.
func (s *Spheres) addNodeStiffness(e int32, at, k, c float64) {
	edge, r := &s.Outline.Edges[e], &s.OutlineLoad
	r.markLoaded(edge.A)
	r.NodeStiffness[edge.A] += float64((1 - at) * k)
	r.NodeDamping[edge.A] += float64((1 - at) * c)
	r.markLoaded(edge.B)
	r.NodeStiffness[edge.B] += float64(at * k)
	r.NodeDamping[edge.B] += float64(at * c)
}
