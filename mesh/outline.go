package mesh

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// Outline is the boundary of a body without triangles: a chain of edges with
// the body on the left.
type Outline struct {
	Name   string
	Points []r2.Vec
	Closed bool    // an edge joins the last point to the first
	Radius float64 // of the circle through the points [m]: 0 for none, negative if the body is outside
	Depth  float64 // depth of the solid under the edges [m]
}

// With returns m with outlines. Their nodes, edges and bodies come after its
// own, and their nodes get numbers after the greatest of the file's.
func (m *Mesh) With(outlines []Outline) *Mesh {
	w := *m
	w.X, w.NodeID = slices.Clone(m.X), slices.Clone(m.NodeID)
	w.Bodies, w.Edges = slices.Clone(m.Bodies), slices.Clone(m.Edges)
	id := int32(0)
	for _, n := range m.NodeID {
		id = max(id, n)
	}
	for number, o := range outlines {
		first, edge := int32(len(w.X)), int32(len(w.Edges))
		triangles := int32(len(w.Triangles))
		b := Body{Name: o.Name, Kind: OfOutline, Number: int32(number), First: triangles, End: triangles, FirstEdge: edge, Depth: o.Depth}
		for i, x := range o.Points {
			id++
			w.X, w.NodeID = append(w.X, x), append(w.NodeID, id)
			b.Nodes = append(b.Nodes, first+int32(i))
		}
		n := int32(len(o.Points))
		if !o.Closed {
			n--
		}
		for i := range n {
			e := Edge{
				A: first + i, B: first + (i+1)%int32(len(o.Points)), Tri: -1,
				Body: int32(len(w.Bodies)), Component: int32(w.Components), Prev: edge + i - 1, Next: edge + i + 1, Radius: o.Radius,
			}
			if i == 0 {
				e.Prev = -1
				if o.Closed {
					e.Prev = edge + n - 1
				}
			}
			if i == n-1 {
				e.Next = -1
				if o.Closed {
					e.Next = edge
				}
			}
			w.Edges = append(w.Edges, e)
		}
		b.EndEdge = int32(len(w.Edges))
		w.Bodies = append(w.Bodies, b)
		w.Components++
	}
	return &w
}
