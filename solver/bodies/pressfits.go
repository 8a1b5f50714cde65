package bodies

import (
	"math"
	"slices"

	"fdem/contactnodes"
	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// Press fits. An edge detects contact down to half the height of the triangles below it. A
// penetration that begins deeper is an error. Bodies whose overlap is allowed can begin as
// deep in one another as both are solid, up to near the medial axis of their outlines.

const (
	fitMargin = 1.25 // ratio of the depth of edges to the depth of the deepest node at the start
	fitSolid  = 0.9  // part of the distance to the medial axis that counts as solid
)

// Deepen lets edges detect contact as deep as bodies overlap whose contact allows it, as far
// as the bodies are solid.
func (k *Outlines) Deepen() {
	if k.Fracture != nil {
		return // fragments use the depth of their triangles
	}
	for i := range k.Model.Contacts {
		c := &k.Model.Contacts[i]
		if c.Overlap.Mode == contactnodes.OverlapAllow && !c.Self {
			k.deepenUnder(c.Contactor, c.Opposite)
			k.deepenUnder(c.Opposite, c.Contactor)
		}
	}
}

// deepenUnder lets edges detect contact as deep as nodes of the other side lie below them.
func (k *Outlines) deepenUnder(others, edges []int32) {
	nodes, under := k.nodesOf(others), make([][]int32, len(k.Mesh.Bodies))
	for _, i := range edges {
		b := k.Mesh.Edges[i].Body
		under[b] = append(under[b], i)
	}
	for b, list := range under {
		body := &k.Mesh.Bodies[b]
		if len(list) == 0 || body.Kind != mesh.OfTriangles || !k.Closed(body) {
			continue
		}
		deepest := k.deepest(body, nodes)
		need := fitMargin * deepest / contactnodes.MaxDepth
		seen := func(i int32) bool { return k.Lines.Depth[i] >= need }
		if !slices.ContainsFunc(list, func(i int32) bool { return !seen(i) }) || deepest > float64(fitSolid*k.thickest(others)) {
			continue // a body completely inside another is no press fit
		}
		for _, i := range list {
			if !seen(i) {
				k.Lines.ExtendDepth(i, min(need, float64(fitSolid*k.solidUnder(i))))
			}
		}
	}
}

// thickest returns the greatest distance of the medial axis from edges of triangles [m].
func (k *Outlines) thickest(edges []int32) (most float64) {
	for _, i := range edges {
		if k.Mesh.Edges[i].Tri >= 0 {
			most = max(most, k.solidUnder(i))
		}
	}
	return most
}

// deepest returns the depth of the deepest node inside a body [m]. The nodes are given from
// left to right.
func (k *Outlines) deepest(body *mesh.Body, nodes []int32) (deepest float64) {
	k.inside(body, nodes, func(n int32, _ []int32) bool {
		if _, own := slices.BinarySearch(body.Nodes, n); own {
			return true
		}
		nearest := math.Inf(1)
		for i := body.FirstEdge; i < body.EndEdge; i++ {
			nearest = min(nearest, k.distance(i, k.X[n]))
		}
		deepest = max(deepest, nearest)
		return true
	})
	return deepest
}

// solidUnder returns the distance of its body's medial axis from an edge [m]. It is the
// radius of the smallest circle that touches the edge from inside at its ends or its middle
// and has another node of the outline on it.
func (k *Outlines) solidUnder(edge int32) float64 {
	e := &k.Mesh.Edges[edge]
	body := &k.Mesh.Bodies[e.Body]
	a, b := k.X[e.A], k.X[e.B]
	along := r2.Sub(b, a)
	inward := r2.Scale(1/elementary.Norm(along), r2.Vec{X: -along.Y, Y: along.X})
	radius := math.Inf(1)
	for _, at := range [3]r2.Vec{a, b, elementary.Between(a, b, 0.5)} {
		for i := body.FirstEdge; i < body.EndEdge; i++ {
			to := r2.Sub(k.X[k.Mesh.Edges[i].A], at)
			if deep := elementary.Dot(to, inward); deep > 0 {
				radius = min(radius, elementary.Dot(to, to)/(2*deep))
			}
		}
	}
	return radius
}
