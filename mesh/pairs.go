package mesh

import "slices"

// WithPairs returns the mesh with the triangles of some bodies in pairs. The two triangles of a
// pair share an edge and have consecutive numbers; Pairs is set. The pairs are a greedy
// matching of the dual graph (Karp and Sipser, 1981). The triangle with the fewest neighbours
// left is paired first. It takes a neighbour that has no other left, or else the one with which
// it makes the best shape. A few percent of the triangles stay single. They also come two by
// two, so that every pair of a body begins at an even position in it.
func (m *Mesh) WithPairs(bodies []bool) *Mesh {
	if !slices.Contains(bodies, true) {
		return m
	}
	pairs := make([]bool, len(m.Triangles))
	order := identity(len(m.Triangles))
	for i := range m.Bodies {
		if b := &m.Bodies[i]; i < len(bodies) && bodies[i] {
			of, paired := inPairs(m.partners(b), b.First)
			copy(order[b.First:], of)
			copy(pairs[b.First:], paired)
		}
	}
	out := m.reordered(order)
	out.Pairs = pairs
	return out
}

// sortedWithin is the number of consecutive triangles that WithRuns sorts together. They
// lie near each other, so that their nodes stay in the cache.
const sortedWithin = 16384

// WithRuns returns the mesh with triangles of the same kind next to each other, sorted in
// groups of some thousand within each body. kind is the kind of each triangle.
func (m *Mesh) WithRuns(kind []int32) *Mesh {
	order := identity(len(m.Triangles))
	for i := range m.Bodies {
		for some := range slices.Chunk(order[m.Bodies[i].First:m.Bodies[i].End], sortedWithin) {
			slices.SortStableFunc(some, func(a, b int32) int { return int(kind[a]) - int(kind[b]) })
		}
	}
	return m.reordered(order)
}

// identity returns the first n numbers, from 0 on.
func identity(n int) []int32 {
	order := make([]int32, n)
	for t := range order {
		order[t] = int32(t)
	}
	return order
}

// reordered returns the mesh with its triangles in another order. Bodies keep their
// ranges.
func (m *Mesh) reordered(order []int32) *Mesh {
	out := *m
	out.Triangles, out.TriID, out.Edges = make([][3]int32, len(order)), make([]int32, len(order)), slices.Clone(m.Edges)
	position := make([]int32, len(order)) // new position of each triangle
	for at, t := range order {
		position[t] = int32(at)
		out.Triangles[at], out.TriID[at] = m.Triangles[t], m.TriID[t]
	}
	for i := range out.Edges {
		if e := &out.Edges[i]; e.Tri >= 0 {
			e.Tri = position[e.Tri]
		}
	}
	return &out
}

// inPairs returns a body's triangles, from number first on, in the order of the first
// triangle of each pair, and whether each makes a pair with the next one.
func inPairs(partner []int32, first int32) (order []int32, paired []bool) {
	alone := int32(-1) // single triangle that waits for another one
	for k, p := range partner {
		t := first + int32(k)
		switch {
		case p >= 0 && p < t:
		case p >= 0:
			order, paired = append(order, t, p), append(paired, true, false)
		case alone < 0:
			alone = t
		default:
			order, paired = append(order, alone, t), append(paired, false, false)
			alone = -1
		}
	}
	if alone >= 0 {
		order, paired = append(order, alone), append(paired, false)
	}
	return order, paired
}

// partners returns the partner of each triangle of a body, -1 for none.
func (m *Mesh) partners(b *Body) []int32 {
	beside := m.beside(b)
	partner, left := make([]int32, len(beside)), make([]int, len(beside))
	for k := range beside {
		partner[k] = -1
		for _, n := range beside[k] {
			if n >= 0 {
				left[k]++
			}
		}
	}
	var waiting [4][]int32 // triangles by the number of their remaining neighbours; an entry may be out of date
	for k, n := range left {
		waiting[n] = append(waiting[n], int32(k))
	}
	for n := range waiting { // as queues
		slices.Reverse(waiting[n])
	}
	next := func() int32 {
		for n := 1; n < len(waiting); n++ {
			for last := len(waiting[n]) - 1; last >= 0; last = len(waiting[n]) - 1 {
				k := waiting[n][last]
				waiting[n] = waiting[n][:last]
				if partner[k] < 0 && left[k] == n {
					return k
				}
			}
		}
		return -1
	}
	take := func(k int32) {
		for _, n := range beside[k] {
			if n < 0 || partner[n-b.First] >= 0 {
				continue
			}
			n -= b.First
			left[n]--
			waiting[left[n]] = append(waiting[left[n]], n)
		}
	}
	for k := next(); k >= 0; k = next() {
		best, shape := int32(-1), 0.0
		for side, n := range beside[k] {
			if n < 0 || partner[n-b.First] >= 0 {
				continue
			}
			s := m.shape(b.First+k, side, n)
			if left[n-b.First] == 1 { // it has no other neighbour
				s++
			}
			if best < 0 || s > shape {
				best, shape = n-b.First, s
			}
		}
		partner[k], partner[best] = b.First+best, b.First+k
		take(k)
		take(best)
	}
	return partner
}

// beside returns per triangle and side the triangle of the same body across that side, -1 for
// none. A side has the number of the opposite corner.
func (m *Mesh) beside(b *Body) [][3]int32 {
	type half struct {
		low, high int32
		tri       int32
		side      int
	}
	var all []half
	for t := b.First; t < b.End; t++ {
		for side, a := range m.Triangles[t] {
			n := m.Triangles[t][(side+1)%3]
			all = append(all, half{min(a, n), max(a, n), t, side})
		}
	}
	all = sorted(all, len(m.X), func(h half) int32 { return h.high })
	all = sorted(all, len(m.X), func(h half) int32 { return h.low })
	out := make([][3]int32, b.End-b.First)
	for k := range out {
		out[k] = [3]int32{-1, -1, -1}
	}
	for i := 1; i < len(all); i++ {
		if p, q := &all[i-1], &all[i]; p.low == q.low && p.high == q.high {
			out[p.tri-b.First][p.side], out[q.tri-b.First][q.side] = q.tri, p.tri
		}
	}
	return out
}

// shape returns the quality of the quadrilateral of triangle t and the triangle across
// one of its sides: the area over the squares of the sides.
func (m *Mesh) shape(t int32, side int, other int32) float64 {
	n := m.Triangles[t]
	a, b, c := n[side], n[(side+1)%3], n[(side+2)%3]
	d := int32(-1)
	for _, k := range m.Triangles[other] {
		if k != a && k != b {
			d = k
		}
	}
	x := m.X
	area := doubleArea(x[a], x[b], x[c]) + doubleArea(x[a], x[d], x[b])
	return area / (square(x[a], x[c]) + square(x[c], x[b]) + square(x[b], x[d]) + square(x[d], x[a]))
}
