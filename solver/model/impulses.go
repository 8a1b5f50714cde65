package model

// Impulses makes a run of rigid bodies one by impulses, without springs between bodies (package
// impulses).
type Impulses struct {
	Tolerance float64 // of the accelerations, relative to gravity
	Sweeps    int     // greatest number of sweeps in a step
	Contacts  []ImpulseContact
}

// ImpulseContact is contact of rigid bodies by impulses. Bodies are indices of Model.Rigids,
// ascending.
type ImpulseContact struct {
	Name                string
	Contactor, Opposite []int32
	Elsewhere           [][2][]int32 // two sides whose pairs of bodies belong to another contact
	Friction            float64
	Rolling             float64 // coefficient of the moment that resists rolling of discs
	Restitution         float64
	RestitutionSpeed    float64 // slower impacts are plastic [m/s]; negative for four steps of gravity, or of the greatest acceleration by loads without it
}
