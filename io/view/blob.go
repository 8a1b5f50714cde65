package view

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fdem/io/guard"
	"fdem/io/throw"
	"fdem/io/vtk"

	"gonum.org/v1/gonum/spatial/r2"
)

// Blob is a block of little-endian numbers.
type Blob struct {
	Data []byte
	Size int // of a number [bytes]
}

// blob returns a Blob of numbers.
func blob[T float32 | float64 | int32](v []T) Blob {
	var one T
	data, _ := binary.Append(nil, binary.LittleEndian, v) // never fails for these
	return Blob{data, binary.Size(one)}
}

// static is the data that do not change from frame to frame.
type static struct {
	points    []r2.Vec
	triangles [][3]int32
	lines     [][2]int32 // outlines of rigid bodies
	body      []int32    // per triangle, then per line
	nodeID    []int64
	elementID []int64
	contact   []r2.Vec    // contact nodes
	order     [][]int32   // per surface: its contact nodes in order
	along     [][]float64 // per surface: their distance along it [m]
	spheres   *spheres    // nil without particles
	cracks    []face      // of the frame of the mesh: two per crack
	hasFluid  bool        // there is fluid in the cracks
	crackOf   map[segment]int32
	strengths []*strength // of the bodies; nil where no one has any
	springs   []r2.Vec    // ends of the springs at the start, two per spring, and then of the segments of bolts [m]
	ends      []int       // number of these ends up to the springs, and up to the bolts
}

var errNone = errors.New("none")

// readStatic reads the mesh of the first frame, or of the last one if bodies
// break, since that has all nodes added by cracks. It also reads the contact
// nodes and the list of fields.
func (f *Folder) readStatic() {
	frame := f.frames[0]
	if f.holds(cracksName) {
		frame = f.frames[len(f.frames)-1]
	}
	path := f.path(frame)
	grid := throw.Must(vtk.Open(path))
	s := &static{}
	s.points = throw.Must(grid.Positions())
	var err error
	s.triangles, s.lines, err = grid.Elements()
	throw.If(err)
	s.nodeID, s.elementID = ids(grid.PointData, "node_id", len(s.points)), ids(grid.CellData, "element_id", grid.Cells)[:len(s.triangles)]
	s.body = make([]int32, grid.Cells)
	if a, err := grid.CellData("body_id"); err == nil && len(a.Int32) == len(s.body) {
		s.body = a.Int32
	}
	m := &f.meta
	m.count(s) // before the discs of particles
	if len(f.spheres) > 0 {
		bodies := 0 // bodies and rigid bodies come before the particles in the history
		if len(s.body) > 0 {
			bodies = 1 + int(slices.Max(s.body))
		}
		s.addSpheres(f.path(f.spheres[0]), bodies)
	}
	m.Nodes, m.Ranges = len(s.points), map[string]Range{}
	if s.spheres != nil {
		m.Particles = len(s.spheres.x)
	}
	lo, hi := box(s.points)
	m.Centre = [2]float64{0.5 * (lo.X + hi.X), 0.5 * (lo.Y + hi.Y)}
	m.Size = [2]float64{hi.X - lo.X, hi.Y - lo.Y}
	m.Bodies = make([]Body, 1+int(slices.Max(append([]int32{0}, s.body...))))
	for i, name := range names(m.Columns, ".vx") {
		if i < len(m.Bodies) {
			m.Bodies[i].Name = name
		}
	}
	for i, b := range s.body {
		if b < 0 {
			throw.If(fmt.Errorf("%s: body_id %d", path, b))
		}
		if i < len(s.triangles) {
			m.Bodies[b].Triangles++
		}
	}
	for i := range m.Bodies {
		if m.Bodies[i].Name == "" {
			m.Bodies[i].Name = fmt.Sprintf("body %d", i+1)
		}
	}
	m.Fields = append(fields(grid.CellArrays(), "cell"), fields(grid.PointArrays(), "node")...)
	f.readContact(s)
	if s.spheres != nil && s.spheres.triangles == 0 || len(s.triangles) == 0 { // there are no triangles and so no stresses
		m.Fields = slices.DeleteFunc(m.Fields, func(v Field) bool { return v.On == "cell" })
	}
	if m.Static { // nothing moves in time
		m.Fields = slices.DeleteFunc(m.Fields, func(v Field) bool { return v.Name == "velocity" })
	}
	m.Fields = append(m.Fields, f.derivedFields(s)...)
	slices.SortStableFunc(m.Fields, func(a, b Field) int { return fieldOrder(a) - fieldOrder(b) })
	if len(f.cracks) > 0 && f.holds(cracksName) {
		s.readCracks(f.path(f.cracks[len(f.cracks)-1]))
		if len(s.cracks) > 0 {
			s.hasFluid = frameHasFluid(f.path(f.cracks[len(f.cracks)-1]))
			m.Cracks = crackFields(s.hasFluid)
		}
	}
	f.readSprings(s)
	f.static = s
}

// readContact reads the contact nodes, their surfaces and their fields, if there are any.
func (f *Folder) readContact(s *static) {
	m := &f.meta
	if len(f.contact) == 0 {
		return
	}
	points := throw.Must(vtk.Open(f.path(f.contact[0])))
	s.contact = throw.Must(points.Positions())
	m.Fields = append(m.Fields, fields(points.PointArrays(), "contact")...)
	m.Surfaces = nil
	for i, v := range surfaces(points, names(m.Columns, ".normal")) {
		parts := arrange(s.contact[v.first:v.end])
		for k, order := range parts {
			for j := range order {
				order[j] += int32(v.first)
			}
			name := v.name
			if len(parts) > 1 {
				name = fmt.Sprintf("%s, part %d", name, k+1)
			}
			m.Surfaces = append(m.Surfaces, Surface{Name: name, Contact: i})
			s.order, s.along = append(s.order, order), append(s.along, distances(s.contact, order))
		}
	}
}

// readSprings reads the springs, and the bolts after them.
func (f *Folder) readSprings(s *static) {
	for _, series := range [][]vtk.Frame{f.springs, f.bolts} {
		if len(series) > 0 {
			s.springs = append(s.springs, throw.Must(throw.Must(vtk.Open(f.path(series[0]))).Positions())...)
		}
		s.ends = append(s.ends, len(s.springs))
	}
	f.meta.Springs = len(s.springs) / 2
}

// derivedFields returns the fields that follow from others of the same frames.
func (f *Folder) derivedFields(s *static) (out []Field) {
	has := func(name, on string) bool {
		return slices.ContainsFunc(f.meta.Fields, func(v Field) bool { return v.Name == name && v.On == on })
	}
	if len(s.triangles) == 0 || s.spheres != nil && s.spheres.triangles == 0 {
		return nil
	}
	if has("displacement", "node") {
		out = append(out, Field{Name: strainName, Label: "strain", On: "cell", Components: []string{"xx", "yy", "xy"}, Derived: strainParts, pick: []int{0, 1, 2}, width: 3, from: "displacement"})
	}
	data, err := guard.Read(f.dir, "strengths.json", guard.Text)
	if err == nil && json.Unmarshal(data, &s.strengths) == nil && has("stress", "cell") {
		out = append(out, Field{Name: strengthName, Label: "strength used", On: "cell", pick: []int{0}, width: 1, from: "stress"})
	}
	return out
}

// derived returns the values of a field that follows from another.
func (f *Folder) derived(i int, v Field) []float32 {
	of := Field{Name: v.from, On: "node", width: 3}
	if v.Name == strengthName {
		of = Field{Name: v.from, On: "cell", width: 6}
	}
	values, s, triangles, _ := f.array(i, of)
	if values == nil {
		return nil
	}
	var out []float32
	if v.Name == strengthName {
		out = used(s.strengths, s.body[:triangles], values)
	} else {
		out = strains(s.points, s.triangles[:triangles], values, of.width)
	}
	return append(out, make([]float32, len(v.pick)*(len(s.triangles)-triangles))...) // of particles
}

// ids returns an array of numbers, or 1, 2, 3 ... if there is none.
func ids(read func(string) (vtk.Array, error), name string, n int) []int64 {
	if a, err := read(name); err == nil && len(a.Int64) == n {
		return a.Int64
	}
	out := make([]int64, n)
	for i := range out {
		out[i] = int64(i + 1)
	}
	return out
}

func box(x []r2.Vec) (lo, hi r2.Vec) {
	if len(x) == 0 {
		return r2.Vec{}, r2.Vec{}
	}
	lo, hi = x[0], x[0]
	for _, p := range x {
		lo = r2.Vec{X: min(lo.X, p.X), Y: min(lo.Y, p.Y)}
		hi = r2.Vec{X: max(hi.X, p.X), Y: max(hi.Y, p.Y)}
	}
	return lo, hi
}

// span is the contact nodes of a contact.
type span struct {
	name       string
	first, end int
}

// surfaces splits the contact nodes by surface_id.
func surfaces(points *vtk.File, contacts []string) []span {
	of := make([]int32, points.Points)
	if a, err := points.PointData("surface_id"); err == nil && len(a.Int32) == len(of) {
		of = a.Int32
	}
	var out []span
	for i := range of {
		if i == 0 || of[i] != of[i-1] {
			out = append(out, span{fmt.Sprintf("contact %d", len(out)+1), i, i})
		}
		out[len(out)-1].end = i + 1
	}
	if len(out) == len(contacts) {
		for i := range out {
			out[i].name = contacts[i]
		}
	}
	return out
}

// maxParts is the greatest number of parts of a contact.
const maxParts = 12

// arrange orders the contact nodes of a contact along its outlines, with one
// part for each run without a jump. A part that continues across an outline's
// first edge is joined to the part that begins there. If there are too many
// parts, all nodes are one part.
func arrange(x []r2.Vec) [][]int32 {
	n := len(x)
	gap := func(i, j int) float64 { return r2.Norm(r2.Sub(x[j], x[i])) }
	goesOn := func(a, b []int32) bool { // b continues a
		last, first := int(a[len(a)-1]), int(b[0])
		return last != first && gap(last, first) <= 1.5*max(gap(max(last-1, 0), last), gap(first, min(first+1, n-1)))
	}
	var out [][]int32
	for i := range n {
		jump := i == 0 || i >= 2 && i+1 < n && gap(i-1, i) > 3*max(gap(i-2, i-1), gap(i, i+1))
		if jump {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], int32(i))
	}
	if len(out) > maxParts {
		return [][]int32{slices.Concat(out...)}
	}
	for i := 0; i < len(out); i++ {
		for j := i + 1; j < len(out); j++ {
			if goesOn(out[j], out[i]) && !goesOn(out[i], out[i]) && !goesOn(out[j], out[j]) { // neither is closed
				out[i] = append(out[j], out[i]...)
				out = slices.Delete(out, j, j+1)
				break
			}
		}
	}
	return out
}

// distances measures along nodes in order [m]. A jump counts with its length.
func distances(x []r2.Vec, order []int32) []float64 {
	out := make([]float64, len(order))
	for i := 1; i < len(order); i++ {
		out[i] = out[i-1] + r2.Norm(r2.Sub(x[order[i]], x[order[i-1]]))
	}
	return out
}

// values reads a field of a frame: the components per node, cell or contact
// node; nil if there is no such frame.
func (f *Folder) values(i int, v Field) []float32 {
	if v.from != "" {
		return f.derived(i, v)
	}
	a, s, _, particles := f.array(i, v)
	if a == nil {
		return nil
	}
	out := make([]float32, 0, len(a)/v.width*len(v.pick))
	for k := 0; k < len(a); k += v.width {
		for _, c := range v.pick {
			out = append(out, float32(a[k+c]))
		}
	}
	if particles == "" {
		return out
	}
	return s.spheres.values(particles, v, out)
}

// array reads an array of a frame, without particles, whose file it names; nil if there is no such
// frame. triangles is the number of those of bodies.
func (f *Folder) array(i int, v Field) (values []float64, s *static, triangles int, particles string) {
	f.mu.Lock()
	frames, s := f.frames, f.static
	var spheres []vtk.Frame
	n := 0
	if s != nil {
		n = map[string]int{"node": len(s.points), "cell": len(s.body), "contact": len(s.contact)}[v.On]
		triangles = len(s.triangles)
		if p := s.spheres; p != nil && v.On != "contact" {
			n, triangles, spheres = map[string]int{"node": p.nodes, "cell": p.cells}[v.On], p.triangles, f.spheres
		}
	}
	if v.On == "contact" {
		frames = make([]vtk.Frame, len(f.contactAt))
		for k, at := range f.contactAt {
			frames[k] = f.contact[at]
		}
	}
	f.mu.Unlock()
	if s == nil || i < 0 || i >= len(frames) || spheres != nil && i >= len(spheres) {
		return nil, s, triangles, ""
	}
	file := throw.Must(vtk.Open(f.path(frames[i])))
	read := file.PointData
	if v.On == "cell" {
		read = file.CellData
	}
	a := throw.Must(read(v.Name))
	for _, number := range a.Int32 {
		a.Float64 = append(a.Float64, float64(number))
	}
	if v.On == "node" && len(a.Float64) != n*v.width {
		a.Float64 = s.spread(file, f.path(frames[i]), a.Float64, n, v.width)
	}
	if len(a.Float64) != n*v.width {
		throw.If(fmt.Errorf("%s: array %q has %d values, want %d of %d components as in the first frame", f.path(frames[i]), v.Name, len(a.Float64), n, v.width))
	}
	if v.On == "cell" {
		a.Float64 = a.Float64[:triangles*v.width] // lines carry no load
	}
	if a.Float64 == nil {
		a.Float64 = []float64{}
	}
	if spheres != nil {
		particles = f.path(spheres[i])
	}
	return a.Float64, s, triangles, particles
}

// all is values for a frame that must exist.
func (f *Folder) all(i int, v Field) []float32 {
	out := f.values(i, v)
	if out == nil {
		throw.If(errNone)
	}
	return out
}

// spread extends values at the nodes of a frame, w each, to the n nodes of the
// mesh. Cracks add nodes, but do not change the number and order of elements.
func (s *static) spread(frame *vtk.File, path string, values []float64, n, w int) []float64 {
	triangles, lines, err := frame.Elements()
	throw.If(err)
	all := s.triangles
	if s.spheres != nil {
		all = all[:s.spheres.triangles]
	}
	if len(triangles) != len(all) || len(lines) != len(s.lines) {
		throw.If(fmt.Errorf("%s: %d triangles and %d lines, want %d and %d as in the last frame", path, len(triangles), len(lines), len(all), len(s.lines)))
	}
	out := make([]float64, n*w)
	put := func(to, from int32) { copy(out[int(to)*w:][:w], values[int(from)*w:][:w]) }
	for t, corners := range all {
		for k, to := range corners {
			put(to, triangles[t][k])
		}
	}
	for l, ends := range s.lines {
		for k, to := range ends {
			put(to, lines[l][k])
		}
	}
	return out
}

// moved reads the displacements of contact nodes in contact; those of the
// others are zero.
func (f *Folder) moved(i int) []float32 {
	out := f.all(i, Field{Name: "displacement", On: "contact", pick: []int{0, 1}, width: 3})
	pressure := f.all(i, pressureField)
	for k, p := range pressure {
		if p == 0 {
			out[2*k], out[2*k+1] = 0, 0
		}
	}
	return out
}

// rowsOf returns the greatest number of rows of a history in a page, from a
// limit of numbers, within bounds.
func rowsOf(columns, numbers, most int) int {
	return max(200, min(most, numbers/max(1, columns)))
}

// Blob returns numbers by name:
//
//	points, triangles, body, node_id, element_id, outline, cracks, springs
//	contact, surface/K/order, surface/K/along
//	history
//	frames/I/FIELD, contact/I/FIELD, contact/I/displacement, cracks/I/FIELD,
//	springs/I/displacement, thrust/I/lines, contact_points/I/forces, charts/I/curves
//
// Positions are relative to Meta.Centre. An unknown name is fs.ErrNotExist's
// kind of error, errNone.
func (f *Folder) Blob(name string) (b Blob, err error) {
	defer throw.Catch(&err)
	f.mu.Lock()
	s, centre, all, table := f.static, f.meta.Centre, f.meta.Fields, f.history
	f.mu.Unlock()
	if name == "history" {
		return historyBlob(table.Rows), nil
	}
	if s == nil {
		return Blob{}, errNone
	}
	relative := func(x []r2.Vec) Blob {
		out := make([]float32, 0, 2*len(x))
		for _, p := range x {
			out = append(out, float32(p.X-centre[0]), float32(p.Y-centre[1]))
		}
		return blob(out)
	}
	switch name {
	case "points":
		return relative(s.points), nil
	case "contact":
		return relative(s.contact), nil
	case "springs":
		return relative(s.springs), nil
	case "triangles":
		return blob(flat(s.triangles)), nil
	case "body":
		return blob(s.body[:len(s.triangles)]), nil
	case "node_id":
		return numbers(s.nodeID), nil
	case "element_id":
		return numbers(s.elementID), nil
	case "outline":
		return blob(outline(s)), nil
	case "cracks":
		out := make([]int32, 0, 3*len(s.cracks))
		for _, v := range s.cracks {
			out = append(out, v.a, v.b, v.body)
		}
		return blob(out), nil
	}
	kind, rest, _ := strings.Cut(name, "/")
	number, what, _ := strings.Cut(rest, "/")
	i, err := strconv.Atoi(number)
	if err != nil || i < 0 {
		return Blob{}, errNone
	}
	switch {
	case kind == "surface" && i < len(s.order) && what == "order":
		return blob(s.order[i]), nil
	case kind == "surface" && i < len(s.order) && what == "along":
		out := make([]float32, len(s.along[i]))
		for k, v := range s.along[i] {
			out[k] = float32(v)
		}
		return blob(out), nil
	case kind == "contact" && what == "displacement":
		return found(f.moved(i))
	case kind == "springs" && what == "displacement":
		var out []float32
		for _, u := range f.springsMoved(i) {
			out = append(out, float32(u.X), float32(u.Y))
		}
		return found(out)
	case kind == "thrust" && what == "lines":
		return found(f.thrustLines(i))
	case kind == "charts" && what == "curves":
		return f.chartBlob(i), nil
	case kind == "contact_points" && what == "forces":
		return found(f.pointForces(i))
	case kind == "cracks" && slices.ContainsFunc(crackFields(f.hasFluid()), func(v Field) bool { return v.Name == what }):
		return found(f.crackValues(i, what))
	}
	for _, v := range all {
		if v.Name == what && (v.On == "contact") == (kind == "contact") && (kind == "contact" || kind == "frames") {
			return found(f.values(i, v))
		}
	}
	return Blob{}, errNone
}

// found is the blob of numbers, nil for errNone.
func found(v []float32) (Blob, error) {
	if v == nil {
		return Blob{}, errNone
	}
	return blob(v), nil
}

// historyBlob is rows of the history column after column.
func historyBlob(rows [][]float64) Blob {
	if len(rows) == 0 {
		return Blob{Size: 8}
	}
	out := make([]float64, 0, len(rows)*len(rows[0]))
	for c := range rows[0] {
		for _, r := range rows {
			out = append(out, r[c])
		}
	}
	return blob(out)
}

func flat(t [][3]int32) []int32 {
	out := make([]int32, 0, 3*len(t))
	for _, v := range t {
		out = append(out, v[:]...)
	}
	return out
}

func numbers(v []int64) Blob {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(x)
	}
	return blob(out)
}

// outline returns the sides that only one triangle has and the lines, without
// the faces of cracks, each as two nodes and the body: [a, b, body].
func outline(s *static) []int32 {
	crack := make(map[face]bool, len(s.cracks))
	for _, v := range s.cracks {
		crack[v] = true
	}
	var out []int32
	for _, v := range outlineOf(s) {
		if !crack[v] {
			out = append(out, v.a, v.b, v.body)
		}
	}
	return out
}

// outlineOf returns the sides that only one triangle has, and the lines.
func outlineOf(s *static) []face {
	key := func(a, b int32) uint64 { return uint64(min(a, b))<<32 | uint64(max(a, b)) }
	times := make(map[uint64]int8, 2*len(s.triangles))
	for _, t := range s.triangles {
		for k := range 3 {
			times[key(t[k], t[(k+1)%3])]++
		}
	}
	var out []face
	for i, t := range s.triangles {
		for k := range 3 {
			if times[key(t[k], t[(k+1)%3])] == 1 {
				out = append(out, face{t[k], t[(k+1)%3], s.body[i]})
			}
		}
	}
	for i, l := range s.lines {
		out = append(out, face{l[0], l[1], s.body[len(s.triangles)+i]})
	}
	return out
}
