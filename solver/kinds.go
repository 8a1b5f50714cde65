package solver

import (
	"fdem/solver/atrest"
	"fdem/solver/bodies"
	"fdem/solver/constraints"
	"fdem/solver/contacts"
	"fdem/solver/diffusion"
	"fdem/solver/flow"
	"fdem/solver/forces"
	"fdem/solver/impulses"
	"fdem/solver/nodes"
	"fdem/solver/particles"
	"fdem/solver/rayleigh"
	rests "fdem/solver/rest"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// kinds are all systems of the model, as a list in the order in which they act, and by
// name.
type kinds struct {
	systems []system.System

	triangles *bodies.Continuum
	beams     *bodies.Beams
	spheres   *particles.Balls
	rigids    *bodies.Rigids
	contacts  *contacts.Contacts
	impulses  *impulses.Contacts
	loads     *forces.Loads
	stressed  *forces.Stressed
	absorbers *forces.Absorbers
	damping   *rayleigh.Damping
	fluids    *flow.Fluids
	drives    *constraints.Drives
	springs   *forces.Springs
	bolts     *forces.Bolts
	linings   *forces.Linings
	preload   *forces.Preload
	ties      *constraints.Ties
	weight    *forces.Weight
	heat      *diffusion.Heat
	pores     *diffusion.Pores
	settle    *rests.Settling
	rest      *atrest.Watch
}

// Resting returns what starts in equilibrium.
func (k *kinds) Resting() rests.Resting { return k.settle.Resting }

// Unbalanced returns the imbalance of initial stress, supports, loads and weight at the
// start. Without imbalance a run begins at rest. In a static analysis loads and weight
// that grow from zero are not included. ok is false without an initial stress.
func (s *kinds) Unbalanced() (u forces.Unbalance, ok bool) {
	return s.stressed.Unbalanced, len(s.stressed.InitialStresses) > 0
}

// Softened returns a line if bodies without a law were compressed so far that the default one is softer than
// Hooke's, "" otherwise.
func (k *kinds) Softened() string { return k.triangles.Softened() }

// Overloaded returns a line about beams beyond their strength, "" for none.
func (k *kinds) Overloaded() string { return k.beams.Overloaded() }

// weights returns the weights of all kinds of bodies.
func (k *kinds) weights() (all nodes.Weight) {
	for _, k := range k.systems {
		w := k.Weights()
		all.Mass, all.Moved, all.In, all.Out = all.Mass+w.Mass, r2.Add(all.Moved, w.Moved), all.In+w.In, all.Out+w.Out
	}
	return all
}
