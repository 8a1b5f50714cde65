// Package abaqus reads the mesh of an input file (.inp) of Abaqus or CalculiX: nodes, plane
// triangles and quadrilaterals, beams and trusses in the plane, node sets, element sets and
// surfaces of element faces, flat or in parts and instances, also from other files by
// *INCLUDE or INPUT=. Quadrilaterals become two triangles, or one if two of their corners
// are the same node. Elements of higher order are read by their corners. Materials,
// sections, steps and all else are ignored.
package abaqus

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fdem/mesh"
)

// IsInput tells whether data look like an input file, which begins with a keyword or a
// comment.
func IsInput(data []byte) bool {
	data = bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n")
	return bytes.HasPrefix(data, []byte("*"))
}

// Beside returns a function that reads the files named in a file, relative to
// its folder.
func Beside(path string) func(name string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(path), name)
		}
		if at, err := os.Stat(name); err != nil {
			return nil, err
		} else if !at.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is not a regular file", name)
		}
		return os.ReadFile(name)
	}
}

// Parse reads the contents of a file of the given name. other returns the contents of a
// file that it names.
func Parse(name string, data []byte, other func(name string) ([]byte, error)) (src *mesh.Source, err error) {
	p := &parser{name: name, line: position{file: name}, other: other, src: &mesh.Source{Name: name}, parts: map[string]*part{}, skipped: map[string]bool{}}
	defer func() {
		if r := recover(); r != nil {
			d, ok := r.(damage)
			if !ok {
				panic(r)
			}
			src, err = nil, d.err
		}
	}()
	p.model = newPart("")
	p.at = p.model
	p.read(bytes.TrimPrefix(data, []byte("\ufeff")))
	return p.build(), nil
}

// damage is thrown by fail and caught in Parse.
type damage struct{ err error }

// fail stops reading with an error that names the line.
func (p *parser) fail(format string, args ...any) {
	panic(damage{fmt.Errorf("%s:%d: %s", p.line.file, p.line.line, fmt.Sprintf(format, args...))})
}

// position is a line of a file.
type position struct {
	file string
	line int
}

// parser is the contents of the file so far.
type parser struct {
	name     string
	line     position
	last     position // end of the file
	other    func(name string) ([]byte, error)
	nested   int // depth of included files
	src      *mesh.Source
	model    *part // contents outside of parts, and those of the assembly
	at       *part // part of the present lines
	parts    map[string]*part
	order    []*part
	copies   []*instance
	skipped  map[string]bool // keywords that are not of the mesh
	keyword  string
	options  map[string]string
	rows     int // data lines since the keyword
	took     bool
	quads    int
	higher   int
	instance *instance // present instance

	positioned map[string]*placing // instances
	points     map[int32]int32     // elements of nodes, lines of edges, triangles at edges
	lines      map[[2]int32]int32  // by the lower node first
	triangles  map[[2]int32]int
}

// part is nodes, elements and sets with numbers of their own.
type part struct {
	name     string
	nodes    map[int64]int // index of each
	id       []int64
	x        [][3]float64
	elements map[int64]int
	element  []element
	sets     []set
	named    map[setName]int // index of each in sets
	corner   map[int64]bool  // nodes that are corners; nil until somebody asks
}

func newPart(name string) *part {
	return &part{name: name, nodes: map[int64]int{}, elements: map[int64]int{}, named: map[setName]int{}}
}

// element is an element with the numbers of its corners.
type element struct {
	id      int64
	corners []int64
	nodes   int // number of nodes that it must have, corners first
	line    bool
	at      position
}

// set is a named set of nodes, elements or faces.
type set struct {
	name    string
	kind    setKind
	of      string // instance of its numbers, "" for those of the part
	members []int64
	faces   []int // of surfaces: face of each member, from 1; 0 for every free face
	names   []string
	ofName  []int // faces of the named sets
	at      position
}

// setName is the key of a set, folded.
type setName struct {
	kind     setKind
	name, of string
}

type setKind uint8

const (
	nodes setKind = iota
	elements
	faces
)

// instance is a part with its position.
type instance struct {
	name, part string
	move       [3]float64
	axis       [2][3]float64
	angle      float64 // [degrees]
	own        *part   // contents of its block
	at         position
}

// read reads the lines.
func (p *parser) read(data []byte) {
	carried := "" // keyword that continues in the next line
	for len(data) > 0 {
		p.line.line++
		p.last = p.line
		end := bytes.IndexByte(data, '\n')
		text := data
		if end < 0 {
			data = nil
		} else {
			text, data = data[:end], data[end+1:]
		}
		line := strings.TrimSpace(string(text))
		switch {
		case line == "" || strings.HasPrefix(line, "**"):
		case carried != "" || line[0] == '*':
			carried += line
			if !strings.HasSuffix(line, ",") {
				p.begin(carried)
				carried = ""
			}
		case p.keyword == "":
			p.fail("expected a keyword such as *NODE, found %.40q", line)
		default:
			p.rows++
			p.row(line)
		}
	}
}

// begin reads a keyword with its options.
func (p *parser) begin(text string) {
	words := strings.Split(text, ",")
	keyword, options := strings.ToUpper(strings.Join(strings.Fields(words[0]), " ")), map[string]string{}
	for _, w := range words[1:] {
		key, value, _ := strings.Cut(w, "=")
		options[strings.ToUpper(strings.TrimSpace(key))] = strings.Trim(strings.TrimSpace(value), `"`)
	}
	if keyword == "*INCLUDE" { // replaced by the lines of its file, which may continue the data
		p.include(keyword, options["INPUT"])
		return
	}
	p.keyword, p.options, p.rows, p.took = keyword, options, 0, true
	switch p.keyword {
	case "*NODE":
		if p.options["SYSTEM"] != "" && !strings.EqualFold(p.options["SYSTEM"], "R") {
			p.fail("nodes in cylindrical or spherical coordinates are not supported: write them in x, y, z")
		}
		p.named("NSET", nodes)
	case "*ELEMENT":
		p.shape(p.options["TYPE"])
		p.named("ELSET", elements)
	case "*NSET":
		p.must("NSET")
		p.set(p.options["NSET"], nodes)
	case "*ELSET":
		p.must("ELSET")
		p.set(p.options["ELSET"], elements)
	case "*SURFACE":
		p.must("NAME")
		kind := faces
		if strings.EqualFold(p.options["TYPE"], "NODE") {
			kind = nodes
		}
		p.set(p.options["NAME"], kind)
	case "*PART":
		p.must("NAME")
		p.at = newPart(p.options["NAME"])
		if p.parts[folded(p.at.name)] != nil {
			p.fail("there are two parts %q", p.at.name)
		}
		p.parts[folded(p.at.name)] = p.at
		p.order = append(p.order, p.at)
	case "*INSTANCE":
		p.must("NAME")
		p.instance = &instance{name: p.options["NAME"], part: p.options["PART"], own: newPart(""), at: p.line}
		p.copies = append(p.copies, p.instance)
		p.at = p.instance.own
	case "*END PART", "*END INSTANCE":
		p.at, p.instance = p.model, nil
	case "*HEADING", "*ASSEMBLY", "*END ASSEMBLY", "*PREPRINT", "*END STEP":
		p.took = false
	default:
		p.took = false
		p.skipped[p.keyword] = true
	}
	if input := p.options["INPUT"]; p.took && input != "" {
		p.include(p.keyword, input)
	}
}

// include reads the file that a keyword names: data lines, or keywords of its own.
func (p *parser) include(keyword, name string) {
	const deepest = 20
	if name == "" {
		p.fail("%s needs INPUT=", keyword)
	}
	if p.nested == deepest {
		p.fail("%q includes itself", name)
	}
	data, err := p.other(name)
	if err != nil {
		p.fail("the file named by %s cannot be read: %v", keyword, err)
	}
	here := p.line
	p.line = position{file: name}
	p.nested++
	p.read(bytes.TrimPrefix(data, []byte("\ufeff")))
	p.nested--
	p.line, p.last = here, here
}

// folded returns a name in the form in which these programs compare names.
func folded(name string) string { return strings.ToUpper(name) }

func (p *parser) must(key string) {
	if p.options[key] == "" {
		p.fail("%s needs %s=", p.keyword, key)
	}
}

// named begins the set for the nodes or elements that follow.
func (p *parser) named(key string, kind setKind) {
	if name := p.options[key]; name != "" {
		p.set(name, kind)
	}
}

// set returns the set for the data lines that follow, with its present members.
func (p *parser) set(name string, kind setKind) *set {
	of := p.options["INSTANCE"]
	key := setName{kind, folded(name), folded(of)}
	i, ok := p.at.named[key]
	if !ok {
		i, p.at.named[key] = len(p.at.sets), len(p.at.sets)
		p.at.sets = append(p.at.sets, set{name: name, kind: kind, of: of, at: p.line})
	}
	return &p.at.sets[i]
}

// row reads a data line of the keyword.
func (p *parser) row(line string) {
	if !p.took {
		return
	}
	fields := strings.Split(strings.TrimSuffix(line, ","), ",")
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	switch p.keyword {
	case "*NODE":
		p.node(fields)
	case "*ELEMENT":
		p.elementRow(line, fields)
	case "*NSET", "*ELSET":
		p.members(fields)
	case "*SURFACE":
		p.face(fields)
	case "*INSTANCE":
		p.moving(fields)
	}
}

func (p *parser) whole(text, what string) int64 {
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		p.fail("expected %s, found %.40q", what, text)
	}
	return v
}

func (p *parser) number(text, what string) float64 {
	v, err := strconv.ParseFloat(strings.ReplaceAll(strings.ToUpper(text), "D", "E"), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		p.fail("expected %s, found %.40q", what, text)
	}
	return v
}

func (p *parser) node(fields []string) {
	id := p.whole(fields[0], "the number of a node")
	var x [3]float64
	for c := range min(3, len(fields)-1) {
		if fields[c+1] != "" {
			x[c] = p.number(fields[c+1], "a coordinate")
		}
	}
	if _, twice := p.at.nodes[id]; twice {
		p.fail("node %d is listed twice", id)
	}
	p.at.nodes[id] = len(p.at.id)
	p.at.id, p.at.x = append(p.at.id, id), append(p.at.x, x)
	if name := p.options["NSET"]; name != "" {
		s := p.set(name, nodes)
		s.members = append(s.members, id)
	}
}

// shapes are the element types that are read, with their numbers of nodes and of
// corners.
var shapes = []struct {
	begins         []string
	nodes, corners int
	line           bool
}{
	{[]string{"CPS3", "CPE3", "CPEG3", "S3", "STRI3", "M3D3", "2D3"}, 3, 3, false},
	{[]string{"CPS4", "CPE4", "CPEG4", "S4", "M3D4", "2D4"}, 4, 4, false},
	{[]string{"CPS6", "CPE6", "S6", "STRI65", "M3D6"}, 6, 3, false},
	{[]string{"CPS8", "CPE8", "S8", "M3D8"}, 8, 4, false},
	{[]string{"B21", "B23", "B31", "B33", "T2D2", "T3D2", "R2D2"}, 2, 2, true},
}

// shape returns the numbers of nodes and corners of an element type, and whether it
// is a line.
func (p *parser) shape(name string) (nodes, corners int, line bool) {
	name = strings.ToUpper(name)
	for _, s := range shapes {
		for _, b := range s.begins {
			if rest, ok := strings.CutPrefix(name, b); ok && (rest == "" || strings.Trim(rest, "RIHMT5X") == "") {
				return s.nodes, s.corners, s.line
			}
		}
	}
	p.fail("element type %q is not supported; supported are CPS3, CPE3, CPS4, CPE4, CPS6, CPE6, CPS8, CPE8 and their like, S3, S4, B21 and T2D2, in the plane z = 0", name)
	return 0, 0, false
}

func (p *parser) elementRow(line string, fields []string) {
	n, corners, isLine := p.shape(p.options["TYPE"])
	at := p.at
	if k := len(at.element) - 1; p.rows > 1 && k >= 0 && len(at.element[k].corners) < n { // its line goes on
		fields = append([]string{strconv.FormatInt(at.element[k].id, 10)}, fields...)
	} else {
		id := p.whole(fields[0], "the number of an element")
		if _, twice := at.elements[id]; twice {
			p.fail("element %d is listed twice", id)
		}
		at.elements[id] = len(at.element)
		at.element = append(at.element, element{id: id, nodes: n, line: isLine, at: p.line})
		if name := p.options["ELSET"]; name != "" {
			s := p.set(name, elements)
			s.members = append(s.members, id)
		}
	}
	e := &at.element[len(at.element)-1]
	for _, f := range fields[1:] {
		if f == "" {
			continue
		}
		node := p.whole(f, "the number of a node")
		if len(e.corners) == n {
			p.fail("element %d of type %s has more than %d nodes", e.id, p.options["TYPE"], n)
		}
		if _, ok := at.nodes[node]; !ok {
			p.fail("element %d has node %d, which is not in the file", e.id, node)
		}
		e.corners = append(e.corners, node)
	}
	if len(e.corners) < n && !strings.HasSuffix(line, ",") {
		p.short(e)
	}
	if len(e.corners) == n && n > corners {
		p.higher++
	}
}

// short stops at an element with too few nodes.
func (p *parser) short(e *element) {
	p.fail("element %d has %d nodes, want %d", e.id, len(e.corners), e.nodes)
}

// members reads a line of a set: numbers, names of sets, or from, to and by.
func (p *parser) members(fields []string) {
	name, kind := p.options["NSET"], nodes
	if p.keyword == "*ELSET" {
		name, kind = p.options["ELSET"], elements
	}
	s := p.set(name, kind)
	if _, generate := p.options["GENERATE"]; generate {
		if len(fields) < 2 {
			p.fail("GENERATE needs the first and the last number")
		}
		from, to, by := p.whole(fields[0], "a number"), p.whole(fields[1], "a number"), int64(1)
		if len(fields) > 2 && fields[2] != "" {
			by = p.whole(fields[2], "a number")
		}
		if by <= 0 || to < from || (to-from)/by > 1e8 {
			p.fail("GENERATE from %d to %d by %d gives no numbers", from, to, by)
		}
		for k := from; k <= to; k += by {
			s.members = append(s.members, k)
		}
		return
	}
	for _, f := range fields {
		if f == "" {
			continue
		}
		if k, err := strconv.ParseInt(f, 10, 64); err == nil {
			s.members = append(s.members, k)
			continue
		}
		if instance, rest, ok := strings.Cut(f, "."); ok { // of the assembly: instance.number
			if k, err := strconv.ParseInt(rest, 10, 64); err == nil {
				of := p.options["INSTANCE"]
				p.options["INSTANCE"] = instance
				other := p.set(name, kind)
				other.members = append(other.members, k)
				p.options["INSTANCE"] = of
				s = p.set(name, kind)
				continue
			}
		}
		s.names, s.ofName = append(s.names, strings.Trim(f, `"`)), append(s.ofName, 0)
	}
}

// face reads a line of a surface: an element or a set of elements, and the
// face.
func (p *parser) face(fields []string) {
	kind := faces
	if strings.EqualFold(p.options["TYPE"], "NODE") {
		kind = nodes
	}
	s := p.set(p.options["NAME"], kind)
	k := 0
	if kind == faces && len(fields) > 1 && fields[1] != "" {
		label := strings.ToUpper(fields[1])
		number, ok := strings.CutPrefix(label, "S")
		v, err := strconv.Atoi(number)
		if !ok || err != nil || v < 1 || v > 4 {
			p.fail("surface %q: expected a face S1 to S4, found %.20q", s.name, fields[1])
		}
		k = v
	}
	if id, err := strconv.ParseInt(fields[0], 10, 64); err == nil {
		s.members, s.faces = append(s.members, id), append(s.faces, k)
		return
	}
	s.names, s.ofName = append(s.names, strings.Trim(fields[0], `"`)), append(s.ofName, k)
}

// moving reads the position of an instance: a translation, then a rotation about an
// axis through two points by an angle. Its own nodes and elements come after keywords.
func (p *parser) moving(fields []string) {
	var v [7]float64
	for i := range min(len(fields), 7) {
		if fields[i] != "" {
			v[i] = p.number(fields[i], "a number")
		}
	}
	if p.rows == 1 {
		p.instance.move = [3]float64{v[0], v[1], v[2]}
		return
	}
	p.instance.axis, p.instance.angle = [2][3]float64{{v[0], v[1], v[2]}, {v[3], v[4], v[5]}}, v[6]
	if p.instance.axis[0][0] != p.instance.axis[1][0] || p.instance.axis[0][1] != p.instance.axis[1][1] {
		p.fail("instance %q is rotated out of the plane z = 0", p.instance.name)
	}
}

// warn notes an oddity.
func (p *parser) warn(format string, args ...any) {
	p.src.Warnings = append(p.src.Warnings, p.name+": "+fmt.Sprintf(format, args...))
}

// unread adds warnings of keywords that were ignored.
func (p *parser) unread() {
	var words []string
	for w := range p.skipped {
		words = append(words, w)
	}
	if slices.Sort(words); len(words) > 0 {
		more := ""
		if n := len(words) - 8; n > 0 {
			words, more = words[:8], fmt.Sprintf(" and %d more", n)
		}
		p.warn("only the mesh was read; these keywords were ignored: %s%s", strings.Join(words, ", "), more)
	}
}
