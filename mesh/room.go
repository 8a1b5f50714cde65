package mesh

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// WithRoom returns m with node i at number place[i], ascending, and with places
// numbers in all. The numbers between are room for nodes that cracks will add.
// They have the NodeID 0, belong to no element, and have the position of the
// node before them. m must not have faces of beams or outlines yet.
func (m *Mesh) WithRoom(place []int32, places int) *Mesh {
	w := *m
	w.X, w.NodeID = make([]r2.Vec, places), make([]int32, places)
	for i, x := range m.X {
		end := int32(places)
		if i+1 < len(m.X) {
			end = place[i+1]
		}
		for k := place[i]; k < end; k++ {
			w.X[k] = x
		}
		w.NodeID[place[i]] = m.NodeID[i]
	}
	moved := func(nodes []int32) []int32 {
		out := make([]int32, len(nodes))
		for i, n := range nodes {
			out[i] = place[n]
		}
		return out
	}
	w.Triangles, w.Edges = slices.Clone(m.Triangles), slices.Clone(m.Edges)
	w.Bodies, w.Groups = slices.Clone(m.Bodies), slices.Clone(m.Groups)
	for i := range w.Triangles {
		copy(w.Triangles[i][:], moved(w.Triangles[i][:]))
	}
	w.renumberLines(place)
	for i := range w.Edges {
		e := &w.Edges[i]
		e.A, e.B = place[e.A], place[e.B]
	}
	for i := range w.Bodies {
		w.Bodies[i].Nodes = moved(w.Bodies[i].Nodes)
	}
	for i := range w.Groups {
		g := &w.Groups[i]
		g.Nodes, g.Lines = moved(g.Nodes), slices.Clone(g.Lines)
		for k, l := range g.Lines {
			g.Lines[k] = [2]int32{place[l[0]], place[l[1]]}
		}
	}
	return &w
}
