package mesh

import "slices"

// Hinge is a node at the position of another node, with a rotation of its own.
// Beams that end at it are hinged to the other node.
type Hinge struct{ Node, Of int32 }

// PositionNode returns the node that has the position of node n: n itself, unless n is the
// node of a hinge.
func (m *Mesh) PositionNode(n int32) int32 {
	if len(m.Hinges) == 0 || n < m.Hinges[0].Node || int(n-m.Hinges[0].Node) >= len(m.Hinges) {
		return n
	}
	return m.Hinges[n-m.Hinges[0].Node].Of
}

// PositionNodes returns the nodes that have the positions of a body's nodes,
// ascending.
func (m *Mesh) PositionNodes(b *Body) []int32 {
	if b.Kind != OfBeams || len(m.Hinges) == 0 {
		return b.Nodes
	}
	out := slices.Clone(b.Nodes)
	for i, n := range out {
		out[i] = m.PositionNode(n)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// BeamsAt returns the elements of beams that end at the position of node n,
// ascending.
func (m *Mesh) BeamsAt(n int32) []int32 {
	var out []int32
	for e, b := range m.Beams {
		if m.PositionNode(b[0]) == n || m.PositionNode(b[1]) == n {
			out = append(out, int32(e))
		}
	}
	return out
}

// BeamBody returns the body of element e of the beams.
func (m *Mesh) BeamBody(e int32) int {
	return slices.IndexFunc(m.Bodies, func(b Body) bool { return b.FirstBeam <= e && e < b.EndBeam })
}

// WithHinges returns m with hinges at the given nodes, ascending. The beams' new nodes
// come after its own nodes. At a hinge every body of beams rotates independently; if only
// one body ends there, each of its elements does. The first keeps the node. New nodes get
// numbers after the greatest of the file's. m must not have faces of beams or outlines
// yet.
func (m *Mesh) WithHinges(nodes []int32) *Mesh {
	if len(nodes) == 0 {
		return m
	}
	w := *m
	w.X, w.NodeID = slices.Clone(m.X), slices.Clone(m.NodeID)
	w.Beams, w.Bodies = slices.Clone(m.Beams), slices.Clone(m.Bodies)
	id := slices.Max(m.NodeID)
	for _, n := range nodes {
		at := m.BeamsAt(n)
		part := make([]int, len(at)) // elements that rotate together have the same number
		for i, e := range at {
			part[i] = m.BeamBody(e)
		}
		if part[0] == part[len(part)-1] {
			for i := range part {
				part[i] = i
			}
		}
		for i := 1; i < len(at); i++ {
			if part[i] == part[0] {
				continue
			}
			if part[i] != part[i-1] {
				id++
				w.Hinges = append(w.Hinges, Hinge{Node: int32(len(w.X)), Of: n})
				w.X, w.NodeID = append(w.X, m.X[n]), append(w.NodeID, id)
			}
			b := &w.Beams[at[i]]
			b[slices.Index(b[:], n)] = int32(len(w.X)) - 1
		}
	}
	for i := range w.Bodies {
		b := &w.Bodies[i]
		if b.Kind != OfBeams {
			continue
		}
		b.Nodes = nil
		for _, e := range w.Beams[b.FirstBeam:b.EndBeam] {
			b.Nodes = append(b.Nodes, e[:]...)
		}
		slices.Sort(b.Nodes)
		b.Nodes = slices.Compact(b.Nodes)
	}
	return &w
}
