package solver

import (
	"fdem/fem"

	"gonum.org/v1/gonum/spatial/r2"
)

// StressesAt fills out, one value per triangle, with the stress at positions x
// [Pa]; it reads nothing that changes and may be called while the run goes on.
func (s *Solver) StressesAt(x []r2.Vec, out []fem.Stress) { s.triangles.Stresses(x, s.Plane, out) }
