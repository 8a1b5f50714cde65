package plan

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"

	"fdem/io/tables"
	"fdem/io/throw"
	"fdem/mesh"
	"fdem/mesh/network"
	"fdem/mesh/shapes"

	"gonum.org/v1/gonum/spatial/r2"
)

// ReadShapes reads a shapes file in TOML with rectangles, discs, convex polygons,
// lines and points, and makes a mesh from it. Mistakes are *Error with file, line and
// column. It fails for a file with rocks.
func ReadShapes(path string) (*mesh.Source, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return ParseShapes(path, data)
}

// ParseShapes is ReadShapes for a text. name is its file name, for messages.
func ParseShapes(name string, data []byte) (*mesh.Source, error) {
	src, rocks, err := ParseRocks(name, data)
	if err == nil && rocks != nil {
		err = fmt.Errorf("%s: joints, grains and layers are meshed by fdem mesh", name)
	}
	return src, err
}

// The keys of shapes, see docs/deck.md.
var (
	shapeName  = tables.Key{Name: "name", Kind: tables.Text, Example: `"block"`, Doc: "name of the body"}
	shapeEdge  = tables.Key{Name: "edge", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Default: "-", Doc: "length of the edges of elements"}
	shapeSeed  = tables.Key{Name: "seed", Kind: tables.Whole, Bounds: tables.Within(0, math.MaxInt32), Default: "-", Doc: "seed of the random positions of inner nodes. Without it triangles are in rows, along which cracks run more easily"}
	shapeBlock = func(name string, keys ...tables.Key) *tables.Block {
		return &tables.Block{Name: name, Many: true, Keys: append([]tables.Key{shapeName, shapeEdge, shapeSeed}, keys...)}
	}
	spot = func(name string) tables.Key {
		return tables.Key{Name: name, Kind: tables.Pair, Dim: tables.Length, Example: `["10 mm", "0 mm"]`}
	}
	curve      = func(name string) tables.Key { return tables.Key{Name: name, Kind: tables.Text, Default: "-"} }
	shapesJoin = tables.Key{Name: "join", Kind: tables.List, Default: "-", Doc: "bodies whose shapes share nodes where they touch"}
)

var pointBlock = &tables.Block{Name: "point", Many: true, Keys: []tables.Key{
	{Name: "name", Kind: tables.Text, Example: `"axle"`, Doc: "name of the point"},
	{Name: "body", Kind: tables.Text, Example: `"wheel"`, Doc: "name of the body whose node it is"}, spot("at"),
}}

// kindOfShape is one kind of shape: its block in a file, and the function that reads a block and
// meshes the shape.
type kindOfShape struct {
	*tables.Block
	read   func(t *tables.Reader, src *mesh.Source, name string, edge float64, joined bool) error
	region bool // it can have joints, grains and layers
}

// shapeKinds are the kinds of shapes, meshed in this order.
var shapeKinds = []kindOfShape{rectangles, discs, polygons, lines}

var (
	rectangles = kindOfShape{shapeBlock("rectangle", spot("from"), spot("to"), curve("bottom"), curve("right"), curve("top"), curve("left")), readRectangle, true}
	discs      = kindOfShape{shapeBlock("disc", spot("centre"), tables.Key{Name: "radius", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Example: `"10 mm"`}, curve("rim")), readDisc, false}
	polygons   = kindOfShape{shapeBlock("polygon", tables.Key{Name: "corners", Kind: tables.List, Dim: tables.Length, Example: `[[0, 0], ["10 mm", 0], [0, "10 mm"]]`}, tables.Key{Name: "sides", Kind: tables.List, Default: "-"}), readPolygon, true}
	lines      = kindOfShape{&tables.Block{Name: "line", Many: true, Keys: []tables.Key{shapeName, shapeEdge, spot("from"), spot("to"), curve("start"), curve("end")}}, readLine, false}
)

// shapesSchema returns all blocks of a file, the keys at its top first.
func shapesSchema() []*tables.Block {
	blocks := []*tables.Block{{Keys: []tables.Key{shapeEdge, shapeSeed, shapesJoin}}}
	for _, kind := range shapeKinds {
		blocks = append(blocks, kind.Block)
	}
	return append(append(blocks, pointBlock), rockSchema...)
}

// JSONSchema returns the JSON Schema of shapes files, see tables.JSONSchema.
func JSONSchema() map[string]any { return tables.JSONSchema("shapes of fdem", shapesSchema()) }

// ParseRocks is ParseShapes for files with rocks. It returns the rocks in addition to
// the mesh of the other shapes: regions with joints, grains or layers, which Gmsh must
// mesh.
func ParseRocks(name string, data []byte) (src *mesh.Source, made []Rock, err error) {
	defer throw.Catch(&err)
	doc, err := tables.Open(name, data)
	if err != nil {
		return nil, nil, err
	}
	top := doc.Top(shapesSchema())
	src = &mesh.Source{Name: name}
	edge := top.Number("edge")
	var joined []string
	for _, e := range top.List("join", 0) {
		name, ok := e.(string)
		if !ok {
			top.Bad("join", "join must be names of bodies in quotes, got %s", tables.Describe(e))
		}
		joined = append(joined, name)
	}
	regions, known := readShapes(top, src, edge, joined)
	made = rocks(top, regions, known)
	for _, t := range top.Blocks(pointBlock) {
		t.Check(nil)
		if err := shapes.Point(src, t.Text("name"), t.Text("body"), t.Vector("at")); err != nil {
			t.Bad("at", "%v", err)
		}
		t.Done()
	}
	checkJoined(top, src, joined)
	top.Done()
	if len(src.X) == 0 && made == nil {
		doc.Fail(len(data), "the file has no [[rectangle]], [[disc]], [[polygon]] or [[line]]")
	}
	if joined != nil {
		if err := shapes.Join(src, joined); err != nil {
			top.Bad("join", "%v", err)
		}
	}
	return src, made, nil
}

// readShapes meshes the shapes, except those with joints, grains or layers. It returns
// these as regions, and the names of all shapes that can be regions.
func readShapes(top *tables.Reader, src *mesh.Source, edge float64, joined []string) (regions []region, known []string) {
	filled := namedIn(top)
	for _, kind := range shapeKinds {
		for _, t := range top.Blocks(kind.Block) {
			t.Check(nil)
			own := cmp.Or(t.Number("edge"), edge)
			if own == 0 {
				t.Bad("edge", `edge is missing, here or at the top of the file, for instance edge = "1 mm"`)
			}
			name := t.Text("name")
			if kind.region {
				known = append(known, name)
			}
			if filled[name] && kind.region {
				regions = append(regions, filledRegion(t, name, own, joined))
				t.Done()
				continue
			}
			first := len(src.Triangles)
			if err := kind.read(t, src, name, own, slices.Contains(joined, name)); err != nil {
				t.Bad("name", "%v", err)
			}
			perturb(top, t, src, first, own)
			t.Done()
		}
	}
	return regions, known
}

// filledRegion reads a shape with joints, grains or layers.
func filledRegion(t *tables.Reader, name string, edge float64, joined []string) region {
	if slices.Contains(joined, name) {
		t.Bad("name", "%q has joints, grains or layers: leave it out of join", name)
	}
	if t.Has("seed") {
		t.Bad("seed", "%q has joints, grains or layers, so that Gmsh meshes it without rows of triangles: leave the seed out", name)
	}
	return regionOf(t, name, edge)
}

// checkJoined stops at names in join that no shape has.
func checkJoined(top *tables.Reader, src *mesh.Source, joined []string) {
	var bodies []string
	for _, g := range src.Groups {
		if g.Dim == 2 {
			bodies = append(bodies, g.Name)
		}
	}
	for _, name := range joined {
		if !slices.Contains(bodies, name) {
			top.Bad("join", "there is no shape of the body %q%s", name, tables.Nearest(name, bodies))
		}
	}
}

// perturb moves the nodes inside a shape, whose triangles begin at number first, if the
// shape or the file has a seed.
func perturb(top, t *tables.Reader, src *mesh.Source, first int, edge float64) {
	of := t
	if first == len(src.Triangles) || !t.Has("seed") {
		of = top
	}
	if seed := uint64(of.Whole("seed")); of.Has("seed") && first < len(src.Triangles) {
		shapes.Perturb(src, first, edge, seed)
	}
}

// namedIn returns the bodies that get joints, grains or layers.
func namedIn(top *tables.Reader) map[string]bool {
	out := map[string]bool{}
	for _, b := range rockSchema {
		blocks, _ := top.Values[b.Name].([]any)
		for _, v := range blocks {
			if t, ok := v.(map[string]any); ok {
				if name, ok := t["in"].(string); ok {
					out[name] = true
				}
			}
		}
	}
	return out
}

// regionOf reads a rectangle or a polygon as a region.
func regionOf(t *tables.Reader, name string, edge float64) region {
	r := region{name: name, edge: edge, at: t}
	if t.Name == "rectangle" {
		from, to := rectangleOf(t)
		r.Region = network.Region{from, {X: to.X, Y: from.Y}, to, {X: from.X, Y: to.Y}}
		for _, key := range []string{"bottom", "right", "top", "left"} {
			r.sides = append(r.sides, t.Text(key))
		}
		return r
	}
	r.Region = PolygonOf(t)
	if err := r.Check(); err != nil {
		t.Bad("corners", "%v", err)
	}
	r.sides = sidesOf(t, len(r.Region))
	return r
}

func readRectangle(t *tables.Reader, src *mesh.Source, name string, edge float64, joined bool) error {
	from, to := rectangleOf(t)
	rectangle := shapes.Rectangle
	if joined {
		rectangle = shapes.WholeRectangle
	}
	p, err := rectangle(src, name, from, to, edge)
	if err != nil {
		return err
	}
	for side, key := range [...]string{shapes.Bottom: "bottom", shapes.Right: "right", shapes.Top: "top", shapes.Left: "left"} {
		if curve := t.Text(key); curve != "" {
			p.Curve(curve, side)
		}
	}
	return nil
}

// rectangleOf reads the corners of a rectangle.
func rectangleOf(t *tables.Reader) (from, to r2.Vec) {
	from, to = t.Vector("from"), t.Vector("to")
	if !(from.X < to.X && from.Y < to.Y) {
		t.Bad("to", "to must lie to the right of from and above it")
	}
	return from, to
}

func readDisc(t *tables.Reader, src *mesh.Source, name string, edge float64, _ bool) error {
	centre := t.Vector("centre")
	p, err := shapes.Disc(src, name, centre, t.Number("radius"), edge)
	if err != nil {
		return err
	}
	if rim := t.Text("rim"); rim != "" {
		p.Curve(rim, 0)
	}
	if radius := t.Number("radius"); edge > radius {
		src.Warnings = append(src.Warnings, fmt.Sprintf("disc %q: its edge of %.4g m is longer than its radius of %.4g m, so that it is a hexagon: for a fairly round disc take an edge of a fifth of the radius", name, edge, radius))
	}
	return nil
}

func readPolygon(t *tables.Reader, src *mesh.Source, name string, edge float64, _ bool) error {
	corners := PolygonOf(t)
	sides := sidesOf(t, len(corners))
	p, err := shapes.Polygon(src, name, corners, edge)
	if err != nil {
		return err
	}
	for i, curve := range sides {
		if curve != "" {
			p.Curve(curve, i)
		}
	}
	return nil
}

// PolygonOf reads the corners of a polygon.
func PolygonOf(t *tables.Reader) (corners []r2.Vec) {
	for _, e := range t.List("corners", 0) {
		l, ok := e.([]any)
		if !ok || len(l) != 2 {
			t.Bad("corners", "corners must be a list of [x, y], got %s in it", tables.Describe(e))
		}
		corners = append(corners, r2.Vec{X: t.Component("corners", l[0], tables.Length), Y: t.Component("corners", l[1], tables.Length)})
	}
	return corners
}

// sidesOf reads the names of the sides of a polygon.
func sidesOf(t *tables.Reader, corners int) (names []string) {
	sides := t.List("sides", 0)
	if sides != nil && len(sides) != corners {
		t.Bad("sides", "sides must name the %d sides, \"\" for none, got %d", corners, len(sides))
	}
	for _, s := range sides {
		name, ok := s.(string)
		if !ok {
			t.Bad("sides", "sides must be names, got %s", tables.Describe(s))
		}
		names = append(names, name)
	}
	return names
}

func readLine(t *tables.Reader, src *mesh.Source, name string, edge float64, _ bool) error {
	_, err := shapes.Line(src, name, t.Vector("from"), t.Vector("to"), edge, t.Text("start"), t.Text("end"))
	return err
}
