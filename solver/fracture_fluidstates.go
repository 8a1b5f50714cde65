package solver

import "math"

// The state of the fluids in results.

// FluidState is the state of a Fluid at Time.
type FluidState struct {
	Name     string
	Pressure float64 // [Pa]
	Rate     float64 // [m3/s]
	Injected float64 // so far [m3]
	InCracks float64 // volume of the cracks with fluid [m3]
	Length   float64 // length of these cracks [m]
	Spilled  float64 // so far [m3]
	Reynolds float64 // greatest Reynolds number of the flow along cracks, 0 without a viscosity
	Held     float64 // total amount of fluid, with that in the well [m3]: volume without pressure
}

// FluidStates returns the states of all fluids.
func (k *results) FluidStates() (out []FluidState) {
	for _, c := range k.fluids.list {
		f := FluidState{Name: c.Name, Pressure: c.last, Injected: c.injected, Spilled: c.spilled, Held: c.amount}
		if c.Rate != nil {
			f.Rate = c.Rate(k.Time)
		}
		if c.flow != nil {
			f.Rate, f.Held = c.flow.rate, 0
			f.Reynolds, _ = c.flow.reynolds(c, k.Thickness)
			for i, of := range c.flow.amount {
				if i > 0 || c.Pressure == nil {
					f.Held += of
				}
			}
		}
		for i := range c.filled {
			for end, v := range c.filled[i].volume {
				if !math.IsNaN(v) {
					sat := k.fluids.saturation(c, c.filled[i].edge, end)
					f.Length += float64(sat * c.filled[i].area / k.Thickness)
					f.InCracks += float64(sat * max(0, v))
				}
			}
		}
		out = append(out, f)
	}
	return out
}

// saturation returns the filled fraction of the volume at an end of an
// edge.
func (k *fluids) saturation(c *cavity, edge int32, end int) float64 {
	if c.flow == nil {
		return 1
	}
	e := &k.Fracture.Edges[edge]
	cell := c.flow.cellOf[[2]int32{e.From, e.To}[end]]
	if c.flow.pressure[cell] > 0 {
		return 1
	}
	volume := k.volumeOf(c, cell)
	if !(volume > 0) {
		return 0
	}
	return min(1, max(0, c.flow.amount[cell]/volume))
}
