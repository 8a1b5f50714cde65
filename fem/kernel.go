package fem

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"fdem/materials/bulk"

	"gonum.org/v1/gonum/spatial/r2"
)

// KernelVariable is the environment variable that names the kernel to use
// instead of the fastest. All kernels give the same bits.
const KernelVariable = "FDEM_KERNEL"

// kernel is an implementation of addForces, addDamped, ComputeStresses, ComputeCornerForces, the
// operations on triangles with laws and the three ways of moving nodes.
type kernel struct {
	name   string
	vector bool // AVX2
	add    func(b []block, f, x []r2.Vec, low int32, c *constants) int
	damped func(b []block, f, d, x, v []r2.Vec, low int32, c *constants) int
	// Like add and damped, but with the threshold of c and the state of sleep. above gets the
	// blocks with triangles that woken returns, see several. They also return the number of these
	// blocks.
	watched       func(b []block, f, x []r2.Vec, low int32, c *constants, of []asleep, above []int32) (done, count int)
	dampedWatched func(b []block, f, d, x, v []r2.Vec, low int32, c *constants, of []asleep, above []int32) (done, count int)
	// Sets the stresses of the blocks with the numbers in a list, which ends with Ahead more blocks
	// that are not computed.
	stress func(b []block, list []int32, x []r2.Vec, c *constants, out []BlockStress)
	// The same for the forces on corners.
	corners func(b []block, list []int32, x []r2.Vec, c *constants, out []BlockForces)

	// For batches of triangles with laws. join and even are nil if there is only Go code. They
	// process blocks of two whole pairs; the first of these is block number at of the batch.
	deformation func(w *batch, b []block, x []r2.Vec) int
	scatter     func(w *batch, b []block, f []r2.Vec, low int32)
	join, even  func(w *batch, b []block, at int)
	slow        func(w *batch, b []block, at int, c *frequencies) int // number of blocks that measure need not check; may be nil, too

	move    func(n nodes, u update)
	weighed func(n nodes, u update)
	fade    func(n nodes, u update) power
}

// Ahead is the number of blocks of a list that are prefetched.
const Ahead = 8

// generic is the kernel in Go. It runs everywhere, and the others must give the same bits.
var generic = kernel{"generic", false, addForces, addDamped, addWatched, addDampedWatched, computeStresses, computeCorners, (*batch).setDeformation, (*batch).scatter, nil, nil, nil, moveNodes, moveWithGravity, moveDamped}

// constants are the material constants of a run, each repeated for all triangles of a block. Moduli
// are halved because the strains are doubled; halving is exact. The assembly kernel depends on the
// order of these fields.
type constants struct {
	half11, half12 [lanes]float64 // C11/2, C12/2 [Pa]
	shear          [lanes]float64 // G [Pa]
	one            [lanes]float64
	c11, c12       [lanes]float64 // [Pa]
	beta           [lanes]float64 // of stiffness-proportional damping [s]

	twiceTension, twiceShear, slope [lanes]float64 // of a threshold
	sign                            [lanes]uint64  // the sign bit alone
	level, rise, least              [lanes]float64 // see belowTest
	odd                             [lanes]uint64  // mask of bits that are set in numbers that are negative, 2 or more, or NaN
}

func newConstants(m bulk.Moduli) *constants {
	var c constants
	for i := range lanes {
		c.half11[i], c.half12[i], c.shear[i], c.one[i] = 0.5*m.C11, 0.5*m.C12, m.G, 1
		c.c11[i], c.c12[i], c.sign[i], c.odd[i] = m.C11, m.C12, 1<<63, 3<<62
	}
	return &c
}

// Damp sets stiffness-proportional damping of the triangles with the factor beta [s].
func (t *Triangles) Damp(beta float64) { t.damp(func(int) float64 { return beta }) }

// DampFastest sets stiffness-proportional damping that takes a share of the critical damping of the
// fastest vibration of each material at the initial positions: beta = 2 share/omega [s]. Triangles
// with a law become faster as they are squeezed, so for them omega is that of the fastest material.
func (t *Triangles) DampFastest(share float64) {
	if t.slowest == nil {
		omega2 := make([]float64, len(t.constants))
		for i, e := range t.elements {
			omega2[e.material] = max(omega2[e.material], 3/t.densityOf(i, e.material)*e.stiffest(t.moduli[e.material], tensor{xx: 1, yy: 1}))
		}
		fastest := slices.Max(omega2)
		t.slowest = make([]float64, len(omega2))
		for i, w := range omega2 {
			if t.lawful != nil && t.lawful.law[i] != nil {
				w = fastest
			}
			if w > 0 {
				t.slowest[i] = 1 / math.Sqrt(w)
			}
		}
	}
	t.damp(func(material int) float64 { return 2 * share * t.slowest[material] })
}

// damp sets the factor of damping of each material [s].
func (t *Triangles) damp(of func(material int) float64) {
	for k, c := range t.constants {
		for i := range lanes {
			c.beta[i] = of(k)
		}
	}
	for i := range t.watch {
		w := &t.watch[i]
		w.beta = t.constants[t.runOfBlock(w.first).material].beta
		w.always.beta = w.beta
	}
}

// Kernels returns the names of the kernels that this machine can run, the fastest first.
func Kernels() []string {
	var names []string
	for _, k := range kernels() {
		names = append(names, k.name)
	}
	return names
}

// chooseKernel returns the kernel that the environment names, or else the fastest.
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

// Kernel returns the name of the kernel that computes the forces and moves the nodes.
func (t *Triangles) Kernel() string { return t.kernel.name }
