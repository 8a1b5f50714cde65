package fem

import (
	"math"

	"fdem/materials/bulk"

	"gonum.org/v1/gonum/spatial/r2"
)

// Stress is a Cauchy stress [Pa]; the shear stresses out of the plane vanish.
type Stress struct{ XX, YY, ZZ, XY float64 }

// Stresses fills out, one value per triangle, with the Cauchy stress
// F S F^T / det F at positions x. In plane strain the stress out of the plane
// keeps the thickness: with Szz = lambda (Exx + Eyy) it is Szz / det F.
func (t *Triangles) Stresses(x []r2.Vec, plane bulk.Plane, out []Stress) {
	for i := range t.element {
		e := &t.element[i]
		m := &t.moduli[e.material]
		f := t.gradient(e, x)
		exx, eyy, g := strain(f)
		sxx := float64(m.C11*exx) + float64(m.C12*eyy)
		syy := float64(m.C12*exx) + float64(m.C11*eyy)
		sxy := m.G * g
		det := float64(f.xx*f.yy) - float64(f.xy*f.yx)
		pxx, pxy := float64(f.xx*sxx)+float64(f.xy*sxy), float64(f.xx*sxy)+float64(f.xy*syy)
		pyx, pyy := float64(f.yx*sxx)+float64(f.yy*sxy), float64(f.yx*sxy)+float64(f.yy*syy)
		s := Stress{
			XX: (float64(pxx*f.xx) + float64(pxy*f.xy)) / det,
			YY: (float64(pyx*f.yx) + float64(pyy*f.yy)) / det,
			XY: (float64(pxx*f.yx) + float64(pxy*f.yy)) / det,
		}
		if plane == bulk.PlaneStrain {
			s.ZZ = m.C12 * (exx + eyy) / det // C12 is Lame's lambda there
		}
		out[i] = s
	}
}

// VonMises returns the equivalent stress of Huber, von Mises and Hencky [Pa].
func (s Stress) VonMises() float64 {
	a, b, c := s.XX-s.YY, s.YY-s.ZZ, s.ZZ-s.XX
	return math.Sqrt(float64(0.5*(float64(a*a)+float64(b*b)+float64(c*c))) + float64(3*s.XY*s.XY))
}

// MaxFrequencySquared returns a bound of the highest squared angular frequency
// of the unsupported, undeformed mesh [1/s2]: the greatest one of any single
// triangle with its own lumped mass, which by Rayleigh's quotient no assembly
// of them can pass. For one triangle M^-1 K = (3/rho) B^T C B has the nonzero
// eigenvalues of the 3 by 3 problem (3/rho) C (B B^T).
func (t *Triangles) MaxFrequencySquared() float64 {
	greatest := 0.0
	for i := range t.element {
		e := &t.element[i]
		m := t.moduli[e.material]
		greatest = max(greatest, 3/t.density[e.material]*e.stiffest(m))
	}
	return greatest
}

// stiffest returns the greatest eigenvalue of C (B B^T). With the Cholesky
// factor C = L L^T it is that of the symmetric L^T (B B^T) L.
func (e *element) stiffest(m bulk.Moduli) float64 {
	ax, ay := -(e.bx + e.cx), -(e.by + e.cy)
	xx := float64(ax*ax) + float64(e.bx*e.bx) + float64(e.cx*e.cx)
	yy := float64(ay*ay) + float64(e.by*e.by) + float64(e.cy*e.cy)
	xy := float64(ax*ay) + float64(e.bx*e.by) + float64(e.cx*e.cy)
	// rows of B: (gx, 0), (0, gy), (gy, gx); so B B^T is
	//	xx  0   xy
	//	0   yy  xy
	//	xy  xy  xx+yy
	l11 := math.Sqrt(m.C11)
	l21 := m.C12 / l11
	l22 := math.Sqrt(m.C11 - float64(l21*l21))
	l33 := math.Sqrt(m.G)
	// L = [[l11 0 0] [l21 l22 0] [0 0 l33]]
	return greatestEigenvalue(
		float64(l11*l11*xx)+float64(l21*l21*yy), l22*l22*yy, l33*l33*(xx+yy),
		l21*l22*yy, float64(l11*l33*xy)+float64(l21*l33*xy), l22*l33*xy)
}

// greatestEigenvalue returns that of the symmetric matrix with diagonal
// a, b, c and off-diagonals d (1,2), e (1,3), f (2,3), by the trigonometric
// solution of the cubic.
func greatestEigenvalue(a, b, c, d, e, f float64) float64 {
	mean := (a + b + c) / 3
	a, b, c = a-mean, b-mean, c-mean
	off := float64(d*d) + float64(e*e) + float64(f*f)
	p := math.Sqrt((float64(a*a) + float64(b*b) + float64(c*c) + 2*off) / 6)
	if p == 0 {
		return mean
	}
	det := float64(a*(float64(b*c)-float64(f*f))) - float64(d*(float64(d*c)-float64(e*f))) + float64(e*(float64(d*f)-float64(b*e)))
	r := min(max(det/(2*p*p*p), -1), 1)
	return mean + float64(2*p*math.Cos(math.Acos(r)/3))
}
