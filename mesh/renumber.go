package mesh

import (
	"cmp"
	"slices"
)

// renumber returns a new number for each node of src: first the nodes of the
// first body, then the further nodes of the second, and so on. Within a body
// the order is reverse Cuthill-McKee, which keeps neighbours near. owner is the
// body of each triangle and line the body of each line, -1 for none. Nodes of
// no body get -1.
func renumber(src *Source, owner, line []int32) []int32 {
	body := make([]int32, len(src.X))
	for i := range body {
		body[i] = -1
	}
	elements(src, owner, line, func(o int32, nodes []int32) {
		for _, n := range nodes {
			if body[n] < 0 || o < body[n] {
				body[n] = o
			}
		}
	})
	first, neighbour := graph(src, owner, line)
	order := cuthillMcKee(first, neighbour, body)
	slices.Reverse(order)
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(body[a], body[b]) })
	number := make([]int32, len(src.X))
	for i := range number {
		number[i] = -1
	}
	for k, n := range order {
		number[n] = int32(k)
	}
	return number
}

// elements calls the function with the triangles and then the lines that have
// an owner.
func elements(src *Source, owner, line []int32, visit func(owner int32, nodes []int32)) {
	for i := range src.Triangles {
		if owner[i] >= 0 {
			visit(owner[i], src.Triangles[i][:])
		}
	}
	for i := range src.Lines {
		if line[i] >= 0 {
			visit(line[i], src.Lines[i][:])
		}
	}
}

// graph returns the neighbours of each node n: neighbour[first[n]:first[n+1]],
// ascending, with repeats.
func graph(src *Source, owner, line []int32) (first, neighbour []int32) {
	first = make([]int32, len(src.X)+1)
	elements(src, owner, line, func(_ int32, nodes []int32) {
		for _, n := range nodes {
			first[n+1] += int32(len(nodes) - 1)
		}
	})
	for n := range src.X {
		first[n+1] += first[n]
	}
	neighbour = make([]int32, first[len(src.X)])
	fill := slices.Clone(first)
	elements(src, owner, line, func(_ int32, nodes []int32) {
		for k, n := range nodes {
			for j := 1; j < len(nodes); j++ {
				neighbour[fill[n]] = nodes[(k+j)%len(nodes)]
				fill[n]++
			}
		}
	})
	return first, neighbour
}

// CuthillMcKee returns the nodes of a graph in reverse Cuthill-McKee order. A
// matrix of that pattern has a narrow band. The neighbours of node n are
// neighbour[first[n]:first[n+1]], in both directions; repeats and n itself are
// allowed.
func CuthillMcKee(first, neighbour []int32) []int32 {
	order := cuthillMcKee(first, neighbour, make([]int32, len(first)-1))
	slices.Reverse(order)
	return order
}

// NarrowRows is CuthillMcKee for a symmetric matrix in compressed rows: the start of each row, which has
// one more entry than rows, and the columns.
func NarrowRows(row, column []int) []int32 {
	first, neighbour := make([]int32, len(row)), make([]int32, len(column))
	for i, r := range row {
		first[i] = int32(r)
	}
	for i, c := range column {
		neighbour[i] = int32(c)
	}
	return CuthillMcKee(first, neighbour)
}

// cuthillMcKee visits every component breadth first from a peripheral node,
// neighbours in the order of their degree.
func cuthillMcKee(first, neighbour, body []int32) []int32 {
	degree := func(n int32) int32 { return first[n+1] - first[n] }
	level := make([]int32, len(body))
	order := make([]int32, 0, len(body))
	walk := func(from int32, mark int32) {
		begin := len(order)
		level[from] = mark
		order = append(order, from)
		for k := begin; k < len(order); k++ {
			n := order[k]
			at := len(order)
			for _, q := range neighbour[first[n]:first[n+1]] {
				if level[q] != mark {
					level[q] = mark
					order = append(order, q)
				}
			}
			slices.SortStableFunc(order[at:], func(a, b int32) int { return cmp.Compare(degree(a), degree(b)) })
		}
	}
	for n := range int32(len(body)) {
		if body[n] < 0 || level[n] != 0 {
			continue
		}
		begin := len(order)
		from := n
		for mark := int32(1); mark <= 2; mark++ { // the last node reached is peripheral
			order = order[:begin]
			walk(from, mark)
			from = order[len(order)-1]
		}
		order = order[:begin]
		walk(from, 3)
	}
	return order
}
