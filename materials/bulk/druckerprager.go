package bulk

import "math"

// DruckerPrager is plasticity with the cone of Drucker and Prager, a smooth form of Mohr
// and Coulomb's pyramid. Its strength depends on the mean stress p, tension positive. It
// has flow with dilation, a cut-off of p and softening,
//
//	f = sqrt(J_2) + eta p - xi c, f_t = p - T
//
// Its constants give the strength of Mohr and Coulomb in plane strain, if the flow is
// associated. A return ends on the cone, on the cut-off or on their edge. In plane stress the
// strain across the plane is found from zero stress there.
type DruckerPrager struct {
	hooke
	Softening
	Eta, EtaFlow, Limit float64 // eta of the strength and of the flow, xi c [Pa]
	Opens               float64 // softening strain of one unit of flow by the cone
}

func init() {
	Register(Model{
		Name:       "drucker-prager",
		Title:      "soil and rock by the mean stress: a smooth mohr-coulomb of plane strain, tension cut-off and softening",
		Source:     "D. C. Drucker and W. Prager, Quarterly of Applied Mathematics 10 (1952) 157-165; E. A. de Souza Neto, D. Peric and D. R. J. Owen, Computational Methods for Plasticity, 2008, sections 6.4.4 and 8.3; finite strain: section 14.4",
		Formula:    "f = sqrt(J_2) + eta p - xi c\nf_t = p - f_0\neta = 3 tan(phi)/sqrt(9 + 12 tan(phi)^2)\nxi = 3/sqrt(9 + 12 tan(phi)^2)\ntau = K tr e + 2 G dev e, e = ln(b)/2\nc = c_0 s, f_0 = T s\ns = exp(-k h T/G_f)",
		Parameters: frictionParameters,
		Groups:     softeningGroup,
		Curves:     []Curve{softeningCurve},
		New:        newDruckerPrager,
	})
}

func newDruckerPrager(e Elastic, c Constants) (Law, error) {
	a, soft, err := newFriction(e, c)
	if err != nil {
		return nil, err
	}
	cone := func(sin, cos float64) (eta, xi float64) {
		root := math.Sqrt(float64(9*cos*cos) + float64(12*sin*sin))
		return 3 * sin / root, 3 * cos / root
	}
	l := &DruckerPrager{hooke: newHooke(e), Softening: soft, Opens: 1}
	var xi float64
	l.Eta, xi = cone(a.sin, a.cos)
	l.EtaFlow, _ = cone(a.sinFlow, a.cosFlow)
	l.Limit = xi * a.cohesion
	if soft.Energy > 0 { // then associated flow takes that energy for any strain path
		l.Opens = l.Limit / soft.Tensile
	}
	return l, nil
}

// Memory implements Law.
func (l *DruckerPrager) Memory() []Value { return l.memory() }

// Symmetric implements Unsymmetric.
func (l *DruckerPrager) Symmetric() error { return l.symmetric() }

// end is the part of the yield surface on which the return ends.
type end int8

// The parts of the yield surface.
const (
	within end = iota
	onCone
	onCutOff
	onEdge
)

// coned is a return to the cone.
type coned struct {
	end
	t            [3]float64
	s            [3]float64 // deviatoric trial stress
	root, rest   float64    // sqrt J_2 of the trial and of the stress
	opens, slope float64    // growth of the softening strain, and its decrease by a unit of strength
	factor       float64    // of the strength
}

// back returns the stress of trial strains on the yield surface, or within it.
func (l *DruckerPrager) back(e *[3]float64, opened, rate float64) (r coned) {
	v := e[0] + e[1] + e[2]
	p := float64(l.Bulk * v)
	square := 0.0
	for i := range r.s {
		r.s[i] = float64(2 * l.Shear * (e[i] - v/3))
		square += float64(0.5 * r.s[i] * r.s[i])
	}
	r.root = math.Sqrt(square)
	r.rest, r.factor = r.root, l.factor(opened*rate)
	if over := p > r.factor*l.Tensile; over || r.root+float64(l.Eta*p) > r.factor*l.Limit {
		p = l.ends(&r, p, over, opened, rate)
	}
	scale := 1.0
	if r.root > 0 {
		scale = r.rest / r.root
	}
	for i := range r.t {
		r.t[i] = p + float64(scale*r.s[i])
	}
	return r
}

// ends finds the part of the surface on which a trial beyond it ends, and
// returns the mean stress there.
func (l *DruckerPrager) ends(r *coned, p float64, over bool, opened, rate float64) float64 {
	soften := func(most, slope float64) float64 {
		r.slope = slope
		if l.Softens() {
			r.opens = l.opens(most, slope, opened, rate)
			r.factor = l.factor((opened + r.opens) * rate)
		}
		return r.factor
	}
	edge := l.Limit - float64(l.Eta*l.Tensile) // sqrt J_2 at which cone and cut-off meet
	first := r.factor
	if over {
		if s := soften(p/l.Bulk, l.Tensile/l.Bulk); r.root <= float64(s*edge) {
			r.end = onCutOff
			return s * l.Tensile
		}
		r.factor = first
	}
	stiff := l.Shear + float64(l.Bulk*l.Eta*l.EtaFlow)
	beyond := r.root + float64(l.Eta*p)
	s := soften(l.Opens*beyond/stiff, l.Opens*l.Limit/stiff)
	g := (beyond - float64(s*l.Limit)) / stiff
	if mean, rest := p-float64(l.Bulk*l.EtaFlow*g), r.root-float64(l.Shear*g); mean <= s*l.Tensile && rest >= 0 {
		r.end, r.rest = onCone, rest
		return mean
	}
	r.factor = first
	by := (l.Opens - l.EtaFlow) / l.Shear
	s = soften(float64(by*r.root)+p/l.Bulk, float64(by*edge)+l.Tensile/l.Bulk)
	r.end, r.rest = onEdge, s*edge
	return s * l.Tensile
}

// tangent returns the derivatives of the stresses by the trial's strains.
func (l *DruckerPrager) tangent(r *coned, opened, rate float64) (d [3][3]float64) {
	fall := 0.0 // of the strength by the softening strain
	if r.end != within {
		fall = float64(l.slope((opened+r.opens)*rate) * rate)
		fall /= 1 + float64(fall*r.slope)
	}
	edge := l.Limit - float64(l.Eta*l.Tensile)
	stiff := l.Shear + float64(l.Bulk*l.Eta*l.EtaFlow)
	for j := range 3 {
		dp, droot := l.Bulk, 0.0
		if r.root > 0 {
			droot = l.Shear * r.s[j] / r.root
		}
		mean, rest := dp, droot
		switch r.end {
		case onCone:
			beyond := droot + float64(l.Eta*dp)
			g := (beyond - float64(fall*l.Opens*beyond/stiff*l.Limit)) / stiff
			mean, rest = dp-float64(l.Bulk*l.EtaFlow*g), droot-float64(l.Shear*g)
		case onCutOff:
			mean = float64(fall * dp / l.Bulk * l.Tensile)
		case onEdge:
			s := fall * (float64((l.Opens-l.EtaFlow)/l.Shear*droot) + dp/l.Bulk)
			mean, rest = s*l.Tensile, s*edge
		}
		for i := range 3 {
			of := float64(-2. / 3 * l.Shear)
			if i == j {
				of += float64(2 * l.Shear)
			}
			if r.root > 0 {
				d[i][j] = float64(r.rest/r.root*(of-float64(r.s[i]/r.root*droot))) + float64(r.s[i]/r.root*rest)
			} else {
				d[i][j] = of
			}
			d[i][j] += mean
		}
	}
	return d
}

// flat is back in plane stress. It sets the strain e[2] for which there is no stress
// across the plane.
func (l *DruckerPrager) flat(e *[3]float64, opened, rate float64) coned {
	e[2] = -l.Poisson / (1 - l.Poisson) * (e[0] + e[1])
	low, high := math.Inf(-1), math.Inf(1)
	step := 0x1p-30 + float64(0.5*(math.Abs(e[0])+math.Abs(e[1])))
	for range 100 {
		r := l.back(e, opened, rate)
		across := r.t[2]
		most := math.Abs(r.t[0]) + math.Abs(r.t[1]) + float64(0x1p-6*l.Young*(math.Abs(e[0])+math.Abs(e[1])))
		if math.Abs(across) <= float64(0x1p-50*most) {
			r.t[2] = 0
			return r
		}
		if across > 0 {
			high = e[2]
		} else {
			low = e[2]
		}
		d := l.tangent(&r, opened, rate)
		next := e[2] - across/d[2][2]
		switch {
		case next > low && next < high && math.Abs(next-e[2]) < 4*step:
		case math.IsInf(high, 1):
			next, step = e[2]+step, float64(4*step)
		case math.IsInf(low, -1):
			next, step = e[2]-step, float64(4*step)
		default:
			next = float64(0.5 * (low + high))
		}
		if next == e[2] || next == low || next == high {
			r.t[2] = 0
			return r
		}
		e[2] = next
	}
	r := l.back(e, opened, rate)
	r.t[2] = 0
	return r
}

// at returns a triangle's stress in either plane state. In plane stress it sets
// e[2].
func (l *DruckerPrager) at(plane Plane, e *[3]float64, opened, rate float64) coned {
	if plane == PlaneStress {
		return l.flat(e, opened, rate)
	}
	return l.back(e, opened, rate)
}

// within tells whether the stress of triangle i in plane strain is within the yield surface.
func (l *DruckerPrager) within(out *Output, i int, strength float64) bool {
	p, root := out.invariants(i)
	return root+float64(l.Eta*p) <= float64(strength*l.Limit) && p <= float64(strength*l.Tensile)
}

// Eval implements Law.
func (l *DruckerPrager) Eval(in *Input, out *Output) {
	if in.Plane == PlaneStrain {
		l.elastic(in, out)
	}
	for i := range in.FXX {
		opened, rate := l.begin(in, i)
		if in.Plane == PlaneStrain && l.within(out, i, l.factor(opened*rate)) {
			l.end(out, i, opened)
			continue
		}
		w := beginFlow(in, i)
		r := l.at(in.Plane, &w.strain, opened, rate)
		across := 0.0
		if in.Plane == PlaneStress {
			across = w.strain[2] + float64(l.Poisson*(r.t[0]+r.t[1])/l.Young)
		}
		w.end(&l.hooke, in, out, i, &r.t, r.end != within, across)
		l.end(out, i, opened+r.opens)
	}
}

// Share implements Sharing.
func (l *DruckerPrager) Share(in *Input, out *Output, volume []float64) { l.share(l, in, out, volume) }

// PairTangent implements Sharing.
func (l *DruckerPrager) PairTangent(in *Input, volume [2]float64) *PairTangent {
	return l.pairTangent(l, in, volume)
}

// returned implements pairing.
func (l *DruckerPrager) returned(e [3]float64, opened, rate float64) (t [3]float64, opens float64, flows bool) {
	r := l.back(&e, opened, rate)
	return r.t, r.opens, r.end != within
}

// reserve implements pairing.
func (l *DruckerPrager) reserve(t [3]float64, opened, rate float64) float64 {
	p, square := float64((t[0]+t[1]+t[2])*(1./3)), 0.0
	for i := range t {
		square += float64(0.5 * (t[i] - p) * (t[i] - p))
	}
	return float64(l.factor(opened*rate)*l.Limit) - math.Sqrt(square) - float64(l.Eta*p)
}

// Tangent implements Law.
func (l *DruckerPrager) Tangent(in *Input, i int, to *Tangent) {
	w := beginFlow(in, i)
	opened, rate := l.begin(in, i)
	r := l.at(in.Plane, &w.strain, opened, rate)
	d := l.tangent(&r, opened, rate)
	if in.Plane == PlaneStress && d[2][2] == 0 {
		d[2][2] = l.Young // without strength
	}
	w.tangent(to, r.t[0], r.t[1], inPlane(in.Plane, &d))
}
