package contact

import (
	"errors"
	"math"
)

// Kostek is the law of rough surfaces with plastic, elasto-plastic and elastic
// deflection in series,
//
//	d = e_p pmax^m_p + d_ep + e_e p^m_e
//
// where pmax is the greatest pressure so far and the elasto-plastic part
// slips only at its bounds, e_l p^m_ep <= d_ep <= e_u p^m_ep: growing along
// the first while loading, shrinking along the second while unloading,
// sticking in between. R. Kostek, J. Theor. Appl. Mech. 50(2), 2012, eqs.
// (2.1) to (2.5) and appendix, driven by the deflection.
//
// Contact is lost below the plastic deflection e_p pmax^m_p, which stays.
type Kostek struct {
	Ep, Mp     float64 // plastic: [m/Pa^Mp], [-]
	Ee, Me     float64 // elastic: [m/Pa^Me], [-]
	El, Eu     float64 // elasto-plastic, loading and unloading: [m/Pa^Mep]
	Mep        float64 // [-]
	least      float64 // the smallest of the three exponents
	springStep float64 // the elasto-plastic spring bears the pressure springStep d_ep^(1/Mep)
}

// The memory of a contact node, in this order.
const (
	kostekPeak       = iota // greatest pressure so far [Pa]
	kostekPlastic           // plastic deflection e_p pmax^m_p [m]
	kostekSlip              // elasto-plastic deflection d_ep [m]
	kostekMemorySize        // values in all
)

func init() {
	exponent := func(name, doc string) Parameter {
		return Parameter{Name: name, Doc: doc, Unit: "1", OpenMin: true, Max: 10}
	}
	flexibility := func(name, doc, of string) Parameter {
		return Parameter{Name: name, Doc: doc, Unit: "m/Pa^" + of, OpenMin: true, Max: math.Inf(1)}
	}
	Register(Model{
		Name:   "kostek",
		Title:  "rough surfaces with memory",
		Source: "R. Kostek, J. Theor. Appl. Mech. 50(2), 2012, eqs. (2.1) to (2.5)",
		Formula: "d = e_p pmax^m_p + d_ep + e_e p^m_e\n" +
			"d_ep = e_l p^m_ep while loading, e_u p^m_ep while unloading, constant in between",
		Parameters: []Parameter{
			flexibility("e_p", "plastic flexibility", "m_p"),
			exponent("m_p", "plastic exponent"),
			flexibility("e_e", "elastic flexibility", "m_e"),
			exponent("m_e", "elastic exponent"),
			flexibility("e_l", "elasto-plastic flexibility while loading", "m_ep"),
			flexibility("e_u", "elasto-plastic flexibility while unloading, not below e_l", "m_ep"),
			exponent("m_ep", "elasto-plastic exponent"),
		},
		New: func(v map[string]float64) (Law, error) {
			return NewKostek(Kostek{
				Ep: v["e_p"], Mp: v["m_p"], Ee: v["e_e"], Me: v["m_e"],
				El: v["e_l"], Eu: v["e_u"], Mep: v["m_ep"],
			})
		},
	})
}

// NewKostek completes the law from its seven parameters. It fails when the
// unloading branch would lie under the loading branch.
func NewKostek(k Kostek) (*Kostek, error) {
	if k.Eu < k.El {
		return nil, errors.New("e_u must not be below e_l: unloading would return more than loading took")
	}
	a, b := math.Pow(k.El, -1/k.Mep), math.Pow(k.Eu, -1/k.Mep)
	k.least = min(k.Mp, k.Me, k.Mep)
	k.springStep = 0.5 * (a + b)
	return &k, nil
}

// Memory names the peak pressure [Pa], the plastic and the elasto-plastic
// deflection [m].
func (*Kostek) Memory() []string {
	return []string{"peak_pressure", "plastic_deflection", "elastoplastic_deflection"}
}

// Eval implements Law.
func (k *Kostek) Eval(in Input, out Output) {
	for i, d := range in.D {
		before := [kostekMemorySize]float64(in.Mem[i*kostekMemorySize:])
		memory := before
		p := k.at(d, &memory)
		copy(out.Mem[i*kostekMemorySize:], memory[:])
		out.P[i] = p
		if p == 0 {
			out.DP[i], out.K[i], out.W[i] = 0, 0, 0
			continue
		}
		slip := memory[kostekSlip]
		elastic := d - memory[kostekPlastic] - slip
		flex := k.Me * elastic // p times dd/dp, part by part
		out.K[i] = p / flex
		if slip != before[kostekSlip] {
			flex += k.Mep * slip
		}
		if memory[kostekPeak] != before[kostekPeak] {
			flex += k.Mp * memory[kostekPlastic]
		}
		spring := k.springStep * math.Pow(slip, 1/k.Mep) // the spring's part of the pressure
		out.DP[i] = p / flex
		out.W[i] = float64(k.Me/(k.Me+1)*p*elastic) + float64(k.Mep/(k.Mep+1)*spring*slip)
	}
}

// at returns the pressure at deflection d and moves the memory on.
func (k *Kostek) at(d float64, memory *[kostekMemorySize]float64) float64 {
	y := d - memory[kostekPlastic]
	if !(y > 0) {
		memory[kostekSlip] = 0
		return 0
	}
	p, slip := k.below(y, memory[kostekSlip])
	if p > memory[kostekPeak] { // beyond all that was: plastic flow too
		p = k.solve(d, k.Ep, k.Mp, k.El, k.Mep)
		slip = k.El * math.Pow(p, k.Mep)
		memory[kostekPeak], memory[kostekPlastic] = p, k.Ep*math.Pow(p, k.Mp)
	}
	memory[kostekSlip] = slip
	return p
}

// below returns pressure and elasto-plastic deflection at y, the deflection
// less its plastic part, coming from the elasto-plastic deflection slip.
func (k *Kostek) below(y, slip float64) (p, next float64) {
	if y > slip {
		p = math.Pow((y-slip)/k.Ee, 1/k.Me) // stick
	}
	q := math.Pow(p, k.Mep)
	switch {
	case slip < k.El*q:
		p = k.solve(y, 0, k.Mep, k.El, k.Mep)
		return p, k.El * math.Pow(p, k.Mep)
	case slip > k.Eu*q:
		p = k.solve(y, 0, k.Mep, k.Eu, k.Mep)
		return p, k.Eu * math.Pow(p, k.Mep)
	}
	return p, slip
}

// solve returns the p of y = a p^m + b p^n + e_e p^m_e. With u = p^least it is
// a sum of powers not below one, increasing and convex: Newton's method
// descends to the root from u0 = min (y/a_i)^(1/r_i), where no single term is
// above y, after its first step.
func (k *Kostek) solve(y, a, m, b, n float64) float64 {
	if m == n && n == k.Me {
		return math.Pow(y/(a+b+k.Ee), 1/k.Me)
	}
	m, n, e := m/k.least, n/k.least, k.Me/k.least
	u := math.Inf(1)
	for _, t := range [3][2]float64{{a, m}, {b, n}, {k.Ee, e}} {
		if t[0] > 0 {
			u = min(u, math.Pow(y/t[0], 1/t[1]))
		}
	}
	for range 60 {
		s, t, v := a*math.Pow(u, m), b*math.Pow(u, n), k.Ee*math.Pow(u, e)
		step := u * (s + t + v - y) / (float64(m*s) + float64(n*t) + float64(e*v))
		u -= step
		if math.Abs(step) <= 1e-16*u {
			break
		}
	}
	return math.Pow(u, 1/k.least)
}

// Deflection returns the deflection at pressure p after the given memory
// (peak pressure, plastic and elasto-plastic deflection), which moves on: the
// inverse of the law, driven by the pressure as in the paper's appendix.
func (k *Kostek) Deflection(p float64, memory []float64) float64 {
	if p > memory[kostekPeak] {
		memory[kostekPeak], memory[kostekPlastic] = p, k.Ep*math.Pow(p, k.Mp)
	}
	q := math.Pow(p, k.Mep)
	memory[kostekSlip] = min(max(memory[kostekSlip], k.El*q), k.Eu*q)
	return memory[kostekPlastic] + memory[kostekSlip] + float64(k.Ee*math.Pow(p, k.Me))
}
