package mesh

import (
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
	"pgregory.net/rapid"
)

// patch is nx by ny cells of two triangles with a hole where hole says so.
func patch(nx, ny int, hole func(i, j int) bool) *Source {
	src := &Source{Name: "patch.msh"}
	for j := range ny + 1 {
		for i := range nx + 1 {
			src.X = append(src.X, r2.Vec{X: float64(i), Y: float64(j)})
			src.NodeID = append(src.NodeID, int64(100+len(src.X)))
		}
	}
	g := SourceGroup{Name: "plate", Dim: 2, Number: 1}
	for j := range ny {
		for i := range nx {
			if hole != nil && hole(i, j) {
				continue
			}
			a := int32(j*(nx+1) + i)
			for _, t := range [][3]int32{{a, a + 1, a + int32(nx) + 2}, {a, a + int32(nx) + 2, a + int32(nx) + 1}} {
				g.Elements = append(g.Elements, int32(len(src.Triangles)))
				src.Triangles = append(src.Triangles, t)
				src.TriID = append(src.TriID, int64(1000+len(src.Triangles)))
			}
		}
	}
	src.Groups = []SourceGroup{g}
	return src
}

func build(t testing.TB, src *Source, bodies ...string) *Mesh {
	t.Helper()
	m, err := Build(src, bodies)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// consistent checks what must hold of every mesh: anticlockwise triangles,
// closed loops of boundary edges with the body on the left, linked both ways,
// whose area is that of the triangles.
func consistent(t interface{ Fatalf(string, ...any) }, m *Mesh) {
	area := make([]float64, len(m.Bodies))
	for i, b := range m.Bodies {
		for _, n := range m.Triangles[b.First:b.End] {
			a := 0.5 * doubleArea(m.X[n[0]], m.X[n[1]], m.X[n[2]])
			if a <= 0 {
				t.Fatalf("triangle %v has area %g", n, a)
			}
			area[i] += a
		}
	}
	for i, e := range m.Edges {
		if m.Edges[e.Next].Prev != int32(i) || m.Edges[e.Next].A != e.B {
			t.Fatalf("edge %d and its next, %d, are not linked", i, e.Next)
		}
		if !slices.Contains(m.Triangles[e.Tri][:], e.A) || !slices.Contains(m.Triangles[e.Tri][:], e.B) {
			t.Fatalf("edge %d is not of its triangle", i)
		}
	}
	total, outline := 0.0, 0.0
	for i, b := range m.Bodies {
		total += area[i]
		for _, e := range m.Edges[b.FirstEdge:b.EndEdge] {
			if e.Body != int32(i) {
				t.Fatalf("an edge of body %d lies in the range of body %d", e.Body, i)
			}
			outline += 0.5 * (m.X[e.A].X*m.X[e.B].Y - m.X[e.B].X*m.X[e.A].Y)
		}
	}
	if math.Abs(total-outline) > 1e-9*(1+total) {
		t.Fatalf("the triangles have area %g, the outline %g", total, outline)
	}
}

// Random patches with holes, shuffled and turned about, give the same mesh up
// to numbering.
func TestAnyOrderGivesTheSameMesh(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewSource(rapid.Int64().Draw(rt, "seed")))
		nx, ny := rapid.IntRange(1, 7).Draw(rt, "nx"), rapid.IntRange(1, 7).Draw(rt, "ny")
		src := patch(nx, ny, func(i, j int) bool { return i+j > 0 && rng.Float64() < 0.3 })
		m, err := Build(src, nil)
		if err != nil {
			rt.Fatal(err)
		}
		consistent(rt, m)
		other := &Source{Name: "shuffled.msh", Groups: src.Groups}
		node := rng.Perm(len(src.X))
		other.X, other.NodeID = make([]r2.Vec, len(node)), make([]int64, len(node))
		for i, k := range node {
			other.X[k], other.NodeID[k] = src.X[i], src.NodeID[i]
		}
		for _, k := range rng.Perm(len(src.Triangles)) {
			n := src.Triangles[k]
			n = [3]int32{int32(node[n[0]]), int32(node[n[1]]), int32(node[n[2]])}
			if rng.Intn(2) == 0 {
				n[0], n[1] = n[1], n[0]
			}
			other.Triangles = append(other.Triangles, n)
			other.TriID = append(other.TriID, src.TriID[k])
		}
		o, err := Build(other, nil)
		if err != nil {
			rt.Fatal(err)
		}
		consistent(rt, o)
		if got, want := edgeSet(o), edgeSet(m); !slices.Equal(got, want) {
			rt.Fatalf("boundary edges differ: %v, want %v", got, want)
		}
	})
}

// edgeSet lists boundary edges by the file's node numbers.
func edgeSet(m *Mesh) [][2]int32 {
	var out [][2]int32
	for _, e := range m.Edges {
		out = append(out, [2]int32{m.NodeID[e.A], m.NodeID[e.B]})
	}
	slices.SortFunc(out, func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) })
	return out
}

// Two squares that touch at one node have two loops there, each of which stays
// with its own square.
func TestLoopsThatTouch(t *testing.T) {
	m := build(t, patch(2, 2, func(i, j int) bool { return i != j }))
	consistent(t, m)
	if len(m.Edges) != 8 {
		t.Fatalf("%d boundary edges, want 8", len(m.Edges))
	}
	for start := range m.Edges {
		n := 0
		for e := int32(start); n == 0 || e != int32(start); e = m.Edges[e].Next {
			n++
		}
		if n != 4 {
			t.Errorf("the loop through edge %d has %d edges, want 4", start, n)
		}
	}
}

func TestNumberingIsLocal(t *testing.T) {
	src := patch(100, 100, nil)
	rng := rand.New(rand.NewSource(1))
	rng.Shuffle(len(src.Triangles), func(i, j int) {
		src.Triangles[i], src.Triangles[j] = src.Triangles[j], src.Triangles[i]
	})
	m := build(t, src)
	width, last := int32(0), int32(0)
	for _, n := range m.Triangles {
		low := min(n[0], n[1], n[2])
		width = max(width, max(n[0], n[1], n[2])-low)
		if low < last {
			t.Fatal("triangles are not in the order of their lowest node")
		}
		last = low
	}
	if width > 210 {
		t.Errorf("bandwidth %d of 100 by 100 cells, want about 100 to 200", width)
	}
}

func TestBodiesAndGroups(t *testing.T) {
	src := patch(4, 1, nil)
	src.Groups = []SourceGroup{
		{Name: "left", Dim: 2, Number: 1, Elements: []int32{0, 1, 2, 3}},
		{Name: "right", Dim: 2, Number: 2, Elements: []int32{4, 5, 6, 7}},
		{Name: "floor", Dim: 1, Number: 3, Elements: []int32{0, 1}},
		{Name: "seam", Dim: 1, Number: 4, Elements: []int32{2}},
		{Name: "corner", Dim: 0, Number: 5, Elements: []int32{0}},
	}
	src.Lines, src.LineID = [][2]int32{{0, 1}, {2, 1}, {2, 7}}, []int64{1, 2, 3}
	src.Points = []int32{0}
	m := build(t, src, "right", "left")
	consistent(t, m)
	if m.Bodies[0].Name != "right" || m.Bodies[1].Name != "left" || m.Bodies[0].End != 4 || m.Bodies[1].First != 4 {
		t.Errorf("bodies %+v", m.Bodies)
	}
	for _, want := range []struct {
		name         string
		nodes, edges int
	}{{"left", 6, 0}, {"right", 6, 0}, {"floor", 3, 2}, {"seam", 2, 0}, {"corner", 1, 0}} {
		i := slices.IndexFunc(m.Groups, func(g Group) bool { return g.Name == want.name })
		if g := m.Groups[i]; len(g.Nodes) != want.nodes || len(g.Edges) != want.edges {
			t.Errorf("group %s has %d nodes and %d edges, want %d and %d", g.Name, len(g.Nodes), len(g.Edges), want.nodes, want.edges)
		}
	}
	alone := build(t, src, "right")
	consistent(t, alone)
	if len(alone.X) != 6 || len(alone.Groups) != 4 { // left keeps the seam's nodes, the corner is removed
		t.Errorf("right alone has %d nodes and groups %+v", len(alone.X), alone.Groups)
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Source)
		bodies []string
		want   string
	}{
		{"unknown body", func(*Source) {}, []string{"plat"}, `patch.msh: body "plat" is not in the mesh, whose named surfaces are "plate"`},
		{"two bodies", func(s *Source) {
			s.Groups = append(s.Groups, SourceGroup{Name: "too", Dim: 2, Number: 2, Elements: []int32{1}})
		}, []string{"plate", "too"}, `triangle 1002 is in body "plate" and in body "too"`},
		{"no area", func(s *Source) { s.X[1] = s.X[0] }, nil, "triangle 1001 has no area"},
		{"a node twice", func(s *Source) { s.Triangles[1][1] = s.Triangles[1][0] }, nil, "triangle 1002 has no area"},
		{"duplicate", func(s *Source) { s.Triangles[1] = [3]int32{s.Triangles[0][2], s.Triangles[0][0], s.Triangles[0][1]} }, nil, "triangles 1001 and 1002 have the same three nodes"},
		{"folded", func(s *Source) {
			s.X = append(s.X, r2.Vec{X: 0.5, Y: 0.1})
			s.NodeID = append(s.NodeID, 999)
			s.Triangles[1] = [3]int32{0, 1, int32(len(s.X) - 1)}
		}, nil, "lie on the same side of one edge"},
		{"great number", func(s *Source) { s.NodeID[2] = maxNumber + 1 }, nil, "patch.msh: node 2000000001: numbers of nodes and elements must be at most 2000000000"},
		{"small number", func(s *Source) { s.TriID[0] = -1 << 40 }, nil, "triangle -1099511627776: numbers"},
		{"empty", func(s *Source) { *s = Source{Name: s.Name} }, nil, "no triangles"},
	} {
		src := patch(1, 1, nil)
		c.change(src)
		if _, err := Build(src, c.bodies); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

func TestQuality(t *testing.T) {
	src := patch(1, 1, nil)
	q := build(t, src).Quality()
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"worst", q.Worst, 2 * (math.Sqrt2 - 1)}, {"mean", q.Mean, 2 * (math.Sqrt2 - 1)},
		{"smallest angle", q.SmallestAngle, math.Pi / 4}, {"shortest edge", q.ShortestEdge, 1}, {"longest edge", q.LongestEdge, math.Sqrt2},
	} {
		if math.Abs(c.got-c.want) > 1e-12 {
			t.Errorf("%s is %g, want %g", c.what, c.got, c.want)
		}
	}
}

func BenchmarkBuild(b *testing.B) {
	src := patch(316, 316, nil)
	for b.Loop() {
		if _, err := Build(src, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(src.Triangles)), "ns/triangle")
}

// Elements are found in the order of all their nodes, those with the same ones in the
// order in which they stand.
func TestByNodes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		node := rapid.Int32Range(0, 9)
		elements := make([][3]int32, rapid.IntRange(0, 200).Draw(t, "elements"))
		for i := range elements {
			n := [3]int32{node.Draw(t, "a"), node.Draw(t, "b"), node.Draw(t, "c")}
			elements[i] = Ascending(n)
			slices.Sort(n[:])
			if elements[i] != n {
				t.Fatalf("ascending: %v, want %v", elements[i], n)
			}
		}
		want := make([]int32, len(elements))
		for i := range want {
			want[i] = int32(i)
		}
		slices.SortStableFunc(want, func(i, k int32) int { return slices.Compare(elements[i][:], elements[k][:]) })
		if got := ByNodes(elements, 10); !slices.Equal(got, want) {
			t.Fatalf("%v: %v, want %v", elements, got, want)
		}
	})
}
