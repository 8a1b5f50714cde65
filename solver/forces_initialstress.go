package solver

import (
	"fdem/solver/forces"
)

// Unbalanced returns the imbalance of initial stress, supports, loads and weight at the
// start. Without imbalance a run begins at rest. In a static analysis loads and weight
// that grow from zero are not included. ok is false without an initial stress.
func (s *kinds) Unbalanced() (u forces.Unbalance, ok bool) {
	return s.stressed.Unbalanced, len(s.stressed.InitialStresses) > 0
}
