package fem

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// SofteningCompression is the compression of a triangle above which the default law, of St. Venant
// and Kirchhoff, is noticeably softer than Hooke's: its tangent along a bar is (3 l^2 - 1)/2 of
// Young's modulus at the stretch l, 7 % less at 2.5 %.
const SofteningCompression = 0.025

// Compression returns the greatest compression of the triangles without a law at positions x, 1
// less the smallest principal stretch, the triangle that has it, -1 for none, and how many are
// compressed by more than SofteningCompression.
func (t *Triangles) Compression(x []r2.Vec) (most float64, at, beyond int) {
	at = -1
	for k := range t.runs {
		r := &t.runs[k]
		if r.law != nil {
			continue
		}
		for i := int(r.first); i < t.end(k); i++ {
			e := t.element(i)
			if e.volume == 0 { // it has been removed
				continue
			}
			xx, yy, twoxy := strain(t.gradient(&e, x))
			half := 0.5 * (xx - yy)
			least := float64(0.5*(xx+yy)) - math.Sqrt(float64(half*half)+float64(0.25*twoxy*twoxy))
			c := 1 - math.Sqrt(max(1+float64(2*least), 0))
			if c > most {
				most, at = c, i
			}
			if c > SofteningCompression {
				beyond++
			}
		}
	}
	return most, at, beyond
}
