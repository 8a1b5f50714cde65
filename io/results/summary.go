package results

import (
	"encoding/json"
	"math"
	"path/filepath"
	"time"

	"fdem/io/whole"
	"fdem/materials/elementary"
	"fdem/materials/restitution"
	"fdem/solver"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Summary is summary.json, in SI units.
type Summary struct {
	Status       string  `json:"status"` // "done", "failed" or "interrupted"
	Error        string  `json:"error,omitempty"`
	Title        string  `json:"title"`
	Version      string  `json:"version"`
	Kernel       string  `json:"kernel"`
	Steps        int64   `json:"steps"`
	Step         float64 `json:"step"`
	Time         float64 `json:"time"`
	AtRest       float64 `json:"at_rest,omitempty"` // when a run until rest has come to rest [s]
	Elements     int     `json:"elements"`
	Nodes        int     `json:"nodes"`
	ContactNodes int     `json:"contact_nodes"`
	grains
	SearchRebuilds        int               `json:"search_rebuilds"`
	WallSeconds           float64           `json:"wall_seconds"` // since the run began or was resumed
	ElementStepsPerSecond float64           `json:"element_steps_per_second"`
	Energy                Energy            `json:"energy"`
	Bodies                []BodySummary     `json:"bodies"`
	Contacts              []ContactSummary  `json:"contacts"`
	Reactions             []ReactionSummary `json:"reactions"`
	Results               numbers           `json:"results,omitempty"` // of the deck's [[result]] blocks
	Stages                []StageSummary    `json:"stages,omitempty"`  // of the deck's [[stage]] blocks
	Cracks                *CrackSummary     `json:"cracks,omitempty"`
	Events                *EventSummary     `json:"events,omitempty"`
	Fluids                []FluidSummary    `json:"fluids,omitempty"`
	Profile               Profile           `json:"profile"`
	StepLimits            []StepLimit       `json:"step_limits"`
	KineticOverStrain     *float64          `json:"kinetic_over_strain,omitempty"` // the greatest kinetic energy over the greatest strain energy, for a quasi-static run
	Unconverged           *int64            `json:"unconverged_steps,omitempty"`   // of contact by impulses
	Restitution           *float64          `json:"restitution,omitempty"`
	RestitutionMeasures   *Measures         `json:"restitution_measures,omitempty"` // of an impact of particles
}

// StageSummary is the end of a stage of construction.
type StageSummary struct {
	Name   string             `json:"name"`
	Time   float64            `json:"time"`   // of the last row of the history within it [s]
	Values map[string]float64 `json:"values"` // of the columns of that row
}

// FluidSummary is the state of a fluid at the end.
type FluidSummary struct {
	Name     string  `json:"name"`
	Pressure float64 `json:"pressure"`  // [Pa]
	Injected float64 `json:"injected"`  // as its volume without pressure [m3]
	InCracks float64 `json:"in_cracks"` // volume of the cracks with fluid [m3]
	Length   float64 `json:"length"`    // length of the cracks with fluid [m]
	Spilled  float64 `json:"spilled"`   // [m3]
	Held     float64 `json:"held"`      // all fluid, with that in the well, as its volume without pressure [m3]
}

// Measures are restitution.Coefficients.
type Measures struct {
	Newton  float64 `json:"newton"`
	Poisson float64 `json:"poisson"`
	Stronge float64 `json:"stronge"`
	Energy  float64 `json:"energy"`
}

// Profile is the distribution of the time since the run began or was resumed,
// measured on one step in 127, with the mean numbers of elements and contacts.
type Profile struct {
	Seconds map[string]float64 `json:"seconds"`
	Counts  map[string]float64 `json:"counts"`
}

// StepLimit is a reason that limited steps.
type StepLimit struct {
	Reason string `json:"reason"`
	Steps  int64  `json:"steps"`           // number of steps that it limited
	Where  string `json:"where,omitempty"` // most frequent location
}

// profile returns the profile and the limits of a solver.
func profile(s *solver.Solver) (Profile, []StepLimit) {
	p := Profile{Seconds: map[string]float64{}, Counts: map[string]float64{}}
	of := s.Profile()
	for _, f := range of.Phases {
		p.Seconds[f.Name] = f.Seconds
	}
	for _, c := range of.Counts {
		p.Counts[c.Name] = c.Mean
	}
	limits := []StepLimit{}
	for _, l := range of.Limits {
		limits = append(limits, StepLimit{l.Name, l.Steps, l.Where})
	}
	return p, limits
}

// Span is a value at the start and at the end.
type Span struct {
	Start float64 `json:"start"`
	End   float64 `json:"end"`
}

// Energy is the energy balance [J].
type Energy struct {
	Kinetic            Span    `json:"kinetic"`
	Strain             Span    `json:"strain"`
	ContactStored      Span    `json:"contact_stored"`
	ContactDissipated  Span    `json:"contact_dissipated"`
	FrictionDissipated Span    `json:"friction_dissipated"`
	DampingDissipated  Span    `json:"damping_dissipated"`
	CohesiveStored     *Span   `json:"cohesive_stored,omitempty"`
	FractureDissipated *Span   `json:"fracture_dissipated,omitempty"`
	InsertionWork      *Span   `json:"insertion_work,omitempty"`
	TransferWork       *Span   `json:"handover_work,omitempty"`
	Absorbed           *Span   `json:"absorbed,omitempty"`
	Excavated          *Span   `json:"excavated,omitempty"`
	FluidStored        *Span   `json:"fluid_stored,omitempty"`
	FluidDissipated    *Span   `json:"fluid_dissipated,omitempty"`
	FluidPumped        *Span   `json:"fluid_pumped,omitempty"`
	FluidWork          *Span   `json:"fluid_work,omitempty"`
	FluidViscous       *Span   `json:"fluid_viscous,omitempty"`
	FluidSteps         *Span   `json:"fluid_steps,omitempty"`
	FluidEscaped       *Span   `json:"fluid_escaped,omitempty"`
	BoltStored         *Span   `json:"bolt_stored,omitempty"`
	BoltDissipated     *Span   `json:"bolt_dissipated,omitempty"`
	LiningStored       *Span   `json:"lining_stored,omitempty"`
	LiningDissipated   *Span   `json:"lining_dissipated,omitempty"`
	SpringStored       *Span   `json:"spring_stored,omitempty"`
	SpringDissipated   *Span   `json:"spring_dissipated,omitempty"`
	PlasticWork        *Span   `json:"plastic_work,omitempty"`
	ViscousWork        *Span   `json:"viscous_work,omitempty"`
	StepEnergy         *Span   `json:"step_energy,omitempty"`
	ImpactLoss         *Span   `json:"impact_loss,omitempty"`
	SolverError        *Span   `json:"solver_error,omitempty"`
	PositionError      *Span   `json:"position_error,omitempty"`
	ExternalWork       Span    `json:"external_work"`
	Residual           float64 `json:"residual"`
	ResidualRelative   float64 `json:"residual_relative"`
}

// BodySummary is a body's motion at the end.
type BodySummary struct {
	Name            string     `json:"name"`
	Mass            float64    `json:"mass"`
	Velocity        [2]float64 `json:"velocity"`
	AngularVelocity float64    `json:"angular_velocity"`
	Momentum        [2]float64 `json:"momentum"`
}

// Peaks are the greatest values of a contact by laws.
type Peaks struct {
	PeakPressure float64 `json:"peak_pressure"`
	PeakForce    float64 `json:"peak_force"`
}

// ContactSummary is the totals and greatest values of a contact.
type ContactSummary struct {
	Name string `json:"name"`
	*Peaks
	PeakImpulse    float64 `json:"peak_impulse,omitempty"`    // of contact by impulses: greatest of a contact point in a step [N s]
	Penetration    float64 `json:"penetration,omitempty"`     // of contact by impulses: the deepest [m]
	PeakDeflection float64 `json:"peak_deflection,omitempty"` // of a pair of particles
	Dissipated     float64 `json:"dissipated"`                // by the law and by friction
	// Force on the contactor at the end, and its moment about the origin; not for
	// particles.
	Force     *[2]float64 `json:"force,omitempty"`
	Moment    *float64    `json:"moment,omitempty"`
	Stiffness float64     `json:"stiffness,omitempty"` // of the law, if it was found from the bodies
	// Of regularised friction: the speed below which it is linear, as given and
	// at its greatest.
	FrictionSpeed       float64 `json:"friction_speed,omitempty"`
	FrictionSpeedWidest float64 `json:"friction_speed_widest,omitempty"`
}

// ReactionSummary is the reaction of a support, at the end and at its greatest.
type ReactionSummary struct {
	Name       string     `json:"name"`
	Kind       string     `json:"kind"` // "fix", "drive" or "rigid"
	Force      [2]float64 `json:"force"`
	Moment     float64    `json:"moment"`
	About      [2]float64 `json:"about"`
	PeakForce  float64    `json:"peak_force"`
	PeakMoment float64    `json:"peak_moment"`
}

// summarise returns the summary of a solver whose forces are evaluated.
func (r *Writer) summarise(status string, failure error) Summary {
	s := r.solver
	e := s.Energies()
	floor := noiseFloorOf(s)
	wall := time.Since(r.began).Seconds()
	sum := Summary{
		Status: status, Title: s.Title, Version: r.version, Kernel: s.Kernel(),
		Steps: s.N, Step: s.Planned, Time: s.Time,
		AtRest: s.AtRest, Elements: s.Elements(), Nodes: s.Nodes(),
		ContactNodes: s.ContactNodes(), SearchRebuilds: s.Rebuilds(),
		WallSeconds: wall, ElementStepsPerSecond: float64(s.N-r.from) * float64(s.Elements()) / wall,
		Energy: Energy{
			Kinetic:            floor.span(r.start.Kinetic, e.Kinetic),
			Strain:             floor.span(r.start.Strain, e.Strain),
			ContactStored:      floor.span(r.start.ContactStored, e.ContactStored),
			ContactDissipated:  floor.span(r.start.ContactDissipated, e.ContactDissipated),
			FrictionDissipated: floor.span(r.start.FrictionDissipated, e.FrictionDissipated),
			DampingDissipated:  floor.span(r.start.DampingDissipated, e.DampingDissipated),
			ExternalWork:       floor.span(r.start.ExternalWork, e.ExternalWork),
			Residual:           floor.energy(e.Residual),
			ResidualRelative:   s.Relative(e),
		},
		Bodies: []BodySummary{}, Contacts: []ContactSummary{}, Reactions: []ReactionSummary{},
	}
	sum.Profile, sum.StepLimits = profile(s)
	sum.grains = grainsOf(s, float64(s.N-r.from)/wall)
	of := func(start, end float64) *Span {
		span := floor.span(start, end)
		return &span
	}
	if len(s.Absorbs) > 0 {
		sum.Energy.Absorbed = of(r.start.Absorbed, e.Absorbed)
	}
	if len(s.Excavations) > 0 {
		sum.Energy.Excavated = of(r.start.Excavated, e.Excavated)
	}
	if len(s.Fluids) > 0 {
		sum.Energy.FluidStored = of(r.start.FluidStored, e.FluidStored)
		sum.Energy.FluidDissipated = of(r.start.FluidDissipated, e.FluidDissipated)
		sum.Energy.FluidPumped, sum.Energy.FluidWork = of(r.start.FluidPumped, e.FluidPumped), of(r.start.FluidWork, e.FluidWork)
		sum.Energy.FluidViscous, sum.Energy.FluidSteps = of(r.start.FluidViscous, e.FluidViscous), of(r.start.FluidSteps, e.FluidSteps)
		sum.Energy.FluidEscaped = of(r.start.FluidEscaped, e.FluidEscaped)
		for _, f := range s.FluidStates() {
			sum.Fluids = append(sum.Fluids, FluidSummary{f.Name, f.Pressure, f.Injected, f.InCracks, f.Length, f.Spilled, f.Held})
		}
	}
	if len(s.Model.Bolts) > 0 {
		sum.Energy.BoltStored, sum.Energy.BoltDissipated = of(r.start.BoltStored, e.BoltStored), of(r.start.BoltDissipated, e.BoltDissipated)
	}
	if len(s.Model.Linings) > 0 {
		sum.Energy.LiningStored, sum.Energy.LiningDissipated = of(r.start.LiningStored, e.LiningStored), of(r.start.LiningDissipated, e.LiningDissipated)
	}
	if len(s.Model.Springs) > 0 {
		sum.Energy.SpringStored = of(r.start.SpringStored, e.SpringStored)
		sum.Energy.SpringDissipated = of(r.start.SpringDissipated, e.SpringDissipated)
	}
	if s.Model.Impulses != nil {
		sum.Energy.ImpactLoss, sum.Energy.SolverError, sum.Energy.PositionError = of(r.start.ImpactLoss, e.ImpactLoss), of(r.start.SolverError, e.SolverError), of(r.start.PositionError, e.PositionError)
		unconverged := s.UnconvergedSteps()
		sum.Unconverged = &unconverged
	}
	if s.TellsStepEnergy() {
		sum.Energy.StepEnergy = of(r.start.StepEnergy, e.StepEnergy)
	}
	if s.Yields() {
		sum.Energy.PlasticWork = of(r.start.PlasticWork, e.PlasticWork)
	}
	if s.Relaxes() {
		sum.Energy.ViscousWork = of(r.start.ViscousWork, e.ViscousWork)
	}
	if s.Cracks() != nil {
		sum.Cracks, sum.Events = r.crackSummary(), r.eventSummary()
		sum.Energy.CohesiveStored = of(r.start.CohesiveStored, e.CohesiveStored)
		sum.Energy.FractureDissipated = of(r.start.FractureDissipated, e.FractureDissipated)
		sum.Energy.InsertionWork = of(r.start.InsertionWork, e.InsertionWork)
	}
	if s.Transfers() {
		sum.Energy.TransferWork = of(r.start.TransferWork, e.TransferWork)
	}
	if failure != nil {
		sum.Error = failure.Error()
	}
	motions := s.Motions()
	for _, m := range motions {
		sum.Bodies = append(sum.Bodies, floor.motion(m))
	}
	for _, c := range s.ContactForces() {
		of := ContactSummary{
			Name: c.Name, Dissipated: floor.energy(c.Dissipated),
			Stiffness: c.Stiffness, FrictionSpeed: c.Speed, FrictionSpeedWidest: c.PeakSpeed,
		}
		if c.Impulses {
			of.PeakImpulse, of.Penetration = c.PeakImpulse, c.PeakDeflection
		} else {
			of.Peaks, of.PeakDeflection = &Peaks{c.PeakPressure, c.PeakForce}, c.PeakDeflection
		}
		if c.Surfaces {
			of.Force, of.Moment = &[2]float64{c.Push.X, c.Push.Y}, &c.Moment
		}
		sum.Contacts = append(sum.Contacts, of)
	}
	for _, c := range s.Reactions() {
		sum.Reactions = append(sum.Reactions, ReactionSummary{c.Name, c.Kind, [2]float64{c.Force.X, c.Force.Y}, c.Moment, [2]float64{c.About.X, c.About.Y}, c.PeakForce, c.PeakMoment})
	}
	if s.QuasiStatic {
		ratio := number(s.Ledger.QuasiStatic.Ratio())
		sum.KineticOverStrain = &ratio
	}
	sum.Restitution = newton(s, r.motions, motions)
	sum.RestitutionMeasures = measures(s, sum.Restitution, r.motions)
	return sum
}

// newton returns Newton's coefficient of restitution. It is defined for two
// free bodies that have collided and separated, or for a free and a fixed body,
// without other forces.
func newton(s *solver.Solver, before, after []system.BodyMotion) *float64 {
	if len(after) != 2 || after[0].Mass == 0 && after[1].Mass == 0 || len(s.Fixes)+len(s.Drives)+len(s.Loads)+len(s.Model.Springs)+len(s.Ties) > 0 || s.Gravity != (r2.Vec{}) {
		return nil
	}
	touched := false
	for _, c := range s.ContactForces() {
		if c.Active > 0 {
			return nil
		}
		touched = touched || c.PeakForce > 0 || c.PeakImpulse > 0
	}
	moved := 1
	if after[1].Mass == 0 {
		moved = 0
	}
	impulse := r2.Sub(after[moved].Momentum, before[moved].Momentum)
	approach := r2.Sub(before[1-moved].Velocity, before[moved].Velocity)
	least := noiseFloorOf(s).speed(after[moved].Mass)
	if !touched || !(elementary.Dot(impulse, approach) > elementary.Norm(impulse)*least) { // they collided, if at all, at a speed of round-off
		return nil
	}
	e := restitution.Newton(impulse, approach, r2.Sub(after[moved].Velocity, after[1-moved].Velocity))
	return &e
}

// measures returns the four coefficients of an impact of a particle with
// another one or with a rigid body, if Newton's is defined.
func measures(s *solver.Solver, newton *float64, before []system.BodyMotion) *Measures {
	if newton == nil || !haveImpactLaws(s) {
		return nil
	}
	var in, out restitution.Phase
	for _, c := range s.ContactForces() {
		in.Impulse += c.Compressed.Impulse
		in.Work += c.Compressed.Work
		out.Impulse += c.Restored.Impulse
		out.Work += c.Restored.Work
	}
	start := restitution.RelativeEnergy(before[0].Mass, before[1].Mass, r2.Sub(before[1].Velocity, before[0].Velocity))
	c, ok := restitution.Of(*newton, start, in, out)
	if !ok {
		return nil
	}
	return (*Measures)(&c)
}

// write writes the summary. NaN and infinite numbers become 0, since JSON cannot have
// them; the status shows the failure.
func (sum *Summary) write(dir string) error {
	for _, v := range []*float64{&sum.Energy.Residual, &sum.Energy.ResidualRelative, &sum.ElementStepsPerSecond} {
		*v = number(*v)
	}
	for _, v := range []*Span{
		&sum.Energy.Kinetic, &sum.Energy.Strain, &sum.Energy.ContactStored, &sum.Energy.ContactDissipated,
		&sum.Energy.FrictionDissipated, &sum.Energy.DampingDissipated, &sum.Energy.ExternalWork,
	} {
		v.Start, v.End = number(v.Start), number(v.End)
	}
	for _, v := range []*Span{sum.Energy.CohesiveStored, sum.Energy.FractureDissipated, sum.Energy.InsertionWork, sum.Energy.TransferWork, sum.Energy.Absorbed, sum.Energy.Excavated, sum.Energy.FluidStored, sum.Energy.FluidDissipated, sum.Energy.SpringStored, sum.Energy.SpringDissipated, sum.Energy.BoltStored, sum.Energy.BoltDissipated, sum.Energy.LiningStored, sum.Energy.LiningDissipated, sum.Energy.PlasticWork, sum.Energy.ViscousWork, sum.Energy.StepEnergy, sum.Energy.ImpactLoss, sum.Energy.SolverError, sum.Energy.PositionError} {
		if v != nil { // of a model that has it
			v.Start, v.End = number(v.Start), number(v.End)
		}
	}
	for i := range sum.Bodies {
		b := &sum.Bodies[i]
		for _, v := range []*float64{&b.Velocity[0], &b.Velocity[1], &b.AngularVelocity, &b.Momentum[0], &b.Momentum[1]} {
			*v = number(*v)
		}
	}
	for i := range sum.Contacts {
		if c := &sum.Contacts[i]; c.Force != nil {
			for _, v := range []*float64{&c.Force[0], &c.Force[1], c.Moment} {
				*v = number(*v)
			}
		}
	}
	for i := range sum.Reactions {
		c := &sum.Reactions[i]
		for _, v := range []*float64{&c.Force[0], &c.Force[1], &c.Moment, &c.About[0], &c.About[1], &c.PeakForce, &c.PeakMoment} {
			*v = number(*v)
		}
	}
	data, err := json.MarshalIndent(sum, "", "  ")
	if err != nil {
		return err
	}
	return whole.WriteBytes(filepath.Join(dir, "summary.json"), append(data, '\n'))
}

func number(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return v
}
