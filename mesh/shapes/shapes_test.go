package shapes

import (
	"math"
	"strings"
	"testing"

	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
	"pgregory.net/rapid"
)

// built builds a source and returns its only body's area, from the triangles
// and from the outline, which must agree where the mesh is whole.
func built(t interface{ Fatal(...any) }, src *mesh.Source) (m *mesh.Mesh, total float64) {
	m, err := mesh.Build(src, nil)
	if err != nil {
		t.Fatal(err)
	}
	outline := 0.0
	for _, v := range m.Triangles {
		total += 0.5 * r2.Cross(r2.Sub(m.X[v[1]], m.X[v[0]]), r2.Sub(m.X[v[2]], m.X[v[0]]))
	}
	for _, e := range m.Edges {
		outline += 0.5 * r2.Cross(m.X[e.A], m.X[e.B])
	}
	if math.Abs(total-outline) > 1e-9*total {
		t.Fatal("the triangles cover", total, "m2, the outline", outline)
	}
	return m, total
}

func TestShapes(t *testing.T) {
	for _, c := range []struct {
		name        string
		add         func(*mesh.Source) (Part, error)
		area        float64
		sides       int
		worst, mean float64 // the least quality
	}{
		{"rectangle", func(s *mesh.Source) (Part, error) { return Rectangle(s, "a", r2.Vec{}, r2.Vec{X: 60, Y: 20}, 1) }, 1200, 4, 0.70, 0.99},
		{"narrow", func(s *mesh.Source) (Part, error) { return Rectangle(s, "a", r2.Vec{}, r2.Vec{X: 60, Y: 1}, 1) }, 60, 4, 0.6, 0.9},
		{"disc", func(s *mesh.Source) (Part, error) { return Disc(s, "a", r2.Vec{X: 3}, 10, 1) }, 3000 * math.Sin(2*math.Pi/60), 1, 0.85, 0.93},
		{"hexagon", func(s *mesh.Source) (Part, error) {
			var c []r2.Vec
			for i := range 6 {
				c = append(c, r2.Vec{X: 10 * math.Cos(math.Pi/3*float64(i)), Y: 10 * math.Sin(math.Pi/3*float64(i))})
			}
			return Polygon(s, "a", c, 1)
		}, 150 * math.Sqrt(3), 6, 0.9, 0.99},
		{"quadrilateral", func(s *mesh.Source) (Part, error) {
			return Polygon(s, "a", []r2.Vec{{}, {X: 20, Y: 2}, {X: 17, Y: 15}, {X: 3, Y: 11}}, 1)
		}, 204, 4, 0.6, 0.98},
		{"a fan", func(s *mesh.Source) (Part, error) {
			return Polygon(s, "a", []r2.Vec{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}}, 1)
		}, 1, 4, 0.5, 0.5},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := &mesh.Source{}
			p, err := c.add(src)
			if err != nil {
				t.Fatal(err)
			}
			if len(p.sides) != c.sides {
				t.Errorf("%d sides, want %d", len(p.sides), c.sides)
			}
			for i := range c.sides {
				p.Curve("rim", i)
			}
			m, total := built(t, src)
			if math.Abs(total-c.area) > 1e-9*c.area {
				t.Errorf("area %.12g, want %.12g", total, c.area)
			}
			if m.Components != 1 || len(m.Bodies) != 1 {
				t.Errorf("%d components, %d bodies", m.Components, len(m.Bodies))
			}
			for _, g := range m.Groups { // the sides are all of the boundary
				if g.Name == "rim" && len(g.Edges) != len(m.Edges) {
					t.Errorf("%d edges on the sides, %d on the boundary", len(g.Edges), len(m.Edges))
				}
			}
			q := m.Quality()
			t.Logf("%d triangles, worst %.3f, mean %.4f, edges %.3g to %.3g", len(m.Triangles), q.Worst, q.Mean, q.ShortestEdge, q.LongestEdge)
			if q.Worst < c.worst || q.Mean < c.mean {
				t.Errorf("quality %.3f worst, %.4f mean; want %.3g, %.3g", q.Worst, q.Mean, c.worst, c.mean)
			}
		})
	}
}

// Any convex polygon without needle corners is covered, without a sliver.
func TestPolygons(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 9).Draw(t, "corners")
		radius := rapid.Float64Range(2, 12).Draw(t, "radius")
		flat := rapid.Float64Range(0.7, 1).Draw(t, "flat")
		var c []r2.Vec
		for i := range n {
			phi := 2 * math.Pi * (float64(i) + rapid.Float64Range(0, 0.4).Draw(t, "shift")) / float64(n)
			c = append(c, r2.Vec{X: radius * math.Cos(phi), Y: flat * radius * math.Sin(phi)})
		}
		src := &mesh.Source{}
		if _, err := Polygon(src, "a", c, 1); err != nil {
			t.Fatal(err)
		}
		m, total := built(t, src)
		if math.Abs(total-mesh.Polygon(c).Area()) > 1e-9*total {
			t.Fatal("area", total, "of", mesh.Polygon(c).Area())
		}
		if q := m.Quality(); q.Worst < 0.25 || q.Mean < 0.75 {
			t.Fatal("quality", q.Worst, q.Mean, "with", len(m.Triangles), "triangles")
		}
	})
}

func TestLine(t *testing.T) {
	src := &mesh.Source{}
	if _, err := Line(src, "beam", r2.Vec{X: 1}, r2.Vec{X: 4, Y: 4}, 1, "clamp", ""); err != nil {
		t.Fatal(err)
	}
	if len(src.Lines) != 5 || len(src.Points) != 1 || len(src.Groups) != 2 {
		t.Errorf("%d lines, %d points, %d groups", len(src.Lines), len(src.Points), len(src.Groups))
	}
	for _, c := range []struct {
		end   string
		nodes int // more
	}{{"", 3}, {"other", 3}, {"clamp", 2}} { // an end of the same name at the same place is the same
		before := len(src.X)
		if _, err := Line(src, "post", r2.Vec{X: 1, Y: -2}, r2.Vec{X: 1}, 1, "", c.end); err != nil {
			t.Fatal(err)
		}
		if got := len(src.X) - before; got != c.nodes {
			t.Errorf("a line of two parts that ends at %q adds %d nodes, want %d", c.end, got, c.nodes)
		}
	}
	if n := src.Lines[len(src.Lines)-1]; src.X[n[1]] != (r2.Vec{X: 1}) || n[1] != src.Points[0] {
		t.Errorf("the line ends at node %d, want %d", n[1], src.Points[0])
	}
}

func TestRefused(t *testing.T) {
	square := []r2.Vec{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}}
	for name, f := range map[string]func(*mesh.Source) (Part, error){
		"edge":      func(s *mesh.Source) (Part, error) { return Disc(s, "a", r2.Vec{}, 1, 0) },
		"fine":      func(s *mesh.Source) (Part, error) { return Disc(s, "a", r2.Vec{}, 1, 1e-6) },
		"inside":    func(s *mesh.Source) (Part, error) { return Rectangle(s, "a", r2.Vec{X: 1}, r2.Vec{Y: 1}, 1) },
		"point":     func(s *mesh.Source) (Part, error) { return Line(s, "a", r2.Vec{}, r2.Vec{}, 1, "", "") },
		"two":       func(s *mesh.Source) (Part, error) { return Polygon(s, "a", square[:2], 1) },
		"clockwise": func(s *mesh.Source) (Part, error) { return Polygon(s, "a", []r2.Vec{{}, {Y: 1}, {X: 1}}, 1) },
		"star": func(s *mesh.Source) (Part, error) {
			return Polygon(s, "a", []r2.Vec{{}, {X: 2}, {X: 1, Y: 0.5}, {X: 1, Y: 3}}, 1)
		},
		"twice": func(s *mesh.Source) (Part, error) { return Polygon(s, "a", append(square, square...), 1) },
	} {
		if _, err := f(&mesh.Source{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Bodies that are joined share the nodes where they touch, and the side between them is there once.
// Bodies that touch beside their nodes are refused, and bodies that are not named stay separate.
func TestJoin(t *testing.T) {
	model := func(edge float64) *mesh.Source {
		src := &mesh.Source{}
		for _, c := range []struct {
			name     string
			from, to r2.Vec
			side     int
			edge     float64
		}{{"left", r2.Vec{}, r2.Vec{X: 5, Y: 4}, Right, 0.5}, {"right", r2.Vec{X: 5}, r2.Vec{X: 9, Y: 4}, Left, edge}, {"other", r2.Vec{Y: 4}, r2.Vec{X: 5, Y: 6}, Bottom, 0.5}} {
			p, err := Rectangle(src, c.name, c.from, c.to, c.edge)
			if err != nil {
				t.Fatal(err)
			}
			p.Curve("seam", c.side)
		}
		return src
	}
	src := model(0.5)
	nodes, seam := len(src.X), len(src.Groups[1].Elements)
	if err := Join(src, []string{"left", "right"}); err != nil {
		t.Fatal(err)
	}
	m, whole := built(t, src)
	const along = 9 // edges of the side between, 4 over 0.5 times 0.87
	if len(m.X) != len(src.X) || len(src.X) != nodes-along-1 || math.Abs(whole-(5*4+4*4+5*2)) > 1e-9 {
		t.Errorf("%d nodes of %d, area %g", len(src.X), nodes, whole)
	}
	if got := len(src.Groups[1].Elements); got != seam-along || len(src.Lines) != got {
		t.Errorf("the seam has %d edges of %d, the file %d", got, seam, len(src.Lines))
	}
	if err := Join(model(0.7), []string{"left", "right"}); err == nil || !strings.Contains(err.Error(), "do not fit together at (5, ") {
		t.Errorf("sides of other parts: %v", err)
	}
	if err := Join(model(0.5), []string{"left", "rihgt"}); err == nil {
		t.Error("a body that is not there is joined")
	}
}

// Shaken triangles cover what they covered, keep most of their area and form no rows. A seed always
// gives the same mesh, and nodes of the outline do not move.
func TestShake(t *testing.T) {
	for name, add := range map[string]func(*mesh.Source) (Part, error){
		"rectangle": func(s *mesh.Source) (Part, error) { return Rectangle(s, "a", r2.Vec{}, r2.Vec{X: 25, Y: 50}, 2) },
		"disc":      func(s *mesh.Source) (Part, error) { return Disc(s, "a", r2.Vec{X: 3}, 25, 1.5) },
		"polygon": func(s *mesh.Source) (Part, error) {
			return Polygon(s, "a", []r2.Vec{{}, {X: 20, Y: 2}, {X: 17, Y: 15}, {X: 3, Y: 11}}, 1)
		},
	} {
		made := func(seed uint64) *mesh.Source {
			src := &mesh.Source{}
			src.AddTriangle(src.AddNode(r2.Vec{X: -9}), src.AddNode(r2.Vec{X: -8}), src.AddNode(r2.Vec{X: -8, Y: 1}))
			if _, err := add(src); err != nil {
				t.Fatal(err)
			}
			if seed > 0 {
				Perturb(src, 1, 1, seed)
			}
			return src
		}
		plain, one, again, two := made(0), made(1), made(1), made(2)
		differ, moved := 0, 0
		for n := range plain.X {
			if one.X[n] != again.X[n] {
				t.Fatalf("%s: node %d is elsewhere with the same seed", name, n)
			}
			d := r2.Sub(one.X[n], plain.X[n])
			if math.Abs(d.X) > perturbation || math.Abs(d.Y) > perturbation {
				t.Errorf("%s: node %d moved by %v", name, n, d)
			}
			if d != (r2.Vec{}) {
				moved++
			}
			if one.X[n] != two.X[n] {
				differ++
			}
		}
		if moved < len(plain.X)/2 || differ != moved {
			t.Errorf("%s: %d of %d nodes moved, %d differ by the seed", name, moved, len(plain.X), differ)
		}
		m, before := built(t, plain)
		_, after := built(t, one)
		if math.Abs(after-before) > 1e-9*before {
			t.Errorf("%s: %g m2 became %g", name, before, after)
		}
		if len(m.Edges) == 0 || one.X[0] != plain.X[0] {
			t.Errorf("%s: a triangle before it moved", name)
		}
		for i := range one.Triangles {
			corner := func(s *mesh.Source) (c [3]r2.Vec) {
				for k, n := range s.Triangles[i] {
					c[k] = s.X[n]
				}
				return c
			}
			if now, then := twice(corner(plain)), twice(corner(one)); then < heightKept*now {
				t.Errorf("%s: triangle %d lost too much, %g of %g", name, i, then, now)
			}
		}
	}
}
