package contactnodes

// Friction is Coulomb friction in one of two forms. Regularised, the traction
// follows the slip speed, linearly below Speed. With a stick spring
// (Stiffness above zero) a contact node that holds is tied to its place by a
// tangential spring; it lets go where the spring bears more than Static times
// the pressure, slides under Kinetic times the pressure, and holds again when
// the slip turns round.
type Friction struct {
	Kinetic   float64 // coefficient while sliding [-]
	Static    float64 // coefficient while holding, not below Kinetic; stick spring only [-]
	Speed     float64 // slip speed below which regularised friction is linear; 0 for none [m/s]
	Stiffness float64 // of the stick spring per area [Pa/m]; 0 for regularised friction
}

// regularised returns the traction on the contactor [Pa] at a slip speed:
// linear below Speed, and below the speed that friction would reverse within
// one step, so that friction brakes and never drives. impulse is the normal
// impulse on the contact element in one step, from both sides [N s], mobility
// the change of slip speed by a unit impulse [1/kg].
func (f *Friction) regularised(pressure, slip, impulse, mobility float64) float64 {
	if slip == 0 {
		return 0
	}
	speed := max(f.Speed, f.Kinetic*impulse*mobility)
	return -f.Kinetic * pressure * min(max(slip/speed, -1), 1)
}

// stick returns the traction on the contactor [Pa], the spring's stretch [m]
// and whether the node slides, from the stretch and state before and the slip
// of one step [m].
func (f *Friction) stick(pressure, stretch, slip float64, slides bool) (traction, next float64, sliding bool) {
	next = stretch + slip
	bound := f.Static
	if slides && stretch*slip > 0 { // still sliding the same way
		bound = f.Kinetic
	}
	if limit := bound * pressure / f.Stiffness; next > limit || next < -limit {
		hold := f.Kinetic * pressure / f.Stiffness
		next = min(max(next, -hold), hold)
		sliding = true
	}
	return -f.Stiffness * next, next, sliding
}
