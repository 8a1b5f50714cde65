package deck

import (
	"fmt"
	"math"

	"fdem/contactnodes"
	"fdem/materials/elementary"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

const (
	// uneven is the part of an overlap that may come and go within edges
	uneven = 0.2
	// conformal is how many edges an overlap must reach over to be of surfaces that fit
	conformal = 8
	// mostPairs is how many pairs of edges are looked at
	mostPairs = 2e7
)

// faceted warns of arcs that overlap less than their edges cut off them: where the vertices of
// one side press on the middles of the other's edges, they carry more than the arcs would.
func (r *resolver) faceted(m *solver.Model) (out []string) {
	for i := range m.Contacts {
		c := &m.Contacts[i]
		if c.Overlap.Mode != contactnodes.OverlapAllow || float64(len(c.Contactor))*float64(len(c.Opposite)) > mostPairs {
			continue
		}
		edges, length, overlap, change := 0, 0.0, 0.0, 0.0
		for _, i := range c.Contactor {
			e := &r.mesh.Edges[i]
			a, b := r.mesh.X[e.A], r.mesh.X[e.B]
			p, q, s := r.depthIn(c, i, a), r.depthIn(c, i, elementary.Between(a, b, 0.5)), r.depthIn(c, i, b)
			if min(p, q, s) > 0 {
				edges++
				length += elementary.Norm(r2.Sub(b, a))
				overlap += q
				change += math.Abs(q - float64(0.5*(p+s)))
			}
		}
		if edges >= conformal && change > float64(uneven*overlap) {
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

// depthIn returns how deep a point of an edge of the contactor lies in the nearest edge of the
// opposite side that faces it [m], below 0 outside or where none is near.
func (r *resolver) depthIn(c *solver.SurfaceContact, of int32, x r2.Vec) float64 {
	nearest, depth := math.Inf(1), -1.0
	for _, j := range c.Opposite {
		e := &r.mesh.Edges[j]
		a, b := r.mesh.X[e.A], r.mesh.X[e.B]
		if d := toLine(x, a, b); d < nearest && e.Body != r.mesh.Edges[of].Body && facing(r.mesh, of, j) {
			along := r2.Sub(b, a)
			length := elementary.Norm(along)
			if nearest, depth = d, -1; d < length {
				depth = elementary.Cross(along, r2.Sub(x, a)) / length
			}
		}
	}
	return depth
}
