package abaqus

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fdem/mesh"
)

// set is a named set of nodes, elements or faces.
type set struct {
	name     string
	kind     setKind
	items    []item
	unsorted bool
	combine  string // of surfaces: UNION, INTERSECTION or DIFFERENCE of those named
	at       position
}

// item is one member of a set: numbers from, to and by, or the name of another set.
type item struct {
	from, to, by int64
	name         string // of a set; "" for numbers
	of           string // instance, "" for the part of the set
	face         label
	corners      bool // the nodes of an element set
}

// setName is the key of a set, folded.
type setName struct {
	kind setKind
	name string
}

type setKind uint8

const (
	nodes setKind = iota
	elements
	faces
)

// begun begins the set for the nodes or elements that follow.
func (p *parser) begun(key string, kind setKind) {
	if name := p.options[key]; name != "" {
		p.set(name, kind)
	}
}

// put adds a number to the set that an option names.
func (p *parser) put(key string, kind setKind, id int64) {
	if name := p.options[key]; name != "" {
		s := p.set(name, kind)
		if n := len(s.items); n > 0 && s.items[n-1].name == "" && s.items[n-1].to == id-1 && s.items[n-1].by == 1 && s.items[n-1].of == "" {
			s.items[n-1].to = id // most numbers follow one another
			return
		}
		s.items = append(s.items, item{from: id, to: id, by: 1})
	}
}

// set returns a set of the present part, with its members so far.
func (p *parser) set(name string, kind setKind) *set {
	key := setName{kind, folded(name)}
	i, ok := p.at.named[key]
	if !ok {
		i, p.at.named[key] = len(p.at.sets), len(p.at.sets)
		p.at.sets = append(p.at.sets, set{name: name, kind: kind, at: p.line})
	}
	return &p.at.sets[i]
}

// members reads a line of a set: numbers, names of sets, or from, to and by.
func (p *parser) members(fields []string) {
	name, kind := p.options["NSET"], nodes
	if p.keyword == "*ELSET" {
		name, kind = p.options["ELSET"], elements
	}
	s := p.set(name, kind)
	of := p.options["INSTANCE"]
	for key := range p.options {
		if strings.HasPrefix(key, "GEN") {
			s.items = append(s.items, p.ranged(fields, of))
			return
		}
	}
	for _, f := range fields {
		if f != "" {
			s.items = append(s.items, asItem(f, of))
		}
	}
}

// asItem returns a number, a number of an instance, or a name.
func asItem(text, of string) item {
	if k, err := strconv.ParseInt(text, 10, 64); err == nil {
		return item{from: k, to: k, by: 1, of: of}
	}
	if instance, rest, ok := strings.Cut(text, "."); ok { // of the assembly: instance.number
		if k, err := strconv.ParseInt(rest, 10, 64); err == nil {
			return item{from: k, to: k, by: 1, of: unquoted(instance)}
		}
	}
	return item{name: unquoted(text), of: of}
}

// ranged reads from, to and by of GENERATE.
func (p *parser) ranged(fields []string, of string) item {
	if len(fields) < 2 {
		p.fail("GENERATE needs the first and the last number")
	}
	out := item{from: p.whole(fields[0], "a number"), to: p.whole(fields[1], "a number"), by: 1, of: of}
	if len(fields) > 2 && fields[2] != "" {
		out.by = p.whole(fields[2], "a number")
	}
	if out.by <= 0 || out.to < out.from || out.from < minimum || out.to > maximum {
		p.fail("GENERATE from %d to %d by %d gives no numbers", out.from, out.to, out.by)
	}
	return out
}

// surface begins a surface of faces, of nodes, or combined of others.
func (p *parser) surface() {
	switch kind := strings.ToUpper(p.options["TYPE"]); kind {
	case "", "ELEMENT":
		p.set(p.options["NAME"], faces).combine = strings.ToUpper(p.options["COMBINE"])
	case "NODE":
		p.set(p.options["NAME"], nodes)
	default: // an outline by segments, a cylinder, a revolution, a user's
		p.outlines = append(p.outlines, fmt.Sprintf("%q (TYPE=%s)", p.options["NAME"], kind))
		p.took = false
	}
	switch p.options["COMBINE"] = strings.ToUpper(p.options["COMBINE"]); p.options["COMBINE"] {
	case "", "UNION", "INTERSECTION", "DIFFERENCE":
	default:
		p.fail("surface %q: expected COMBINE=UNION, INTERSECTION or DIFFERENCE, found %.20q", p.options["NAME"], p.options["COMBINE"])
	}
}

// face reads a line of a surface: an element or a set of elements, and the face; or the
// names of surfaces to be combined.
func (p *parser) face(fields []string) {
	if strings.EqualFold(p.options["TYPE"], "NODE") {
		s := p.set(p.options["NAME"], nodes)
		s.items = append(s.items, asItem(fields[0], ""))
		return
	}
	s := p.set(p.options["NAME"], faces)
	if s.combine != "" {
		for _, f := range fields {
			if f != "" {
				s.items = append(s.items, item{name: unquoted(f)})
			}
		}
		return
	}
	it := item{}
	if fields[0] != "" { // without one: all elements
		it = asItem(fields[0], "")
	}
	if len(fields) > 1 {
		it.face = p.labelled(s.name, fields[1])
	}
	s.items = append(s.items, it)
}

// deepest is the greatest depth of nested sets.
const deepest = 20

// members of a set, by their dimension in the mesh.
type gathered struct {
	dim     [3][]int32
	missing []int64  // numbers that are not in the file
	absent  []string // names of sets that are not
	left    bool     // it has elements that were left out
}

// add adds what another lacks.
func (g *gathered) add(o *gathered) {
	g.missing, g.absent, g.left = append(g.missing, o.missing...), append(g.absent, o.absent...), g.left || o.left
}

// collect gathers the members of a set of the part in, as s.kind says; face is of the faces
// of element sets.
func (p *parser) collect(in *placing, s *set, depth int, face label, to *gathered) {
	if depth > deepest {
		p.fail("set %q includes itself", s.name)
	}
	if s.kind == faces && s.combine != "" {
		p.combined(in, s, depth, to)
		return
	}
	for i := range s.items {
		it := &s.items[i]
		of := in
		if it.of != "" {
			if of = p.positioned[folded(it.of)]; of == nil {
				p.fail("set %q is of the instance %q, which is not in the file", s.name, it.of)
			}
		}
		at := face
		if depth == 0 || it.face.kind != 0 {
			at = it.face
		}
		switch {
		case it.name != "":
			p.within(of, in, s, it, depth, at, to)
		case it.by == 0: // all elements
			p.numbered(of, s, &item{from: minimum, to: maximum, by: 1}, at, to)
		default:
			p.numbered(of, s, it, at, to)
		}
	}
}

// The range of all numbers.
const minimum, maximum = -1 << 60, 1 << 60

// numbered gathers numbers of a part. Only of single ones is said that they are absent:
// ranges may have gaps.
func (p *parser) numbered(of *placing, s *set, it *item, face label, to *gathered) {
	for id := range of.numbers(it, s.kind) {
		if s.kind == nodes {
			if n, ok := of.node[id]; ok {
				to.dim[0] = append(to.dim[0], p.point(n))
			} else if _, there := of.nodes[id]; !there && it.from == it.to {
				to.missing = append(to.missing, id)
			}
			continue
		}
		k, ok := of.elements[id]
		switch {
		case !ok && of.left[id]:
			to.left = true
		case !ok && it.from == it.to:
			to.missing = append(to.missing, id)
		case ok && s.kind == faces:
			p.sides(of, &of.element[k], face, to)
		case ok && of.element[k].line:
			to.dim[1] = append(to.dim[1], of.cells[id]...)
		case ok:
			to.dim[2] = append(to.dim[2], of.cells[id]...)
		}
	}
}

// numbers yields the numbers of an item, of a long range only those that the part has.
func (in *part) numbers(it *item, kind setKind) func(yield func(int64) bool) {
	return func(yield func(int64) bool) {
		have := len(in.id)
		if kind != nodes {
			have = len(in.element)
		}
		if it.from == it.to || (it.to-it.from)/it.by <= 4*int64(have) {
			for k := it.from; k <= it.to; k += it.by {
				if !yield(k) {
					return
				}
			}
			return
		}
		within := func(k int64) bool {
			return k < it.from || k > it.to || (k-it.from)%it.by != 0 || yield(k)
		}
		if kind == nodes {
			for _, k := range in.id {
				if !within(k) {
					return
				}
			}
			return
		}
		for i := range in.element {
			if !within(in.element[i].id) {
				return
			}
		}
	}
}

// within collects a set that another names: elements of a surface or of a set of nodes, or
// of the same kind. It is one of the part, of the instance, or INSTANCE.NAME.
func (p *parser) within(of, in *placing, s *set, it *item, depth int, face label, to *gathered) {
	kind := s.kind
	if kind == faces || it.corners {
		kind = elements
	}
	at, o := p.find(of, in, setName{kind, folded(it.name)})
	if o == nil {
		to.absent = append(to.absent, strconv.Quote(it.name))
		return
	}
	inner := *o
	if s.kind == faces {
		inner.kind = faces
	}
	if !it.corners {
		p.collect(at, &inner, depth+1, face, to)
		return
	}
	var cells gathered
	p.collect(at, &inner, depth+1, label{}, &cells)
	to.add(&cells)
	for dim, list := range cells.dim {
		for _, k := range list {
			switch dim {
			case 1:
				to.dim[0] = append(to.dim[0], p.point(p.src.Lines[k][0]), p.point(p.src.Lines[k][1]))
			case 2:
				for _, n := range p.src.Triangles[k] {
					to.dim[0] = append(to.dim[0], p.point(n))
				}
			}
		}
	}
}

// find looks a set up in the parts, and then as INSTANCE.NAME.
func (p *parser) find(of, in *placing, name setName) (*placing, *set) {
	for _, from := range []*placing{in, of} {
		if k, ok := from.named[name]; ok {
			return from, &from.sets[k]
		}
	}
	for i, c := range name.name { // names of instances may have dots
		if from := p.positioned[name.name[:i]]; c == '.' && from != nil {
			if k, ok := from.named[setName{name.kind, name.name[i+1:]}]; ok {
				return from, &from.sets[k]
			}
		}
	}
	return nil, nil
}

// combined gathers surfaces combined of others.
func (p *parser) combined(in *placing, s *set, depth int, to *gathered) {
	for i := range s.items {
		at, o := p.find(in, in, setName{faces, folded(s.items[i].name)})
		analytical := fmt.Sprintf("%q (", s.items[i].name)
		switch {
		case o == nil && slices.ContainsFunc(p.outlines, func(of string) bool { return strings.HasPrefix(of, analytical) }):
			p.fail("surface %q is combined of the surface %q, which is analytical: draw it as [[rigid]]", s.name, s.items[i].name)
		case o == nil:
			p.fail("surface %q is combined of the surface %q, which is not in the file", s.name, s.items[i].name)
		}
		var one gathered
		p.collect(at, o, depth+1, label{}, &one)
		to.add(&one)
		for dim := range to.dim {
			had, has := to.dim[dim], one.dim[dim]
			in := map[int32]bool{}
			for _, k := range has {
				in[k] = true
			}
			switch {
			case i == 0 || s.combine == "UNION":
				to.dim[dim] = append(had, has...)
			case s.combine == "INTERSECTION":
				to.dim[dim] = slices.DeleteFunc(had, func(k int32) bool { return !in[k] })
			default:
				to.dim[dim] = slices.DeleteFunc(had, func(k int32) bool { return in[k] })
			}
		}
	}
}

// sides adds the edge of a face of an element as a line; without a label every edge that no
// other element has. A line is all of its sides.
func (p *parser) sides(of *placing, e *element, face label, to *gathered) {
	edge, whole := face.edge(e)
	switch {
	case e.line:
		to.dim[1] = append(to.dim[1], of.cells[e.id]...)
		return
	case whole:
		to.dim[2] = append(to.dim[2], of.cells[e.id]...)
		return
	case face.kind != 0 && edge >= e.sides:
		p.fail("element %d has only %d faces, and no %c%d", e.id, e.sides, face.kind, face.number)
	}
	for k := range e.sides {
		a, b := of.node[e.corners[k]], of.node[e.corners[(k+1)%e.sides]]
		if a != b && (face.kind != 0 && edge == k || face.kind == 0 && p.free(a, b)) {
			to.dim[1] = append(to.dim[1], p.edge(a, b))
		}
	}
}

// namedGroup is a group with the part that it belongs to.
type namedGroup struct {
	name, of string // of is the instance, "" for the model
	mesh.SourceGroup
}

// groupsOf makes groups of a set.
func (p *parser) groupsOf(in *placing, s *set) {
	p.line = s.at
	var members gathered
	p.collect(in, s, 0, label{}, &members)
	empty := !members.left
	for dim, m := range members.dim {
		if len(m) == 0 {
			continue
		}
		empty = false
		slices.Sort(m)
		p.named = append(p.named, namedGroup{s.name, in.label, mesh.SourceGroup{Dim: dim, Elements: slices.Compact(m)}})
	}
	if len(members.absent) > 0 {
		empty = false
		p.absent = append(p.absent, fmt.Sprintf("set %q names sets that are not in the file: %s", s.name, few(members.absent)))
	}
	if n := len(members.missing); n > 0 {
		what := "element"
		if s.kind == nodes {
			what = "node"
		}
		list := make([]string, n)
		for i, id := range members.missing {
			list[i] = strconv.FormatInt(id, 10)
		}
		p.absent = append(p.absent, fmt.Sprintf("set %q has %ss that are not in the file: %s", s.name, what, few(list)))
	} else if empty {
		p.empty = append(p.empty, strconv.Quote(s.name))
	}
}

// groups gives the groups their names, in the order of the file. Sets of equal names in
// different parts are different things: INSTANCE.NAME, which a set has by its short name,
// too, where no other part has one of it. A set of the assembly has its own name.
func (p *parser) groups() {
	owners := map[string][]string{} // of each name, folded
	for _, g := range p.named {
		if f := folded(g.name); !slices.Contains(owners[f], g.of) {
			owners[f] = append(owners[f], g.of)
		}
	}
	for _, g := range p.named {
		full := g.name
		if g.of != "" {
			full = g.of + "." + g.name
		}
		other := g.name
		if g.Name = full; len(owners[folded(g.name)]) == 1 {
			g.Name, other = g.name, full
		}
		if g.of != "" {
			p.src.AddAlias(other, g.Name)
		}
		p.src.Groups = append(p.src.Groups, g.SourceGroup)
	}
	slices.SortStableFunc(p.src.Groups, func(a, b mesh.SourceGroup) int { return a.Dim - b.Dim })
	for i := range p.src.Groups {
		p.src.Groups[i].Number = i + 1
	}
	for i, note := range p.absent {
		if i == 8 {
			p.warn("%d more sets have members that are not in the file", len(p.absent)-8)
			break
		}
		p.warn("%s", note)
	}
	if len(p.empty) == 1 {
		p.warn("set %s is empty", p.empty[0])
	} else if len(p.empty) > 1 {
		p.warn("these sets are empty, or hold nothing of a plane solid: %s", few(p.empty))
	}
}
