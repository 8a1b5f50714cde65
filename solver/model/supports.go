package model

import (
	"fdem/fem/mortar"

	"gonum.org/v1/gonum/spatial/r2"
)

// When says from when to when something is there during a run. Springs, bolts, beams, ties, clamps,
// supports and loads have it.
type When struct {
	From  float64                     // when it is installed, without load in the positions of that moment [s]
	Until float64                     // when it begins to be taken out [s]; 0 for never
	Fade  func(since float64) float64 // factor of its forces as a function of the time since Until, from 1 to 0
}

// Staged tells whether it comes or goes during the run.
func (w *When) Staged() bool { return w.From > 0 || w.Until > 0 }

// Share returns the part of it that is there at a time: 0 before From, then what remains.
func (w *When) Share(time float64) float64 {
	if time < w.From {
		return 0
	}
	return w.Remaining(time)
}

// Remaining returns the part of it that is left at a time: 1 until Until, then by its fade.
func (w *When) Remaining(time float64) float64 {
	if w.Until > 0 && time > w.Until {
		return w.Fade(time - w.Until)
	}
	return 1
}

// Lining is a body of beams on nodes of its own along a wall of bodies of triangles, with an interface
// between the two.
type Lining struct {
	Name  string // of the body of beams
	Body  int32  // its index
	When         // from when on the interface can slip and open; before, it carries the beams' mass
	Bonds []Bond
	Interface
}

// Interface is the law between a lining and the wall.
type Interface struct {
	Normal, Shear float64 // stiffness [Pa/m]
	Friction      float64
	Cohesion      float64 // shear strength of the bond without pressure [Pa]; +Inf if it holds whatever comes
	Tension       float64 // tensile strength of the bond [Pa]; +Inf if it holds whatever comes
}

// Bond is the interface at one node of a lining.
type Bond struct {
	Node   int32   // of the beams
	Wall   End     // the node of the wall
	Area   float64 // of the interface that belongs to the node [m2]
	Normal r2.Vec  // towards the wall at the start
	Least  float64 // least mass of the node of the wall, when all around it that may leave has left [kg]
}

// Drives are prescribed motions (inhomogeneous Dirichlet conditions, displacement or velocity
// control). Nodes follow a given motion in time with whatever force it needs. A driven direction
// has no inverse mass, like a fixed one. Before the nodes move, a drive gives them the velocity
// that leads to their position at the end of the step, so damping, contact and friction use its
// motion.

// Drive moves nodes together: by a displacement, and if Rotates by a rotation about a centre that
// moves with the displacement.
type Drive struct {
	On       string
	Name     string // name of its reaction; fixes and drives of one name have one reaction together
	About    r2.Vec // reference point of the reaction's moment [m]
	Nodes    []int32
	Corners  Corners             // at each of Nodes: if it splits, only the nodes with these are driven
	X, Y     bool                // driven directions
	Rotation bool                // beam nodes rotate by the angle
	Rotates  bool                // the positions rotate by the angle about Centre
	Centre   r2.Vec              // at the start [m]
	Motion   [3]PrescribedMotion // displacement along x and y, and the angle
	Breaks   []float64           // times at which a velocity is not smooth, ascending [s]
}

// PrescribedMotion is a displacement [m] or an angle [rad] in time; the zero value is 0.
type PrescribedMotion struct {
	At   Schedule // nil for 0
	Rate bool     // At is its rate [m/s], [rad/s]
}

// Ties connect two lines of edges that do not share nodes (package mortar). In dynamics
// the constraints hold exactly: before the nodes move, constraint forces make the
// accelerations of both sides agree. So no energy is stored, steps stay as long, and
// momentum is conserved. A static analysis uses a stiff penalty.

// Tie connects the edges On to the edges To.
type Tie struct {
	Name     string
	On, To   []int32 // boundary edges
	Rows     []mortar.Constraint
	Spread   []float64 // per row, see mortar.Found
	Young    float64   // of the stiffer side [Pa]
	Gap      float64   // greatest gap at the start [m]
	Unshared float64   // part of On's length that lies opposite no edge of To [1]
	Within   float64   // greatest gap that a tie that is installed during a run may find [m]; 0 for the usual one
	When               // in motion; with From it keeps the positions that it finds, and Rows and Spread are nil
}

// MarkTied marks the edges of ties that are there all the time, each tie by a bit. Edges of one tie are not in
// contact with each other, nor with the edges next to them, just like edges that share
// a node.
func (m *Model) MarkTied(mark func(edge int32, bit uint64)) {
	for i := range m.Ties {
		if m.Ties[i].Staged() {
			continue
		}
		for _, side := range [2][]int32{m.Ties[i].On, m.Ties[i].To} {
			for _, e := range side {
				for _, n := range [3]int32{e, m.Mesh.Edges[e].Prev, m.Mesh.Edges[e].Next} {
					if n >= 0 {
						mark(n, 1<<i)
					}
				}
			}
		}
	}
}
