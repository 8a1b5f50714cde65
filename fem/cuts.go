package fem

import "slices"

// Cuts returns the nodes at which the triangles are cut so that shares of their work lie before
// each, where SubdomainsOf may begin and end a part; shares ascend, from 0 to 1.
func (t *Triangles) Cuts(shares []float64) []int32 {
	lowest := t.workBefore()
	whole, cuts := t.nodesTogether(), make([]int32, len(shares))
	for k, share := range shares {
		i, _ := slices.BinarySearch(lowest, int32(float64(share*float64(lowest[t.nodes]))))
		cuts[k] = min(int32(t.nodes), (int32(i)+whole/2)/whole*whole)
	}
	return cuts
}

// workBefore returns how much work the blocks are that have their lowest node before each node.
func (t *Triangles) workBefore() []int32 {
	lowest := make([]int32, t.nodes+1) // of blocks per lowest node, then of all nodes before
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

// effort returns about how many times the work of a block without a law a block of the run is,
// as long as nothing yields.
func (r *run) effort() int32 {
	switch {
	case r.law == nil:
		return 1
	case r.elasticResponse == nil:
		return 2
	}
	return 4
}

// nodesTogether returns how many nodes stay together in a part.
func (t *Triangles) nodesTogether() int32 {
	whole := int32(nodesPerGroup)
	for whole%t.slots != 0 {
		whole += nodesPerGroup
	}
	return whole
}
