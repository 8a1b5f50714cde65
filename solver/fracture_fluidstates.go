package solver

import (
	"math"

	"fdem/solver/flow"
)

// FluidStates returns the states of all fluids.
func (k *results) FluidStates() (out []flow.FluidState) {
	for _, c := range k.fluids.List {
		f := flow.FluidState{Name: c.Name, Pressure: c.Last, Injected: c.Injected, Spilled: c.Spilled, Held: c.Amount}
		if c.Rate != nil {
			f.Rate = c.Rate(k.Time)
		}
		if c.Flow != nil {
			f.Rate, f.Held = c.Flow.Rate, 0
			f.Reynolds, _ = c.Flow.Reynolds(c, k.Thickness)
			for i, of := range c.Flow.Amount {
				if i > 0 || c.Pressure == nil {
					f.Held += of
				}
			}
		}
		for i := range c.Filled {
			for end, v := range c.Filled[i].Volume {
				if !math.IsNaN(v) {
					sat := k.fluids.Saturation(c, c.Filled[i].Edge, end)
					f.Length += float64(sat * c.Filled[i].Area / k.Thickness)
					f.InCracks += float64(sat * max(0, v))
				}
			}
		}
		out = append(out, f)
	}
	return out
}
