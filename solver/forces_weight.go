package solver

import (
	"fdem/solver/nodes"

	"gonum.org/v1/gonum/spatial/r2"
)

// weights returns the weights of all kinds of bodies.
func (k *kinds) weights() (all nodes.Weight) {
	for _, k := range k.systems {
		w := k.Weights()
		all.Mass, all.Moved, all.In, all.Out = all.Mass+w.Mass, r2.Add(all.Moved, w.Moved), all.In+w.In, all.Out+w.Out
	}
	return all
}
