package cracks

import (
	"fdem/materials/elementary"
	"fdem/solver/nodes"

	"gonum.org/v1/gonum/spatial/r2"
)

// Fragment is a connected part of a body: triangles that unbroken edges join.
type Fragment struct {
	Body      int32   // in Mesh.Bodies: the body of its lowest triangle
	Triangles int     //
	Mass      float64 // [kg]
	Area      float64 // initial area [m2]
	Perimeter float64 // initial perimeter, holes included; a crack that ends inside does not count [m]
	Centre    r2.Vec  // centre of mass [m]
	Velocity  r2.Vec  // mean over the mass [m/s]
	Spin      float64 // angular momentum about the centre divided by the moment of inertia [rad/s]
}

// FragmentList returns every fragment at Time, ordered by number. Something in the model must be
// able to break, and forces must have been evaluated. A triangle gives each of its nodes a third
// of its mass, as in the equations of motion, so the momenta of a body's fragments add up to
// that of the body.
func (s *Breaking) FragmentList() []Fragment {
	of := s.Fragments()
	out := make([]Fragment, s.cracks.fragments)
	m := s.Mesh
	length := func(a, b int32) float64 { return elementary.Norm(r2.Sub(m.X[b], m.X[a])) }
	for i := range m.Bodies {
		for t := m.Bodies[i].First; t < m.Bodies[i].End; t++ {
			if of[t] < 0 {
				continue
			}
			f, n := &out[of[t]], m.Triangles[t]
			if f.Triangles == 0 {
				f.Body = int32(i)
			}
			f.Triangles++
			p, q := r2.Sub(m.X[n[1]], m.X[n[0]]), r2.Sub(m.X[n[2]], m.X[n[0]])
			f.Area += float64(0.5 * (float64(p.X*q.Y) - float64(p.Y*q.X)))
			f.Perimeter += length(n[0], n[1]) + length(n[1], n[2]) + length(n[2], n[0])
			third := s.cracks.triangles.CornerMass(int(t))
			for _, k := range n {
				v := s.NodeVelocity(nodes.Node(k))
				f.Mass += third
				f.Centre.X += float64(third * s.X[k].X)
				f.Centre.Y += float64(third * s.X[k].Y)
				f.Velocity.X += float64(third * v.X)
				f.Velocity.Y += float64(third * v.Y)
			}
		}
	}
	for i := range s.Fracture.Edges {
		if e := &s.Fracture.Edges[i]; of[e.A] >= 0 && of[e.A] == of[e.B] {
			out[of[e.A]].Perimeter -= float64(2 * length(e.From, e.To))
		}
	}
	for i := range out {
		f := &out[i]
		f.Centre = r2.Vec{X: f.Centre.X / f.Mass, Y: f.Centre.Y / f.Mass}
		f.Velocity = r2.Vec{X: f.Velocity.X / f.Mass, Y: f.Velocity.Y / f.Mass}
	}
	inertia := make([]float64, len(out))
	for t, n := range m.Triangles {
		if of[t] < 0 {
			continue
		}
		f, third := &out[of[t]], s.cracks.triangles.CornerMass(t)
		for _, k := range n {
			v := s.NodeVelocity(nodes.Node(k))
			rx, ry := s.X[k].X-f.Centre.X, s.X[k].Y-f.Centre.Y
			vx, vy := v.X-f.Velocity.X, v.Y-f.Velocity.Y
			f.Spin += float64(third * (float64(rx*vy) - float64(ry*vx)))
			inertia[of[t]] += float64(third * (float64(rx*rx) + float64(ry*ry)))
		}
	}
	for i := range out {
		out[i].Spin /= inertia[i]
	}
	return out
}
