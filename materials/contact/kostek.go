package contact

import (
	"fmt"
	"math"

	"fdem/materials/elementary"
)

// Kostek is the law of rough surfaces with plastic, elasto-plastic and elastic
// deflection in series,
//
//	d = e_p pmax^m_p + d_ep + e_e p^m_e
//
// pmax is the greatest pressure so far. The elasto-plastic part slips only at
// its bounds, e_l p^m_ep <= d_ep <= e_u p^m_ep. It grows along the first while
// loading, shrinks along the second while unloading, and sticks in between. R.
// Kostek, J. Theor. Appl. Mech. 50(2), 2012, eqs. (2.1) to (2.5) and appendix,
// driven by the deflection.
//
// Contact ends below the plastic deflection e_p pmax^m_p, which remains.
type Kostek struct {
	Ep, Mp float64 // plastic: [m/Pa^Mp], [-]
	Ee, Me float64 // elastic: [m/Pa^Me], [-]
	El, Eu float64 // elasto-plastic, loading and unloading: [m/Pa^Mep]
	Mep    float64 // [-]
	least  float64 // the smallest of the three exponents

	// The part of the pressure in the spring of the elasto-plastic part, while
	// that part grows (at most 1) and shrinks (at least 1).
	springLoading, springUnloading float64

	storedElastic, storedSpring float64 // m/(m+1) for the two powers that store energy

	// Made by Tabulate: tables of the pressure as a function of the deflection.
	// They also have the elasto-plastic and the elastic deflection, unless the
	// two have the same exponent, so that a fixed part of their sum is elastic.
	// In virgin the plastic deflection comes before these.
	virgin, loading, unloading       *inverse
	even                             bool    // the exponents are the same
	stiffness                        float64 // 1/e_e
	elasticLoading, elasticUnloading float64 // elastic part of their sum while loading and unloading
	// Tables as functions of the elastic deflection, with p^m_ep as a second
	// column, and of the elasto-plastic deflection while it grows.
	elastic, spring *inverse
}

// The memory of a contact node, in this order.
const (
	kostekPeak       = iota // greatest pressure so far [Pa]
	kostekPlastic           // plastic deflection e_p pmax^m_p [m]
	kostekSlip              // elasto-plastic deflection d_ep [m]
	kostekMemorySize        // number of values
)

func init() {
	exponent := func(name, doc string, most float64) Parameter {
		return Parameter{Name: name, Doc: doc, Unit: "1", OpenMin: true, Max: most}
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
			exponent("m_p", "plastic exponent", 10),
			flexibility("e_e", "elastic flexibility", "m_e"),
			exponent("m_e", "elastic exponent; above 1 the first contact would be infinitely stiff", 1),
			flexibility("e_l", "elasto-plastic flexibility while loading", "m_ep"),
			flexibility("e_u", "elasto-plastic flexibility while unloading, not below e_l", "m_ep"),
			exponent("m_ep", "elasto-plastic exponent", 10),
		},
		New: func(v map[string]float64) (Law, error) {
			return NewKostek(Kostek{
				Ep: v["e_p"], Mp: v["m_p"], Ee: v["e_e"], Me: v["m_e"],
				El: v["e_l"], Eu: v["e_u"], Mep: v["m_ep"],
			})
		},
	})
}

// NewKostek returns the law of its seven parameters. It fails if the unloading
// branch would lie below the loading branch, or out of reach.
func NewKostek(k Kostek) (*Kostek, error) {
	if k.Eu < k.El {
		return nil, fmt.Errorf("e_u must not be below e_l (unloading would return more than loading took), got %g below %g", k.Eu, k.El)
	}
	k.least = min(k.Mp, k.Me, k.Mep)
	k.springLoading = 0.5 * (1 + elementary.Pow(k.El/k.Eu, 1/k.Mep))
	k.springUnloading = 0.5 * (1 + elementary.Pow(k.Eu/k.El, 1/k.Mep))
	if math.IsInf(k.springUnloading, 0) {
		return nil, fmt.Errorf("(e_u/e_l)^(1/m_ep) must be finite, got (%g/%g)^(1/%g)", k.Eu, k.El, k.Mep)
	}
	k.storedElastic, k.storedSpring = k.Me/(k.Me+1), k.Mep/(k.Mep+1)
	return &k, nil
}

// The range of pressures of the tables [Pa]. Outside it the equations are
// solved.
const kostekMin, kostekMax = 1e2, 1e11

// Tabulate implements Tabulated.
func (k *Kostek) Tabulate() {
	if k.virgin != nil {
		return
	}
	k.even, k.stiffness = k.Mep == k.Me, 1/k.Ee
	k.elasticLoading, k.elasticUnloading = k.Ee/(k.El+k.Ee), k.Ee/(k.Eu+k.Ee)
	plastic, elastic := term{k.Ep, k.Mp}, term{k.Ee, k.Me}
	series := func(a, b float64) *inverse { // y = a p^m_p + b p^m_ep + e_e p^m_e
		slip := term{b, k.Mep}
		sum := []term{slip, elastic}
		var beside []term
		if a > 0 {
			sum = append(sum, plastic)
			beside = append(beside, plastic)
		}
		if !k.even {
			beside = append(beside, slip, elastic)
		}
		return newInverse(kostekMin, kostekMax, sum, func(y float64) float64 {
			u := min(elementary.Pow(y/b, k.least/k.Mep), elementary.Pow(y/k.Ee, k.least/k.Me))
			return elementary.Pow(k.solve(y, a, b, u), 1/k.least)
		}, beside...)
	}
	power := func(t term, beside ...term) *inverse {
		return newInverse(kostekMin, kostekMax, []term{t}, func(x float64) float64 { return elementary.Pow(x/t.factor, 1/t.power) }, beside...)
	}
	k.loading, k.unloading = series(0, k.El), series(0, k.Eu)
	k.elastic, k.spring = power(elastic, term{1, k.Mep}), power(term{k.El, k.Mep})
	k.virgin = series(k.Ep, k.El)
}

// Memory names the peak pressure [Pa], the plastic and the elasto-plastic
// deflection [m].
func (*Kostek) Memory() []string {
	return []string{"peak_pressure", "plastic_deflection", "elastoplastic_deflection"}
}

// Eval implements Law. It reads from tables the values that at finds by solving
// equations, and calls at outside the range of the tables. (All is in one loop:
// calls that the compiler does not inline would cost a sixth of the time.)
func (k *Kostek) Eval(in Input, out Output) {
	n := len(in.D)
	in.Mem, out.Mem = in.Mem[:kostekMemorySize*n], out.Mem[:kostekMemorySize*n]
	out.P, out.DP, out.K, out.W = out.P[:n], out.DP[:n], out.K[:n], out.W[:n]
	for i, d := range in.D {
		before := in.Mem[kostekMemorySize*i:][:kostekMemorySize:kostekMemorySize]
		after := out.Mem[kostekMemorySize*i:][:kostekMemorySize:kostekMemorySize]
		peak0, plastic0, slip0 := before[kostekPeak], before[kostekPlastic], before[kostekSlip]
		y := d - plastic0
		if !(y > 0) { // separated
			after[kostekPeak], after[kostekPlastic], after[kostekSlip] = peak0, plastic0, 0
			out.P[i], out.DP[i], out.K[i], out.W[i] = 0, 0, 0, 0
			continue
		}
		peak, plastic, slip := peak0, plastic0, slip0
		p, spring := 0.0, 0.0
		elastic := y - slip0 // elastic deflection and p^m_ep if the elasto-plastic part sticks
		q, known := elastic*k.stiffness, k.elastic != nil
		var n int
		var s float64
		if !k.even && elastic > 0 && known {
			if n, s, known = k.elastic.find(elastic); known {
				q = k.elastic.curves[1][n].at(s)
			}
		}
		table, slips, part := k.loading, 1, k.elasticLoading // that have slip and elastic; nil if it sticks
		switch {
		case !known:
		case slip0 < k.El*q: // it grows
			if n, s, known = k.virgin.find(d); !known {
				break
			}
			if p = k.virgin.curves[0][n].at(s); p > peak { // beyond the greatest pressure so far: plastic flow, too
				peak, plastic = p, greater(plastic, k.virgin.curves[1][n].at(s))
				y, table, slips = d-plastic, k.virgin, 2
			} else if n, s, known = k.loading.find(y); known { // within the range of y so far
				if p = k.loading.curves[0][n].at(s); p > peak {
					p = peak
				}
			}
			spring = k.springLoading * p
		case elastic > 0 && slip0 <= k.Eu*q: // it sticks
			table = nil
			if n, s, known = k.elastic.find(elastic); !known {
				break
			}
			p = k.elastic.curves[0][n].at(s)
			if n, s, known = k.spring.find(slip0); known {
				spring, known = k.springLoading*k.spring.curves[0][n].at(s), p <= peak
			}
		default: // it shrinks
			table, part = k.unloading, k.elasticUnloading
			if n, s, known = table.find(y); known {
				p = table.curves[0][n].at(s)
				spring, known = k.springUnloading*p, p <= peak
			}
		}
		switch {
		case !known:
			memory := [kostekMemorySize]float64{peak0, plastic0, slip0}
			p, elastic, spring = k.at(d, &memory)
			peak, plastic, slip = memory[kostekPeak], memory[kostekPlastic], memory[kostekSlip]
		case table == nil:
		case k.even:
			elastic = float64(part * y)
			slip = y - elastic
		default:
			slip, elastic = table.curves[slips][n].at(s), table.curves[slips+1][n].at(s)
		}
		after[kostekPeak], after[kostekPlastic], after[kostekSlip] = peak, plastic, slip
		out.P[i] = p
		if elastic == 0 { // a deflection too small for a number
			out.DP[i], out.K[i], out.W[i] = 0, 0, 0
			continue
		}
		flex := float64(k.Me * elastic) // p times dd/dp, as a sum over the parts
		tangent := p / flex
		out.K[i] = tangent
		if slip != slip0 || peak != peak0 {
			tangent = p / k.flexibility(flex, slip, slip0, plastic, peak > peak0)
		}
		out.DP[i] = tangent
		out.W[i] = float64(float64(k.storedElastic*p)*elastic) + float64(float64(k.storedSpring*spring)*slip)
	}
}

// greater is max without NaN, in fewer instructions.
func greater(a, b float64) float64 {
	if b > a {
		return b
	}
	return a
}

// flexibility returns p times dd/dp [m]: flex, which is that of the elastic part,
// plus those of the parts that move.
func (k *Kostek) flexibility(flex, slip, slip0, plastic float64, flows bool) float64 {
	if slip != slip0 {
		flex += float64(k.Mep * slip)
	}
	if flows {
		flex += float64(k.Mp * plastic)
	}
	return flex
}

// at returns the pressure at a deflection d, the elastic deflection and the
// pressure in the spring of the elasto-plastic part, and updates the memory.
// Inside, the unknown is u = p^least, which saves most powers.
func (k *Kostek) at(d float64, memory *[kostekMemorySize]float64) (p, elastic, spring float64) {
	y, slip := d-memory[kostekPlastic], memory[kostekSlip]
	if !(y > 0) {
		memory[kostekSlip] = 0
		return 0, 0, 0
	}
	u, branch := k.below(y, slip)
	p = elementary.Pow(u, 1/k.least)
	if peak := memory[kostekPeak]; p > peak { // beyond the greatest pressure so far: plastic flow, too
		if p > 2*peak { // a long step
			u = min(u, elementary.Pow(d/k.Ep, k.least/k.Mp))
		}
		branch = k.El
		u = k.solve(d, k.Ep, k.El, u)
		p = max(elementary.Pow(u, 1/k.least), peak) // not lower by rounding
		memory[kostekPeak] = p
		memory[kostekPlastic] = max(float64(k.Ep*elementary.Pow(u, k.Mp/k.least)), memory[kostekPlastic])
	}
	switch branch {
	case 0:
		return p, y - slip, k.springLoading * elementary.Pow(slip/k.El, 1/k.Mep)
	case k.El:
		spring = k.springLoading * p
	default:
		spring = k.springUnloading * p
	}
	memory[kostekSlip] = float64(branch * elementary.Pow(u, k.Mep/k.least))
	return p, float64(k.Ee * elementary.Pow(u, k.Me/k.least)), spring
}

// below returns u without plastic flow. y is the deflection less its plastic
// part, slip the elasto-plastic deflection before. branch is the flexibility,
// e_l or e_u, of the branch on which the elasto-plastic part moves, 0 if it
// sticks.
func (k *Kostek) below(y, slip float64) (u, branch float64) {
	branch = k.Eu
	u = math.Inf(1)
	if q := (y - slip) / k.Ee; q > 0 {
		u = elementary.Pow(q, k.least/k.Me)
		if k.Mep != k.Me {
			q = elementary.Pow(u, k.Mep/k.least)
		}
		if slip < k.El*q {
			branch = k.El
		} else if slip <= k.Eu*q {
			return u, 0
		} else {
			u = math.Inf(1) // the pressure is above that of stick
		}
	}
	if k.Mep == k.Me {
		return elementary.Pow(y/(branch+k.Ee), k.least/k.Me), branch
	}
	u = min(u, elementary.Pow(y/branch, k.least/k.Mep), elementary.Pow(y/k.Ee, k.least/k.Me))
	return k.solve(y, 0, branch, u), branch
}

// solve returns the u of y = a p^m_p + b p^m_ep + e_e p^m_e, u = p^least, from
// a start that is not below it. In u the right side is a sum of powers with
// exponents of at least one. It is increasing and convex, so Newton's method
// descends to the root.
func (k *Kostek) solve(y, a, b, u float64) float64 {
	e, m, n, r := k.Ee, k.Mp/k.least, k.Mep/k.least, k.Me/k.least
	if n == r {
		e, b = e+b, 0
	}
	for range 100 {
		v := float64(e * elementary.Pow(u, r))
		sum, slope := v, float64(r*v)
		if a > 0 {
			v = float64(a * elementary.Pow(u, m))
			sum, slope = sum+v, slope+float64(m*v)
		}
		if b > 0 {
			v = float64(b * elementary.Pow(u, n))
			sum, slope = sum+v, slope+float64(n*v)
		}
		step := float64(u * ((sum - y) / slope))
		u -= step
		if math.Abs(step) <= 1e-9*u { // the next step would be its square
			break
		}
	}
	return u
}

// Deflection is the inverse of the law, driven by the pressure as in the
// paper's appendix. It returns the deflection at a pressure p and updates the
// memory (peak pressure, plastic and elasto-plastic deflection).
func (k *Kostek) Deflection(p float64, memory []float64) float64 {
	if p > memory[kostekPeak] {
		memory[kostekPeak], memory[kostekPlastic] = p, float64(k.Ep*elementary.Pow(p, k.Mp))
	}
	q := elementary.Pow(p, k.Mep)
	memory[kostekSlip] = min(max(memory[kostekSlip], float64(k.El*q)), float64(k.Eu*q))
	return memory[kostekPlastic] + memory[kostekSlip] + float64(k.Ee*elementary.Pow(p, k.Me))
}
