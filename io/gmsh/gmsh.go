// Package gmsh reads and writes Gmsh's .msh files: versions 2.2 and 4.1, in
// text and binary, with points, lines and triangles in a plane of constant z.
// Quadrilaterals become two triangles, elements of higher order are read by
// their corners.
package gmsh

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"strconv"

	"fdem/mesh"
)

// supported is the end of the messages about unsupported files.
const supported = "supported are points, lines, triangles and quadrilaterals in the plane z = 0, in .msh 2.2 and 4.1"

// Read reads a file. Its errors name the file and the line, or in binary data
// the byte.
func Read(path string) (*mesh.Source, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, data)
}

// Parse reads the contents of a file of the given name.
func Parse(name string, data []byte) (src *mesh.Source, err error) {
	defer func() {
		if r := recover(); r != nil {
			d, ok := r.(damage)
			if !ok {
				panic(r)
			}
			src, err = nil, d.err
		}
	}()
	for _, mark := range []string{"\xff\xfe", "\xfe\xff"} {
		if bytes.HasPrefix(data, []byte(mark)) {
			return nil, fmt.Errorf("%s: the file is in UTF-16: save it as Gmsh does", name)
		}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	p := &parser{
		scanner: scanner{name: name, data: data},
		src:     &mesh.Source{Name: name},
		names:   map[key]string{},
	}
	p.sections()
	p.corners()
	p.flat()
	p.finish()
	return p.src, nil
}

// parser is the contents of a file's sections so far.
type parser struct {
	scanner
	version  string // "2.2" or "4.1"; "" before $MeshFormat
	raw      bool   // the file is binary
	src      *mesh.Source
	names    map[key]string
	physical map[key][]int // 4.1: physical groups by entity
	nodes    bool          // the sections have been read
	elements bool
	index    index     // of nodes
	z        []float64 // of the nodes; nil where all are 0
	ends     []int     // their ends in the file, with z
	between  []int32   // nodes on the sides of elements of higher order
	split    int       // quadrilaterals
	higher   int       // elements of higher order
	member   []membership
}

// index finds nodes by their numbers. Small numbers, which most files have, are
// in a table, and the others in a map.
type index struct {
	table  []int32 // the index of each number, and one
	others map[int64]int32
}

// newIndex prepares for n nodes.
func newIndex(n int) index { return index{make([]int32, 2*n+1), map[int64]int32{}} }

func (x *index) set(number int64, at int32) {
	if number >= 0 && number < int64(len(x.table)) {
		x.table[number] = at + 1
	} else {
		x.others[number] = at
	}
}

func (x *index) at(number int64) (at int32, ok bool) {
	if number >= 0 && number < int64(len(x.table)) {
		at = x.table[number] - 1
		return at, at >= 0
	}
	at, ok = x.others[number]
	return at, ok
}

// key is a dimension and the number of a physical group or an entity.
type key struct{ dim, number int }

// membership puts an element of a dimension into a physical group.
type membership struct {
	key
	element int32
}

// section reads the section of the given name to its end, from the line after
// its first token t.
func (p *parser) section(name string, t []byte) {
	switch name {
	case "MeshFormat":
		p.format()
	case "PhysicalNames":
		p.physicalNames()
	case "Entities":
		p.data2(p.entities)
	case "PartitionedEntities":
		p.data2(p.partitionedEntities)
	case "Nodes":
		p.once(&p.nodes, t)
		if p.version == "2.2" {
			p.data2(p.nodes22)
		} else {
			p.data2(p.nodes41)
		}
	case "Elements":
		p.once(&p.elements, t)
		if !p.nodes {
			p.fail("$Elements comes before $Nodes")
		}
		if p.version == "2.2" {
			p.data2(p.elements22)
		} else {
			p.data2(p.elements41)
		}
	default:
		from := p.pos
		p.skip(name)
		if name == "Comments" && bytes.Contains(p.data[from:p.pos], []byte(inMetres)) {
			p.src.InMetres = true
		}
		return
	}
	if end := p.token(); string(end) != "$End"+name {
		p.pos -= len(end)
		p.fail("expected $End%s, found %.40q", name, end)
	}
}

// sections reads one section after the other.
func (p *parser) sections() {
	for {
		t := p.token()
		if len(t) == 0 {
			break
		}
		if t[0] != '$' {
			p.pos -= len(t)
			p.fail("expected the start of a section such as $Nodes, found %.40q", t)
		}
		section := string(t[1:])
		if section == "NOD" {
			p.fail("found version 1 of the .msh format; %s (in Gmsh: -format msh41 or msh22)", supported)
		}
		if p.version == "" && section != "MeshFormat" && section != "Comments" {
			p.fail("a .msh file begins with $MeshFormat, found %.40q", t)
		}
		p.line()
		p.section(section, t)
	}
	switch {
	case p.version == "":
		p.fail("the file is empty: a .msh file begins with $MeshFormat")
	case !p.nodes:
		p.fail("the file has no $Nodes")
	case !p.elements:
		p.fail("the file has no $Elements")
	}
}

// data2 reads the data of a section that is binary in a binary file.
func (p *parser) data2(read func()) {
	p.binary = p.raw
	read()
	p.binary = false
}

func (p *parser) once(seen *bool, section []byte) {
	if *seen {
		p.fail("the file has %s twice", section)
	}
	*seen = true
}

// skip skips a section without data for this program.
func (p *parser) skip(section string) {
	end := []byte("$End" + section)
	for at := p.pos; ; {
		i := bytes.Index(p.data[at:], end)
		if i < 0 {
			p.fail("section $%.40s has no end", section)
		}
		at += i
		if begins := at == p.pos || p.data[at-1] == '\n'; begins || p.raw {
			p.pos = at + len(end)
			return
		}
		at += len(end)
	}
}

// format reads version, text or binary, and byte order.
func (p *parser) format() {
	if p.version != "" {
		p.fail("the file has $MeshFormat twice")
	}
	version := string(p.word("the version"))
	if version != "2.2" && version != "4.1" {
		p.fail("found version %.20s of the .msh format; %s (in Gmsh: -format msh41 or msh22)", version, supported)
	}
	kind, size := p.textInt("the file type"), p.textInt("the data size")
	if kind != 0 && kind != 1 || size != 8 {
		p.fail("the file type must be 0 or 1 and the data size 8, found %d and %d", kind, size)
	}
	p.version, p.raw = version, kind == 1
	if !p.raw {
		return
	}
	p.line()
	p.binary = true
	one := p.bytes(4, "the number that tells the byte order")
	switch {
	case binary.LittleEndian.Uint32(one) == 1:
		p.order = binary.LittleEndian
	case binary.BigEndian.Uint32(one) == 1:
		p.order = binary.BigEndian
	default:
		p.fail("the byte order is unclear: expected the number 1, found % x", one)
	}
	p.binary = false
}

// physicalNames reads lines of: dimension number "name".
func (p *parser) physicalNames() {
	n := p.count(p.textInt("the number of names"), 6, "physical names")
	p.line()
	for range n {
		k := key{p.textInt("a dimension"), p.textInt("a physical number")}
		line := bytes.TrimSpace(p.line())
		if len(line) < 2 || line[0] != '"' || line[len(line)-1] != '"' {
			p.fail("expected a name in quotes, found %.60q", line)
		}
		p.names[k] = string(line[1 : len(line)-1])
	}
}

// name returns the name of a physical group, or its number if it has no name.
func (p *parser) name(k key) string {
	if n := p.names[k]; n != "" {
		return n
	}
	return strconv.Itoa(k.number)
}

// warn notes a defect that was corrected.
func (p *parser) warn(format string, args ...any) {
	p.src.Warnings = append(p.src.Warnings, fmt.Sprintf("%s: ", p.scanner.name)+fmt.Sprintf(format, args...))
}
