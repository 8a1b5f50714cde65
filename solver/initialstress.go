package solver

import (
	"fmt"

	"fdem/fem"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// InitialStress is the stress that a body has at the start, as rock has in the
// ground: At, and More of it for every metre below Level.
type InitialStress struct {
	Body     int32      // of triangles
	At, More fem.Stress // [Pa], [Pa/m]
	Level    float64    // [m]
}

// prestress gives the triangles what the model says of their initial stress, at
// their centroids.
func (s *Solver) prestress(t *fem.Triangles) error {
	for _, p := range s.InitialStresses {
		of := &s.Mesh.Bodies[p.Body]
		for i := of.First; i < of.End; i++ {
			n := s.Mesh.Triangles[i]
			depth := p.Level - (s.Mesh.X[n[0]].Y+s.Mesh.X[n[1]].Y+s.Mesh.X[n[2]].Y)/3
			at := fem.Stress{
				XX: p.At.XX + float64(depth*p.More.XX), YY: p.At.YY + float64(depth*p.More.YY), XY: p.At.XY + float64(depth*p.More.XY),
			}
			if err := t.Prestress(int(i), at); err != nil {
				return fmt.Errorf("initial stress of %q: %w", of.Name, err)
			}
		}
	}
	return nil
}

// Unbalance is what the forces on the nodes of triangles leave over at the start of
// a run with an initial stress.
type Unbalance struct {
	Force float64 // the greatest on a node that may move [N]
	Of    float64 // beside the greatest that a triangle with an initial stress puts on a node [N]
	Node  int64   // the file's number
	Place r2.Vec  // [m]
}

// Unbalanced returns what an initial stress, supports, loads and weight leave over
// at Time: a run begins at rest where that is nothing. ok is false without an initial
// stress.
func (s *Solver) Unbalanced() (u Unbalance, ok bool) {
	if len(s.InitialStresses) == 0 {
		return u, false
	}
	for _, p := range s.InitialStresses {
		of := &s.Mesh.Bodies[p.Body]
		for i := of.First; i < of.End; i++ {
			f, _ := s.triangles.CornerForces(int(i), s.X)
			for _, v := range f {
				u.Of = max(u.Of, elementary.Norm(v))
			}
			for _, n := range s.Mesh.Triangles[i] {
				f, w := s.motion.Force(int(n)), s.inverse[n]
				if w.X == 0 {
					f.X = 0
				}
				if w.Y == 0 {
					f.Y = 0
				}
				if size := elementary.Norm(f); size > u.Force {
					u.Force, u.Node, u.Place = size, s.Mesh.NodeID[n], s.Mesh.X[n]
				}
			}
		}
	}
	return u, true
}
