package fem

import (
	"math"

	"fdem/materials/bulk"

	"gonum.org/v1/gonum/spatial/r2"
)

// Stress is a Cauchy stress [Pa]. The shear stresses out of the plane are zero.
type Stress struct{ XX, YY, ZZ, XY float64 }

// Stresses fills out, one value per triangle, with the Cauchy stress F S F^T / det F at positions x
// [Pa]. In plane strain the stress out of the plane is Szz / det F with Szz = lambda (Exx + Eyy).
// For triangles with a law it is the stress of the last evaluation.
func (t *Triangles) Stresses(x []r2.Vec, plane bulk.Plane, out []Stress) {
	for k := range t.runs {
		r := &t.runs[k]
		if r.law != nil || t.swollen != nil || t.PorePressure != nil {
			for i := int(r.first); i < t.end(k); i++ {
				out[i] = t.Stress(i, x, plane)
			}
			continue
		}
		m, of := &t.moduli[r.material], out[r.first:t.end(k)]
		for i := range of {
			of[i] = t.blocks[int(r.block)+i/lanes].stress(i%lanes, m, x, plane)
		}
	}
}

// Stress is Stresses for triangle i alone, with the same bits.
func (t *Triangles) Stress(i int, x []r2.Vec, plane bulk.Plane) (s Stress) {
	r := t.runOf(i)
	k := i - int(r.first)
	if r.law != nil {
		s = t.cauchy(r, r.block+int32(k/lanes), k%lanes, x)
	} else {
		s = t.blocks[int(r.block)+k/lanes].stress(k%lanes, &t.moduli[r.material], x, plane)
	}
	if t.swollen != nil && t.blocks[int(r.block)+k/lanes].volume[k%lanes] != 0 {
		t.swollen.correct(i, lanes*r.block+int32(k), &s)
	}
	if t.PorePressure != nil {
		p := t.PorePressure[i]
		s.XX, s.YY, s.ZZ = s.XX-p, s.YY-p, s.ZZ-p
	}
	return s
}

// stress returns the stress of the triangle in lane l.
func (b *block) stress(l int, m *bulk.Moduli, x []r2.Vec, plane bulk.Plane) (s Stress) {
	if b.volume[l] == 0 { // it has been removed
		return Stress{}
	}
	// gradient, inlined: a third faster than with an element
	a, c, d := &x[b.a[l]/stride], &x[b.b[l]/stride], &x[b.c[l]/stride]
	x1, y1, x2, y2 := c.X-a.X, c.Y-a.Y, d.X-a.X, d.Y-a.Y
	f := tensor{
		float64(x1*b.bx[l]) + float64(x2*b.cx[l]), float64(x1*b.by[l]) + float64(x2*b.cy[l]),
		float64(y1*b.bx[l]) + float64(y2*b.cx[l]), float64(y1*b.by[l]) + float64(y2*b.cy[l]),
	}
	exx, eyy, g := strain(f)
	sxx := float64(m.C11*exx) + float64(m.C12*eyy)
	syy := float64(m.C12*exx) + float64(m.C11*eyy)
	sxy := float64(m.G * g)
	det := float64(f.xx*f.yy) - float64(f.xy*f.yx)
	pxx, pxy := float64(f.xx*sxx)+float64(f.xy*sxy), float64(f.xx*sxy)+float64(f.xy*syy)
	pyx, pyy := float64(f.yx*sxx)+float64(f.yy*sxy), float64(f.yx*sxy)+float64(f.yy*syy)
	s.XX = (float64(pxx*f.xx) + float64(pxy*f.xy)) / det
	s.YY = (float64(pyx*f.yx) + float64(pyy*f.yy)) / det
	s.XY = (float64(pxx*f.yx) + float64(pxy*f.yy)) / det
	if plane == bulk.PlaneStrain {
		s.ZZ = m.C12 * (exx + eyy) / det // C12 is Lame's lambda there
	}
	return s
}

// BlockStress is the Cauchy stress in the plane of the triangles of a block [Pa]. The assembly
// kernel depends on the order of these fields.
type BlockStress struct{ XX, YY, XY [lanes]float64 }

// computeStresses is the generic kernel of ComputeStresses.
func computeStresses(blocks []block, list []int32, x []r2.Vec, c *constants, out []BlockStress) {
	m := bulk.Moduli{C11: c.c11[0], C12: c.c12[0], G: c.shear[0]}
	for _, b := range list[:len(list)-Ahead] {
		for l := range lanes {
			s := blocks[b].stress(l, &m, x, bulk.PlaneStress)
			out[b].XX[l], out[b].YY[l], out[b].XY[l] = s.XX, s.YY, s.XY
		}
	}
}

// VonMises returns the equivalent stress of Huber, von Mises and Hencky [Pa].
func (s Stress) VonMises() float64 {
	a, b, c := s.XX-s.YY, s.YY-s.ZZ, s.ZZ-s.XX
	return math.Sqrt(float64(0.5*(float64(a*a)+float64(b*b)+float64(c*c))) + float64(3*s.XY*s.XY))
}
