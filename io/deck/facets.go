package deck

import (
	"fmt"
	"math"

	"fdem/contactnodes"
	"fdem/materials/elementary"
	"fdem/mesh"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

const (
	// uneven is the part of an overlap that may come and go within edges
	uneven = 0.2
	// conformal is how many edges an overlap must reach over to be of surfaces that fit
	conformal = 8
	// added is the part of the overlap of two arcs that their edges may add to it on the mean, missing
	// what they may cut off: then vertices press the more
	added, missing = 0.1, 0.5
	// maxPairs is how many pairs of edges are looked at
	maxPairs = 2e7
)

// faceted warns of arcs that overlap less than their edges cut off them: on the mean, as convex
// edges lie within their arc and concave ones before it, or in turns, where the vertices of one
// side press on the middles of the other's edges. Where edges stand for arcs they do not.
func (r *resolver) faceted(m *solver.Model) (out []string) {
	for i := range m.Contacts {
		c := &m.Contacts[i]
		if c.Overlap.Mode != contactnodes.OverlapAllow || float64(len(c.Contactor))*float64(len(c.Opposite)) > maxPairs || m.Arcs(c) != nil {
			continue
		}
		edges, length, overlap, change := 0, 0.0, 0.0, 0.0 // of those that overlap all along
		some, arcs, cut := 0, 0.0, 0.0                     // of those that overlap anywhere
		for _, i := range c.Contactor {
			e := &r.mesh.Edges[i]
			a, b := r.mesh.X[e.A], r.mesh.X[e.B]
			p, _, _ := r.depthIn(c, i, a)
			q, under, part := r.depthIn(c, i, elementary.Between(a, b, 0.5))
			s, _, _ := r.depthIn(c, i, b)
			if min(p, q, s) > 0 {
				edges++
				length += elementary.Norm(r2.Sub(b, a))
				overlap += q
				change += math.Abs(q - float64(0.5*(p+s)))
			}
			if max(p, q, s) > 0 && under >= 0 {
				some++
				arcs += q + r.beyond(i, 0.5) + r.beyond(under, part)
				cut += (r.beyond(i, 0.5) + r.beyond(under, 0.5)) * 2 / 3 // of a parabola, on the mean
			}
		}
		what, may := "missing, so that the pressure is too low", missing
		if cut < 0 {
			what, may = "added, so that the pressure is too high", added
		}
		switch n := float64(some); {
		case some >= conformal && arcs > 0 && math.Abs(cut) > float64(may*arcs):
			out = append(out, fmt.Sprintf("contact %q: of an overlap of %.3g mm of two arcs %.2g mm on the mean are %s, as edges cut arcs off; give both sides as many edges, or edges of at most %.2g of their length",
				c.Name, 1e3*arcs/n, 1e3*math.Abs(cut)/n, what, math.Sqrt(may*arcs/math.Abs(cut))))
		case edges >= conformal && change > float64(uneven*overlap):
			n := float64(edges)
			length, overlap, change = length/n, overlap/n, change/n
			// what an edge cuts off an arc falls with the square of its length
			fine := length * math.Sqrt(0.25*uneven*overlap/change)
			out = append(out, fmt.Sprintf("contact %q: the overlap, %.3g mm on the mean, changes by %.2g mm within edges of %.3g mm, which cut that off the arcs: where vertices of one side press on the middles of the other's edges, the pressure is uneven and on the whole too high; give both sides as many edges, or edges of at most %.2g mm",
				c.Name, 1e3*overlap, 1e3*change, 1e3*length, 1e3*fine))
		}
	}
	return out
}

// beyond returns how far the arc through the ends of an edge and the edges beside it lies outside of
// the edge, a part of the way along it [m]: below 0 for a concave one, 0 at a corner.
func (r *resolver) beyond(edge int32, part float64) float64 {
	e := &r.mesh.Edges[edge]
	d := r2.Sub(r.mesh.X[e.B], r.mesh.X[e.A])
	return mesh.ArcHeight(r.mesh.ArcBend(edge), elementary.Dot(d, d), part)
}

// depthIn returns how deep a point of an edge of the contactor lies in the nearest edge of the
// opposite side that faces it [m], below 0 outside or where none is near, that edge, -1 for none, and
// the part of the way along it.
func (r *resolver) depthIn(c *solver.SurfaceContact, of int32, x r2.Vec) (depth float64, edge int32, part float64) {
	nearest := math.Inf(1)
	depth, edge = -1.0, -1
	for _, j := range c.Opposite {
		e := &r.mesh.Edges[j]
		a, b := r.mesh.X[e.A], r.mesh.X[e.B]
		if d := toLine(x, a, b); d < nearest && e.Body != r.mesh.Edges[of].Body && r.mesh.Opposed(of, j) {
			along := r2.Sub(b, a)
			length := elementary.Norm(along)
			if nearest, depth, edge = d, -1, -1; d < length {
				to := r2.Sub(x, a)
				depth, edge, part = elementary.Cross(along, to)/length, j, min(max(elementary.Dot(along, to)/float64(length*length), 0), 1)
			}
		}
	}
	return depth, edge, part
}
