package mesh

import (
	"cmp"
	"slices"
)

// renumber returns a new number for each node of src: the nodes of the first
// body, then those that the second adds, and so on; within a body by reverse
// Cuthill-McKee, which keeps neighbours near. Nodes of no body get -1.
func renumber(src *Source, owner []int32, bodies int) []int32 {
	body := make([]int32, len(src.X))
	for i := range body {
		body[i] = -1
	}
	for i, t := range src.Triangles {
		if owner[i] < 0 {
			continue
		}
		for _, n := range t {
			if body[n] < 0 || owner[i] < body[n] {
				body[n] = owner[i]
			}
		}
	}
	first, neighbour := graph(src, owner)
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

// graph lists the neighbours of each node: neighbour[first[n]:first[n+1]],
// ascending, with repeats.
func graph(src *Source, owner []int32) (first, neighbour []int32) {
	first = make([]int32, len(src.X)+1)
	for i, t := range src.Triangles {
		if owner[i] >= 0 {
			for _, n := range t {
				first[n+1] += 2
			}
		}
	}
	for n := range src.X {
		first[n+1] += first[n]
	}
	neighbour = make([]int32, first[len(src.X)])
	fill := slices.Clone(first)
	for i, t := range src.Triangles {
		if owner[i] < 0 {
			continue
		}
		for k, n := range t {
			neighbour[fill[n]], neighbour[fill[n]+1] = t[(k+1)%3], t[(k+2)%3]
			fill[n] += 2
		}
	}
	return first, neighbour
}

// CuthillMcKee returns the nodes of a graph in reverse Cuthill-McKee order,
// which keeps the band of a matrix of that pattern narrow. The neighbours of
// node n are neighbour[first[n]:first[n+1]], both ways; repeats and n itself do
// no harm.
func CuthillMcKee(first, neighbour []int32) []int32 {
	order := cuthillMcKee(first, neighbour, make([]int32, len(first)-1))
	slices.Reverse(order)
	return order
}

// cuthillMcKee walks every component breadth first from a node at its rim,
// neighbours by degree.
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
		for mark := int32(1); mark <= 2; mark++ { // the last node reached is at the rim
			order = order[:begin]
			walk(from, mark)
			from = order[len(order)-1]
		}
		order = order[:begin]
		walk(from, 3)
	}
	return order
}
