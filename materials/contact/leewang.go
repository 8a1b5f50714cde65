package contact

import (
	"math"

	"fdem/materials/elementary"
)

// LeeWang is Lee and Wang's viscous damper under Hertz's spring,
//
//	F = K d^(3/2) + T(d) D v
//	D = 2 |ln r| sqrt(K_ref M/(pi^2 + ln^2 r))
//	T = exp(q/eps ((d - eps) - |d - eps|))
//
// T ramps the damper in over the deflection eps, from exp(-2q) to one. G. Wang
// et al., review of contact force models, Table 2.
//
// In print D has Hertz's K and so not the dimension of a damping. Here K_ref is
// a stiffness [N/m], the chord K sqrt(d_ref) at the greatest deflection of an
// undamped impact of the same speed v0, d_ref = (5 M v0^2/(4 K))^(2/5). v0 is
// the rate at which the contact began. A contact that begins without approach,
// at rest or separating, has no damping until it ends.
type LeeWang struct {
	K       float64 // Hertz's stiffness [N/m^1.5]
	Mass    float64 // effective mass M [kg]
	Loss    float64 // 2 |ln r|/sqrt(pi^2 + ln^2 r) [1]
	Epsilon float64 // eps [m]
	Q       float64 // q [1]
	Raw     bool    // keep a pulling force
}

func init() {
	Register(Model{
		Name:   "lee-wang-viscous",
		Kind:   Point,
		Title:  "Lee and Wang's viscous damper, with the stiffness of a chord",
		Source: "T. W. Lee, A. C. Wang, 1983; G. Wang et al., review of contact force models, Table 2",
		Formula: "F = K d^1.5 + T D v, T = exp(q/epsilon ((d - epsilon) - |d - epsilon|))\n" +
			"D = 2 |ln r| sqrt(K sqrt(d_ref) mass/(pi^2 + ln^2 r)), r the given restitution\n" +
			"d_ref = (5 mass v0^2/(4 K))^0.4, v0 the rate at which the contact began\n" +
			"K = 4/3 modulus sqrt(radius); printed without sqrt(d_ref), which has no dimension of a damping",
		Parameters: spheres(effectiveMass(), restitutionPut(0, true), withDefault(positive("epsilon", "deflection over which the damper is ramped in", "m"), 1e-6),
			withDefault(Parameter{Name: "q", Doc: "steepness of that ramp", Unit: "1", Max: 100}, 1), rawForce()),
		New: func(v map[string]float64) (Law, error) {
			return LeeWang{
				K: HertzStiffness(v["modulus"], v["radius"]), Mass: v["mass"], Loss: linearDamping(1, 1, v["restitution"]),
				Epsilon: v["epsilon"], Q: v["q"], Raw: v["raw"] == 1,
			}, nil
		},
	})
}

// Memory names the approach speed [m/s]: 0 without contact, -1 if the contact
// began without approach.
func (LeeWang) Memory() []string { return []string{approachSpeed} }

// Eval implements Law.
func (l LeeWang) Eval(in Input, out Output) {
	for i, d := range in.D {
		out.P[i], out.DP[i], out.K[i], out.W[i], out.Mem[i] = l.at(d, in.Rate[i], in.Mem[i])
	}
}

// at returns the force, its tangent at this rate, the stiffest tangent, the
// stored energy and the approach speed.
func (l LeeWang) at(d, rate, v0 float64) (f, dp, k, w, next float64) {
	if !(d > 0) {
		return 0, 0, 0, 0, 0
	}
	v0 = approach(v0, rate)
	chord := l.K * math.Sqrt(d)
	f, dp = float64(chord*d), float64(1.5*chord)
	k, w = dp, f*d/2.5
	if v0 > 0 {
		damper := l.Damping(v0) * rate
		if d < l.Epsilon {
			damper *= elementary.Exp(2 * l.Q * (d/l.Epsilon - 1))
			dp += float64(2 * l.Q / l.Epsilon * damper)
		}
		f += float64(damper)
	}
	if f < 0 && !l.Raw {
		return 0, 0, k, w, v0
	}
	return f, dp, max(k, dp), w, v0
}

// Damping returns D [N s/m] of an impact at speed v0 [m/s].
func (l LeeWang) Damping(v0 float64) float64 {
	chord := l.K * elementary.Pow(1.25*l.Mass*v0*v0/l.K, 0.2)
	return l.Loss * math.Sqrt(chord*l.Mass)
}

// EvalSprung implements Sprung.
func (l LeeWang) EvalSprung(in Input, out Output) {
	for i, d := range in.D {
		out.P[i], _, _, out.W[i], out.Mem[i] = l.at(d, in.Rate[i], in.Mem[i])
		out.K[i] = 1.5 * l.K * math.Sqrt(max(d, 0))
	}
}
