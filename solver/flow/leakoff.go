package flow

import (
	"math"
	"slices"

	"fdem/solver/nodes"

	"gonum.org/v1/gonum/spatial/r2"
)

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
		e := &k.Fracture.Edges[c.Filled[filled].edge]
		n.leak[n.cellOf[[2]int32{e.From, e.To}[end]]] += volume
	})
}

// Porous are the pores beside a fluid in cracks.
type Porous interface {
	// Face returns how much fluid a node takes up per pressure [m3/Pa], 0 if none, its pressure [Pa], and
	// its coefficient of Carter's law per pressure, k/(mu sqrt(pi c)) [m/(Pa s^0.5)].
	Face(node int32) (storage, pressure, carter float64)
	// Take gives a node a volume of fluid, by volume without pressure [m3].
	Take(node int32, volume float64)
}

// soaking is leak-off into pores. A node of a face at which fluid is has the pressure of the fluid: it
// takes up its storage times the difference. But a node stands for half an edge of rock, and the
// pressure falls over sqrt(c t) from the face. Until that is as much as its half edge, the flow is that
// into a half space, whose pressure was p0 when fluid came at t0,
//
//	2 k/(mu sqrt(pi c)) (p - p0) (sqrt(t + dt - t0) - sqrt(t - t0))   per area (Carter),
//
// which fills the node. Both are linear in p, and so a part of the system of the pressures in cracks.
type soaking struct {
	pores       Porous
	wetted, dry []float64 // per node: time at which fluid reached it, NaN before, -1 once it is full [s]; its pressure then [Pa]
	area        []float64 // per node: of its faces with fluid; zero between uses [m2]
	list        []soaked  // of the fluid at hand
}

// soaked is a node that takes up fluid: rate (p - base) in a step.
type soaked struct {
	node, cell int32
	rate, base float64 // [m3/Pa], [Pa]
	carter     bool    // by Carter's law
	full       bool    // no longer, after the step
	storage    float64 // [m3/Pa]
	pressure   float64 // of its pores [Pa]
	volume     float64 // [m3]
}

// leakInto makes those fluids that do leak into pores.
func (k *Fluids) leakInto(pores Porous) {
	if k.Model.Pores == nil {
		return
	}
	for _, c := range k.List {
		if c.Soaks = c.Soaks && c.Flow != nil; c.Soaks && k.soak == nil {
			n := len(k.X)
			k.soak = &soaking{pores: pores, wetted: slices.Repeat([]float64{math.NaN()}, n), dry: make([]float64, n), area: make([]float64, n)}
		}
	}
}

// findSoaking finds what the nodes beside a fluid take up in the next step, of length dt.
func (k *Fluids) findSoaking(c *cavity, dt float64) {
	n, s := c.Flow, k.soak
	s.list = s.list[:0]
	enter := func(node int32, area float64) {
		if s.area[node] == 0 && area > 0 {
			s.list = append(s.list, soaked{node: node})
		}
		s.area[node] += area
	}
	c.wall.eachLink(k.Mesh, func(a, b int32) {
		d := r2.Sub(k.Mesh.X[b], k.Mesh.X[a])
		half := 0.5 * k.Thickness * math.Sqrt(float64(d.X*d.X)+float64(d.Y*d.Y))
		enter(a, half)
		enter(b, half)
	})
	for i := range c.Filled {
		f, ch := &c.Filled[i], &n.faces[i]
		for end, v := range f.Volume {
			if !math.IsNaN(v) {
				enter(ch.Nodes[end], f.Area)
				enter(ch.Nodes[2+end], f.Area)
			}
		}
	}
	slices.SortFunc(s.list, func(p, q soaked) int { return int(p.node) - int(q.node) })
	clear(n.leak)
	clear(n.soaks)
	for i := range s.list {
		of := &s.list[i]
		of.cell = n.cellOf[k.VertexOf(nodes.Node(of.node))]
		k.findSoaked(of, dt)
		s.area[of.node] = 0
		n.soaks[of.cell] += of.rate
		n.leak[of.cell] -= float64(of.rate * of.base)
	}
}

// findSoaked finds what a node takes up.
func (k *Fluids) findSoaked(of *soaked, dt float64) {
	s := k.soak
	storage, pressure, carter := s.pores.Face(of.node)
	of.storage, of.pressure = storage, pressure
	t0 := s.wetted[of.node]
	if math.IsNaN(t0) {
		t0 = k.Time
		s.wetted[of.node], s.dry[of.node] = t0, pressure
	}
	if of.carter = t0 >= 0 && storage > 0; !of.carter {
		of.rate, of.base = storage, pressure
		return
	}
	t := k.Time - t0
	of.rate = float64(float64(2*carter*s.area[of.node]) * (math.Sqrt(t+dt) - math.Sqrt(t)))
	of.base = s.dry[of.node]
}

// settle sets what nodes take up at the pressures of cells, and finds which are full then.
func (s *soaking) settle(n *network, p []float64) {
	for i := range s.list {
		of := &s.list[i]
		at := max(0, p[of.cell])
		of.volume = float64(of.rate * (at - of.base))
		of.full = of.carter && at > of.base && of.volume >= float64(of.storage*(at-of.pressure))
	}
	n.soaking = append(n.soaking[:0], s.list...)
}

// soakFor sets what leaks from the cells of a fluid in a step of length dt, by the pressures that were
// found for one of the last length.
func (k *Fluids) soakFor(c *cavity, dt float64) {
	n, factor := c.Flow, 1.0
	if k.Last > 0 {
		factor = dt / k.Last
	} else { // the first step
		k.findSoaking(c, dt)
		k.soak.settle(n, n.pressure)
	}
	clear(n.leak)
	for i := range n.soaking {
		of := &n.soaking[i]
		of.volume = float64(of.volume * factor)
		n.leak[of.cell] += of.volume
	}
	copy(n.meant, n.leak)
}

// take gives the pores what has leaked from the cells of a fluid.
func (k *Fluids) take(c *cavity) {
	if !c.Soaks {
		return
	}
	n := c.Flow
	for i := range n.soaking {
		of := &n.soaking[i]
		v := of.volume
		if meant := n.meant[of.cell]; n.leak[of.cell] != meant { // a cell gives no more than it has
			v = float64(v * (n.leak[of.cell] / meant))
		}
		k.soak.pores.Take(of.node, v)
		if of.full {
			k.soak.wetted[of.node] = -1
		}
	}
}
