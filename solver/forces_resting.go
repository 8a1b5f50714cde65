package solver

import (
	ofrest "fdem/solver/rest"
)

// Resting returns what starts in equilibrium.
func (k *kinds) Resting() ofrest.Resting { return k.settle.Resting }
