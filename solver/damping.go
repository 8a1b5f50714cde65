package solver

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// damping is Rayleigh damping: what the viscous systems put on nodes, and the
// work it takes. Its forces are those at the step's start when the step's work
// is booked, so they are state.
type damping struct {
	idle
	s      *Solver
	Force  []r2.Vec  // on nodes [N]
	Moment []float64 // on nodes that can turn [N m]
}

// addRayleigh makes the damping where the model has it.
func (s *Solver) addRayleigh() {
	if s.Model.Damping == (Damping{}) || s.Static != nil {
		return
	}
	s.damping = &damping{s: s, Force: make([]r2.Vec, len(s.X))}
	if s.turning != nil {
		s.damping.Moment = make([]float64, len(s.X))
	}
	s.systems = append(s.systems, s.damping)
}

func (k *damping) name() string { return "damping" }

func (k *damping) addForces(bool) error {
	s := k.s
	taken := k.power() // of the forces at the step's start
	clear(k.Force)
	for _, of := range s.systems {
		if v, ok := of.(viscous); ok {
			v.addDamping()
		}
	}
	s.Ledger.Damping -= float64(0.5 * s.Last * (taken + k.power()))
	for i, d := range k.Force {
		s.f[i].X += d.X
		s.f[i].Y += d.Y
	}
	return nil
}

// power returns the power of the damping forces on the velocities [W].
func (k *damping) power() float64 {
	p := 0.0
	for i, d := range k.Force {
		v := k.s.V[i]
		p += float64(d.X*v.X) + float64(d.Y*v.Y)
	}
	for i, m := range k.Moment {
		p += float64(m * k.s.Spin[i])
	}
	return p
}

func (k *damping) parts() []Part {
	parts := []Part{{"damping", k.Force}}
	if k.Moment != nil {
		parts = append(parts, Part{"damping_moment", k.Moment})
	}
	return parts
}

// costly is how many times shorter a step damping may make without a word.
const costly = 1.5

// DampingCost says what Rayleigh damping makes of the step, with what to take
// instead; nothing where it costs little or the step is given. Leapfrog takes
// the damping forces of half a step ago, so that the longest step is
// (sqrt(d^2 + 4 omega^2) - d)/omega^2 with d = mass + stiffness omega^2.
func (s *Solver) DampingCost() string {
	omega2 := s.elements()
	if s.Static != nil || omega2 == 0 || s.Model.Damping == (Damping{}) {
		return ""
	}
	d := s.Model.Damping.Mass + float64(s.Model.Damping.Stiffness*omega2)
	omega := math.Sqrt(omega2)
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
	if float64(2*most*omega) <= s.Model.Damping.Mass {
		return text + fmt.Sprintf("take damping.mass below %.2g 1/s", 2*most*omega)
	}
	return text + fmt.Sprintf("take damping.stiffness below %.2g s, or damping.mass, which costs next to nothing and brakes slow motion most",
		(float64(2*most*omega)-s.Model.Damping.Mass)/omega2)
}
