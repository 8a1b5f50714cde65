package fracture

import "gonum.org/v1/gonum/spatial/r2"

// Apertures of a crack for the flow of a fluid. In a mesh without a seam a crack is a zigzag of
// edges that represents a smooth crack: at each vertex the plane along which it has opened
// (candidate.go). An edge has a share of its own length on that plane. This share determines
// its fracture energy. The fluid flows along the plane, and the aperture is measured across it:
//
//	  /\        edges    opening   D = n.(x_B - x_A),  n the normal of the edge
//	-/--\--  -  plane    aperture  w = N.(x_B - x_A),  N the normal of the plane
//	     \  /
//	      \/             length    the share of the edge's
//
// So a zigzag has the flow resistance of the smooth crack. Its edges are longer by 1/cos and
// narrower by cos: they would resist 1/cos^4 times as much, and block the flow where the stress
// along the crack closes an edge at a bend. The volume is that of the edges, as in the smooth
// crack.
//
// Edges on a prescribed path and joints keep their own planes. So do the edges at a branching
// point, where the crack continues along each of them.

// smoothedEdge is the plane that an edge represents at one end.
type smoothedEdge struct {
	plane rotation // from the normal of the edge to that of the plane
	share float64  // of the length of the edge
}

// unsmoothed is an edge that represents its own plane.
var unsmoothed = smoothedEdge{plane: rotation{cos: 1}, share: 1}

// smoothedValues is the number of values of a smoothedEdge in a State.
const smoothedValues = 3

// smoothEdges sets the planes that the edges of a candidate represent at its vertex.
func (z *Zone) smoothEdges(c *candidate) {
	if z.fluid.smoothed == nil || c.normal == (r2.Vec{}) || c.mirror[0] != none || z.prescribed(c.spoke, c.second) {
		return
	}
	out := z.across(c.fan, c.spoke) // of the part on one side, the other edge's with it
	sides := [2]r2.Vec{out, {}}
	if c.second >= 0 {
		sides = [2]r2.Vec{{X: -out.X, Y: -out.Y}, z.across(c.fan, c.second)}
	}
	n := c.normal
	if a := sum(sides[0], sides[1]); float64(a.X*n.X)+float64(a.Y*n.Y) < 0 {
		n = r2.Vec{X: -n.X, Y: -n.Y}
	}
	for i, e := range [2]int32{c.spoke, c.second} {
		if e >= 0 && !z.regions[z.edges[e].Region].Prescribed {
			m := sides[i]
			z.fluid.smoothed[z.crackOf[e]][z.end(e, c.fan)] = smoothedEdge{
				plane: rotation{cos: float64(m.X*n.X) + float64(m.Y*n.Y), sin: float64(m.X*n.Y) - float64(m.Y*n.X)}, share: c.share,
			}
		}
	}
}

// apertures returns the apertures of crack k at its ends for the given openings and slips, and the
// length along which a fluid flows [m].
func (z *Zone) apertures(k int32, now *frame, long float64) (wide [2]float64, path float64) {
	if z.fluid.smoothed == nil {
		return now.opening, long
	}
	at := &z.fluid.smoothed[k]
	for end := range at {
		p := at[end].plane
		wide[end] = float64(p.cos*now.opening[end]) + float64(p.sin*now.slip[end])
	}
	return wide, float64(0.5*(at[0].share+at[1].share)) * long
}
