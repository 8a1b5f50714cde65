package deck

import (
	"fmt"
	"math"

	"fdem/contactnodes"
	"fdem/materials/elementary"
	"fdem/mesh"
	contactss "fdem/solver/contacts"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

const (
	// uneven is the fraction of an overlap that may vary within edges
	uneven = 0.2
	// conformal is the least number of edges in an overlap of conformal surfaces
	conformal = 8
	// added is the part of the overlap of two arcs that their edges may add to it on the mean;
	// missing is the part that they may cut off, which increases the pressure at vertices
	added, missing = 0.1, 0.5
	// touching is the part of the distance between arcs and edges below which arcs that overlap
	// count as drawn in touch
	touching = 0.01
	// oneSided is the mean of the normals of an outline above which it leaves a side open: it is
	// 0 all round and 0.64 of a half circle
	oneSided = 0.1
	// maxPairs is the greatest number of pairs of edges that are checked
	maxPairs = 2e7
)

// faceting is the overlap of a contactor's edges with those of another
// component.
type faceting struct {
	of, in                  int32 // bodies
	edges                   int
	length, overlap, change float64 // sums over edges that overlap along all of their length [m]
	some                    int
	around                  r2.Vec  // sum of the normals of edges that overlap anywhere
	arcs, cut               float64 // sums over edges that overlap anywhere: overlaps of the arcs, and distances between arcs and edges [m]
}

// faceted warns of arcs whose overlap is less than the distance between arcs and edges. The
// distance may matter on the mean, since convex edges lie within their arc and concave ones
// before it. Or it varies, where the vertices of one side press on the middles of the other's
// edges. Edges that stand for arcs have no such error.
func (r *resolver) faceted(m *model.Model) (out []string) {
	bend := r.mesh.ArcBends()
	for i := range m.Contacts {
		c := &m.Contacts[i]
		if c.Overlap.Mode != contactnodes.OverlapAllow || float64(len(c.Contactor))*float64(len(c.Opposite)) > maxPairs {
			continue
		}
		for _, f := range r.facetings(c, contactss.Arcs(m, c, bend), bend) {
			if says := f.says(); says != "" {
				out = append(out, fmt.Sprintf("contact %q, body %q in %q: %s", c.Name, r.mesh.Bodies[f.of].Name, r.mesh.Bodies[f.in].Name, says))
			}
		}
	}
	return out
}

// facetings returns the facetings of a contact by pairs of components, for both sides if both
// are contactors, without edges that stand for arcs.
func (r *resolver) facetings(c *model.SurfaceContact, arcs []contactnodes.Arc, bend []float64) (out []*faceting) {
	beyond := func(edge int32, part float64) float64 { // of the arc outside of its edge [m]; below 0 for a concave one
		d := r.mesh.Along(edge)
		return mesh.ArcHeight(bend[edge], elementary.Dot(d, d), part)
	}
	of := map[[2]int32]*faceting{} // looked up, never iterated
	for _, i := range c.Contactor {
		e := &r.mesh.Edges[i]
		a, b := r.mesh.X[e.A], r.mesh.X[e.B]
		q, under, part := r.depthIn(c, i, elementary.Between(a, b, 0.5))
		if under < 0 || arcs != nil && (arcs[i].Height != 0 || arcs[under].Height != 0) {
			continue
		}
		j := r.mesh.Edges[under].Component
		pair := [2]int32{min(e.Component, j), max(e.Component, j)} // contactor and opposite may be the same edges
		f := of[pair]
		if f == nil {
			f = &faceting{of: e.Body, in: r.mesh.Edges[under].Body}
			of[pair], out = f, append(out, f)
		}
		p, _, _ := r.depthIn(c, i, a)
		s, _, _ := r.depthIn(c, i, b)
		if min(p, q, s) > 0 {
			f.edges++
			f.length += elementary.Norm(r2.Sub(b, a))
			f.overlap += q
			f.change += math.Abs(q - float64(0.5*(p+s)))
		}
		if max(p, q, s) > 0 {
			f.some++
			f.around = r2.Add(f.around, elementary.Unit(r.mesh.Along(i)))
			f.arcs += q + beyond(i, 0.5) + beyond(under, part)
			for _, edge := range [2]int32{i, under} {
				if r.mesh.Edges[edge].Radius == 0 {
					f.cut += beyond(edge, 0.5) * 2 / 3 // the mean of a parabola
				}
			}
		}
	}
	return out
}

// says returns the text of a warning, "" for none.
func (f *faceting) says() string {
	what, may := "missing, so that the pressure is too low", missing
	if f.cut < 0 {
		what, may = "added, so that the pressure is too high", added
	}
	switch n := float64(f.some); {
	case f.slack():
		return ""
	case f.some >= conformal && f.arcs > 0 && math.Abs(f.cut) > float64(may*f.arcs):
		return fmt.Sprintf("two arcs overlap by %.3g mm, of which on average %.2g mm are %s, since edges are chords of arcs: give both sides equally many edges, or shorten the edges to %.2g of their length or less",
			1e3*f.arcs/n, 1e3*math.Abs(f.cut)/n, what, math.Sqrt(may*f.arcs/math.Abs(f.cut)))
	case f.edges >= conformal && f.change > float64(uneven*f.overlap):
		n := float64(f.edges)
		length, overlap, change := f.length/n, f.overlap/n, f.change/n
		// The distance between an edge and its arc falls with the square of the
		// edge's length.
		fine := length * math.Sqrt(0.25*uneven*overlap/change)
		return fmt.Sprintf("the mean overlap is %.3g mm, but it varies by %.2g mm within edges of %.3g mm, since edges are chords of arcs. Where vertices of one side press on the middles of the other side's edges, the pressure is uneven and too high on average: give both sides equally many edges, or edges of at most %.2g mm",
			1e3*overlap, 1e3*change, 1e3*length, 1e3*fine)
	}
	return ""
}

// slack tells whether the arcs do not press although their chords overlap: the arcs themselves touch
// at most, and one does not go round the other, so that the overlap lifts it off.
func (f *faceting) slack() bool {
	return f.arcs < float64(touching*math.Abs(f.cut)) && elementary.Norm(f.around) > float64(oneSided*float64(f.some))
}

// depthIn returns the penetration of a point of a contactor's edge into the nearest opposite
// edge that faces it [m], below 0 outside or if no edge is near; that edge, -1 for none; and
// the position along it as a fraction.
func (r *resolver) depthIn(c *model.SurfaceContact, of int32, x r2.Vec) (depth float64, edge int32, part float64) {
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
