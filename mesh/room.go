package mesh

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// WithRoom returns m with the number numbers[i] for node i, ascending, and with a
// total of numbers. The numbers between are room for nodes that cracks will add.
// They have the NodeID 0, belong to no element, and have the position of the
// node before them. m must not have faces of beams or outlines yet.
func (m *Mesh) WithRoom(numbers []int32, total int) *Mesh {
	w := *m
	w.X, w.NodeID = make([]r2.Vec, total), make([]int32, total)
	for i, x := range m.X {
		end := int32(total)
		if i+1 < len(m.X) {
			end = numbers[i+1]
		}
		for k := numbers[i]; k < end; k++ {
			w.X[k] = x
		}
		w.NodeID[numbers[i]] = m.NodeID[i]
	}
	moved := func(nodes []int32) []int32 {
		out := make([]int32, len(nodes))
		for i, n := range nodes {
			out[i] = numbers[n]
		}
		return out
	}
	w.Triangles, w.Edges = slices.Clone(m.Triangles), slices.Clone(m.Edges)
	w.Bodies, w.Groups = slices.Clone(m.Bodies), slices.Clone(m.Groups)
	for i := range w.Triangles {
		copy(w.Triangles[i][:], moved(w.Triangles[i][:]))
	}
	w.renumberLines(numbers)
	for i := range w.Edges {
		e := &w.Edges[i]
		e.A, e.B = numbers[e.A], numbers[e.B]
	}
	for i := range w.Bodies {
		w.Bodies[i].Nodes = moved(w.Bodies[i].Nodes)
	}
	for i := range w.Groups {
		g := &w.Groups[i]
		g.Nodes, g.Lines = moved(g.Nodes), slices.Clone(g.Lines)
		for k, l := range g.Lines {
			g.Lines[k] = [2]int32{numbers[l[0]], numbers[l[1]]}
		}
	}
	return &w
}
