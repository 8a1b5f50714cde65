package bulk

import (
	"math"

	"fdem/materials/elementary"
)

// The common part of laws of logarithmic (Hencky) strain. The deformation gradient is F = Fe
// Fp, and the memory is G = Cp^-1. The trial b = F G F^T has principal values l1, l2, l3.
// The return to a yield surface is that of small strains, applied to e = ln(l)/2. Then the
// exponential map gives b = exp 2e in the same axes, and G = F^-1 b F^-T (Simo and Hughes,
// Computational Inelasticity, 9.2 and 9.3; de Souza Neto, Peric and Owen, Computational
// Methods for Plasticity, 14.4 and 14.5).

// inverse is the inverse of the plastic right Cauchy-Green tensor.
type inverse struct{ xx, yy, xy, zz float64 }

// memoryOfInverse is its values in a law's memory, where they come first.
var memoryOfInverse = []Value{
	{Name: "plastic_inverse_xx", Unit: "1", First: 1},
	{Name: "plastic_inverse_yy", Unit: "1", First: 1},
	{Name: "plastic_inverse_xy", Unit: "1"},
	{Name: "plastic_inverse_zz", Unit: "1", First: 1},
}

// inverseOf returns that of triangle i before the step, zz times the square of its stretch across the plane: the
// part of it that is elastic.
func inverseOf(in *Input, i int) inverse {
	g := inverse{in.Mem[0][i], in.Mem[1][i], in.Mem[2][i], in.Mem[3][i]}
	if in.Across != nil {
		g.zz *= float64(in.Across[i] * in.Across[i])
	}
	return g
}

// put keeps it after the step.
func (g inverse) put(in *Input, out *Output, i int) {
	if in.Across != nil {
		if square := float64(in.Across[i] * in.Across[i]); g.zz == float64(in.Mem[3][i]*square) { // it has not flowed
			g.zz = in.Mem[3][i]
		} else {
			g.zz /= square
		}
	}
	g.set(out.Mem, i)
}

func (g *inverse) set(mem [][]float64, i int) {
	mem[0][i], mem[1][i], mem[2][i], mem[3][i] = g.xx, g.yy, g.xy, g.zz
}

// trial is b before the return: its principal values, and the cosine and sine of twice the
// angle of the first one's axis.
type trial struct{ l1, l2, cos2, sin2 float64 }

// newTrial returns b = F G F^T.
func newTrial(fxx, fxy, fyx, fyy float64, g *inverse) trial {
	axx, axy := float64(fxx*g.xx)+float64(fxy*g.xy), float64(fxx*g.xy)+float64(fxy*g.yy)
	ayx, ayy := float64(fyx*g.xx)+float64(fyy*g.xy), float64(fyx*g.xy)+float64(fyy*g.yy)
	bxx := float64(axx*fxx) + float64(axy*fxy)
	byy := float64(ayx*fyx) + float64(ayy*fyy)
	bxy := float64(axx*fyx) + float64(axy*fyy)
	m, d := float64(0.5*(bxx+byy)), float64(0.5*(bxx-byy))
	r := math.Sqrt(float64(d*d) + float64(bxy*bxy))
	t := trial{cos2: 1}
	if r > 0 {
		per := 1 / r
		t.cos2, t.sin2 = float64(d*per), float64(bxy*per)
	}
	det := float64(fxx*fyy) - float64(fxy*fyx)
	t.l1 = m + r
	t.l2 = float64(det*det) * (float64(g.xx*g.yy) - float64(g.xy*g.xy)) / t.l1 // m - r has lost digits
	return t
}

// halfLog returns ln(l)/2. Near 1 it takes the series of atanh x/(2+x), x =
// l-1.
func halfLog(l float64) float64 {
	x := l - 1
	if x > near0 || x < -near0 {
		return float64(0.5 * elementary.Log(l))
	}
	return halfLog1p(x)
}

// flowed returns G = F^-1 exp(2e) F^-T, except zz, for elastic strains e in the trial's
// axes.
func (t *trial) flowed(fxx, fxy, fyx, fyy, e1, e2 float64) (g inverse) {
	b1, b2 := exp(2*e1), exp(2*e2)
	m, d := float64(0.5*(b1+b2)), float64(0.5*(b1-b2))
	bxx, byy, bxy := m+float64(d*t.cos2), m-float64(d*t.cos2), float64(d*t.sin2)
	inverse := 1 / (float64(fxx*fyy) - float64(fxy*fyx))
	ixx, ixy, iyx, iyy := float64(fyy*inverse), float64(fxy*inverse), float64(fyx*inverse), float64(fxx*inverse) // less in between
	hxx, hxy := float64(ixx*bxx)-float64(ixy*bxy), float64(ixx*bxy)-float64(ixy*byy)
	hyx, hyy := float64(iyy*bxy)-float64(iyx*bxx), float64(iyy*byy)-float64(iyx*bxy)
	g.xx = float64(hxx*ixx) - float64(hxy*ixy)
	g.yy = float64(hyy*iyy) - float64(hyx*iyx)
	g.xy = float64(hxy*iyy) - float64(hxx*iyx)
	return g
}

// symmetric is a symmetric tensor in the plane.
type symmetric struct{ xx, yy, xy float64 }

// Plastic work is added by the trapezoidal rule, as a run's ledger adds the work of internal
// forces:
//
//	D = 1/2 (tau_n + tau_n+1) : d eps_p
//
// The stress before is rotated with the body: tau_n = tau_trial - C : d eps. Here d eps is the
// logarithmic strain of f = F_n+1 F_n^-1. To the third order it is the growth of the
// logarithmic strain:
//
//	d eps = ln(f f^T)/2 = atanh m, m = (f f^T - 1) (f f^T + 1)^-1

// tracksWork tells whether the work of plastic strain can be added in the way of
// the ledger.
func (in *Input) tracksWork() bool { return in.Before != nil || in.BXX != nil }

// earlier sets the deformation gradients before the step, once.
func (in *Input) earlier() {
	if in.Before != nil {
		in.Before()
		in.Before = nil
	}
}

// increment returns the strain of the step of triangle i.
func (in *Input) increment(i int) symmetric {
	in.earlier()
	fxx, fxy, fyx, fyy := in.FXX[i], in.FXY[i], in.FYX[i], in.FYY[i]
	gxx, gxy, gyx, gyy := in.BXX[i], in.BXY[i], in.BYX[i], in.BYY[i]
	dxx, dxy, dyx, dyy := fxx-gxx, fxy-gxy, fyx-gyx, fyy-gyy
	per := 1 / (float64(gxx*gyy) - float64(gxy*gyx))
	lxx, lxy := float64(per*(float64(dxx*gyy)-float64(dxy*gyx))), float64(per*(float64(dxy*gxx)-float64(dxx*gxy))) // f - 1
	lyx, lyy := float64(per*(float64(dyx*gyy)-float64(dyy*gyx))), float64(per*(float64(dyy*gxx)-float64(dyx*gxy)))
	bxx := float64(2*lxx) + float64(lxx*lxx) + float64(lxy*lxy) // f f^T - 1
	byy := float64(2*lyy) + float64(lyx*lyx) + float64(lyy*lyy)
	bxy := lxy + lyx + float64(lxx*lyx) + float64(lxy*lyy)
	det := float64(bxx*byy) - float64(bxy*bxy)
	per = 1 / (4 + float64(2*(bxx+byy)) + det)
	mxx, myy, mxy := float64(per*(float64(2*bxx)+det)), float64(per*(float64(2*byy)+det)), float64(per*float64(2*bxy))
	sum := mxx + myy
	det = float64(mxx*myy) - float64(mxy*mxy)
	of := 1 + float64((float64(sum*sum)-det)*(1./3)) // m + m^3/3
	less := float64(sum * det * (1. / 3))
	return symmetric{float64(of*mxx) - less, float64(of*myy) - less, float64(of * mxy)}
}

// thickening returns the strain of the step of triangle i across the plane.
func (in *Input) thickening(i int) float64 {
	if in.Across == nil {
		return 0
	}
	return elementary.Log(in.Across[i] / in.BAcross[i])
}

// put sets the stress from the principal values t1, t2 in the trial's axes, and
// t3.
func (t *trial) put(out *Output, i int, t1, t2, t3 float64) {
	m, d := float64(0.5*(t1+t2)), float64(0.5*(t1-t2))
	out.TXX[i], out.TYY[i], out.TXY[i], out.TZZ[i] = m+float64(d*t.cos2), m-float64(d*t.cos2), float64(d*t.sin2), t3
}

// tangent sets the spatial tangent from stresses t1, t2 and their derivatives d by the
// trial's logarithmic strains. In the trial's axes it is
//
//	c_ij = d_ij - 2 t_i delta_ij, c_1212 = (t1 l2 - t2 l1)/(l1 - l2)
func (t *trial) tangent(to *Tangent, t1, t2 float64, d [2][2]float64) {
	c11, c22, c12, c21 := d[0][0]-float64(2*t1), d[1][1]-float64(2*t2), d[0][1], d[1][0]
	shear := 0.0
	if difference := t.l1 - t.l2; difference > 1e-7*t.l1 {
		shear = (float64(t1*t.l2) - float64(t2*t.l1)) / difference
	} else { // the limit
		shear = float64(0.25*(d[0][0]+d[1][1]-d[0][1]-d[1][0])) - float64(0.5*(t1+t2))
	}
	// Rotated to x and y: axes n1 = (c, s), n2 = (-s, c).
	c := math.Sqrt(max(0, float64(0.5*(1+t.cos2))))
	s := math.Sqrt(max(0, float64(0.5*(1-t.cos2))))
	if t.sin2 < 0 {
		s = -s
	}
	// in Voigt's order xx, yy, xy: m1 = n1 n1, m2 = n2 n2, m3 = (n1 n2 + n2 n1)/2
	m1 := [3]float64{float64(c * c), float64(s * s), float64(c * s)}
	m2 := [3]float64{float64(s * s), float64(c * c), float64(-c * s)}
	m3 := [3]float64{float64(-c * s), float64(c * s), float64(0.5 * t.cos2)}
	for a := range 3 {
		for b := range 3 {
			to.C[a][b] = float64(m1[a]*(float64(c11*m1[b])+float64(c12*m2[b]))) +
				float64(m2[a]*(float64(c21*m1[b])+float64(c22*m2[b]))) + float64(4*shear*m3[a]*m3[b])
		}
	}
	mean, half := float64(0.5*(t1+t2)), float64(0.5*(t1-t2))
	to.TXX, to.TYY, to.TXY = mean+float64(half*t.cos2), mean-float64(half*t.cos2), float64(half*t.sin2)
}

// root returns the root of a falling function between low and high, by Newton's method
// within brackets, from a guess.
func root(low, high, g float64, f func(g float64) (value, slope float64)) float64 {
	last, scale := high-low, high
	for k := range 60 {
		r, d := f(g)
		if r > 0 {
			low = g
		} else {
			high = g
		}
		next := g - r/d
		if next != g && !(next > low && next < high) { // not a number, or out of the brackets
			next = 0.5 * (low + high)
		}
		change := math.Abs(next - g)
		if change <= 0x1p-52*math.Abs(next) || k > 4 && change >= last && change <= 1e-12*scale { // no further digit is gained
			return next
		}
		g, last = next, change
	}
	return g
}
