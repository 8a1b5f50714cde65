package spheres

import (
	"math"

	"fdem/materials/contact"
)

// kindPair is two kinds that may meet: the lightest and smallest there are.
type kindPair struct {
	a, b            int32
	speed           float64 // for which the next are [m/s]
	omega2, damping float64 // of a node of an outline, over its mobility, see PredictedNodes
}

// PredictImpacts names pairs of kinds whose impacts the step is made for.
func (s *Spheres) PredictImpacts(pairs [][2]int32) {
	for _, p := range pairs {
		s.impactPairs = append(s.impactPairs, kindPair{a: p[0], b: p[1], speed: -1})
	}
}

// PredictedImpact returns the squared frequency [1/s2] and the damping over mass [1/s]
// that the stiffest predicted impact at a speed of approach [m/s] comes to.
func (s *Spheres) PredictedImpact(speed float64) (omega2, damping float64) {
	for _, e := range s.impactPairs {
		rule, err := s.Meet(e.a, e.b)
		if err != nil && s.failure == nil { // the next evaluation stops with it
			s.failure = err
		}
		if err != nil || rule == nil || math.IsInf(rule.Mass, 1) || !(rule.Mass > 0) {
			continue
		}
		k, c := impactStiffness(rule.Law, rule.Mass, speed)
		omega2 = max(omega2, float64(k/rule.Mass)*(1+float64(3.5*rule.Friction.Ratio)))
		damping = max(damping, c/rule.Mass)
	}
	return omega2, damping
}

// PredictedNodes returns, for impacts at the speed predicted, the greatest
// stiffness over the mass of a node of an outline [1/s2] and the greatest damping
// over it [1/s]. mobility is, per kind, the greatest speed that a unit impulse
// gives to a node of such a body, 0 for none [1/kg].
func (s *Spheres) PredictedNodes(mobility []float64) (omega2, damping float64) {
	for i := range s.impactPairs {
		e := &s.impactPairs[i]
		w := mobility[e.b]
		if w == 0 {
			continue
		}
		if e.speed != s.PredictedSpeed {
			e.speed, e.omega2, e.damping = s.PredictedSpeed, 0, 0
			if rule, err := s.Meet(e.a, e.b); err == nil && rule != nil && rule.Mass > 0 && !math.IsInf(rule.Mass, 1) {
				k, c := impactStiffness(rule.Law, rule.Mass, e.speed)
				e.omega2, e.damping = 2*rule.Friction.Stiffest(k), 2*c
			}
		}
		omega2, damping = max(omega2, float64(e.omega2*w)), max(damping, float64(e.damping*w))
	}
	return omega2, damping
}

// impactStiffness returns the stiffness [N/m] that an impact at a speed reaches, from
// below where its work has taken up the energy, and the damping [N s/m].
func impactStiffness(law contact.Law, mass, speed float64) (stiffness, damping float64) {
	energy := float64(0.5 * mass * speed * speed)
	memory := make([]float64, len(law.Memory()))
	eval := func(d, rate float64) (force, stiff float64) {
		clear(memory)
		var one [6][1]float64
		one[0][0], one[1][0] = d, rate
		law.Eval(contact.Input{D: one[0][:], Rate: one[1][:], Mem: memory},
			contact.Output{P: one[2][:], DP: one[3][:], K: one[4][:], W: one[5][:], Mem: memory})
		return one[2][0], one[4][0]
	}
	work, d := 0.0, 1e-18
	before, f := 0.0, 0.0
	for ; work < energy && d < 1; d *= 1.25 {
		f, stiffness = eval(d, 0)
		work += float64(0.5 * (f + before) * (0.2 * d))
		before = f
		if speed > 0 {
			moving, _ := eval(d, speed)
			damping = max(damping, (moving-f)/speed)
		}
	}
	return stiffness, damping
}
