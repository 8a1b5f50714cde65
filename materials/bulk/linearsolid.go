package bulk

import (
	"errors"
	"fmt"
	"math"

	"fdem/materials/elementary"
)

// LinearSolid is linear viscoelasticity: shear relaxes by branches of a spring and a dashpot
// (Maxwell) beside a spring, a series of Prony. One branch is the standard linear solid of
// Zener, and one whose time is short that of Kelvin and Voigt. In the material logarithmic
// strain h = ln(F^T F)/2 and its conjugate stress T,
//
//	T = K tr h 1 + 2 G_inf dev h + sum H_i, H_i' + H_i/T_i = 2 G_i dev h'
//
// integrated exactly for a strain that grows evenly in a step,
//
//	H = exp(-x) H_n + 2 G_i (1 - exp(-x))/x (dev h - dev h_n), x = dt/T_i
//
// so that any step is stable (Simo and Hughes, 10.3). K and G = G_inf + sum G_i are those of
// the first, fast strain.
type LinearSolid struct {
	Bulk, Shear, Lasting float64      // K, G, G_inf [Pa]
	Branches             [][2]float64 // share of G, time [s]
	memory               []Value
}

func init() {
	Register(Model{
		Name:    "linear-solid",
		Title:   "polymers, asphalt, creeping rock: viscoelastic in shear by branches of spring and dashpot",
		Source:  "J. C. Simo and T. J. R. Hughes, Computational Inelasticity, 1998, 10.3; logarithmic strain: C. Miehe, N. Apel and M. Lambrecht, Computer Methods in Applied Mechanics and Engineering 191 (2002) 5383-5425",
		Formula: "T = K tr h + 2 G_0 dev h + sum H_i\nH_i' + H_i/t_i = 2 g_i G dev h'\nh = ln(F^T F)/2\nG_0 = G (1 - sum g_i)\nG = E/(2 (1 + nu))\nK = E/(3 (1 - 2 nu))",
		Curves:  []Curve{{Name: "branches", Doc: "of spring and dashpot, [[share of the shear modulus, relaxation time], ...]; the shares add up to 1 at most, which is a fluid", X: "1", Y: "s"}},
		New:     newLinearSolid,
	})
}

func newLinearSolid(e Elastic, c Constants) (Law, error) {
	l := &LinearSolid{Branches: c.Curve["branches"]}
	l.Bulk, l.Shear = e.BulkShear()
	if len(l.Branches) == 0 {
		return nil, errors.New("it needs branches, [[share, time], ...]")
	}
	l.memory = []Value{{Name: ViscousWork, Unit: "J/m3"}, {Name: "strain_xx", Unit: "1"}, {Name: "strain_yy", Unit: "1"}, {Name: "strain_xy", Unit: "1"}}
	sum := 0.0
	for i, b := range l.Branches {
		if !(b[0] > 0) || !(b[1] > 0) {
			return nil, fmt.Errorf("branches: share and time must be above 0, got [%g, %g s]", b[0], b[1])
		}
		sum += b[0]
		for _, name := range []string{"xx", "yy", "xy"} {
			l.memory = append(l.memory, Value{Name: fmt.Sprintf("branch_%d_%s", i+1, name), Unit: "Pa"})
		}
	}
	if sum > 1+1e-12 {
		return nil, fmt.Errorf("branches: shares must add up to at most 1, got %g", sum)
	}
	l.Lasting = l.Shear * max(0, 1-sum)
	return l, nil
}

// Memory implements Law: the work that has gone, the last deviatoric strain in the plane, and
// the stress of each branch. What they are out of the plane follows from no trace.
func (l *LinearSolid) Memory() []Value { return l.memory }

// logarithm is h in the plane and what its derivatives by C need:
//
//	h = ln(det C)/4 1 + b dev C, b = atanh(r/m)/(2 r), C = m 1 + dev C, |dev C|^2 = 2 r^2
type logarithm struct {
	trace        float64 // of h
	dxx, dxy     float64 // dev C
	m, det       float64
	b, b1, b2    float64 // and by y = r^2, once and twice
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

// relaxed is a triangle's strain and stress.
type relaxed struct {
	logarithm
	xx, yy, xy    float64 // deviatoric strain, in the plane
	theta, across float64 // change of volume, strain across the plane
	txx, tyy, txy float64 // T
	tzz           float64
	stiff         float64 // 2 dT/d dev h
}

// share returns what of a branch's stress is left after a step, and of its spring's growth.
func share(step, time float64) (left, grown float64) {
	x := step / time
	if !(x > 0) {
		return 1, 1
	}
	gone := -elementary.Expm1(-x)
	return 1 - gone, gone / x
}

// at returns strain and stress of triangle i.
func (l *LinearSolid) at(in *Input, i int) (r relaxed) {
	r.logarithm = newLogarithm(in.FXX[i], in.FXY[i], in.FYX[i], in.FYY[i])
	hxx, hyy := float64(0.5*r.trace)+float64(r.b*r.dxx), float64(0.5*r.trace)-float64(r.b*r.dxx)
	r.xy = float64(r.b * r.dxy)
	r.stiff = 2 * l.Lasting
	var oxx, oyy, oxy float64 // stress that the strain so far leaves
	for k, of := range l.Branches {
		left, grown := share(in.Step, of[1])
		g := float64(2 * of[0] * l.Shear * grown)
		r.stiff += g
		oxx += float64(left*in.Mem[4+3*k][i]) - float64(g*in.Mem[1][i])
		oyy += float64(left*in.Mem[5+3*k][i]) - float64(g*in.Mem[2][i])
		oxy += float64(left*in.Mem[6+3*k][i]) - float64(g*in.Mem[3][i])
	}
	if in.Plane == PlaneStress { // K (trace + z) + stiff (2 z - trace)/3 - oxx - oyy = 0
		r.across = (oxx + oyy - float64((l.Bulk-r.stiff/3)*r.trace)) / (l.Bulk + float64(2*r.stiff/3))
	}
	r.theta = r.trace + r.across
	r.xx, r.yy = hxx-r.theta/3, hyy-r.theta/3
	p := float64(l.Bulk * r.theta)
	r.txx = p + float64(r.stiff*r.xx) + oxx
	r.tyy = p + float64(r.stiff*r.yy) + oyy
	r.txy = float64(r.stiff*r.xy) + oxy
	if in.Plane == PlaneStrain {
		r.tzz = p - float64(r.stiff*(r.xx+r.yy)) - (oxx + oyy)
	}
	return r
}

// whole returns a : b of tensors without trace by their parts in the plane.
func whole(axx, ayy, axy, bxx, byy, bxy float64) float64 {
	return float64(axx*bxx) + float64(ayy*byy) + float64(2*axy*bxy) + float64((axx+ayy)*(bxx+byy))
}

// Eval implements Law.
func (l *LinearSolid) Eval(in *Input, out *Output) {
	for i := range in.FXX {
		r := l.at(in, i)
		dxx, dyy, dxy := r.xx-in.Mem[1][i], r.yy-in.Mem[2][i], r.xy-in.Mem[3][i]
		w := in.Mem[0][i]
		u := float64(0.5*l.Bulk*r.theta*r.theta) + float64(l.Lasting*whole(r.xx, r.yy, r.xy, r.xx, r.yy, r.xy))
		for k, of := range l.Branches {
			left, grown := share(in.Step, of[1])
			g := float64(2 * of[0] * l.Shear)
			axx, ayy, axy := in.Mem[4+3*k][i], in.Mem[5+3*k][i], in.Mem[6+3*k][i]
			bxx, byy, bxy := float64(left*axx)+float64(g*grown*dxx), float64(left*ayy)+float64(g*grown*dyy), float64(left*axy)+float64(g*grown*dxy)
			out.Mem[4+3*k][i], out.Mem[5+3*k][i], out.Mem[6+3*k][i] = bxx, byy, bxy
			u += float64(0.5 / g * whole(bxx, byy, bxy, bxx, byy, bxy))
			// the dashpot: what its spring has not taken of the strain, by the trapezoid
			w += float64(0.5 * whole(axx+bxx, ayy+byy, axy+bxy, dxx-(bxx-axx)/g, dyy-(byy-ayy)/g, dxy-(bxy-axy)/g))
		}
		out.Mem[0][i], out.Mem[1][i], out.Mem[2][i], out.Mem[3][i] = w, r.xx, r.yy, r.xy
		out.Energy[i], out.Thickness[i], out.TZZ[i] = u, 1, r.tzz
		if in.Plane == PlaneStress {
			out.Thickness[i] = elementary.Exp(r.across)
		}
		out.TXX[i], out.TYY[i], out.TXY[i] = pushed(in, i, r.second())
	}
}

// second returns the second Piola-Kirchhoff stress, S : dC/2 = T : dh.
func (r *relaxed) second() (s [3]float64) {
	half, a := float64(0.5*(r.txx+r.tyy)), float64((r.txx-r.tyy)*r.dxx)+float64(2*r.txy*r.dxy) // T : dev C
	even := -0.5 * a / r.det
	turn := float64(2 * a * r.b1)
	d := float64(0.5 * (r.txx - r.tyy))
	s[0] = half*r.cyy/r.det + even + float64(turn*r.dxx) + float64(2*r.b*d)
	s[1] = half*r.cxx/r.det + even - float64(turn*r.dxx) - float64(2*r.b*d)
	s[2] = float64(turn*r.dxy) + float64(2*r.b*r.txy) - half*r.logarithm.xy/r.det
	return s
}

// pushed returns Kirchhoff's stress F S F^T.
func pushed(in *Input, i int, s [3]float64) (xx, yy, xy float64) {
	fxx, fxy, fyx, fyy := in.FXX[i], in.FXY[i], in.FYX[i], in.FYY[i]
	axx, axy := float64(fxx*s[0])+float64(fxy*s[2]), float64(fxx*s[2])+float64(fxy*s[1])
	ayx, ayy := float64(fyx*s[0])+float64(fyy*s[2]), float64(fyx*s[2])+float64(fyy*s[1])
	return float64(axx*fxx) + float64(axy*fxy), float64(ayx*fyx) + float64(ayy*fyy), float64(axx*fyx) + float64(axy*fyy)
}

// Tangent implements Law.
func (l *LinearSolid) Tangent(in *Input, i int, to *Tangent) {
	r := l.at(in, i)
	// dT/dh, in the plane
	k, g := l.Bulk-r.stiff/3, r.stiff
	if in.Plane == PlaneStress {
		k -= k * k / (k + g)
	}
	var d [3][3]float64 // of S by C/2: xx, yy, twice xy
	half, a := float64(0.5*(r.txx+r.tyy)), float64((r.txx-r.tyy)*r.dxx)+float64(2*r.txy*r.dxy)
	diff := float64(0.5 * (r.txx - r.tyy))
	inv := [3]float64{r.cyy / r.det, r.cxx / r.det, -r.logarithm.xy / r.det}
	dev := [3]float64{r.dxx, -r.dxx, r.dxy}
	bm := -0.5 / r.det // db/dm, and by m, by y
	bmm, bmy := r.m/float64(r.det*r.det), -0.5/float64(r.det*r.det)
	for q, dc := range [3][3]float64{{2, 0, 0}, {0, 2, 0}, {0, 0, 1}} { // dC of a unit of C/2, twice xy in the last
		dm, dd, dx := float64(0.5*(dc[0]+dc[1])), float64(0.5*(dc[0]-dc[1])), dc[2]
		dy := float64(2*r.dxx*dd) + float64(2*r.dxy*dx)
		db := float64(bm*dm) + float64(r.b1*dy)
		trace := float64(0.5 * (float64(inv[0]*dc[0]) + float64(inv[1]*dc[1]) + float64(2*inv[2]*dc[2])))
		hd, hx := float64(r.b*dd)+float64(db*r.dxx), float64(r.b*dx)+float64(db*r.dxy) // dev in the plane
		// dT: half of the sum, half of the difference, and xy
		th, td, tx := float64((k+float64(0.5*g))*trace), float64(g*hd), float64(g*hx)
		da := float64(2*td*r.dxx) + float64(2*diff*dd) + float64(2*tx*r.dxy) + float64(2*r.txy*dx)
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
		tdev, dtdev := [3]float64{diff, -diff, r.txy}, [3]float64{td, -td, tx}
		for o := range 3 {
			d[o][q] = float64(th*inv[o]) + float64(half*di[o]) + float64(dturn*dev[o]) + float64(turn*ddev[o]) +
				float64(2*db*tdev[o]) + float64(2*r.b*dtdev[o])
			if o < 2 {
				d[o][q] += even
			}
		}
	}
	to.TXX, to.TYY, to.TXY = pushed(in, i, r.second())
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
