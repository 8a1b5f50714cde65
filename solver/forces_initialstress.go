package solver

import (
	"fdem/fem"
	"fdem/materials/elementary"
	models "fdem/solver/model"
	"fdem/solver/nodes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// prestress sets the initial stress of the triangles, at their centroids.
func prestress(m *models.Model, t *fem.Triangles) error {
	for _, p := range m.InitialStresses {
		of := &m.Mesh.Bodies[p.Body]
		for i := of.First; i < of.End; i++ {
			n := m.Mesh.Triangles[i]
			a, b, c := m.Mesh.X[n[0]], m.Mesh.X[n[1]], m.Mesh.X[n[2]]
			at := p.Stress(r2.Vec{X: (a.X + b.X + c.X) / 3, Y: (a.Y + b.Y + c.Y) / 3})
			if err := t.Prestress(int(i), at); err != nil {
				return &models.InitialStressError{Of: of.Name, Why: err}
			}
		}
	}
	return nil
}

// stressed is the imbalance of bodies with an initial stress.
type stressed struct {
	system.View
	triangles  *triangles
	relief     models.Load // load that balances it at first
	unbalanced Unbalance   // at the start
}

// newStressed makes the load that balances stressed bodies at first. The model's Relief
// releases it, so a hole that exists from the start is excavated slowly.
func newStressed(s system.View, t *triangles, loads *loads) *stressed {
	k := &stressed{View: s, triangles: t}
	if len(s.InitialStresses) == 0 || s.Relief == nil {
		return k
	}
	l := &k.relief
	l.On, l.Schedule = "initial stress", s.Relief
	taken := make([]bool, len(s.X))
	for _, p := range s.InitialStresses {
		for _, n := range s.Mesh.Bodies[p.Body].Nodes {
			if !taken[n] {
				taken[n] = true
				l.Nodes = append(l.Nodes, n)
			}
		}
	}
	l.Forces = make([]r2.Vec, len(l.Nodes))
	loads.add(l)
	return k
}

// hold finds the imbalance at the start, once all forces are known. It balances the
// imbalance if the model has a relief, and tells whether that changes forces. f is nil in
// dynamics.
func (k *stressed) hold(f *system.Freedoms) bool {
	k.unbalanced = k.unbalance(f)
	for i, n := range k.relief.Nodes {
		k.relief.Forces[i] = r2.Scale(-1, k.WithoutReaction(f, n, k.Force(nodes.Node(n))))
	}
	return len(k.relief.Nodes) > 0
}

// Unbalance is the imbalance of forces on the nodes of triangles at the start of a
// run with an initial stress.
type Unbalance struct {
	Force    float64 // greatest resultant on a node that can move [N]
	Of       float64 // greatest force of a triangle with an initial stress on a node [N]
	Node     int32   // number in the mesh file
	Position r2.Vec  // [m]
}

// Unbalanced returns the imbalance of initial stress, supports, loads and weight at the
// start. Without imbalance a run begins at rest. In a static analysis loads and weight
// that grow from zero are not included. ok is false without an initial stress.
func (s *kinds) Unbalanced() (u Unbalance, ok bool) {
	return s.stressed.unbalanced, len(s.stressed.InitialStresses) > 0
}

func (s *stressed) unbalance(freedoms *system.Freedoms) (u Unbalance) {
	for _, p := range s.InitialStresses {
		of := &s.Mesh.Bodies[p.Body]
		for i := of.First; i < of.End; i++ {
			f := s.triangles.CornerForces(int(i), s.X)
			for _, v := range f {
				u.Of = max(u.Of, elementary.Norm(v))
			}
		}
		for _, n := range of.Nodes {
			f := s.Force(nodes.Node(n))
			if s.Static != nil { // in statics weight grows; this is its final value
				f.X += float64(s.Mass[n] * s.Model.Gravity.X)
				f.Y += float64(s.Mass[n] * s.Model.Gravity.Y)
			}
			if size := elementary.Norm(s.WithoutReaction(freedoms, n, f)); size > u.Force {
				u.Force, u.Node, u.Position = size, s.Mesh.NodeID[n], s.Mesh.X[n]
			}
		}
	}
	return u
}
