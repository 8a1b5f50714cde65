package bodies

import (
	"math"

	"fdem/solver/system"
)

// StepGrowth is the greatest growth from one step to the next.
const StepGrowth = 1.005

// ImpactStep returns the longest step with which the present impacts conserve
// the energy, see contactnodes.Prediction.
func (k *ContactState) ImpactStep() float64 {
	loss := 0.0
	for _, c := range k.Surfaces {
		loss += c.ImpactLoss
	}
	for _, c := range k.Volumes {
		loss += c.ImpactLoss
	}
	if loss == 0 {
		return math.Inf(1)
	}
	return math.Sqrt(12 * system.MaxContactLoss / loss)
}
