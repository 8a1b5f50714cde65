package solver

import (
	"fdem/fem"

	"gonum.org/v1/gonum/spatial/r2"
)

// Probe returns the value of a probe at Time, in SI.
func (s *Solver) Probe(p Probe) r2.Vec {
	if p.Particle {
		return s.spheres.probe(p)
	}
	switch x := s.X[p.Node]; p.Quantity {
	case "velocity":
		return s.velocity(int(p.Node))
	case "position":
		return x
	case "contact_force":
		f := s.contact.F[p.Node]
		for i, n := range s.Mesh.Faces {
			if n == p.Node {
				f = r2.Add(f, s.contact.F[int(s.Mesh.FirstFace)+i])
			}
		}
		return f
	case "rotation":
		return r2.Vec{X: s.Theta[p.Node], Y: s.spin(p.Node)}
	default: // displacement
		return r2.Vec{X: x.X - s.Mesh.X[p.Node].X, Y: x.Y - s.Mesh.X[p.Node].Y}
	}
}

// Stresses fills out, one value per triangle, with the stress at Time [Pa].
func (s *Solver) Stresses(out []fem.Stress) { s.triangles.Stresses(s.X, s.Plane, out) }

// StressesAt is Stresses at other positions x; it reads nothing that changes
// and may be called while the run goes on.
func (s *Solver) StressesAt(x []r2.Vec, out []fem.Stress) { s.triangles.Stresses(x, s.Plane, out) }
