package bulk

import (
	"errors"
	"fmt"

	"fdem/materials/elementary"
)

// LinearSolid is linear viscoelasticity. Shear relaxes by branches of a spring and a dashpot
// (Maxwell) beside a spring (Prony series). One branch makes the standard linear solid of
// Zener. With a short time it is the solid of Kelvin and Voigt. In the material logarithmic
// strain h = ln(F^T F)/2 and its conjugate stress T,
//
//	T = K tr h 1 + 2 G_inf dev h + sum H_i, H_i' + H_i/T_i = 2 G_i dev h'
//
// It is integrated exactly for a strain that is linear in time within a step,
//
//	H = exp(-x) H_n + 2 G_i (1 - exp(-x))/x (dev h - dev h_n), x = dt/T_i
//
// so that any step is stable (Simo and Hughes, 10.3). K and G = G_inf + sum G_i are the
// moduli of a fast strain.
type LinearSolid struct {
	Bulk, Shear, Lasting float64      // K, G, G_inf [Pa]
	Branches             [][2]float64 // part of G, time [s]
	memory               []Value
}

func init() {
	Register(Model{
		Name:    "linear-solid",
		Title:   "polymers, asphalt, creeping rock: viscoelastic in shear by branches of spring and dashpot",
		Source:  "J. C. Simo and T. J. R. Hughes, Computational Inelasticity, 1998, 10.3; logarithmic strain: C. Miehe, N. Apel and M. Lambrecht, Computer Methods in Applied Mechanics and Engineering 191 (2002) 5383-5425",
		Formula: "T = K tr h + 2 G_0 dev h + sum H_i\nd H_i/dt + H_i/t_i = 2 g_i G d dev h/dt\nh = ln(F^T F)/2\nG_0 = G (1 - sum g_i)\nG = E/(2 (1 + nu))\nK = E/(3 (1 - 2 nu))",
		Curves:  []Curve{{Name: "branches", Doc: "branches of spring and dashpot, [[fraction of the shear modulus, relaxation time], ...]; the fractions add up to at most 1, and 1 is a fluid", X: "1", Y: "s"}},
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

// Memory implements Law: the work of the dashpots, the last deviatoric strain in the plane,
// and the stress of each branch. Components out of the plane follow from a trace of zero.
func (l *LinearSolid) Memory() []Value { return l.memory }

// relaxed is a triangle's strain and stress.
type relaxed struct {
	logarithm
	xx, yy, xy    float64 // deviatoric strain, in the plane
	theta, across float64 // change of volume, strain across the plane
	txx, tyy, txy float64 // T
	tzz           float64
	stiff         float64 // 2 dT/d dev h
}

// share returns two parts after a step: of a branch's stress, and of the growth of its
// spring's stress.
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
	var oxx, oyy, oxy float64 // stress from the strain so far
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
	if in.Across != nil {
		r.across = elementary.Log(in.Across[i])
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
			// The work of the dashpot by the trapezoidal rule. Its strain is the strain
			// less that of its spring.
			w += float64(0.5 * whole(axx+bxx, ayy+byy, axy+bxy, dxx-(bxx-axx)/g, dyy-(byy-ayy)/g, dxy-(bxy-axy)/g))
		}
		out.Mem[0][i], out.Mem[1][i], out.Mem[2][i], out.Mem[3][i] = w, r.xx, r.yy, r.xy
		out.Energy[i], out.Thickness[i], out.TZZ[i] = u, 1, r.tzz
		if in.Plane == PlaneStress {
			out.Thickness[i] = elementary.Exp(r.across)
		}
		out.TXX[i], out.TYY[i], out.TXY[i] = pushed(in, i, r.second(r.txx, r.tyy, r.txy))
	}
}

// Tangent implements Law.
func (l *LinearSolid) Tangent(in *Input, i int, to *Tangent) {
	r := l.at(in, i)
	k, g := l.Bulk-r.stiff/3, r.stiff // dT = k tr dh + g dh
	if in.Plane == PlaneStress {
		k -= k * k / (k + g)
	}
	d := [3][3]float64{{k + g, k, 0}, {k, k + g, 0}, {0, 0, g}}
	r.tangent(in, i, to, r.txx, r.tyy, r.txy, &d)
}
