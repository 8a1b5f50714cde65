package fem

import (
	"fmt"
	"math"

	"fdem/materials/bulk"
)

// Prestress gives triangle i, where it lies in the reference positions, a Cauchy
// stress in the plane [Pa]; ZZ follows from the others as it does in Stresses.
// The triangle gets another shape in which it is free of stress, G^-1 times its
// own with G the stretch that makes the stress; its mass stays. So it unloads,
// turns and breaks as any other, and the kernels know nothing of it. Stresses
// beyond what the material can bear at a small strain are refused.
func (t *Triangles) Prestress(i int, s Stress) error {
	r := t.runOf(i)
	g, err := stretched(t.moduli[r.material], s)
	if err != nil {
		return fmt.Errorf("triangle %d: %w", t.id[i], err)
	}
	if t.squeezed == nil {
		t.squeezed = make([]float64, t.count)
		for k := range t.squeezed {
			t.squeezed[k] = 1
		}
	}
	k := i - int(r.first)
	b := &t.blocks[int(r.block)+k/lanes]
	last := k%lanes + 1
	if t.fills(r, i) {
		last = lanes
	}
	det := float64(g.xx*g.yy) - float64(g.xy*g.yx)
	t.squeezed[i] *= det
	for l := k % lanes; l < last; l++ {
		// gradients in the other shape: G grad N
		b.bx[l], b.by[l] = float64(g.xx*b.bx[l])+float64(g.xy*b.by[l]), float64(g.yx*b.bx[l])+float64(g.yy*b.by[l])
		b.cx[l], b.cy[l] = float64(g.xx*b.cx[l])+float64(g.xy*b.cy[l]), float64(g.yx*b.cx[l])+float64(g.yy*b.cy[l])
		b.volume[l] /= det
	}
	return nil
}

// stretched returns the symmetric deformation gradient U whose Cauchy stress
// U S U / det U, S = C : (U U - 1)/2, is s.
func stretched(m bulk.Moduli, s Stress) (tensor, error) {
	const rounds, small = 100, 0.1
	u := tensor{xx: 1, yy: 1}
	d := float64(m.C11*m.C11) - float64(m.C12*m.C12)
	for range rounds {
		det := float64(u.xx*u.yy) - float64(u.xy*u.xy)
		// S = det U^-1 s U^-1
		vxx, vyy, vxy := u.yy/det, u.xx/det, -u.xy/det
		pxx, pxy := float64(vxx*s.XX)+float64(vxy*s.XY), float64(vxx*s.XY)+float64(vxy*s.YY)
		pyx, pyy := float64(vxy*s.XX)+float64(vyy*s.XY), float64(vxy*s.XY)+float64(vyy*s.YY)
		sxx := det * (float64(pxx*vxx) + float64(pxy*vxy))
		syy := det * (float64(pyx*vxy) + float64(pyy*vyy))
		sxy := det * (float64(pxx*vxy) + float64(pxy*vyy))
		exx, eyy := (float64(m.C11*sxx)-float64(m.C12*syy))/d, (float64(m.C11*syy)-float64(m.C12*sxx))/d
		exy := sxy / (2 * m.G)
		if !(math.Abs(exx)+math.Abs(eyy)+math.Abs(exy) < small) {
			return tensor{}, fmt.Errorf("an initial stress of (%g, %g, %g) Pa strains the material by more than %g: it is too soft, or the stress not in Pa", s.XX, s.YY, s.XY, small)
		}
		// the root of 1 + 2 E: (C + sqrt(det C) 1) / sqrt(tr C + 2 sqrt(det C))
		cxx, cyy, cxy := 1+float64(2*exx), 1+float64(2*eyy), float64(2*exy)
		root := math.Sqrt(float64(cxx*cyy) - float64(cxy*cxy))
		over := math.Sqrt(cxx + cyy + float64(2*root))
		next := tensor{xx: (cxx + root) / over, yy: (cyy + root) / over, xy: cxy / over, yx: cxy / over}
		if next == u {
			break
		}
		u = next
	}
	return u, nil
}

// densityOf returns the density of triangle i in the shape in which it is free of
// stress [kg/m3].
func (t *Triangles) densityOf(i int, material int32) float64 {
	if t.squeezed == nil {
		return t.density[material]
	}
	return t.density[material] * t.squeezed[i]
}
