package fem

import (
	"unsafe"

	"golang.org/x/sys/cpu"
	"gonum.org/v1/gonum/spatial/r2"
)

//go:generate go run -C asm ./triangles -out ../vector_amd64.s -stubs ../vector_amd64.go -pkg fem

func kernels() []kernel {
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		return []kernel{{"avx2", true, addForcesVector, addDampedVector, addWatchedVector, addDampedWatchedVector, computeStressesVector, computeCornersVector, deformationVector, scatterVector, joinVector, evenVector, slowVector, moveNodesVector, moveWithGravityVector, moveDampedVector}, generic}
	}
	return []kernel{generic}
}

// addForcesVector is addForces in assembly.
func addForcesVector(b []block, f, x []r2.Vec, low int32, c *constants) int {
	if len(b) == 0 {
		return 0
	}
	return addForcesAVX2(&b[0].a[0], len(b), &f[0].X, &x[0].X, int(low)*stride, &c.half11[0])
}

// addDampedVector is addDamped in assembly.
func addDampedVector(b []block, f, d, x, v []r2.Vec, low int32, c *constants) int {
	if len(b) == 0 {
		return 0
	}
	return addDampedAVX2(&b[0].a[0], len(b), &f[0].X, &d[0].X, &x[0].X, &v[0].X, int(low)*stride, &c.half11[0])
}

// addWatchedVector is addWatched in assembly.
func addWatchedVector(b []block, f, x []r2.Vec, low int32, c *constants, of []asleep, above []int32) (done, count int) {
	if len(b) == 0 {
		return 0, 0
	}
	of, above = of[:len(b)], above[:len(b)] // the assembly does not check bounds
	return addWatchedAVX2(&b[0].a[0], len(b), &f[0].X, &x[0].X, int(low)*stride, &c.half11[0], &of[0].xx[0], &above[0])
}

// addDampedWatchedVector is addDampedWatched in assembly.
func addDampedWatchedVector(b []block, f, d, x, v []r2.Vec, low int32, c *constants, of []asleep, above []int32) (done, count int) {
	if len(b) == 0 {
		return 0, 0
	}
	of, above = of[:len(b)], above[:len(b)]
	return addDampedWatchedAVX2(&b[0].a[0], len(b), &f[0].X, &d[0].X, &x[0].X, &v[0].X, int(low)*stride, &c.half11[0], &of[0].xx[0], &above[0])
}

// computeStressesVector is computeStresses in assembly.
func computeStressesVector(b []block, list []int32, x []r2.Vec, c *constants, out []BlockStress) {
	if n := len(list) - Ahead; n > 0 {
		takeStressesAVX2(&b[0].a[0], &list[0], n, &x[0].X, &c.half11[0], &out[:len(b)][0].XX[0])
	}
}

// computeCornersVector is computeCorners in assembly.
func computeCornersVector(b []block, list []int32, x []r2.Vec, c *constants, out []BlockForces) {
	if n := len(list) - Ahead; n > 0 {
		takeCornersAVX2(&b[0].a[0], &list[0], n, &x[0].X, &c.half11[0], &out[:len(b)][0][0][0][0])
	}
}

// deformationVector is batch.setDeformation in assembly.
func deformationVector(w *batch, b []block, x []r2.Vec) int {
	return gatherDeformationAVX2(&b[0].a[0], len(b), &x[0].X, &w.f[0][0])
}

// scatterVector is batch.scatter in assembly.
func scatterVector(w *batch, b []block, f []r2.Vec, low int32) {
	o := &w.out
	scatterStressAVX2(&b[0].a[0], len(b), &f[0].X, int(low)*stride, &w.f[0][0], w.cofactorsAt(), &o.TXX[0], &o.TYY[0], &o.TXY[0])
}

// cofactorsAt returns the offset of the array that cofactors returns from f
// [bytes].
func (w *batch) cofactorsAt() int {
	if w.joined {
		return int(unsafe.Offsetof(w.cofactor) - unsafe.Offsetof(w.f))
	}
	return int(unsafe.Offsetof(w.det) - unsafe.Offsetof(w.f))
}

// slowVector returns the number of blocks before the first one that batch.measure
// must check.
func slowVector(w *batch, b []block, at int, c *frequencies) int {
	o, k := &w.out, lanes*at
	return passSlowAVX2(&b[0].a[0], len(b), &w.f[0][k], w.cofactorsAt(), &o.TXX[k], &o.TYY[k], &o.TXY[k], &c.half[0])
}

// joinVector is batch.joinBlock in assembly.
func joinVector(w *batch, b []block, at int) {
	joinPairsAVX2(&b[0].a[0], len(b), &w.f[0][lanes*at])
}

// halves are the factors of evenVector.
var halves = [lanes]float64{0.5, 0.5, 0.5, 0.5}

// evenVector is batch.evenBlock in assembly.
func evenVector(w *batch, b []block, at int) {
	o, k := &w.out, lanes*at
	evenPairsAVX2(&b[0].a[0], len(b), &w.f[0][k], &o.TXX[k], &o.TYY[k], &o.TZZ[k], &halves[0])
}

// The assembly moves four nodes at a time; the generic kernel moves the rest.

func moveNodesVector(n nodes, u update) {
	k := n.fours()
	if k > 0 {
		moveNodesAVX2(k, &n.x[0].X, &n.v[0].X, &n.f[0].X, &n.mass[0], &u.kick, &n.held[0])
	}
	if k < len(n.x) {
		moveNodes(n.rest(), u)
	}
}

func moveWithGravityVector(n nodes, u update) {
	if k := n.fours(); k > 0 {
		moveWithGravityAVX2(k, &n.x[0].X, &n.v[0].X, &n.f[0].X, &n.mass[0], &u.kick, &n.held[0])
	}
	moveWithGravity(n.rest(), u)
}

func moveDampedVector(n nodes, u update) power {
	var p power
	if k := n.fours(); k > 0 {
		moveDampedAVX2(k, &n.x[0].X, &n.v[0].X, &n.f[0].X, &n.mass[0], &n.d[0].X, &p.given[0], &u.kick, &n.held[0])
	}
	addDampedMoves(n.rest(), u, &p)
	return p
}
