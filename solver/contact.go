package solver

import (
	"fmt"

	"fdem/solver/contacts"
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
