package mesh_test

import (
	"math"
	"testing"

	"fdem/mesh"
	"fdem/mesh/shapes"

	"gonum.org/v1/gonum/spatial/r2"
)

// ring appends a ring of mean radius 1 of so many layers, each of so many
// cells of two triangles, of a thickness.
func ring(src *mesh.Source, layers, cells int, thickness float64) {
	g := mesh.SourceGroup{Name: "body", Dim: 2, Number: 1}
	for j := range layers + 1 {
		r := 1 + thickness*(float64(j)/float64(layers)-0.5)
		for i := range cells {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(cells))
			src.X = append(src.X, r2.Vec{X: r * cos, Y: r * sin})
			src.NodeID = append(src.NodeID, int64(len(src.X)))
		}
	}
	for j := range layers {
		for i := range cells {
			a, b := int32(j*cells+i), int32(j*cells+(i+1)%cells)
			c, d := b+int32(cells), a+int32(cells)
			for _, t := range [][3]int32{{a, c, b}, {a, d, c}} {
				g.Elements = append(g.Elements, int32(len(src.Triangles)))
				src.Triangles = append(src.Triangles, t)
				src.TriID = append(src.TriID, int64(len(src.Triangles)))
			}
		}
	}
	src.Groups = append(src.Groups, g)
}

// Strips and rings of fewer than five triangles across are thin, and as many
// are counted; squares, discs and stouter blocks are not, however coarse.
func TestThin(t *testing.T) {
	rectangle := func(long, high, edge float64) func(*mesh.Source) error {
		return func(src *mesh.Source) error {
			_, err := shapes.Rectangle(src, "body", r2.Vec{}, r2.Vec{X: long, Y: high}, edge)
			return err
		}
	}
	polygon := func(edge float64, corners ...r2.Vec) func(*mesh.Source) error {
		return func(src *mesh.Source) error {
			_, err := shapes.Polygon(src, "body", corners, edge)
			return err
		}
	}
	disc := func(edge float64) func(*mesh.Source) error {
		return func(src *mesh.Source) error {
			_, err := shapes.Disc(src, "body", r2.Vec{}, 1, edge)
			return err
		}
	}
	rows := 2 / math.Sqrt(3) // edge of one row over its height
	for _, c := range []struct {
		name string
		make func(*mesh.Source) error
		want float64 // 0: not thin
	}{
		{"strip of 1", rectangle(10, 1, rows), 1},
		{"strip of 2", rectangle(10, 1, rows/2), 2},
		{"strip of 3", rectangle(10, 1, rows/3), 3},
		{"strip of 4", rectangle(10, 1, rows/4), 4},
		{"strip of 5", rectangle(10, 1, rows/5), 5},
		{"strip of 6", rectangle(40, 1, rows/6), 0},
		{"unstructured strip of 3", polygon(1.0/3, r2.Vec{}, r2.Vec{X: 10}, r2.Vec{X: 10, Y: 1}, r2.Vec{Y: 1}), 3},
		{"unstructured strip of 8", polygon(1.0/8, r2.Vec{}, r2.Vec{X: 10}, r2.Vec{X: 10, Y: 1}, r2.Vec{Y: 1}), 0},
		{"block of 2 by 1", rectangle(2, 1, 0.3), 0},
		{"square of 2", rectangle(1, 1, rows/2), 0},
		{"square of 4", rectangle(1, 1, rows/4), 0},
		{"triangle", polygon(0.5, r2.Vec{}, r2.Vec{X: 1}, r2.Vec{X: 0.5, Y: 0.9}), 0},
		{"coarse disc", disc(0.9), 0},
		{"disc", disc(0.4), 0},
		{"ring of 2", func(src *mesh.Source) error { ring(src, 2, 60, 0.2); return nil }, 2},
		{"ring of 4", func(src *mesh.Source) error { ring(src, 4, 60, 0.2); return nil }, 4},
		{"ring of 5", func(src *mesh.Source) error { ring(src, 5, 60, 0.2); return nil }, 5},
		{"disc with a hole", func(src *mesh.Source) error { ring(src, 3, 20, 1.6); return nil }, 0},
		{"two squares", func(src *mesh.Source) error {
			if err := rectangle(1, 1, rows/3)(src); err != nil {
				return err
			}
			_, err := shapes.Rectangle(src, "body", r2.Vec{X: 2}, r2.Vec{X: 3, Y: 1}, rows/3)
			return err
		}, 0},
		{"a square and a strip", func(src *mesh.Source) error {
			if err := rectangle(1, 1, rows/3)(src); err != nil {
				return err
			}
			_, err := shapes.Rectangle(src, "body", r2.Vec{X: 2}, r2.Vec{X: 12, Y: 1}, rows/3)
			return err
		}, 3},
	} {
		src := &mesh.Source{Name: c.name}
		if err := c.make(src); err != nil {
			t.Fatal(err)
		}
		m, err := mesh.Build(src, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Thin()[0]; math.Abs(got-c.want) > 0.3 {
			t.Errorf("%s: %.3g across, want %g", c.name, got, c.want)
		}
	}
}
