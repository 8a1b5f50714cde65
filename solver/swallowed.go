package solver

import (
	"fmt"
	"slices"

	"fdem/contactnodes"
	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// swallowed says which body of a contact begins with all of its nodes in the solid of a rigid one:
// whoever drew that meant its other side. "" for none.
func (s *Solver) swallowed(c *contactnodes.Contact) string {
	var bodies []int32
	for _, edges := range [][]int32{c.Contactor, c.Opposite} {
		for _, e := range edges {
			bodies = append(bodies, s.Mesh.Edges[e].Body)
		}
	}
	slices.Sort(bodies)
	bodies = slices.Compact(bodies)
	for _, by := range bodies {
		for _, of := range bodies {
			solid, b := &s.Mesh.Bodies[by], &s.Mesh.Bodies[of]
			if solid.Kind != mesh.OfOutline || of == by {
				continue
			}
			if !slices.ContainsFunc(b.Nodes, func(n int32) bool { return !s.covers(solid, s.X[s.Mesh.Place(n)]) }) {
				return fmt.Sprintf("all of %q lies in the solid of %q: a line's is right of the way from \"from\" to \"to\", a hollow's outside of its circle", b.Name, solid.Name)
			}
		}
	}
	return ""
}

// covers tells whether a place lies in the solid of an outline: left of the way from the first to
// the last of its nodes where it is open, else inside, or outside where it runs clockwise.
func (s *Solver) covers(b *mesh.Body, x r2.Vec) bool {
	edges := s.Mesh.Edges[b.FirstEdge:b.EndEdge]
	first, last := s.X[edges[0].A], s.X[edges[len(edges)-1].B]
	if edges[0].Prev < 0 {
		const rounding = 1e-9
		along := r2.Sub(last, first)
		return elementary.Cross(along, r2.Sub(x, first)) >= -rounding*elementary.Dot(along, along)
	}
	inside, area := false, 0.0
	for _, e := range edges {
		p, q := r2.Sub(s.X[e.A], x), r2.Sub(s.X[e.B], x)
		area += elementary.Cross(p, q)
		if (p.Y > 0) != (q.Y > 0) && elementary.Cross(p, q) > 0 == (q.Y > p.Y) {
			inside = !inside
		}
	}
	return inside == (area > 0)
}
