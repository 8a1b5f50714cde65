package gmsh

import (
	"cmp"
	"math"
	"slices"

	"fdem/mesh"
)

// used marks the nodes of elements.
func (p *parser) used() []bool {
	used := make([]bool, len(p.src.X))
	for _, n := range p.src.Points {
		used[n] = true
	}
	for _, l := range p.src.Lines {
		used[l[0]], used[l[1]] = true, true
	}
	for _, t := range p.src.Triangles {
		used[t[0]], used[t[1]], used[t[2]] = true, true, true
	}
	return used
}

// corners removes the nodes that are only on sides of elements of higher order,
// and adds warnings of elements that were changed.
func (p *parser) corners() {
	if p.split > 0 {
		p.warn("%d quadrilaterals were split into two triangles each (in Gmsh: Mesh.RecombineAll = 0 meshes with triangles)", p.split)
	}
	if p.higher == 0 {
		return
	}
	drop := make([]bool, len(p.src.X))
	for _, n := range p.between {
		drop[n] = true
	}
	for n, u := range p.used() {
		drop[n] = drop[n] && !u
	}
	to, next := make([]int32, len(p.src.X)), int32(0)
	for n := range to {
		to[n] = next
		if drop[n] {
			continue
		}
		p.src.X[next], p.src.NodeID[next] = p.src.X[n], p.src.NodeID[n]
		if p.z != nil {
			p.z[next], p.ends[next] = p.z[n], p.ends[n]
		}
		next++
	}
	p.warn("%d elements of higher order were read as their corners only, and %d other nodes were left out (in Gmsh: -order 1)", p.higher, int32(len(to))-next)
	p.src.X, p.src.NodeID = p.src.X[:next], p.src.NodeID[:next]
	if p.z != nil {
		p.z = p.z[:next]
	}
	for i, n := range p.src.Points {
		p.src.Points[i] = to[n]
	}
	for i := range p.src.Lines {
		for k, n := range p.src.Lines[i] {
			p.src.Lines[i][k] = to[n]
		}
	}
	for i := range p.src.Triangles {
		for k, n := range p.src.Triangles[i] {
			p.src.Triangles[i][k] = to[n]
		}
	}
}

// flatness is the share of a mesh's size by which nodes may lie beside its plane:
// coordinates in single precision have 6e-8 of it.
const flatness = 1e-6

// flat stops at a mesh whose elements are not in a plane of constant z.
func (p *parser) flat() {
	if p.z == nil {
		return
	}
	lowest, highest := -1, -1 // nodes of elements
	var low, high [3]float64
	for n, used := range p.used() {
		if !used {
			continue
		}
		at := [3]float64{p.src.X[n].X, p.src.X[n].Y, p.z[n]}
		if lowest < 0 {
			lowest, highest, low, high = n, n, at, at
		}
		if at[2] < low[2] {
			lowest = n
		}
		if at[2] > high[2] {
			highest = n
		}
		for c, x := range at {
			low[c], high[c] = min(low[c], x), max(high[c], x)
		}
	}
	size, thick := max(high[0]-low[0], high[1]-low[1]), high[2]-low[2]
	far := max(math.Abs(low[2]), math.Abs(high[2]))
	switch {
	case lowest < 0:
	case thick > 2*flatness*size*(1+1e-9) && thick > 0: // to both sides of the middle
		p.notFlat(lowest, highest, low, high)
	case far > 2*flatness*size:
		p.warn("the mesh lies in the plane z = %g: z = 0 is taken instead", low[2])
	case thick > 1e-9*size:
		p.warn("nodes lie up to %.3g beside the plane z = 0: z = 0 is taken for all", far)
	}
}

// notFlat stops at two nodes of different z.
func (p *parser) notFlat(lowest, highest int, low, high [3]float64) {
	n, other := highest, lowest
	if math.Abs(p.z[lowest]) > math.Abs(p.z[highest]) {
		n, other = lowest, highest
	}
	p.binary, p.pos = p.raw, p.ends[n]
	size := max(high[0]-low[0], high[1]-low[1], high[2]-low[2])
	for c, name := range []string{"x", "y"} {
		if high[c]-low[c] <= flatness*size {
			p.fail("node %d lies at z = %g: the mesh lies in the plane %s = %g, and fdem needs the plane z = 0: rotate it in Gmsh (Rotate)", p.src.NodeID[n], p.z[n], name, low[c])
		}
	}
	p.fail("node %d lies at z = %g and node %d at z = %g, and fdem needs a plane mesh: in Gmsh mesh a flat surface, z = 0, with gmsh -2", p.src.NodeID[n], p.z[n], p.src.NodeID[other], p.z[other])
}

// finish merges repeated listings of one element and collects the groups.
func (p *parser) finish() {
	line := make([][3]int32, len(p.src.Lines))
	for i, l := range p.src.Lines {
		line[i] = [3]int32{min(l[0], l[1]), max(l[0], l[1])}
	}
	triangle := make([][3]int32, len(p.src.Triangles))
	for i, t := range p.src.Triangles {
		triangle[i] = mesh.Ascending(t)
	}
	lines, triangles := p.repeats(1, line), p.repeats(2, triangle)
	p.src.Lines, p.src.LineID = keep(p.src.Lines, lines), keep(p.src.LineID, lines)
	p.src.Triangles, p.src.TriID = keep(p.src.Triangles, triangles), keep(p.src.TriID, triangles)
	for i := range p.member {
		m := &p.member[i]
		switch m.dim {
		case 1:
			m.element = lines[m.element]
		case 2:
			m.element = triangles[m.element]
		}
	}
	slices.SortFunc(p.member, func(a, b membership) int {
		return cmp.Or(cmp.Compare(a.dim, b.dim), cmp.Compare(a.number, b.number), cmp.Compare(a.element, b.element))
	})
	p.member = slices.Compact(p.member)
	for i, m := range p.member {
		if i == 0 || p.member[i-1].key != m.key {
			p.src.Groups = append(p.src.Groups, mesh.SourceGroup{Name: p.name(m.key), Dim: m.dim, Number: m.number})
		}
		g := &p.src.Groups[len(p.src.Groups)-1]
		g.Elements = append(g.Elements, m.element)
	}
	for i, g := range p.src.Groups {
		for _, o := range p.src.Groups[:i] {
			if o.Dim == g.Dim && o.Name == g.Name {
				p.fail("physical groups %d and %d of dimension %d are both named %q", o.Number, g.Number, g.Dim, g.Name)
			}
		}
	}
}

// repeats returns the new index of each element of a dimension. Gmsh 2.2 lists
// an element once for each of its physical groups, and these listings become
// one element. Repeats in the same group stay, for package mesh to check. nodes
// are the sorted nodes of each element.
func (p *parser) repeats(dim int, nodes [][3]int32) []int32 {
	group := make([]int, len(nodes)) // the element's first group, 0 for none
	for _, m := range p.member {
		if m.dim == dim && group[m.element] == 0 {
			group[m.element] = m.number
		}
	}
	order := mesh.ByNodes(nodes, len(p.src.X))
	same := make([]int32, len(nodes)) // the listing an element is merged with
	merged := 0
	for i, e := range order {
		same[e] = e
		if i == 0 || nodes[order[i-1]] != nodes[e] {
			continue
		}
		if first := same[order[i-1]]; group[first] != group[e] || dim == 1 {
			same[e] = first
			merged++
		}
	}
	to := make([]int32, len(nodes))
	next := int32(0)
	for e := range to {
		if same[e] == int32(e) {
			to[e] = next
			next++
		} else {
			to[e] = to[same[e]]
		}
	}
	if merged > 0 && dim == 2 {
		p.warn("%d triangles are listed several times, in several physical groups: each is read as one triangle", merged)
	}
	return to
}

// keep removes the elements that were merged with an earlier one.
func keep[T any](list []T, to []int32) []T {
	next := int32(0)
	for i, k := range to {
		if k == next {
			list[next] = list[i]
			next++
		}
	}
	return list[:next]
}
