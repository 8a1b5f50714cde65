package solver

import (
	"math"

	"fdem/contactnodes/work"
	"fdem/materials/bulk"
	"fdem/solver/quantity"

	"gonum.org/v1/gonum/spatial/r2"
)

// Energies is one row of the ledger, the balance of energy of a run [J].
type Energies struct {
	Kinetic            float64
	Strain             float64
	ContactStored      float64 // recoverable
	ContactDissipated  float64
	FrictionDissipated float64
	DampingDissipated  float64
	PlasticWork        float64 // work of plastic strain in triangles
	ViscousWork        float64 // work of dashpots in triangles
	CohesiveStored     float64 // recoverable, of cracks
	FractureDissipated float64
	InsertionWork      float64 // energy that cracks have released beyond all that they have taken, see fracture.Zone.Energies: a part of the residual
	TransferWork       float64 // difference of stored energies between contact of triangles and contact of edges, in a contact transfer: a part of the residual
	Absorbed           float64 // energy out through absorbing edges
	Excavated          float64 // energy of excavated bodies minus the work of the forces that are ramped out
	FluidStored        float64 // recoverable, of fluids under pressure
	FluidDissipated    float64 // by their flow, by free expansion, and with spilled fluid
	FluidPumped        float64 // work done on fluids: a part of ExternalWork
	FluidWork          float64 // work of fluids on walls of wells and cracks
	FluidViscous       float64 // lost by flow: a part of FluidDissipated
	FluidSteps         float64 // lost by the finite step: by free expansion, and where faces are pressed together: a part of FluidDissipated
	FluidEscaped       float64 // energy of spilled fluid: a part of FluidDissipated
	SpringStored       float64 // recoverable
	SpringDissipated   float64 // by dashpots
	ExternalWork       float64 // work of loads, gravity, driven bodies and overlaps that are ramped in
	StepEnergy         float64 // kinetic and other energy at whole steps beyond the energy that leapfrog conserves, see TellsStepEnergy
	Residual           float64 // increase of the sum of the entries above since the start, minus external work and step energy
	kick               float64 // sum of force squared divided by eight times the mass, over all that leapfrog moves [J/s2]
}

// total returns the energy that leapfrog conserves, apart from external work.
func (e *Energies) total() float64 {
	return e.Kinetic + e.Strain + e.ContactStored + e.ContactDissipated + e.FrictionDissipated + e.DampingDissipated + e.CohesiveStored + e.FractureDissipated + e.SpringStored + e.SpringDissipated + e.Absorbed + e.Excavated + e.PlasticWork + e.ViscousWork + e.FluidStored + e.FluidDissipated
}

// OfSteps returns the part of the residual that comes from the finite step [J]. The rest comes from
// the opening of cracks and from contact transfer, and has its own columns.
func (e *Energies) OfSteps() float64 { return e.Residual - e.InsertionWork - e.TransferWork }

// addContact adds the energies of a contact.
func (e *Energies) addContact(a work.Account) {
	e.ContactStored += a.Recoverable()
	e.ContactDissipated += a.Dissipated()
	e.FrictionDissipated += a.FrictionLoss()
	e.ExternalWork += a.Ramp
	e.TransferWork += a.Transferred
}

// finite tells whether all entries are finite.
func (e *Energies) finite() bool {
	sum := e.total() + e.ExternalWork
	return !math.IsNaN(sum) && !math.IsInf(sum, 0)
}

// Ledger accumulates the energies that do not follow from the state.
type Ledger struct {
	Loads       float64   // work of the loads and of driven bodies so far [J]
	Damping     float64   // energy taken by damping until the start of the last step [J]
	Start       Energies  // the first row
	Entered     float64   // greatest energy of the system so far [J]
	Lowest      float64   // least residual so far [J]
	Strained    float64   // greatest strain energy so far [J]
	OneStep     float64   // greatest energy so far that one step at a drive's speed, or a few steps of loads and weight, could make [J]
	Sources     []float64 // work so far of the supports of a static analysis, of each driven rigid body, and of each load [J]
	Shortest    float64   // the shortest step so far; 0 before the first [s]
	Watch       Watch
	QuasiStatic QuasiStatic
	Jump        float64 // greatest change of the residual in one increment of a static analysis so far [J]
	JumpAt      float64 // the end of that increment [s]
	Closed      float64 // residual of increments of a static analysis in which negligible gaps closed [J]
}

// stepped updates the shortest step with one of length dt [s].
func (l *Ledger) stepped(dt float64) {
	if l.Shortest == 0 || dt < l.Shortest {
		l.Shortest = dt
	}
}

// record adds external work of a source [J].
func (l *Ledger) record(source int, work float64) {
	l.Loads += work
	l.Sources[source] += work
}

// Energies returns the ledger at Time. Forces must have been evaluated there.
func (k *energyBalance) Energies() Energies {
	if k.sharing.ownedFrom != nil && k.sharing.ledger == k.instant() { // makes no MPI call, because the caller may depend on the clock
		return k.sharing.latest
	}
	e := Energies{DampingDissipated: k.Ledger.Damping, ExternalWork: k.Ledger.Loads}
	work, _, _ := k.weight.total()
	e.ExternalWork += work
	for _, k := range k.systems {
		k.energies(&e)
	}
	if k.N == 0 {
		k.Ledger.Start = e
	}
	total := e.total()
	given := min(0, e.SpringStored) // by springs with a constant force, whose energy is measured from their start
	k.Ledger.Entered = max(k.Ledger.Entered, total-given-e.InsertionWork-e.TransferWork, k.outsideEnergy())
	k.Ledger.OneStep = max(k.Ledger.OneStep, k.oneStepEnergy())
	start := &k.Ledger.Start // energy that is negative at the start has not been released there either
	if k.TellsStepEnergy() && k.cracks.Cracks() == 0 {
		e.StepEnergy = k.Ledger.Shortest * k.Ledger.Shortest * (e.kick - start.kick)
	}
	e.Residual = (total - e.ExternalWork) - (start.total() - start.InsertionWork - start.ExternalWork) - e.StepEnergy
	k.Ledger.Lowest, k.Ledger.Strained = min(k.Ledger.Lowest, e.Residual), max(k.Ledger.Strained, e.Strain)
	if k.sharing.ownedFrom != nil {
		k.sharing.latest, k.sharing.ledger = e, k.instant()
	}
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
func (k *energyBalance) TellsStepEnergy() bool { return k.Static == nil && !k.elastic }

// Noise returns the energy that rounding may create [J].
func (k *energyBalance) Noise() float64 { return k.noise }

// positionNoise is the strain energy of triangles by the rounding of their nodes'
// positions, relative to Young's modulus times thickness times the square of the
// rounding. It is about 2 for the mean rounding, with some margin.
const positionNoise = 20

// positionEnergy returns the energy that the rounding of positions may create in each
// step [J]. Every step rounds all positions anew, so that this energy adds up. Far from
// the origin the rounding is coarse, 1e-13 m at 1 km. There a model that begins slowly
// has less energy than that for many steps.
func (k *energyBalance) positionEnergy() float64 {
	if k.Static != nil {
		return 0
	}
	return k.roundedEnergy()
}

// roundedEnergy is positionEnergy of any analysis.
func (k *view) roundedEnergy() float64 {
	stiff, off := 0.0, k.roundoff()
	for i := range k.Bodies {
		stiff += float64(k.Materials[k.Bodies[i].Material].Young * float64(len(k.Mesh.Bodies[i].Nodes)))
	}
	return positionNoise * stiff * k.Thickness * off * off
}

// StressNoise returns the approximate part of the stress in a static analysis that is rounding
// of the nodes' positions. It is the root of the rounding's energy over the strain energy, or
// over a part of the greatest strain energy so far if bodies have been strained and are so no longer.
// It is 0 if no work has been done.
func (k *energyBalance) StressNoise(e Energies) float64 {
	if k.Static == nil {
		return 0
	}
	if (e.ExternalWork == 0 || e.Strain == 0) && len(k.Model.Loads) == 0 && k.Model.Gravity == (r2.Vec{}) {
		return 0
	}
	energy := max(e.Strain, k.Ledger.Strained/100) // a small part of the greatest energy is above rounding, too
	const mean = 2.0                               // of positionNoise, without margin
	if rounded := mean / positionNoise * k.roundedEnergy(); rounded > 0 {
		return math.Sqrt(rounded / energy)
	}
	return 0
}

// Relative returns the residual of e relative to the greatest energy of the
// system so far, 0 if there was none.
func (k *energyBalance) Relative(e Energies) float64 {
	if k.Ledger.Entered <= k.noise {
		return 0
	}
	return math.Abs(e.Residual) / k.Ledger.Entered
}

// RelativeResidual returns the residual of e relative to the greatest energy of the
// system so far, or to the energy that one step can make if that is greater. So a run
// that has just begun is not judged by its very small energy, and none by less than
// the rounding of positions.
func (k *energyBalance) RelativeResidual(e Energies) float64 {
	held := max(k.Ledger.Entered, k.Ledger.OneStep)
	if k.Ledger.Entered <= k.noise || held <= float64(k.N)*k.roundingEnergy {
		return 0
	}
	return math.Abs(e.Residual) / held
}

// ofLedger lists the entries of a row of the ledger in the order of the history.
var ofLedger = []struct {
	of    *quantity.Quantity
	value func(e *Energies) *float64
}{
	{quantity.Must(quantity.Run, "kinetic"), func(e *Energies) *float64 { return &e.Kinetic }},
	{quantity.Must(quantity.Run, "strain"), func(e *Energies) *float64 { return &e.Strain }},
	{quantity.Must(quantity.Run, "contact_stored"), func(e *Energies) *float64 { return &e.ContactStored }},
	{quantity.Must(quantity.Run, "contact_dissipated"), func(e *Energies) *float64 { return &e.ContactDissipated }},
	{quantity.Must(quantity.Run, "friction_dissipated"), func(e *Energies) *float64 { return &e.FrictionDissipated }},
	{quantity.Must(quantity.Run, "damping_dissipated"), func(e *Energies) *float64 { return &e.DampingDissipated }},
	{quantity.Must(quantity.Run, "plastic_work"), func(e *Energies) *float64 { return &e.PlasticWork }},
	{quantity.Must(quantity.Run, "viscous_work"), func(e *Energies) *float64 { return &e.ViscousWork }},
	{quantity.Must(quantity.Run, "cohesive_stored"), func(e *Energies) *float64 { return &e.CohesiveStored }},
	{quantity.Must(quantity.Run, "fracture_dissipated"), func(e *Energies) *float64 { return &e.FractureDissipated }},
	{quantity.Must(quantity.Run, "insertion_work"), func(e *Energies) *float64 { return &e.InsertionWork }},
	{quantity.Must(quantity.Run, "handover_work"), func(e *Energies) *float64 { return &e.TransferWork }},
	{quantity.Must(quantity.Run, "spring_stored"), func(e *Energies) *float64 { return &e.SpringStored }},
	{quantity.Must(quantity.Run, "spring_dissipated"), func(e *Energies) *float64 { return &e.SpringDissipated }},
	{quantity.Must(quantity.Run, "fluid_stored"), func(e *Energies) *float64 { return &e.FluidStored }},
	{quantity.Must(quantity.Run, "fluid_dissipated"), func(e *Energies) *float64 { return &e.FluidDissipated }},
	{quantity.Must(quantity.Run, "fluid_pumped"), func(e *Energies) *float64 { return &e.FluidPumped }},
	{quantity.Must(quantity.Run, "fluid_work"), func(e *Energies) *float64 { return &e.FluidWork }},
	{quantity.Must(quantity.Run, "fluid_viscous"), func(e *Energies) *float64 { return &e.FluidViscous }},
	{quantity.Must(quantity.Run, "fluid_steps"), func(e *Energies) *float64 { return &e.FluidSteps }},
	{quantity.Must(quantity.Run, "fluid_escaped"), func(e *Energies) *float64 { return &e.FluidEscaped }},
	{quantity.Must(quantity.Run, "absorbed"), func(e *Energies) *float64 { return &e.Absorbed }},
	{quantity.Must(quantity.Run, "excavated"), func(e *Energies) *float64 { return &e.Excavated }},
	{quantity.Must(quantity.Run, "step_energy"), func(e *Energies) *float64 { return &e.StepEnergy }},
	{quantity.Must(quantity.Run, "external_work"), func(e *Energies) *float64 { return &e.ExternalWork }},
	{quantity.Must(quantity.Run, "residual"), func(e *Energies) *float64 { return &e.Residual }},
}

// toldIf tells, by name, whether a model has an entry; without an entry here it always has.
var toldIf = map[string]func(s *energyBalance) bool{
	"plastic_work":        (*energyBalance).Yields,
	"viscous_work":        (*energyBalance).Relaxes,
	"cohesive_stored":     with[*cracks],
	"fracture_dissipated": with[*cracks],
	"insertion_work":      with[*cracks],
	"handover_work":       func(s *energyBalance) bool { return s.Transfers() },
	"spring_stored":       with[*springs],
	"spring_dissipated":   with[*springs],
	"fluid_stored":        with[*fluids],
	"fluid_dissipated":    with[*fluids],
	"fluid_pumped":        with[*fluids],
	"fluid_work":          with[*fluids],
	"fluid_viscous":       with[*fluids],
	"fluid_steps":         with[*fluids],
	"fluid_escaped":       with[*fluids],
	"absorbed":            with[*absorbers],
	"excavated":           with[*excavations],
	"step_energy":         (*energyBalance).TellsStepEnergy,
}

// Yields tells whether bodies can yield plastically.
func (k *kinds) Yields() bool { return k.triangles.Loses(bulk.PlasticWork) }

// Relaxes tells whether bodies are viscous.
func (k *kinds) Relaxes() bool { return k.triangles.Loses(bulk.ViscousWork) }

// with tells whether a model has a kind of system.
func with[T system](s *energyBalance) (has bool) {
	for range all[T](s.kinds.systems) {
		has = true
	}
	return has
}

// parts returns the energies as parts of a checkpoint, with names that begin with prefix.
func (e *Energies) parts(prefix string) (parts []Part) {
	for _, b := range ofLedger {
		parts = append(parts, Part{prefix + b.of.Name, b.value(e)})
	}
	return parts
}

// parts returns the state of the ledger.
func (l *Ledger) parts() []Part {
	return append([]Part{
		{"ledger.loads", &l.Loads}, {"ledger.damping", &l.Damping}, {"ledger.entered", &l.Entered}, {"ledger.lowest", &l.Lowest}, {"ledger.strained", &l.Strained}, {"ledger.one_step", &l.OneStep}, {"ledger.sources", l.Sources},
		{"calm.kinetic", &l.QuasiStatic.Kinetic}, {"calm.kinetic_at", &l.QuasiStatic.KineticAt}, {"calm.first", &l.QuasiStatic.First}, {"calm.strain", &l.QuasiStatic.Strain}, {"calm.strain_at", &l.QuasiStatic.StrainAt}, {"calm.before", &l.QuasiStatic.Before},
		{"ledger.jump", &l.Jump}, {"ledger.jump_at", &l.JumpAt}, {"ledger.closed", &l.Closed},
		{"watch.made", &l.Watch.Made}, {"watch.owed", &l.Watch.HalfWork}, {"watch.alarm", &l.Watch.Threshold}, {"watch.fastest", &l.Watch.Fastest}, {"watch.over", &l.Watch.Over}, {"ledger.start.kick", &l.Start.kick}, {"ledger.shortest", &l.Shortest},
	}, l.Start.parts("ledger.start.")...)
}
