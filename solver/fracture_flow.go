package solver

import (
	"cmp"
	"math"
	"slices"

	"fdem/solver/flow"
)

// FluidIn returns the state of the fluid in an edge of Fracture.
func (s *results) FluidIn(edge int32) (of flow.CrackFluid) {
	k := s.fluids
	for _, c := range k.List {
		i, there := slices.BinarySearchFunc(c.Filled, edge, func(f flow.Filled, e int32) int { return cmp.Compare(f.Edge, e) })
		if !there {
			continue
		}
		of.Aperture = k.Residual(c, edge)
		for end, v := range c.Filled[i].Volume {
			if !math.IsNaN(v) {
				of.Saturation += float64(0.5 * k.Saturation(c, edge, end))
			}
		}
		if n := c.Flow; n != nil {
			if j, there := slices.BinarySearchFunc(n.Channels, int32(i), func(ch flow.Channel, f int32) int { return cmp.Compare(ch.Filled, f) }); there {
				of.Flow = n.Channels[j].Flux
			}
		}
	}
	if ch, ok := k.Zone.Channel(edge, s.X); ok {
		of.Aperture += float64(0.5 * (max(0, ch.Aperture[0]) + max(0, ch.Aperture[1])))
	}
	return of
}
