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
	PlasticWork        float64 // of triangles that have yielded
	ViscousWork        float64 // of dashpots in triangles
	CohesiveStored     float64 // recoverable, of cracks
	FractureDissipated float64
	InsertionWork      float64 // given out by cracks beyond all that they have taken, see fracture.Zone.Energies: a part of the residual
	HandoverWork       float64 // by which contact under triangles stores more than contact under edges, where bodies transfer: a part of the residual
	Absorbed           float64 // let out through absorbing edges
	Excavated          float64 // left with bodies that were excavated, less what their fading forces have done
	FluidStored        float64 // recoverable, of fluids under pressure
	FluidDissipated    float64 // by their flow and free expansion, and with what is spilled
	FluidPumped        float64 // put into fluids: a part of ExternalWork
	FluidWork          float64 // of fluids on walls of wells and cracks
	FluidViscous       float64 // lost by flow: a part of FluidDissipated
	FluidSteps         float64 // lost by the length of steps, by free expansion, and taken of faces pressed together: a part of FluidDissipated
	FluidEscaped       float64 // left with what was spilled: a part of FluidDissipated
	SpringStored       float64 // recoverable
	SpringDissipated   float64 // by dashpots
	ExternalWork       float64 // of loads, gravity, driven bodies and overlaps let press
	StepEnergy         float64 // what kinetic and other energies have at whole steps beyond what leapfrog keeps, see TellsStepEnergy
	Residual           float64 // what the sum above, less external work and step energy, has gained since the start
	kick               float64 // of all that leapfrog moves, force squared over eight times the mass [J/s2]
}

// total is what leapfrog must keep but for external work.
func (e *Energies) total() float64 {
	return e.Kinetic + e.Strain + e.ContactStored + e.ContactDissipated + e.FrictionDissipated + e.DampingDissipated + e.CohesiveStored + e.FractureDissipated + e.SpringStored + e.SpringDissipated + e.Absorbed + e.Excavated + e.PlasticWork + e.ViscousWork + e.FluidStored + e.FluidDissipated
}

// OfSteps returns the part of the residual that steps make. The rest is of cracks that
// opened and of contact points that were transferred, which has columns of its own [J].
func (e *Energies) OfSteps() float64 { return e.Residual - e.InsertionWork - e.HandoverWork }

// addContact adds the account of a contact.
func (e *Energies) addContact(a work.Account) {
	e.ContactStored += a.Recoverable()
	e.ContactDissipated += a.Dissipated()
	e.FrictionDissipated += a.FrictionLoss()
	e.ExternalWork += a.Ramp
	e.HandoverWork += a.Transferred
}

// finite tells whether the run still has numbers in it.
func (e *Energies) finite() bool {
	sum := e.total() + e.ExternalWork
	return !math.IsNaN(sum) && !math.IsInf(sum, 0)
}

// Ledger accumulates what cannot be read off the state.
type Ledger struct {
	Loads    float64   // work of the loads and of driven bodies so far [J]
	Damping  float64   // taken by damping until the last step began [J]
	Start    Energies  // the first row
	Entered  float64   // greatest energy that the system has held or moved so far [J]
	Lowest   float64   // least residual so far [J]
	OneStep  float64   // greatest energy that a step at a drive's speed, or some of loads and weight, could make so far [J]
	Sources  []float64 // work so far of the supports of a static analysis, of each rigid body that is driven, and of each load [J]
	Shortest float64   // the shortest step so far; 0 where there was none [s]
	Watch    Watch
	Calm     QuasiStatic
	Jump     float64 // greatest change of the residual in one increment of a static analysis so far [J]
	JumpAt   float64 // the end of that increment [s]
	Closed   float64 // residual of the increments of a static analysis in which gaps closed that are too small to matter [J]
}

// stepped keeps the shortest step when one of length dt [s] is taken.
func (l *Ledger) stepped(dt float64) {
	if l.Shortest == 0 || dt < l.Shortest {
		l.Shortest = dt
	}
}

// record adds work done from outside [J].
func (l *Ledger) record(source int, work float64) {
	l.Loads += work
	l.Sources[source] += work
}

// Energies returns the ledger at Time; forces must have been evaluated there.
func (k *energyBalance) Energies() Energies {
	if k.sharing.ownedFrom != nil && k.sharing.ledger == k.instant() { // who asks by the clock on the wall makes no call of MPI
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
	given := min(0, e.SpringStored) // by springs of constant force, which count from where they started
	k.Ledger.Entered = max(k.Ledger.Entered, total-given-e.InsertionWork-e.HandoverWork, k.outsideEnergy())
	k.Ledger.OneStep = max(k.Ledger.OneStep, k.oneStepEnergy())
	start := &k.Ledger.Start // what is owed from the start has not been given then either
	if k.TellsStepEnergy() && k.cracks.Cracks() == 0 {
		e.StepEnergy = k.Ledger.Shortest * k.Ledger.Shortest * (e.kick - start.kick)
	}
	e.Residual = (total - e.ExternalWork) - (start.total() - start.InsertionWork - start.ExternalWork) - e.StepEnergy
	k.Ledger.Lowest = min(k.Ledger.Lowest, e.Residual)
	if k.sharing.ownedFrom != nil {
		k.sharing.latest, k.sharing.ledger = e, k.instant()
	}
	return e
}

// TellsStepEnergy tells whether the step energy has a column and is left out of the residual.
// In constant steps the central difference method keeps, where all is linear,
//
//	S = 1/2 m v- v+ + U = T + U - dt^2/8 sum f^2/m
//
// with the velocities half a step before and after, and not T + U (S. Krenk, Comput. Methods
// Appl. Mech. Engrg. 195, 2006): T + U swings as forces come and go, and returns. A step that
// changes slowly while bodies vibrate keeps T + U on the mean. So dt is the shortest step so
// far, and what longer ones swing beyond that stays in the residual. Forces that begin or end in
// the middle of a step keep T + U on the mean, too: those of elastic contact of meshed bodies
// (contactnodes/kick.go), for which nothing is left out, and those of cracks, for which nothing
// is from the first on.
func (k *energyBalance) TellsStepEnergy() bool { return k.Static == nil && !k.elastic }

// Noise returns the energy that rounding may make out of nothing [J].
func (k *energyBalance) Noise() float64 { return k.noise }

// positionNoise is the energy that nodes whose places are off by their rounding put into
// triangles, relative to Young's modulus times thickness times its square: about 2,
// as the rounding is that of the mean, and some room.
const positionNoise = 20

// positionEnergy returns the energy that rounding of places may make in each step [J]. A
// step rounds all of them anew, so that it comes again and again; digits are coarse
// far from the origin, 1e-13 m at 1 km, where a model that begins slowly holds less
// than that for many steps.
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

// StressNoise returns about what part of the stress of a static analysis is rounding of the
// nodes' positions: the root of the energy of that over the strain energy, or, where loads have
// moved nothing in the end, over all that there ever was; 0 where nothing has done work.
func (k *energyBalance) StressNoise(e Energies) float64 {
	if k.Static == nil {
		return 0
	}
	energy := e.Strain
	if e.ExternalWork == 0 || energy == 0 {
		if len(k.Model.Loads) == 0 && k.Model.Gravity == (r2.Vec{}) {
			return 0
		}
		energy = k.Ledger.Entered / 100 // little of it is no rounding either
	}
	const mean = 2.0 // of positionNoise, without room
	if rounded := mean / positionNoise * k.roundedEnergy(); rounded > 0 {
		return math.Sqrt(rounded / energy)
	}
	return 0
}

// Relative returns the residual of e relative to the greatest energy that the
// system has held or moved so far; 0 where there was none.
func (k *energyBalance) Relative(e Energies) float64 {
	if k.Ledger.Entered <= k.noise {
		return 0
	}
	return math.Abs(e.Residual) / k.Ledger.Entered
}

// RelativeResidual returns the residual of e relative to the greatest energy that the
// system has held or moved so far, or that one step can make where that is
// more: a run that has hardly begun is not judged by the little it holds, and none
// by less than rounding has made of places.
func (k *energyBalance) RelativeResidual(e Energies) float64 {
	held := max(k.Ledger.Entered, k.Ledger.OneStep)
	if k.Ledger.Entered <= k.noise || held <= float64(k.N)*k.roundingEnergy {
		return 0
	}
	return math.Abs(e.Residual) / held
}

// ofLedger lists the entries of a row of the ledger, in the order of the history.
var ofLedger = []struct {
	of    *quantity.Quantity
	in    func(s *energyBalance) bool // which models have it
	value func(e *Energies) *float64
}{
	{quantity.Must(quantity.Run, "kinetic"), always, func(e *Energies) *float64 { return &e.Kinetic }},
	{quantity.Must(quantity.Run, "strain"), always, func(e *Energies) *float64 { return &e.Strain }},
	{quantity.Must(quantity.Run, "contact_stored"), always, func(e *Energies) *float64 { return &e.ContactStored }},
	{quantity.Must(quantity.Run, "contact_dissipated"), always, func(e *Energies) *float64 { return &e.ContactDissipated }},
	{quantity.Must(quantity.Run, "friction_dissipated"), always, func(e *Energies) *float64 { return &e.FrictionDissipated }},
	{quantity.Must(quantity.Run, "damping_dissipated"), always, func(e *Energies) *float64 { return &e.DampingDissipated }},
	{quantity.Must(quantity.Run, "plastic_work"), (*energyBalance).Yields, func(e *Energies) *float64 { return &e.PlasticWork }},
	{quantity.Must(quantity.Run, "viscous_work"), (*energyBalance).Relaxes, func(e *Energies) *float64 { return &e.ViscousWork }},
	{quantity.Must(quantity.Run, "cohesive_stored"), with[*cracks], func(e *Energies) *float64 { return &e.CohesiveStored }},
	{quantity.Must(quantity.Run, "fracture_dissipated"), with[*cracks], func(e *Energies) *float64 { return &e.FractureDissipated }},
	{quantity.Must(quantity.Run, "insertion_work"), with[*cracks], func(e *Energies) *float64 { return &e.InsertionWork }},
	{quantity.Must(quantity.Run, "handover_work"), func(s *energyBalance) bool { return s.Transfers() }, func(e *Energies) *float64 { return &e.HandoverWork }},
	{quantity.Must(quantity.Run, "spring_stored"), with[*springs], func(e *Energies) *float64 { return &e.SpringStored }},
	{quantity.Must(quantity.Run, "spring_dissipated"), with[*springs], func(e *Energies) *float64 { return &e.SpringDissipated }},
	{quantity.Must(quantity.Run, "fluid_stored"), with[*fluids], func(e *Energies) *float64 { return &e.FluidStored }},
	{quantity.Must(quantity.Run, "fluid_dissipated"), with[*fluids], func(e *Energies) *float64 { return &e.FluidDissipated }},
	{quantity.Must(quantity.Run, "fluid_pumped"), with[*fluids], func(e *Energies) *float64 { return &e.FluidPumped }},
	{quantity.Must(quantity.Run, "fluid_work"), with[*fluids], func(e *Energies) *float64 { return &e.FluidWork }},
	{quantity.Must(quantity.Run, "fluid_viscous"), with[*fluids], func(e *Energies) *float64 { return &e.FluidViscous }},
	{quantity.Must(quantity.Run, "fluid_steps"), with[*fluids], func(e *Energies) *float64 { return &e.FluidSteps }},
	{quantity.Must(quantity.Run, "fluid_escaped"), with[*fluids], func(e *Energies) *float64 { return &e.FluidEscaped }},
	{quantity.Must(quantity.Run, "absorbed"), with[*absorbers], func(e *Energies) *float64 { return &e.Absorbed }},
	{quantity.Must(quantity.Run, "excavated"), with[*excavations], func(e *Energies) *float64 { return &e.Excavated }},
	{quantity.Must(quantity.Run, "step_energy"), (*energyBalance).TellsStepEnergy, func(e *Energies) *float64 { return &e.StepEnergy }},
	{quantity.Must(quantity.Run, "external_work"), always, func(e *Energies) *float64 { return &e.ExternalWork }},
	{quantity.Must(quantity.Run, "residual"), always, func(e *Energies) *float64 { return &e.Residual }},
}

// Yields tells whether bodies can yield.
func (k *kinds) Yields() bool { return k.triangles.Loses(bulk.PlasticWork) }

// Relaxes tells whether bodies are viscous.
func (k *kinds) Relaxes() bool { return k.triangles.Loses(bulk.ViscousWork) }

func always(*energyBalance) bool { return true }

// with tells whether a model has a kind.
func with[T system](s *energyBalance) (has bool) {
	for range all[T](s.kinds) {
		has = true
	}
	return has
}

// parts lists the entries under a prefix.
func (e *Energies) parts(prefix string) (parts []Part) {
	for _, b := range ofLedger {
		parts = append(parts, Part{prefix + b.of.Name, b.value(e)})
	}
	return parts
}

// parts lists what the ledger keeps.
func (l *Ledger) parts() []Part {
	return append([]Part{
		{"ledger.loads", &l.Loads}, {"ledger.damping", &l.Damping}, {"ledger.entered", &l.Entered}, {"ledger.lowest", &l.Lowest}, {"ledger.one_step", &l.OneStep}, {"ledger.sources", l.Sources},
		{"calm.kinetic", &l.Calm.Kinetic}, {"calm.kinetic_at", &l.Calm.KineticAt}, {"calm.first", &l.Calm.First}, {"calm.strain", &l.Calm.Strain}, {"calm.strain_at", &l.Calm.StrainAt}, {"calm.before", &l.Calm.Before},
		{"ledger.jump", &l.Jump}, {"ledger.jump_at", &l.JumpAt}, {"ledger.closed", &l.Closed},
		{"watch.made", &l.Watch.Made}, {"watch.owed", &l.Watch.Owed}, {"watch.alarm", &l.Watch.Alarm}, {"watch.fastest", &l.Watch.Fastest}, {"watch.over", &l.Watch.Over}, {"ledger.start.kick", &l.Start.kick}, {"ledger.shortest", &l.Shortest},
	}, l.Start.parts("ledger.start.")...)
}
