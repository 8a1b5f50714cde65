package fem

import (
	"golang.org/x/sys/cpu"
	"gonum.org/v1/gonum/spatial/r2"
)

//go:generate go run -C asm . -out ../vector_amd64.s -stubs ../vector_amd64.go -pkg fem

func kernels() []kernel {
	if cpu.X86.HasAVX2 {
		return []kernel{{"avx2", addForcesVector, moveNodesVector}, generic}
	}
	return []kernel{generic}
}

// addForcesVector is addForces in assembly.
func addForcesVector(b []block, f, x []r2.Vec, low int32, c *constants) int {
	if len(b) == 0 {
		return 0
	}
	return addForcesAVX2(&b[0].a[0], len(b), &f[0].X, &x[0].X, int(low)*stride, &c[0][0])
}

// moveNodesVector is moveNodes in assembly.
func moveNodesVector(x, v, f, inverse []r2.Vec, kick, dt float64) {
	n := len(x)
	if n == 0 {
		return
	}
	v, f, inverse = v[:n], f[:n], inverse[:n] // the assembly does not check bounds
	moveNodesAVX2(n, &x[0].X, &v[0].X, &f[0].X, &inverse[0].X, kick, dt)
}
