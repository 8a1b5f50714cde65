package solver

import (
	"fdem/fem"

	"gonum.org/v1/gonum/spatial/r2"
)

// results tell of a run what histories, frames and summaries have.
type results struct {
	view
	*State
	*kinds
	*breaking
	*energyBalance
	*means
	bodies []moving // in the order of results
	probes []probe  // in the order of results
}

// Lawful tells whether some triangles have a constitutive law.
func (k *results) Lawful() bool { return k.triangles.Lawful() }

// MemoryNames names the values that laws keep of triangles and results show.
func (k *results) MemoryNames() []string { return k.triangles.Shown() }

// MemoryValues sets out to the value of that name of every triangle, 0 for those that have none.
func (k *results) MemoryValues(name string, out []float64) { k.triangles.Values(name, out) }

// StressesAt fills out, one value per triangle, with the stress at positions x
// [Pa]; it reads nothing that changes and may be called while the run goes on.
func (k *results) StressesAt(x []r2.Vec, out []fem.Stress) { k.triangles.Stresses(x, k.Plane, out) }
