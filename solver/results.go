package solver

import (
	"fdem/fem"

	"gonum.org/v1/gonum/spatial/r2"
)

// Lawful tells whether some triangles have a constitutive law.
func (s *Solver) Lawful() bool { return s.triangles.Lawful() }

// RememberedValues names the values that laws keep of triangles and results show.
func (s *Solver) RememberedValues() []string { return s.triangles.Shown() }

// Remembered sets out to the value of that name of every triangle, 0 for those that have none.
func (s *Solver) Remembered(name string, out []float64) { s.triangles.Values(name, out) }

// StressesAt fills out, one value per triangle, with the stress at positions x
// [Pa]; it reads nothing that changes and may be called while the run goes on.
func (s *Solver) StressesAt(x []r2.Vec, out []fem.Stress) { s.triangles.Stresses(x, s.Plane, out) }
