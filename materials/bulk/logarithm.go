package bulk

import (
	"math"

	"fdem/materials/elementary"
)

// The common part of laws that are linear in the material logarithmic strain h = ln(C)/2, C =
// F^T F (C. Miehe, N. Apel and M. Lambrecht, 2002). The conjugate stress T does the work T :
// dh. Neither needs to be rotated.

// logarithm is h in the plane, with the values that its derivatives by C need:
//
//	h = ln(det C)/4 1 + b dev C, b = atanh(r/m)/(2 r), C = m 1 + dev C, |dev C|^2 = 2 r^2
type logarithm struct {
	trace        float64 // of h
	dxx, dxy     float64 // dev C
	m, det       float64
	b, b1, b2    float64 // and its derivatives by y = r^2, first and second
	cxx, cyy, xy float64 // C
}

func newLogarithm(fxx, fxy, fyx, fyy float64) (w logarithm) {
	exx, eyy := (float64(fxx*fxx)-1)+float64(fyx*fyx), float64(fxy*fxy)+(float64(fyy*fyy)-1)
	w.xy = float64(fxx*fxy) + float64(fyx*fyy)
	w.cxx, w.cyy = 1+exx, 1+eyy
	w.dxx, w.dxy = 0.5*(exx-eyy), w.xy
	w.m = 1 + float64(0.5*(exx+eyy))
	j := float64(fxx*fyy) - float64(fxy*fyx)
	w.det = float64(j * j)
	w.trace = float64(0.5 * elementary.Log1p(exx+eyy+float64(exx*eyy)-float64(w.xy*w.xy)))
	y := float64(w.dxx*w.dxx) + float64(w.dxy*w.dxy)
	if square := y / float64(w.m*w.m); square > 0.01 {
		r := math.Sqrt(y)
		w.b = elementary.Log((w.m+r)*(w.m+r)/w.det) / (4 * r)
		w.b1 = (w.m/w.det - float64(2*w.b)) / (4 * y)
		w.b2 = (w.m/float64(w.det*w.det) - float64(6*w.b1)) / (4 * y)
	} else { // series
		var s, s1, s2 float64
		for k := 8.0; k >= 0; k-- {
			s = float64(s*square) + 1/float64(2*k+1)
			s1 = float64(s1*square) + float64(2*k+2)/float64(2*k+3)
			s2 = float64(s2*square) + float64((k+1)*(2*k+4))/float64(2*k+5)
		}
		w.b = s / (2 * w.m)
		w.b1 = s1 / (4 * float64(w.m*w.m*w.m))
		w.b2 = s2 / (4 * float64(w.m*w.m*w.m*w.m*w.m))
	}
	return w
}

// second returns the second Piola-Kirchhoff stress, S : dC/2 = T : dh.
func (r *logarithm) second(txx, tyy, txy float64) (s [3]float64) {
	half, a := float64(0.5*(txx+tyy)), float64((txx-tyy)*r.dxx)+float64(2*txy*r.dxy) // T : dev C
	even := -0.5 * a / r.det
	turn := float64(2 * a * r.b1)
	d := float64(0.5 * (txx - tyy))
	s[0] = half*r.cyy/r.det + even + float64(turn*r.dxx) + float64(2*r.b*d)
	s[1] = half*r.cxx/r.det + even - float64(turn*r.dxx) - float64(2*r.b*d)
	s[2] = float64(turn*r.dxy) + float64(2*r.b*txy) - half*r.xy/r.det
	return s
}

// pushed returns Kirchhoff's stress F S F^T.
func pushed(in *Input, i int, s [3]float64) (xx, yy, xy float64) {
	fxx, fxy, fyx, fyy := in.FXX[i], in.FXY[i], in.FYX[i], in.FYY[i]
	axx, axy := float64(fxx*s[0])+float64(fxy*s[2]), float64(fxx*s[2])+float64(fxy*s[1])
	ayx, ayy := float64(fyx*s[0])+float64(fyy*s[2]), float64(fyx*s[2])+float64(fyy*s[1])
	return float64(axx*fxx) + float64(axy*fxy), float64(ayx*fyx) + float64(ayy*fyy), float64(axx*fyx) + float64(axy*fyy)
}

// tangent sets the tangent of a law with dT = moduli dh, for xx, yy and xy.
func (r *logarithm) tangent(in *Input, i int, to *Tangent, txx, tyy, txy float64, moduli *[3][3]float64) {
	var d [3][3]float64 // of S by C/2: xx, yy, twice xy
	half, a := float64(0.5*(txx+tyy)), float64((txx-tyy)*r.dxx)+float64(2*txy*r.dxy)
	diff := float64(0.5 * (txx - tyy))
	inv := [3]float64{r.cyy / r.det, r.cxx / r.det, -r.xy / r.det}
	dev := [3]float64{r.dxx, -r.dxx, r.dxy}
	bm := -0.5 / r.det // db/dm, and its derivatives by m and y
	bmm, bmy := r.m/float64(r.det*r.det), -0.5/float64(r.det*r.det)
	for q, dc := range [3][3]float64{{2, 0, 0}, {0, 2, 0}, {0, 0, 1}} { // dC for a unit of C/2; the last is for twice xy
		dm, dd, dx := float64(0.5*(dc[0]+dc[1])), float64(0.5*(dc[0]-dc[1])), dc[2]
		dy := float64(2*r.dxx*dd) + float64(2*r.dxy*dx)
		db := float64(bm*dm) + float64(r.b1*dy)
		trace := float64(0.5 * (float64(inv[0]*dc[0]) + float64(inv[1]*dc[1]) + float64(2*inv[2]*dc[2])))
		hd, hx := float64(r.b*dd)+float64(db*r.dxx), float64(r.b*dx)+float64(db*r.dxy) // dev in the plane
		// dT = D dh: half of the sum, half of the difference, and xy
		hxx, hyy := float64(0.5*trace)+hd, float64(0.5*trace)-hd
		dtxx := float64(moduli[0][0]*hxx) + float64(moduli[0][1]*hyy) + float64(moduli[0][2]*hx)
		dtyy := float64(moduli[1][0]*hxx) + float64(moduli[1][1]*hyy) + float64(moduli[1][2]*hx)
		th, td := float64(0.5*(dtxx+dtyy)), float64(0.5*(dtxx-dtyy))
		tx := float64(moduli[2][0]*hxx) + float64(moduli[2][1]*hyy) + float64(moduli[2][2]*hx)
		da := float64(2*td*r.dxx) + float64(2*diff*dd) + float64(2*tx*r.dxy) + float64(2*txy*dx)
		db1 := float64(bmy*dm) + float64(r.b2*dy)
		even := float64(da*bm) + float64(a*(float64(bmm*dm)+float64(bmy*dy)))
		turn, dturn := float64(2*a*r.b1), float64(2*da*r.b1)+float64(2*a*db1)
		// d C^-1 = -C^-1 dC C^-1
		p := float64(inv[0]*dc[0]) + float64(inv[2]*dc[2])
		u := float64(inv[0]*dc[2]) + float64(inv[2]*dc[1])
		v := float64(inv[2]*dc[0]) + float64(inv[1]*dc[2])
		z := float64(inv[2]*dc[2]) + float64(inv[1]*dc[1])
		di := [3]float64{-(float64(p*inv[0]) + float64(u*inv[2])), -(float64(v*inv[2]) + float64(z*inv[1])), -(float64(p*inv[2]) + float64(u*inv[1]))}
		ddev := [3]float64{dd, -dd, dx}
		tdev, dtdev := [3]float64{diff, -diff, txy}, [3]float64{td, -td, tx}
		for o := range 3 {
			d[o][q] = float64(th*inv[o]) + float64(half*di[o]) + float64(dturn*dev[o]) + float64(turn*ddev[o]) +
				float64(2*db*tdev[o]) + float64(2*r.b*dtdev[o])
			if o < 2 {
				d[o][q] += even
			}
		}
	}
	to.TXX, to.TYY, to.TXY = pushed(in, i, r.second(txx, tyy, txy))
	to.push(in, i, &d)
}

// push sets C of dS/dE, in xx, yy and twice xy: c_ijkl = F_iI F_jJ F_kK F_lL D_IJKL.
func (to *Tangent) push(in *Input, i int, d *[3][3]float64) {
	fxx, fxy, fyx, fyy := in.FXX[i], in.FXY[i], in.FYX[i], in.FYY[i]
	m := [3][3]float64{
		{float64(fxx * fxx), float64(fxy * fxy), float64(2 * fxx * fxy)},
		{float64(fyx * fyx), float64(fyy * fyy), float64(2 * fyx * fyy)},
		{float64(fxx * fyx), float64(fxy * fyy), float64(fxx*fyy) + float64(fxy*fyx)},
	}
	for a := range 3 {
		for b := range 3 {
			to.C[a][b] = 0
			for p := range 3 {
				for q := range 3 {
					to.C[a][b] += float64(m[a][p] * d[p][q] * m[b][q])
				}
			}
		}
	}
}
