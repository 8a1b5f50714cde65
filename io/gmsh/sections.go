package gmsh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// kind is an element type of Gmsh's: its dimension, the nodes in its file and
// those at its corners, which come first.
type kind struct{ dim, nodes, corners int }

var elementTypes = map[int]kind{
	15: {0, 1, 1},
	1:  {1, 2, 2}, 8: {1, 3, 2}, 26: {1, 4, 2}, 27: {1, 5, 2}, 28: {1, 6, 2},
	2: {2, 3, 3}, 9: {2, 6, 3}, 20: {2, 9, 3}, 21: {2, 10, 3}, 22: {2, 12, 3}, 23: {2, 15, 3}, 24: {2, 15, 3}, 25: {2, 21, 3},
	3: {2, 4, 4}, 10: {2, 9, 4}, 16: {2, 8, 4}, 36: {2, 16, 4}, 37: {2, 25, 4}, 38: {2, 36, 4},
}

// solidTypes names the element types that are not plane.
var solidTypes = map[int]string{
	4: "a tetrahedron", 5: "a hexahedron", 6: "a prism", 7: "a pyramid",
	11: "a second-order tetrahedron", 12: "a second-order hexahedron", 13: "a second-order prism", 14: "a second-order pyramid",
	17: "a second-order hexahedron", 18: "a second-order prism", 19: "a second-order pyramid", 29: "a third-order tetrahedron",
}

// kind returns an element type that is supported.
func (p *parser) kind(number int) kind {
	k, ok := elementTypes[number]
	if ok {
		return k
	}
	if name, solid := solidTypes[number]; solid {
		p.fail("found %s (Gmsh type %d), and fdem needs a plane mesh: mesh only surfaces, gmsh -2; %s", name, number, supported)
	}
	p.fail("found an element (Gmsh type %d); %s", number, supported)
	return k
}

// maxCoordinate is the greatest coordinate. Squares of coordinates must be
// finite.
const maxCoordinate = 1e15

// node adds a node.
func (p *parser) node(id int64, x, y, z float64) {
	if _, twice := p.index.at(id); twice {
		p.fail("node %d is listed twice", id)
	}
	if far := max(math.Abs(x), math.Abs(y), math.Abs(z)); far > maxCoordinate {
		p.fail("node %d has a coordinate of %g: at most %g", id, far, maxCoordinate)
	}
	if z != 0 && p.z == nil {
		p.z, p.ends = make([]float64, len(p.src.X), cap(p.src.X)), make([]int, len(p.src.X), cap(p.src.X))
	}
	if p.z != nil {
		p.z, p.ends = append(p.z, z), append(p.ends, p.pos)
	}
	p.index.set(id, int32(len(p.src.X)))
	p.src.X = append(p.src.X, r2.Vec{X: x, Y: y})
	p.src.NodeID = append(p.src.NodeID, id)
}

// reserve prepares for n nodes.
func (p *parser) reserve(n int) {
	p.index = newIndex(n)
	p.src.X = make([]r2.Vec, 0, n)
	p.src.NodeID = make([]int64, 0, n)
}

// leastTriangle is the length of the shortest listing of a triangle in most files
// [bytes].
const leastTriangle = 20

// reserveTriangles prepares for as many elements as are left in the file, most of which
// are triangles.
func (p *parser) reserveTriangles(n int) {
	n = min(n, (len(p.data)-p.pos)/leastTriangle)
	p.src.Triangles, p.src.TriID, p.member = make([][3]int32, 0, n), make([]int64, 0, n), make([]membership, 0, n)
}

// nodes22 reads: count, then number x y z.
func (p *parser) nodes22() {
	n := p.textCount("nodes", 8)
	p.reserve(n)
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
	p.reserve(n)
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
		p.fail("the file declares %d nodes and lists %d", n, len(p.src.X))
	}
}

// element adds an element with the physical groups of its dimension: its
// corners, and of a quadrilateral two triangles of the same number.
func (p *parser) element(id int64, k kind, numbers []int64, groups []int) {
	var n [4]int32
	for i, number := range numbers {
		at, ok := p.index.at(number)
		if !ok {
			p.fail("element %d uses node %d, which is not in the file", id, number)
		}
		if i < k.corners {
			n[i] = at
		} else {
			p.between = append(p.between, at)
		}
	}
	if k.nodes > k.corners {
		p.higher++
	}
	first, count := 0, 1
	switch k.dim {
	case 0:
		first = len(p.src.Points)
		p.src.Points = append(p.src.Points, n[0])
	case 1:
		first = len(p.src.Lines)
		p.src.Lines = append(p.src.Lines, [2]int32{n[0], n[1]})
		p.src.LineID = append(p.src.LineID, id)
	case 2:
		first = len(p.src.Triangles)
		if k.corners == 3 {
			p.src.Triangles = append(p.src.Triangles, [3]int32{n[0], n[1], n[2]})
			p.src.TriID = append(p.src.TriID, id)
			break
		}
		halves := p.src.Halves(n)
		p.src.Triangles = append(p.src.Triangles, halves[0], halves[1])
		p.src.TriID = append(p.src.TriID, id, id)
		p.split++
		count = 2
	}
	for _, g := range groups {
		for i := range count {
			p.member = append(p.member, membership{key{k.dim, g}, int32(first + i)})
		}
	}
}

// elements22 reads: count, then number, type, tags (the first is the physical
// group, 0 for none) and nodes; in binary files in blocks of one type.
func (p *parser) elements22() {
	n := p.textCount("elements", 4)
	p.reserveTriangles(n)
	numbers, group := make([]int64, 64), make([]int, 1)
	one := func(id int64, k kind, tags int) {
		groups := group[:0]
		for i := range tags {
			if t := p.int("a tag"); i == 0 && t != 0 {
				groups = append(groups, t)
			}
		}
		for i := range k.nodes {
			numbers[i] = int64(p.int("a node number"))
		}
		p.element(id, k, numbers[:k.nodes], groups)
	}
	for done := 0; done < n; {
		if !p.binary {
			id := int64(p.int("an element number"))
			k := p.kind(p.int("an element type"))
			one(id, k, p.count(p.int("the number of tags"), 2, "tags"))
			done++
			continue
		}
		of := p.kind(p.int("an element type"))
		k := p.count(p.int("the number of elements in a block"), 4, "elements in a block")
		tags := p.count(p.int("the number of tags"), 4, "tags")
		if k == 0 || k > n-done {
			p.fail("a block has %d elements, more than the %d declared in total", k, n)
		}
		for range k {
			one(int64(p.int("an element number")), of, tags)
		}
		done += k
	}
}

// elements41 reads blocks of elements of one entity.
func (p *parser) elements41() {
	blocks := p.size("the number of element blocks")
	n := p.count(p.size("the number of elements"), 4, "elements")
	p.reserveTriangles(n)
	p.size("the smallest element number")
	p.size("the greatest element number")
	numbers := make([]int64, 64)
	done := 0
	for range blocks {
		entity := key{p.int("a dimension"), p.int("an entity number")}
		of := p.kind(p.int("an element type"))
		if of.dim != entity.dim {
			p.fail("an entity of dimension %d has elements of dimension %d", entity.dim, of.dim)
		}
		k := p.count(p.size("the number of elements in a block"), 4, "elements in a block")
		for range k {
			id := int64(p.size("an element number"))
			for i := range of.nodes {
				numbers[i] = int64(p.size("a node number"))
			}
			p.element(id, of, numbers[:of.nodes], p.physical[entity])
		}
		done += k
	}
	if done != n {
		p.fail("the file declares %d elements and lists %d", n, done)
	}
}

// entities reads the physical groups of points, curves, surfaces and volumes.
func (p *parser) entities() { p.entityTable(false) }

// partitionedEntities reads the physical groups of a partitioned file's
// entities.
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
			border := false // between partitions: its groups are its parent's, of another dimension
			if partitioned {
				border = p.int("a parent's dimension") != dim
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
				if border {
					continue
				}
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
