package diffusion

// nodeSets are disjoint sets of nodes (union-find), such as nodes on both sides of cracks.
type nodeSets struct {
	root    []int32 // per node: another node of its set, itself for the first; -1 for a node of none
	touched []int32 // nodes of sets
}

func newNodeSets(nodes int) nodeSets {
	s := nodeSets{root: make([]int32, nodes)}
	for n := range s.root {
		s.root[n] = -1
	}
	return s
}

// clear removes all sets.
func (s *nodeSets) clear() {
	for _, n := range s.touched {
		s.root[n] = -1
	}
	s.touched = s.touched[:0]
}

// first returns the first node of the set of a node.
func (s *nodeSets) first(n int32) int32 {
	for s.root[n] != n {
		n = s.root[n]
	}
	return n
}

// join joins the sets of two nodes.
func (s *nodeSets) join(a, b int32) {
	for _, n := range [2]int32{a, b} {
		if s.root[n] < 0 {
			s.root[n] = n
			s.touched = append(s.touched, n)
		}
	}
	p, q := s.first(a), s.first(b)
	s.root[max(p, q)] = min(p, q)
}
