package system

import (
	"math"
	"slices"

	"fdem/contactnodes/work"
	"fdem/solver/quantity"
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
	ImpactLoss         float64 // of contact by impulses: lost in impacts, a part of ContactDissipated
	SolverError        float64 // of contact by impulses: energy taken by impulses that should do no work: a part of the residual, with the opposite sign
	PositionError      float64 // of contact by impulses: work of the forces on ways that do not follow the velocities, with the opposite sign: a part of the residual
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
	BoltStored         float64 // recoverable, in bars and bonds of bolts
	BoltDissipated     float64 // by bonds that slip and bars that yield
	LiningStored       float64 // recoverable, in interfaces of linings
	LiningDissipated   float64 // by interfaces that slip and bonds that break
	ExternalWork       float64 // work of loads, gravity, driven bodies and overlaps that are ramped in
	StepEnergy         float64 // kinetic and other energy at whole steps beyond the energy that leapfrog conserves, see TellsStepEnergy
	Residual           float64 // increase of the sum of the entries above since the start, minus external work and step energy
	Kick               float64 // sum of force squared divided by eight times the mass, over all that leapfrog moves [J/s2]
}

// Total returns the energy that leapfrog conserves, apart from external work.
func (e *Energies) Total() float64 {
	return e.Kinetic + e.Strain + e.ContactStored + e.ContactDissipated + e.FrictionDissipated + e.DampingDissipated + e.CohesiveStored + e.FractureDissipated + e.SpringStored + e.SpringDissipated + e.BoltStored + e.BoltDissipated + e.LiningStored + e.LiningDissipated + e.Absorbed + e.Excavated + e.PlasticWork + e.ViscousWork + e.FluidStored + e.FluidDissipated
}

// OfSteps returns the part of the residual that comes from the finite step [J]. The rest comes from
// the opening of cracks and from contact transfer, and has its own columns.
func (e *Energies) OfSteps() float64 { return e.Residual - e.InsertionWork - e.TransferWork }

// AddContact adds the energies of a contact.
func (e *Energies) AddContact(a work.Account) {
	e.ContactStored += a.Recoverable()
	e.ContactDissipated += a.Dissipated()
	e.FrictionDissipated += a.FrictionLoss()
	e.ExternalWork += a.Ramp
	e.TransferWork += a.Transferred
}

// Finite tells whether all entries are finite.
func (e *Energies) Finite() bool {
	sum := e.Total() + e.ExternalWork
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
	sources     []string  // names of the sources of external work, see Source
	works       []float64 // their work so far [J]
	Shortest    float64   // the shortest step so far; 0 before the first [s]
	Watch       Watch
	QuasiStatic QuasiStatic
	Jump        float64 // greatest change of the residual in one increment of a static analysis so far [J]
	JumpAt      float64 // the end of that increment [s]
	Closed      float64 // residual of increments of a static analysis in which negligible gaps closed [J]
}

// Stepped updates the shortest step with one of length dt [s].
func (l *Ledger) Stepped(dt float64) {
	if l.Shortest == 0 || dt < l.Shortest {
		l.Shortest = dt
	}
}

// Source is a source of external work, whose work is kept apart from that of others.
type Source int

// Source gives out the source of a name, a new one for a new name. Whatever does external work asks
// for it when it is made. What one source gives and another takes does not cancel in the energy by
// which the residual is judged.
func (l *Ledger) Source(name string) Source {
	i := slices.Index(l.sources, name)
	if i < 0 {
		i = len(l.sources)
		l.sources, l.works = append(l.sources, name), append(l.works, 0)
	}
	return Source(i)
}

// Record adds external work of a source [J].
func (l *Ledger) Record(of Source, work float64) {
	l.Loads += work
	l.works[of] += work
}

// EachSource calls the function with every source and its work so far [J].
func (l *Ledger) EachSource(each func(name string, work float64)) {
	for i, name := range l.sources {
		each(name, l.works[i])
	}
}

// PositionNoise is the strain energy of triangles by the rounding of their nodes'
// positions, relative to Young's modulus times thickness times the square of the
// rounding. It is about 2 for the mean rounding, with some margin.
const PositionNoise = 20

// RoundedEnergy is positionEnergy of any analysis.
func (k *View) RoundedEnergy() float64 {
	stiff, off := 0.0, k.Roundoff()
	for i := range k.Bodies {
		stiff += float64(k.Materials[k.Bodies[i].Material].Young * float64(len(k.Mesh.Bodies[i].Nodes)))
	}
	return PositionNoise * stiff * k.Thickness * off * off
}

// OfLedger lists the entries of a row of the ledger in the order of the history.
var OfLedger = []struct {
	Of    *quantity.Quantity
	Value func(e *Energies) *float64
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
	{quantity.Must(quantity.Run, "impact_loss"), func(e *Energies) *float64 { return &e.ImpactLoss }},
	{quantity.Must(quantity.Run, "solver_error"), func(e *Energies) *float64 { return &e.SolverError }},
	{quantity.Must(quantity.Run, "position_error"), func(e *Energies) *float64 { return &e.PositionError }},
	{quantity.Must(quantity.Run, "spring_stored"), func(e *Energies) *float64 { return &e.SpringStored }},
	{quantity.Must(quantity.Run, "spring_dissipated"), func(e *Energies) *float64 { return &e.SpringDissipated }},
	{quantity.Must(quantity.Run, "bolt_stored"), func(e *Energies) *float64 { return &e.BoltStored }},
	{quantity.Must(quantity.Run, "bolt_dissipated"), func(e *Energies) *float64 { return &e.BoltDissipated }},
	{quantity.Must(quantity.Run, "lining_stored"), func(e *Energies) *float64 { return &e.LiningStored }},
	{quantity.Must(quantity.Run, "lining_dissipated"), func(e *Energies) *float64 { return &e.LiningDissipated }},
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

// parts returns the energies as parts of a checkpoint, with names that begin with prefix.
func (e *Energies) parts(prefix string) (parts []Part) {
	for _, b := range OfLedger {
		parts = append(parts, Part{prefix + b.Of.Name, b.Value(e)})
	}
	return parts
}

// StateParts returns the state of the ledger.
func (l *Ledger) StateParts() []Part {
	return append([]Part{
		{"ledger.loads", &l.Loads}, {"ledger.damping", &l.Damping}, {"ledger.entered", &l.Entered}, {"ledger.lowest", &l.Lowest}, {"ledger.strained", &l.Strained}, {"ledger.one_step", &l.OneStep}, {"ledger.sources", l.works},
		{"calm.kinetic", &l.QuasiStatic.Kinetic}, {"calm.kinetic_at", &l.QuasiStatic.KineticAt}, {"calm.first", &l.QuasiStatic.First}, {"calm.strain", &l.QuasiStatic.Strain}, {"calm.strain_at", &l.QuasiStatic.StrainAt}, {"calm.before", &l.QuasiStatic.Before},
		{"ledger.jump", &l.Jump}, {"ledger.jump_at", &l.JumpAt}, {"ledger.closed", &l.Closed},
		{"watch.made", &l.Watch.Made}, {"watch.owed", &l.Watch.HalfWork}, {"watch.alarm", &l.Watch.Threshold}, {"watch.fastest", &l.Watch.Fastest}, {"watch.over", &l.Watch.Over}, {"ledger.start.kick", &l.Start.Kick}, {"ledger.shortest", &l.Shortest},
	}, l.Start.parts("ledger.start.")...)
}
