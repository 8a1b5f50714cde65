package solver

import (
	"fmt"
	"math"
)

// costly is how many times shorter a step damping may make without a word.
const costly = 1.5

// DampingCost says what Rayleigh damping makes of the step, with what to take
// instead; nothing where it costs little or the step is given. Leapfrog takes
// the damping forces of half a step ago, so that the longest step is
// (sqrt(d^2 + 4 omega^2) - d)/omega^2 with d = mass + stiffness omega^2.
func (s *Solver) DampingCost() string {
	if s.Static != nil || s.omega2 == 0 || s.Damping == (Damping{}) {
		return ""
	}
	d := s.Damping.Mass + float64(s.Damping.Stiffness*s.omega2)
	omega := math.Sqrt(s.omega2)
	x := d / (2 * omega) // of the critical damping
	times := math.Sqrt(1+float64(x*x)) + x
	if times <= costly {
		return ""
	}
	safety := s.Safety
	if s.FixedStep > 0 {
		safety = 1 // the longest that may be asked for
	}
	most := 0.5 * (costly - 1/costly) // x that makes it costly
	text := fmt.Sprintf("damping makes the step %.3g times shorter: %.4g s of %.4g s without it, contact apart; ",
		times, safety*2/(omega*times), safety*2/omega)
	if float64(2*most*omega) <= s.Damping.Mass {
		return text + fmt.Sprintf("take damping.mass below %.2g 1/s", 2*most*omega)
	}
	return text + fmt.Sprintf("take damping.stiffness below %.2g s, or damping.mass, which costs next to nothing and brakes slow motion most",
		(float64(2*most*omega)-s.Damping.Mass)/s.omega2)
}
