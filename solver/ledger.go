package solver

import (
	"math"

	"fdem/materials/bulk"
	"fdem/solver/flow"
	"fdem/solver/forces"
	"fdem/solver/impulses"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Energies returns the ledger at Time. Forces must have been evaluated there.
func (k *energyBalance) Energies() system.Energies {
	if e, ok := k.LastLedger(); ok {
		return e
	}
	e := system.Energies{DampingDissipated: k.Ledger.Damping, ExternalWork: k.Ledger.Loads}
	work, _, _ := k.weight.Total()
	e.ExternalWork += work
	for _, k := range k.systems {
		k.AddEnergies(&e)
	}
	if k.N == 0 {
		k.Ledger.Start = e
	}
	total := e.Total()
	given := min(0, e.SpringStored) // by springs with a constant force, whose energy is measured from their start
	k.Ledger.Entered = max(k.Ledger.Entered, total-given-e.InsertionWork-e.TransferWork, k.outsideEnergy())
	k.Ledger.OneStep = max(k.Ledger.OneStep, k.oneStepEnergy())
	start := &k.Ledger.Start // energy that is negative at the start has not been released there either
	if k.TellsStepEnergy() && k.Zone().Cracks() == 0 {
		e.StepEnergy = k.Ledger.Shortest * k.Ledger.Shortest * (e.Kick - start.Kick)
	}
	e.Residual = (total - e.ExternalWork) - (start.Total() - start.InsertionWork - start.ExternalWork) - e.StepEnergy
	k.Ledger.Lowest, k.Ledger.Strained = min(k.Ledger.Lowest, e.Residual), max(k.Ledger.Strained, e.Strain)
	k.KeepLedger(&e)
	return e
}

// TellsStepEnergy tells whether the step energy has a column and is left out of the residual.
// In constant steps the central difference method conserves, for a linear system,
//
//	S = 1/2 m v- v+ + U = T + U - dt^2/8 sum f^2/m
//
// with the velocities half a step before and after, and not T + U (S. Krenk, Comput. Methods
// Appl. Mech. Engrg. 195, 2006). T + U changes while forces act, and returns to its value. In
// steps that change slowly while bodies vibrate, T + U is conserved on the mean. So dt is the
// shortest step so far, and the additional change in longer steps stays in the residual. Forces
// that begin or end in the middle of a step also conserve T + U on the mean. This holds for
// elastic contact of meshed bodies (contactnodes/kick.go), for which no step energy is left
// out, and for cracks, after the first of which none is left out.
func (k *energyBalance) TellsStepEnergy() bool {
	return k.Static == nil && k.Model.Impulses == nil && !k.elastic
}

// Noise returns the energy that rounding may create [J].
func (k *energyBalance) Noise() float64 { return k.RoundingNoise }

// positionEnergy returns the energy that the rounding of positions may create in each
// step [J]. Every step rounds all positions anew, so that this energy adds up. Far from
// the origin the rounding is coarse, 1e-13 m at 1 km. There a model that begins slowly
// has less energy than that for many steps.
func (k *energyBalance) positionEnergy() float64 {
	if k.Static != nil {
		return 0
	}
	return k.RoundedEnergy()
}

// StressNoise returns the approximate part of the stress in a static analysis that is rounding
// of the nodes' positions. It is the root of the rounding's energy over the strain energy, or
// over a part of the greatest strain energy so far if bodies have been strained and are so no longer.
// It is 0 if no work has been done.
func (k *energyBalance) StressNoise(e system.Energies) float64 {
	if k.Static == nil {
		return 0
	}
	if (e.ExternalWork == 0 || e.Strain == 0) && len(k.Model.Loads) == 0 && k.Model.Gravity == (r2.Vec{}) {
		return 0
	}
	energy := max(e.Strain, k.Ledger.Strained/100) // a small part of the greatest energy is above rounding, too
	const mean = 2.0                               // of positionNoise, without margin
	if rounded := mean / system.PositionNoise * k.RoundedEnergy(); rounded > 0 {
		return math.Sqrt(rounded / energy)
	}
	return 0
}

// Relative returns the residual of e relative to the greatest energy of the
// system so far, 0 if there was none. Rigid bodies at rest by impulses hold none, neither in
// motion nor in contact: there the energy that they would have after a fall of some steps counts.
func (k *energyBalance) Relative(e system.Energies) float64 {
	if k.Ledger.Entered <= k.RoundingNoise {
		return 0
	}
	held := k.Ledger.Entered
	if k.Model.Impulses != nil {
		held = max(held, k.Ledger.OneStep)
	}
	return math.Abs(e.Residual) / held
}

// RelativeResidual returns the residual of e relative to the greatest energy of the
// system so far, or to the energy that one step can make if that is greater (yardstick). So a run
// that has just begun is not judged by its very small energy, and none by less than
// the rounding of positions.
func (k *energyBalance) RelativeResidual(e system.Energies) float64 {
	held := k.yardstick()
	if k.Ledger.Entered <= k.RoundingNoise || held <= float64(k.N)*k.roundingEnergy {
		return 0
	}
	return math.Abs(e.Residual) / held
}

// tells tells whether a row of the history has an entry of the ledger.
func (k *energyBalance) tells(name string) bool {
	in := toldIf[name]
	return in == nil || in(k)
}

// toldIf tells, by name, whether a model has an entry; without an entry here it always has.
var toldIf = map[string]func(s *energyBalance) bool{
	"plastic_work":        (*energyBalance).Yields,
	"viscous_work":        (*energyBalance).Relaxes,
	"cohesive_stored":     (*energyBalance).Breaks,
	"fracture_dissipated": (*energyBalance).Breaks,
	"insertion_work":      (*energyBalance).Breaks,
	"handover_work":       func(s *energyBalance) bool { return s.Transfers() },
	"impact_loss":         with[*impulses.Contacts],
	"solver_error":        with[*impulses.Contacts],
	"position_error":      with[*impulses.Contacts],
	"spring_stored":       with[*forces.Springs],
	"spring_dissipated":   with[*forces.Springs],
	"bolt_stored":         with[*forces.Bolts],
	"bolt_dissipated":     with[*forces.Bolts],
	"lining_stored":       with[*forces.Linings],
	"lining_dissipated":   with[*forces.Linings],
	"fluid_stored":        with[*flow.Fluids],
	"fluid_dissipated":    with[*flow.Fluids],
	"fluid_pumped":        with[*flow.Fluids],
	"fluid_work":          with[*flow.Fluids],
	"fluid_viscous":       with[*flow.Fluids],
	"fluid_steps":         with[*flow.Fluids],
	"fluid_escaped":       with[*flow.Fluids],
	"absorbed":            with[*forces.Absorbers],
	"excavated":           (*energyBalance).Excavates,
	"step_energy":         (*energyBalance).TellsStepEnergy,
}

// Yields tells whether bodies can yield plastically.
func (k *kinds) Yields() bool { return k.triangles.Loses(bulk.PlasticWork) }

// Relaxes tells whether bodies are viscous.
func (k *kinds) Relaxes() bool { return k.triangles.Loses(bulk.ViscousWork) }

// with tells whether a model has a kind of system.
func with[T system.System](s *energyBalance) (has bool) {
	for range system.All[T](s.kinds.systems) {
		has = true
	}
	return has
}
