package fracture

import "gonum.org/v1/gonum/spatial/r2"

// Apertures of a crack for what flows along it. In a mesh without a seam a crack is a zigzag of
// edges, and stands for a smooth one: where a vertex opens, for the plane by which it has opened
// (candidate.go), of which each edge there has a share of its own length. That share is what
// takes fracture energy, and along that plane a fluid flows, between faces as far apart as they
// are across it:
//
//	  /\        edges    opening   D = n.(x_B - x_A),  n the normal of the edge
//	-/--\--  -  plane    aperture  w = N.(x_B - x_A),  N the normal of the plane
//	     \  /
//	      \/             length    the share of the edge's
//
// So a zigzag resists as the smooth crack does. By its edges, longer by 1/cos and narrower by
// cos, it would resist 1/cos^4 times as much, and let nothing pass where the stress along a
// crack shuts an edge at a bend. The volume is that of the edges: a smooth crack has the same.
//
// Edges along which a crack is led, and joints, are as they were drawn: they stand for
// themselves. So do the edges at a fork, which goes on along each of them.

// smoothedEdge is what an edge stands for at one end.
type smoothedEdge struct {
	plane rotation // from the normal of the edge to that of the plane
	share float64  // of the length of the edge
}

// unsmoothed is an edge that stands for nothing else.
var unsmoothed = smoothedEdge{plane: rotation{cos: 1}, share: 1}

// smoothedValues is the number of values of a standing in a State.
const smoothedValues = 3

// smoothEdges notes what the edges of a candidate stand for at its vertex.
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

// apertures returns the apertures of crack k at its ends, which have opened and slipped by so
// much, and the length along which a fluid flows [m].
func (z *Zone) apertures(k int32, now *frame, long float64) (wide [2]float64, way float64) {
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
