package system

import (
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// BodyAt returns the body that has a triangle around a position, -1 for none.
func (k *View) BodyAt(x r2.Vec) int32 {
	for t, n := range k.Mesh.Triangles {
		a, b, c := k.X[n[0]], k.X[n[1]], k.X[n[2]]
		left := func(p, q r2.Vec) bool { return elementary.Cross(r2.Sub(q, p), r2.Sub(x, p)) >= 0 }
		if left(a, b) && left(b, c) && left(c, a) {
			return k.Mesh.BodyOf()[t]
		}
	}
	return -1
}
