package spheres

import (
	"math"

	"fdem/materials/contact"
)

// kindPair is two kinds that may be in contact, with the predicted impact of the
// lightest and smallest of them.
type kindPair struct {
	a, b            int32
	speed           float64 // speed of approach that omega2 and damping are for [m/s]
	omega2, damping float64 // for a node of an outline, divided by its mobility, see PredictedNodes
}

// PredictImpacts adds pairs of kinds whose impacts limit the step.
func (s *Spheres) PredictImpacts(pairs [][2]int32) {
	for _, p := range pairs {
		s.impactPairs = append(s.impactPairs, kindPair{a: p[0], b: p[1], speed: -1})
	}
}

// PredictedImpact returns the squared frequency [1/s2] and the damping divided by mass
// [1/s] of the stiffest predicted impact at a speed of approach [m/s].
func (s *Spheres) PredictedImpact(speed float64) (omega2, damping float64) {
	for _, e := range s.impactPairs {
		rule, err := s.RuleOf(e.a, e.b)
		if err != nil && s.failure == nil { // the next evaluation returns it
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

// PredictedNodes returns the greatest stiffness [1/s2] and the greatest damping [1/s]
// divided by the mass of a node of an outline, for impacts at the predicted speed.
// mobility is per kind the greatest speed that a unit impulse gives to a node of such
// a body [1/kg], 0 if there is none.
func (s *Spheres) PredictedNodes(mobility []float64) (omega2, damping float64) {
	for i := range s.impactPairs {
		e := &s.impactPairs[i]
		w := mobility[e.b]
		if w == 0 {
			continue
		}
		if e.speed != s.PredictedSpeed {
			e.speed, e.omega2, e.damping = s.PredictedSpeed, 0, 0
			if rule, err := s.RuleOf(e.a, e.b); err == nil && rule != nil && rule.Mass > 0 && !math.IsInf(rule.Mass, 1) {
				k, c := impactStiffness(rule.Law, rule.Mass, e.speed)
				e.omega2, e.damping = 2*rule.Friction.Stiffest(k), 2*c
			}
		}
		omega2, damping = max(omega2, float64(e.omega2*w)), max(damping, float64(e.damping*w))
	}
	return omega2, damping
}

// impactStiffness returns the stiffness [N/m] that an impact at a speed reaches, from
// just below the deflection at which the law's work equals the energy, and the
// damping [N s/m].
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
