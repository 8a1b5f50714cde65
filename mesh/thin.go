package mesh

import "math"

const (
	// slenderRatio is the least ratio of length to thickness of a component that bends.
	slenderRatio = 4
	// enoughAcross is the number of triangles across such a component that is enough for
	// bending.
	enoughAcross = 6
	// deepShare is the share of nodes farther than two edges from the boundary that such a
	// component may have: in six rows of triangles they are a seventh. A strip with a thicker
	// end has some.
	deepShare = 0.1
)

// awayFromBoundary returns per node the number of edges between it and the boundary
// of the triangles, 3 for more than two.
func (m *Mesh) awayFromBoundary() []int8 {
	away := make([]int8, len(m.X))
	for n := range away {
		away[n] = 3
	}
	for _, e := range m.Edges {
		if e.Tri >= 0 {
			away[e.A], away[e.B] = 0, 0
		}
	}
	for step := int8(1); step < 3; step++ {
		for _, t := range m.Triangles {
			if min(away[t[0]], away[t[1]], away[t[2]]) == step-1 {
				for _, n := range t {
					away[n] = min(away[n], step)
				}
			}
		}
	}
	return away
}

// Thin returns for each body the number of triangles across its thinnest slender
// component if that is below six, else 0. A component of area A and perimeter P is
// treated as a rectangle with the same A and P, which gives its length and thickness. It
// is slender if it is four times as long as thick, so a square, a disc or a gear is not
// slender. The number of triangles across follows from their number and the number of
// boundary edges. Hardly any node may be more than two edges away from the boundary.
func (m *Mesh) Thin() []float64 {
	type component struct {
		body                       int32
		triangles, nodes, boundary int
		area, perimeter            float64 // [m2], [m]
		deep                       int     // nodes farther than two edges from the boundary
	}
	out := make([]float64, len(m.Bodies))
	of := make([]int32, len(m.Triangles)) // connected component of each triangle
	nodes := NewConnected(len(m.X))
	for _, t := range m.Triangles {
		nodes.Join(t[0], t[1])
		nodes.Join(t[0], t[2])
	}
	first := nodes.Firsts()
	components := map[int32]*component{} // by the first node, looked up only
	for i, b := range m.Bodies {
		for t := b.First; t < b.End; t++ {
			of[t] = first[m.Triangles[t][0]]
			p := components[of[t]]
			if p == nil {
				p = &component{body: int32(i)}
				components[of[t]] = p
			}
			a := m.Triangles[t]
			p.triangles++
			p.area += float64(0.5 * doubleArea(m.X[a[0]], m.X[a[1]], m.X[a[2]]))
		}
	}
	for _, e := range m.Edges {
		if e.Tri < 0 {
			continue
		}
		p := components[of[e.Tri]]
		p.boundary++
		p.perimeter += math.Sqrt(square(m.X[e.A], m.X[e.B]))
	}
	away := m.awayFromBoundary()
	for n, f := range first {
		if p := components[f]; p != nil {
			p.nodes++
			if away[n] > 2 {
				p.deep++
			}
		}
	}
	for n, f := range first {
		p := components[f]
		if p == nil || int32(n) != f || float64(p.deep) > deepShare*float64(p.nodes) {
			continue
		}
		thick, long := sides(p.area, float64(0.5*p.perimeter))
		if !(long >= slenderRatio*thick) {
			continue
		}
		across := float64(p.triangles) / float64(p.boundary) // of a ring
		if loops := 2 - p.nodes + (p.triangles+p.boundary)/2; loops < 2 {
			across, _ = sides(float64(0.5*float64(p.triangles)), float64(0.5*float64(p.boundary)))
		}
		if least := &out[p.body]; across < enoughAcross-0.2 && (*least == 0 || across < *least) {
			*least = across
		}
	}
	return out
}

// sides returns the shorter and the longer side of a rectangle of an area and
// half a perimeter, or of a square if there is no such rectangle.
func sides(area, half float64) (short, long float64) {
	root := math.Sqrt(max(0, float64(half*half)-float64(4*area)))
	return 0.5 * (half - root), 0.5 * (half + root)
}
