package solver

import (
	"math"

	"fdem/solver/contacts"
	"fdem/solver/system"
)

// NearLimit returns the longest step with which bodies may come into contact at their present
// speeds [s]. While they are far apart, steps are longer.
func (k *stepLimits) NearLimit() float64 {
	limit := math.Inf(1)
	if k.clear.Spans != nil {
		limit = min(k.rigids.FirstStep, contacts.MaxApproach*k.Tracked.Shallow/k.Tracked.ApproachSpeed())
	}
	for k := range system.All[system.Approaching](k.kinds.systems) {
		limit = min(limit, k.NearLimit())
	}
	return limit
}
