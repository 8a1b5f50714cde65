package contact

import (
	"math"

	"fdem/materials/elementary"
)

// Viscous is a spring with a damper that does not depend on the speed of
// impact,
//
//	F = K d^N + chi d^M v
//
// G. Wang et al., review of contact force models, eq. (4) and Table 2 with
// N = 3/2 and Hertz's stiffness; eqs. (3), (32) and (55) with N = 1 and M = 0.
//
// Near separation the damper would pull more than the spring pushes. There the
// force is set to zero, unless Raw. So a damper that was calibrated with the
// motion down to d = 0, with the pulling force, gives a higher restitution than
// its parameter: Tsuji's 0.5 becomes 0.550.
type Viscous struct {
	K            float64 // stiffness [N/m^N]
	N            float64 // 1.5 or 1
	Chi          float64 // damping [N s/m^(1+M)]
	M            float64
	ApproachOnly bool // the damper acts only while v > 0
	Raw          bool // keep a pulling force
}

func init() {
	const review = "; G. Wang et al., review of contact force models, Table 2"
	const hertz = "\nK = 4/3 modulus sqrt(radius)"
	register := func(name, title, source, formula string, parameters []Parameter, set func(law *Viscous, v map[string]float64)) {
		Register(Model{
			Name: name, Kind: Point, Title: title, Source: source + review, Formula: formula + hertz,
			Parameters: append(parameters, rawForce()),
			New: func(v map[string]float64) (Law, error) {
				law := Viscous{K: HertzStiffness(v["modulus"], v["radius"]), N: 1.5, Raw: v["raw"] == 1}
				set(&law, v)
				return law, nil
			},
		})
	}
	register("tsuji", "Tsuji et al.'s damper; returns its restitution where contact ends at d = 0, with raw = 1",
		"Y. Tsuji, T. Tanaka, T. Ishida, 1992",
		"F = K d^1.5 + chi d^0.25 v\nchi = sqrt(5) |ln r| sqrt(K mass/(pi^2 + ln^2 r)), r the given restitution",
		spheres(effectiveMass(), restitutionPut(0, true)),
		func(law *Viscous, v map[string]float64) {
			law.Chi, law.M = math.Sqrt(5)/2*linearDamping(law.K, v["mass"], v["restitution"]), 0.25
		})
	register("kuwabara-kono", "Kuwabara and Kono's viscoelastic spheres",
		"G. Kuwabara, K. Kono, 1987",
		"F = K d^1.5 + chi d^0.5 v\nchi = 3/2 K A, A = (1/3) (3 eta2 - eta1)^2/(3 eta2 + 2 eta1) (1-nu^2)(1-2 nu)/(E nu^2), a time",
		spheres(positive("young", "Young's modulus E", "Pa"),
			Parameter{Name: "poisson", Doc: "Poisson's ratio nu", Unit: "1", OpenMin: true, Max: 0.5},
			Parameter{Name: "eta1", Doc: "viscous constant of shear", Unit: "Pa s", Max: math.Inf(1)},
			positive("eta2", "viscous constant of volume", "Pa s")),
		func(law *Viscous, v map[string]float64) {
			nu, eta1, eta2 := v["poisson"], v["eta1"], v["eta2"]
			odd := float64(3*eta2) - eta1
			a := odd * odd / (float64(3*eta2) + float64(2*eta1)) / 3
			a *= (1 - nu) * (1 + nu) * (1 - float64(2*nu)) / (v["young"] * nu * nu)
			law.Chi, law.M = 1.5*law.K*a, 0.5
		})
	register("jankowski", "Jankowski's damper, which acts during approach only, unless rebound = 1",
		"R. Jankowski, 2005",
		"F = K d^1.5 + chi d^0.25 v while v > 0, K d^1.5 after\nchi = 9 sqrt(5) (1-r^2)/(r (r (9 pi - 16) + 16)) sqrt(K mass), r the given restitution",
		spheres(effectiveMass(), restitutionPut(0, true),
			choice("rebound", "1 lets the damper act in rebound too: with raw = 1 a given 0.7 then results in 0.419", 0, 0, 1)),
		func(law *Viscous, v map[string]float64) {
			r := v["restitution"]
			law.Chi = 9 * math.Sqrt(5) * (1 - r) * (1 + r) / (r * (float64(r*(9*math.Pi-16)) + 16)) * math.Sqrt(law.K*v["mass"])
			law.M, law.ApproachOnly = 0.25, v["rebound"] != 1
		})
	user := func(name, title, source string, exponent float64) {
		register(name, title, source, "F = K d^1.5 + chi d^exponent v",
			spheres(Parameter{Name: "chi", Doc: "damping", Unit: "N s/m/m^exponent", Max: math.Inf(1)},
				Parameter{Name: "exponent", Doc: "exponent of the deflection in the damping", Unit: "1", Max: 10, Default: &exponent}),
			func(law *Viscous, v map[string]float64) { law.Chi, law.M = v["chi"], v["exponent"] })
	}
	user("schwager-poschel", "Schwager and Poschel's damper, its constant from measurement", "T. Schwager, T. Poschel, 1998", 0.65)
	user("lee-herrmann", "Lee and Herrmann's damper, its constant from measurement", "J. Lee, H. J. Herrmann, 1993", 1)
	user("ristow", "Ristow's damper, its constant from measurement", "G. Ristow, 1992", 1)

	stiffness := positive("stiffness", "stiffness of the linear spring", "N/m")
	Register(Model{
		Name: "kelvin-voigt", Kind: Point, Title: "linear spring and dashpot in parallel",
		Source:     "G. Wang et al., review of contact force models, eq. (3)",
		Formula:    "F = stiffness d + chi v",
		Parameters: []Parameter{stiffness, {Name: "chi", Doc: "damping", Unit: "N s/m", Max: math.Inf(1)}, rawForce()},
		New: func(v map[string]float64) (Law, error) {
			return Viscous{K: v["stiffness"], N: 1, Chi: v["chi"], Raw: v["raw"] == 1}, nil
		},
	})
	Register(Model{
		Name: "linear-dashpot", Kind: Point, Title: "linear spring and dashpot; returns its restitution where contact ends at d = 0, with raw = 1",
		Source:     "G. Wang et al., review of contact force models, eqs. (31), (32)",
		Formula:    "F = stiffness d + D v\nD = 2 |ln r| sqrt(stiffness mass/(pi^2 + ln^2 r)), r the given restitution",
		Parameters: []Parameter{stiffness, effectiveMass(), restitutionPut(0, true), rawForce()},
		New: func(v map[string]float64) (Law, error) {
			return Viscous{K: v["stiffness"], N: 1, Chi: linearDamping(v["stiffness"], v["mass"], v["restitution"]), Raw: v["raw"] == 1}, nil
		},
	})
}

// linearDamping is D = 2 |ln r| sqrt(K M/(pi^2 + ln^2 r)), eq. (31): the
// damping for which a linear oscillator has the restitution r.
func linearDamping(stiffness, mass, r float64) float64 {
	ln := elementary.Log(r)
	return 2 * math.Abs(ln) * math.Sqrt(stiffness*mass/(math.Pi*math.Pi+float64(ln*ln)))
}

// Memory returns nil.
func (Viscous) Memory() []string { return nil }

// Eval implements Law.
func (l Viscous) Eval(in Input, out Output) {
	for i, d := range in.D {
		out.P[i], out.DP[i], out.K[i], out.W[i] = l.at(d, in.Rate[i])
	}
}

// at returns the force, its tangent at this rate, the stiffest tangent and the
// stored energy.
func (l Viscous) at(d, rate float64) (f, dp, k, w float64) {
	if !(d > 0) {
		return 0, 0, 0, 0
	}
	power, damper := l.parts(d, rate)
	chord := l.K * power
	f, dp = float64(chord*d), float64(l.N*chord)
	k, w = dp, f*d/(l.N+1)
	f += float64(damper)
	dp += float64(l.M * damper / d)
	if f < 0 && !l.Raw {
		return 0, 0, k, w
	}
	return f, dp, max(k, dp), w
}

// parts returns d^(N-1), which times K is the chord of the spring, and the force
// of the damper, at a deflection above zero.
func (l *Viscous) parts(d, rate float64) (power, damper float64) {
	root := math.Sqrt(d)
	power, damper = 1, l.Chi*rate
	if l.N == 1.5 {
		power = root
	}
	switch l.M {
	case 0:
	case 0.25:
		damper *= math.Sqrt(root)
	case 0.5:
		damper *= root
	case 1:
		damper *= d
	default:
		damper *= elementary.Pow(d, l.M)
	}
	if l.ApproachOnly && !(rate > 0) {
		damper = 0
	}
	return power, damper
}

// EvalSprung implements Sprung. contactnodes/spheres also has it in assembly.
func (l Viscous) EvalSprung(in Input, out Output) {
	p, stiff, stored, rate := out.P[:len(in.D)], out.K[:len(in.D)], out.W[:len(in.D)], in.Rate[:len(in.D)]
	for i, d := range in.D {
		if !(d > 0) {
			p[i], stiff[i], stored[i] = 0, 0, 0
			continue
		}
		power, damper := l.parts(d, rate[i])
		f := float64(l.K * power * d)
		stored[i], stiff[i] = f*d/(l.N+1), l.N*l.K*power
		f += float64(damper)
		if f < 0 && !l.Raw {
			f = 0
		}
		p[i] = f
	}
}
