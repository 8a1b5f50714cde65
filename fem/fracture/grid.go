package fracture

import "gonum.org/v1/gonum/spatial/r2"

// grid is a cell list: square cells, each with the numbers of the positions in it.
type grid struct {
	origin   r2.Vec
	cell     float64 // side [m]
	nx, ny   int32
	first    []int32 // of each cell, -1 for none
	next     []int32 // of each number in a cell
	finished []int32 // cells in use, to be emptied
}

// newGrid covers the nodes at x with cells of at least the given size.
func newGrid(x []r2.Vec, nodes []int32, size float64) grid {
	const most = 1 << 10 // cells along a side
	if len(nodes) == 0 || !(size > 0) {
		return grid{}
	}
	low, high := x[nodes[0]], x[nodes[0]]
	for _, n := range nodes {
		low.X, low.Y = min(low.X, x[n].X), min(low.Y, x[n].Y)
		high.X, high.Y = max(high.X, x[n].X), max(high.Y, x[n].Y)
	}
	g := grid{origin: low, cell: max(size, (high.X-low.X)/most, (high.Y-low.Y)/most)}
	g.nx, g.ny = int32((high.X-low.X)/g.cell)+1, int32((high.Y-low.Y)/g.cell)+1
	g.first = make([]int32, g.nx*g.ny)
	for i := range g.first {
		g.first[i] = -1
	}
	return g
}

// at returns the column and row of a position.
func (g *grid) at(p r2.Vec) (i, j int32) {
	i, j = int32((p.X-g.origin.X)/g.cell), int32((p.Y-g.origin.Y)/g.cell)
	return min(max(i, 0), g.nx-1), min(max(j, 0), g.ny-1)
}

// add adds a number, one more than the last, at a position.
func (g *grid) add(number int32, p r2.Vec) {
	i, j := g.at(p)
	c := j*g.nx + i
	if int(number) != len(g.next) {
		panic("fracture: numbers of a grid must follow one another")
	}
	if g.first[c] < 0 {
		g.finished = append(g.finished, c)
	}
	g.next = append(g.next, g.first[c])
	g.first[c] = number
}

// empty removes all numbers.
func (g *grid) empty() {
	for _, c := range g.finished {
		g.first[c] = -1
	}
	g.finished, g.next = g.finished[:0], g.next[:0]
}

// near yields the numbers in the cells around a position: all within a cell's side
// of it.
func (g *grid) near(p r2.Vec) func(yield func(number int32) bool) {
	return func(yield func(number int32) bool) {
		i, j := g.at(p)
		for r := max(j-1, 0); r <= min(j+1, g.ny-1); r++ {
			for c := max(i-1, 0); c <= min(i+1, g.nx-1); c++ {
				for n := g.first[r*g.nx+c]; n >= 0; n = g.next[n] {
					if !yield(n) {
						return
					}
				}
			}
		}
	}
}
