package flow

import (
	"fdem/mesh"
	"fdem/solver/nodes"

	"gonum.org/v1/gonum/spatial/r2"
)

// wellWall is the wall of a well: boundary edges of triangles, and the mouths of the cracks
// that begin at it. A mouth is where a vertex between two of the edges has split.
type wellWall struct {
	edges    []int32        // boundary edges
	next     []int32        // per edge: the edge that begins where it ends; -1 for none
	vertices []nodes.Vertex // all vertices
	ends     int            // number of ends of the wall: 0 if it is closed, 1 for a notch
}

// newWellWall makes the wall of a well from its edges.
func newWellWall(m *mesh.Mesh, edges []int32) *wellWall {
	w := &wellWall{edges: edges}
	begins := map[int32]int32{} // edge that begins at a vertex; looked up, never iterated
	for _, i := range edges {
		begins[m.Edges[i].A] = i
		w.vertices = append(w.vertices, nodes.Vertex(m.Edges[i].A))
	}
	for _, i := range edges {
		end := m.Edges[i].B
		next, ok := begins[end]
		if !ok {
			next = -1
			w.ends++
			w.vertices = append(w.vertices, nodes.Vertex(end))
		}
		w.next = append(w.next, next)
	}
	return w
}

// volume returns the volume that a wall with at most one end encloses, per metre of
// thickness [m2]. For a notch it is the volume up to the line between its ends. It is
// negative if the body is inside.
func (w *wellWall) volume(m *mesh.Mesh, x []r2.Vec) float64 {
	ended := map[int32]bool{}
	for _, i := range w.edges {
		ended[m.Edges[i].B] = true
	}
	o, twice := x[m.Edges[w.edges[0]].A], 0.0
	add := func(a, b int32) {
		p, q := r2.Sub(x[a], o), r2.Sub(x[b], o)
		twice += float64(p.X*q.Y) - float64(p.Y*q.X)
	}
	first, last := int32(-1), int32(-1)
	for j, i := range w.edges {
		e := &m.Edges[i]
		add(e.A, e.B)
		if !ended[e.A] {
			first = e.A
		}
		if w.next[j] < 0 {
			last = e.B
		}
	}
	if first >= 0 && last >= 0 {
		add(last, first)
	}
	return -0.5 * twice
}

// eachLink calls the function with the pairs of nodes between which the wall is now: ends
// of edges and of mouths of cracks.
func (w *wellWall) eachLink(m *mesh.Mesh, each func(a, b int32)) {
	for i, of := range w.edges {
		e := &m.Edges[of]
		each(e.A, e.B)
		if next := w.next[i]; next >= 0 && m.Edges[next].A != e.B {
			each(e.B, m.Edges[next].A)
		}
	}
}
