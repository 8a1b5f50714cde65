package mesh

import "slices"

// WithLinings returns m in which the beams at nodes of some bodies of beams have nodes of their own
// where triangles have the same nodes, and the pairs of them: the new node, and the node of the
// triangles at the same position. New nodes come after the others, with numbers after the greatest of
// the file's. In the groups of these bodies they replace the old ones. m must not have hinges or faces
// of beams yet.
func (m *Mesh) WithLinings(bodies []int) (*Mesh, [][2]int32) {
	var pairs [][2]int32
	of := map[int32]int32{} // the new node of a node, looked up only
	solid := make([]bool, len(m.X))
	for _, t := range m.Triangles {
		for _, n := range t {
			solid[n] = true
		}
	}
	w := *m
	w.X, w.NodeID = slices.Clone(m.X), slices.Clone(m.NodeID)
	id := slices.Max(m.NodeID)
	for _, i := range bodies {
		for _, n := range m.Bodies[i].Nodes {
			if _, has := of[n]; solid[n] && !has {
				id++
				of[n] = int32(len(w.X))
				pairs = append(pairs, [2]int32{int32(len(w.X)), n})
				w.X, w.NodeID = append(w.X, m.X[n]), append(w.NodeID, id)
			}
		}
	}
	own := func(n int32) int32 {
		if to, has := of[n]; has {
			return to
		}
		return n
	}
	w.Beams, w.Bodies, w.Groups = slices.Clone(m.Beams), slices.Clone(m.Bodies), slices.Clone(m.Groups)
	for e, b := range m.Beams {
		w.Beams[e] = [2]int32{own(b[0]), own(b[1])}
	}
	for i := range w.Bodies {
		if b := &w.Bodies[i]; b.Kind == OfBeams {
			b.Nodes = replaced(b.Nodes, own)
		}
	}
	for i := range w.Groups {
		g := &w.Groups[i]
		if !slices.ContainsFunc(bodies, func(b int) bool { return m.Bodies[b].Name == g.Name }) {
			continue
		}
		g.Nodes, g.Lines = replaced(g.Nodes, own), slices.Clone(g.Lines)
		for k, l := range g.Lines {
			g.Lines[k] = [2]int32{own(l[0]), own(l[1])}
		}
	}
	return &w, pairs
}

// replaced returns what nodes are replaced by, ascending.
func replaced(nodes []int32, by func(n int32) int32) []int32 {
	out := make([]int32, len(nodes))
	for i, n := range nodes {
		out[i] = by(n)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
