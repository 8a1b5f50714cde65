package solver

import (
	"fmt"
	"math"

	"fdem/solver/contacts"
	"fdem/solver/rayleigh"
	"fdem/solver/system"
)

// Balance returns a message about the ratio of energies of a quasi-static run that was slow
// enough, else "".
func (k *energyBalance) Balance() string {
	c := &k.Ledger.QuasiStatic
	if !k.QuasiStatic || c.Strain == 0 || c.TooFast() {
		return ""
	}
	if c.Ratio() <= system.QuasiStaticRatio {
		return fmt.Sprintf("quasi-static: the kinetic energy was at most %.2g %% of the greatest strain energy", 100*c.Ratio())
	}
	return fmt.Sprintf("quasi-static until the strain energy was greatest, at t = %.4g s: the kinetic energy was at most %.2g %% of it. What breaks or is released then moves by itself, with up to %.2g %%: what follows is no balance", c.StrainAt, 100*c.Before/c.Strain, 100*c.Ratio())
}

// TooFast returns a warning for a quasi-static run that was too fast, with advice; "" if
// it was slow until the greatest strain energy.
func (k *energyBalance) TooFast() string {
	c := &k.Ledger.QuasiStatic
	if !k.QuasiStatic || !c.TooFast() {
		return ""
	}
	of := "its greatest strain energy"
	if c.First > 0 {
		of = "the greatest change of its strain energy"
	}
	return fmt.Sprintf("the run calls itself quasi-static, and its kinetic energy reached %.2g %% of %s (%.3g J of %.3g J) at t = %.4g s: let the load grow more slowly and smoothly, or give the bodies damping, local = 0.7 or mass", 100*c.Ratio(), of, c.Kinetic, c.Strain, c.KineticAt)
}

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

// BelowItsLimit returns a warning if the regularised friction of a contact never reached its limit,
// because all slip was slower than its speed, with advice. It returns "" otherwise, or if there was
// no slip.
func (k *energyBalance) BelowItsLimit(f *system.ContactForce) string {
	if !(f.PeakSlip > 0 && f.PeakSlip < f.Speed) {
		return ""
	}
	// Linear friction has dissipated pressure times slip times the ratio of the slip speeds. At its
	// limit it would have dissipated at least this much divided by the greatest ratio.
	if atLimit := f.FrictionHeat * (f.Speed / f.PeakSlip); !(atLimit > contacts.IdleFriction*k.Ledger.Entered) {
		return ""
	}
	advice := `, or say friction_model = "stick" in its place, and a spring holds what sticks`
	if f.ByVolume {
		advice = ""
	}
	return fmt.Sprintf("contact %s: friction never reached its limit: the greatest slip speed was %.3g m/s, and friction_speed is %.3g m/s, below which friction grows with the slip speed and holds nothing; give a friction_speed well below %.3g m/s%s",
		f.Name, f.PeakSlip, f.Speed, f.PeakSlip, advice)
}

// Unsteady returns warnings about contacts whose friction was less than Coulomb's law says while
// they slid, with the reason and advice.
func (k *energyBalance) Unsteady() (warnings []string) {
	for _, u := range k.contacts.Unsteady() {
		if u.Reduced > 0 {
			warnings = append(warnings, fmt.Sprintf("contact %s: friction was %.2g of its coefficient times the normal force during %.2g of its sliding, although the slip was faster than friction_speed, %.3g m/s: where friction would reverse the motion of light nodes within a step it grows with the slip speed, up to %.3g m/s here; friction_model = \"stick\" carries all of it",
				u.Contact, u.Carried, u.Reduced, u.Speed, u.Widened))
			continue
		}
		advice := "coarser edges at the contact, or bodies of one stiffness"
		if d := k.Model.Damping; d.Light || d.Stiffness == 0 {
			var b system.Bounds
			k.triangles.Bound(&b)
			if b.Elements.Of > 0 {
				advice = fmt.Sprintf("damping = { stiffness = %.2g } in [analysis] damps these most", 2*rayleigh.LightDamping/math.Sqrt(b.Elements.Of))
			}
		}
		warnings = append(warnings, fmt.Sprintf("contact %s: its contact nodes opened and shut under a steady force during %.2g of its sliding, and friction was %.2g of its coefficient times the normal force then: friction feeds the shortest vibrations of the bodies; %s",
			u.Contact, u.Chatters, u.Carried, advice))
	}
	return warnings
}
