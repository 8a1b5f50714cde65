package fem

import (
	"golang.org/x/sys/cpu"
	"gonum.org/v1/gonum/spatial/r2"
)

//go:generate go run -C asm ./triangles -out ../vector_amd64.s -stubs ../vector_amd64.go -pkg fem

func kernels() []kernel {
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		return []kernel{{"avx2", addForcesVector, addDampedVector, addWatchedVector, addDampedWatchedVector, takeStressesVector, takeCornersVector, moveNodesVector, moveWeighedVector, moveDampedVector}, generic}
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
func addWatchedVector(b []block, f, x []r2.Vec, low int32, c *constants, of []asleep, hot []int32) (done, count int) {
	if len(b) == 0 {
		return 0, 0
	}
	of, hot = of[:len(b)], hot[:len(b)] // the assembly does not check bounds
	return addWatchedAVX2(&b[0].a[0], len(b), &f[0].X, &x[0].X, int(low)*stride, &c.half11[0], &of[0].xx[0], &hot[0])
}

// addDampedWatchedVector is addDampedWatched in assembly.
func addDampedWatchedVector(b []block, f, d, x, v []r2.Vec, low int32, c *constants, of []asleep, hot []int32) (done, count int) {
	if len(b) == 0 {
		return 0, 0
	}
	of, hot = of[:len(b)], hot[:len(b)]
	return addDampedWatchedAVX2(&b[0].a[0], len(b), &f[0].X, &d[0].X, &x[0].X, &v[0].X, int(low)*stride, &c.half11[0], &of[0].xx[0], &hot[0])
}

// takeStressesVector is takeStresses in assembly.
func takeStressesVector(b []block, list []int32, x []r2.Vec, c *constants, out []BlockStress) {
	if n := len(list) - Ahead; n > 0 {
		takeStressesAVX2(&b[0].a[0], &list[0], n, &x[0].X, &c.half11[0], &out[:len(b)][0].XX[0])
	}
}

// takeCornersVector is takeCorners in assembly.
func takeCornersVector(b []block, list []int32, x []r2.Vec, c *constants, out []BlockForces) {
	if n := len(list) - Ahead; n > 0 {
		takeCornersAVX2(&b[0].a[0], &list[0], n, &x[0].X, &c.half11[0], &out[:len(b)][0][0][0][0])
	}
}

// The assembly moves four nodes at a time; the rest is left to the generic kernel.

func moveNodesVector(n nodes, u update) {
	k := n.fours()
	if k > 0 {
		moveNodesAVX2(k, &n.x[0].X, &n.v[0].X, &n.f[0].X, &n.mass[0], &u.kick, &n.held[0])
	}
	if k < len(n.x) {
		moveNodes(n.rest(), u)
	}
}

func moveWeighedVector(n nodes, u update) {
	if k := n.fours(); k > 0 {
		moveWeighedAVX2(k, &n.x[0].X, &n.v[0].X, &n.f[0].X, &n.mass[0], &u.kick, &n.held[0])
	}
	moveWeighed(n.rest(), u)
}

func moveDampedVector(n nodes, u update) power {
	var p power
	if k := n.fours(); k > 0 {
		moveDampedAVX2(k, &n.x[0].X, &n.v[0].X, &n.f[0].X, &n.mass[0], &n.d[0].X, &p.given[0], &u.kick, &n.held[0])
	}
	addDampedMoves(n.rest(), u, &p)
	return p
}
