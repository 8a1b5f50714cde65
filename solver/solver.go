package solver

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"fdem/ranks"
	"fdem/solver/atrest"
	"fdem/solver/bodies"
	"fdem/solver/constraints"
	"fdem/solver/contacts"
	"fdem/solver/cracks"
	"fdem/solver/diffusion"
	"fdem/solver/flow"
	"fdem/solver/forces"
	"fdem/solver/impulses"
	models "fdem/solver/model"
	"fdem/solver/output"
	"fdem/solver/particles"
	"fdem/solver/processes"
	"fdem/solver/rayleigh"
	rests "fdem/solver/rest"
	"fdem/solver/system"
)

// Solver advances a State under a Model.
type Solver struct {
	system.View
	State

	*kinds
	*processes.Division
	*cracks.Breaking
	*stepLimits
	*energyBalance
	*output.Results

	*bodies.Outlines

	Freedoms *system.Freedoms // of a static analysis; nil in dynamics
}

// New prepares a run of m from its initial conditions. It fails if the model cannot be
// started: a fixed step above the stability limit, bodies that overlap, a triangle without
// area, or a kind of system that does not support static analysis. A static analysis is run
// by package statics.
func New(m *models.Model) (*Solver, error) {
	m = cracks.Own(m)
	a := &system.Analysis{Model: m, Note: func(string, ...any) {}}
	elements, v, err := bodies.NewElements(a)
	if err != nil {
		return nil, err
	}
	s := &Solver{View: v, kinds: &kinds{}}
	s.Outlines = bodies.NewOutlines(v)
	s.Division = processes.New(v, elements, s.Outlines)
	s.triangles = bodies.NewContinuum(v, elements, s.Division)
	if s.beams, err = bodies.NewBeams(v, s.triangles); err != nil {
		return nil, err
	}
	constraints.Hold(v, m.Fixes)
	s.weight = forces.NewWeight(v, s.weights)
	s.drives = constraints.NewDrives(v, m.Drives)
	s.ties = constraints.NewTies(v, m.Ties, s.drives, s.beams)
	s.rigids = bodies.NewRigids(v, &s.RigidState, &s.ContactState, s.Outlines)
	s.spheres = particles.NewSpheres(v, &m.Particles, s.rigids, v.Mobility(s.beams))
	s.contacts = contacts.NewContacts(v, &s.ContactState, s.Outlines, s.rigids, &s.Sharing.Contact, v.Mobility(s.beams, s.rigids))
	s.loads = forces.NewLoads(v, m.Loads, s.rigids, s.triangles)
	s.stressed = forces.NewStressed(v, s.triangles, s.loads)
	s.preload = forces.NewPreload(v, m.Springs, s.loads)
	s.rest = atrest.New(v, m.UntilRest, s.spheres, s.UpdateAll)
	resting := rests.NewRestFinder(v, &s.ContactState, &s.RigidState, s.Outlines, s.triangles, s.rigids, s.loads)
	s.settle = rests.NewSettling(v, s.rigids, resting)
	s.springs = forces.NewSprings(v, m.Springs, s.rigids)
	s.impulses = impulses.New(v, m.Impulses, s.rigids, s.springs, s.loads, s.weight)
	if s.bolts, err = forces.NewBolts(v, m.Bolts, s.triangles, ranks.Size > 1); err != nil {
		return nil, err
	}
	s.linings = forces.NewLinings(v, m.Linings)
	s.absorbers = forces.NewAbsorbers(v, m.Absorbs, s.ties)
	s.damping = rayleigh.NewDamping(v, &s.RigidState, s.triangles, s.beams, s.contacts, s.Division, resting)
	if s.Breaking, err = cracks.New(v, &s.Sharing, s.triangles, s.drives, s.contacts, s.bodyExcavated, s.spheres, s.damping); err != nil {
		return nil, err
	}
	if s.heat, err = diffusion.NewHeat(v, m.Heat, s.triangles, &s.ContactState, s.Zone(), diffusion.Fragments{Contact: s.Breaking.Faces.Potential, Of: s.Breaking.Faces.ContactOfRules()}); err != nil {
		return nil, err
	}
	fills := flow.NewFills(v, m.Fluids)
	s.pores = diffusion.NewPores(v, m.Pores, s.triangles, &s.ContactState, s.heat, s.Zone(), fills.At)
	s.fluids = flow.NewFluids(v, m.Fluids, s.Zone(), fills, s.pores)
	s.systems = s.order()
	s.stepLimits = &stepLimits{View: v, State: &s.State, kinds: s.kinds, Division: s.Division, Breaking: s.Breaking, share: 1}
	s.energyBalance = newEnergyBalance(v, &s.State, s.stepLimits)
	s.Results = s.results()
	s.Division.Start(s.systems, s.contacts, s.Breaking)
	if s.Static != nil {
		return s, s.makeStatic()
	}
	return s, s.start()
}

// order returns the systems that the model has. Every phase of a step calls them in this order. Forces on
// a node are added in it, so the bits of a run depend on it. The comments give the reasons for the order,
// where there is one.
func (s *Solver) order() []system.System {
	excavations, opening := s.Systems()
	return slices.DeleteFunc([]system.System{
		s.weight, // sets the gravity that all others use
		s.drives, // record their work with the forces at Time and set their nodes' velocities, before nodes move
		newNodal(s.View, s.Division, s.Outlines, s.Breaking), // move, before everything that follows nodes
		s.heat,              // changes the stress-free shapes of triangles, before these are evaluated
		s.triangles,         // set the forces on nodes, to which all others add
		s.pores,             // add the forces of pressures on nodes of triangles
		s.damping.OfBeams(), // adds moments, before beams turn
		s.beams,             // transfer the forces on faces and hinges to beam nodes, before others read the force on a node; follow nodes
		s.ties,              // make accelerations agree, so after the beams
		s.spheres,           // activate faces that have separated, before contacts press
		s.rigids,            // set their moments to zero, before loads and springs add to them; sum the forces on outlines
		s.contacts,
		s.impulses, // move the rigid bodies, with all forces that act on them
		s.loads,
		s.springs,
		s.bolts,                        // read the stresses of triangles at Time
		s.linings,                      // add to the moments that the beams have set
		s.damping,                      // records the work of damping on masses, triangles and beams, after these have moved
		s.absorbers,                    // find the velocities that all forces above cause; make the accelerations of ties agree again
		excavations,                    // leave a part of all forces above on their nodes
		opening,                        // divide that force when a vertex opens
		s.fluids,                       // find the pressures in the cracks that are now open
		s.damping.OfBodies(),           // adds to all forces above
		forces.NewLocalDamping(s.View), // takes its share of the out-of-balance force
		s.rest,
		s.settle, // changes the weight before the first step, and damps
		constraints.NewSupports(s.View, s.Fixes, s.drives), // balance the sum of all forces
	}, system.System.Empty)
}

// results returns what shows the results of all kinds.
func (s *Solver) results() *output.Results {
	means := output.NewMeans(s.View, &s.MeanState, &s.ReactionState, []system.Contacting{s.contacts, s.impulses, s.spheres}, s.systems)
	return output.New(s.View, s.systems, []system.Moving{s.triangles, s.beams, s.rigids, s.spheres}, means,
		output.Kinds{Triangles: s.triangles, Beams: s.beams, Rigids: s.rigids, Spheres: s.spheres, Contacts: s.contacts, Springs: s.springs, Bolts: s.bolts, Fluids: s.fluids, Impulses: s.impulses, Heat: s.heat, Pores: s.pores}, s.tells,
		[]output.Columns{s.Breaking.Columns, s.impulses.Columns}, []output.Columns{s.springs.Columns, s.bolts.Columns, s.linings.Columns, s.fluids.Columns, s.heat.Columns, s.pores.Columns})
}

// bodyExcavated tells those kinds that divide the triangles that a body has been excavated.
func (s *Solver) bodyExcavated() {
	s.heat.Excavate(s.Excavated())
	s.pores.Excavate(s.Excavated())
	s.damping.Whole.Follow(true)
	s.loads.Weigh()
	if s.Team != nil {
		s.SetWorkers(s.Team.Workers)
	}
}

// StepError reports a requested time step above the stability limit.
type StepError struct {
	Step, Limit float64 // [s]
	What        string  // what causes the limit
}

func (e *StepError) Error() string {
	return fmt.Sprintf("step must not exceed the stability limit of %.6g s, which %s asks for, got %.6g s", e.Limit, e.What, e.Step)
}

// Overlap checks whether bodies overlap at the start without consent of the deck.
func (s *Solver) Overlap(evaluated bool) error {
	for k := range system.All[system.Overlapping](s.kinds.systems) {
		if err := k.Overlap(evaluated); err != nil {
			return err
		}
	}
	return nil
}

// start looks for overlaps, evaluates the forces at the initial positions and
// fixes the step.
func (s *Solver) start() error {
	if err := s.Overlap(false); err != nil {
		return err
	}
	s.rigids.LimitFirstContact(s.spheres.Empty())
	s.Limit = s.firstLimit()
	s.GrowthDelay, s.Wait, s.elastic, s.rattling = s.findGrowthDelay(), 1, s.conservesEnergy(), s.rattles()
	if err := s.forces(true); err != nil {
		return contacts.TooDeep(err)
	}
	if err := s.holdStressed(); err != nil {
		return err
	}
	if err := s.Overlap(true); err != nil {
		return err
	}
	s.Limit = s.longest()
	if s.elastic && s.FixedStep == 0 && s.Duration > longRun*s.Limit {
		s.share = carefulShare
		s.Limit *= s.share
	}
	if !(s.Limit > 0) && s.Duration > 0 {
		return errors.New("the stable step cannot be computed: a stiffness, a mass or a size of the model is beyond what numbers can hold; look at the units of young, density and the mesh")
	}
	if s.FixedStep > s.Limit {
		what, _ := s.shortest()
		return &StepError{s.FixedStep, s.Limit, what}
	}
	switch {
	case s.FixedStep > 0:
		s.Limit = s.FixedStep
	case len(s.Surfaces)+len(s.Volumes) > 0:
		s.Limit *= stepMargin // contact will make it stiffer
	}
	s.First, s.Lowest = min(s.Limit, s.NearLimit()), s.Limit
	s.Told = s.First
	if omega2 := s.elements(); omega2 > 0 && s.FixedStep == 0 { // stable step of the bodies alone
		s.First = max(s.First, s.Safety*2/math.Sqrt(omega2))
	}
	for k := range system.All[system.Approaching](s.kinds.systems) {
		s.First = min(s.First, k.NearLimit())
	}
	return nil
}

// Elements returns the number of elements.
func (k *stepLimits) Elements() (n int) {
	for k := range system.All[system.Elastic](k.kinds.systems) {
		_, elements := k.Set()
		n += elements
	}
	return n
}
