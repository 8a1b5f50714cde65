package mesh

import (
	"cmp"
	"fmt"
	"slices"
)

// side is one side of a triangle, from node a to node b with the triangle on
// the left.
type side struct{ a, b, tri int32 }

// addEdges finds the boundary, which consists of the sides without a partner. It
// orders them body after body and loop after loop, and links neighbours.
func (m *Mesh) addEdges() error {
	sides, first := m.sides()
	find := func(a, b int32) int {
		i, ok := slices.BinarySearchFunc(sides[first[a]:first[a+1]], b, func(s side, b int32) int { return cmp.Compare(s.b, b) })
		if !ok {
			return -1
		}
		return int(first[a]) + i
	}
	body, component := m.BodyOf(), m.componentOf()
	var edges []Edge
	index := make([]int32, len(sides)) // boundary edge of each side, -1 inside
	for i, s := range sides {
		if i > 0 && sides[i-1].a == s.a && sides[i-1].b == s.b {
			return fmt.Errorf("triangles %d and %d lie on the same side of one edge: the mesh folds over itself", m.TriID[sides[i-1].tri], m.TriID[s.tri])
		}
		index[i] = -1
		if find(s.b, s.a) < 0 {
			index[i] = int32(len(edges))
			edges = append(edges, Edge{A: s.a, B: s.b, Tri: s.tri, Body: body[s.tri], Component: component[s.tri]})
		}
	}
	// The next edge starts at the end of this one, on the other side of the fan of
	// triangles around that node.
	for i := range edges {
		at, from := find(edges[i].A, edges[i].B), edges[i].B
		for {
			t := m.Triangles[sides[at].tri]
			third := t[0]
			for k := range 3 {
				if t[k] == from {
					third = t[(k+1)%3]
				}
			}
			at = find(from, third)
			if e := index[at]; e >= 0 {
				edges[i].Next, edges[e].Prev = e, int32(i)
				break
			}
			at = find(third, from)
		}
	}
	m.order(edges)
	return nil
}

// sides returns the sides of all triangles, sorted by their first node, then by
// the second, and then by triangle. The sides of node n begin at first[n].
func (m *Mesh) sides() (sides []side, first []int32) {
	first = make([]int32, len(m.X)+1)
	for _, t := range m.Triangles {
		for _, n := range t {
			first[n+1]++
		}
	}
	for n := range m.X {
		first[n+1] += first[n]
	}
	sides = make([]side, 3*len(m.Triangles))
	end := slices.Clone(first)
	for i, t := range m.Triangles {
		for k, a := range t {
			sides[end[a]] = side{a, t[(k+1)%3], int32(i)}
			end[a]++
		}
	}
	for n := range m.X {
		slices.SortFunc(sides[first[n]:first[n+1]], func(p, q side) int { return cmp.Or(cmp.Compare(p.b, q.b), cmp.Compare(p.tri, q.tri)) })
	}
	return sides, first
}

// BodyOf returns the body of each triangle.
func (m *Mesh) BodyOf() []int32 {
	body := make([]int32, len(m.Triangles))
	for i, b := range m.Bodies {
		for t := b.First; t < b.End; t++ {
			body[t] = int32(i)
		}
	}
	return body
}

// componentOf returns the connected component of each triangle and the number of
// components. Components are numbered in the order of their first triangles. Triangles
// of one body that share a node are connected.
func (m *Mesh) componentOf() []int32 {
	triangles := NewConnected(len(m.Triangles))
	at := make([]int32, len(m.X)) // a triangle of the present body, or of an earlier one
	for i := range at {
		at[i] = -1
	}
	for _, b := range m.Bodies {
		for t := b.First; t < b.End; t++ {
			for _, n := range m.Triangles[t] {
				if at[n] < b.First {
					at[n] = t
					continue
				}
				triangles.Join(t, at[n])
			}
		}
	}
	component := make([]int32, len(triangles))
	for t := range component {
		if r := triangles.First(int32(t)); r == int32(t) {
			component[t] = int32(m.Components)
			m.Components++
		} else {
			component[t] = component[r]
		}
	}
	return component
}

// order sorts the edges body after body. Within a body each run of consecutive
// edges starts at the edge with the lowest node.
func (m *Mesh) order(edges []Edge) {
	position := make([]int32, len(edges))
	for i := range position {
		position[i] = -1
	}
	byBody := make([]int32, len(edges))
	for i := range byBody {
		byBody[i] = int32(i)
	}
	slices.SortFunc(byBody, func(p, q int32) int {
		return cmp.Or(cmp.Compare(edges[p].Body, edges[q].Body), cmp.Compare(edges[p].A, edges[q].A), cmp.Compare(edges[p].B, edges[q].B))
	})
	m.Edges = make([]Edge, 0, len(edges))
	for _, first := range byBody {
		for e := first; position[e] < 0 && edges[e].Body == edges[first].Body; e = edges[e].Next {
			position[e] = int32(len(m.Edges))
			m.Edges = append(m.Edges, edges[e])
		}
	}
	for i := range m.Edges {
		e := &m.Edges[i]
		e.Prev, e.Next = position[e.Prev], position[e.Next]
		b := &m.Bodies[e.Body]
		if b.EndEdge == 0 {
			b.FirstEdge = int32(i)
		}
		b.EndEdge = int32(i) + 1
	}
}
