package bodies

import (
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// A hinge (pin) is a node of a beam that has the position of another node and a
// rotation of its own (mesh.Hinge). It has no mass: the mass of its beams is at the
// other node, which also takes all forces. The hinge follows the other node.

// addHinges moves the masses of the hinges to the nodes at the same positions.
func (k *Beams) addHinges() {
	for _, h := range k.Mesh.Hinges {
		k.Mass[h.Of] += k.Mass[h.Node]
		k.Mass[h.Node] = 0
	}
}

// joinHinges sets the positions and velocities of the hinges to those of their nodes.
func (k *Beams) joinHinges() {
	for _, h := range k.Mesh.Hinges {
		k.X[h.Node], k.V[h.Node] = k.X[h.Of], k.V[h.Of]
	}
}

// sumHinges transfers the forces on hinges to the nodes at the same positions.
func (k *Beams) sumHinges() {
	for _, h := range k.Mesh.Hinges {
		k.F[h.Of].X += k.F[h.Node].X
		k.F[h.Of].Y += k.F[h.Node].Y
		if d := k.Motion.Damping; d != nil {
			d[h.Of].X += d[h.Node].X
			d[h.Of].Y += d[h.Node].Y
			d[h.Node] = r2.Vec{}
		}
		k.F[h.Node] = r2.Vec{}
	}
}

// freeHinges gives the hinges the degrees of freedom of the nodes at the same
// positions.
func (k *Beams) freeHinges(f *system.Freedoms) {
	for _, h := range k.Mesh.Hinges {
		f.Moves[h.Node], f.Of[h.Node] = f.Moves[h.Of], h.Of
	}
}
