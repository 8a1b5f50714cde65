package solver

import (
	"math"

	"fdem/boundingbox"
	"fdem/contactnodes"
	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// Arcs that fit. Where round outlines overlap at the start and are let press, their edges stand
// for arcs (package contactnodes): a shaft in a hole, of radii that differ by less than half, but
// for like edges that face each other, as what one lacks the other has too much. Other
// contacts of round outlines are left as polygons, see contact_facets.go.

const (
	fitBend   = 0.5  // ratio of the curvatures of two outlines that fit, at least
	likeEdges = 0.02 // part of an overlap up to which what lies between arcs and edges is nothing
)

// Arcs returns what the edges of a contact stand for, nil where none does for an arc.
func (m *Model) Arcs(c *SurfaceContact) []contactnodes.Arc {
	if c.Overlap.Mode != contactnodes.OverlapAllow || c.Self || c.Ends || m.Fracture != nil {
		return nil
	}
	bend := make([]float64, len(m.Mesh.Edges))
	for _, side := range [2][]int32{c.Contactor, c.Opposite} {
		for _, i := range side {
			bend[i] = m.Mesh.ArcBend(i)
		}
	}
	var arcs []contactnodes.Arc
	add := func(i int32) {
		e := &m.Mesh.Edges[i]
		if e.Tri < 0 {
			return // a rigid body's, round by itself
		}
		if arcs == nil {
			arcs = make([]contactnodes.Arc, len(bend))
		}
		d := m.Mesh.Along(i)
		turn := bend[i] * elementary.Norm(d)
		arcs[i].Height = 0.125 * turn * elementary.Norm(d) * (1 + float64(turn*turn)/30) // of a circle, as wide on the mean
	}
	var fits [][2]int32
	overlap, missed := map[[2]int32]float64{}, map[[2]int32]float64{} // of two components, in all [m]; looked up, never iterated
	between := func(i, j int32) [2]int32 { return [2]int32{m.Mesh.Edges[i].Component, m.Mesh.Edges[j].Component} }
	edgeBoxes(m.Mesh, c.Contactor).PairsWith(edgeBoxes(m.Mesh, c.Opposite), func(k, l int32) {
		i, j := c.Contactor[k], c.Opposite[l]
		a, b := bend[i], bend[j]
		if a*b < 0 && min(math.Abs(a), math.Abs(b)) >= float64(fitBend*max(math.Abs(a), math.Abs(b))) && m.Mesh.Edges[i].Component != m.Mesh.Edges[j].Component && m.Mesh.Opposed(i, j) {
			fits = append(fits, [2]int32{i, j})
			deep, over := arcOverlap(m.Mesh, i, j, a, b)
			overlap[between(i, j)] += deep
			missed[between(i, j)] += math.Abs(over)
		}
	})
	for _, p := range fits {
		if of := between(p[0], p[1]); overlap[of] > 0 && missed[of] > float64(likeEdges*overlap[of]) {
			add(p[0])
			add(p[1])
		}
	}
	strip := m.longestStrip(c)
	for i := range arcs {
		if arcs[i].Height == 0 {
			continue
		}
		arcs[i].Rise = contactnodes.RiseOver(arcs[i].Height, elementary.Norm(m.Mesh.Along(int32(i))), strip)
		if p := m.Mesh.Edges[i].Prev; p >= 0 && arcs[p].Height != 0 {
			_, turn := m.Mesh.Bend(int32(i))
			arcs[i].Smooth = math.Abs(turn) < mesh.RoundTurn
		}
	}
	return arcs
}

// longestStrip returns the longest part of an edge of a contact that a contact node stands for [m].
func (m *Model) longestStrip(c *SurfaceContact) (longest float64) {
	for _, side := range [2][]int32{c.Contactor, c.Opposite} {
		for _, i := range side {
			longest = max(longest, elementary.Norm(m.Mesh.Along(i)))
		}
	}
	return longest / float64(c.NodesPerElement)
}

// edgeBoxes returns a grid with the boxes of edges, larger by half their length.
func edgeBoxes(m *mesh.Mesh, side []int32) *boundingbox.HashGrid {
	var list []boundingbox.Box
	for _, i := range side {
		e := &m.Edges[i]
		a, b := m.X[e.A], m.X[e.B]
		list = append(list, boundingbox.BoxOf(a, b).Grow(float64(0.5*elementary.Norm(r2.Sub(b, a)))))
	}
	g := &boundingbox.HashGrid{}
	g.Fill(list)
	return g
}

// arcOverlap returns how deep the middle of the arc over edge i lies under that over edge j, of
// these curvatures, and what of that is between arcs and edges [m]; 0 where that is well beyond an end
// of j.
func arcOverlap(m *mesh.Mesh, i, j int32, bendI, bendJ float64) (deep, over float64) {
	e, f := &m.Edges[i], &m.Edges[j]
	c, along := m.X[f.A], r2.Sub(m.X[f.B], m.X[f.A])
	own, l2 := r2.Sub(m.X[e.B], m.X[e.A]), elementary.Dot(along, along)
	to := r2.Sub(elementary.Between(m.X[e.A], m.X[e.B], 0.5), c)
	s := elementary.Dot(along, to) / l2
	if s < -0.1 || s > 1.1 { // at a concave corner a point may be beyond the ends of both edges
		return 0, 0
	}
	over = mesh.ArcHeight(bendI, elementary.Dot(own, own), 0.5) + mesh.ArcHeight(bendJ, l2, s)
	return elementary.Cross(along, to)/math.Sqrt(l2) + over, over
}

// raise lets the search see as far as the arcs of a contact reach over their edges.
func (k *outlines) raise(c *SurfaceContact, arcs []contactnodes.Arc) {
	highest := 0.0
	for i := range arcs {
		highest = max(highest, math.Abs(arcs[i].Height), arcs[i].Rise)
	}
	if highest == 0 {
		return
	}
	for _, side := range [2][]int32{c.Contactor, c.Opposite} {
		for _, i := range side {
			k.outline.Reach[i] += 2 * highest
		}
	}
}
