package solver

import (
	"fdem/fem"
	"fdem/solver/cracks"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// results has the methods that histories, frames and summaries need.
type results struct {
	system.View
	*State
	*kinds
	*cracks.Breaking
	*energyBalance
	*means
	bodies []system.Moving // in the order of results
	probes []probe         // in the order of results
}

// MemoryNames returns the names of the memory values of laws that results show.
func (k *results) MemoryNames() []string { return k.triangles.Shown() }

// MemoryValues sets out to the memory value of that name, one per triangle; 0 for triangles
// without it.
func (k *results) MemoryValues(name string, out []float64) { k.triangles.Values(name, out) }

// StressesAt fills out, one value per triangle, with the stress at positions x [Pa], by
// what bodies are excavated now and by the memory of their laws.
func (k *results) StressesAt(x []r2.Vec, out []fem.Stress) { k.triangles.Stresses(x, k.Plane, out) }
