// Package motion is the motion of a rigid body in the plane by leapfrog (central differences),
// shared by the bodies and every kind of contact.
package motion

import "gonum.org/v1/gonum/spatial/r2"

// Motion is the position and velocity of a rigid body, and the forces on it.
type Motion struct {
	Centre   r2.Vec  // [m]
	Angle    float64 // rotation since the start [rad]
	Velocity r2.Vec  // half a step behind Centre [m/s]
	Spin     float64 // half a step behind Angle [rad/s]
	Force    r2.Vec  // all forces at the last evaluation [N]
	Moment   float64 // and their moment about the centre [N m]
}

// Body is a rigid body with its inertia.
type Body struct {
	Motion
	InverseMass    float64 // 1/mass, 0 for a body that is not free [1/kg]
	InverseInertia float64 // 1/moment of inertia, 0 for a body that is not free [1/(kg m2)]
}

// Ahead returns the velocity [m/s] and spin [rad/s] at Centre, half a step of
// the given length [s] ahead of Velocity and Spin, under the forces of the last
// evaluation.
func (b *Body) Ahead(step float64) (v r2.Vec, spin float64) {
	half := float64(0.5 * step * b.InverseMass)
	v = r2.Vec{X: b.Velocity.X + float64(half*b.Force.X), Y: b.Velocity.Y + float64(half*b.Force.Y)}
	return v, b.Spin + float64(float64(0.5*step*b.InverseInertia)*b.Moment)
}

// Kick returns the square of the force over eight times the mass, plus the square of the moment
// over eight times the moment of inertia, of the last evaluation [J/s2]. It is 0 for a body
// that is not free.
func (b *Body) Kick() float64 {
	turns := float64(b.InverseInertia * b.Moment * b.Moment)
	return float64(0.125 * (float64(b.InverseMass*(float64(b.Force.X*b.Force.X)+float64(b.Force.Y*b.Force.Y))) + turns))
}

// Mobility returns the speed along the unit vector u that a unit impulse along u gives to the point
// at radius from the centre [1/kg].
func (b *Body) Mobility(radius, u r2.Vec) float64 {
	arm := float64(radius.X*u.Y) - float64(radius.Y*u.X)
	return b.InverseMass + float64(b.InverseInertia*arm*arm)
}

// Masses are the lumped masses of nodes and the directions in which nodes are held, one entry
// per node.
type Masses struct {
	Mass []float64 // 0 for nodes that move with other nodes [kg]
	Held []uint8   // HeldX and HeldY together; nodes without mass are held
}

// The directions in which a node is held.
const (
	HeldX = 1 << iota
	HeldY
)

// Inverse returns 1/mass of node n along x and along y, 0 in a direction in which
// it is held [1/kg].
func (m *Masses) Inverse(n int32) (w r2.Vec) {
	held := m.Held[n]
	if held == HeldX|HeldY {
		return w
	}
	inverse := 1 / m.Mass[n]
	if held&HeldX == 0 {
		w.X = inverse
	}
	if held&HeldY == 0 {
		w.Y = inverse
	}
	return w
}

// Velocity returns the velocity of the point at radius from a centre that moves with v and rotates
// with spin [m/s].
func Velocity(v r2.Vec, spin float64, radius r2.Vec) r2.Vec {
	return r2.Vec{X: v.X - float64(spin*radius.Y), Y: v.Y + float64(spin*radius.X)}
}
