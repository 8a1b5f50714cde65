package deck

import (
	"os"

	"fdem/mesh"
	"fdem/mesh/shapes"

	"gonum.org/v1/gonum/spatial/r2"
)

// ReadShapes reads a shapes file: rectangles, discs, convex polygons and lines
// in TOML, from which it makes a mesh. Mistakes are *Error with file, line and
// column.
func ReadShapes(path string) (*mesh.Source, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return ParseShapes(path, data)
}

// ParseShapes reads a shapes file's text. name is its file name, for messages.
func ParseShapes(name string, data []byte) (src *mesh.Source, err error) {
	defer catch(&err)
	doc, values, err := open(name, data)
	if err != nil {
		return nil, err
	}
	root := &table{document: doc, values: values}
	src = &mesh.Source{Name: name}
	edge := root.positive("edge", Length, 0, "m")
	for _, shape := range []struct {
		key  string
		read func(t *table, src *mesh.Source, name string, edge float64) error
	}{{"rectangle", readRectangle}, {"disc", readDisc}, {"polygon", readPolygon}, {"line", readLine}} {
		for _, t := range root.blocks(shape.key) {
			t.need("name", `"block"`)
			name := t.text("name", "")
			own := t.positive("edge", Length, edge, "m")
			if own == 0 {
				t.bad("edge", `edge is missing, here or at the top of the file, for instance edge = "1 mm"`)
			}
			if err := shape.read(t, src, name, own); err != nil {
				t.bad("name", "%v", err)
			}
			t.done()
		}
	}
	root.done()
	if len(src.X) == 0 {
		doc.fail(len(data), "the file has no [[rectangle]], [[disc]], [[polygon]] or [[line]]")
	}
	return src, nil
}

// corner reads a point that must be given.
func corner(t *table, key string) r2.Vec {
	t.need(key, `["10 mm", "0 mm"]`)
	x, y := t.vector(key, Length)
	return r2.Vec{X: x, Y: y}
}

func readRectangle(t *table, src *mesh.Source, name string, edge float64) error {
	from, to := corner(t, "from"), corner(t, "to")
	if !(from.X < to.X && from.Y < to.Y) {
		t.bad("to", "to must lie right of and above from")
	}
	p, err := shapes.Rectangle(src, name, from, to, edge)
	if err != nil {
		return err
	}
	for side, key := range [...]string{shapes.Bottom: "bottom", shapes.Right: "right", shapes.Top: "top", shapes.Left: "left"} {
		if curve := t.text(key, ""); curve != "" {
			p.Curve(curve, side)
		}
	}
	return nil
}

func readDisc(t *table, src *mesh.Source, name string, edge float64) error {
	centre := corner(t, "centre")
	t.need("radius", `"10 mm"`)
	p, err := shapes.Disc(src, name, centre, t.positive("radius", Length, 0, "m"), edge)
	if rim := t.text("rim", ""); err == nil && rim != "" {
		p.Curve(rim, 0)
	}
	return err
}

func readPolygon(t *table, src *mesh.Source, name string, edge float64) error {
	t.need("corners", `[[0, 0], ["10 mm", 0], [0, "10 mm"]]`)
	var corners []r2.Vec
	for _, e := range t.list("corners", 0) {
		l, ok := e.([]any)
		if !ok || len(l) != 2 {
			t.bad("corners", "corners must be a list of [x, y], got %s in it", describe(e))
		}
		corners = append(corners, r2.Vec{X: t.number("corners", l[0], Length), Y: t.number("corners", l[1], Length)})
	}
	sides := t.list("sides", 0)
	if sides != nil && len(sides) != len(corners) {
		t.bad("sides", "sides must name the %d sides, \"\" for none, got %d", len(corners), len(sides))
	}
	p, err := shapes.Polygon(src, name, corners, edge)
	if err != nil {
		return err
	}
	for i, s := range sides {
		curve, ok := s.(string)
		if !ok {
			t.bad("sides", "sides must be names, got %s", describe(s))
		}
		if curve != "" {
			p.Curve(curve, i)
		}
	}
	return nil
}

func readLine(t *table, src *mesh.Source, name string, edge float64) error {
	p, err := shapes.Line(src, name, corner(t, "from"), corner(t, "to"), edge)
	if err == nil {
		p.Ends(t.text("start", ""), t.text("end", ""))
	}
	return err
}
