package system

import (
	"fdem/contactnodes"
	"fdem/materials/restitution"

	"gonum.org/v1/gonum/spatial/r2"
)

// ContactForce is the state of one of the model's contacts.
type ContactForce struct {
	Name           string
	Points         bool    // a force law, which has no pressure
	ByVolume       bool    // a volumetric contact
	Impulses       bool    // contact by impulses, which has no pressure and no peak force
	PeakImpulse    float64 // of contact by impulses: greatest normal impulse of a contact point in a step so far [N s]
	Active         int     // contact nodes with contact; overlaps of a volumetric contact
	Normal         float64 // sum of the normal forces [N]
	Tangential     float64 // sum of the friction forces [N]
	PeakPressure   float64 // greatest so far [Pa]; of a volumetric contact: mean over the contact line
	PeakForce      float64 // greatest normal force so far [N]; of an interaction: in one pair; of a contact in parts: of one part
	PeakDeflection float64 // of one pair of an interaction, greatest so far [m]
	// Surfaces tells that it is a contact of edges. Then Push is the resultant on the contactor
	// [N], see MeanForce, and Moment its moment about the origin [N m].
	Surfaces bool
	Push     r2.Vec
	Moment   float64
	// Of an interaction so far, while pairs approach and while they separate.
	Compressed, Restored restitution.Phase
	Dissipated           float64 // by the law and by friction so far [J]
	Stiffness            float64 // of the law, if it was chosen from the bodies; the greatest of all parts [Pa/m]
	// For regularised friction: the slip speed below which it is linear, as given in the deck; the
	// greatest value that it had so far, 0 before the first slip; and the greatest slip speed so
	// far [m/s]. The last is infinite after contact of fragments, where it is not recorded. All are
	// 0 without regularised friction.
	Speed, PeakSpeed, PeakSlip float64
	FrictionHeat               float64 // by regularised friction so far [J]
}

// SetSpeeds sets the speeds of regularised friction, and the energy that it has dissipated [J].
func (f *ContactForce) SetSpeeds(friction contactnodes.Friction, greatest contactnodes.Speeds, took float64) {
	if friction.Kinetic > 0 && !friction.Sticks() {
		f.Speed, f.PeakSpeed, f.PeakSlip = friction.Speed, max(f.PeakSpeed, greatest.Linear), max(f.PeakSlip, greatest.Slip)
		f.FrictionHeat += took
	}
}

// Acts is the effect of contact on the nodes.
type Acts struct {
	Power float64 // of its forces with the velocities [W]
	// Kick is the sum of force squared divided by mass over all nodes with contact forces [W/s].
	// Half of it times the square of half a step is the difference between the kinetic energy of
	// leapfrog and the energy that it conserves.
	Kick float64
	// The greatest stiffness and damping divided by the mass of a node [1/s2], [1/s], and these
	// nodes.
	Stiffness, Damping  float64
	Stiffest, MaxDamped int32
}
