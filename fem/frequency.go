package fem

import (
	"math"

	"fdem/materials/bulk"

	"gonum.org/v1/gonum/spatial/r2"
)

// MaxFrequencySquared returns the element bound of the highest squared angular frequency of small
// vibrations about positions x [1/s2], which determines the critical time step. It is the greatest
// of all single triangles, each with its own lumped mass. By Rayleigh's quotient no assembly of the
// triangles has a higher one, whatever its supports.
//
// At the reference positions a triangle's own value is exact: M^-1 K =
// (3/rho) B^T C B has the nonzero eigenvalues of the 3 by 3 problem
// (3/rho) C (B B^T). Elsewhere B contains F, and the geometric stiffness of
// the stress S adds at most the greatest eigenvalue of
// (3/rho) S (sum grad N_a (x) grad N_a), if that is positive.
//
// Triangles with a law are left out, see LawFrequencySquared.
func (t *Triangles) MaxFrequencySquared(x []r2.Vec) float64 { return t.greatest(x, false) }

// LawFrequencySquared is MaxFrequencySquared of the triangles with a law, with their initial moduli
// at positions x and without stress. Stiffest returns the bound during a run.
func (t *Triangles) LawFrequencySquared(x []r2.Vec) float64 { return t.greatest(x, true) }

// FrequencySquaredFirmer is the greater of both for triangles with more bulk modulus in the plane, which is
// given per triangle [Pa].
func (t *Triangles) FrequencySquaredFirmer(x []r2.Vec, more []float64) float64 {
	greatest := 0.0
	for i, e := range t.elements {
		m := t.moduli[e.material]
		m.C11, m.C12 = m.C11+more[i], m.C12+more[i]
		greatest = max(greatest, 3/t.densityOf(i, e.material)*e.stiffest(m, t.gradient(&e, x)))
	}
	return greatest
}

func (t *Triangles) greatest(x []r2.Vec, lawful bool) float64 {
	greatest := 0.0
	for i, e := range t.elements {
		if lawful == (t.lawful != nil && t.lawful.law[e.material] != nil) {
			greatest = max(greatest, 3/t.densityOf(i, e.material)*e.stiffest(t.moduli[e.material], t.gradient(&e, x)))
		}
	}
	return greatest
}

// Fastest returns the first triangle with the greatest frequency, -1 for none. Triangles with a law
// are evaluated at positions x, the others at positions start.
func (t *Triangles) Fastest(start, x []r2.Vec) int {
	best, greatest := -1, 0.0
	for i, e := range t.elements {
		w := 3 / t.densityOf(i, e.material)
		if r := t.runOf(i); r.law != nil {
			k := i - int(r.first)
			w *= e.stiffestNow(t.moduli[e.material], t.gradient(&e, x), t.cauchy(r, r.block+int32(k/lanes), k%lanes, x))
		} else {
			w *= e.stiffest(t.moduli[e.material], t.gradient(&e, start))
		}
		if w > greatest {
			best, greatest = i, w
		}
	}
	return best
}

// stiffestNow approximates stiffest for a given Cauchy stress, with the gradients in the current
// configuration of f. It is accurate enough to find the triangle with the greatest value.
func (e element) stiffestNow(m bulk.Moduli, f tensor, s Stress) float64 {
	det := float64(f.xx*f.yy) - float64(f.xy*f.yx)
	e.bx, e.by = (float64(f.yy*e.bx)-float64(f.yx*e.by))/det, (float64(f.xx*e.by)-float64(f.xy*e.bx))/det
	e.cx, e.cy = (float64(f.yy*e.cx)-float64(f.yx*e.cy))/det, (float64(f.xx*e.cy)-float64(f.xy*e.cx))/det
	d := float64(0.5 * (s.XX - s.YY))
	stress := math.Abs(float64(0.5*(s.XX+s.YY))) + math.Sqrt(float64(d*d)+float64(s.XY*s.XY))
	return e.stiffest(bulk.Moduli{C11: m.C11 + float64(2*stress), C12: m.C12, G: m.G + stress}, tensor{xx: 1, yy: 1})
}

// stiffest returns a bound of the greatest eigenvalue of the tangent stiffness divided by the
// volume, at deformation gradient f [Pa/m2].
func (e *element) stiffest(m bulk.Moduli, f tensor) float64 {
	gxx, gyy, gxy := e.gradients()
	// right Cauchy-Green tensor F^T F
	cxx, cyy := float64(f.xx*f.xx)+float64(f.yx*f.yx), float64(f.xy*f.xy)+float64(f.yy*f.yy)
	cxy := float64(f.xx*f.xy) + float64(f.yx*f.yy)
	// A = B B^T; a node's columns of B are f gx; f gy; f crossed for the shear
	a11, a22, a12 := cxx*gxx, cyy*gyy, cxy*gxy
	a13 := float64(cxx*gxy) + float64(cxy*gxx)
	a23 := float64(cxy*gyy) + float64(cyy*gxy)
	a33 := float64(cxx*gyy) + float64(2*cxy*gxy) + float64(cyy*gxx)
	// With C = L L^T the eigenvalues of C A are those of the symmetric L^T A L.
	// L = [[l11 0 0] [l21 l22 0] [0 0 l33]]
	l11, l33 := math.Sqrt(m.C11), math.Sqrt(m.G)
	l21 := m.C12 / l11
	l22 := math.Sqrt(m.C11 - float64(l21*l21))
	p, q := float64(l11*a11)+float64(l21*a12), float64(l11*a12)+float64(l21*a22)
	material := greatestEigenvalue(
		float64(l11*p)+float64(l21*q), float64(l22*l22*a22), float64(l33*l33*a33),
		float64(l22*q), float64(l33*(float64(l11*a13)+float64(l21*a23))), float64(l22*l33*a23))

	exx, eyy, g := strain(f)
	sxx := float64(m.C11*exx) + float64(m.C12*eyy)
	syy := float64(m.C12*exx) + float64(m.C11*eyy)
	sxy := float64(m.G * g)
	half := float64(0.5 * (float64(sxx*gxx) + float64(2*sxy*gxy) + float64(syy*gyy)))
	det := float64((float64(sxx*syy) - float64(sxy*sxy)) * (float64(gxx*gyy) - float64(gxy*gxy)))
	geometric := half + math.Sqrt(max(0, float64(half*half)-det))
	return material + max(0, geometric)
}

// gradients returns G = sum grad N_a (x) grad N_a [1/m2].
func (e *element) gradients() (xx, yy, xy float64) {
	ax, ay := -(e.bx + e.cx), -(e.by + e.cy)
	xx = float64(ax*ax) + float64(e.bx*e.bx) + float64(e.cx*e.cx)
	yy = float64(ay*ay) + float64(e.by*e.by) + float64(e.cy*e.cy)
	xy = float64(ax*ay) + float64(e.bx*e.by) + float64(e.cx*e.cy)
	return xx, yy, xy
}

// greatestEigenvalue returns the greatest eigenvalue of the symmetric matrix with diagonal a, b, c
// and off-diagonals d (1,2), e (1,3), f (2,3). After subtraction of the mean of the diagonal and
// division by the scale p the characteristic cubic is y^3 - 3y - 2r with -1 <= r <= 1. Its greatest
// root lies between 1 and 2. Newton's method descends to it from 2. Unlike the trigonometric
// solution it rounds in the same way on every machine.
func greatestEigenvalue(a, b, c, d, e, f float64) float64 {
	mean := (a + b + c) / 3
	a, b, c = a-mean, b-mean, c-mean
	off := float64(d*d) + float64(e*e) + float64(f*f)
	p := math.Sqrt((float64(a*a) + float64(b*b) + float64(c*c) + float64(2*off)) / 6)
	if p == 0 {
		return mean
	}
	det := float64(a*(float64(b*c)-float64(f*f))) - float64(d*(float64(d*c)-float64(e*f))) + float64(e*(float64(d*f)-float64(b*e)))
	r := min(max(det/(2*p*p*p), -1), 1)
	y := 2.0
	for {
		next := max(1, y-(float64(y*(float64(y*y)-3))-float64(2*r))/float64(3*(float64(y*y)-1)))
		if !(next < y) {
			return mean + float64(p*y)
		}
		y = next
	}
}
