package system

import (
	"fdem/contactnodes/motion"

	"gonum.org/v1/gonum/spatial/r2"
)

// RigidState is the state of the rigid bodies.
type RigidState struct {
	RigidMotions []RigidMotion
	RigidPulls   []r2.Vec // force on each free body without contact, at the last evaluation [N]
}

// RigidMotion is the position and motion of a rigid body.
type RigidMotion = motion.Motion
