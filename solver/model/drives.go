package model

import (
	"gonum.org/v1/gonum/spatial/r2"
)

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
