package traces

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// drawing is a DXF: layers, blocks and the entities of model space. A file is pairs of lines:
// a group code and a value. Code 0 begins an entity.
type drawing struct {
	*reader
	at      int // line
	section string
	layers  map[string]layer // by folded name
	names   []string         // of layers
	blocks  map[string]*block
	block   *block  // present one
	entity  *entity // present one
	model   block
	hidden  int // entities that are not visible, on paper or on other layers
	ended   bool
}

// layer is the state of a layer.
type layer struct{ off, frozen bool }

// block is a list of entities with their origin.
type block struct {
	base     r2.Vec
	entities []*entity
}

// entity is the groups of an entity, in the order of the file.
type entity struct {
	kind   string
	line   int // last
	groups []group
	parts  []*entity // vertices of a polyline
}

type group struct {
	code  int
	value string
	line  int
}

func (d *drawing) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", d.name, d.at, fmt.Sprintf(format, args...))
}

// dxf reads lines, polylines, arcs, splines and parts of ellipses of model space, on visible
// layers or those chosen, and of the blocks that are inserted there. All else is counted.
func (r *reader) dxf(data []byte) error {
	d := drawing{reader: r, layers: map[string]layer{}, blocks: map[string]*block{}}
	next := func() (string, bool) {
		if len(data) == 0 {
			return "", false
		}
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		data = rest
		d.at++
		return strings.TrimSpace(string(line)), true
	}
	for {
		text, ok := next()
		if !ok || text == "" && len(bytes.TrimSpace(data)) == 0 {
			break
		}
		code, err := strconv.Atoi(text)
		if err != nil {
			return d.errorf("expected a group code of a DXF, found %.40q", text)
		}
		value, ok := next()
		if !ok {
			return d.errorf("the value of the last group is missing")
		}
		if code == 0 {
			d.begin(value)
		} else if e := d.entity; e != nil {
			e.groups, e.line = append(e.groups, group{code, value, d.at}), d.at
		}
	}
	d.begin("")
	last := d.at
	for _, e := range d.model.entities {
		if err := d.add(e, placed{scale: [2]float64{1, 1}}, ""); err != nil {
			return err
		}
	}
	if err := r.absent(d.names); err != nil {
		return err
	}
	if d.hidden > 0 {
		r.left["on layers that are off, frozen or not chosen, or on paper"] = d.hidden
	}
	switch {
	case len(r.traces) == 0 && d.hidden > 0:
		return fmt.Errorf("%s: the file has no LINE, LWPOLYLINE, POLYLINE, ARC or SPLINE on a visible layer of model space; %s", r.name, "left out: "+counted(r.left))
	case len(r.traces) == 0 && len(r.left) > 0:
		return fmt.Errorf("%s: the file has no LINE, LWPOLYLINE, POLYLINE, ARC or SPLINE in model space; left out: %s", r.name, counted(r.left))
	case len(r.traces) == 0:
		return fmt.Errorf("%s: the file has no LINE, LWPOLYLINE, POLYLINE, ARC or SPLINE in model space", r.name)
	case !d.ended:
		d.at = last
		return d.errorf("the file ends without EOF: is it incomplete?")
	}
	return nil
}

// begin ends the present entity and begins one of a kind.
func (d *drawing) begin(kind string) {
	if e := d.entity; e != nil {
		d.end(e)
	}
	d.entity = &entity{kind: kind, line: d.at}
	switch kind {
	case "ENDSEC":
		d.section = ""
	case "ENDBLK":
		d.block = nil
	case "EOF":
		d.ended = true
	}
}

// end keeps an entity where it belongs.
func (d *drawing) end(e *entity) {
	switch e.kind {
	case "", "ENDSEC", "ENDBLK", "EOF", "SEQEND", "TABLE", "ENDTAB":
		return
	case "SECTION":
		d.section = strings.ToUpper(e.text(2))
		return
	case "BLOCK":
		d.block = &block{base: r2.Vec{X: e.loose(10), Y: e.loose(20)}}
		d.blocks[folded(e.text(2))] = d.block
		return
	case "LAYER":
		if d.section == "TABLES" {
			d.layers[folded(e.text(2))] = layer{off: e.loose(62) < 0, frozen: int(e.loose(70))&1 == 1}
			d.names = append(d.names, e.text(2))
			return
		}
	}
	to := &d.model
	switch {
	case d.block != nil:
		to = d.block
	case d.section != "" && d.section != "ENTITIES":
		return
	}
	if e.kind == "VERTEX" || e.kind == "ATTRIB" {
		if n := len(to.entities); n > 0 {
			to.entities[n-1].parts = append(to.entities[n-1].parts, e)
		}
		return
	}
	to.entities = append(to.entities, e)
}

func folded(name string) string { return strings.ToUpper(name) }

// text returns the value of a group, "" where there is none.
func (e *entity) text(code int) string {
	for _, g := range e.groups {
		if g.code == code {
			return g.value
		}
	}
	return ""
}

// loose returns a number, 0 where there is none.
func (e *entity) loose(code int) float64 {
	v, _ := strconv.ParseFloat(e.text(code), 64)
	return v
}

// number returns the number of a group, otherwise where there is none.
func (d *drawing) number(e *entity, code int, otherwise float64) (float64, error) {
	list, err := d.numbers(e, code)
	if err != nil || len(list) == 0 {
		return otherwise, err
	}
	return list[0], nil
}

// numbers returns all numbers of a group.
func (d *drawing) numbers(e *entity, code int) (out []float64, err error) {
	for _, g := range e.groups {
		if g.code != code {
			continue
		}
		v, err := strconv.ParseFloat(g.value, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%s:%d: expected a number, found %.40q", d.name, g.line, g.value)
		}
		out = append(out, v)
	}
	return out, nil
}

// points returns the points of two groups.
func (d *drawing) points(e *entity, x, y int) (out []r2.Vec, err error) {
	xs, err := d.numbers(e, x)
	if err != nil {
		return nil, err
	}
	ys, err := d.numbers(e, y)
	if err != nil {
		return nil, err
	}
	for i := range min(len(xs), len(ys)) {
		out = append(out, r2.Vec{X: xs[i], Y: ys[i]})
	}
	return out, nil
}

// placed is where a block stands: its points are mirrored, scaled, rotated and moved, by
// those of the blocks around it, too.
type placed struct {
	in     *placed
	base   r2.Vec
	scale  [2]float64
	angle  float64 // [degrees]
	at     r2.Vec
	mirror bool // the insertion's own x axis is reversed
	depth  int
}

// point returns a point of a block in the drawing.
func (p *placed) point(x r2.Vec) r2.Vec {
	if p.in == nil {
		return x
	}
	x = r2.Vec{X: p.scale[0] * (x.X - p.base.X), Y: p.scale[1] * (x.Y - p.base.Y)}
	sin, cos := turned(p.angle)
	x = r2.Vec{X: float64(cos*x.X) - float64(sin*x.Y) + p.at.X, Y: float64(sin*x.X) + float64(cos*x.Y) + p.at.Y}
	if p.mirror {
		x.X = -x.X
	}
	return p.in.point(x)
}

// turned returns sine and cosine of an angle [degrees], exact at right angles.
func turned(degrees float64) (sin, cos float64) {
	switch turn := math.Mod(degrees, 360); turn {
	case 0:
		return 0, 1
	case 90, -270:
		return 1, 0
	case 180, -180:
		return 0, -1
	case 270, -90:
		return -1, 0
	default:
		return elementary.Sincos(turn * math.Pi / 180)
	}
}

// visible tells whether an entity is to be read. What stands on layer 0 in a block is on
// the layer of the insertion.
func (d *drawing) visible(e *entity, around string) (on string, yes bool) {
	on = e.text(8)
	if on == "" {
		on = "0"
	}
	if on == "0" && around != "" {
		on = around
	}
	d.names = append(d.names, on)
	if len(d.names) > 1000 { // many entities, few layers
		seen := map[string]bool{}
		var short []string
		for _, n := range d.names {
			if !seen[n] {
				seen[n], short = true, append(short, n)
			}
		}
		d.names = short
	}
	if e.text(60) == "1" || e.text(67) == "1" {
		return on, false
	}
	l := d.layers[folded(on)]
	if e.kind == "INSERT" { // its entities have layers of their own
		return on, !l.frozen || len(d.Layers) > 0
	}
	if len(d.Layers) > 0 {
		return on, d.wants(on)
	}
	return on, !l.off && !l.frozen
}

// drawnKinds are the entities that may be traces, or hold some.
var drawnKinds = []string{"LINE", "LWPOLYLINE", "POLYLINE", "ARC", "ELLIPSE", "SPLINE", "INSERT"}

// add adds what an entity draws.
func (d *drawing) add(e *entity, where placed, around string) error {
	on, visible := d.visible(e, around)
	switch {
	case !visible:
		if slices.Contains(drawnKinds, e.kind) {
			d.hidden++
		}
		return nil
	case e.kind == "INSERT":
		return d.insert(e, where, on)
	}
	d.at = e.line
	points, closed, curved, err := d.drawn(e)
	if err != nil {
		return err
	}
	if points == nil {
		d.left[e.kind]++
		return nil
	}
	if z, err := d.number(e, 230, 1); err != nil {
		return err
	} else if z < 0 && e.kind != "LINE" && e.kind != "SPLINE" && e.kind != "ELLIPSE" { // drawn from behind
		for i := range points {
			points[i].X = -points[i].X
		}
	}
	for i := range points {
		points[i] = r2.Scale(d.Scale, where.point(points[i]))
	}
	if curved {
		d.curve(e.kind, points)
	} else {
		d.line(points, closed)
	}
	return d.full()
}

// insert adds a block where it is inserted, once or in rows and columns.
func (d *drawing) insert(e *entity, where placed, on string) error {
	const deepest = 16
	b := d.blocks[folded(e.text(2))]
	if b == nil {
		d.left["INSERT of a block that is not in the file"]++
		return nil
	}
	d.at = e.line
	if where.depth == deepest {
		return d.errorf("block %q includes itself", e.text(2))
	}
	at := placed{in: &where, base: b.base, depth: where.depth + 1}
	var columns, rows, dx, dy, z float64
	for _, g := range []struct {
		code      int
		otherwise float64
		to        *float64
	}{{10, 0, &at.at.X}, {20, 0, &at.at.Y}, {41, 1, &at.scale[0]}, {42, 1, &at.scale[1]}, {50, 0, &at.angle}, {70, 1, &columns}, {71, 1, &rows}, {44, 0, &dx}, {45, 0, &dy}, {230, 1, &z}} {
		v, err := d.number(e, g.code, g.otherwise)
		if err != nil {
			return err
		}
		*g.to = v
	}
	at.mirror = z < 0
	if columns*rows > 1e6 {
		return d.errorf("block %q is inserted in %g columns and %g rows", e.text(2), columns, rows)
	}
	corner := at.at
	sin, cos := turned(at.angle)
	for i := range int(max(1, columns)) {
		for k := range int(max(1, rows)) {
			x, y := float64(i)*dx, float64(k)*dy
			at.at = r2.Vec{X: corner.X + float64(cos*x) - float64(sin*y), Y: corner.Y + float64(sin*x) + float64(cos*y)}
			for _, o := range b.entities {
				if err := d.add(o, at, on); err != nil {
					return err
				}
			}
			if d.count++; d.count > most {
				return d.errorf("blocks are inserted more than %d times", most)
			}
		}
	}
	return nil
}

// drawn returns the points of an entity in its own coordinates, nil for one that is no
// trace.
func (d *drawing) drawn(e *entity) (points []r2.Vec, closed, curved bool, err error) {
	switch e.kind {
	case "LINE":
		points, err = d.straight(e)
	case "LWPOLYLINE":
		return d.light(e)
	case "POLYLINE":
		return d.heavy(e)
	case "ARC":
		points, err = d.round(e)
		curved = true
	case "ELLIPSE":
		points, err = d.elliptic(e)
		curved = true
	case "SPLINE":
		points, err = d.splined(e)
		curved = true
	}
	return points, closed, curved, err
}

func (d *drawing) straight(e *entity) ([]r2.Vec, error) {
	var v [4]float64
	for i, code := range []int{10, 20, 11, 21} {
		list, err := d.numbers(e, code)
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			return nil, d.errorf("a LINE ends without its group %d: is the file incomplete?", code)
		}
		v[i] = list[0]
	}
	if v[0] == v[2] && v[1] == v[3] {
		return nil, d.errorf("the LINE above begins and ends at (%g, %g)", v[0], v[1])
	}
	return []r2.Vec{{X: v[0], Y: v[1]}, {X: v[2], Y: v[3]}}, nil
}

// light returns an LWPOLYLINE: its vertices in order, each with the bulge of the part that
// follows.
func (d *drawing) light(e *entity) (points []r2.Vec, closed, curved bool, err error) {
	var corners []r2.Vec
	var bulges []float64
	var x float64
	for _, g := range e.groups {
		if g.code != 10 && g.code != 20 && g.code != 42 && g.code != 70 {
			continue
		}
		v, err := strconv.ParseFloat(g.value, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, false, false, fmt.Errorf("%s:%d: expected a number, found %.40q", d.name, g.line, g.value)
		}
		switch g.code {
		case 10:
			x = v
		case 20:
			corners, bulges = append(corners, r2.Vec{X: x, Y: v}), append(bulges, 0)
		case 42:
			if n := len(bulges); n > 0 {
				bulges[n-1] = v
			}
		case 70:
			closed = int(v)&1 == 1
		}
	}
	return bent(corners, bulges, closed)
}

// heavy returns a POLYLINE with its vertices. Meshes are none, nor are the control points of
// a fitted curve.
func (d *drawing) heavy(e *entity) (points []r2.Vec, closed, curved bool, err error) {
	flags := int(e.loose(70))
	if flags&(16|64) != 0 {
		return nil, false, false, nil
	}
	var corners []r2.Vec
	var bulges []float64
	for _, v := range e.parts {
		if int(v.loose(70))&16 != 0 {
			continue
		}
		at, err := d.points(v, 10, 20)
		if err != nil {
			return nil, false, false, err
		}
		bulge, err := d.number(v, 42, 0)
		if err != nil {
			return nil, false, false, err
		}
		if len(at) > 0 {
			corners, bulges = append(corners, at[0]), append(bulges, bulge)
		}
	}
	return bent(corners, bulges, flags&1 == 1)
}

// bent returns the points of a polyline whose parts may be arcs.
func bent(corners []r2.Vec, bulges []float64, closed bool) ([]r2.Vec, bool, bool, error) {
	curved := false
	for _, b := range bulges {
		curved = curved || b != 0
	}
	if !curved || len(corners) < 2 {
		if corners == nil {
			corners = []r2.Vec{}
		}
		return corners, closed, false, nil
	}
	if closed {
		corners, bulges = append(corners, corners[0]), append(bulges, 0)
	}
	points := []r2.Vec{corners[0]}
	for i := 1; i < len(corners); i++ {
		if b := bulges[i-1]; b != 0 && corners[i] != corners[i-1] {
			points = append(points, bulged(corners[i-1], corners[i], b)[1:]...)
		} else {
			points = append(points, corners[i])
		}
	}
	return points, false, true, nil
}

func (d *drawing) round(e *entity) ([]r2.Vec, error) {
	centre, err := d.points(e, 10, 20)
	if err != nil || len(centre) == 0 {
		return nil, err
	}
	var v [3]float64
	for i, code := range []int{40, 50, 51} {
		if v[i], err = d.number(e, code, 0); err != nil {
			return nil, err
		}
	}
	from, to := v[1], v[2]
	for to <= from {
		to += 360
	}
	return arc(centre[0], r2.Vec{X: v[0]}, r2.Vec{Y: v[0]}, from*math.Pi/180, to*math.Pi/180), nil
}

// elliptic returns a part of an ellipse; a whole one is no trace.
func (d *drawing) elliptic(e *entity) ([]r2.Vec, error) {
	centre, err := d.points(e, 10, 20)
	if err != nil || len(centre) == 0 {
		return nil, err
	}
	axis, err := d.points(e, 11, 21)
	if err != nil || len(axis) == 0 {
		return nil, err
	}
	var v [4]float64
	for i, g := range []struct {
		code      int
		otherwise float64
	}{{40, 1}, {41, 0}, {42, 2 * math.Pi}, {230, 1}} {
		if v[i], err = d.number(e, g.code, g.otherwise); err != nil {
			return nil, err
		}
	}
	from, to := v[1], v[2]
	for to <= from {
		to += 2 * math.Pi
	}
	if to-from > 2*math.Pi*(1-1e-6) {
		return nil, nil
	}
	a := axis[0]
	other := r2.Vec{X: -v[0] * a.Y, Y: v[0] * a.X}
	if v[3] < 0 {
		other = r2.Scale(-1, other)
	}
	return arc(centre[0], a, other, from, to), nil
}

// splined returns a spline by its control points, or by the points that it was fitted to.
func (d *drawing) splined(e *entity) ([]r2.Vec, error) {
	control, err := d.points(e, 10, 20)
	if err != nil {
		return nil, err
	}
	knots, err := d.numbers(e, 40)
	if err != nil {
		return nil, err
	}
	weights, err := d.numbers(e, 41)
	if err != nil {
		return nil, err
	}
	if out := spline(int(e.loose(71)), knots, weights, control); out != nil {
		return out, nil
	}
	return d.points(e, 11, 21)
}
