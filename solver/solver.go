package solver

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/spatial/r2"
)

// Solver advances a State under a Model.
type Solver struct {
	view
	State

	*kinds
	*workers
	*breaking
	*stepLimits
	*books
	*means
	*results
	laying *laying

	*outlines

	Freedoms *Freedoms // of a static analysis, nil for motion in time
}

// kinds are all systems that the model has: in the order in which they act, and by name for
// whoever tells of one.
type kinds struct {
	systems []system

	nodal     *nodal
	triangles *triangles
	beams     *beams // nil for none
	spheres   *balls // nil for none
	rigids    *rigids
	contacts  *contacts
	loads     *loads
	stressed  *stressed  // nil for none
	absorbers *absorbers // nil for none
	fluids    *fluids    // nil for none
	drives    *drives    // nil for none
	springs   *springs   // nil for none
	preload   *preload   // nil for none
	ties      *ties      // nil for none
	weight    *weight    // nil where gravity does not change
}

// New prepares a run of m from its initial conditions. It fails when the
// model cannot be started: a fixed step above the stability limit, bodies that
// overlap, a triangle without area, a kind that a static analysis cannot have. A
// static analysis is run by package statics.
func New(m *Model) (*Solver, error) {
	s := &Solver{view: view{analysis: &analysis{Model: m, Note: func(string, ...any) {}}}}
	s.kinds = &kinds{}
	s.ownMesh()
	if err := s.addTriangles(); err != nil {
		return nil, err
	}
	if err := s.addBeams(); err != nil {
		return nil, err
	}
	s.outlines = newOutlines(s.view)
	s.workers = newWorkers(s.view, s.kinds, s.outlines)
	s.breaking = &breaking{view: s.view}
	s.stepLimits = &stepLimits{view: s.view, State: &s.State, kinds: s.kinds, workers: s.workers, breaking: s.breaking}
	s.means = &means{view: s.view, State: &s.State, kinds: s.kinds}
	s.laying = &laying{view: s.view, State: &s.State, kinds: s.kinds, outlines: s.outlines}
	s.books = &books{view: s.view, State: &s.State, stepLimits: s.stepLimits}
	s.results = &results{view: s.view, State: &s.State, kinds: s.kinds, breaking: s.breaking, books: s.books, means: s.means}
	s.nodal = &nodal{view: s.view, shared: s.workers, outlines: s.outlines, breaking: s.breaking}
	s.holdNodes()
	s.addWeight()
	s.addDrives()
	s.systems = append(s.systems, s.nodal, s.triangles)
	s.triangles.view, s.triangles.shared, s.triangles.breaking = s.view, s.workers, s.breaking
	s.triangles.begin()
	if s.beams != nil {
		s.systems = append(s.systems, s.beams)
		s.beams.begin()
	}
	s.drives.begin()
	s.addTies()
	if s.beams != nil {
		s.beams.follow(0)
	}
	s.rigids = newRigids(s.Field, s.analysis, &s.State, s.outlines)
	s.clear = &clearances{Field: s.Field, analysis: s.analysis, outlines: s.outlines, bodies: s.rigids}
	s.rigids.clear = s.clear
	s.addSpheres()
	if s.spheres != nil {
		s.systems = append(s.systems, s.spheres)
	}
	s.systems = append(s.systems, s.rigids)
	s.addContacts()
	s.addLoads()
	s.systems = append(s.systems, s.contacts, s.loads)
	s.addSprings()
	s.addRayleigh()
	s.addAbsorbers()
	s.addExcavations()
	if err := s.addCracks(); err != nil {
		return nil, err
	}
	s.addFreshFaces()
	s.addFluids()
	if s.Static == nil && s.cracks == nil && s.excavations == nil && len(s.contacts.engines) > 0 { // what breaks or is excavated gets new outlines
		s.clear.prepare(len(s.Volumes) == 0)
	}

	s.addLocalDamping()
	s.addSupports()

	s.bodies, s.meetings = []moving{s.triangles}, []meeting{s.contacts}
	if s.beams != nil {
		s.bodies = append(s.bodies, s.beams)
	}
	s.bodies = append(s.bodies, s.rigids)
	if s.spheres != nil {
		s.bodies, s.meetings = append(s.bodies, s.spheres), append(s.meetings, s.spheres)
	}
	s.addMeans()
	s.addProbes()
	s.addReactions()
	s.quick = slices.Collect(all[fast](s.kinds))
	s.clock.systems = make([]time.Duration, len(s.systems))
	s.placing = s.placeEnergy()
	s.SetWorkers(1)
	if s.Static != nil {
		return s, s.still()
	}
	return s, s.start()
}

// StepError reports a time step asked for above the stability limit.
type StepError struct{ Step, Limit float64 } // [s]

func (e *StepError) Error() string {
	return fmt.Sprintf("step must not exceed the stability limit of %.6g s, got %.6g s", e.Limit, e.Step)
}

// overlap looks for bodies that lie in one another.
func (s *Solver) overlap(evaluated bool) error {
	for k := range all[overlapping](s.kinds) {
		if err := k.overlap(evaluated); err != nil {
			return err
		}
	}
	return nil
}

// start looks for overlaps, evaluates the forces at the initial positions and
// fixes the step.
func (s *Solver) start() error {
	if err := s.overlap(false); err != nil {
		return err
	}
	s.rigids.limitFirstTouch(len(s.meetings) == 1)
	s.Limit = s.firstLimit()
	s.growthDelay, s.Wait, s.elastic, s.share = s.findGrowthDelay(), 1, s.keepsEnergy(), 1
	if err := s.forces(true); err != nil {
		return deeper(err)
	}
	if err := s.holdStressed(); err != nil {
		return err
	}
	if err := s.overlap(true); err != nil {
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
		return &StepError{s.FixedStep, s.Limit}
	}
	switch {
	case s.FixedStep > 0:
		s.Limit = s.FixedStep
	case len(s.Surfaces)+len(s.Volumes) > 0:
		s.Limit *= stepMargin // contact will stiffen it
	}
	s.First, s.Lowest = min(s.Limit, s.nearLimit()), s.Limit
	s.Told = s.First
	if omega2 := s.elements(); omega2 > 0 && s.FixedStep == 0 { // what the bodies by themselves would take
		s.First = max(s.First, s.Safety*2/math.Sqrt(omega2))
	}
	for k := range all[meetingFar](s.kinds) {
		s.First = min(s.First, k.nearLimit())
	}
	return nil
}

// Counts calls the function with how much of everything the model has.
func (s *results) Counts(each func(n int, of string)) {
	for k := range all[sized](s.kinds) {
		k.counts(each)
	}
}

// Elements returns the number of elements.
func (k *stepLimits) Elements() (n int) {
	for k := range all[elastic](k.kinds) {
		_, elements := k.set()
		n += elements
	}
	return n
}

// Size returns the greater side of the box around all places at the start, or the
// greatest diameter where that is more [m].
func (s *results) Size() (size float64) {
	lo, hi := r2.Vec{X: math.Inf(1), Y: math.Inf(1)}, r2.Vec{X: math.Inf(-1), Y: math.Inf(-1)}
	for k := range all[extended](s.kinds) {
		k.extent(func(p r2.Vec, diameter float64) {
			lo.X, lo.Y, hi.X, hi.Y = min(lo.X, p.X), min(lo.Y, p.Y), max(hi.X, p.X), max(hi.Y, p.Y)
			size = max(size, diameter)
		})
	}
	return max(size, hi.X-lo.X, hi.Y-lo.Y)
}

// Rebuilds returns how often the search has made its candidate list.
func (s *results) Rebuilds() int {
	n := 0
	for k := range all[searching](s.kinds) {
		n += k.rebuilds()
	}
	return n
}

// Bytes estimates the memory that a run of the model takes from the system at
// its peak: the program, model and state, the copies that frames and checkpoints
// are written from, and what waits for the garbage collector. The numbers are
// measured: runs of 1e4 to 1e6 triangles, 1e5 beams, 1e4 and 9e4 spheres.
func (s *results) Bytes() int {
	const program = 30e6
	n := int(program)
	for k := range all[sized](s.kinds) {
		n += k.bytes()
	}
	return n
}
