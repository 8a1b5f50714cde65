package gmsh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// kinds names Gmsh's element types for messages.
var kinds = map[int]string{
	3: "a quadrilateral", 4: "a tetrahedron", 5: "a hexahedron", 6: "a prism", 7: "a pyramid",
	8: "a second-order line", 9: "a second-order triangle", 10: "a second-order quadrilateral",
	11: "a second-order tetrahedron", 12: "a second-order hexahedron", 13: "a second-order prism",
	14: "a second-order pyramid", 16: "a second-order quadrilateral", 17: "a second-order hexahedron",
	18: "a second-order prism", 19: "a second-order pyramid", 20: "a third-order triangle",
	21: "a third-order triangle", 22: "a fourth-order triangle", 23: "a fourth-order triangle",
	26: "a third-order line", 27: "a fourth-order line", 29: "a third-order tetrahedron",
}

// corners returns dimension and number of nodes of a supported element type.
func (p *parser) corners(kind int) (dim, nodes int) {
	switch kind {
	case 15:
		return 0, 1
	case 1:
		return 1, 2
	case 2:
		return 2, 3
	}
	name, ok := kinds[kind]
	if !ok {
		name = "an element"
	}
	p.fail("found %s (Gmsh type %d); %s", name, kind, supported)
	return 0, 0
}

// node adds a node.
func (p *parser) node(id int64, x, y, z float64) {
	if _, twice := p.index[id]; twice {
		p.fail("node %d is listed twice", id)
	}
	if math.Abs(z) > 1e-9*(1+math.Abs(x)+math.Abs(y)) {
		p.fail("node %d lies at z = %g; %s", id, z, supported)
	}
	p.index[id] = int32(len(p.src.X))
	p.src.X = append(p.src.X, r2.Vec{X: x, Y: y})
	p.src.NodeID = append(p.src.NodeID, id)
}

// room prepares for n nodes.
func (p *parser) room(n int) {
	p.index = make(map[int64]int32, n)
	p.src.X = make([]r2.Vec, 0, n)
	p.src.NodeID = make([]int64, 0, n)
}

// nodes22 reads: count, then number x y z.
func (p *parser) nodes22() {
	n := p.textCount("nodes", 8)
	p.room(n)
	for range n {
		id := int64(p.int("a node number"))
		p.node(id, p.float("x"), p.float("y"), p.float("z"))
	}
}

// textCount reads a count that is text in binary files too, up to the end of
// its line.
func (p *parser) textCount(what string, least int) int {
	raw := p.binary
	p.binary = false
	n := p.textInt("the number of " + what)
	p.line()
	n = p.count(n, least, what)
	p.binary = raw
	return n
}

// nodes41 reads blocks of nodes, each with its numbers first.
func (p *parser) nodes41() {
	blocks := p.size("the number of node blocks")
	n := p.count(p.size("the number of nodes"), 6, "nodes")
	p.size("the smallest node number")
	p.size("the greatest node number")
	p.room(n)
	var ids []int64
	for range blocks {
		dim := p.int("a dimension")
		p.int("an entity number")
		parametric := p.int("a flag") != 0
		k := p.count(p.size("the number of nodes in a block"), 6, "nodes in a block")
		ids = ids[:0]
		for range k {
			ids = append(ids, int64(p.size("a node number")))
		}
		for _, id := range ids {
			p.node(id, p.float("x"), p.float("y"), p.float("z"))
			if parametric {
				for range dim {
					p.float("a parametric coordinate")
				}
			}
		}
	}
	if len(p.src.X) != n {
		p.fail("the file promises %d nodes and lists %d", n, len(p.src.X))
	}
}

// element adds an element with the physical groups of its dimension.
func (p *parser) element(id int64, dim int, numbers []int64, groups []int) {
	var n [3]int32
	for i, number := range numbers {
		k, ok := p.index[number]
		if !ok {
			p.fail("element %d uses node %d, which is not in the file", id, number)
		}
		n[i] = k
	}
	var e int
	switch dim {
	case 0:
		e = len(p.src.Points)
		p.src.Points = append(p.src.Points, n[0])
	case 1:
		e = len(p.src.Lines)
		p.src.Lines = append(p.src.Lines, [2]int32{n[0], n[1]})
		p.src.LineID = append(p.src.LineID, id)
	case 2:
		e = len(p.src.Triangles)
		p.src.Triangles = append(p.src.Triangles, n)
		p.src.TriID = append(p.src.TriID, id)
	}
	for _, g := range groups {
		p.member = append(p.member, membership{key{dim, g}, int32(e)})
	}
}

// elements22 reads: count, then number, type, tags (the first is the physical
// group, 0 for none) and nodes; in binary files in blocks of one type.
func (p *parser) elements22() {
	n := p.textCount("elements", 4)
	numbers := make([]int64, 3)
	one := func(id int64, dim, corners, tags int) {
		var groups []int
		for i := range tags {
			if t := p.int("a tag"); i == 0 && t != 0 {
				groups = []int{t}
			}
		}
		for i := range corners {
			numbers[i] = int64(p.int("a node number"))
		}
		p.element(id, dim, numbers[:corners], groups)
	}
	for done := 0; done < n; {
		if !p.binary {
			id := int64(p.int("an element number"))
			dim, corners := p.corners(p.int("an element type"))
			one(id, dim, corners, p.count(p.int("the number of tags"), 2, "tags"))
			done++
			continue
		}
		dim, corners := p.corners(p.int("an element type"))
		k := p.count(p.int("the number of elements in a block"), 4, "elements in a block")
		tags := p.count(p.int("the number of tags"), 4, "tags")
		if k == 0 || k > n-done {
			p.fail("a block of %d elements does not fit the %d promised", k, n)
		}
		for range k {
			one(int64(p.int("an element number")), dim, corners, tags)
		}
		done += k
	}
}

// elements41 reads blocks of elements of one entity.
func (p *parser) elements41() {
	blocks := p.size("the number of element blocks")
	n := p.count(p.size("the number of elements"), 4, "elements")
	p.size("the smallest element number")
	p.size("the greatest element number")
	numbers := make([]int64, 3)
	done := 0
	for range blocks {
		entity := key{p.int("a dimension"), p.int("an entity number")}
		dim, corners := p.corners(p.int("an element type"))
		if dim != entity.dim {
			p.fail("an entity of dimension %d holds elements of dimension %d", entity.dim, dim)
		}
		k := p.count(p.size("the number of elements in a block"), 4, "elements in a block")
		for range k {
			id := int64(p.size("an element number"))
			for i := range corners {
				numbers[i] = int64(p.size("a node number"))
			}
			p.element(id, dim, numbers[:corners], p.physical[entity])
		}
		done += k
	}
	if done != n {
		p.fail("the file promises %d elements and lists %d", n, done)
	}
}

// entities reads the physical groups of points, curves, surfaces and volumes.
func (p *parser) entities() { p.entityTable(false) }

// partitionedEntities reads those of the parts that a partitioned file has in
// place of its entities.
func (p *parser) partitionedEntities() {
	p.size("the number of partitions")
	ghosts := p.count(p.size("the number of ghost entities"), 4, "ghost entities")
	for range ghosts {
		p.int("a ghost entity")
		p.int("a partition")
	}
	p.entityTable(true)
}

func (p *parser) entityTable(partitioned bool) {
	if p.physical == nil {
		p.physical = map[key][]int{}
	}
	var counts [4]int
	for dim := range counts {
		counts[dim] = p.count(p.size("a number of entities"), 8, "entities")
	}
	for dim, n := range counts {
		for range n {
			e := key{dim, p.int("an entity number")}
			if partitioned {
				p.int("a parent's dimension")
				p.int("a parent's number")
				parts := p.count(p.size("the number of partitions"), 2, "partitions")
				for range parts {
					p.int("a partition")
				}
			}
			corners := 6
			if dim == 0 {
				corners = 3
			}
			for range corners {
				p.float("a coordinate")
			}
			groups := p.count(p.size("the number of physical groups"), 2, "physical groups")
			for range groups {
				g := p.int("a physical group")
				p.physical[e] = append(p.physical[e], max(g, -g))
			}
			if dim > 0 {
				bounds := p.count(p.size("the number of bounding entities"), 2, "bounding entities")
				for range bounds {
					p.int("a bounding entity")
				}
			}
		}
	}
}
