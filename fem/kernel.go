package fem

import (
	"fmt"
	"os"
	"strings"

	"fdem/materials/bulk"

	"gonum.org/v1/gonum/spatial/r2"
)

// KernelVariable is the environment variable that names the kernel to use
// instead of the fastest. All kernels give the same bits.
const KernelVariable = "FDEM_KERNEL"

// kernel is a way to do what addForces and moveNodes do.
type kernel struct {
	name string
	add  func(b []block, f, x []r2.Vec, low int32, c *constants) int
	move func(x, v, f, inverse []r2.Vec, kick, dt float64)
}

// generic is the kernel in Go: it runs everywhere and says what the others must
// give, to the bit.
var generic = kernel{"generic", addForces, moveNodes}

// constants are the material constants of a run, each as often as a block has
// triangles: C11/2, C12/2, G and one. Halving is exact, so it does not matter
// that the strains are doubled instead.
type constants [4][lanes]float64

func newConstants(m bulk.Moduli) *constants {
	var c constants
	for i := range lanes {
		c[0][i], c[1][i], c[2][i], c[3][i] = 0.5*m.C11, 0.5*m.C12, m.G, 1
	}
	return &c
}

// Kernels names the kernels that this machine can run, the fastest first.
func Kernels() []string {
	var names []string
	for _, k := range kernels() {
		names = append(names, k.name)
	}
	return names
}

// chooseKernel returns the kernel that the environment names, else the fastest.
func chooseKernel() (kernel, error) {
	name, all := os.Getenv(KernelVariable), kernels()
	if name == "" {
		return all[0], nil
	}
	for _, k := range all {
		if k.name == name {
			return k, nil
		}
	}
	return kernel{}, fmt.Errorf("environment: %s must be one of %s on this machine, got %q", KernelVariable, strings.Join(Kernels(), ", "), name)
}

// Kernel names the kernel that computes the forces and moves the nodes.
func (t *Triangles) Kernel() string { return t.kernel.name }
