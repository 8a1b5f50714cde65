package bodies

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"fdem/contactnodes"
	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// Enclosed returns a message if all nodes of a contact's body are inside a rigid body at the start:
// the other side of its outline was probably meant. It returns "" for none.
func (k *Outlines) Enclosed(c *contactnodes.Contact) string {
	var bodies []int32
	for _, edges := range [][]int32{c.Contactor, c.Opposite} {
		for _, e := range edges {
			bodies = append(bodies, k.Mesh.Edges[e].Body)
		}
	}
	slices.Sort(bodies)
	bodies = slices.Compact(bodies)
	for _, by := range bodies {
		for _, of := range bodies {
			solid, b := &k.Mesh.Bodies[by], &k.Mesh.Bodies[of]
			if solid.Kind != mesh.OfOutline || of == by {
				continue
			}
			if !slices.ContainsFunc(b.Nodes, func(n int32) bool { return !k.contains(solid, k.X[k.Mesh.PositionNode(n)]) }) {
				return fmt.Sprintf("all of %q lies in the solid of %q: a line's is to the right of the direction from \"from\" to \"to\", a hollow's outside of its circle", b.Name, solid.Name)
			}
		}
	}
	return ""
}

// Undetected returns a node of one side of a contact that lies so deep inside a meshed body of the
// other side at the start that no edge of that body detects it, and its depth. ok is false if there
// is none.
func (k *Outlines) Undetected(c *contactnodes.Contact) (e contactnodes.DepthError, ok bool) {
	for _, sides := range [][2][]int32{{c.Contactor, c.Opposite}, {c.Opposite, c.Contactor}} {
		nodes := k.nodesOf(sides[0])
		listed := make([]bool, len(k.Mesh.Bodies))
		for _, i := range sides[1] {
			listed[k.Mesh.Edges[i].Body] = true
		}
		for b, is := range listed {
			body := &k.Mesh.Bodies[b]
			if !is || body.Kind != mesh.OfTriangles || !k.Closed(body) {
				continue
			}
			k.inside(body, nodes, func(n int32, edges []int32) bool {
				if _, own := slices.BinarySearch(body.Nodes, n); own || k.detects(edges, n) {
					return true
				}
				all := make([]int32, 0, body.EndEdge-body.FirstEdge)
				for i := body.FirstEdge; i < body.EndEdge; i++ {
					all = append(all, i)
				}
				if ok = !k.detects(all, n); !ok {
					return true
				}
				e = contactnodes.DepthError{Contact: c.Name, Position: k.X[n], Deflection: math.Inf(1)}
				for _, i := range all {
					if d := k.distance(i, k.X[n]); d < e.Deflection {
						e.Deflection, e.Limit = d, contactnodes.MaxDepth*k.Lines.Depth[i]
					}
				}
				return false
			})
			if ok {
				return e, ok
			}
		}
	}
	return e, false
}

// nodesOf returns the nodes of edges of triangles, from left to right.
func (k *Outlines) nodesOf(edges []int32) (nodes []int32) {
	taken := make([]bool, len(k.X))
	for _, i := range edges {
		if edge := &k.Mesh.Edges[i]; edge.Tri >= 0 && !taken[edge.A] {
			taken[edge.A] = true
			nodes = append(nodes, edge.A)
		}
	}
	slices.SortStableFunc(nodes, func(a, b int32) int { return cmp.Compare(k.X[a].X, k.X[b].X) })
	return nodes
}

// detects tells whether one of the edges is so near to a node that contact with it is found.
func (k *Outlines) detects(edges []int32, n int32) bool {
	return slices.ContainsFunc(edges, func(i int32) bool { return k.distance(i, k.X[n]) <= k.Lines.Depth[i] })
}

// distance returns the distance of a position from an edge [m].
func (k *Outlines) distance(edge int32, x r2.Vec) float64 {
	a, b := k.X[k.Mesh.Edges[edge].A], k.X[k.Mesh.Edges[edge].B]
	along, to := r2.Sub(b, a), r2.Sub(x, a)
	part := elementary.Dot(along, to) / elementary.Dot(along, along)
	return elementary.Norm(r2.Sub(x, elementary.Between(a, b, min(max(part, 0), 1))))
}

// inside calls the function with each of the nodes that lies inside a meshed body, and with the
// edges above and below it, until the function returns false. The nodes are given from left to
// right (sweep line).
func (k *Outlines) inside(b *mesh.Body, nodes []int32, each func(n int32, edges []int32) bool) {
	low := func(i int32) float64 { return min(k.X[k.Mesh.Edges[i].A].X, k.X[k.Mesh.Edges[i].B].X) }
	var edges, active []int32
	for i := b.FirstEdge; i < b.EndEdge; i++ {
		edges = append(edges, i)
	}
	slices.SortStableFunc(edges, func(i, j int32) int { return cmp.Compare(low(i), low(j)) })
	for _, n := range nodes {
		x, within := k.X[n], false
		for len(edges) > 0 && low(edges[0]) <= x.X {
			active, edges = append(active, edges[0]), edges[1:]
		}
		left := active[:0]
		for _, i := range active {
			p, q := r2.Sub(k.X[k.Mesh.Edges[i].A], x), r2.Sub(k.X[k.Mesh.Edges[i].B], x)
			if max(p.X, q.X) < 0 {
				continue
			}
			left = append(left, i)
			if (p.X > 0) != (q.X > 0) && elementary.Cross(p, q) > 0 == (q.X < p.X) {
				within = !within
			}
		}
		if active = left; within && !each(n, active) {
			return
		}
	}
}

// contains tells whether a position is inside the solid of an outline. For an open outline that is
// the left side of the line from its first to its last node. For a closed outline it is the inside,
// or the outside if the outline runs clockwise.
func (k *Outlines) contains(b *mesh.Body, x r2.Vec) bool {
	edges := k.Mesh.Edges[b.FirstEdge:b.EndEdge]
	first, last := k.X[edges[0].A], k.X[edges[len(edges)-1].B]
	if edges[0].Prev < 0 {
		const rounding = 1e-9
		along := r2.Sub(last, first)
		return elementary.Cross(along, r2.Sub(x, first)) >= -rounding*elementary.Dot(along, along)
	}
	inside, area := false, 0.0
	for _, e := range edges {
		p, q := r2.Sub(k.X[e.A], x), r2.Sub(k.X[e.B], x)
		area += elementary.Cross(p, q)
		if (p.Y > 0) != (q.Y > 0) && elementary.Cross(p, q) > 0 == (q.Y > p.Y) {
			inside = !inside
		}
	}
	return inside == (area > 0)
}
