package solver

import "gonum.org/v1/gonum/spatial/r2"

// A hinge (pin) is a node of a beam that has the place of another node and a
// rotation of its own (mesh.Hinge). It has no mass: its beams' stands at the
// other node, which also takes all forces, and it goes where that one goes.

// addHinges moves the masses of the hinges to the nodes whose place they have.
func (k *beams) addHinges() {
	s := k.s
	for _, h := range s.Mesh.Hinges {
		s.Mass[h.Of] += s.Mass[h.Node]
		s.Mass[h.Node] = 0
	}
}

// joinHinges puts the hinges where their places are.
func (k *beams) joinHinges() {
	s := k.s
	for _, h := range s.Mesh.Hinges {
		s.X[h.Node], s.V[h.Node] = s.X[h.Of], s.V[h.Of]
	}
}

// gatherHinges hands the forces on hinges to the nodes whose place they have.
func (k *beams) gatherHinges() {
	s := k.s
	for _, h := range s.Mesh.Hinges {
		s.F[h.Of].X += s.F[h.Node].X
		s.F[h.Of].Y += s.F[h.Node].Y
		if s.damping != nil {
			d := s.Motion.Damping
			d[h.Of].X += d[h.Node].X
			d[h.Of].Y += d[h.Node].Y
			d[h.Node] = r2.Vec{}
		}
		s.F[h.Node] = r2.Vec{}
	}
}

// freeHinges gives the hinges the freedoms of the nodes whose place they have.
func (k *beams) freeHinges(f *Freedoms) {
	for _, h := range k.s.Mesh.Hinges {
		f.Moves[h.Node], f.Of[h.Node] = f.Moves[h.Of], h.Of
	}
}
