// Package fem has the finite elements: internal forces, lumped masses, tangent
// stiffness and stresses of constant-strain triangles (CST) and of corotational
// Euler-Bernoulli beams.
package fem

import (
	"fmt"

	"fdem/materials/bulk"

	"gonum.org/v1/gonum/spatial/r2"
)

// Triangles is a set of constant-strain triangles in total Lagrangian form with
// St. Venant-Kirchhoff material: F = sum x_a (x) grad N_a, E = (F^T F - I)/2, S =
// C : E, nodal force -V F S grad N_a. Materials may have other laws, see Follow.
type Triangles struct {
	blocks    []block
	runs      []run
	count     int
	kernel    kernel
	moduli    []bulk.Moduli
	constants []*constants // per material
	slowest   []float64    // per material: 1/omega of its fastest vibration [s]; see DampFastest
	density   []float64    // per material [kg/m3]
	id        []int32      // the file's number of each triangle
	nodes     int
	slots     int32   // nodes per page; 1 without pages
	used      []int32 // per page: number of nodes in use; nil for all
	watch     []watched
	asleep    []asleep // per block; nil without thresholds
	sleeping  []bool   // per chunk of blocks: some triangles sleep
	passed    []int32  // list of Passed
	leaves    leaves
	lawful    *lawful   // nil if all materials are St. Venant-Kirchhoff
	Separated Separated // pairs that cracks have separated
	parted    int       // number of these that are separated in the blocks
	squeezed  []float64 // per triangle: its volume divided by its stress-free volume; nil without initial stresses
	swollen   *swelling // nil if nothing has a free strain
	// PorePressure is, per triangle, the pressure of the fluid in its pores times Biot's coefficient [Pa],
	// nil without pores: the Cauchy stress of results is that of the material less this pressure.
	PorePressure []float64
}

// element is one triangle: the reference gradients of the second and third
// corner's shape functions (the first is minus their sum) and the volume.
type element struct {
	a, b, c        int32
	material       int32
	bx, by, cx, cy float64 // gradients [1/m]
	volume         float64 // thickness times stress-free reference area [m3]
}

// NewTriangles prepares triangles tri at the reference positions x [m]. id holds
// the file's numbers for messages. material is the index of each triangle into
// moduli [Pa] and density [kg/m3]. thickness is in metres. It fails for a
// triangle that is not anticlockwise or has no area; the error has its number.
func NewTriangles(x []r2.Vec, tri [][3]int32, id []int32, material []int32, moduli []bulk.Moduli, density []float64, thickness float64) (*Triangles, error) {
	if len(x) > maxNodes {
		return nil, fmt.Errorf("a model can have at most %d nodes, got %d", maxNodes, len(x))
	}
	k, err := chooseKernel()
	if err != nil {
		return nil, err
	}
	t := &Triangles{blocks: make([]block, 0, len(tri)/lanes+1), kernel: k, moduli: moduli, density: density, id: id, nodes: len(x), slots: 1}
	for _, m := range moduli {
		t.constants = append(t.constants, newConstants(m))
	}
	for i, n := range tri {
		a, b, c := x[n[0]], x[n[1]], x[n[2]]
		x1, y1, x2, y2 := b.X-a.X, b.Y-a.Y, c.X-a.X, c.Y-a.Y
		d := float64(x1*y2) - float64(x2*y1)
		if !(d > 0) {
			return nil, fmt.Errorf("triangle %d: area must be positive, got %g m2", id[i], d/2)
		}
		t.append(&element{
			a: n[0], b: n[1], c: n[2], material: material[i],
			bx: y2 / d, by: -x2 / d, cx: -y1 / d, cy: x1 / d,
			volume: 0.5 * d * thickness,
		})
	}
	t.makeLeaves()
	return t, nil
}

// InversionError reports a triangle that is inverted or has NaN positions.
type InversionError struct {
	Element  int32  // the file's number
	Index    int32  // the mesh's number
	Position r2.Vec // centroid [m]
	Det      float64
}

func (e *InversionError) Error() string {
	return fmt.Sprintf("triangle %d at (%.6g, %.6g) m is turned inside out: det F = %.3g", e.Element, e.Position.X, e.Position.Y, e.Det)
}
