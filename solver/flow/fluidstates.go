package flow

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
	Leaked   float64 // so far, into the faces of cracks [m3]
	Leaks    bool    // it may leak
	Reynolds float64 // greatest Reynolds number of the flow along cracks, 0 without a viscosity
	Held     float64 // total amount of fluid, with that in the well [m3]: volume without pressure
}

// saturation returns the filled fraction of the volume at an end of an
// edge.
func (k *Fluids) saturation(c *cavity, edge int32, end int) float64 {
	if c.Flow == nil {
		return 1
	}
	e := &k.Fracture.Edges[edge]
	cell := c.Flow.cellOf[[2]int32{e.From, e.To}[end]]
	if c.Flow.pressure[cell] > 0 {
		return 1
	}
	volume := k.volumeOf(c, cell)
	if !(volume > 0) {
		return 0
	}
	return min(1, max(0, c.Flow.amount[cell]/volume))
}
