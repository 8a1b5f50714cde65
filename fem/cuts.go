package fem

import "slices"

// Cuts returns nodes that divide the triangles such that the given shares of their work lie before
// each node. SubdomainsOf may begin and end a part there. shares ascend from 0 to 1.
func (t *Triangles) Cuts(shares []float64) []int32 {
	lowest := t.workBefore()
	whole, cuts := t.nodesTogether(), make([]int32, len(shares))
	for k, share := range shares {
		i, _ := slices.BinarySearch(lowest, int32(float64(share*float64(lowest[t.nodes]))))
		cuts[k] = min(int32(t.nodes), (int32(i)+whole/2)/whole*whole)
	}
	return cuts
}

// workBefore returns, for each node, the work of the blocks whose lowest node comes before it.
func (t *Triangles) workBefore() []int32 {
	lowest := make([]int32, t.nodes+1) // work of the blocks per lowest node, then summed over all nodes before
	for k := range t.runs {
		r := &t.runs[k]
		for i := r.block; i < r.end; i++ {
			low, _ := t.span(&t.blocks[i])
			lowest[low+1] += r.effort()
		}
	}
	for i := range t.nodes {
		lowest[i+1] += lowest[i]
	}
	return lowest
}

// effort returns the approximate work of a block of the run, while it does not yield, relative to
// that of a block without a law.
func (r *run) effort() int32 {
	switch {
	case r.law == nil:
		return 1
	case r.elasticResponse == nil:
		return 2
	}
	return 4
}

// nodesTogether returns the number of consecutive nodes that stay in one part.
func (t *Triangles) nodesTogether() int32 {
	whole := int32(nodesPerGroup)
	for whole%t.slots != 0 {
		whole += nodesPerGroup
	}
	return whole
}
