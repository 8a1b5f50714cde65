package fracture

import (
	"math"

	"golang.org/x/sys/cpu"
	"gonum.org/v1/gonum/spatial/r2"
)

//go:generate go run -C ../asm ./cracks -out ../fracture/quad_amd64.s -stubs ../fracture/quad_amd64.go -pkg fracture

// chooseKernel returns the kernel that matches that of the triangles.
func chooseKernel(triangles string) kernel {
	if triangles == "generic" || !cpu.X86.HasAVX2 {
		return generic
	}
	return kernel{computeQuadsVector, addCracks}
}

// constants are those of the assembly, in its order.
var constants = [5][lanes]float64{
	{1, 1, 1, 1}, {0.5, 0.5, 0.5, 0.5}, {3, 3, 3, 3}, {24, 24, 24, 24},
	{math.Copysign(0, -1), math.Copysign(0, -1), math.Copysign(0, -1), math.Copysign(0, -1)},
}

// room is the factor by which distances of faces are overestimated: near the length of their edge,
// evaluate decides exactly.
const room = 1 + 1e-9

// computeQuadsVector is the kernel in assembly.
func computeQuadsVector(quads []quad, charges []balance, x, f []r2.Vec, list []int32, arm *[lanes]float64, thickness float64) (count int) {
	list, charges = list[:len(quads)], charges[:len(quads)] // the assembly does not check bounds
	return takeQuadsAVX2(&quads[0].node[0][0], len(quads), &charges[0][0][0][0], &x[0].X, &f[0].X, &list[0], &arm[0], &constants[0][0], room*0.25*thickness*thickness)
}

// addCracks adds forces in assembly.
func addCracks(quads []quad, list []int32, f []r2.Vec, from int32) (done int) {
	if len(list) == 0 {
		return 0
	}
	return addCracksAVX2(&quads[0].node[0][0], &list[0], len(list), &f[0].X, from)
}
