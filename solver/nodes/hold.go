package nodes

import (
	"fdem/contactnodes/motion"

	"gonum.org/v1/gonum/spatial/r2"
)

// rotationHeld is the bit of a driven rotation beside motion.HeldX and motion.HeldY.
const rotationHeld = 4

// Directions returns held directions in the form of motion.Masses.
func Directions(x, y bool) (b uint8) {
	if x {
		b |= motion.HeldX
	}
	if y {
		b |= motion.HeldY
	}
	return b
}

// Hold holds a vertex in some directions and, if it can rotate, its rotation
// (Dirichlet condition). Its inverse mass is zero there.
func (f *Field) Hold(v Vertex, x, y, rotation bool) {
	f.Held[v] |= Directions(x, y)
	if rotation {
		f.InverseInertias[v] = 0
	}
}

// HoldMassless holds the nodes without mass. All masses must be known.
func (f *Field) HoldMassless() {
	for i, m := range f.Mass {
		if !(m > 0) {
			f.Held[i] = motion.HeldX | motion.HeldY
		}
	}
}

// Drive holds a vertex for a prescribed motion, which sets its velocity.
func (f *Field) Drive(v Vertex, x, y, rotation bool) {
	if f.driven == nil {
		f.driven = make([]uint8, len(f.X))
	}
	f.driven[v] |= Directions(x, y)
	if rotation {
		f.driven[v] |= rotationHeld
	}
	f.Hold(v, x, y, rotation)
}

// Driven tells which directions of a vertex and whether its rotation are driven.
func (f *Field) Driven(v Vertex) (x, y, rotation bool) {
	if f.driven == nil {
		return false, false, false
	}
	b := f.driven[v]
	return b&motion.HeldX != 0, b&motion.HeldY != 0, b&rotationHeld != 0
}

// HoldSide holds a node of a vertex that has split in some of the directions in which supports of
// its sides hold the vertex, in the form of motion.Masses, and releases it in the others. mass is the
// mass of the node after the split [kg].
func (f *Field) HoldSide(n Node, of, held uint8, mass float64) {
	was := f.Held[n] & of
	if f.released != nil {
		f.released(n, was&^held, mass)
		f.released(n, held&^was, -mass)
	}
	f.Held[n] = f.Held[n]&^of | held&of
}

// Ahead sets functions for the prescribed motion at Time. velocity returns v with its
// driven directions replaced [m/s]. spin returns the angular velocity of a node whose
// rotation is driven [rad/s]. After ready several workers may call them for that time. released is
// called when a split releases a mass of a node in some directions, negative if it is held again.
func (f *Field) Ahead(velocity func(n Node, v r2.Vec) r2.Vec, spin func(n Node) float64, ready func(), released func(n Node, directions uint8, mass float64)) {
	f.ahead, f.drivenSpin, f.ready, f.released = velocity, spin, ready, released
}

// Replaced corrects the ledger of damping after a prescribed motion has changed a node's
// velocity. before is the velocity that the forces at Time have used.
func (f *Field) Replaced(n Node, before r2.Vec) {
	if f.Motion.Damping == nil {
		return
	}
	g, v := f.Motion.Damping[n], f.V[n]
	f.Given += float64(g.X*(before.X-v.X)) + float64(g.Y*(before.Y-v.Y))
}

// StopHeld sets the velocities to zero that are held and not driven.
func (f *Field) StopHeld() {
	for i, m := range f.Mass {
		if m == 0 {
			continue
		}
		x, y, _ := f.Driven(f.VertexOf(Node(i)))
		w := f.Inverse(int32(i))
		if w.X == 0 && !x {
			f.V[i].X = 0
		}
		if w.Y == 0 && !y {
			f.V[i].Y = 0
		}
	}
	for n := range f.Spin {
		if _, _, driven := f.Driven(Vertex(n)); f.InverseInertias[n] == 0 && !driven {
			f.Spin[n] = 0
		}
	}
}
