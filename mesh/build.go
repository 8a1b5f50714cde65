package mesh

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/spatial/r2"
)

// Ungrouped is the name of the body of triangles without a physical group, if Build
// takes all triangles.
const Ungrouped = "ungrouped"

// Build returns the mesh of the named bodies, which are 2-D groups of src, in that
// order, and of the named beams, which are 1-D groups. If bodies is nil it takes
// all triangles: every 2-D group, and ungrouped triangles. A triangle in several
// groups then belongs to the first. A body named Ungrouped, where no group has this name,
// is of the triangles in no 2-D group. Clockwise triangles are reversed, with a
// warning. Build fails for a name that is not a group of its dimension, an element
// in two bodies, a triangle without area, a beam without length, a triangle listed
// twice under different numbers, and an edge of more than two triangles.
func Build(src *Source, bodies []string, beams ...string) (*Mesh, error) {
	m := &Mesh{Warnings: slices.Clone(src.Warnings), InMetres: src.InMetres}
	named := func(err error) error {
		var lost *NameError
		if errors.As(err, &lost) {
			return err
		}
		return fmt.Errorf("%s: %w", src.Name, err)
	}
	owner, names, err := owners(src, bodies)
	if err != nil {
		return nil, named(err)
	}
	line, err := lineOwners(src, beams, len(names))
	if err != nil {
		return nil, named(err)
	}
	if len(names)+len(beams) == 0 {
		return nil, fmt.Errorf("%s: there are no triangles: a body is a meshed surface", src.Name)
	}
	if err := checkTriangles(src, owner); err != nil {
		return nil, fmt.Errorf("%s: %w", src.Name, err)
	}
	if err := checkNumbers(src); err != nil {
		return nil, fmt.Errorf("%s: %w", src.Name, err)
	}
	number := renumber(src, owner, line) // new node numbers, -1 for unused
	m.addNodes(src, number)
	m.addTriangles(src, owner, number, names)
	m.addBeams(src, line, number, beams)
	m.countUnusedNodes(src)
	m.countIdle(src, owner)
	if err := m.addEdges(); err != nil {
		return nil, fmt.Errorf("%s: %w", src.Name, err)
	}
	m.addGroups(src, number)
	return m, nil
}

// owners returns the body of each triangle, -1 for none, and the bodies'
// names.
func owners(src *Source, bodies []string) (owner []int32, names []string, err error) {
	owner = make([]int32, len(src.Triangles))
	for i := range owner {
		owner[i] = -1
	}
	if bodies == nil {
		names = everything(src, owner)
	}
	for i, name := range bodies {
		g, err := src.group(name, 2)
		if err != nil && name == Ungrouped {
			if g = src.ungrouped(); len(g.Elements) > 0 {
				err = nil
			}
		}
		if err != nil {
			return nil, nil, err
		}
		for _, t := range g.Elements {
			if o := owner[t]; o >= 0 {
				return nil, nil, fmt.Errorf("triangle %d is in body %q and in body %q: a triangle belongs to one body", src.TriID[t], bodies[o], name)
			}
			owner[t] = int32(i)
		}
		names = append(names, name)
	}
	return owner, names, nil
}

// ungrouped returns the triangles in no 2-D group, as a group.
func (src *Source) ungrouped() *SourceGroup {
	in := make([]bool, len(src.Triangles))
	for _, g := range src.Groups {
		if g.Dim == 2 {
			for _, t := range g.Elements {
				in[t] = true
			}
		}
	}
	out := &SourceGroup{Name: Ungrouped, Dim: 2}
	for t, is := range in {
		if !is {
			out.Elements = append(out.Elements, int32(t))
		}
	}
	return out
}

// everything gives each triangle to the first 2-D group that contains it, or to
// the ungrouped body. It returns the names of the bodies that have any
// triangles.
func everything(src *Source, owner []int32) (names []string) {
	take := func(name string, triangles iter.Seq[int32]) {
		n := int32(len(names))
		for t := range triangles {
			if owner[t] < 0 {
				owner[t] = n
				if len(names) == int(n) {
					names = append(names, name)
				}
			}
		}
	}
	for _, g := range src.Groups {
		if g.Dim == 2 {
			take(g.Name, slices.Values(g.Elements))
		}
	}
	take(Ungrouped, func(yield func(int32) bool) {
		for t := range int32(len(owner)) {
			if !yield(t) {
				return
			}
		}
	})
	return names
}

// NameError reports the name of a body or beam that is not in the mesh.
type NameError struct {
	File, Name string
	Known      []string // known names of the dimension
	Dim        int      // 1 for a beam, 2 for a body
	Other      bool     // a group of another dimension has this name
}

func (e *NameError) Error() string {
	what, kind := [3]string{"", "beam", "body"}[e.Dim], [3]string{"", "curve", "surface"}[e.Dim]
	tail := fmt.Sprintf(", whose named %ss are %s", kind, strings.Join(e.Known, ", "))
	switch {
	case e.Other:
		tail = fmt.Sprintf(" as a %s%s", kind, tail)
	case len(e.Known) == 0:
		tail = ", which has no named " + kind
	}
	return fmt.Sprintf("%s: %s %q is not in the mesh%s", e.File, what, e.Name, tail)
}

// group finds a group by name and dimension, 1 or 2.
func (src *Source) group(name string, dim int) (*SourceGroup, error) {
	lost := &NameError{File: src.Name, Name: name, Dim: dim}
	for i := range src.Groups {
		g := &src.Groups[i]
		if g.Name == name && g.Dim == dim {
			return g, nil
		}
		lost.Other = lost.Other || g.Name == name
		if g.Dim == dim {
			lost.Known = append(lost.Known, strconv.Quote(g.Name))
		}
	}
	return nil, lost
}

// leastArea is a ratio of a triangle's area to the square of its longest edge.
// Below it the triangle counts as having no area.
const leastArea = 1e-12

// checkTriangles returns an error for triangles that cannot be simulated, with
// their numbers.
func checkTriangles(src *Source, owner []int32) error {
	nodes, number := make([][3]int32, 0, len(src.Triangles)), make([]int32, 0, len(src.Triangles))
	for i, t := range src.Triangles {
		if owner[i] < 0 {
			continue
		}
		a, b, c := src.X[t[0]], src.X[t[1]], src.X[t[2]]
		longest := max(square(a, b), square(b, c), square(c, a))
		if area := doubleArea(a, b, c); t[0] == t[1] || t[1] == t[2] || t[2] == t[0] || max(area, -area) <= leastArea*longest {
			return fmt.Errorf("triangle %d has no area", src.TriID[i])
		}
		nodes, number = append(nodes, Ascending(t)), append(number, int32(i))
	}
	order := ByNodes(nodes, len(src.X))
	for i := 1; i < len(order); i++ {
		if p, q := order[i-1], order[i]; nodes[p] == nodes[q] {
			return fmt.Errorf("triangles %d and %d have the same three nodes", src.TriID[number[p]], src.TriID[number[q]])
		}
	}
	return nil
}

// Ascending returns three nodes in ascending order.
func Ascending(n [3]int32) [3]int32 {
	low, high := min(n[0], n[1], n[2]), max(n[0], n[1], n[2])
	return [3]int32{low, n[0] ^ n[1] ^ n[2] ^ low ^ high, high}
}

// ByNodes returns the order of elements by their nodes, which are below n. Elements
// with the same nodes keep their order.
func ByNodes(elements [][3]int32, n int) []int32 {
	order := make([]int32, len(elements))
	for i := range order {
		order[i] = int32(i)
	}
	order = sorted(order, n, func(i int32) int32 { return elements[i][0] })
	for from := 0; from < len(order); {
		end := from + 1
		for end < len(order) && elements[order[end]][0] == elements[order[from]][0] {
			end++
		}
		slices.SortFunc(order[from:end], func(i, k int32) int {
			p, q := &elements[i], &elements[k]
			return cmp.Or(cmp.Compare(p[1], q[1]), cmp.Compare(p[2], q[2]), cmp.Compare(i, k))
		})
		from = end
	}
	return order
}

// doubleArea returns twice the area of the triangle, positive if anticlockwise.
func doubleArea(a, b, c r2.Vec) float64 {
	return float64((b.X-a.X)*(c.Y-a.Y)) - float64((b.Y-a.Y)*(c.X-a.X))
}

// square returns the squared distance.
func square(a, b r2.Vec) float64 {
	return float64((b.X-a.X)*(b.X-a.X)) + float64((b.Y-a.Y)*(b.Y-a.Y))
}

// maxNumber is the greatest number of a node or element in a file. A Mesh keeps
// numbers in 32 bits, and gives its own nodes numbers after the file's.
const maxNumber = 2_000_000_000

// checkNumbers returns an error for numbers that a Mesh cannot keep.
func checkNumbers(src *Source) error {
	for _, list := range []struct {
		what string
		id   []int64
	}{{"node", src.NodeID}, {"line", src.LineID}, {"triangle", src.TriID}} {
		for _, n := range list.id {
			if n < -maxNumber || n > maxNumber {
				return fmt.Errorf("%s %d: numbers of nodes and elements must be at most %d: number the mesh anew, in Gmsh by Renumber", list.what, n, maxNumber)
			}
		}
	}
	return nil
}

// addNodes adds the nodes in use.
func (m *Mesh) addNodes(src *Source, number []int32) {
	n := 0
	for _, k := range number {
		if k >= 0 {
			n++
		}
	}
	m.X, m.NodeID = make([]r2.Vec, n), make([]int32, n)
	for i, k := range number {
		if k >= 0 {
			m.X[k], m.NodeID[k] = src.X[i], int32(src.NodeID[i])
		}
	}
}

// addTriangles adds the triangles body after body, within a body in the order
// of their lowest node, all anticlockwise.
func (m *Mesh) addTriangles(src *Source, owner, number []int32, names []string) {
	type entry struct {
		nodes [3]int32
		low   int32
		tri   int32
	}
	list := make([]entry, 0, len(src.Triangles))
	for i, t := range src.Triangles {
		if owner[i] < 0 {
			continue
		}
		if doubleArea(src.X[t[0]], src.X[t[1]], src.X[t[2]]) < 0 {
			t[1], t[2] = t[2], t[1]
			m.Turned++
		}
		e := entry{nodes: [3]int32{number[t[0]], number[t[1]], number[t[2]]}, tri: int32(i)}
		e.low = min(e.nodes[0], e.nodes[1], e.nodes[2])
		list = append(list, e)
	}
	list = sorted(list, len(src.X), func(e entry) int32 { return e.low })
	list = sorted(list, len(names), func(e entry) int32 { return owner[e.tri] })
	m.Triangles, m.TriID = make([][3]int32, len(list)), make([]int32, len(list))
	for i, e := range list {
		m.Triangles[i], m.TriID[i] = e.nodes, int32(src.TriID[e.tri])
	}
	for i, name := range names {
		first, _ := slices.BinarySearchFunc(list, int32(i), func(e entry, b int32) int { return cmp.Compare(owner[e.tri], b) })
		end, _ := slices.BinarySearchFunc(list, int32(i+1), func(e entry, b int32) int { return cmp.Compare(owner[e.tri], b) })
		b := Body{Name: name, First: int32(first), End: int32(end)}
		for _, t := range m.Triangles[first:end] {
			b.Nodes = append(b.Nodes, t[:]...)
		}
		b.Nodes = distinct(b.Nodes)
		m.Bodies = append(m.Bodies, b)
	}
}

// distinct returns the numbers in a list, ascending. The list may change.
func distinct(list []int32) []int32 {
	if len(list) == 0 {
		return nil
	}
	low, high := slices.Min(list), slices.Max(list)
	if int(high-low) > 8*len(list) {
		slices.Sort(list)
		return slices.Clone(slices.Compact(list))
	}
	in, n := make([]bool, high-low+1), 0
	for _, k := range list {
		if !in[k-low] {
			in[k-low] = true
			n++
		}
	}
	out := make([]int32, 0, n)
	for k, yes := range in {
		if yes {
			out = append(out, low+int32(k))
		}
	}
	return out
}

// sorted returns a list sorted by keys below n. Entries of the same key keep
// their order.
func sorted[E any](list []E, n int, key func(E) int32) []E {
	at := make([]int32, n+1)
	for _, e := range list {
		at[key(e)+1]++
	}
	for k := range n {
		at[k+1] += at[k]
	}
	out := make([]E, len(list))
	for _, e := range list {
		out[at[key(e)]] = e
		at[key(e)]++
	}
	return out
}

// countUnusedNodes adds a warning for nodes that no element of the file uses.
func (m *Mesh) countUnusedNodes(src *Source) {
	used := make([]bool, len(src.X))
	for _, n := range src.Points {
		used[n] = true
	}
	for _, l := range src.Lines {
		used[l[0]], used[l[1]] = true, true
	}
	for _, t := range src.Triangles {
		used[t[0]], used[t[1]], used[t[2]] = true, true, true
	}
	orphans := 0
	for _, u := range used {
		if !u {
			orphans++
		}
	}
	if orphans > 0 {
		m.Warnings = append(m.Warnings, fmt.Sprintf("%d nodes belong to no element and were left out", orphans))
	}
}

// countIdle adds warnings for triangles that belong to no body: those in no
// group, and those in groups that are not named.
func (m *Mesh) countIdle(src *Source, owner []int32) {
	grouped := make([]bool, len(owner))
	for _, g := range src.Groups {
		if g.Dim != 2 {
			continue
		}
		idle := 0
		for _, t := range g.Elements {
			if owner[t] < 0 && !grouped[t] {
				idle++
			}
			grouped[t] = true
		}
		if idle > 0 {
			m.Warnings = append(m.Warnings, fmt.Sprintf("surface %q of the mesh is no body: %d triangles were left out", g.Name, idle))
		}
	}
	bare := 0
	for t, o := range owner {
		if o < 0 && !grouped[t] {
			bare++
		}
	}
	if bare > 0 {
		m.Warnings = append(m.Warnings, fmt.Sprintf("%d triangles are in no physical surface and were left out", bare))
	}
}

// addGroups adds the groups that still have a node in the mesh.
func (m *Mesh) addGroups(src *Source, number []int32) {
	byNodes := make([]int32, len(m.Edges)) // edges sorted by their nodes
	for i := range byNodes {
		byNodes[i] = int32(i)
	}
	compare := func(e int32, a, b int32) int {
		p, q := m.Edges[e].A, m.Edges[e].B
		return cmp.Or(cmp.Compare(min(p, q), min(a, b)), cmp.Compare(max(p, q), max(a, b)))
	}
	slices.SortFunc(byNodes, func(e, f int32) int { return compare(e, m.Edges[f].A, m.Edges[f].B) })
	for _, s := range src.Groups {
		g := Group{Name: s.Name, Dim: s.Dim}
		for _, k := range s.Elements {
			switch s.Dim {
			case 0:
				g.Nodes = append(g.Nodes, number[src.Points[k]])
			case 1:
				a, b := number[src.Lines[k][0]], number[src.Lines[k][1]]
				g.Nodes = append(g.Nodes, a, b)
				if a < 0 || b < 0 {
					continue
				}
				g.Lines = append(g.Lines, [2]int32{a, b})
				if i, ok := slices.BinarySearchFunc(byNodes, [2]int32{a, b}, func(e int32, n [2]int32) int { return compare(e, n[0], n[1]) }); ok {
					g.Edges = append(g.Edges, byNodes[i])
				}
			case 2:
				for _, n := range src.Triangles[k] {
					g.Nodes = append(g.Nodes, number[n])
				}
			}
		}
		g.Nodes = distinct(g.Nodes)
		if len(g.Nodes) > 0 && g.Nodes[0] < 0 {
			g.Nodes = g.Nodes[1:]
		}
		for i := range m.Bodies { // most surfaces are a body: one list serves both
			if b := &m.Bodies[i]; slices.Equal(b.Nodes, g.Nodes) {
				g.Nodes = b.Nodes
			}
		}
		slices.Sort(g.Edges)
		g.Edges = slices.Compact(g.Edges)
		if len(g.Nodes) > 0 {
			m.Groups = append(m.Groups, g)
		}
	}
}
