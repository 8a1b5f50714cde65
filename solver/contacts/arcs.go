package contacts

import (
	"math"

	"fdem/contactnodes"
	"fdem/materials/elementary"
	"fdem/mesh"
	"fdem/solver/bodies"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// Arcs for round outlines. If round outlines overlap at the start and the overlap is allowed to
// press, their edges represent arcs (package contactnodes). An example is a shaft in a hole with
// radii that differ by less than a factor of two. Equal edges that face each other need no arcs,
// because the area missing on one side is in excess on the other. Other contacts of round outlines
// keep their polygons, see facets.go. So do contacts of beams' faces and of rigid polygons.
// Edges of rigid circles are always arcs.

const (
	fitBend   = 0.5  // least ratio of the curvatures of two outlines that fit each other
	likeEdges = 0.02 // ratio of the gap between arcs and edges to the overlap, up to which edges suffice
)

// arcFits are the pairs of edges of round outlines that fit each other.
type arcFits struct {
	m     *mesh.Mesh
	bend  []float64 // curvature per edge [1/m]
	pairs [][2]int32
	// Per pair of components, sums in metres: the depth of overlap, and the part of it between arcs
	// and edges. Looked up, never iterated.
	overlap, missed map[[2]int32]float64
}

// Arcs returns the arcs that the edges of a contact represent, nil if there are none.
func Arcs(m *models.Model, c *models.SurfaceContact) []contactnodes.Arc {
	if c.Overlap.Mode != contactnodes.OverlapAllow || c.Self || c.Ends || m.Fracture != nil {
		return nil
	}
	f := arcFits{m.Mesh, make([]float64, len(m.Mesh.Edges)), nil, map[[2]int32]float64{}, map[[2]int32]float64{}}
	f.find(c)
	var arcs []contactnodes.Arc
	for _, p := range f.pairs {
		if of := f.between(p[0], p[1]); !(f.overlap[of] > 0 && f.missed[of] > float64(likeEdges*f.overlap[of])) {
			continue
		}
		if arcs == nil {
			arcs = make([]contactnodes.Arc, len(m.Mesh.Edges))
		}
		for _, i := range p {
			arcs[i].Height = f.height(i)
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

// find finds the pairs of edges in a contact.
func (f *arcFits) find(c *models.SurfaceContact) {
	for _, side := range [2][]int32{c.Contactor, c.Opposite} {
		for _, i := range side {
			if e := &f.m.Edges[i]; e.Tri >= 0 || e.Radius != 0 {
				f.bend[i] = f.m.ArcBend(i)
			}
		}
	}
	bodies.EdgeBoxes(f.m, c.Contactor).PairsWith(bodies.EdgeBoxes(f.m, c.Opposite), func(k, l int32) {
		i, j := c.Contactor[k], c.Opposite[l]
		a, b := f.bend[i], f.bend[j]
		if a*b < 0 && min(math.Abs(a), math.Abs(b)) >= float64(fitBend*max(math.Abs(a), math.Abs(b))) && f.m.Edges[i].Component != f.m.Edges[j].Component && f.m.Opposed(i, j) {
			f.pairs = append(f.pairs, [2]int32{i, j})
			deep, missed := f.depth(i, j)
			f.overlap[f.between(i, j)] += deep
			f.missed[f.between(i, j)] += math.Abs(missed)
		}
	})
}

// between returns the pair of components of two edges.
func (f *arcFits) between(i, j int32) [2]int32 {
	return [2]int32{f.m.Edges[i].Component, f.m.Edges[j].Component}
}

// height returns the height of the arc of an edge of triangles over the middle of the edge [m]. It
// belongs to the circle with the same mean radius; 0 for an edge of a rigid circle.
func (f *arcFits) height(i int32) float64 {
	if f.m.Edges[i].Tri < 0 {
		return 0
	}
	length := elementary.Norm(f.m.Along(i))
	turn := f.bend[i] * length
	return 0.125 * turn * length * (1 + float64(turn*turn)/30)
}

// depth returns the depth of the middle of the arc over edge i below the arc over edge j, and the
// part of it between arcs and edges of triangles [m]. Both are 0 if the point is well beyond an end
// of j.
func (f *arcFits) depth(i, j int32) (deep, missed float64) {
	e, o := &f.m.Edges[i], &f.m.Edges[j]
	own, along := f.m.Along(i), f.m.Along(j)
	l2 := elementary.Dot(along, along)
	to := r2.Sub(elementary.Between(f.m.X[e.A], f.m.X[e.B], 0.5), f.m.X[o.A])
	s := elementary.Dot(along, to) / l2
	if s < -0.1 || s > 1.1 { // near a concave corner a point may be beyond the ends of both edges
		return 0, 0
	}
	overOwn, over := mesh.ArcHeight(f.bend[i], elementary.Dot(own, own), 0.5), mesh.ArcHeight(f.bend[j], l2, s)
	deep = elementary.Cross(along, to)/math.Sqrt(l2) + overOwn + over
	switch {
	case e.Tri < 0: // i belongs to a rigid circle, so only j has a gap
		missed = mesh.ArcHeight(f.bend[j], l2, 0.5)
	case o.Tri < 0:
		missed = overOwn
	default:
		missed = overOwn + over
	}
	return deep, missed
}
