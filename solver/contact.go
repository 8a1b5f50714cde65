package solver

import (
	"fmt"

	"fdem/solver/contacts"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// BelowItsLimit returns a warning if the regularised friction of a contact never reached its limit,
// because all slip was slower than its speed, with advice. It returns "" otherwise, or if there was
// no slip.
func (k *results) BelowItsLimit(f *system.ContactForce) string {
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

// ContactForces returns the contacts as evaluated last. The parts of a contact are added up.
func (s *means) ContactForces() []system.ContactForce {
	var out []system.ContactForce
	for _, k := range s.contacting {
		out = k.ContactForces(out)
	}
	return out
}

// NodalContactForces fills force, one per node, with the contact forces at Time [N].
func (s *results) NodalContactForces(force []r2.Vec) {
	clear(force)
	for _, n := range s.contacts.LoadedNodes {
		force[n] = s.Contact.At(n).F
	}
	for k := range system.All[system.Pressing](s.kinds.systems) {
		k.AddTo(force)
	}
}

// Rounded returns the contacts whose overlap at the start is not counted as deflection although the
// deck does not say so.
func (k *results) Rounded() []contacts.Rounded { return k.contacts.Rounded }
