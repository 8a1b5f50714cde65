package flow

import "math"

// Leak-off of a viscous fluid from cracks into the rock, by Carter's law (Howard and Fast, 1957): a face that
// fluid reached at time t0 has taken up a volume per area of
//
//	spurt + 2 C sqrt(t - t0),
//
// whatever the pressure. A cell loses no more than it has. What leaks takes its energy along.

// leaks tells whether a fluid leaks off.
func (c *cavity) leaks() bool { return c.Carter > 0 || c.Spurt > 0 }

// eachLeak calls the function with every end of an edge with fluid and the volume that leaks there
// through both faces from one time to another [m3].
func (c *cavity) eachLeak(from, to float64, do func(filled, end int, volume float64)) {
	if !c.leaks() || !(to > from) {
		return
	}
	for i := range c.Filled {
		f := &c.Filled[i]
		for end, v := range f.Volume {
			if math.IsNaN(v) {
				continue
			}
			depth := float64(2 * c.Carter * (math.Sqrt(max(0, to-f.since[end])) - math.Sqrt(max(0, from-f.since[end]))))
			if from <= f.since[end] {
				depth += c.Spurt
			}
			do(i, end, 2*f.Area*depth)
		}
	}
}

// findLeaks sets the volumes that leak from the cells of a viscous fluid from one time to another [m3].
func (k *Fluids) findLeaks(c *cavity, from, to float64) {
	n := c.Flow
	clear(n.leak)
	c.eachLeak(from, to, func(filled, end int, volume float64) {
		e := &k.Fracture.Edges[c.Filled[filled].Edge]
		n.leak[n.cellOf[[2]int32{e.From, e.To}[end]]] += volume
	})
}
