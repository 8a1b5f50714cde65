package solver

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"

	"fdem/boundingbox"
	"fdem/contactnodes"
	"fdem/contactnodes/spheres"
	"fdem/contactnodes/volume"
	"fdem/fem"
	"fdem/materials/bulk"

	"gonum.org/v1/gonum/spatial/r2"
)

// Solver advances a State under a Model.
type Solver struct {
	*Model
	State

	triangles     *fem.Triangles
	beams         *beams // nil for none
	team          *team
	trial         trial
	lent          atomic.Int32 // cores that do other work
	outline       *contactnodes.Outline
	shallow       float64 // the smallest Depth of the outline [m]
	search        *boundingbox.Search
	byName        []int // the contacts in the order of their names, in which they act
	volumesByName []int // and volumetric contacts
	loads         []*load
	bodies        []body
	rigids        []rigid
	spheres       *spheres.Spheres // nil without particles
	walls         []spheres.Pose   // of the rigid bodies, for the spheres
	kept          spheres.Memories // what pairs of spheres remember, for Parts and Restore
	smallest      float64          // radius of a sphere [m]
	quiet         float64          // for how long the limit must be longer before the step grows [s]
	rigidStep     float64          // the longest step with which free rigid bodies may meet something [s]
	meshed        int              // nodes of elements; those of beams' faces and of rigid bodies follow
	mass          []float64        // per node, 0 for nodes of faces and of rigid bodies [kg]
	inverse       []r2.Vec         // 1/mass per node and direction, 0 where fixed, of a face or rigid [1/kg]

	f                           []r2.Vec            // all forces at Time [N]
	cleared                     bool                // f is zero: a step has used it
	kick, drift                 float64             // of the step being taken: what moves velocities and positions [s]
	contact                     contactnodes.Forces // of which contact
	pressed                     bool                // contact is not zero everywhere
	damping                     []r2.Vec            // of which damping, only with damping
	omega2                      float64             // bound of the bodies' highest squared frequency [1/s2]
	motions                     []volume.Motion     // of the rigid bodies, for volumetric contact
	noise                       float64             // energy that rounding may make out of nothing [J]
	foreseen                    float64             // the speed that these are for [m/s]
	impactOmega2, impactDamping float64             // of the spheres' impacts to come [1/s2], [1/s]
	static                      *static             // nil for motion in time
	Note                        func(format string, args ...any)

	doForces, doMove func(worker int) // setForces and movePart, made once
}

// New prepares a run of m from its initial conditions. It fails when the
// model cannot be started: a fixed step above the stability limit, bodies that
// overlap, a triangle without area.
func New(m *Model) (*Solver, error) {
	s := &Solver{Model: m, Note: func(string, ...any) {}}
	nodes := len(m.Mesh.X)
	material := make([]int32, len(m.Mesh.Triangles))
	for i, b := range m.Mesh.Bodies[:len(m.Bodies)] {
		for t := b.First; t < b.End; t++ {
			material[t] = m.Bodies[i].Material
		}
	}
	moduli := make([]bulk.Moduli, len(m.Materials))
	density := make([]float64, len(m.Materials))
	for i, mat := range m.Materials {
		moduli[i], density[i] = mat.Moduli(m.Plane), mat.Density
	}
	var err error
	s.triangles, err = fem.NewTriangles(m.Mesh.X, m.Mesh.Triangles, m.Mesh.TriID, material, moduli, density, m.Thickness)
	if err != nil {
		return nil, err
	}
	s.doForces, s.doMove = s.setForces, s.movePart
	s.mass = s.triangles.Masses()
	if err := s.addBeams(); err != nil {
		return nil, err
	}
	s.inverse = make([]r2.Vec, nodes)
	for i, mass := range s.mass {
		if mass > 0 {
			s.inverse[i] = r2.Vec{X: 1 / mass, Y: 1 / mass}
		}
	}
	for _, fix := range m.Fixes {
		for _, n := range fix.Nodes {
			if fix.X {
				s.inverse[n].X = 0
			}
			if fix.Y {
				s.inverse[n].Y = 0
			}
			if fix.Rotation {
				s.beams.turning[n] = 0
			}
		}
	}
	s.X, s.f, s.V = apart(0, nodes), apart(1, nodes), apart(2, nodes)
	copy(s.X, m.Mesh.X)
	s.contact = contactnodes.Forces{F: make([]r2.Vec, nodes), Stiffness: make([]float64, nodes), Damping: make([]float64, nodes)}
	if s.beams != nil || len(m.Rigids) > 0 {
		s.contact.Moment = make([]float64, nodes)
	}
	if m.Damping != (Damping{}) {
		s.damping = make([]r2.Vec, nodes)
	}
	for i := range m.Bodies {
		s.bodies = append(s.bodies, newBody(s, i, density[m.Bodies[i].Material]))
		s.bodies[i].start(s, m.Bodies[i].Velocity, m.Bodies[i].AngularVelocity)
	}
	s.meshed = nodes
	if len(m.Rigids) > 0 {
		s.meshed = int(m.Mesh.Bodies[len(m.Bodies)].Nodes[0])
	}
	s.addRigids()
	s.addParticles()
	if s.beams != nil {
		s.meshed -= len(m.Mesh.Faces)
		s.beams.follow(s, 0)
	}
	for i := range m.Loads {
		s.loads = append(s.loads, newLoad(&m.Loads[i], m))
	}
	for i, b := range s.bodies {
		mat := m.Materials[m.Bodies[i].Material]
		s.noise += float64(rounding * b.total / mat.Density * mat.Young)
	}
	s.omega2 = s.triangles.MaxFrequencySquared(m.Mesh.X)
	if s.beams != nil {
		s.omega2 = max(s.omega2, s.beams.MaxFrequencySquared(m.Mesh.X, s.Theta))
	}
	s.addContacts()
	s.addVolumes()
	contacts := len(s.Model.Contacts) + len(s.ByVolume) + len(s.Particles.Interactions)
	s.Impulses, s.Borne = make([]float64, forces*contacts), make([]float64, forces*contacts)
	s.Share(1)
	if m.Static != nil {
		return s, s.startStatic()
	}
	return s, s.start()
}

// apart returns a value per node, beginning in another place within a page of
// memory than the arrays of other numbers: the kernels read the position and
// write the force of one node, and where both had the same place a processor
// would take one for the other and wait.
func apart(number, nodes int) []r2.Vec {
	skip := 80 * number
	return make([]r2.Vec, skip+nodes)[skip : skip+nodes : skip+nodes]
}

// rounding is the strain energy, relative to Young's modulus times volume,
// under which the ledger sees nothing but rounding: strains of 1e-12.
const rounding = 1e-24

// addContacts makes the contacts and the search that serves them all.
func (s *Solver) addContacts() {
	s.outline = contactnodes.NewOutline(s.Mesh)
	s.shallow = math.Inf(1)
	edges := make([]boundingbox.Edge, len(s.Mesh.Edges))
	material := make([]int32, len(s.Mesh.Edges))
	mass := make([]float64, len(s.Mesh.Edges))
	width := s.widths()
	bearer := make([]int32, len(s.Mesh.Edges))
	for i, e := range s.Mesh.Edges {
		bearer[i] = int32(i)
		if k := int(e.Body) - len(s.Model.Bodies); k < 0 {
			material[i], mass[i] = s.Model.Bodies[e.Body].Material, s.bodies[e.Body].total
		} else {
			material[i], mass[i] = s.Rigids[k].Material, s.Rigids[k].Mass
			if mass[i] == 0 {
				mass[i] = math.Inf(1)
			}
			bearer[i] = int32(s.Mesh.Bodies[e.Body].FirstEdge)
		}
		edges[i] = boundingbox.Edge{A: e.A, B: e.B, Piece: e.Piece}
		s.shallow = min(s.shallow, s.outline.Depth[i])
	}
	mobility := make([]float64, len(s.mass))
	for i, v := range s.inverse {
		mobility[i] = max(v.X, v.Y)
	}
	if s.beams != nil {
		for _, f := range s.beams.faces {
			mobility[f.node] = s.beams.mobility(&f, s.inverse)
		}
	}
	for i := range s.rigids {
		r := &s.rigids[i]
		for k, n := range r.nodes {
			mobility[n] = r.mobility(k)
		}
	}
	s.PeakForce = make([]float64, len(s.Model.Contacts))
	for i := range s.Model.Contacts {
		c := &s.Model.Contacts[i]
		s.byName = append(s.byName, i)
		s.Surfaces = append(s.Surfaces, contactnodes.New(contactnodes.Config{
			Name: c.Name, Contactor: c.Contactor, Opposite: c.Opposite, Law: c.Law, LawName: c.LawName, Suited: c.Suited, Factor: c.Factor, Nodes: c.NodesPerElement, Ends: c.Ends,
			TwoSided: c.TwoSided, Self: c.Self, Material: material, Pair: c.Pair, Thickness: s.Thickness, Mass: mass, Width: width, Bearer: bearer, Friction: c.Friction, Overlap: c.Overlap,
		}, s.outline, s.Mesh.X, mobility))
		s.Surfaces[i].Join(edges, i)
	}
	for i, e := range s.Mesh.Edges { // what cannot move does not meet its like
		if k := int(e.Body) - len(s.Model.Bodies); k >= 0 && s.rigids[k].inverse == 0 && s.Rigids[k].Released == [3]bool{} {
			edges[i].Piece, edges[i].Self = -1, 0
		}
	}
	slices.SortFunc(s.byName, func(i, j int) int { return strings.Compare(s.Model.Contacts[i].Name, s.Model.Contacts[j].Name) })
	s.search = boundingbox.New(edges, s.outline.Reach, 0)
}

// OverlapError reports bodies that lie in one another before the first step.
type OverlapError struct {
	Contact    string
	Nodes      int     // contact nodes inside the other body
	Deflection float64 // the deepest [m]
	Deeper     error   // than contact could follow, so that no consent helps: DepthError or InsideError; nil otherwise
}

func (e *OverlapError) Unwrap() error { return e.Deeper }

func (e *OverlapError) Error() string {
	var deep *contactnodes.DepthError
	var inside *volume.InsideError
	const begin = "contact %q: the bodies overlap at the start: "
	switch {
	case errors.As(e.Deeper, &deep):
		return fmt.Sprintf(begin+"a contact node at (%.6g, %.6g) m is inside by %.3g m, more than the %.3g m that the elements under it allow; move them apart",
			e.Contact, deep.Place.X, deep.Place.Y, deep.Deflection, deep.Limit)
	case errors.As(e.Deeper, &inside):
		return fmt.Sprintf(begin+"at (%.6g, %.6g) m one of %q and %q lies wholly in the other; move them apart", e.Contact, inside.Place.X, inside.Place.Y, inside.First, inside.Second)
	}
	if e.Nodes == 0 { // measured by volume
		return fmt.Sprintf("contact %q: the bodies overlap at the start, by %.3g m on the mean; move them apart, or consent with overlap = \"allow\"", e.Contact, e.Deflection)
	}
	return fmt.Sprintf("contact %q: the bodies overlap at the start: %d contact nodes are inside, the deepest by %.3g m; move them apart, or consent with overlap = \"allow\" or \"subtract\"",
		e.Contact, e.Nodes, e.Deflection)
}

// StepError reports a time step asked for above the stability limit.
type StepError struct{ Step, Limit float64 } // [s]

func (e *StepError) Error() string {
	return fmt.Sprintf("step must not exceed the stability limit of %.6g s, got %.6g s", e.Limit, e.Step)
}

// touching is the overlap, relative to the depth of an edge, that counts as
// rounding of bodies that just touch.
const touching = 1e-9

// begin looks for overlaps.
func (s *Solver) begin() error {
	if len(s.Surfaces) > 0 {
		pairs := s.search.Pairs(s.X)
		for _, c := range s.Surfaces {
			if err := c.Begin(s.X, pairs); err != nil {
				return deeper(err)
			}
			if n, d := c.Overlapping(touching); n > 0 && c.Config.Overlap.Mode == contactnodes.OverlapRefuse {
				return &OverlapError{Contact: c.Name, Nodes: n, Deflection: d}
			}
		}
	}
	if s.spheres != nil {
		if n, d := s.spheres.Overlapping(touching); n > 0 {
			return &ParticleOverlapError{n, d}
		}
	}
	return nil
}

// deeper tells bodies that begin in one another too deep for contact from bodies
// that get there.
func deeper(err error) error {
	var deep *contactnodes.DepthError
	var inside *volume.InsideError
	switch {
	case errors.As(err, &deep):
		return &OverlapError{deep.Contact, 1, deep.Deflection, err}
	case errors.As(err, &inside):
		return &OverlapError{inside.Contact, 0, 0, err}
	}
	return err
}

// start looks for overlaps, evaluates the forces at the initial positions and
// fixes the step.
func (s *Solver) start() error {
	s.addSources()
	if err := s.begin(); err != nil {
		return err
	}
	s.rigidStep = s.foresee()
	s.Limit = s.outset()
	s.quiet = s.rest()
	if err := s.forces(); err != nil {
		return deeper(err)
	}
	if err := s.checkVolumes(); err != nil {
		return err
	}
	s.Limit = s.longest()
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
		s.Limit *= margin // contact will stiffen it
	}
	s.Told, s.First = s.Limit, s.Limit
	if s.omega2 > 0 && s.FixedStep == 0 { // what the bodies by themselves would take
		s.First = max(s.First, s.Safety*2/math.Sqrt(s.omega2))
	}
	return nil
}

// pressedNodes returns the nodes that contact may act on now.
func (s *Solver) pressedNodes() []int32 {
	if !s.pressed {
		return nil
	}
	return s.outline.Nodes
}

// ContactNodes returns the number of contact nodes of all surfaces.
func (s *Solver) ContactNodes() int {
	n := 0
	for _, c := range s.Surfaces {
		n += len(c.Pressure)
	}
	return n
}

// Elements returns the number of triangles and beams.
func (s *Solver) Elements() int { return len(s.Mesh.Triangles) + len(s.Mesh.Beams) }

// Rebuilds returns how often the search has made its candidate list.
func (s *Solver) Rebuilds() int {
	if s.spheres != nil {
		return s.search.Rebuilds() + s.spheres.Rebuilds()
	}
	return s.search.Rebuilds()
}

// Bytes estimates the memory that a run of the model takes from the system at
// its peak: the program, model and state, the copies that frames and checkpoints
// are written from, and what waits for the garbage collector. The numbers are
// measured: runs of 1e4 to 1e6 triangles, 1e5 beams, 1e4 and 9e4 spheres.
func (s *Solver) Bytes() int {
	const program = 30e6
	const perNode = 400
	const perTriangle = 440
	const perContactNode = 240
	const perSphere = 5500 // with the pairs that are near it
	const perBeam = 2600
	return program + perSphere*len(s.Model.Particles.X) + perNode*len(s.X) + perTriangle*len(s.Mesh.Triangles) + perBeam*len(s.Mesh.Beams) + perContactNode*s.ContactNodes()
}
