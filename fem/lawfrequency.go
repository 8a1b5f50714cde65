package fem

import (
	"math"

	"fdem/materials/bulk"
)

// Greatest frequencies of triangles with laws in their current state, for the time step.

// frequencies are the constants with which the kernel excludes triangles that do not have the
// greatest frequency. The assembly kernel depends on the order of these fields.
type frequencies struct {
	half, most, five, perMass, margin, stiffest [lanes]float64
	noSign                                      [lanes]uint64
	c11, c12, g, one, three, six                [lanes]float64
}

// set sets the constants for a batch of a material with density rho. most is the greatest of its
// moduli [Pa].
func (c *frequencies) set(m bulk.Moduli, most, rho, stiffest float64) {
	for l := range lanes {
		c.half[l], c.most[l], c.five[l], c.perMass[l], c.margin[l], c.stiffest[l], c.noSign[l] = 0.5, most, 5, 3/rho, measured, stiffest, 1<<63-1
		c.c11[l], c.c12[l], c.g[l], c.one[l], c.three[l], c.six[l] = m.C11, m.C12, m.G, 1, 3, 6
	}
}

// measured is a margin: a triangle is excluded if its first bound of the frequency, times this
// factor, is below the greatest frequency.
const measured = 1 + 1e-9

// measure finds the greatest squared frequency of the triangles of some blocks in their present
// state. For most triangles one product shows that theirs is not greater: no eigenvalue of the
// element stiffness exceeds the greatest of the material times the greatest of the gradients.
func (w *batch) measure(t *Triangles, r *run, blocks []block, from int) {
	m := t.moduli[r.material]
	most := max(m.C11+m.C12, 2*m.G)
	for i := 0; i < len(blocks); i++ {
		if t.kernel.slow != nil && t.squeezed == nil {
			w.known.set(m, most, t.density[r.material], w.stiffest)
			if i += t.kernel.slow(w, blocks[i:], i, &w.known); i == len(blocks) {
				return
			}
		}
		for l := range lanes {
			if blocks[i].volume[l] > 0 {
				w.measureOne(t, r, &blocks[i], l, lanes*i+l, from, most)
			}
		}
	}
}

// measureOne is measure for lane l of a block. k is its number in the batch.
func (w *batch) measureOne(t *Triangles, r *run, b *block, l, k, from int, most float64) {
	e, m := b.at(l, r.material), t.moduli[r.material]
	f, det := tensor{w.f[0][k], w.f[1][k], w.f[2][k], w.f[3][k]}, w.cofactors()[k]
	e.bx, e.by = (float64(f.yy*e.bx)-float64(f.yx*e.by))/det, (float64(f.xx*e.by)-float64(f.xy*e.bx))/det
	e.cx, e.cy = (float64(f.yy*e.cx)-float64(f.yx*e.cy))/det, (float64(f.xx*e.cy)-float64(f.xy*e.cx))/det
	txx, tyy, txy := w.out.TXX[k], w.out.TYY[k], w.out.TXY[k]
	d := float64(0.5 * (txx - tyy))
	stress := math.Abs(float64(0.5*(txx+tyy))) + math.Sqrt(float64(d*d)+float64(txy*txy)) // the greatest
	gxx, gyy, gxy := e.gradients()
	half := float64(0.5 * (gxx + gyy))
	largest := half + math.Sqrt(max(0, float64(half*half)-(float64(gxx*gyy)-float64(gxy*gxy))))
	rho := t.densityOf(int(r.first)+from+k, r.material)
	if bound := 3 / rho * (most + float64(5*stress)) * largest; bound*measured <= w.stiffest {
		return
	}
	// the spatial tangent is at most the initial one plus 2 tau
	stiff := bulk.Moduli{C11: m.C11 + float64(2*stress), C12: m.C12, G: m.G + stress}
	of := e.stiffest(stiff, tensor{xx: 1, yy: 1}) + float64(stress*largest)
	w.stiffest = max(w.stiffest, 3/rho*of)
}

// Stiffest returns a bound of the greatest squared frequency of all triangles with a law at the
// last measurement of the parts [1/s2].
func (t *Triangles) Stiffest(parts []*Subdomain) float64 {
	greatest := 0.0
	for _, p := range parts {
		greatest = max(greatest, p.batch.stiffest)
	}
	return greatest
}
