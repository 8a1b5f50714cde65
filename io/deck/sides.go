package deck

import (
	"slices"

	"fdem/mesh"
	"fdem/solver/model"
)

// dividedVertices are the parts into which joints and borders between bodies that can open
// divide vertices. A vertex at which a joint ends inside a body has one part.
type dividedVertices struct {
	joined mesh.Connected    // the corners of triangles, connected within each part
	at     map[int32][]int32 // the corners at each vertex with several parts
}

// divide finds the sides of joints and borders.
func (r *resolver) divide(f *model.Fracture) {
	if f == nil {
		return
	}
	of, triangles := r.mesh.BodyOf(), r.mesh.Triangles
	corner := func(t, n int32) int32 { return 3*t + int32(slices.Index(triangles[t][:], n)) }
	at := map[int32][]int32{}
	for i := range f.Edges {
		if e := &f.Edges[i]; e.Region >= 0 && (f.Joints[e.Region] || of[e.A] != of[e.B]) {
			at[e.From], at[e.To] = nil, nil
		}
	}
	if len(at) == 0 {
		return
	}
	joined := mesh.NewConnected(3 * len(triangles))
	for i := range f.Edges {
		if e := &f.Edges[i]; e.Region < 0 || !f.Joints[e.Region] && of[e.A] == of[e.B] {
			joined.Join(corner(e.A, e.From), corner(e.B, e.From))
			joined.Join(corner(e.A, e.To), corner(e.B, e.To))
		}
	}
	for c := range 3 * len(triangles) {
		n := triangles[c/3][c%3]
		if all, divided := at[n]; divided {
			at[n] = append(all, int32(c))
		}
	}
	r.divided = dividedVertices{joined, at}
}

// sidesOf returns, for nodes of a group, the corners on the sides on which the group lies: those of
// its triangles, or of the triangles at its boundary edges. A node has none if the group lies on all
// of its sides, or is neither.
func (r *resolver) sidesOf(g *mesh.Group, nodes []int32) (c model.Corners) {
	if r.divided.at == nil {
		return c
	}
	own := r.cornersOf(g)
	if own == nil {
		return c
	}
	any := false
	for _, n := range nodes {
		all := r.divided.at[n]
		var parts []int32
		for _, at := range all {
			if own[at] {
				parts = append(parts, r.divided.joined.First(at))
			}
		}
		var on []model.Corner
		for _, at := range all {
			if slices.Contains(parts, r.divided.joined.First(at)) {
				on = append(on, model.Corner{Triangle: at / 3})
			}
		}
		if len(on) == len(all) {
			on = nil
		}
		any = any || on != nil
		c.Add(on...)
	}
	if !any {
		return model.Corners{}
	}
	return c
}

// cornersOf returns the corners, at vertices with several parts, of the triangles of a body or of
// those at a curve of boundary edges; nil for any other group.
func (r *resolver) cornersOf(g *mesh.Group) map[int32]bool {
	own := map[int32]bool{} // looked up only
	if g.Dim == 1 && len(g.Edges) > 0 && len(g.Edges) == len(g.Lines) {
		for _, i := range g.Edges {
			e := &r.mesh.Edges[i]
			if e.Tri < 0 {
				continue
			}
			for k, n := range r.mesh.Triangles[e.Tri] {
				if n == e.A || n == e.B {
					own[3*e.Tri+int32(k)] = true
				}
			}
		}
		return own
	}
	i := slices.IndexFunc(r.mesh.Bodies, func(b mesh.Body) bool { return b.Name == g.Name && b.Kind == mesh.OfTriangles })
	if g.Dim != 2 || i < 0 {
		return nil
	}
	b := &r.mesh.Bodies[i]
	for _, all := range r.divided.at {
		for _, at := range all {
			if t := at / 3; t >= b.First && t < b.End {
				own[at] = true
			}
		}
	}
	return own
}
