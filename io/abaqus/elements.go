package abaqus

import (
	"slices"
	"strconv"
	"strings"
)

// element is an element with the numbers of its nodes, corners first.
type element struct {
	id      int64
	corners []int64
	nodes   int // number of nodes that it must have
	sides   int // number of corners
	line    bool
	shell   bool // its faces are counted as those of a shell
	of      string
	at      position
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
	{[]string{"CPS6", "CPE6", "CPEG6", "S6", "STRI65", "M3D6"}, 6, 3, false},
	{[]string{"CPS8", "CPE8", "CPEG8", "S8", "M3D8"}, 8, 4, false},
	{[]string{"S9", "M3D9"}, 9, 4, false},
	{[]string{"CGPE5"}, 5, 3, false}, // the last two nodes are those of the planes before and behind
	{[]string{"CGPE6"}, 6, 4, false},
	{[]string{"CGPE8"}, 8, 3, false},
	{[]string{"CGPE10"}, 10, 4, false},
	{[]string{"B21", "B23", "B31", "B33", "T2D2", "T3D2", "R2D2"}, 2, 2, true},
}

// suffixes are the letters after an element type: reduced integration, incompatible
// modes, hybrid, modified, thermal, pore pressure, piezoelectric, small strain.
const suffixes = "RIHMT5XPESW"

// others begin the types of elements that are no part of a plane solid: masses, springs,
// dashpots, connectors, gaps, joints, cohesive and infinite elements, those of heat,
// fluids and fields alone, axisymmetric and rigid ones, other beams and trusses,
// stiffeners of surfaces, users' elements.
var others = []string{"MASS", "PMASS", "ROTARYI", "HEATCAP", "SPRING", "DASHPOT", "CONN", "GAP", "ITT", "ITS", "IRS", "ISL", "ISP", "JOINT", "DRAG", "DCOUP", "DISTRIB",
	"COH", "CIN", "DC1D", "DC2D", "DCC1D", "DCC2D", "AC1D", "AC2D", "DCAX", "DCCAX", "ACAX", "CAX", "CGAX", "CCL", "SAX", "MAX", "MCL", "MGAX", "SFM", "RAX", "RB2D", "RB3D", "R3D", "FAX", "B2", "B3", "PIPE", "ELBOW", "FRAME",
	"T2D", "T3D", "LS3S", "LS6", "EMC2D", "PSI", "DS3", "DS4", "DS6", "DS8", "F2D", "F3D", "WARP", "PC3D", "PD3D", "ASI", "FP", "FC"}

// isOther tells whether a type is one of the others. Users' elements are U and a number, or
// names that begin with U in CalculiX; D is a pipe of CalculiX.
func isOther(name string) bool {
	if name == "D" || name == "US3" || name == "US4" || name == "US45" || name == "S3D" {
		return true
	}
	if rest, ok := strings.CutPrefix(name, "U"); ok && strings.Trim(rest, "0123456789") == "" {
		return true
	}
	return slices.ContainsFunc(others, func(o string) bool { return strings.HasPrefix(name, o) })
}

// shape returns an element of a type, without its number and nodes; nil for a type that is
// no part of a plane solid.
func (p *parser) shape(name string) *element {
	name = strings.ToUpper(name)
	for _, s := range shapes {
		for _, b := range s.begins {
			if rest, ok := strings.CutPrefix(name, b); ok && strings.Trim(rest, suffixes) == "" {
				shell := !s.line && (name[0] == 'S' || name[0] == 'M')
				return &element{nodes: s.nodes, sides: s.corners, line: s.line, shell: shell, of: name}
			}
		}
	}
	if isOther(name) {
		return nil
	}
	what := ""
	for _, solid := range []string{"C3D", "DC3D", "AC3D", "SC6", "SC8", "EC3D", "CSS8", "Q3D", "EMC3D", "CCL"} {
		if strings.HasPrefix(name, solid) {
			what = ", being a solid in space"
		}
	}
	p.fail("element type %q is not supported%s; supported are CPS3, CPE3, CPS4, CPE4, CPS6, CPE6, CPS8, CPE8 and their like, S3, S4, B21 and T2D2, in the plane z = 0", name, what)
	return nil
}

// elementRow reads a line of elements. An element goes on in the next line if its line ends
// with a comma.
func (p *parser) elementRow(line string, fields []string) {
	if p.now == nil {
		shape := p.shape(p.options["TYPE"])
		if shape == nil {
			if p.rows == 1 || !p.comma { // not the rest of an element
				p.leave(p.whole(fields[0], "the number of an element"), strings.ToUpper(p.options["TYPE"]))
			}
			return
		}
		p.now = shape
		p.now.id, p.now.at = p.whole(fields[0], "the number of an element"), p.line
		fields = fields[1:]
	}
	e := p.now
	for _, f := range fields {
		if f == "" {
			continue
		}
		if len(e.corners) == e.nodes {
			p.fail("element %d of type %s has more than %d nodes", e.id, p.options["TYPE"], e.nodes)
		}
		e.corners = append(e.corners, p.whole(f, "the number of a node"))
	}
	switch {
	case len(e.corners) == e.nodes:
		p.now = nil
		p.addElement(*e)
		p.put("ELSET", elements, e.id)
	case !strings.HasSuffix(line, ","):
		p.short(e)
	}
}

// ended stops at an element whose line should go on.
func (p *parser) ended() {
	if p.now != nil {
		p.line = p.now.at
		p.short(p.now)
	}
}

// short stops at an element with too few nodes.
func (p *parser) short(e *element) {
	p.fail("element %d has %d nodes, want %d", e.id, len(e.corners), e.nodes)
}

// addElement adds an element to the present part. One that is given twice alike is one.
func (p *parser) addElement(e element) {
	at := p.at
	if k, twice := at.elements[e.id]; twice {
		if o := &at.element[k]; o.of != e.of || !slices.Equal(o.corners, e.corners) {
			p.fail("element %d is listed twice, with other nodes or of another type", e.id)
		}
		p.again++
		return
	}
	if at.left[e.id] {
		p.fail("element %d is listed twice, with other nodes or of another type", e.id)
	}
	at.elements[e.id] = len(at.element)
	at.element = append(at.element, e)
}

// leave leaves an element out, with its number, which sets may name.
func (p *parser) leave(id int64, kind string) {
	if _, twice := p.at.elements[id]; twice {
		p.fail("element %d is listed twice, with other nodes or of another type", id)
	}
	p.at.left[id] = true
	p.leftOut[kind]++
	p.put("ELSET", elements, id)
}

// withNodes stops at an element that names a node that is not in its part.
func (p *parser) withNodes(in *part) {
	for i := range in.element {
		e := &in.element[i]
		for _, n := range e.corners {
			if _, ok := in.nodes[n]; !ok {
				p.line = e.at
				p.fail("element %d has node %d, which is not in the file", e.id, n)
			}
		}
		if e.nodes > e.sides {
			p.higher++
		}
	}
}

// label is the face that a line of a surface names.
type label struct {
	kind   byte // 0 for every free edge, 'S' and 'E' for an edge or face with a number, 'F' for the face of a shell
	number int
}

// labelled reads the name of a face.
func (p *parser) labelled(surface, text string) label {
	name := strings.ToUpper(text)
	switch name {
	case "":
		return label{}
	case "SPOS", "SNEG", "POS", "NEG", "SP", "SN", "P", "N":
		return label{kind: 'F'}
	case "EDGE":
		return label{}
	}
	if v, err := strconv.Atoi(name[1:]); err == nil && (name[0] == 'S' && v >= 1 && v <= 6 || name[0] == 'E' && v >= 1 && v <= 4) {
		return label{kind: name[0], number: v}
	}
	p.fail("surface %q: expected a face S1 to S4, E1 to E4, SPOS or SNEG, found %.20q", surface, text)
	return label{}
}

// edge returns the edge of an element that a label names, from 0, or the whole element.
// Edges of shells are E1 to E4 in Abaqus, and S3 to S6 in CalculiX, where S1 and S2 are
// the faces below and above.
func (l label) edge(e *element) (edge int, whole bool) {
	switch {
	case l.kind == 'F' || l.kind == 'S' && e.shell && l.number <= 2:
		return 0, true
	case l.kind == 'S' && e.shell:
		return l.number - 3, false
	}
	return l.number - 1, false
}
