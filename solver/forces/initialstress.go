package forces

import (
	"fdem/materials/elementary"
	"fdem/solver/bodies"
	models "fdem/solver/model"
	"fdem/solver/nodes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Stressed is the imbalance of bodies with an initial stress.
type Stressed struct {
	system.View
	triangles  *bodies.Continuum
	loads      *Loads
	relief     models.Load // load that balances it at first
	Unbalanced Unbalance   // at the start
}

// NewStressed makes the load that balances stressed bodies at first. The model's Relief
// releases it, so a hole that exists from the start is excavated slowly.
func NewStressed(s system.View, t *bodies.Continuum, loads *Loads) *Stressed {
	k := &Stressed{View: s, triangles: t, loads: loads}
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
	loads.Add(l)
	return k
}

// HoldStress finds the imbalance at the start, once all forces are known. It balances the
// imbalance if the model has a relief, and tells whether that changes forces. f is nil in
// dynamics.
func (k *Stressed) HoldStress(f *system.Freedoms) bool {
	k.Unbalanced = k.unbalance(f)
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

func (s *Stressed) unbalance(freedoms *system.Freedoms) (u Unbalance) {
	var grows []float64
	if s.Static != nil {
		grows = s.loads.growing()
	}
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
			if s.Static != nil { // in statics some weight grows; this is its final value
				f = elementary.Along(f, s.Model.Gravity, grows[n])
			}
			if size := elementary.Norm(s.WithoutReaction(freedoms, n, f)); size > u.Force {
				u.Force, u.Node, u.Position = size, s.Mesh.NodeID[n], s.Mesh.X[n]
			}
		}
	}
	return u
}
