package bulk

import (
	"errors"
	"math"

	"fdem/materials/elementary"
	"fdem/materials/parameter"
)

// J2 is the plasticity of Huber, von Mises and Hencky with isotropic hardening, for metals
// and for saturated clay. Elasticity and the return are in logarithmic strains.
//
//	f = q - sy(a) <= 0, q = sqrt(3/2) |dev tau|
//
// In plane strain the return is radial (de Souza Neto, Peric and Owen, box 7.4; Simo and
// Hughes, box 3.1). In plane stress it is projected (Simo and Taylor, 1986; de Souza Neto,
// Peric and Owen, boxes 9.4 and 9.5).
type J2 struct {
	Bulk, Shear, Young, Poisson float64
	Hardening
	constants *fours
}

func init() {
	none := 0.0
	Register(Model{
		Name:    "j2",
		Title:   "metal, or undrained clay: elastic and plastic, von Mises with isotropic hardening",
		Source:  "E. A. de Souza Neto, D. Peric and D. R. J. Owen, Computational Methods for Plasticity, 2008, boxes 7.4, 9.4 and 9.5; finite strain: section 14.4; hardening: E. Voce, Journal of the Institute of Metals 74 (1948) 537-562",
		Formula: "f = q - s_y(a)\nq = sqrt(3/2) |dev tau|\ntau = K tr e + 2 G dev e, e = ln(b)/2\ns_y = s_0 + H a + Q (1 - exp(-b a))",
		Parameters: parameter.List{
			{Name: "yield_stress", Doc: "s_0: initial yield stress in tension; a hardening_curve contains it", Unit: "Pa", Max: math.Inf(1), Default: &none},
			{Name: "hardening", Doc: "H: hardening modulus, the growth of the yield stress with the plastic strain a", Unit: "Pa", Max: math.Inf(1), Default: &none},
			{Name: "voce.q", Doc: "Q: total growth of the yield stress by saturation", Unit: "Pa", Max: math.Inf(1), Default: &none},
			{Name: "voce.b", Doc: "b: rate of the saturation over the plastic strain", Unit: "1", Max: math.Inf(1), Default: &none},
		},
		Groups: map[string]string{"voce": "saturation of the yield stress (Voce): q is its total growth, b its rate"},
		Curves: []Curve{{Name: "hardening_curve", Doc: "yield stress over plastic strain, [[0, stress], ...], stress true and strain logarithmic; linear between the points, continued with the last slope", X: "1", Y: "Pa"}},
		New:    newJ2,
	})
}

func newJ2(e Elastic, c Constants) (Law, error) {
	k, g := e.BulkShear()
	l := &J2{k, g, e.Young, e.Poisson, Hardening{c.Value["yield_stress"], c.Value["hardening"], c.Value["voce.q"], c.Value["voce.b"], c.Curve["hardening_curve"]}, newFours(k, g)}
	switch {
	case l.Table != nil && (l.Yield > 0 || l.Slope > 0 || l.Q > 0):
		return nil, errors.New("hardening_curve contains the yield stress and its growth: leave yield_stress, hardening and voce out")
	case l.Table == nil && !(l.Yield > 0):
		return nil, errors.New("it needs yield_stress or a hardening_curve")
	case (l.Q > 0) != (l.B > 0):
		return nil, errors.New("voce needs both q and b, above 0")
	}
	if err := l.check(); err != nil {
		return nil, err
	}
	// The yield stress, or its least value if it is not linear.
	of := l.constants
	of.yield, of.slope = times4(l.Yield), times4(l.Slope)
	if l.Table != nil {
		of.yield = times4(l.Table[0][1])
	}
	if l.linear() {
		of.stiff = times4(float64(3*l.Shear) + l.Slope)
	}
	return l, nil
}

// Indices of the values in the memory after the inverse.
const (
	strainAt = 4 // plastic strain
	workAt   = 5
)

var memoryOfPlasticity = append(memoryOfInverse[:4:4],
	Value{Name: PlasticStrain, Unit: "1", Shown: true},
	Value{Name: PlasticWork, Unit: "J/m3"})

// Memory implements Law.
func (*J2) Memory() []Value { return memoryOfPlasticity }

// Eval implements Law.
func (l *J2) Eval(in *Input, out *Output) {
	if in.Plane == PlaneStress {
		l.evalStress(in, out)
		return
	}
	for i, tried, n := 0, 0, len(in.FXX); i < n; {
		if in.Vector && in.Across == nil {
			if tried <= i {
				tried = i + l.trial(in, out, i)
			}
			i += l.rest(in, out, i, tried-i)
		}
		for end := min(i+len(four{}), n); i < end; i++ {
			l.one(in, out, i)
		}
	}
	if in.tracksWork() {
		l.addWork(in, out)
	}
}

// addWork adds the work of plastic flow in plane strain by the trapezoidal rule. s is the
// deviatoric stress, and a the growth of the plastic strain, d eps_p = 3/2 a s/q:
//
//	D = d eps_p : (tau_n + tau_n+1)/2 = a (q + 3/2 G (a - d eps : s/q)), tau_n = tau_n+1 + C : (d eps_p - d eps)
//
// If the triangle begins to yield within the step, this is less than the yield stress times a.
func (l *J2) addWork(in *Input, out *Output) {
	before, after := in.Mem[strainAt], out.Mem[strainAt]
	from := 0
	for from < len(before) && after[from] == before[from] {
		from++
	}
	if from == len(before) {
		return
	}
	in.earlier()
	if in.Vector && in.Across == nil {
		from += l.addWorkFours(in, out, from)
	}
	for i := from; i < len(before); i++ {
		if more := after[i] - before[i]; more != 0 {
			l.addWorkOne(in, out, i, more)
		}
	}
}

// addWorkOne is addWork for triangle i, whose plastic strain has grown.
func (l *J2) addWorkOne(in *Input, out *Output, i int, more float64) {
	d := in.increment(i)
	p := float64((out.TXX[i] + out.TYY[i] + out.TZZ[i]) * (1. / 3))
	sxx, syy, szz, sxy := out.TXX[i]-p, out.TYY[i]-p, out.TZZ[i]-p, out.TXY[i]
	q := math.Sqrt(float64(1.5 * (float64(sxx*sxx) + float64(syy*syy) + float64(szz*szz) + float64(2*sxy*sxy))))
	if q == 0 {
		return
	}
	along := (float64(sxx*d.xx) + float64(syy*d.yy) + float64(2*sxy*d.xy) + float64(szz*in.thickening(i))) / q
	out.Mem[workAt][i] = in.Mem[workAt][i] + float64(more*(q+float64(1.5*l.Shear*(more-along))))
}

// one is Eval for triangle i in plane strain.
func (l *J2) one(in *Input, out *Output, i int) {
	fxx, fxy, fyx, fyy := in.FXX[i], in.FXY[i], in.FYX[i], in.FYY[i]
	g, a, w := inverseOf(in, i), in.Mem[strainAt][i], in.Mem[workAt][i]
	t := newTrial(fxx, fxy, fyx, fyy, &g)
	e1, e2, e3 := halfLog(t.l1), halfLog(t.l2), halfLog(g.zz)
	v := e1 + e2 + e3
	third, p := float64(v*(1./3)), float64(l.Bulk*v)
	s1, s2, s3 := float64(2*l.Shear*(e1-third)), float64(2*l.Shear*(e2-third)), float64(2*l.Shear*(e3-third))
	if more, scale := l.back(s1, s2, s3, a); more > 0 {
		w += l.work(a, more)
		a += more
		s1, s2, s3 = float64(s1*scale), float64(s2*scale), float64(s3*scale)
		per := 0.5 / l.Shear
		g = t.flowed(fxx, fxy, fyx, fyy, float64(s1*per)+third, float64(s2*per)+third)
		g.zz = exp(2 * (float64(s3*per) + third))
	}
	g.put(in, out, i)
	out.Mem[strainAt][i], out.Mem[workAt][i] = a, w
	t.put(out, i, s1+p, s2+p, s3+p)
	out.Thickness[i] = 1
	out.Energy[i] = float64(0.5*p*v) + float64((float64(s1*s1)+float64(s2*s2)+float64(s3*s3))*(0.25/l.Shear))
}

// back returns the growth of the plastic strain that brings a deviatoric trial stress
// back to the yield surface, and the factor of that stress. For a stress within the
// surface they are 0 and 1.
func (l *J2) back(s1, s2, s3, a float64) (more, scale float64) {
	q := math.Sqrt(float64(1.5 * (float64(s1*s1) + float64(s2*s2) + float64(s3*s3))))
	sy, slope := l.at(a)
	f := q - sy
	if !(f > 0) {
		return 0, 1
	}
	three := float64(3 * l.Shear)
	more = f / (three + slope)
	if !l.linear() {
		more = root(0, f/three, more, func(g float64) (r, d float64) {
			sy, slope := l.at(a + g)
			return q - float64(three*g) - sy, -(three + slope)
		})
	}
	return more, 1 - float64(three*more)/q
}

// evalStress is Eval in plane stress.
func (l *J2) evalStress(in *Input, out *Output) {
	strain, work := in.Mem[strainAt], in.Mem[workAt]
	for i := range in.FXX {
		fxx, fxy, fyx, fyy := in.FXX[i], in.FXY[i], in.FYX[i], in.FYY[i]
		g, a, w := inverseOf(in, i), strain[i], work[i]
		t := newTrial(fxx, fxy, fyx, fyy, &g)
		p := l.projected(halfLog(t.l1), halfLog(t.l2), func(more float64) (stress, slope float64) { return l.at(a + more) })
		t1, t2 := p.t1, p.t2
		if p.more > 0 {
			if in.tracksWork() {
				w += l.workStress(in, i, &t, p)
			} else {
				w += l.work(a, p.more)
			}
			a += p.more
			zz := float64(g.zz * elementary.Exp(float64(2./3*p.flow*(t1+t2))))
			g = t.flowed(fxx, fxy, fyx, fyy, (t1-float64(l.Poisson*t2))/l.Young, (t2-float64(l.Poisson*t1))/l.Young)
			g.zz = zz
		}
		g.put(in, out, i)
		out.Mem[strainAt][i], out.Mem[workAt][i] = a, w
		t.put(out, i, t1, t2, 0)
		out.Thickness[i] = elementary.Exp(-l.Poisson/l.Young*(t1+t2)) / math.Sqrt(g.zz)
		out.Energy[i] = 0.5 * (float64(t1*t1) + float64(t2*t2) - float64(2*l.Poisson*t1*t2)) / l.Young
	}
}

// workStress is the work of addWork in plane stress. The principal values of d eps_p
// are g/3 (2 t1 - t2) and g/3 (2 t2 - t1).
func (l *J2) workStress(in *Input, i int, t *trial, p projected) float64 {
	d := in.increment(i)
	mean, half := float64(0.5*(d.xx+d.yy)), float64(0.5*(d.xx-d.yy)*t.cos2)+float64(d.xy*t.sin2)
	p1, p2 := float64(p.flow*(1./3)*(float64(2*p.t1)-p.t2)), float64(p.flow*(1./3)*(float64(2*p.t2)-p.t1))
	e1, e2 := p1-(mean+half), p2-(mean-half)
	of := float64(0.5 * l.Young / (1 - float64(l.Poisson*l.Poisson)))
	t1, t2 := p.t1+float64(of*(e1+float64(l.Poisson*e2))), p.t2+float64(of*(e2+float64(l.Poisson*e1)))
	return float64(p1*t1) + float64(p2*t2)
}

// projected is the result of the return in plane stress: the stresses, the growth of the
// plastic strain, which is 0 without flow, and the factor of plastic flow.
type projected struct{ t1, t2, more, flow float64 }

// projected returns the stress on the yield surface for trial strains e1, e2. at returns the
// yield stress and its slope for a growth of the plastic strain.
func (l *J2) projected(e1, e2 float64, at func(more float64) (stress, slope float64)) projected {
	d := l.Young / (1 - float64(l.Poisson*l.Poisson))
	t1, t2 := float64(d*(e1+float64(l.Poisson*e2))), float64(d*(e2+float64(l.Poisson*e1)))
	sum, difference := t1+t2, t2-t1
	sy, _ := at(0)
	square := float64(0.25*sum*sum) + float64(0.75*difference*difference) // q^2
	if !(square > float64(sy*sy)) {
		return projected{t1: t1, t2: t2}
	}
	c1, c2 := l.Young/(3*(1-l.Poisson)), 2*l.Shear
	// q(g) - sy(a + 2/3 q g) falls with g; q is that of the returned stress.
	equivalent := func(g float64) (q, dq float64) {
		u, w := 1+float64(c1*g), 1+float64(c2*g)
		x, y := sum/u, difference/w
		q = math.Sqrt(float64(0.25*x*x) + float64(0.75*y*y))
		return q, -(float64(0.25*c1*x*x)/u + float64(0.75*c2*y*y)/w) / q
	}
	high := 1 / (2 * l.Shear)
	for q, _ := equivalent(high); q > sy; q, _ = equivalent(high) {
		high *= 2
	}
	flow := root(0, high, 0, func(g float64) (r, dr float64) {
		q, dq := equivalent(g)
		sy, slope := at(float64(2. / 3 * q * g))
		return q - sy, dq - float64(slope*2./3*(q+float64(g*dq)))
	})
	q, _ := equivalent(flow)
	x, y := sum/(1+float64(c1*flow)), difference/(1+float64(c2*flow))
	return projected{0.5 * (x - y), 0.5 * (x + y), float64(2. / 3 * q * flow), flow}
}

// Tangent implements Law.
func (l *J2) Tangent(in *Input, i int, to *Tangent) {
	fxx, fxy, fyx, fyy := in.FXX[i], in.FXY[i], in.FYX[i], in.FYY[i]
	g, a := inverseOf(in, i), in.Mem[strainAt][i]
	t := newTrial(fxx, fxy, fyx, fyy, &g)
	if in.Plane == PlaneStress {
		p := l.projected(halfLog(t.l1), halfLog(t.l2), func(more float64) (stress, slope float64) { return l.at(a + more) })
		_, slope := l.at(a + p.more)
		t.tangent(to, p.t1, p.t2, l.tangentStress(p, slope))
		return
	}
	e1, e2, e3 := halfLog(t.l1), halfLog(t.l2), halfLog(g.zz)
	v := e1 + e2 + e3
	s := [3]float64{float64(2 * l.Shear * (e1 - v/3)), float64(2 * l.Shear * (e2 - v/3)), float64(2 * l.Shear * (e3 - v/3))}
	more, scale := l.back(s[0], s[1], s[2], a)
	_, slope := l.at(a + more)
	t.tangent(to, float64(s[0]*scale)+float64(l.Bulk*v), float64(s[1]*scale)+float64(l.Bulk*v), l.tangentStrain(&s, more, scale, slope))
}

// tangentStrain returns the derivatives of the stresses by trial strains in plane strain, for
// a deviatoric trial stress s.
func (l *J2) tangentStrain(s *[3]float64, more, scale, slope float64) (d [2][2]float64) {
	size := float64(s[0]*s[0]) + float64(s[1]*s[1]) + float64(s[2]*s[2])
	across := 0.0 // component of the flow's direction
	if more > 0 {
		q := math.Sqrt(float64(1.5 * size))
		across = float64(6*l.Shear*l.Shear) * (more/q - 1/(float64(3*l.Shear)+slope))
	}
	for j := range 2 {
		for k := range 2 {
			d[j][k] = l.Bulk - float64(2./3*l.Shear*scale)
			if j == k {
				d[j][k] += float64(2 * l.Shear * scale)
			}
			if more > 0 {
				d[j][k] += float64(across * s[j] * s[k] / size)
			}
		}
	}
	return d
}

// tangentStress returns the derivatives of the stresses by trial strains in plane stress.
func (l *J2) tangentStress(p projected, slope float64) (d [2][2]float64) {
	// Derivatives of the sum and the difference of the stresses by those of the
	// strains.
	c1, c2 := l.Young/(3*(1-l.Poisson)), 2*l.Shear
	of1, of2 := l.Young/(1-l.Poisson), 2*l.Shear
	u, w := 1+float64(c1*p.flow), 1+float64(c2*p.flow)
	m := [2][2]float64{{of1 / u, 0}, {0, of2 / w}}
	if p.more > 0 {
		x, y := p.t1+p.t2, p.t2-p.t1
		q := math.Sqrt(float64(0.25*x*x) + float64(0.75*y*y))
		// r(sum, apart, g) = q - sy = 0; q = sqrt(x^2/4 + 3 y^2/4), x = sum/u, y = apart/w
		keep := 1 - float64(2./3*slope*p.flow)
		dq := -(float64(0.25*c1*x*x)/u + float64(0.75*c2*y*y)/w) / q
		dr := float64(keep*dq) - float64(2./3*slope*q)
		qx, qy := float64(0.25*x)/q, float64(0.75*y)/q
		gx, gy := -keep*qx/u/dr, -keep*qy/w/dr // dg/dsum, dg/dapart
		bx, by := -x*c1/u, -y*c2/w             // dx/dg, dy/dg
		m[0][0], m[0][1] = of1*(1/u+float64(bx*gx)), of2*bx*gy
		m[1][0], m[1][1] = of1*by*gx, of2*(1/w+float64(by*gy))
	}
	// t1 = (x - y)/2, t2 = (x + y)/2 by e1, e2, with the strains' sum e1 + e2 and difference e2 - e1
	d[0][0] = 0.5 * (m[0][0] - m[0][1] - m[1][0] + m[1][1])
	d[0][1] = 0.5 * (m[0][0] + m[0][1] - m[1][0] - m[1][1])
	d[1][0] = 0.5 * (m[0][0] - m[0][1] + m[1][0] - m[1][1])
	d[1][1] = 0.5 * (m[0][0] + m[0][1] + m[1][0] + m[1][1])
	return d
}
