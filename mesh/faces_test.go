package mesh

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// chain is 1-D groups of lines between the points.
func chain(x []r2.Vec, groups ...[][2]int32) *Source {
	src := &Source{Name: "chain.msh", X: x}
	for i := range x {
		src.NodeID = append(src.NodeID, int64(100+i))
	}
	for i, lines := range groups {
		g := SourceGroup{Name: string(rune('a' + i)), Dim: 1, Number: i + 1}
		for _, l := range lines {
			g.Elements = append(g.Elements, int32(len(src.Lines)))
			src.Lines = append(src.Lines, l)
			src.LineID = append(src.LineID, int64(500+len(src.Lines)))
		}
		src.Groups = append(src.Groups, g)
	}
	return src
}

// enclosed is the area that a body's boundary edges go round.
func enclosed(m *Mesh, b *Body) float64 {
	area := 0.0
	for _, e := range m.Edges[b.FirstEdge:b.EndEdge] {
		area += 0.5 * r2.Cross(m.X[e.A], m.X[e.B])
	}
	return area
}

// faces builds the beams of src with one height.
func faces(t *testing.T, src *Source, height float64, names ...string) *Mesh {
	t.Helper()
	m, err := Build(src, []string{}, names...)
	if err != nil {
		t.Fatal(err)
	}
	heights := make([]float64, len(names))
	for i := range heights {
		heights[i] = height
	}
	if m, err = m.WithFaces(heights); err != nil {
		t.Fatal(err)
	}
	for i, e := range m.Edges { // edges are linked
		if m.Edges[e.Next].Prev != int32(i) || m.Edges[e.Next].A != e.B {
			t.Fatalf("edge %d, %+v, is followed by %+v", i, e, m.Edges[e.Next])
		}
	}
	if len(m.X) != len(m.NodeID) || int(m.FirstFace)+len(m.Faces) != len(m.X) {
		t.Fatalf("%d nodes, %d numbers, faces from %d on %d", len(m.X), len(m.NodeID), m.FirstFace, len(m.Faces))
	}
	return m
}

// A straight beam becomes a box with its solid on the left of the edges, in
// whatever order and direction the file lists its lines.
func TestFacesOfStraightBeam(t *testing.T) {
	x := []r2.Vec{{X: 3}, {X: 1}, {}, {X: 2}}
	m := faces(t, chain(x, [][2]int32{{1, 3}, {2, 1}, {0, 3}}), 0.5, "a")
	b := &m.Bodies[0]
	if got := enclosed(m, b); math.Abs(got-3*0.5) > 1e-12 {
		t.Errorf("the faces enclose %g m2, want 1.5", got)
	}
	if n := b.EndEdge - b.FirstEdge; n != 8 { // two faces of three, two ends
		t.Errorf("%d edges, want 8", n)
	}
	if len(b.Nodes) != 4 || b.Depth != 0.25 || len(m.Faces) != 8 {
		t.Errorf("%d nodes, depth %g, %d nodes of faces", len(b.Nodes), b.Depth, len(m.Faces))
	}
	for i, n := range m.Faces {
		f := m.X[int(m.FirstFace)+i]
		if math.Abs(math.Abs(f.Y)-0.25) > 1e-15 || f.X != m.X[n].X {
			t.Errorf("face node at %v of a node at %v", f, m.X[n])
		}
	}
}

// Faces meet on the bisector: the outlines of an angle and of a branch enclose the right area, a
// ring has an inner and an outer outline.
func TestFacesAtCorners(t *testing.T) {
	ring := func(n int) (x []r2.Vec, lines [][2]int32) {
		for i := range n {
			a := 2 * math.Pi * float64(i) / float64(n)
			x = append(x, r2.Vec{X: math.Cos(a), Y: math.Sin(a)})
			lines = append(lines, [2]int32{int32(i), int32((i + 1) % n)})
		}
		return x, lines
	}
	x12, ring12 := ring(12)
	for _, c := range []struct {
		name  string
		x     []r2.Vec
		lines [][2]int32
		area  float64 // of height 0.2
		edges int32
	}{
		{"right angle", []r2.Vec{{}, {X: 1}, {X: 1, Y: 1}}, [][2]int32{{0, 1}, {1, 2}}, 2 * 0.2, 6},
		{"branch", []r2.Vec{{X: -1}, {}, {X: 1}, {Y: 1}}, [][2]int32{{0, 1}, {1, 2}, {3, 1}}, 3*0.2 - 0.02, 9}, // the third starts at the face of the others
		{"cross", []r2.Vec{{X: -1}, {}, {X: 1}, {Y: 1}, {Y: -1}}, [][2]int32{{0, 1}, {1, 2}, {3, 1}, {4, 1}}, 4*0.2 - 0.04, 12},
		{"ring", x12, ring12, 12 * 2 * math.Sin(math.Pi/12) * 0.2, 24},
	} {
		m := faces(t, chain(c.x, c.lines), 0.2, "a")
		b := &m.Bodies[0]
		if got := enclosed(m, b); math.Abs(got-c.area) > 1e-12 {
			t.Errorf("%s: the faces enclose %g m2, want %g", c.name, got, c.area)
		}
		if n := b.EndEdge - b.FirstEdge; n != c.edges {
			t.Errorf("%s: %d edges, want %d", c.name, n, c.edges)
		}
	}
}

// Beams that share a node are one component, and one with the triangles they hang
// on; others are not.
func TestComponentsOfBeams(t *testing.T) {
	src := patch(2, 1, nil)
	n := int32(len(src.X))
	corner := int32(2) // at (2, 0)
	for i, x := range []r2.Vec{{X: 3}, {X: 4}, {X: 5}, {X: 0, Y: 9}, {X: 1, Y: 9}} {
		src.X, src.NodeID = append(src.X, x), append(src.NodeID, int64(900+i))
	}
	src.Lines = [][2]int32{{corner, n}, {n, n + 1}, {n + 1, n + 2}, {n + 3, n + 4}}
	src.LineID = []int64{1, 2, 3, 4}
	src.Groups = append(src.Groups,
		SourceGroup{Name: "near", Dim: 1, Number: 2, Elements: []int32{0, 1}},
		SourceGroup{Name: "far", Dim: 1, Number: 3, Elements: []int32{2}},
		SourceGroup{Name: "alone", Dim: 1, Number: 4, Elements: []int32{3}})
	m, err := Build(src, []string{"plate"}, "near", "far", "alone")
	if err != nil {
		t.Fatal(err)
	}
	if m, err = m.WithFaces([]float64{0.1, 0.2, 0.1}); err != nil {
		t.Fatal(err)
	}
	component := func(i int) int32 { return m.Edges[m.Bodies[i].FirstEdge].Component }
	if got := []int32{component(0), component(1), component(2), component(3)}; !slices.Equal(got, []int32{0, 0, 0, 1}) || m.Components != 2 {
		t.Errorf("components %v of %d", got, m.Components)
	}
	for i, b := range m.Bodies { // nodes of triangles come first, then those of beams, body after body
		if i > 0 && b.Nodes[len(b.Nodes)-1] < m.Bodies[i-1].Nodes[len(m.Bodies[i-1].Nodes)-1] {
			t.Errorf("body %q has nodes %v", b.Name, b.Nodes)
		}
	}
}

func TestBadBeams(t *testing.T) {
	x := []r2.Vec{{}, {X: 1}, {X: 0.2, Y: 0.1}, {X: 1, Y: 0.05}}
	for _, c := range []struct {
		src    *Source
		names  []string
		height float64
		want   string
	}{
		{chain(x, [][2]int32{{0, 1}}), []string{"b"}, 0.1, `beam "b" is not in the mesh, whose named curves are "a"`},
		{chain(x, [][2]int32{{0, 1}}), []string{"a", "a"}, 0.1, `line 501 is in beam "a" and in beam "a"`},
		{chain(x, [][2]int32{{1, 1}}), []string{"a"}, 0.1, `line 501 of beam "a" has no length`},
		{chain(x, [][2]int32{{0, 1}, {1, 2}}), []string{"a"}, 0.1, "turn by 173 degrees"},
		{chain(x, [][2]int32{{0, 1}, {1, 3}}), []string{"a"}, 0.2, "too short for a height of 0.2 m"},
	} {
		m, err := Build(c.src, []string{}, c.names...)
		if err == nil {
			_, err = m.WithFaces([]float64{c.height})
			var face *FaceError
			if !errors.As(err, &face) || face.Body != "a" {
				t.Errorf("want a FaceError of a, got %v", err)
			}
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}
