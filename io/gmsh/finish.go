package gmsh

import (
	"cmp"
	"slices"

	"fdem/mesh"
)

// finish merges repeated listings of one element and gathers the groups.
func (p *parser) finish() {
	line := make([][3]int32, len(p.src.Lines))
	for i, l := range p.src.Lines {
		line[i] = [3]int32{min(l[0], l[1]), max(l[0], l[1])}
	}
	triangle := make([][3]int32, len(p.src.Triangles))
	for i, t := range p.src.Triangles {
		slices.Sort(t[:])
		triangle[i] = t
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

// repeats returns where each element of a dimension goes: Gmsh 2.2 lists an
// element once for each of its physical groups, and those listings become
// one. Listings in the same group are left for the mesh to judge. nodes are
// each element's, sorted.
func (p *parser) repeats(dim int, nodes [][3]int32) []int32 {
	group := make([]int, len(nodes)) // the element's first group, 0 for none
	for _, m := range p.member {
		if m.dim == dim && group[m.element] == 0 {
			group[m.element] = m.number
		}
	}
	order := make([]int32, len(nodes))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(slices.Compare(nodes[a][:], nodes[b][:]), cmp.Compare(a, b))
	})
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
		p.warn("%d triangles are listed more than once, in several physical groups: read as one each", merged)
	}
	return to
}

// keep drops the elements that were merged with an earlier one.
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
