// Package abaqus reads the mesh of an input file (.inp) of Abaqus or CalculiX: nodes, plane
// triangles and quadrilaterals, beams and trusses in the plane, node sets, element sets and
// surfaces, flat or in parts and instances, in one file or in those that it names. Nodes and
// elements may be generated (*NGEN, *NFILL, *NCOPY, *ELGEN, *ELCOPY). Quadrilaterals become
// two triangles, or one if two of their corners are the same node. Elements of higher order
// are read by their corners. What is no part of a plane solid is left out, with one note.
// Materials, sections, steps and all else are ignored.
package abaqus

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fdem/mesh"
)

// IsInput tells whether data look like an input file, which begins with a keyword or a
// comment.
func IsInput(data []byte) bool {
	data = bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n")
	return bytes.HasPrefix(data, []byte("*"))
}

// Beside returns a function that reads the files named in a file, relative to its folder.
// Backslashes separate folders as slashes do.
func Beside(path string) func(name string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		name = filepath.FromSlash(strings.ReplaceAll(name, `\`, "/"))
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
	p := &parser{name: name, line: position{file: name}, other: other, src: &mesh.Source{Name: name}, parts: map[string]*part{}, skipped: map[string]bool{}, leftOut: map[string]int{}}
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
	p.read(data)
	p.ended()
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
	included int // files, and their bytes
	bytes    int
	src      *mesh.Source
	model    *part // contents outside of parts, and those of the assembly
	at       *part // part of the present lines
	parts    map[string]*part
	order    []*part
	copies   []*instance
	skipped  map[string]bool // keywords that are not of the mesh
	leftOut  map[string]int  // elements that are no part of a plane solid, by type
	outlines []string        // analytical surfaces
	keyword  string
	options  map[string]string
	rows     int // data lines since the keyword
	took     bool
	instance *instance // present instance
	axes     axes      // of the coordinates of nodes
	now      *element  // element whose line goes on
	comma    bool      // the line before ended with one

	quads, higher, again int // quadrilaterals; elements of higher order; nodes and elements given twice alike
	made                 int // nodes and elements generated
	positioned           map[string]*placing
	points               map[int32]int32 // elements of nodes, lines of edges, triangles at edges
	lines                map[[2]int32]int32
	triangles            map[[2]int32]int
	absent               []string // notes of sets
	empty                []string // sets
	named                []namedGroup
}

// part is nodes, elements and sets with numbers of their own.
type part struct {
	name     string
	nodes    map[int64]int // index of each
	id       []int64
	x        [][3]float64
	elements map[int64]int
	element  []element
	left     map[int64]bool // elements that are left out
	sets     []set
	named    map[setName]int // index of each in sets
	later    []generation    // in the order of the file
	corner   map[int64]bool  // nodes that are corners; nil until somebody asks
}

func newPart(name string) *part {
	return &part{name: name, nodes: map[int64]int{}, elements: map[int64]int{}, left: map[int64]bool{}, named: map[setName]int{}}
}

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
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if bytes.IndexByte(data, '\n') < 0 { // ends of lines of old Macintosh programs
		data = bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
	}
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
		case line == "" || strings.HasPrefix(line, "**") || line == "\x1a": // the last is the end of a file of DOS
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
			p.comma = strings.HasSuffix(line, ",")
		}
	}
	if carried != "" {
		p.begin(carried)
	}
}

// words splits a line at its commas, except at those within quotation marks.
func words(line string) (fields []string) {
	from, quoted := 0, false
	for i := range len(line) {
		switch {
		case line[i] == '"':
			quoted = !quoted
		case line[i] == ',' && !quoted:
			fields, from = append(fields, strings.TrimSpace(line[from:i])), i+1
		}
	}
	return append(fields, strings.TrimSpace(line[from:]))
}

// unquoted returns a name without quotation marks.
func unquoted(name string) string { return strings.Trim(strings.TrimSpace(name), `"`) }

// begin reads a keyword with its options.
func (p *parser) begin(text string) {
	given := words(text)
	keyword, options := strings.ToUpper(strings.Join(strings.Fields(given[0]), " ")), map[string]string{}
	keyword = "*" + strings.TrimSpace(keyword[1:])
	for _, w := range given[1:] {
		key, value, _ := strings.Cut(w, "=")
		options[strings.ToUpper(strings.Join(strings.Fields(key), " "))] = unquoted(value)
	}
	if keyword == "*INCLUDE" { // replaced by the lines of its file, which may continue the data
		p.include(keyword, options["INPUT"])
		return
	}
	p.ended()
	p.keyword, p.options, p.rows, p.took = keyword, options, 0, true
	switch keyword {
	case "*PART", "*INSTANCE", "*END PART", "*ENDPART", "*END INSTANCE", "*ENDINSTANCE":
		p.blocks()
	case "*HEADING", "*ASSEMBLY", "*END ASSEMBLY", "*ENDASSEMBLY", "*PREPRINT", "*END STEP", "*ENDSTEP":
		p.took = false
	default:
		p.contents()
	}
	if input := p.options["INPUT"]; p.took && input != "" {
		p.include(p.keyword, input)
	}
}

// blocks begins and ends parts and instances.
func (p *parser) blocks() {
	p.axes = axes{}
	switch p.keyword {
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
	default:
		p.at, p.instance = p.model, nil
	}
}

// contents begins the data of nodes, elements and sets.
func (p *parser) contents() {
	switch p.keyword {
	case "*NODE":
		p.systemOf()
		p.begun("NSET", nodes)
	case "*SYSTEM":
		p.axes = axes{}
	case "*ELEMENT":
		p.must("TYPE")
		p.shape(p.options["TYPE"])
		p.begun("ELSET", elements)
	case "*NSET":
		p.must("NSET")
		s := p.set(p.options["NSET"], nodes)
		if _, as := p.options["UNSORTED"]; as {
			s.unsorted = true
		}
		if of := p.options["ELSET"]; of != "" {
			s.items = append(s.items, item{name: of, of: p.options["INSTANCE"], corners: true})
		}
	case "*ELSET":
		p.must("ELSET")
		p.set(p.options["ELSET"], elements)
	case "*SURFACE":
		p.must("NAME")
		p.surface()
	case "*NGEN", "*NFILL", "*ELGEN":
		p.begun("NSET", nodes)
		p.begun("ELSET", elements)
	case "*NCOPY", "*ELCOPY":
		p.copying()
	case "*NMAP":
		p.fail("*NMAP is not supported: write the nodes in x, y, z")
	default:
		p.took = false
		p.skipped[p.keyword] = true
	}
}

// The most that files may name: an input file that includes itself by turns, or a chain of
// files that each include the next many times, would be read for hours.
const (
	deepestInclude = 20
	mostIncludes   = 10_000
	mostBytes      = 8 << 30
)

// include reads the file that a keyword names: data lines, or keywords of its own.
func (p *parser) include(keyword, name string) {
	if name == "" {
		p.fail("%s needs INPUT=", keyword)
	}
	if p.nested == deepestInclude {
		p.fail("%q includes itself", name)
	}
	if p.included++; p.included > mostIncludes {
		p.fail("the files include more than %d others: does one include itself by way of another?", mostIncludes)
	}
	data, err := p.other(name)
	if err != nil {
		p.fail("the file named by %s cannot be read: %v", keyword, err)
	}
	if p.bytes += len(data); p.bytes > mostBytes {
		p.fail("the files that are included have more than %d GiB", mostBytes>>30)
	}
	here := p.line
	p.line = position{file: name}
	p.nested++
	p.read(data)
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

// warn notes an oddity.
func (p *parser) warn(format string, args ...any) {
	p.src.Warnings = append(p.src.Warnings, p.name+": "+fmt.Sprintf(format, args...))
}

// few returns at most eight of a list, and how many more there are.
func few(list []string) string {
	more := ""
	if n := len(list) - 8; n > 0 {
		list, more = list[:8], fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(list, ", ") + more
}

// unread adds warnings of what was ignored.
func (p *parser) unread() {
	if types := p.typesLeft(); len(types) > 0 {
		p.warn("elements that are no part of a plane solid were left out: %s", few(types))
	}
	if len(p.outlines) > 0 {
		p.warn("analytical surfaces were left out: %s: draw what is rigid as [[rigid]]", few(p.outlines))
	}
	var ignored []string
	for w := range p.skipped {
		ignored = append(ignored, w)
	}
	if slices.Sort(ignored); len(ignored) > 0 {
		p.warn("only the mesh was read; these keywords were ignored: %s", few(ignored))
	}
}

// typesLeft returns the numbers and types of the elements that were left out.
func (p *parser) typesLeft() (out []string) {
	for t := range p.leftOut {
		out = append(out, t)
	}
	slices.Sort(out)
	for i, t := range out {
		out[i] = fmt.Sprintf("%d %s", p.leftOut[t], t)
	}
	return out
}
