package abaqus

import (
	"math"
	"slices"

	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// placing is a part at its position, with the indices of its nodes and elements in
// the mesh.
type placing struct {
	*part
	label string            // of its sets: the instance, "" for the model
	node  map[int64]int32   // in the source, of nodes that are corners
	cells map[int64][]int32 // in the source, of each element
}

// build makes the mesh from the contents of the file.
func (p *parser) build() *mesh.Source {
	for _, in := range p.order {
		p.generate(in)
	}
	for _, c := range p.copies {
		p.generate(c.own)
	}
	p.generate(p.model)
	p.unread()
	all := p.placings()
	for _, in := range all {
		p.withNodes(in.part)
		p.assemble(in, len(all) > 1)
	}
	p.flat(all)
	for _, in := range all {
		for i := range in.sets {
			p.groupsOf(in, &in.sets[i])
		}
	}
	p.complete()
	p.groups()
	if p.quads > 0 {
		p.warn("%d quadrilaterals were split into two triangles each", p.quads)
	}
	if p.higher > 0 {
		p.warn("%d elements of higher order were read by their corners", p.higher)
	}
	if p.again > 0 {
		p.warn("%d nodes and elements are listed twice, alike: each was taken once", p.again)
	}
	return p.src
}

// placings returns the model and its instances.
func (p *parser) placings() []*placing {
	all := []*placing{{part: p.model}}
	p.positioned = map[string]*placing{}
	for _, c := range p.copies {
		p.line = c.at
		of := c.own
		if of.id == nil {
			if of = p.parts[folded(c.part)]; of == nil {
				p.fail("instance %q has the part %q, which is not in the file", c.name, c.part)
			}
		}
		in := &placing{part: c.moved(of), label: c.name}
		if p.positioned[folded(c.name)] != nil {
			p.fail("there are two instances %q", c.name)
		}
		p.positioned[folded(c.name)] = in
		all = append(all, in)
	}
	if len(p.copies) == 0 {
		for _, part := range p.order { // parts without an assembly stand where they are
			in := &placing{part: part, label: part.name}
			p.positioned[folded(part.name)] = in
			all = append(all, in)
		}
	}
	return all
}

// complete stops at a file without elements: a truncated file ends in its nodes.
func (p *parser) complete() {
	if len(p.src.Triangles) > 0 || len(p.src.Lines) > 0 {
		return
	}
	p.line = p.last
	if types := p.typesLeft(); len(types) > 0 {
		p.fail("the file has nothing of a plane solid, such as CPS3 or CPE4: its elements are %s", few(types))
	}
	if p.keyword == "*NODE" {
		p.fail("the file ends in its nodes, without an *ELEMENT: is it incomplete?")
	}
	p.fail("the file ends without an *ELEMENT: is it incomplete, or are its elements in another file?")
}

// moved returns a part at the position of the instance.
func (c *instance) moved(of *part) *part {
	out := *of
	out.x = slices.Clone(of.x)
	sin, cos := sincos(c.angle)
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

// assemble adds the corners and the elements of a part. Where there are several, nodes and
// elements get new numbers.
func (p *parser) assemble(in *placing, several bool) {
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
		n := make([]int32, e.sides)
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

// isCorner tells whether a node is a corner of an element, after the first call in
// constant time.
func (in *placing) isCorner(id int64) bool {
	if in.part.corner == nil {
		in.part.corner = map[int64]bool{}
		for i := range in.element {
			e := &in.element[i]
			for _, n := range e.corners[:e.sides] {
				in.part.corner[n] = true
			}
		}
	}
	return in.part.corner[id]
}

// flatness is the share of a mesh's size by which nodes may lie beside its plane:
// coordinates in single precision have 6e-8 of it.
const flatness = 1e-6

// flat stops at a mesh that is not in a plane of constant z.
func (p *parser) flat(all []*placing) {
	none := true
	var low, high [3]float64
	var lowest, highest int64
	for _, in := range all {
		for i, id := range in.id {
			if !in.isCorner(id) {
				continue
			}
			x := in.x[i]
			if none {
				low, high, lowest, highest, none = x, x, id, id, false
			}
			if x[2] < low[2] {
				lowest = id
			}
			if x[2] > high[2] {
				highest = id
			}
			for c := range x {
				low[c], high[c] = min(low[c], x[c]), max(high[c], x[c])
			}
		}
	}
	size, thick := max(high[0]-low[0], high[1]-low[1]), high[2]-low[2]
	switch {
	case thick > 2*flatness*size*(1+1e-9): // to both sides of the middle
		id, z, other := highest, high[2], low[2]
		if math.Abs(low[2]) > math.Abs(high[2]) {
			id, z, other = lowest, low[2], high[2]
		}
		p.line = position{p.name, 1}
		p.fail("node %d lies at z = %g and another at z = %g, and fdem needs a mesh in the plane z = 0", id, z, other)
	case max(math.Abs(low[2]), math.Abs(high[2])) > 2*flatness*size:
		p.warn("the mesh lies in the plane z = %g: z = 0 is taken instead", low[2])
	case thick > 1e-9*size:
		p.warn("nodes lie up to %.3g beside the plane z = 0: z = 0 is taken for all", max(math.Abs(low[2]), math.Abs(high[2])))
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
