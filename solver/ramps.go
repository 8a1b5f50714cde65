package solver

import (
	"math"

	"fdem/contactnodes"
	"fdem/solver/contacts"
)

// NextRampEnd returns the end [s] of the next of parts equal intervals of the ramps by which
// overlaps are ramped in, if they are more than rounding, and preloads are released. It returns infinity if
// no ramp is active at Time.
func (s *Solver) NextRampEnd(parts int) float64 {
	end := math.Inf(1)
	within := func(ramp float64) {
		const rounding = 1e-9
		if done := math.Floor(float64(s.Time/ramp*float64(parts)) + rounding); done < float64(parts) {
			end = min(end, (done+1)/float64(parts)*ramp)
		}
	}
	for _, c := range s.Surfaces {
		if c.Overlap.Mode == contactnodes.OverlapAllow && c.GreatestOffset() > contacts.CoordinateRounding*s.Outlines.Shallow {
			within(c.Overlap.Ramp)
		}
	}
	if s.preload.Any {
		within(s.preload.Ramp)
	}
	return end
}

// ramping returns the greatest speed of an overlap that is ramped in [m/s].
func (k *energyBalance) ramping() float64 {
	fastest := 0.0
	for _, c := range k.Surfaces {
		if c.Overlap.Mode != contactnodes.OverlapAllow || k.Time > c.Overlap.Ramp {
			continue
		}
		fastest = max(fastest, c.GreatestOffset()/c.Overlap.Ramp)
	}
	return fastest
}
