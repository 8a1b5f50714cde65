package bulk

import (
	"errors"
	"fmt"
	"math"

	"fdem/materials/elementary"
	"fdem/materials/parameter"
)

// Fibred is transversely isotropic elasticity. Fibres run along one direction in the plane,
// and all directions across them are alike. In the material logarithmic strain h and its
// conjugate stress T, along the fibres (1) and across (2, 3),
//
//	h_1 = T_1/E_1 - nu_12 (T_2 + T_3)/E_1
//	h_2 = T_2/E_2 - nu_12 T_1/E_1 - nu_23 T_3/E_2, h_12 = T_12/(2 G_12)
//
// The direction rotates with the body.
type Fibred struct {
	stress, strain planar  // in plane stress and plane strain
	X, Y           float64 // direction of the fibres at the start, of length 1
	Ratio          float64 // Young's modulus along the fibres over that across
}

// planar is the law in the plane.
type planar struct {
	d      [3][3]float64 // dT/dh, in xx, yy and xy
	across [3]float64    // by T in xx, yy and xy: the stress across in plane strain, the strain across in plane stress
}

func init() {
	none := 0.0
	Register(Model{
		Name:    "fibred",
		Title:   "wood, composites, bedded rock: transversely isotropic, elastic",
		Source:  "S. G. Lekhnitskii, Theory of Elasticity of an Anisotropic Body, 1963; logarithmic strain: C. Miehe, N. Apel and M. Lambrecht, Computer Methods in Applied Mechanics and Engineering 191 (2002) 5383-5425",
		Formula: "h_1 = T_1/E_1 - nu_12 (T_2 + T_3)/E_1\nh_2 = T_2/E_2 - nu_12 T_1/E_1 - nu_23 T_3/E_2\nh_12 = T_12/(2 G_12)\nh = ln(F^T F)/2",
		Parameters: parameter.List{
			{Name: "young_along", Doc: "E_1: Young's modulus along the fibres; young is E_2, that across them", Unit: "Pa", OpenMin: true, Max: math.Inf(1)},
			{Name: "poisson_along", Doc: "nu_12: contraction across the fibres over strain along them; poisson is nu_23, across them", Unit: "1", Min: -10, Max: 10},
			{Name: "shear_along", Doc: "G_12: shear modulus along the fibres, in the plane", Unit: "Pa", OpenMin: true, Max: math.Inf(1)},
			{Name: "direction", Doc: "angle of the fibres against x at the start, anticlockwise; plain numbers are degrees", Unit: "deg", Min: -360, Max: 360, Default: &none},
		},
		New: newFibred,
	})
}

func newFibred(e Elastic, c Constants) (Law, error) {
	along, nu, g := c.Value["young_along"], c.Value["poisson_along"], c.Value["shear_along"]
	if nu*nu >= along/e.Young {
		return nil, fmt.Errorf("poisson_along must be below the root of young_along/young in magnitude, %.4g, got %g", math.Sqrt(along/e.Young), nu)
	}
	if most := 1 - float64(2*nu*nu)*e.Young/along; !(e.Poisson < most) {
		return nil, fmt.Errorf("poisson must be below 1 - 2 poisson_along^2 young/young_along, %.4g, got %g", most, e.Poisson)
	}
	// Compliances: along, across, both.
	s1, s2, s12, s23 := 1/along, 1/e.Young, -nu/along, -e.Poisson/e.Young
	angle := c.Value["direction"] * math.Pi / 180
	l := &Fibred{Ratio: along / e.Young}
	l.Y, l.X = elementary.Sincos(angle)
	l.stress = newPlanar(s1, s2, s12, g, angle, s12, s23)
	z := s2 // no strain across
	l.strain = newPlanar(s1-float64(s12*s12)/z, s2-float64(s23*s23)/z, s12-float64(s12*s23)/z, g, angle, -s12/z, -s23/z)
	for _, p := range []*planar{&l.stress, &l.strain} {
		if d := p.d[0][0] + p.d[1][1]; math.IsNaN(d) || math.IsInf(d, 0) {
			return nil, errors.New("no positive stiffness follows from its constants")
		}
	}
	return l, nil
}

// newPlanar inverts compliances in the fibres' axes and rotates them by an angle. a1 and a2
// are the effects of stress along and across the fibres out of the plane.
func newPlanar(s1, s2, s12, g, angle, a1, a2 float64) (p planar) {
	det := float64(s1*s2) - float64(s12*s12)
	own := [3][3]float64{{s2 / det, -s12 / det, 0}, {-s12 / det, s1 / det, 0}, {0, 0, 2 * g}}
	s, c := elementary.Sincos(angle)
	// Strains in the fibres' axes from those in x and y, and stresses back.
	to := [3][3]float64{
		{float64(c * c), float64(s * s), float64(2 * c * s)},
		{float64(s * s), float64(c * c), float64(-2 * c * s)},
		{float64(-c * s), float64(c * s), float64(c*c) - float64(s*s)},
	}
	back := [3][3]float64{
		{to[0][0], to[0][1], -to[0][2]}, {to[1][0], to[1][1], -to[1][2]}, {-to[2][0], -to[2][1], to[2][2]},
	}
	for i := range 3 {
		for k := range 3 {
			for m := range 3 {
				for n := range 3 {
					p.d[i][k] += float64(back[i][m] * own[m][n] * to[n][k])
				}
			}
		}
		p.across[i] = float64(a1*to[0][i]) + float64(a2*to[1][i])
	}
	return p
}

func (l *Fibred) in(p Plane) *planar {
	if p == PlaneStress {
		return &l.stress
	}
	return &l.strain
}

// Moduli implements Stiff: no stress grows faster with strain than by these
// moduli.
func (l *Fibred) Moduli(p Plane) Moduli {
	d := &l.in(p).d
	most := 0.0
	for i := range 3 { // sum of each row, with shear as the root of 2 times xy
		row := math.Abs(d[i][2]) / math.Sqrt2
		if i == 2 {
			row = math.Abs(d[2][2])
		}
		for k := range 2 {
			size := math.Abs(d[i][k])
			if i == 2 {
				size *= math.Sqrt2
			}
			row += size
		}
		most = max(most, row)
	}
	return Moduli{C11: most, G: 0.5 * most}
}

// Memory returns nil.
func (*Fibred) Memory() []Value { return nil }

// at returns the strain of triangle i and its conjugate stress, in xx, yy and xy.
func (l *Fibred) at(in *Input, i int) (w logarithm, h, t [3]float64) {
	w = newLogarithm(in.FXX[i], in.FXY[i], in.FYX[i], in.FYY[i])
	h = [3]float64{float64(0.5*w.trace) + float64(w.b*w.dxx), float64(0.5*w.trace) - float64(w.b*w.dxx), float64(w.b * w.dxy)}
	return w, h, stresses(&l.in(in.Plane).d, &h)
}

// Eval implements Law.
func (l *Fibred) Eval(in *Input, out *Output) {
	p := l.in(in.Plane)
	for i := range in.FXX {
		w, h, t := l.at(in, i)
		out.TXX[i], out.TYY[i], out.TXY[i] = pushed(in, i, w.second(t[0], t[1], t[2]))
		across := dot3(&p.across, &t)
		out.TZZ[i], out.Thickness[i] = across, 1
		if in.Plane == PlaneStress {
			out.TZZ[i], out.Thickness[i] = 0, elementary.Exp(across)
		}
		out.Energy[i] = 0.5 * (float64(t[0]*h[0]) + float64(t[1]*h[1]) + float64(2*t[2]*h[2]))
	}
}

// Tangent implements Law.
func (l *Fibred) Tangent(in *Input, i int, to *Tangent) {
	w, _, t := l.at(in, i)
	w.tangent(in, i, to, t[0], t[1], t[2], &l.in(in.Plane).d)
}
