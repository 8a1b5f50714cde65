package solver

import (
	"fmt"
	"math"

	"fdem/solver/contacts"
	"fdem/solver/rayleigh"
	"fdem/solver/system"
)

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
