package bulk

import (
	"errors"
	"fmt"
	"math"

	"fdem/materials/elementary"
	"fdem/materials/parameter"
)

// HoekBrown is the plasticity of jointed rock by the criterion of Hoek and Brown, with flow of a
// constant dilation, a cut-off of tension, and a fall of strength from one rock mass to another. On
// principal Kirchhoff stresses t_1 >= t_2 >= t_3, tension positive,
//
//	f = t_1 - t_3 - S (s - m t_1/S)^a,  f_t = t_1 - T
//	m = m_i exp((GSI - 100)/(28 - 14 D)),  s = exp((GSI - 100)/(9 - 3 D))
//	a = 1/2 + (exp(-GSI/15) - exp(-20/3))/6
//
// (E. Hoek, C. Carranza-Torres and B. Corkum, NARMS-TAC 2002, equations 2 to 5). The return is by
// active sets of faces, as in MohrCoulomb; the multipliers of curved faces are found by Newton's
// method. As f is convex, each tangent is beyond the surface, so that the iteration does not
// overshoot.
type HoekBrown struct {
	hooke
	Softening
	Intact         float64  // S: uniaxial strength of intact rock [Pa]
	Peak, Residual RockMass // at first, and without the strength that softening takes
	cut            float64  // tensile strength over that of the criterion
	sinFlow        float64
	least          chords
	stress, strain curved // in plane stress and plane strain
}

// RockMass is the strength of a rock mass over that of intact rock: S (S_m + m p/S)^a at the
// confining pressure p.
type RockMass struct{ M, S, A float64 }

// massOf returns the constants of a rock mass (Hoek, Carranza-Torres and Corkum, 2002).
func massOf(mi, gsi, disturbance float64) RockMass {
	return RockMass{
		float64(mi * elementary.Exp((gsi-100)/(28-float64(14*disturbance)))),
		elementary.Exp((gsi - 100) / (9 - float64(3*disturbance))),
		0.5 + (elementary.Exp(-gsi/15)-elementary.Exp(-20./3))/6,
	}
}

func init() {
	none := 0.0
	Register(Model{
		Name:    "hoek-brown",
		Title:   "jointed rock: Hoek and Brown's strength of rock masses with dilation, tension cut-off and a fall to residual strength",
		Source:  "E. Hoek, C. Carranza-Torres and B. Corkum, Hoek-Brown failure criterion, 2002 edition, NARMS-TAC 1 (2002) 267-273, equations 2 to 5; return: J. Clausen and L. Damkilde, International Journal of Rock Mechanics and Mining Sciences 45 (2008) 831-847; finite strain: E. A. de Souza Neto, D. Peric and D. R. J. Owen, Computational Methods for Plasticity, 2008, section 14.4",
		Formula: "f = t_1 - t_3 - S (s - m t_1/S)^a\nf_t = t_1 - T\nm = m_i exp((GSI - 100)/(28 - 14 D))\ns = exp((GSI - 100)/(9 - 3 D))\na = 1/2 + (exp(-GSI/15) - exp(-20/3))/6\ntau = K tr e + 2 G dev e, e = ln(b)/2",
		Parameters: append(parameter.List{
			{Name: "intact_strength", Doc: "S: uniaxial compressive strength of intact rock", Unit: "Pa", OpenMin: true, Max: math.Inf(1)},
			{Name: "mi", Doc: "m_i: constant of intact rock, 7 for claystone to 33 for granite", Unit: "1", Min: 2, Max: 40},
			{Name: "gsi", Doc: "GSI: geological strength index of the rock mass, 100 for intact rock", Unit: "1", Min: 5, Max: 100},
			{Name: "disturbance", Doc: "D: disturbance by blasting and relaxation, 0 to 1", Unit: "1", Max: 1, Default: &none},
			{Name: "dilation_angle", Doc: "psi: dilation angle, by which the volume grows in shear; where the friction angle of the curved strength is less, that counts; plain numbers are degrees", Unit: "deg", Max: 89, Default: &none},
			{Name: "tensile_strength", Doc: "T: greatest tension, at most s S/m", Unit: "Pa", Max: math.Inf(1), Else: "the most that is possible"},
			{Name: "residual_gsi", Doc: "geological strength index to which softening takes the rock mass; m, s and a fall in proportion", Unit: "1", Min: 5, Max: 100, Else: "without"},
		}, softeningParameters...),
		Groups: softeningGroup,
		Curves: []Curve{softeningCurve},
		New:    newHoekBrown,
	})
}

func newHoekBrown(e Elastic, c Constants) (Law, error) {
	mi, gsi, d := c.Value["mi"], c.Value["gsi"], c.Value["disturbance"]
	l := &HoekBrown{hooke: newHooke(e), Intact: c.Value["intact_strength"], Peak: massOf(mi, gsi, d), cut: 1}
	l.Residual = l.Peak
	tension := l.Peak.S * l.Intact / l.Peak.M
	if t, given := c.Value["tensile_strength"]; given {
		if t > tension*(1+1e-12) {
			return nil, fmt.Errorf("tensile_strength must be at most that of the criterion, s S/m, %.6g Pa, got %g", tension, t)
		}
		l.cut = min(1, t/tension)
	}
	var err error
	if l.Softening, err = newSoftening(e.Young, l.cut*tension, c); err != nil {
		return nil, err
	}
	residual, given := c.Value["residual_gsi"]
	switch {
	case given && !l.Softens():
		return nil, errors.New("residual_gsi needs softening, an energy or a curve, by which the strength falls to it")
	case !given && l.Softens():
		return nil, errors.New("softening needs residual_gsi, to which the strength falls")
	case given && residual > gsi:
		return nil, fmt.Errorf("residual_gsi must be at most gsi, %g, got %g", gsi, residual)
	case given:
		l.Residual = massOf(mi, residual, d)
	}
	l.sinFlow = elementary.Sin(float64(c.Value["dilation_angle"]*math.Pi) / 180)
	l.least = newChords(l.Peak.A)
	l.stress, l.strain = newCurved(l.matrix(PlaneStress), PlaneStress), newCurved(l.matrix(PlaneStrain), PlaneStrain)
	return l, nil
}

// Memory implements Law.
func (l *HoekBrown) Memory() []Value { return l.memory() }

// Symmetric implements Unsymmetric.
func (l *HoekBrown) Symmetric() error {
	return errors.New("hoek-brown flows with a dilation of its own, so that the tangent is not symmetric: take type = \"dynamic\" with damping")
}

// EquivalentMohrCoulomb returns the cohesion [Pa] and the friction angle [rad] of the straight
// strength that fits the curved one up to a confining pressure [Pa] (Hoek, Carranza-Torres and
// Corkum, 2002, equations 12 and 13).
func (l *HoekBrown) EquivalentMohrCoulomb(confinement float64) (cohesion, friction float64) {
	m, a := l.Peak, l.Peak.A
	n := confinement / l.Intact
	within := m.S + float64(m.M*n)
	power := elementary.Pow(within, a-1)
	slope := float64(6 * a * m.M * power)
	product := float64((1 + a) * (2 + a))
	friction = elementary.Asin(slope / (float64(2*product) + slope))
	cohesion = l.Intact * (float64((1+float64(2*a))*m.S) + float64((1-a)*m.M*n)) * power / (product * math.Sqrt(1+slope/product))
	return cohesion, friction
}

// Derived implements Derived: the constants of the rock mass, its strength, and the cohesion and
// friction angle that fit up to some confining pressures.
func (l *HoekBrown) Derived() []Number {
	p := l.Peak
	out := []Number{
		{"m", "1", p.M}, {"s", "1", p.S}, {"a", "1", p.A},
		{"uniaxial compressive strength of the rock mass", "Pa", l.Intact * elementary.Pow(p.S, p.A)},
		{"tensile strength of the rock mass", "Pa", l.cut * p.S * l.Intact / p.M},
	}
	for _, share := range []float64{20, 10, 4} {
		c, phi := l.EquivalentMohrCoulomb(l.Intact / share)
		up := fmt.Sprintf(", confined by up to S/%g = %.4g MPa", share, l.Intact/share/1e6)
		out = append(out, Number{"cohesion of the equivalent mohr-coulomb" + up, "Pa", c}, Number{"its friction angle", "deg", phi * 180 / math.Pi})
	}
	return out
}

// nearEnd is the share of the criterion's tensile strength that the cut-off leaves out: at the end
// itself the strength has an infinite slope.
const nearEnd = 1e-4

// mass returns the rock mass at a share of the strength that softening takes, 1 at first.
func (l *HoekBrown) mass(share float64) yielding {
	between := func(peak, residual float64) float64 { return residual + float64(share*(peak-residual)) }
	p, r := l.Peak, l.Residual
	y := yielding{m: between(p.M, r.M), s: between(p.S, r.S), a: between(p.A, r.A), intact: l.Intact}
	y.tension = float64(l.cut*y.s*y.intact*(1-nearEnd)) / y.m
	y.from = float64(nearEnd * y.s)
	y.power = elementary.Pow(y.from, y.a-1)
	return y
}

// surface returns the faces in a plane state.
func (l *HoekBrown) surface(p Plane) *curved {
	if p == PlaneStress {
		return &l.stress
	}
	return &l.strain
}

// Eval implements Law.
func (l *HoekBrown) Eval(in *Input, out *Output) {
	if in.Plane == PlaneStrain {
		l.elastic(in, out)
	}
	whole := l.mass(1)
	for i := range in.FXX {
		opened, rate := l.begin(in, i)
		if in.Plane == PlaneStrain && opened == 0 && l.within(out, i, &whole) {
			l.end(out, i, opened)
			continue
		}
		w := beginFlow(in, i)
		t, opens, across, flows := l.back(in.Plane, &w.strain, opened, rate)
		w.end(&l.hooke, in, out, i, &t, flows, across)
		l.end(out, i, opened+opens)
	}
}

// Share implements Sharing.
func (l *HoekBrown) Share(in *Input, out *Output, volume []float64) { l.share(l, in, out, volume) }

// PairTangent implements Sharing.
func (l *HoekBrown) PairTangent(in *Input, volume [2]float64) *PairTangent {
	return l.pairTangent(l, in, volume)
}

// returned implements pairing.
func (l *HoekBrown) returned(e [3]float64, opened, rate float64) (t [3]float64, opens float64, flows bool) {
	t, opens, _, flows = l.back(PlaneStrain, &e, opened, rate)
	return t, opens, flows
}

// reserve implements pairing, with the slope of the strength at the stress, as for mohr-coulomb.
func (l *HoekBrown) reserve(t [3]float64, opened, rate float64) float64 {
	y := l.mass(l.factor(opened * rate))
	most, least := max(t[0], t[2]), min(t[1], t[2])
	strength, slope := y.strength(most)
	n := 1 + slope // n = (1 + slope, 0, -1)
	shear := (strength - (most - least)) / math.Sqrt(float64(2*(float64(n*n)+1-float64((n-1)*(n-1)*(1./3)))))
	return min(shear, float64(0.5*math.Sqrt(3)*(y.tension-most)))
}

// within tells whether the stress of triangle i in plane strain is surely within the yield surface
// of the whole rock mass.
func (l *HoekBrown) within(out *Output, i int, whole *yielding) bool {
	most, least := out.principal(i)
	b := whole.s - float64(whole.m*most)/l.Intact
	return most <= whole.tension && most-least <= float64(l.Intact*l.least.below(b))
}

// back returns the principal stresses that belong to principal strains, the growth of the softening
// strain, and the plastic strain across the plane in plane stress.
func (l *HoekBrown) back(plane Plane, e *[3]float64, opened, rate float64) (t [3]float64, opens, across float64, flows bool) {
	order := sorted(plane, e)
	s := l.surface(plane)
	trial := stresses(&s.stiffness, &[3]float64{e[order[0]], e[order[1]], e[order[2]]})
	y := l.mass(l.factor(opened * rate))
	r := s.back(trial, &y, l.sinFlow)
	if r.flows && l.Softens() {
		// The growth x that the return with the strength after it gives. It is more, the weaker
		// the rock: x lies between what the strength now and that without what softens give.
		low, high := r.opens, 0.0
		at := func(x float64) float64 {
			y = l.mass(l.factor((opened + x) * rate))
			r = s.back(trial, &y, l.sinFlow)
			return r.opens
		}
		y = l.mass(0)
		high = s.back(trial, &y, l.sinFlow).opens
		x := low
		for range 200 {
			found := at(x)
			if found > x {
				low = x
			} else {
				high = x
			}
			next := found
			if !(next > low && next < high) {
				next = float64(0.5 * (low + high))
			}
			if math.Abs(next-x) <= float64(1e-15*(opened+x)) || next == low || next == high {
				break
			}
			x = next
		}
	}
	for k, at := range order {
		t[at] = r.t[k]
	}
	return t, r.opens, r.across, r.flows
}

// Tangent implements Law, by differences: a static analysis cannot have the law.
func (l *HoekBrown) Tangent(in *Input, i int, to *Tangent) {
	w := beginFlow(in, i)
	opened, rate := l.begin(in, i)
	t, _, _, _ := l.back(in.Plane, &w.strain, opened, rate)
	var d [2][2]float64
	for q := range d {
		const h = 1e-7
		up, down := w.strain, w.strain
		up[q] += h
		down[q] -= h
		above, _, _, _ := l.back(in.Plane, &up, opened, rate)
		below, _, _, _ := l.back(in.Plane, &down, opened, rate)
		for p := range d {
			d[p][q] = (above[p] - below[p]) / (2 * h)
		}
	}
	w.tangent(to, t[0], t[1], d)
}
