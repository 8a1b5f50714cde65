package bulk

import (
	"errors"
	"fmt"
	"math"

	"fdem/materials/elementary"
	"fdem/materials/parameter"
)

// JohnsonCook is von Mises' plasticity of metals at high rates and temperatures:
//
//	sy = (A + B a^n) (1 + C ln(max(a'/r, 1))) (1 - T*^m), T* = (T - Tr)/(Tm - Tr)
//
// The rate a' is that of the step, so the return is implicit in it. Plastic work heats the
// material without conduction (Taylor and Quinney): T = Tr + chi w/(rho cp). The work w is
// that up to the step before. This makes an error of the first order in the step, which is
// small beside all others.
type JohnsonCook struct {
	hooke                          hooke
	A, B, N, C, Rate, M            float64
	Room, Range, Heating, softness float64 // Tr, Tm - Tr [K], chi/(rho cp) [K m3/J]; 1 with thermal softening, else 0
	memory                         []Value
}

// meltedStrength is the part of its strength that melted metal keeps, so that
// the strength is not zero.
const meltedStrength = 1e-6

const temperatureAt = 6

func init() {
	none, one, chi, room := 0.0, 1.0, 0.9, 293.0
	Register(Model{
		Name:    "johnson-cook",
		Title:   "metal at high rates and temperatures: von Mises by Johnson and Cook, heated by its plastic work",
		Source:  "G. R. Johnson and W. H. Cook, Proceedings of the 7th International Symposium on Ballistics, 1983, 541-547; heat: G. I. Taylor and H. Quinney, Proceedings of the Royal Society A 143 (1934) 307-326; return: as j2",
		Formula: "s_y = (A + B a^n) (1 + C ln(max(a_t/r, 1))) (1 - T^m)\nT = (t - t_r)/(t_m - t_r)\nt = t_r + x w/(rho c_p)\nq = sqrt(3/2) |dev tau|\ntau = K tr e + 2 G dev e, e = ln(b)/2",
		Parameters: parameter.List{
			{Name: "a", Doc: "A: yield stress at the reference rate and room temperature", Unit: "Pa", OpenMin: true, Max: math.Inf(1)},
			{Name: "b", Doc: "B: factor of hardening", Unit: "Pa", Max: math.Inf(1), Default: &none},
			{Name: "n", Doc: "n: exponent of the plastic strain", Unit: "1", OpenMin: true, Max: math.Inf(1), Default: &one},
			{Name: "c", Doc: "C: factor of the rate", Unit: "1", Max: math.Inf(1), Default: &none},
			{Name: "rate", Doc: "r: reference rate of plastic strain, below which the rate has no effect", Unit: "1/s", OpenMin: true, Max: math.Inf(1), Default: &one},
			{Name: "m", Doc: "m: exponent of the temperature", Unit: "1", OpenMin: true, Max: math.Inf(1), Default: &one},
			{Name: "melting", Doc: "t_m: melting temperature, at which the strength is zero, a plain number in kelvins", Unit: "K", OpenMin: true, Max: math.Inf(1), Else: "without"},
			{Name: "room", Doc: "t_r: temperature at the start and reference of the thermal softening, a plain number in kelvins", Unit: "K", OpenMin: true, Max: math.Inf(1), Default: &room},
			{Name: "heat_capacity", Doc: "c_p: heat per kilogram and kelvin; without it the temperature is constant", Unit: "J/(kg K)", OpenMin: true, Max: math.Inf(1), Else: "without"},
			{Name: "taylor_quinney", Doc: "x: fraction of the plastic work that becomes heat", Unit: "1", Max: 1, Default: &chi},
		},
		New: newJohnsonCook,
	})
}

func newJohnsonCook(e Elastic, c Constants) (Law, error) {
	v := c.Value
	l := &JohnsonCook{hooke: newHooke(e), A: v["a"], B: v["b"], N: v["n"], C: v["c"], Rate: v["rate"], M: v["m"], Room: v["room"]}
	heat, heats := v["heat_capacity"]
	melting, melts := v["melting"]
	switch {
	case heats && !melts:
		return nil, errors.New("heat_capacity goes with melting: without it heat has no effect")
	case melts && !heats:
		return nil, errors.New("melting goes with heat_capacity: without it the temperature is constant")
	case melts && !(melting > l.Room):
		return nil, fmt.Errorf("melting must be above room, %g K, got %g", l.Room, melting)
	}
	if heats {
		l.Range, l.Heating, l.softness = melting-l.Room, v["taylor_quinney"]/(e.Density*heat), 1
	}
	l.memory = append(memoryOfPlasticity[:temperatureAt:temperatureAt], Value{Name: Temperature, Unit: "K", First: l.Room, Shown: true})
	return l, nil
}

// Memory implements Law.
func (l *JohnsonCook) Memory() []Value { return l.memory }

// stepStrength is the strength of a triangle within a step.
type stepStrength struct {
	l       *JohnsonCook
	a       float64 // plastic strain so far
	step    float64 // [s]
	thermal float64 // factor of the temperature
}

func (l *JohnsonCook) strength(in *Input, i int) stepStrength {
	s := stepStrength{l: l, a: in.Mem[strainAt][i], step: in.Step, thermal: 1}
	if t := float64(l.Heating * in.Mem[workAt][i]); l.softness > 0 && t > 0 {
		s.thermal = max(meltedStrength, 1-elementary.Pow(min(1, t/l.Range), l.M))
	}
	return s
}

// at returns the yield stress and its slope for a growth of the plastic strain in the step.
func (s *stepStrength) at(more float64) (stress, slope float64) {
	l, a := s.l, s.a+more
	stress = l.A
	if l.B > 0 && a > 0 {
		p := float64(l.B * elementary.Pow(a, l.N))
		stress += p
		slope = l.N * p / a
	}
	rate, by := 1.0, 0.0
	if of := more / (s.step * l.Rate); l.C > 0 && s.step > 0 && of > 1 {
		rate += float64(l.C * elementary.Log(of))
		by = l.C / more
	}
	slope = float64(s.thermal * (float64(slope*rate) + float64(stress*by)))
	return float64(stress * rate * s.thermal), slope
}

// within tells whether the stress of triangle i in plane strain is within the yield surface.
func (s *stepStrength) within(out *Output, i int) bool {
	_, root := out.invariants(i)
	sy, _ := s.at(0)
	return float64(3*root*root) <= float64(sy*sy)
}

// radial returns the growth of the plastic strain in plane strain for a deviatoric trial
// stress, and the factor of that stress.
func (s *stepStrength) radial(of *[3]float64) (more, scale float64) {
	q := math.Sqrt(float64(1.5 * dot3(of, of)))
	if sy, _ := s.at(0); !(q > sy) {
		return 0, 1
	}
	three := float64(3 * s.l.hooke.Shear)
	more = root(0, q/three, 0.5*q/three, func(g float64) (r, d float64) {
		sy, slope := s.at(g)
		return q - float64(three*g) - sy, -(three + slope)
	})
	return more, 1 - float64(three*more)/q
}

// deviator returns the mean and the deviatoric stress of a trial in plane strain.
func (l *JohnsonCook) deviator(e *[3]float64) (p float64, s [3]float64) {
	v := e[0] + e[1] + e[2]
	for k := range s {
		s[k] = float64(2 * l.hooke.Shear * (e[k] - v/3))
	}
	return float64(l.hooke.Bulk * v), s
}

// ElasticResponse implements Yielding.
func (l *JohnsonCook) ElasticResponse() Law { return l.hooke.elasticResponse }

// Eval implements Law.
func (l *JohnsonCook) Eval(in *Input, out *Output) {
	if in.Plane == PlaneStrain {
		l.hooke.elastic(in, out)
	}
	for i := range in.FXX {
		y := l.strength(in, i)
		if in.Plane == PlaneStrain && y.within(out, i) {
			out.Mem[temperatureAt][i] = in.Mem[temperatureAt][i]
			continue
		}
		w := beginFlow(in, i)
		var t [3]float64
		across, more := 0.0, 0.0
		if in.Plane == PlaneStress {
			p := l.hooke.elasticResponse.projected(w.strain[0], w.strain[1], y.at)
			t[0], t[1], more = p.t1, p.t2, p.more
			across = -p.flow / 3 * (p.t1 + p.t2)
		} else {
			mean, s := l.deviator(&w.strain)
			var scale float64
			more, scale = y.radial(&s)
			for k := range t {
				t[k] = mean + float64(scale*s[k])
			}
		}
		w.end(&l.hooke, in, out, i, &t, more > 0, across)
		out.Mem[strainAt][i] = y.a + more // the solution of the return
		out.Mem[temperatureAt][i] = l.Room + float64(l.Heating*out.Mem[workAt][i])
	}
}

// Tangent implements Law.
func (l *JohnsonCook) Tangent(in *Input, i int, to *Tangent) {
	w, y := beginFlow(in, i), l.strength(in, i)
	if in.Plane == PlaneStress {
		p := l.hooke.elasticResponse.projected(w.strain[0], w.strain[1], y.at)
		_, slope := y.at(p.more)
		w.tangent(to, p.t1, p.t2, l.hooke.elasticResponse.tangentStress(p, slope))
		return
	}
	mean, s := l.deviator(&w.strain)
	more, scale := y.radial(&s)
	_, slope := y.at(more)
	w.tangent(to, mean+float64(scale*s[0]), mean+float64(scale*s[1]), l.hooke.elasticResponse.tangentStrain(&s, more, scale, slope))
}
