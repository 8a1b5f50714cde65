package results

import (
	"math"

	"fdem/solver"
	"fdem/solver/system"
)

// Values below these limits, relative to a scale of the run, are taken as rounding
// errors. A summary has 0 for them.
const (
	roundoff       = 1e-10 // of speeds and rotations
	energyRoundoff = 1e-12 // of energies, which are squares and sums of rounded numbers
)

// noiseFloor tells rounding error from small values, by the greatest energy that a
// run has had so far.
type noiseFloor struct {
	least   float64 // least energy above round-off [J]
	kinetic float64 // kinetic energy below which speeds are 0 [J]
	size    float64 // of the model [m]
}

func noiseFloorOf(s *solver.Solver) noiseFloor {
	size := s.Size()
	if size == 0 {
		return noiseFloor{}
	}
	entered, noise := s.Ledger.Entered, s.Noise()
	if entered <= noise { // there was never more
		return noiseFloor{noise, noise, size}
	}
	return noiseFloor{max(energyRoundoff*entered, noise), float64(roundoff*roundoff) * entered, size}
}

// energy returns an energy [J], 0 where it is round-off.
func (f noiseFloor) energy(e float64) float64 {
	if math.Abs(e) <= f.least {
		return 0
	}
	return e
}

func (f noiseFloor) span(start, end float64) Span { return Span{f.energy(start), f.energy(end)} }

// speed returns the speed below which a mass [kg] is at rest [m/s], 0 for a
// fixed or driven body.
func (f noiseFloor) speed(mass float64) float64 {
	if !(mass > 0) {
		return 0
	}
	return math.Sqrt(2 * f.kinetic / mass)
}

// motion is the motion of a body, without rounding errors.
func (f noiseFloor) motion(m system.BodyMotion) BodySummary {
	still := f.speed(m.Mass)
	v := [2]float64{m.Velocity.X, m.Velocity.Y}
	p := [2]float64{m.Momentum.X, m.Momentum.Y}
	for k := range v {
		if math.Abs(v[k]) <= still {
			v[k] = 0
		}
		if math.Abs(p[k]) <= still*m.Mass {
			p[k] = 0
		}
	}
	turning := m.AngularVelocity
	if math.Abs(turning)*f.size <= still {
		turning = 0
	}
	return BodySummary{m.Name, m.Mass, v, turning, p}
}
