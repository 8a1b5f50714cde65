package nodes

import (
	"fdem/contactnodes/motion"

	"gonum.org/v1/gonum/spatial/r2"
)

// rotationHeld is the bit of a driven rotation beside motion.HeldX and motion.HeldY.
const rotationHeld = 4

// bits returns directions as motion.Masses has them.
func bits(x, y bool) (b uint8) {
	if x {
		b |= motion.HeldX
	}
	if y {
		b |= motion.HeldY
	}
	return b
}

// Hold holds a vertex in directions and, where it turns, from turning (Dirichlet
// condition), as if its mass had no inverse there.
func (f *Field) Hold(v Vertex, x, y, rotation bool) {
	f.Held[v] |= bits(x, y)
	if rotation {
		f.InverseInertias[v] = 0
	}
}

// HoldMassless holds the nodes without mass, when all masses are known.
func (f *Field) HoldMassless() {
	for i, m := range f.Mass {
		if !(m > 0) {
			f.Held[i] = motion.HeldX | motion.HeldY
		}
	}
}

// Drive holds a vertex for a prescribed motion, which gives it its velocity.
func (f *Field) Drive(v Vertex, x, y, rotation bool) {
	if f.driven == nil {
		f.driven = make([]uint8, len(f.X))
	}
	f.driven[v] |= bits(x, y)
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

// Ahead lets functions say how what is driven moves at Time: velocity returns v with its
// driven directions replaced [m/s], spin the angular velocity of a node whose rotation is
// driven [rad/s]. Several workers may ask after ready at that time.
func (f *Field) Ahead(velocity func(n Node, v r2.Vec) r2.Vec, spin func(n Node) float64, ready func()) {
	f.ahead, f.drivenSpin, f.ready = velocity, spin, ready
}

// Replaced keeps in the ledger of damping that a prescribed motion has given a node another
// velocity than the forces at Time have found, the one before.
func (f *Field) Replaced(n Node, before r2.Vec) {
	if f.Motion.Damping == nil {
		return
	}
	g, v := f.Motion.Damping[n], f.V[n]
	f.Given += float64(g.X*(before.X-v.X)) + float64(g.Y*(before.Y-v.Y))
}

// StopHeld stops what is held and not driven.
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
