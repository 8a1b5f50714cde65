// Package solver integrates the equations of motion of elements, rigid bodies
// and particles explicitly in time, by central differences (leapfrog) with a
// time step from element and Gershgorin bounds, and keeps the balance of energy. It owns the
// state of a run, which is what a checkpoint holds. Begin with step.go; every
// kind is a file of its own behind the interface in system.go, named by the room that it
// stands in: bodies, constraints, forces, contact, fracture.
package solver

import (
	"fdem/contactnodes"
	"fdem/materials/bulk"
	"fdem/materials/contact"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// Model is everything that does not change during a run. SI units throughout.
type Model struct {
	Title           string
	Mesh            *mesh.Mesh
	Materials       []bulk.Material
	Spread          *Spread // nil where each body's triangles are all alike
	Bodies          []Body  // one for each meshed of Mesh.Bodies, in that order, beams last
	Rigids          []Rigid // one for each of the rest
	Plane           bulk.Plane
	Thickness       float64  // [m]
	Gravity         r2.Vec   // [m/s2]
	GravitySchedule Schedule // its factor; nil for 1, in a static analysis for an even growth
	Damping         Damping
	Fixes           []Fix
	Drives          []Drive
	Clamps          []Clamp
	Loads           []Load
	Absorbs         []Absorb
	Fluids          []Fluid
	Excavations     []Excavation
	Springs         []Spring
	Ties            []Tie
	Contacts        []SurfaceContact
	ByVolume        []VolumeContact // volumetric contacts
	Probes          []Probe
	Particles       Particles
	InitialStresses []InitialStress // at most one for each body
	Relief          Schedule        // factor of what holds the stressed bodies at first against what is out of balance, 1 to 0; nil for none
	Fracture        *Fracture       // nil where nothing can break
	Expressions     []Expression    // that must have a value at every step

	Static             *Static // nil for motion in time
	Duration           float64 // [s]
	FixedStep          float64 // [s]; 0 chooses the step automatically
	QuasiStatic        bool    // motion is not meant: the run tells where there was some
	Safety             float64 // fraction of the stability limit used by the automatic step
	ResidualLimit      float64 // the run stops when the ledger's relative residual passes it
	FieldsEvery        float64 // [s]; 0 writes fields at the start and the end only
	ContactEvery       float64 // [s]; 0 writes contact nodes at the start and the end only
	OwnContactInterval bool    // contact nodes have that interval, not that of the fields
	HistoryEvery       float64 // [s]; 0 writes a row at the start and the end only
	// CheckpointEvery is the time between checkpoints [s]; 0 writes one at the
	// start and one at the end only.
	CheckpointEvery float64
}

// Static makes a run a static analysis: loads and motions follow their
// schedules through the pseudo-time 0 to Duration in increments, each of them
// in balance. What is inert or viscous does not act.
type Static struct {
	Increment  float64   // the first [s]
	Largest    float64   // that an increment may grow to [s]
	Smallest   float64   // below which an increment is not cut [s]
	Iterations int       // of Newton's method, before an increment is cut
	Tolerance  float64   // of the forces out of balance, relative to the greatest so far
	Breaks     []float64 // ascending; increments end here [s]
	Whole      float64   // time within which weight grows to its full [s]
}

// Body gives a meshed body its material and its start, and a beam its section.
type Body struct {
	Name            string
	Material        int32                 // index into Model.Materials
	Width, Height   float64               // of a beam's section, out of the plane and in it [m]; 0 for triangles
	Velocity        r2.Vec                // initial [m/s]
	AngularVelocity float64               // initial, about the centre of mass [rad/s]
	Expansion       float64               // initial velocity away from the centre of mass over the distance from it [1/s]
	VelocityAt      func(x r2.Vec) r2.Vec // beside Velocity, from place to place [m/s]; nil for none
}

// Spread is moduli that differ from triangle to triangle.
type Spread struct {
	Materials []bulk.Material // stiffer and softer ones
	Of        []int32         // of each triangle the position of its own among these, -1 for that of its body
}

// Rigid is a body that keeps its shape: an outline of Mesh.Bodies that is
// fixed, follows a motion, or is free with mass and moment of inertia.
type Rigid struct {
	Name            string
	Material        int32   // index into Model.Materials, -1 for none
	Centre          r2.Vec  // at the start [m]; of mass, where it is free
	Mass            float64 // [kg]; above zero makes it free
	Inertia         float64 // about the centre [kg m2]
	Velocity        r2.Vec  // initial, of a free one [m/s]
	AngularVelocity float64 // initial, of a free one [rad/s]
	Motion          Path    // of a driven one, nil otherwise
	Released        [3]bool // x, y and angle that a static analysis balances, whatever Motion says
	Group           string  // of several that follow one another and are told of together, "" for one by itself
}

// Path gives the position of a driven body's centre [m] and the angle it has
// turned by [rad] at time t [s]. It must be a pure function.
type Path func(t float64) (centre r2.Vec, angle float64)

// Damping is Rayleigh damping of the bodies, force -Mass*m*v - Stiffness*K*v, and
// local damping, Local times the force out of balance.
type Damping struct {
	Mass      float64 // [1/s]
	Stiffness float64 // [s]
	Local     float64 // below 1
	Light     bool    // as much of stiffness as keeps what rubs under its weight from squealing, found by New
	Kept      bool    // the light one stays, whatever rubs: a run that is resumed has it
}

// Fix holds nodes at their reference position, those of beams also from
// turning.
type Fix struct {
	On       string
	Name     string // of its reaction; fixes and drives of one name have one together
	About    r2.Vec // of the reaction's moment [m]
	Nodes    []int32
	X, Y     bool
	Rotation bool    // of the nodes of beams
	Bodies   []int32 // where cracks or joints part nodes, it holds those with triangles of these; nil holds all
}

// Schedule is a factor in time. It must be a pure function.
type Schedule func(t float64) float64

// ForceField is a vector in time and place: an acceleration [m/s2] where weights are
// masses, a force per volume [N/m3] where they are volumes. It must be a pure
// function.
type ForceField func(t float64, x r2.Vec) r2.Vec

// Factor is a factor in time and place: that of an edge or element at the start. It must
// be a pure function.
type Factor func(t float64, x r2.Vec) float64

// Load is a force, a moment, a pressure or a body force in time: Force and Moment
// on Nodes, shared by Weights, or Pressure on Edges, or Field on Nodes, times
// Weights, or forces and moments along a Line of beams.
type Load struct {
	On         string
	Nodes      []int32
	Weights    []float64 // share of Force and Moment taken by each of Nodes, sum 1
	Forces     []r2.Vec  // on each of Nodes, instead of shares [N]
	Force      r2.Vec    // total [N]
	Moment     float64   // total, on nodes of beams or a rigid body, positive anticlockwise [N m]
	OnRigid    bool      // Moment and Field act on the rigid body Rigid, at its centre
	Rigid      int32
	Field      ForceField // per unit of Weights, nil for none
	Edges      []int32    // boundary edges
	Line       *LineLoad  // nil for none
	Pressure   float64    // [Pa], positive pushes inwards; follows the edges as they turn
	Schedule   Schedule   // nil means a constant load
	ByPosition Factor     // of Pressure, or of Line's Force, by the position; nil for 1
	Of         string     // block and key with the expression of the place, for messages
	Until      float64    // from when on there is none, as Schedule says [s]; 0 for never
}

// SurfaceContact lets contact nodes on the contactor's edges meet the opposite edges.
type SurfaceContact struct {
	Name      string     // unique; contacts act in the order of their names
	Of        string     // the contact that this one is a part of, in results; "" for none. Parts follow one another
	Contactor []int32    // boundary edges, ascending
	Opposite  []int32    // boundary edges, ascending
	Inner     [2][]int32 // bodies on either side without a boundary edge, which excavation exposes
	Law       contact.Law
	LawName   string
	// Young is the softer modulus [Pa] and Edge the finer edge [m], of beams
	// their height, of the bodies that may meet, and Suited the stiffness that
	// suits these [Pa/m]; 0 where none is known. Layer is the softer modulus of a layer that
	// is pressed [Pa], more than Young where its volume hardly changes. Where Law has Factor times that
	// stiffness, Factor is not 0.
	Young, Edge, Suitable, Layer, Factor float64
	Penetration                          Penetration // that the stiffness comes from, where rigid bodies meet
	// NodesPerElement is the number of contact nodes on an edge.
	NodesPerElement int
	Ends            bool // contact nodes at the ends of equal parts of an edge instead of their middles
	Friction        contactnodes.Friction
	Pair            *[2]int32                // materials that the contact is confined to; nil for all
	Elsewhere       []contactnodes.Elsewhere // edges that meet in other contacts instead
	TwoSided        bool                     // both surfaces carry contact nodes, the finer one carries more
	Self            bool                     // a connected component may meet itself; without, only others
	Overlap         contactnodes.Overlap
}

// Penetration is how deep rigid bodies may lie in one another where the stiffness of a contact
// comes from that; of a Share of 0 it does not.
type Penetration struct {
	Share   float64 // of the size
	Speed   float64 // of the fastest body that sets out [m/s]
	Size    float64 // of the smallest, the root of its area [m]
	Gravity float64 // acceleration of gravity [m/s2]
	Depth   float64 // at the speed of a fall from that height, or at Speed [m]
	Sink    float64 // under the weight of a body at rest [m]
	Tilt    float64 // at which such a body of as much width as height lifts an end [rad]
	// Period in which such a body rocks on the springs of its foot [s].
	Rocking float64
}

// ContactLaws are the laws of a contact: one, or of an interaction those of the
// kinds of spheres for which the step is made.
type ContactLaws struct {
	Name    string
	Points  bool // force laws
	Laws    []contact.Law
	Missing []error // why kinds that meet have none
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

// Probe is a few extra columns of the history, <name>.x and <name>.y or others.
type Probe struct {
	Name     string
	Node     int32
	Particle bool         // Node is a sphere
	Quantity string       // a name of quantity.Probe
	Region   *ProbeRegion // nil for one node or sphere
}
