// Package model: What a run is given: mesh, materials, bodies and everything that acts on them, in SI units.
package model

import (
	"fmt"
	"slices"

	"fdem/contactnodes"
	"fdem/materials/bulk"
	"fdem/materials/contact"
	"fdem/materials/elementary"
	"fdem/mesh"
	"fdem/solver/nodes"

	"gonum.org/v1/gonum/spatial/r2"
)

// Corners are corners of triangles on which a force on vertices acts, each with its fraction of it.
// They matter where a vertex splits. A Group is vertices with the nodes into which they split.
type (
	Corners = nodes.Corners
	Corner  = nodes.Corner
	Group   = nodes.Group
)

// Model is all data that do not change during a run, in SI units.
type Model struct {
	Title           string
	Mesh            *mesh.Mesh
	Materials       []bulk.Material
	Spread          *Spread // nil if all triangles of each body have the same modulus
	Bodies          []Body  // one for each meshed of Mesh.Bodies, in that order, beams last
	Rigids          []Rigid // one for each of the other bodies
	Plane           bulk.Plane
	Thickness       float64  // [m]
	Gravity         r2.Vec   // [m/s2]
	GravitySchedule Schedule // factor on gravity; nil for 1, in a static analysis for a linear ramp
	Start           Start    // how the run starts
	Damping         Damping
	Fixes           []Fix
	Drives          []Drive
	Clamps          []Clamp
	Loads           []Load
	Absorbs         []Absorb
	Fluids          []Fluid
	Excavations     []Excavation
	Stages          []Stage // of construction, in their order; nil for none
	Springs         []Spring
	Bolts           []Bolt
	Linings         []Lining
	Ties            []Tie
	Contacts        []SurfaceContact
	ByVolume        []VolumeContact // volumetric contacts
	Probes          []Probe
	Particles       Particles
	InitialStresses []InitialStress // at most one for each body
	Relief          Schedule        // factor, 1 to 0, on the forces that first balance the stressed bodies; nil for none
	Fracture        *Fracture       // nil if nothing can break
	Heat            *Heat           // nil without temperatures
	Pores           *Pores          // nil without pore pressures
	Expressions     []Expression    // expressions that must have a value at every step

	Static             *Static    // nil for motion in time
	Impulses           *Impulses  // nil for contact by laws
	Duration           float64    // [s]
	UntilRest          *UntilRest // nil to run until Duration
	FixedStep          float64    // [s]; 0 chooses the step automatically
	QuasiStatic        bool       // slow loading is intended: the run reports if it is not quasi-static
	Safety             float64    // fraction of the stability limit used by the automatic step
	ResidualLimit      float64    // the run stops if the ledger's relative residual exceeds it
	FieldsEvery        float64    // [s]; 0 writes fields at the start and the end only
	ContactEvery       float64    // [s]; 0 writes contact nodes at the start and the end only
	OwnContactInterval bool       // contact nodes have the interval ContactEvery, not that of the fields
	HistoryEvery       float64    // [s]; 0 writes a row at the start and the end only
	// CheckpointEvery is the time between checkpoints [s]; 0 writes one at the
	// start and one at the end only.
	CheckpointEvery float64
}

// UntilRest ends a run when nothing moves any more.
type UntilRest struct {
	From float64 // not before this time, see atrest.LastChange [s]
}

// Static makes a run a static analysis. Loads and motions follow their
// schedules in pseudo-time from 0 to Duration, in increments that are each in
// equilibrium. Inertia and viscosity have no effect.
type Static struct {
	Increment  float64   // the first [s]
	Largest    float64   // longest increment [s]
	Smallest   float64   // shortest increment after cuts [s]
	Iterations int       // of Newton's method, before an increment is cut
	Tolerance  float64   // of the forces out of balance, relative to the greatest so far
	Breaks     []float64 // ascending; increments end here [s]
	Whole      float64   // time of the ramp of weight [s]
}

// Body is the material and initial motion of a meshed body, and the section of
// a beam.
type Body struct {
	Name            string
	Material        int32                 // position in Model.Materials
	Ageing          *Curve                // of beams: the factor of Young's modulus by the time since their installation; nil for none
	Strength        [2]float64            // of beams: stress in compression and in tension that their fibres bear [Pa]; 0 for not given
	Width, Height   float64               // of a beam's section: out of the plane, and in the plane [m]; 0 for triangles
	Velocity        r2.Vec                // initial [m/s]
	AngularVelocity float64               // initial, about the centre of mass [rad/s]
	Expansion       float64               // initial velocity away from the centre of mass divided by the distance from it [1/s]
	VelocityAt      func(x r2.Vec) r2.Vec // position-dependent velocity, added to Velocity [m/s]; nil for none
	When                                  // of beams
}

// Spread assigns moduli that differ from triangle to triangle.
type Spread struct {
	Materials []bulk.Material // stiffer and softer ones
	Of        []int32         // per triangle: index of its material in Materials, -1 for the material of its body
}

// Rigid is a rigid body: an outline of Mesh.Bodies that is fixed, follows a
// prescribed motion, or is free with mass and moment of inertia.
type Rigid struct {
	Name            string
	Material        int32   // position in Model.Materials, -1 for none
	Centre          r2.Vec  // at the start [m]; the centre of mass of a free body
	Mass            float64 // [kg]; above zero for a free body
	Inertia         float64 // about the centre [kg m2]
	Velocity        r2.Vec  // at the start, of a driven body that of its Motion [m/s]
	AngularVelocity float64 // likewise [rad/s]
	Motion          Path    // prescribed motion of a driven body, else nil
	Released        [3]bool // x, y and angle that a static analysis finds from equilibrium, instead of Motion
	Group           string  // name of several consecutive bodies that are reported together, "" for a single one
}

// Path returns the position of a driven body's centre [m] and its rotation
// [rad] at time t [s]. It must be a pure function.
type Path func(t float64) (centre r2.Vec, angle float64)

// Damping is Rayleigh damping of the bodies, with the force -Mass*m*v - Stiffness*K*v, and local
// damping, Local times the out-of-balance force.
type Damping struct {
	Mass      float64 // [1/s]
	Stiffness float64 // [s]
	Local     float64 // below 1
	Light     bool    // stiffness damping against self-excited vibration of bodies that slide, found by New
	Kept      bool    // light damping no longer changes, as in a resumed run
	Bodies    bool    // with Kept: the light damping has that of whole bodies
}

// Fix holds nodes at their reference position, and the rotations of nodes of
// beams.
type Fix struct {
	On       string
	Name     string // of its reaction; fixes and drives of one name have a common reaction
	About    r2.Vec // of the reaction's moment [m]
	Nodes    []int32
	X, Y     bool
	Rotation bool    // of the nodes of beams
	Corners  Corners // at each of Nodes: if it splits, only the nodes with these are held
	When             // in motion; it holds nodes where they are then
}

// Schedule is a factor as a function of time [s]. It must be a pure function.
type Schedule func(t float64) float64

// ForceField is a vector as a function of time and position: an acceleration [m/s2]
// if weights are masses, a force per volume [N/m3] if they are volumes. It must be a
// pure function.
type ForceField func(t float64, x r2.Vec) r2.Vec

// Factor is a factor as a function of time and position. The position is the initial one of an edge
// or element. It must be a pure function.
type Factor func(t float64, x r2.Vec) float64

// Load is a force, a moment, a pressure or a body force as a function of time:
// Force and Moment on Nodes, distributed by Weights; Pressure on Edges; Field on
// Nodes, times Weights; or forces and moments along a Line of beams.
type Load struct {
	On         string
	Nodes      []int32
	Weights    []float64 // fraction of Force and Moment on each of Nodes, sum 1
	Forces     []r2.Vec  // on each of Nodes, instead of Force and Weights [N]
	Corners    Corners   // at each of Nodes
	Force      r2.Vec    // total [N]
	Moment     float64   // total, on nodes of beams or a rigid body, positive anticlockwise [N m]
	OnRigid    bool      // Moment and Field act on the rigid body Rigid, at its centre
	Rigid      int32
	Field      ForceField // per unit of Weights, nil for none
	Edges      []int32    // boundary edges
	Line       *LineLoad  // nil for none
	Pressure   float64    // [Pa], positive inwards; follows the rotation of the edges
	Schedule   Schedule   // nil means a constant load
	ByPosition Factor     // on Pressure, or on Line's Force, by the position; nil for 1
	Of         string     // block and key with the expression of the position, for messages
	When
}

// SurfaceContact is contact of contact nodes on the contactor's edges with the
// opposite edges.
type SurfaceContact struct {
	Name      string     // unique; contacts act in the order of their names
	Of        string     // name in results of the contact of which this one is a part; "" for none. Parts are consecutive
	Contactor []int32    // boundary edges, ascending
	Opposite  []int32    // boundary edges, ascending
	Inner     [2][]int32 // per side: bodies without a boundary edge, which excavation may expose
	Law       contact.Law
	LawName   string
	// StiffnessKey is the key of the deck that gives the stiffness of a joint, "" for the key of a
	// law.
	StiffnessKey string
	// Young is the softer modulus [Pa] and Edge the smaller edge [m], for beams the smaller height,
	// of the bodies that may be in contact. Suitable is the stiffness for these [Pa/m]. They are 0
	// if unknown. Layer is the softer modulus of a layer under pressure [Pa], which exceeds Young
	// for nearly incompressible materials. If Law has Factor times the suitable stiffness, Factor
	// is not 0.
	Young, Edge, Suitable, Layer, Factor float64
	Penetration                          Penetration // penetration from which the stiffness follows, for rigid bodies
	// NodesPerElement is the number of contact nodes on an edge.
	NodesPerElement int
	Ends            bool // contact nodes at the ends of equal parts of an edge instead of their middles
	Friction        contactnodes.Friction
	Rolling         float64                  // coefficient of the moment that resists rolling of discs
	Pair            *[2]int32                // the only two materials of the contact; nil for all
	Elsewhere       []contactnodes.Elsewhere // edges whose contact belongs to other contacts
	Apart           [][2]int32               // bodies that do not meet: beams and the body on whose edges they lie
	TwoSided        bool                     // both surfaces have contact nodes; the surface with smaller edges has more
	Self            bool                     // a connected component may contact itself; otherwise only other components
	Overlap         contactnodes.Overlap
}

// Bounces tells whether the contact's law and stiffness follow from a coefficient of restitution.
func (c *SurfaceContact) Bounces() bool {
	_, rebounds := c.Law.(contact.Rebound)
	return rebounds && c.LawName == "auto"
}

// Penetration is the allowed penetration of rigid bodies that determines a contact's stiffness.
// With a Share of 0 it does not determine it.
type Penetration struct {
	Share   float64 // penetration relative to the size
	Speed   float64 // of the fastest body at the start [m/s]
	Size    float64 // of the smallest body, the root of its area [m]
	Gravity float64 // magnitude of gravity [m/s2]
	Depth   float64 // penetration at the speed of a fall from the height Size, or at Speed [m]
	Sink    float64 // penetration under the weight of a body at rest [m]
	Tilt    float64 // tilt at which such a body, of equal width and height, lifts an end [rad]
	// Rocking is the period in which such a body rocks on the springs at its
	// base [s].
	Rocking float64
}

// ContactLaws are the laws of a contact: one law, or for an interaction the laws of the kinds of
// spheres that limit the step.
type ContactLaws struct {
	Name    string
	Points  bool // point laws
	Laws    []contact.Law
	Missing []error // reasons why kinds of spheres in contact have no law
}

// Laws returns the laws of all contacts.
func (m *Model) Laws() (out []ContactLaws) {
	for _, c := range m.Contacts {
		out = append(out, ContactLaws{Name: c.Name, Laws: []contact.Law{c.Law}})
	}
	for _, c := range m.ByVolume {
		out = append(out, ContactLaws{Name: c.Name, Laws: []contact.Law{c.Law}})
	}
	return append(out, m.Particles.laws()...)
}

// Probe is a set of columns of the history, such as <name>.x and <name>.y.
type Probe struct {
	Name     string
	Node     int32
	To       int32        // of convergence: the other node
	Particle bool         // Node is a sphere, with Impulses a rigid body
	Quantity string       // a name of quantity.Probe
	Region   *ProbeRegion // nil for one node or sphere
}

// Start is how a run in time starts.
type Start int

const (
	StartEquilibrium Start = iota // what rests, slides or tips on others is in equilibrium with its weight and the loads of the start
	StartSudden                   // weight and loads act suddenly
)

// ProbeRegion is the region of a probe: nodes, triangles or contact nodes.
type ProbeRegion struct {
	Nodes     []int32
	Corners   Corners // at each of Nodes: if it splits, only the nodes with these count
	Triangles []int32
	Edges     []int32 // edges whose contact nodes count
	Contact   *r2.Vec // if not nil, only the contact node nearest to this initial position counts [m]
	Take      string  // "mean", "sum", "max" or "min" of each component
}

// AreaOf returns the area of triangle t at the start [m2].
func (m *Model) AreaOf(t int32) float64 {
	n, x := m.Mesh.Triangles[t], m.Mesh.X
	return 0.5 * elementary.Cross(r2.Sub(x[n[1]], x[n[0]]), r2.Sub(x[n[2]], x[n[0]]))
}

// Element returns the name of element i of a kind, with its number in the mesh
// from id, and the name of its body.
func (m *Model) Element(kind string, i int, id []int32, elements func(*mesh.Body) (first, end int32)) string {
	of := slices.IndexFunc(m.Mesh.Bodies, func(b mesh.Body) bool {
		first, end := elements(&b)
		return i >= int(first) && i < int(end)
	})
	return fmt.Sprintf("%s %d of %q", kind, id[i], m.Bodies[of].Name)
}

// MaterialOf returns the material of a triangle.
func (m *Model) MaterialOf(t int32) int32 {
	i := slices.IndexFunc(m.Mesh.Bodies, func(b mesh.Body) bool { return t >= b.First && t < b.End && b.Kind == mesh.OfTriangles })
	return m.Bodies[i].Material
}
