package abaqus

import (
	"cmp"
	"math"
	"slices"

	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// placing is a part at its position, with the indices of its nodes and elements in
// the mesh.
type placing struct {
	*part
	prefix string            // before the names of its sets
	node   map[int64]int32   // in the source, of nodes that are corners
	cells  map[int64][]int32 // in the source, of each element
}

// build makes the mesh from the contents of the file.
func (p *parser) build() *mesh.Source {
	p.unread()
	all := []*placing{{part: p.model}}
	p.positioned = map[string]*placing{}
	count := map[string]int{}
	for _, c := range p.copies {
		count[folded(c.part)]++
	}
	for _, c := range p.copies {
		p.line = c.at
		of := c.own
		if of.id == nil {
			if of = p.parts[folded(c.part)]; of == nil {
				p.fail("instance %q has the part %q, which is not in the file", c.name, c.part)
			}
			of = c.moved(of)
		}
		in := &placing{part: of}
		if count[folded(c.part)] > 1 {
			in.prefix = c.name + "."
		}
		if p.positioned[folded(c.name)] != nil {
			p.fail("there are two instances %q", c.name)
		}
		p.positioned[folded(c.name)] = in
		all = append(all, in)
	}
	if len(p.copies) == 0 {
		for _, part := range p.order { // parts without an assembly stand where they are
			all = append(all, &placing{part: part})
		}
	}
	for _, in := range all {
		p.put(in, len(all) > 1)
	}
	p.flat(all)
	for _, in := range all {
		for i := range in.sets {
			p.groupsOf(in, &in.sets[i])
		}
	}
	p.complete()
	if p.quads > 0 {
		p.warn("%d quadrilaterals were split into two triangles each", p.quads)
	}
	if p.higher > 0 {
		p.warn("%d elements of higher order were read by their corners", p.higher)
	}
	p.numbered()
	return p.src
}

// complete stops at a file without elements: a truncated file ends in its nodes.
func (p *parser) complete() {
	if len(p.src.Triangles) > 0 || len(p.src.Lines) > 0 {
		return
	}
	p.line = p.last
	if p.keyword == "*NODE" {
		p.fail("the file ends in its nodes, without an *ELEMENT: is it incomplete?")
	}
	p.fail("the file ends without an *ELEMENT: is it incomplete, or are its elements in another file?")
}

// moved returns a part at the position of the instance.
func (c *instance) moved(of *part) *part {
	out := *of
	out.x = slices.Clone(of.x)
	sin, cos := elementary.Sincos(c.angle * math.Pi / 180)
	if c.axis[1][2] < c.axis[0][2] {
		sin = -sin
	}
	for i := range out.x {
		x, y := out.x[i][0]+c.move[0], out.x[i][1]+c.move[1]
		if c.angle != 0 {
			dx, dy := x-c.axis[0][0], y-c.axis[0][1]
			x, y = c.axis[0][0]+float64(cos*dx)-float64(sin*dy), c.axis[0][1]+float64(sin*dx)+float64(cos*dy)
		}
		out.x[i] = [3]float64{x, y, out.x[i][2] + c.move[2]}
	}
	return &out
}

// put adds the corners and the elements of a part. Where there are several, nodes and
// elements get new numbers.
func (p *parser) put(in *placing, several bool) {
	in.node, in.cells = map[int64]int32{}, map[int64][]int32{}
	corner := func(id int64) int32 {
		if n, ok := in.node[id]; ok {
			return n
		}
		at := in.x[in.nodes[id]]
		n := p.src.AddNode(r2.Vec{X: at[0], Y: at[1]})
		if !several {
			p.src.NodeID[n] = id
		}
		in.node[id] = n
		return n
	}
	for _, id := range in.id { // in the order of the file
		if in.isCorner(id) {
			corner(id)
		}
	}
	for i := range in.element {
		e := &in.element[i]
		if p.line = e.at; len(e.corners) < e.nodes {
			p.short(e)
		}
		n := make([]int32, e.sides())
		for k := range n {
			n[k] = corner(e.corners[k])
		}
		switch {
		case e.line:
			k := p.src.AddLine(n[0], n[1])
			in.cells[e.id] = []int32{k}
		case len(n) == 3:
			in.cells[e.id] = []int32{p.triangle(n[0], n[1], n[2], e.id, several)}
		case len(distinct(n)) == 3:
			n = distinct(n)
			in.cells[e.id] = []int32{p.triangle(n[0], n[1], n[2], e.id, several)}
		default:
			p.quads++
			for _, t := range p.src.Halves([4]int32(n)) {
				in.cells[e.id] = append(in.cells[e.id], p.triangle(t[0], t[1], t[2], e.id, several))
			}
		}
	}
}

// distinct returns corners without consecutive repeats.
func distinct(n []int32) (out []int32) {
	for k, c := range n {
		if c != n[(k+1)%len(n)] {
			out = append(out, c)
		}
	}
	return out
}

func (p *parser) triangle(a, b, c int32, id int64, several bool) int32 {
	k := p.src.AddTriangle(a, b, c)
	if !several {
		p.src.TriID[k] = id
	}
	return k
}

// sides returns the number of corners of an element: half of its nodes if it is of
// higher order.
func (e *element) sides() int {
	if e.nodes >= 6 {
		return e.nodes / 2
	}
	return e.nodes
}

// isCorner tells whether a node is a corner of an element, after the first call in
// constant time.
func (in *placing) isCorner(id int64) bool {
	if in.part.corner == nil {
		in.part.corner = map[int64]bool{}
		for i := range in.element {
			e := &in.element[i]
			for _, n := range e.corners[:min(e.sides(), len(e.corners))] {
				in.part.corner[n] = true
			}
		}
	}
	return in.part.corner[id]
}

// flat stops at a mesh that is not in a plane of constant z.
func (p *parser) flat(all []*placing) {
	first, size := math.NaN(), 0.0
	for _, in := range all {
		for i, id := range in.id {
			if !in.isCorner(id) {
				continue
			}
			x := in.x[i]
			size = max(size, math.Abs(x[0]), math.Abs(x[1]))
			if math.IsNaN(first) {
				first = x[2]
			}
			if math.Abs(x[2]-first) > 1e-9*(1+size) {
				p.line = position{p.name, 1}
				p.fail("node %d lies at z = %g and another at z = %g, and fdem needs a mesh in the plane z = 0", id, x[2], first)
			}
		}
	}
	if math.Abs(first) > 1e-9*(1+size) {
		p.warn("the mesh lies in the plane z = %g: z = 0 is taken instead", first)
	}
}

// groupsOf makes groups of a set.
func (p *parser) groupsOf(in *placing, s *set) {
	p.line = s.at
	var members [3][]int32
	p.collect(p.owner(in, s), in, s, 0, &members)
	empty := true
	for dim, m := range members {
		if len(m) == 0 {
			continue
		}
		empty = false
		slices.Sort(m)
		p.add(in.prefix+s.name, dim, slices.Compact(m))
	}
	if empty {
		p.warn("set %q is empty", s.name)
	}
}

// owner returns the part to which the numbers in a set belong.
func (p *parser) owner(in *placing, s *set) *placing {
	if s.of == "" {
		return in
	}
	of := p.positioned[folded(s.of)]
	if of == nil {
		p.fail("set %q is of the instance %q, which is not in the file", s.name, s.of)
	}
	return of
}

// add makes a group, or adds to one of the same name: a set of several instances.
func (p *parser) add(name string, dim int, m []int32) {
	for i := range p.src.Groups {
		if g := &p.src.Groups[i]; g.Dim == dim && g.Name == name {
			g.Elements = append(g.Elements, m...)
			slices.Sort(g.Elements)
			g.Elements = slices.Compact(g.Elements)
			return
		}
	}
	p.src.Groups = append(p.src.Groups, mesh.SourceGroup{Name: name, Dim: dim, Elements: m})
}

// deepest is the greatest depth of nested sets.
const deepest = 20

// collect returns the members of a set, by their dimension in the mesh. Numbers are those
// of the part of. Names are those of sets of in, or else of of.
func (p *parser) collect(of, in *placing, s *set, depth int, members *[3][]int32) {
	if depth > deepest {
		p.fail("set %q includes itself", s.name)
	}
	for i, id := range s.members {
		switch s.kind {
		case nodes:
			if n, ok := of.node[id]; ok {
				members[0] = append(members[0], p.point(n))
			} else if _, there := of.nodes[id]; !there {
				p.fail("set %q has node %d, which is not in the file", s.name, id)
			}
		case elements, faces:
			k, ok := of.elements[id]
			if !ok {
				p.fail("set %q has element %d, which is not in the file", s.name, id)
			}
			e := &of.element[k]
			switch {
			case e.line:
				members[1] = append(members[1], of.cells[id]...)
			case s.kind == faces:
				p.sides(of, e, s.faces[i], members)
			default:
				members[2] = append(members[2], of.cells[id]...)
			}
		}
	}
	for i, name := range s.names {
		p.within(of, in, s, name, s.ofName[i], depth, members)
	}
}

// within collects a set that another names: elements of a surface, or of the same kind.
func (p *parser) within(of, in *placing, s *set, name string, face, depth int, members *[3][]int32) {
	kind := s.kind
	if kind == faces {
		kind = elements
	}
	found := false
	for _, from := range []*placing{in, of} {
		if found {
			break
		}
		for i := range from.sets {
			o := &from.sets[i]
			if o.kind != kind || folded(o.name) != folded(name) {
				continue
			}
			found = true
			inner := *o
			if s.kind == faces {
				inner.kind, inner.faces = faces, slices.Repeat([]int{face}, len(o.members))
				inner.ofName = slices.Repeat([]int{face}, len(o.names))
			}
			p.collect(p.owner(from, o), in, &inner, depth+1, members)
		}
	}
	if !found {
		p.fail("set %q names the set %q, which is not in the file", s.name, name)
	}
}

// sides adds the edge of a face of an element as a line; for face 0 every edge that
// no other element has.
func (p *parser) sides(of *placing, e *element, face int, members *[3][]int32) {
	n := e.sides()
	if face > n {
		p.fail("element %d has only %d faces, and no S%d", e.id, n, face)
	}
	for k := range n {
		a, b := of.node[e.corners[k]], of.node[e.corners[(k+1)%n]]
		if a != b && (face == k+1 || face == 0 && p.free(a, b)) {
			members[1] = append(members[1], p.edge(a, b))
		}
	}
}

// point returns the 0-D element of a node.
func (p *parser) point(n int32) int32 {
	if p.points == nil {
		p.points = map[int32]int32{}
	}
	k, ok := p.points[n]
	if !ok {
		k = int32(len(p.src.Points))
		p.src.Points, p.points[n] = append(p.src.Points, n), k
	}
	return k
}

// edge returns the line between two nodes.
func (p *parser) edge(a, b int32) int32 {
	if p.lines == nil {
		p.lines = map[[2]int32]int32{}
		for k, l := range p.src.Lines {
			p.lines[[2]int32{min(l[0], l[1]), max(l[0], l[1])}] = int32(k)
		}
	}
	at := [2]int32{min(a, b), max(a, b)}
	k, ok := p.lines[at]
	if !ok {
		k = p.src.AddLine(a, b)
		p.lines[at] = k
	}
	return k
}

// free tells whether an edge is of one triangle only.
func (p *parser) free(a, b int32) bool {
	if p.triangles == nil {
		p.triangles = map[[2]int32]int{}
		for _, t := range p.src.Triangles {
			for k := range t {
				i, j := t[k], t[(k+1)%3]
				p.triangles[[2]int32{min(i, j), max(i, j)}]++
			}
		}
	}
	return p.triangles[[2]int32{min(a, b), max(a, b)}] == 1
}

// numbered gives the groups their numbers, in the order of the file.
func (p *parser) numbered() {
	slices.SortStableFunc(p.src.Groups, func(a, b mesh.SourceGroup) int { return cmp.Compare(a.Dim, b.Dim) })
	for i := range p.src.Groups {
		p.src.Groups[i].Number = i + 1
	}
}
