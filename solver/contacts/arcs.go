package contacts

import (
	"cmp"
	"math"
	"slices"

	"fdem/contactnodes"
	"fdem/mesh"
	models "fdem/solver/model"
)

// Arcs for round outlines. Where a contact has a round outline that may lie in another one, such as
// a shaft in a hole, with radii that differ by less than a factor of two, the edges of both represent
// arcs (package contactnodes): between chords the clearance or the overlap would depend on how edges
// face one another, and the two would interlock. Other contacts of round outlines keep their polygons, see
// facets.go. So do contacts of beams' faces, of rigid polygons, with contact nodes at the ends of edges, of
// bodies with themselves, and models with bodies that break. Edges of rigid circles are always arcs.

// fitBend is the least ratio of the curvatures of two outlines that fit each other.
const fitBend = 0.5

// bent is the curvature of an edge of a round outline.
type bent struct {
	size      float64 // [1/m]
	component int32
	other     int // the next one of another component
}

// Arcs returns the arcs that the edges of a contact represent, nil if there are none. bend is the curvature of all edges,
// see mesh.ArcBends.
func Arcs(m *models.Model, c *models.SurfaceContact, bend []float64) []contactnodes.Arc {
	if c.Self || c.Ends || m.Fracture != nil {
		return nil
	}
	sides := [2][]int32{c.Contactor, c.Opposite}
	var hollow, full [2][]bent
	for side, edges := range sides {
		hollow[side], full[side] = sortBent(m.Mesh, edges, bend, -1), sortBent(m.Mesh, edges, bend, 1)
	}
	var arcs []contactnodes.Arc
	for side, edges := range sides {
		for _, i := range edges {
			e, others := &m.Mesh.Edges[i], full[1-side]
			if bend[i] > 0 {
				others = hollow[1-side]
			}
			if bend[i] == 0 || e.Tri < 0 || !fits(math.Abs(bend[i]), e.Component, others) {
				continue
			}
			if arcs == nil {
				arcs = make([]contactnodes.Arc, len(m.Mesh.Edges))
			}
			arcs[i].Height = mesh.ArcRise(bend[i], m.Mesh.Along(i))
		}
	}
	for i := range arcs {
		if arcs[i].Height == 0 {
			continue
		}
		if p := m.Mesh.Edges[i].Prev; p >= 0 && arcs[p].Height != 0 {
			_, turn := m.Mesh.Bend(int32(i))
			arcs[i].Smooth = math.Abs(turn) < mesh.RoundTurn
		}
	}
	return arcs
}

// sortBent returns the curvatures with a sign of edges that triangles carry or rigid circles have, ascending.
func sortBent(m *mesh.Mesh, edges []int32, bend []float64, sign float64) (out []bent) {
	for _, i := range edges {
		if b, e := sign*bend[i], &m.Edges[i]; b > 0 && (e.Tri >= 0 || e.Radius != 0) {
			out = append(out, bent{size: b, component: e.Component})
		}
	}
	slices.SortFunc(out, func(a, b bent) int { return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.component, b.component)) })
	for i := len(out) - 1; i >= 0; i-- {
		if out[i].other = i + 1; i+1 < len(out) && out[i+1].component == out[i].component {
			out[i].other = out[i+1].other
		}
	}
	return out
}

// fits tells whether one of some curvatures is of another component, and not far from a given one.
func fits(size float64, component int32, others []bent) bool {
	i, _ := slices.BinarySearchFunc(others, size*fitBend, func(b bent, least float64) int { return cmp.Compare(b.size, least) })
	if i < len(others) && others[i].component == component {
		i = others[i].other
	}
	return i < len(others) && others[i].size <= size/fitBend
}
