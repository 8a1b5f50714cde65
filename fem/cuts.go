package fem

import "slices"

// Cuts returns the nodes at which the triangles are cut so that shares of them lie before
// each, where PartsOf may begin and end a part; shares ascend, from 0 to 1.
func (t *Triangles) Cuts(shares []float64) []int32 {
	lowest := t.blocksBefore()
	whole, cuts := t.nodesTogether(), make([]int32, len(shares))
	for k, share := range shares {
		i, _ := slices.BinarySearch(lowest, int32(float64(share*float64(len(t.blocks)))))
		cuts[k] = min(int32(t.nodes), (int32(i)+whole/2)/whole*whole)
	}
	return cuts
}

// blocksBefore returns how many blocks have their lowest node before each node.
func (t *Triangles) blocksBefore() []int32 {
	lowest := make([]int32, t.nodes+1) // blocks per lowest node, then of all nodes before
	for i := range t.blocks {
		low, _ := t.span(&t.blocks[i])
		lowest[low+1]++
	}
	for i := range t.nodes {
		lowest[i+1] += lowest[i]
	}
	return lowest
}

// nodesTogether returns how many nodes stay together in a part.
func (t *Triangles) nodesTogether() int32 {
	whole := int32(nodesPerGroup)
	for whole%t.slots != 0 {
		whole += nodesPerGroup
	}
	return whole
}
