package solver

import (
	"math"

	"fdem/solver/system"
)

// bounds gathers the bounds of all systems. The result is valid until the next call.
func (k *stepLimits) bounds() *system.Bounds {
	b := &k.limits
	*b = system.Bounds{}
	b.Step.Of, b.Impact.Of, b.Period.Of = math.Inf(1), math.Inf(1), math.Inf(1)
	k.clear.Follow()
	for _, k := range k.systems {
		k.Bound(b)
	}
	return b
}

// elements bounds the highest squared frequency of the bodies [1/s2].
func (k *stepLimits) elements() float64 {
	b := k.bounds()
	return b.Elements.Of
}
