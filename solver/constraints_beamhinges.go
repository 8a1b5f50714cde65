package solver

import "gonum.org/v1/gonum/spatial/r2"

// A hinge (pin) is a node of a beam that has the position of another node and a
// rotation of its own (mesh.Hinge). It has no mass: its beams' stands at the
// other node, which also takes all forces, and it goes where that one goes.

// addHinges moves the masses of the hinges to the nodes at whose positions they are.
func (k *beams) addHinges() {
	for _, h := range k.Mesh.Hinges {
		k.Mass[h.Of] += k.Mass[h.Node]
		k.Mass[h.Node] = 0
	}
}

// joinHinges sets the positions and velocities of the hinges to those of their nodes.
func (k *beams) joinHinges() {
	for _, h := range k.Mesh.Hinges {
		k.X[h.Node], k.V[h.Node] = k.X[h.Of], k.V[h.Of]
	}
}

// sumHinges moves the forces on hinges to the nodes at whose positions they are.
func (k *beams) sumHinges() {
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

// freeHinges gives the hinges the freedoms of the nodes at whose positions they are.
func (k *beams) freeHinges(f *Freedoms) {
	for _, h := range k.Mesh.Hinges {
		f.Moves[h.Node], f.Of[h.Node] = f.Moves[h.Of], h.Of
	}
}
