package network

import (
	"cmp"
	"math"
	"slices"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Face is a part of the region enclosed by outlines: inside its outer loop and outside
// all of its inner loops. A loop is a list of consecutive vertices.
type Face struct {
	Outer  []int32   // anticlockwise
	Inner  [][]int32 // clockwise
	Inside r2.Vec    // a position far from its edges [m]
}

// Faces divides the plane by the sides of the region and by the outlines, which are the
// edges of the first sets. It returns the enclosed parts, in the order of their edges.
func (g *Graph) Faces(outlines int32) (out []Face) {
	var inner [][]int32
	for _, loop := range g.loops(outlines) {
		if g.area(loop) > 0 {
			out = append(out, Face{Outer: loop})
		} else {
			inner = append(inner, loop)
		}
	}
	for _, loop := range inner {
		best := -1
		for i := range out {
			if slices.Contains(out[i].Outer, loop[0]) || !g.encloses(out[i].Outer, g.X[loop[0]]) {
				continue
			}
			if best < 0 || g.area(out[i].Outer) < g.area(out[best].Outer) {
				best = i
			}
		}
		if best >= 0 { // else it is the outside
			out[best].Inner = append(out[best].Inner, loop)
		}
	}
	for i := range out {
		out[i].Inside = g.inside(&out[i])
	}
	return out
}

// loops returns the loops along the outlines, with the enclosed part on the
// left.
func (g *Graph) loops(outlines int32) (out [][]int32) {
	next := g.around(outlines)
	done := map[[2]int32]bool{}
	for _, e := range g.Edges {
		for _, side := range [2][2]int32{{e.A, e.B}, {e.B, e.A}} {
			var loop []int32
			for at := side; ; {
				to, ok := next[at]
				if !ok || done[at] {
					break
				}
				done[at] = true
				loop = append(loop, at[0])
				at = to
			}
			if loop != nil {
				out = append(out, loop)
			}
		}
	}
	return out
}

// around returns for each directed edge of an outline the next one with the same part on
// the left: at a vertex, the first one clockwise from the reverse of this edge. Outlines
// with a free end enclose nothing and are left out.
func (g *Graph) around(outlines int32) map[[2]int32][2]int32 {
	to := make([][]int32, len(g.X))
	for _, e := range g.Edges {
		if e.Set < outlines {
			to[e.A], to[e.B] = append(to[e.A], e.B), append(to[e.B], e.A)
		}
	}
	for v := range to {
		for v := int32(v); len(to[v]) == 1; {
			other := to[v][0]
			to[v] = nil
			to[other] = slices.DeleteFunc(to[other], func(o int32) bool { return o == v })
			v = other
		}
	}
	next := map[[2]int32][2]int32{}
	for v, others := range to {
		angle := func(o int32) float64 {
			d := r2.Sub(g.X[o], g.X[v])
			return elementary.Atan2(d.Y, d.X)
		}
		slices.SortFunc(others, func(a, b int32) int { return cmp.Compare(angle(a), angle(b)) })
		for k, o := range others {
			clockwise := others[(k+len(others)-1)%len(others)]
			next[[2]int32{o, int32(v)}] = [2]int32{int32(v), clockwise}
		}
	}
	return next
}

// area returns the area in a loop, negative if it is clockwise [m2].
func (g *Graph) area(loop []int32) float64 {
	p := make(Region, len(loop))
	for i, v := range loop {
		p[i] = g.X[v]
	}
	return p.Area()
}

// Area returns the area of a face [m2].
func (g *Graph) Area(f *Face) float64 {
	sum := g.area(f.Outer)
	for _, loop := range f.Inner {
		sum += g.area(loop)
	}
	return sum
}

// encloses tells whether a position lies inside a loop.
func (g *Graph) encloses(loop []int32, x r2.Vec) bool {
	p := make(Region, len(loop))
	for i, v := range loop {
		p[i] = g.X[v]
	}
	return p.Encloses(x)
}

// Encloses tells whether a position lies inside a polygon, which may have any shape
// without crossing sides.
func (p Region) Encloses(x r2.Vec) bool {
	in := false
	for i := range p {
		a, b := p[i], p[(i+1)%len(p)]
		if (a.Y > x.Y) != (b.Y > x.Y) && (elementary.Cross(r2.Sub(b, a), r2.Sub(x, a)) > 0) == (b.Y > a.Y) {
			in = !in
		}
	}
	return in
}

// Holds tells whether a position lies in a face.
func (g *Graph) Holds(f *Face, x r2.Vec) bool {
	return g.encloses(f.Outer, x) && !slices.ContainsFunc(f.Inner, func(loop []int32) bool { return g.encloses(loop, x) })
}

// inside returns the point of a grid in the face that is farthest from its edges, or
// the face's first corner if no point lies in it.
func (g *Graph) inside(f *Face) r2.Vec {
	const parts = 24
	low, high := g.X[f.Outer[0]], g.X[f.Outer[0]]
	for _, v := range f.Outer {
		low = r2.Vec{X: min(low.X, g.X[v].X), Y: min(low.Y, g.X[v].Y)}
		high = r2.Vec{X: max(high.X, g.X[v].X), Y: max(high.Y, g.X[v].Y)}
	}
	best, most := g.X[f.Outer[0]], 0.0
	for i := range parts {
		for j := range parts {
			x := r2.Vec{X: low.X + float64((high.X-low.X)*(float64(i)+0.5)/parts), Y: low.Y + float64((high.Y-low.Y)*(float64(j)+0.5)/parts)}
			if far := g.clearance(f, x); far > most && g.Holds(f, x) {
				best, most = x, far
			}
		}
	}
	return best
}

// clearance returns the distance of a position from the edges of a face [m].
func (g *Graph) clearance(f *Face, x r2.Vec) float64 {
	least := math.Inf(1)
	for _, loop := range append([][]int32{f.Outer}, f.Inner...) {
		for i, v := range loop {
			a, b := g.X[v], g.X[loop[(i+1)%len(loop)]]
			s, _ := along(a, b, x)
			least = min(least, elementary.Norm(r2.Sub(x, elementary.Between(a, b, max(0, min(1, s))))))
		}
	}
	return least
}

// Excavate removes the edges that lie neither in a remaining face nor on its boundary. It
// returns the remaining faces and their area [m2]. Outlines are the edges of the first sets.
func (g *Graph) Excavate(outlines int32, gone func(x r2.Vec) bool) (stay []Face, area float64) {
	stay = slices.DeleteFunc(g.Faces(outlines), func(f Face) bool { return gone(f.Inside) })
	on := map[[2]int32]bool{}
	for i := range stay {
		area += g.Area(&stay[i])
		for _, loop := range append([][]int32{stay[i].Outer}, stay[i].Inner...) {
			for k, v := range loop {
				on[pair(v, loop[(k+1)%len(loop)])] = true
			}
		}
	}
	for i, e := range g.Edges {
		middle := elementary.Between(g.X[e.A], g.X[e.B], 0.5)
		g.removed[i] = !on[pair(e.A, e.B)] && !slices.ContainsFunc(stay, func(f Face) bool { return g.Holds(&f, middle) })
	}
	g.compact()
	return stay, area
}
