package bulk

import (
	"math"

	"fdem/materials/elementary"
)

// NeoHooke is the compressible neo-Hookean law, for rubber.
//
//	W = G/2 (J^-2/3 I1 - 3) + K/2 (ln J)^2, tau = G J^-2/3 dev b + K ln J 1
//
// In plane stress the thickness follows from tau_zz = 0.
type NeoHooke struct {
	Bulk, Shear float64 // [Pa]
	constants   *fours
}

func init() {
	Register(Model{
		Name:    "neo-hooke",
		Title:   "rubber: compressible neo-Hookean, hyperelastic at any strain",
		Source:  "J. C. Simo and T. J. R. Hughes, Computational Inelasticity, 1998, 9.2; the volumetric part of J. C. Simo, R. L. Taylor and K. S. Pister, Computer Methods in Applied Mechanics and Engineering 51 (1985) 177-208",
		Formula: "W = G/2 (J^(-2/3) I_1 - 3) + K/2 (ln J)^2\ntau = G J^(-2/3) dev b + K ln J\nG = E/(2 (1 + nu))\nK = E/(3 (1 - 2 nu))",
		New: func(e Elastic, _ Constants) (Law, error) {
			k, g := e.BulkShear()
			return &NeoHooke{k, g, newFours(k, g)}, nil
		},
	})
}

// Memory returns nil.
func (*NeoHooke) Memory() []Value { return nil }

// stretched is b - 1, ln J and J^-2/3, with the components out of the plane.
type stretched struct{ xx, yy, xy, zz, lnJ, k, lnZ float64 }

// at returns the strain of F. In plane stress the thickness is that without stress
// across the plane.
func (l *NeoHooke) at(plane Plane, fxx, fxy, fyx, fyy float64) (s stretched) {
	s.xx = (float64(fxx*fxx) - 1) + float64(fxy*fxy)
	s.yy = (float64(fyy*fyy) - 1) + float64(fyx*fyx)
	s.xy = float64(fxx*fyx) + float64(fxy*fyy)
	// ln J is computed from b. Then the energy, a small difference, is consistent with its
	// rounding.
	square := s.xx + s.yy + (float64(s.xx*s.yy) - float64(s.xy*s.xy)) // J^2 - 1
	if square > near0 || square < -near0 {
		s.lnJ = float64(0.5 * elementary.Log1p(square))
	} else {
		s.lnJ = halfLog1p(square)
	}
	if plane == PlaneStress {
		nu := (float64(3*l.Bulk) - float64(2*l.Shear)) / (2 * (float64(3*l.Bulk) + l.Shear))
		inPlane := s.lnJ
		s.lnZ = float64(-nu / (1 - nu) * inPlane)
		for range 40 { // Newton's method: the stress out of the plane grows with the thickness
			s.zz, s.lnJ = elementary.Expm1(2*s.lnZ), inPlane+s.lnZ
			s.k = elementary.Exp(float64(-2. / 3 * s.lnJ))
			trace := s.xx + s.yy + s.zz
			stress := float64(l.Shear*s.k*(s.zz-trace/3)) + float64(l.Bulk*s.lnJ)
			slope := float64(l.Shear*s.k*(float64(2./3*(1+s.zz))+float64(2./9*(3+trace)))) + l.Bulk
			change := stress / slope
			s.lnZ -= change
			if !(math.Abs(change) > 1e-16+float64(0x1p-52*math.Abs(s.lnZ))) {
				break
			}
		}
		s.zz = elementary.Expm1(2 * s.lnZ)
		s.lnJ = inPlane + s.lnZ
	}
	s.k = exp(float64(-2. / 3 * s.lnJ))
	return s
}

// Eval implements Law.
func (l *NeoHooke) Eval(in *Input, out *Output) {
	for i, n := 0, len(in.FXX); i < n; {
		if in.Vector && in.Plane == PlaneStrain {
			i += l.fours(in, out, i)
		}
		for end := min(i+len(four{}), n); i < end; i++ {
			l.one(in, out, i)
		}
	}
}

// one is Eval for triangle i.
func (l *NeoHooke) one(in *Input, out *Output, i int) {
	s := l.at(in.Plane, in.FXX[i], in.FXY[i], in.FYX[i], in.FYY[i])
	g, p, third := float64(l.Shear*s.k), float64(l.Bulk*s.lnJ), float64((s.xx+s.yy+s.zz)*(1./3))
	out.TXX[i], out.TYY[i], out.TXY[i] = float64(g*(s.xx-third))+p, float64(g*(s.yy-third))+p, float64(g*s.xy)
	out.TZZ[i], out.Thickness[i] = float64(g*(s.zz-third))+p, 1
	if in.Plane == PlaneStress {
		out.TZZ[i], out.Thickness[i] = 0, elementary.Exp(s.lnZ)
	}
	x := float64(2. / 3 * s.lnJ)
	grown := expm1(x) // J^2/3 - 1
	if x > 0.03 || x < -0.03 {
		grown = elementary.Expm1(x)
	}
	// J^-2/3 I1 - 3 = 3 J^-2/3 (third - (J^2/3 - 1))
	out.Energy[i] = float64(1.5*g*(third-grown)) + float64(0.5*p*s.lnJ)
}

// Tangent implements Law.
func (l *NeoHooke) Tangent(in *Input, i int, to *Tangent) {
	fxx, fxy, fyx, fyy := in.FXX[i], in.FXY[i], in.FYX[i], in.FYY[i]
	s := l.at(in.Plane, fxx, fxy, fyx, fyy)
	t := newTrial(fxx, fxy, fyx, fyy, &inverse{xx: 1, yy: 1, zz: 1})
	b := [3]float64{t.l1, t.l2, 1 + s.zz}
	g, trace := float64(l.Shear*s.k), 3+s.xx+s.yy+s.zz
	var d [3][3]float64
	for a := range 3 {
		for c := range 3 {
			d[a][c] = l.Bulk + float64(g*(float64(2./9*trace)-float64(2./3*(b[a]+b[c]))))
			if a == c {
				d[a][c] += float64(2 * g * b[a])
			}
		}
	}
	p := float64(l.Bulk * s.lnJ)
	t1, t2 := float64(g*(b[0]-trace/3))+p, float64(g*(b[1]-trace/3))+p
	t.tangent(to, t1, t2, inPlane(in.Plane, &d))
}

// inPlane returns the derivatives of the stresses in the plane from those of three principal
// stresses by three strains. In plane stress the stress out of the plane stays zero.
func inPlane(plane Plane, d *[3][3]float64) (of [2][2]float64) {
	for a := range 2 {
		for b := range 2 {
			of[a][b] = d[a][b]
			if plane == PlaneStress {
				of[a][b] -= float64(d[a][2]*d[2][b]) / d[2][2]
			}
		}
	}
	return of
}
