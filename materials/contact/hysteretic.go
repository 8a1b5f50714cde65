package contact

import (
	"fmt"
	"math"

	"fdem/materials/elementary"
)

// Hysteretic is a damper in proportion to the elastic force,
//
//	F = K d^N (1 + C v/v0)
//
// v0 is the approach speed: the rate at which the contact began, kept until it
// ends. C is a function of the given restitution. N is 1.5 with Hertz's
// stiffness, G. Wang et al., review of contact force models, Table 1. There the
// damping is divided by v0, although the caption says the opposite. N is 1 in
// eq. (53) of the review.
//
// A contact that begins without approach, at rest or separating, has no damping
// until it ends, since it has no approach speed.
//
// The force would pull for v < -v0/C, which does not happen in one free impact.
// There it is set to zero, unless Raw.
type Hysteretic struct {
	K   float64 // stiffness [N/m^N]
	N   float64 // 1.5 or 1
	C   float64 // chi v0/K [1]
	Raw bool    // keep a pulling force
}

// hystereticDampers are the models of the review's Table 1, with their factor c
// = chi v0/K as a function of the given restitution r. least is the least r for
// the factor; if open, r must be above it.
//
// The restitution of an impact differs from the given one: see
// Hysteretic.Restitution.
var hystereticDampers = []struct {
	name, title, source string
	formula             string
	least               float64
	open                bool
	c                   func(r float64) float64
}{
	{"hunt-crossley", "Hunt and Crossley's damper, for a restitution near 1", "K. H. Hunt, F. R. E. Crossley, 1975",
		"c = 3 (1-r)/2", 0, false,
		func(r float64) float64 { return 1.5 * (1 - r) }},
	{"herbert-mcwhannell", "Herbert and McWhannell's damper", "R. G. Herbert, D. C. McWhannell, 1977",
		"c = 6 (1-r)/((2r-1)^2 + 3)", 0, false,
		func(r float64) float64 { return 6 * (1 - r) / (float64((2*r-1)*(2*r-1)) + 3) }},
	{"lee-wang", "Lee and Wang's hysteretic damper, half of Hunt and Crossley's", "T. W. Lee, A. C. Wang, 1983",
		"c = 3 (1-r)/4", 0, false,
		func(r float64) float64 { return 0.75 * (1 - r) }},
	{"lankarani-nikravesh", "Lankarani and Nikravesh's damper, for a restitution near 1", "H. M. Lankarani, P. E. Nikravesh, 1994",
		"c = 3 (1-r^2)/4", 0, false,
		func(r float64) float64 { return 0.75 * float64((1-r)*(1+r)) }},
	{"gonthier", "Gonthier et al.'s damper, for the whole range", "Y. Gonthier et al., 2004",
		"c = (1-r^2)/r", 0, true,
		func(r float64) float64 { return (1 - r) * (1 + r) / r }},
	{"zhiying-qishao", "Qin and Lu's damper", "Z. Qin, Q. Lu, 2006",
		"c = 3/4 (1-r^2) exp(2 (1-r))", 0, false,
		func(r float64) float64 { return 0.75 * float64((1-r)*(1+r)) * elementary.Exp(2*(1-r)) }},
	{"flores", "Flores et al.'s damper, for the whole range", "P. Flores et al., 2011",
		"c = 8 (1-r)/(5 r)", 0, true,
		func(r float64) float64 { return 1.6 * (1 - r) / r }},
	{"gharib-hurmuzlu", "Gharib and Hurmuzlu's damper, for a small restitution only: it still damps at 1", "M. Gharib, Y. Hurmuzlu, 2012",
		"c = 1/r", 0, true,
		func(r float64) float64 { return 1 / r }},
	{"hu-guo", "Hu and Guo's damper, for the whole range", "S. Hu, X. Guo, 2015",
		"c = 3 (1-r)/(2 r)", 0, true,
		func(r float64) float64 { return 1.5 * (1 - r) / r }},
	{"hu-et-al", "Hu et al.'s damper, down to its pole at 0.0212", "G. Hu et al., 2011",
		"c = -6.66264 ln r/(3.85238 + ln r)", elementary.Exp(-3.85238), true,
		func(r float64) float64 { return 6.66264 * -elementary.Log(r) / (3.85238 + elementary.Log(r)) }},
	{"shen", "Shen et al.'s damper", "Y. Shen et al., 2018",
		"c = 3 (1-r)/(2 r^0.89)", 0, true,
		func(r float64) float64 { return 1.5 * (1 - r) / elementary.Pow(r, 0.89) }},
	{"carvalho-martins", "Carvalho and Martins's damper, for the whole range", "A. S. Carvalho, J. M. Martins, 2019",
		"c = 3 (1-r)(11-r)/(2 (1+9r))", 0, false,
		func(r float64) float64 { return 1.5 * (1 - r) * (11 - r) / (1 + float64(9*r)) }},
	{"safaeifar-farshidianfar", "Safaeifar and Farshidianfar's damper", "H. Safaeifar, A. Farshidianfar, 2020",
		"c = 5 (1-r)/(4 r)", 0, true,
		func(r float64) float64 { return 1.25 * (1 - r) / r }},
	{"zhang", "Zhang et al.'s damper, for the whole range", "J. Zhang et al., 2020",
		"c = 3 (1-r)/(2 r (0.618 exp(-3.25 r) + 0.899 exp(0.09025 r)))", 0, true,
		func(r float64) float64 {
			return 1.5 * (1 - r) / (r * (float64(0.618*elementary.Exp(-3.25*r)) + float64(0.899*elementary.Exp(0.09025*r))))
		}},
	{"zhao", "Zhao et al.'s damper as printed, twice the elastic limit: a given 0.9 results in 0.814", "P. Zhao et al., 2021",
		"c = 4 (1-r)/(1.302 r)", 0, true,
		func(r float64) float64 { return 4 * (1 - r) / (1.302 * r) }},
}

func init() {
	for _, m := range hystereticDampers {
		Register(Model{
			Name:    m.name,
			Kind:    Point,
			Title:   m.title,
			Source:  m.source + "; G. Wang et al., review of contact force models, Table 1",
			Formula: "F = K d^1.5 (1 + c v/v0), v0 the rate at which the contact began\n" + m.formula + ", r the given restitution\nK = 4/3 modulus sqrt(radius)",
			Parameters: spheres(
				restitutionPut(m.least, m.open), rawForce()),
			New: func(v map[string]float64) (Law, error) {
				return newHysteretic(HertzStiffness(v["modulus"], v["radius"]), 1.5, m.c(v["restitution"]), v["raw"] == 1)
			},
		})
	}
}

// newHysteretic returns the law. It fails if the restitution is so small that
// the factor is not a finite number.
func newHysteretic(k, n, c float64, raw bool) (Law, error) {
	if !(c >= 0) || math.IsInf(c, 0) {
		return nil, fmt.Errorf("restitution is out of the range of the law: the damping factor would be %g", c)
	}
	return Hysteretic{k, n, c, raw}, nil
}

// approachSpeed is the memory of laws that scale with the speed of approach
// [m/s]: 0 without contact, noApproach if the contact began at rest or
// separating.
const approachSpeed = "approach_speed"

const (
	noApproach = -1.0
	leastSpeed = 1e-100 // [m/s]; a slower approach counts as rest
)

// approach returns the next approach speed in the memory of a node in contact.
func approach(memory, rate float64) float64 {
	if memory != 0 {
		return memory
	}
	if rate > leastSpeed {
		return rate
	}
	return noApproach
}

// Memory names the approach speed [m/s]: 0 without contact, -1 if the contact
// began without approach.
func (Hysteretic) Memory() []string { return []string{approachSpeed} }

// Eval implements Law.
func (h Hysteretic) Eval(in Input, out Output) {
	for i, d := range in.D {
		out.P[i], out.DP[i], out.K[i], out.W[i], out.Mem[i] = h.at(d, in.Rate[i], in.Mem[i])
	}
}

// at returns the force, its tangent, the stiffest tangent, the stored energy
// and the approach speed.
func (h Hysteretic) at(d, rate, v0 float64) (f, dp, k, w, next float64) {
	if !(d > 0) {
		return 0, 0, 0, 0, 0
	}
	v0 = approach(v0, rate)
	factor := 1.0
	if v0 > 0 {
		factor += float64(h.C * (rate / v0))
	}
	if factor < 0 && !h.Raw {
		factor = 0
	}
	chord := h.K
	if h.N == 1.5 {
		chord *= math.Sqrt(d)
	}
	k = h.N * chord
	return chord * d * factor, k * factor, k * max(1, factor), chord * d * d / (h.N + 1), v0
}

// Restitution returns the restitution of one free impact: the root e of
//
//	C (1 + e) = ln((1 + C)/(1 - C e))
//
// It depends on the factor alone, not on stiffness, exponent, mass or speed:
// with u = v/v0, u du/(1 + C u) is proportional to K d^N dd/(M v0^2). The
// integral of the right side over compression is opposite to that over
// restitution, and so is that of the left side.
func (h Hysteretic) Restitution() float64 {
	if h.C < 1e-8 { // 1 - 2/3 C, and cancellation in the relation
		return 1 - float64(2.0/3*h.C)
	}
	low, high := 0.0, min(1, 1/h.C)
	for {
		e := float64(0.5 * (low + high))
		if e <= low || e >= high {
			return e
		}
		if elementary.Log1p(h.C)-elementary.Log1p(-h.C*e) < h.C*(1+e) {
			low = e
		} else {
			high = e
		}
	}
}
