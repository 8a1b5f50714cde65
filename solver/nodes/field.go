// Package nodes is the nodal field: positions, velocities, forces and lumped masses of
// the nodes of a model, held directions (Dirichlet conditions), and the nodes into which
// cracks have split a vertex of the mesh. It is the single owner of the nodes. A kind of
// body or force reads and changes nodes through it, so that it is independent of other
// kinds and of the splitting of vertices.
package nodes

import (
	"fdem/contactnodes/motion"
	"fdem/fem"
	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// Vertex is the number of a node in the mesh as read. Cracks split a vertex into
// several nodes.
type Vertex int32

// Node is a position in the arrays of the field. The first node of a vertex has
// the vertex's number.
type Node int32

// Clock is the time of the field.
type Clock struct {
	N    int64   // number of steps done
	Time float64 // [s]
	Last float64 // length of the step that led here [s]; 0 at the start
}

// State is the positions and velocities of the nodes. It includes nodes without mass,
// which follow the bodies that carry them.
type State struct {
	X     []r2.Vec  // positions at Time [m]
	V     []r2.Vec  // velocities at Time - Last/2 [m/s]
	Theta []float64 // rotations of nodes at Time [rad]; nil if no node can rotate
	Spin  []float64 // angular velocities of nodes at Time - Last/2 [rad/s]
}

// Field is the nodes of a model. All arrays have an entry per node.
type Field struct {
	Clock
	State
	motion.Masses             // lumped masses, 0 for nodes of faces and of rigid bodies, and the directions in which nodes are held
	InverseInertias []float64 // 1/inertia, 0 for a node that does not rotate [1/(kg m2)]; nil if no node can rotate
	F               []r2.Vec  // forces at Time without damping and weight, which the nodes' update adds; Force has all [N]
	Clamped         []float64 // 1/inertia of the body to which a node is clamped, 0 for other nodes [1/(kg m2)]; nil if no node is clamped
	Implicit        []bool    // per vertex: a force at Time depends on the velocity or acceleration that it causes; nil if there is no such force
	Moment          []float64 // all moments at Time [N m]; nil if no node can rotate
	Meshed          int       // number of nodes of elements; those of beams' faces and of rigid bodies follow

	Motion   fem.Leapfrog // the same arrays with damping and gravity, for the kernels
	Followed []fem.Span   // nodes of other processes whose forces this process gets, and which it also moves
	Given    float64      // power of damping at Time on the velocities before, for moments and for velocities changed by Replaced [W]

	mesh       *mesh.Mesh
	elements   *fem.Triangles
	driven     []uint8 // per vertex: directions with a prescribed motion; nil if there are none
	ahead      func(n Node, v r2.Vec) r2.Vec
	drivenSpin func(n Node) float64
	ready      func()
	released   func(n Node, directions uint8, mass float64)
	sums       sums
	Listed     elementary.Tree // for sums over nodes in a list, one after the other
	splitting
}

// New returns the nodes of a mesh, at rest, with the masses of its triangles. The field
// keeps the mesh.
func New(m *mesh.Mesh, elements *fem.Triangles) *Field {
	count := len(m.X)
	f := &Field{mesh: m, elements: elements, Meshed: count}
	f.X, f.F, f.V = offsetVectors(0, count), offsetVectors(1, count), offsetVectors(2, count)
	copy(f.X, m.X)
	for i := range m.Bodies {
		if b := &m.Bodies[i]; b.Kind == mesh.OfOutline {
			f.Meshed = int(b.Nodes[0])
			break
		}
	}
	if len(m.Faces) > 0 {
		f.Meshed = int(m.FirstFace)
	}
	f.Masses = motion.Masses{Mass: elements.Masses(), Held: make([]uint8, count)}
	f.sums = sums{
		doShare: f.sumLeaves, doNodes: f.addNodes,
		doKinetic: f.addKinetic, doStepMotion: f.addStepMotion, doWeight: f.addWeight, doPower: f.addPower, doPowers: f.addPowers,
	}
	f.Motion = fem.Leapfrog{X: f.X, V: f.V, F: f.F, Mass: f.Mass, Held: f.Held, End: int32(f.Meshed)}
	return f
}

// offsetVectors returns a vector per node. Each array begins at another offset within a
// page of memory: the kernels read the position and write the force of one
// node, and with the same offset a processor would take the two addresses for
// the same and wait (4K aliasing).
func offsetVectors(number, nodes int) []r2.Vec {
	skip := 80 * number
	return make([]r2.Vec, skip+nodes)[skip : skip+nodes : skip+nodes]
}

// AddRotations makes room for the rotations of nodes.
func (f *Field) AddRotations() {
	n := len(f.X)
	f.InverseInertias, f.Moment, f.Theta, f.Spin = make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
}

// Damp makes room for damping forces, with a factor on the masses [1/s].
func (f *Field) Damp(alpha float64) {
	f.Motion.Alpha, f.Motion.Damping = alpha, offsetVectors(3, len(f.X))
	f.Motion.Powers = make([]fem.Power, fem.Groups(f.Meshed))
}

// InUse yields the ranges [from, to) of all nodes that can have mass, ascending. The
// others are room for nodes that cracks add.
func (f *Field) InUse(yield func(from, to int32) bool) { f.elements.InUse(yield) }

// Force returns the force on a node at Time with damping and weight [N].
func (f *Field) Force(n Node) r2.Vec { return f.Motion.Force(int(n)) }

// Velocities fills v, one per node, with the velocities at Time [m/s].
func (f *Field) Velocities(v []r2.Vec) {
	for i := range v {
		v[i] = f.NodeVelocity(Node(i))
	}
}

// NodeVelocity returns the velocity of a node at Time [m/s].
func (f *Field) NodeVelocity(n Node) r2.Vec {
	i := f.mesh.PositionNode(int32(n))
	v, g, w := f.V[i], f.Motion.Force(int(i)), f.Inverse(i)
	half := 0.5 * f.Last
	v = r2.Vec{X: v.X + float64(half*w.X*g.X), Y: v.Y + float64(half*w.Y*g.Y)}
	if f.ahead != nil && int(i) < f.Meshed {
		return f.ahead(Node(i), v)
	}
	return v
}

// NodeSpin returns the angular velocity of a node that can rotate, at Time
// [rad/s].
func (f *Field) NodeSpin(n Node) float64 {
	if f.drivenSpin != nil && f.driven[n]&rotationHeld != 0 {
		return f.drivenSpin(n)
	}
	return f.Spin[n] + float64(float64(0.5*f.Last*f.InverseInertias[n])*f.Moment[n])
}
