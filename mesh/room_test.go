package mesh

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// A mesh with room for new nodes is the same mesh, node by node, and no element names a node of the
// room.
func TestWithRoom(t *testing.T) {
	src := &Source{
		Name: "square", X: []r2.Vec{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}}, NodeID: []int64{4, 7, 9, 12},
		Triangles: [][3]int32{{0, 1, 2}, {0, 2, 3}}, TriID: []int64{1, 2}, Lines: [][2]int32{{0, 1}}, LineID: []int64{3},
		Groups: []SourceGroup{{Name: "body", Dim: 2, Number: 1, Elements: []int32{0, 1}}, {Name: "foot", Dim: 1, Number: 2, Elements: []int32{0}}},
	}
	m, err := Build(src, []string{"body"})
	if err != nil {
		t.Fatal(err)
	}
	numbers := []int32{0, 2, 3, 6}
	w := m.WithRoom(numbers, 9)
	if len(w.X) != 9 || len(w.NodeID) != 9 || w.Components != m.Components {
		t.Fatalf("%d places, %d numbers", len(w.X), len(w.NodeID))
	}
	free := []int32{1, 4, 5, 7, 8}
	for _, n := range free {
		if w.NodeID[n] != 0 || !slices.Contains(m.X, w.X[n]) {
			t.Errorf("place %d has number %d at %v", n, w.NodeID[n], w.X[n])
		}
	}
	for i, p := range numbers {
		if w.X[p] != m.X[i] || w.NodeID[p] != m.NodeID[i] {
			t.Errorf("node %d: %v, number %d", i, w.X[p], w.NodeID[p])
		}
	}
	for i, q := range m.Triangles {
		if w.Triangles[i] != [3]int32{numbers[q[0]], numbers[q[1]], numbers[q[2]]} {
			t.Errorf("triangle %d: %v", i, w.Triangles[i])
		}
	}
	for i, e := range m.Edges {
		e.A, e.B = numbers[e.A], numbers[e.B]
		if w.Edges[i] != e {
			t.Errorf("edge %d: %+v, want %+v", i, w.Edges[i], e)
		}
	}
	if !slices.Equal(w.Bodies[0].Nodes, numbers) || len(w.Groups[1].Nodes) != 2 {
		t.Errorf("body of %v, group of %v", w.Bodies[0].Nodes, w.Groups[1].Nodes)
	}
	if m.X[1] == (r2.Vec{}) || len(m.X) != 4 {
		t.Error("the mesh itself has changed")
	}
}
