package flow

import (
	"fmt"
	"math"
	"slices"

	"fdem/fem/fracture"
	"fdem/solver/cholesky"
)

// The cells and channels of a viscous liquid (flow.go): which vertices have fluid, which
// edges connect them, their volumes, and their update as cracks open.

// network is the network in which a viscous fluid flows. Arrays have one value per cell, the well
// first.
type network struct {
	vertices []int32 // vertex of each cell, ascending; -1 for the well
	cellOf   []int32 // cell of each vertex of the mesh; -1 for none
	amount   []float64
	pressure []float64 // at the last evaluation [Pa]
	before   []float64 // pressure at which the amount was found [Pa]
	wider    []float64 // growth of the volume over the last step [m3]
	vented   []bool    // open to the air
	tips     []bool    // a crack ends there
	widest   []float64 // greatest aperture of the edges there [m]

	channels  []channel
	meets     []int32            // per cell: the channels that end there
	faces     []fracture.Channel // channels of the filled edges
	ends      []endAt            // ends of filled edges, sorted by cell
	from      []int32            // per cell: its first entry in ends
	changed   bool               // the filled edges have changed since arrange
	full      bool               // joints are full at the start of the run
	warned    bool               // the user has been warned that pressures did not converge
	turbulent bool               // the user has been warned that the flow was turbulent
	flows     float64            // Reynolds number, mean over about the last hundred steps
	vents     []int32            // vertices open to the air

	graph                               cholesky.Graph
	free, beta, source, diagonal, right []float64
	leak                                []float64 // per cell: what leaks in a step, without the pressure in soaks [m3]
	meant                               []float64 // per cell: what pores would take in the step [m3]
	soaking                             []soaked  // nodes beside the fluid
	soaks                               []float64 // per cell: what leaks into pores per pressure [m3/Pa]
	filled                              []bool

	Rate                           float64 // injection into the well [m3/s]
	given, viscous, steps, escaped float64 // energies [J]
}

// endAt is an end of an edge with fluid, by its number in filled.
type endAt struct{ filled, end int32 }

// channel is an edge between two cells.
type channel struct {
	Filled int32      // its index in filled
	a, b   int32      // cells
	t      float64    // conductance in use
	into   [2]float64 // conductances for flow into a and for flow into b [m3/(s Pa)]
	flux   float64    // from a to b [m3/s]
}

// newNetwork makes the network of a fluid with only the cell of its well.
func newNetwork(c *cavity, vertices int) *network {
	n := &network{cellOf: make([]int32, vertices), changed: true}
	for i := range n.cellOf {
		n.cellOf[i] = -1
	}
	for _, v := range c.wall.vertices {
		n.cellOf[v] = 0
	}
	n.grow(1)
	n.vertices[0] = -1
	n.amount[0], n.pressure[0] = c.amount, c.Start
	return n
}

// grow extends the arrays to a number of cells.
func (n *network) grow(cells int) {
	n.vertices, n.wider = resized(n.vertices, cells), resized(n.wider, cells)
	for _, of := range []*[]float64{&n.amount, &n.pressure, &n.before, &n.free, &n.beta, &n.source, &n.leak, &n.soaks, &n.meant, &n.widest, &n.diagonal, &n.right} {
		*of = resized(*of, cells)
	}
	for _, of := range []*[]bool{&n.vented, &n.tips, &n.filled} {
		*of = resized(*of, cells)
	}
}

// resized returns a slice of the given length; new elements are zero.
func resized[T any](s []T, size int) []T {
	old := len(s)
	s = slices.Grow(s, max(0, size-old))[:size]
	if size > old {
		clear(s[old:])
	}
	return s
}

// follow updates the volumes of the well and of cracks with fluid after a step. Fluid is spilled
// between faces that became detached, or whose contact was transferred.
func (k *Fluids) follow(c *cavity) {
	n := c.Flow
	clear(n.wider)
	n.wider[0] = k.updateWellVolume(c)
	left := k.followFaces(c, func(vertex int32, share, was, grown, gone float64) {
		i := n.cellOf[vertex]
		n.give(c, i, float64(0.5*n.pressure[i]*gone))
		if share < 1 && was > 0 {
			n.discard(c, i, float64((1-share)*was)/k.volumeOf(c, i))
		}
		n.wider[i] += grown
	})
	n.changed = n.changed || left
}

// volumeOf returns the volume of a cell [m3].
func (k *Fluids) volumeOf(c *cavity, cell int32) (volume float64) {
	if cell == 0 {
		volume = c.wellVolume
	}
	for i := range c.Filled {
		f := &c.Filled[i]
		e := &k.Fracture.Edges[f.edge]
		for end, v := range [2]int32{e.From, e.To} {
			if !math.IsNaN(f.Volume[end]) && c.Flow.cellOf[v] == cell {
				volume += f.Volume[end]
			}
		}
	}
	return volume
}

// discard removes a share of the fluid in a cell.
func (n *network) discard(c *cavity, cell int32, share float64) {
	share = min(1, max(0, share))
	out := float64(share * n.amount[cell])
	e, _, _ := c.compressed(n.pressure[cell])
	n.amount[cell] -= out
	n.escaped += float64(out * e)
	c.spilled += out
}

// arrange makes cells of the vertices with fluid, channels of the edges between them, and the order
// of the unknowns. The result depends on the filled edges only.
func (k *Fluids) arrange(c *cavity) {
	n := c.Flow
	old := slices.Clone(n.vertices)
	var now []int32
	each := func(do func(filled, end int, vertex int32)) {
		for i := range c.Filled {
			e := &k.Fracture.Edges[c.Filled[i].edge]
			for end, v := range [2]int32{e.From, e.To} {
				if !math.IsNaN(c.Filled[i].Volume[end]) {
					do(i, end, v)
				}
			}
		}
	}
	each(func(_, _ int, v int32) {
		if n.cellOf[v] != 0 {
			now = append(now, v)
		}
	})
	slices.Sort(now)
	now = append([]int32{-1}, slices.Compact(now)...)
	for i, v := range old[1:] { // fluid of removed cells is lost
		if _, still := slices.BinarySearch(now, v); !still {
			n.discard(c, int32(i+1), 1)
			n.cellOf[v] = -1
		}
	}
	n.transferState(old, now)
	for i, v := range now {
		if i > 0 {
			n.cellOf[v] = int32(i)
		}
	}
	if n.full {
		each(func(filled, end int, v int32) {
			if f := &c.Filled[filled]; k.residual(c, f.edge) > 0 {
				n.amount[n.cellOf[v]] += max(0, f.Volume[end]) / c.atStart()
				n.pressure[n.cellOf[v]] = c.Start
			}
		})
		n.full = false
	}
	n.channels = n.channels[:0]
	for i := range c.Filled {
		f := &c.Filled[i]
		e := &k.Fracture.Edges[f.edge]
		if a, b := n.cellOf[e.From], n.cellOf[e.To]; !math.IsNaN(f.Volume[0]) && !math.IsNaN(f.Volume[1]) && a != b {
			n.channels = append(n.channels, channel{Filled: int32(i), a: a, b: b})
		}
	}
	links := make([][2]int32, len(n.channels))
	n.meets = resized(n.meets[:0], len(now))
	for i := range n.channels {
		n.meets[n.channels[i].a]++
		n.meets[n.channels[i].b]++
		links[i] = [2]int32{n.channels[i].a, n.channels[i].b}
	}
	n.graph.Arrange(len(now), links)
	n.listEnds(each, len(now))
	n.changed = false
}

// listEnds lists the ends of each cell.
func (n *network) listEnds(each func(do func(filled, end int, vertex int32)), cells int) {
	n.from = resized(n.from[:0], cells+1)
	count := 0
	each(func(_, _ int, v int32) { n.from[n.cellOf[v]+1]++; count++ })
	for i := range cells {
		n.from[i+1] += n.from[i]
	}
	n.ends = resized(n.ends[:0], count)
	next := slices.Clone(n.from)
	each(func(filled, end int, v int32) {
		n.ends[next[n.cellOf[v]]] = endAt{int32(filled), int32(end)}
		next[n.cellOf[v]]++
	})
}

// transferState moves the values of cells to their new indices.
func (n *network) transferState(old, now []int32) {
	arrays := []*[]float64{&n.amount, &n.pressure, &n.before, &n.wider}
	for _, of := range arrays {
		was := *of
		*of = make([]float64, len(now))
		for i, v := range now {
			if j, there := slices.BinarySearch(old, v); there {
				(*of)[i] = was[j]
			}
		}
	}
	n.grow(len(now))
	copy(n.vertices, now)
}

// findTips marks the cells where a crack ends: cells with one channel, where an edge is not yet
// open at its other end.
func (n *network) findTips() {
	clear(n.tips)
	for i := range n.faces {
		f := &n.faces[i]
		for end, v := range f.Vertices {
			if cell := n.cellOf[v]; cell > 0 && f.Open[end] && !f.Open[1-end] && n.meets[cell] == 1 {
				n.tips[cell] = true
			}
		}
	}
}

// vent connects cells to the air. Their fluid is removed.
func (n *network) vent(c *cavity) {
	clear(n.vented)
	for _, v := range n.vents {
		if i := n.cellOf[v]; i >= 0 && !n.vented[i] {
			n.vented[i] = true
			n.discard(c, i, 1)
		}
	}
}

// resetReference updates the opening from which the volumes of a cell's ends are measured. Faces
// that are pressed together further than when the fluid arrived must not have a negative volume.
// Otherwise fluid that does not exist would do work when the faces separate again. Any separation
// from then on is volume to be filled. In a cell without pressure, volume that has closed again no
// longer counts.
func (k *Fluids) resetReference(c *cavity, cell int) {
	n := c.Flow
	ends := n.ends[n.from[cell]:n.from[cell+1]]
	spare := -n.amount[cell]
	for _, at := range ends {
		f, end := &c.Filled[at.filled], at.end
		if least := -float64(shutBy * f.Area); f.Volume[end] < least {
			f.shut[end] += (least - f.Volume[end]) / f.Area
			f.Volume[end] = least
		}
		spare += f.Volume[end]
	}
	if n.pressure[cell] > 0 {
		return
	}
	for _, at := range ends {
		f, end := &c.Filled[at.filled], at.end
		if back := min(min(float64(f.Area*f.shut[end]), f.Volume[end]), spare); back > 0 {
			f.shut[end] -= back / f.Area
			f.Volume[end] -= back
			spare -= back
		}
	}
}

// restoreFlow restores the cells of the state.
func (k *Fluids) restoreFlow(c *cavity) error {
	n := c.Flow
	if n == nil {
		return nil
	}
	cells := len(n.vertices)
	if cells == 0 || n.vertices[0] != -1 || len(n.amount) != cells || len(n.pressure) != cells {
		return fmt.Errorf("fluid %q: %d cells with %d amounts and %d pressures", c.Name, cells, len(n.amount), len(n.pressure))
	}
	for i, v := range n.vertices[1:] {
		if v < 0 || int(v) >= len(n.cellOf) || n.cellOf[v] == 0 || v <= n.vertices[i] {
			return fmt.Errorf("fluid %q: vertex %d cannot be a cell", c.Name, v)
		}
	}
	for i, v := range n.cellOf { // of the state before this one
		if v > 0 {
			n.cellOf[i] = -1
		}
	}
	for i, v := range n.vertices[1:] {
		n.cellOf[v] = int32(i + 1)
	}
	n.grow(cells)
	k.arrange(c)
	if len(n.vertices) != cells {
		return fmt.Errorf("fluid %q: its cells are not where its edges are", c.Name)
	}
	return nil
}
