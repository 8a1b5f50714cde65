package cholesky

import "slices"

// Graph solves symmetric, positive definite systems whose matrix has an entry for each link
// of a graph, such as a network of pipes. It is a direct solver without square roots (L D
// L^T), with minimum-degree ordering. A tree has no fill-in. The order depends only on the
// links.
type Graph struct {
	order []int32 // unknowns in the order of elimination
	first []int32 // start of each column in rows
	rows  []int32 // rows below the diagonal, by their index in the order, ascending
	entry []int32 // per link: its entry in value
	goes  []int32 // per pair of rows of a column: the entry of their product in value, column by column
	value []float64
	d, x  []float64 // by index in the order; the solution by unknown
}

// Arrange sets the graph: the number of unknowns and the links between them. Several links
// may join the same unknowns.
func (g *Graph) Arrange(unknowns int, links [][2]int32) {
	near := make([][]int32, unknowns)
	for _, l := range links {
		near[l[0]], near[l[1]] = append(near[l[0]], l[1]), append(near[l[1]], l[0])
	}
	for i := range near {
		slices.Sort(near[i])
		near[i] = slices.Compact(near[i])
	}
	below := g.eliminate(near)
	index := make([]int32, unknowns)
	for at, i := range g.order {
		index[i] = int32(at)
	}
	g.first, g.rows = append(g.first[:0], 0), g.rows[:0]
	for _, i := range g.order {
		begin := len(g.rows)
		for _, j := range below[i] {
			g.rows = append(g.rows, index[j])
		}
		slices.Sort(g.rows[begin:])
		g.first = append(g.first, int32(len(g.rows)))
	}
	g.goes = g.goes[:0]
	for k := range unknowns {
		column := g.rows[g.first[k]:g.first[k+1]]
		for a, i := range column {
			for _, j := range column[a+1:] {
				g.goes = append(g.goes, g.at(i, j))
			}
		}
	}
	g.entry = g.entry[:0]
	for _, l := range links {
		i, j := index[l[0]], index[l[1]]
		g.entry = append(g.entry, g.at(min(i, j), max(i, j)))
	}
	g.value = make([]float64, len(g.rows))
	g.d, g.x = make([]float64, unknowns), make([]float64, unknowns)
}

// eliminate finds the order, and for each unknown the unknowns that its elimination
// connects.
func (g *Graph) eliminate(near [][]int32) (below [][]int32) {
	n := len(near)
	g.order = g.order[:0]
	below = make([][]int32, n)
	gone := make([]bool, n)
	var by [][]int32 // unknowns by degree, the last first; some have another degree now
	file := func(i int32) {
		for len(by) <= len(near[i]) {
			by = append(by, nil)
		}
		by[len(near[i])] = append(by[len(near[i])], i)
	}
	for i := n - 1; i >= 0; i-- {
		file(int32(i))
	}
	for least := 0; len(g.order) < n; {
		if len(by[least]) == 0 {
			least++
			continue
		}
		i := by[least][len(by[least])-1]
		by[least] = by[least][:len(by[least])-1]
		if gone[i] || len(near[i]) != least {
			continue
		}
		gone[i] = true
		g.order, below[i] = append(g.order, i), near[i]
		for _, j := range below[i] {
			joined := make([]int32, 0, len(near[j])+len(below[i]))
			joined = append(append(joined, near[j]...), below[i]...)
			slices.Sort(joined)
			joined = slices.Compact(joined)
			near[j] = slices.DeleteFunc(joined, func(k int32) bool { return k == i || k == j })
			file(j)
			least = min(least, len(near[j]))
		}
	}
	return below
}

// at returns the index of row j of column i.
func (g *Graph) at(i, j int32) int32 {
	k, _ := slices.BinarySearch(g.rows[g.first[i]:g.first[i+1]], j)
	return g.first[i] + int32(k)
}

// Clear sets all entries off the diagonal to zero.
func (g *Graph) Clear() { clear(g.value) }

// Add adds a value to the entry of a link.
func (g *Graph) Add(link int, v float64) { g.value[g.entry[link]] += v }

// Solve returns the solution for a diagonal and a right side, both by unknown. It
// overwrites the entries by the factor, so they must be cleared and added again.
func (g *Graph) Solve(diagonal, right []float64) []float64 {
	for k, i := range g.order {
		g.d[k] = diagonal[i]
	}
	goes := 0
	for k := range g.order {
		column, value := g.rows[g.first[k]:g.first[k+1]], g.value[g.first[k]:g.first[k+1]]
		for a, i := range column {
			l := value[a] / g.d[k]
			g.d[i] -= float64(l * value[a])
			for b := a + 1; b < len(column); b++ {
				g.value[g.goes[goes]] -= float64(l * value[b])
				goes++
			}
		}
		for a := range value {
			value[a] /= g.d[k]
		}
	}
	return g.substitute(right)
}

// substitute solves the system with the factor.
func (g *Graph) substitute(right []float64) []float64 {
	x := g.x
	for k, i := range g.order { // by unknown, so that nothing is permuted twice
		y := right[i]
		x[k] = y
	}
	for k := range g.order {
		for at := g.first[k]; at < g.first[k+1]; at++ {
			x[g.rows[at]] -= float64(g.value[at] * x[k])
		}
	}
	for k := len(g.order) - 1; k >= 0; k-- {
		x[k] /= g.d[k]
		for at := g.first[k]; at < g.first[k+1]; at++ {
			x[k] -= float64(g.value[at] * x[g.rows[at]])
		}
	}
	for k, i := range g.order {
		g.d[i] = x[k]
	}
	return g.d
}
