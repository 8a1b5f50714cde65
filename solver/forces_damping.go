package solver

import (
	"fmt"
	"math"

	"fdem/solver/rayleigh"
)

// DampingCost returns by how much Rayleigh damping shortens the step, with advice. It returns "" if
// that is little or the step is given. Leapfrog uses the damping forces of half a step ago, so the
// longest stable step is (sqrt(d^2 + 4 omega^2) - d)/omega^2 with d = mass + stiffness omega^2.
func (k *stepLimits) DampingCost() string {
	omega2 := k.elements()
	if k.Static != nil || omega2 == 0 {
		return ""
	}
	d := k.Model.Damping.Mass + float64(k.Model.Damping.Stiffness*omega2)
	omega := math.Sqrt(omega2)
	x := d / (2 * omega) // fraction of critical damping
	times := math.Sqrt(1+float64(x*x)) + x
	if times <= rayleigh.CostlyDamping {
		return ""
	}
	safety := k.Safety
	if k.FixedStep > 0 {
		safety = 1 // the longest step that a deck may ask for
	}
	most := 0.5 * (rayleigh.CostlyDamping - 1/rayleigh.CostlyDamping) // value of x from which damping is costly
	text := fmt.Sprintf("damping makes the step %.3g times shorter: %.4g s of %.4g s without it, contact apart; ",
		times, safety*2/(omega*times), safety*2/omega)
	if float64(2*most*omega) <= k.Model.Damping.Mass {
		return text + fmt.Sprintf("take damping.mass below %.2g 1/s", 2*most*omega)
	}
	return text + fmt.Sprintf("take damping.stiffness below %.2g s, or damping.mass, which costs next to nothing and brakes slow motion most",
		(float64(2*most*omega)-k.Model.Damping.Mass)/omega2)
}

// LightDampingTook returns a message with the energy that light damping has taken, "" if it is
// small.
func (k *energyBalance) LightDampingTook() string {
	if !k.damping.Light || !(k.Ledger.Damping > rayleigh.LightReportedFrom*k.Ledger.Entered) {
		return ""
	}
	return fmt.Sprintf("light damping took %.3g J, %.2g %% of the greatest energy held or moved", k.Ledger.Damping, 100*k.Ledger.Damping/k.Ledger.Entered)
}

// LightDamping returns a message about the damping of bodies that have friction if the deck gives
// no damping. It returns "" in other cases.
func (k *energyBalance) LightDamping() string {
	d := k.Model.Damping
	if !d.Light || d.Stiffness == 0 {
		return ""
	}
	return fmt.Sprintf("light damping, of stiffness %.2g s, keeps what friction feeds from squealing; damping = { stiffness = 0 } in [analysis] goes without", d.Stiffness)
}
