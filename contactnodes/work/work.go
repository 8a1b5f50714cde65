// Package work is the account of work of a contact (energy balance): the work that
// bodies have done against its forces, the part of it that the contact can give
// back, and the part that has turned to heat. Every kind of contact keeps it, and
// the energy ledger reads it.
package work

// Done is the work that bodies have done against the forces of a contact so far.
// It is part of a checkpoint.
type Done struct {
	NormalWork   float64 // against normal forces and rolling torques [J]
	FrictionWork float64 // against friction [J]
}

// Account is the work of a contact at one time.
type Account struct {
	Done
	Stored      float64 // recoverable, by the law [J]
	Spring      float64 // recoverable, by the springs of friction [J]
	Ramp        float64 // part of the work: done where overlaps at the start are ramped in [J]
	Transferred float64 // part of the work: done where contact nodes transfer contact points to the contact of fragments [J]
}

// Recoverable returns the energy that the contact can give back [J].
func (a Account) Recoverable() float64 { return a.Stored + a.Spring }

// Dissipated returns the energy that the law has turned to heat so far [J].
func (a Account) Dissipated() float64 { return a.NormalWork - a.Stored }

// FrictionLoss returns the energy that friction has turned to heat so far [J].
func (a Account) FrictionLoss() float64 { return a.FrictionWork - a.Spring }

// OfBodies returns the work that bodies have done by their motion so far [J].
func (a Account) OfBodies() float64 { return (a.NormalWork + a.FrictionWork) - a.Ramp - a.Transferred }
