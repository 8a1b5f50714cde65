package network

import (
	"math"
	"slices"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Graph is a planar graph of straight edges. Edges meet only at their ends. No vertex is
// nearer than Apart to another one, or to an edge that does not end at it.
type Graph struct {
	X       []r2.Vec // [m]
	Edges   []Edge
	Spacing float64   // [m]
	Lost    []float64 // by set, the length of traces that were omitted since Spacing could not be kept [m]

	straight int32
	removed  []bool // edges that have been divided
	near     *grid  // vertices
	passes   map[[2]int32][]int32
	reach    float64 // size of the cells of passes [m]
	joined   map[[2]int32]bool
	at       [][]int32 // edges at each vertex
}

// Edge is an edge from vertex A to B. Set is the set of its trace, or -1 - k for the kth side of
// the region. Of is the length of the part of the trace that it represents [m]. That is its own
// length, unless the trace bends.
type Edge struct {
	A, B, Set int32
	Of        float64
}

// leastAngle is the least angle between two edges at a vertex [rad]. Sharper corners make
// slivers in a mesh.
const leastAngle = 12 * math.Pi / 180

var leastSine = elementary.Sin(leastAngle)

// Build returns the graph of the sides of a region and of traces in it. The traces belong to a
// number of sets; traces of the first sets stay straight. Earlier traces are kept as they are.
// An end, a crossing or a vertex within the spacing [m] of an existing vertex or edge is moved onto
// it. An edge that would meet another at less than 12 degrees is omitted, unless its set stays
// straight.
func Build(region Region, traces []Trace, sets, straight int, spacing float64) *Graph {
	g := &Graph{Spacing: spacing, straight: int32(straight), Lost: make([]float64, sets), near: newGrid(spacing), passes: map[[2]int32][]int32{}, joined: map[[2]int32]bool{}}
	g.reach = max(2*spacing, math.Sqrt(region.Area()/float64(len(traces)+1)))
	for _, x := range region {
		g.vertex(x)
	}
	for k := range region {
		g.add(Edge{A: int32(k), B: int32((k + 1) % len(region)), Set: int32(-1 - k)})
	}
	for _, t := range traces {
		g.draw(Edge{g.locate(t.A), g.locate(t.B), t.Set, t.Length()}, 0)
	}
	g.compact()
	return g
}

// compact removes the edges that have been divided.
func (g *Graph) compact() {
	all, removed := g.Edges, g.removed
	g.Edges, g.removed, g.passes, g.joined, g.at = nil, nil, map[[2]int32][]int32{}, map[[2]int32]bool{}, make([][]int32, len(g.X))
	for i, e := range all {
		if !removed[i] {
			g.add(e)
		}
	}
}

// Length returns the length of the edges of a set [m].
func (g *Graph) Length(set int32) float64 {
	sum := 0.0
	for _, e := range g.Edges {
		if e.Set == set {
			sum += elementary.Norm(r2.Sub(g.X[e.B], g.X[e.A]))
		}
	}
	return sum
}

// vertex returns the nearest vertex within Apart of a position, or a new one there.
func (g *Graph) vertex(x r2.Vec) int32 {
	if v := g.nearest(x); v >= 0 {
		return v
	}
	return g.new(x)
}

func (g *Graph) new(x r2.Vec) int32 {
	v := int32(len(g.X))
	g.X, g.at = append(g.X, x), append(g.at, nil)
	g.near.add(x, v)
	return v
}

func (g *Graph) nearest(x r2.Vec) int32 {
	best, least := int32(-1), g.Spacing
	for d := range 2 {
		for _, v := range g.near.ring(x, d) {
			if far := elementary.Norm(r2.Sub(g.X[v], x)); far < least || far == least && v < best {
				best, least = v, far
			}
		}
	}
	return best
}

// locate returns the vertex at a position: an existing one, a new one on an edge within
// Apart, which is divided there, or a new one.
func (g *Graph) locate(x r2.Vec) int32 {
	if v := g.nearest(x); v >= 0 {
		return v
	}
	best, least, foot := int32(-1), g.Spacing, x
	for _, i := range g.about(x, x) {
		e := g.Edges[i]
		a, b := g.X[e.A], g.X[e.B]
		edge := r2.Sub(b, a)
		s := elementary.Dot(edge, r2.Sub(x, a)) / elementary.Dot(edge, edge)
		if s <= 0 || s >= 1 {
			continue
		}
		on := elementary.Between(a, b, s)
		if far := elementary.Norm(r2.Sub(on, x)); far < least {
			best, least, foot = i, far, on
		}
	}
	if best < 0 {
		return g.vertex(x)
	}
	return g.divide(best, foot, 0)
}

// about returns the edges that may pass within Apart of a segment, without
// removed ones.
func (g *Graph) about(a, b r2.Vec) (out []int32) {
	g.cells(a, b, g.Spacing, func(at [2]int32) {
		for _, i := range g.passes[at] {
			if !g.removed[i] {
				out = append(out, i)
			}
		}
	})
	slices.Sort(out)
	return slices.Compact(out)
}

// cells calls a function with the cells along a segment, with a margin.
func (g *Graph) cells(a, b r2.Vec, margin float64, each func(at [2]int32)) {
	cell := func(v float64) int32 { return int32(math.Floor(v / g.reach)) }
	x0, x1 := cell(min(a.X, b.X)-margin), cell(max(a.X, b.X)+margin)
	for i := x0; i <= x1; i++ {
		low, high := min(a.Y, b.Y), max(a.Y, b.Y)
		if dx := b.X - a.X; math.Abs(dx) > 1e-12*g.reach { // the part over this column
			s0, s1 := (float64(float64(i)*g.reach)-margin-a.X)/dx, (float64(float64(i+1)*g.reach)+margin-a.X)/dx
			s0, s1 = max(0, min(s0, s1)), min(1, max(s0, s1))
			y0, y1 := a.Y+float64(s0*(b.Y-a.Y)), a.Y+float64(s1*(b.Y-a.Y))
			low, high = min(y0, y1), max(y0, y1)
		}
		for j := cell(low - margin); j <= cell(high+margin); j++ {
			each([2]int32{i, j})
		}
	}
}

// deepest is the greatest number of times that a trace is divided before it is
// omitted.
const deepest = 60

// draw adds the edges of a straight line: through every vertex within Apart and every crossing.
func (g *Graph) draw(edge Edge, depth int) {
	a, b := edge.A, edge.B
	if a == b || depth > deepest || g.joined[pair(a, b)] { // no length, or there is an edge already, of any set
		g.countLost(edge)
		return
	}
	from, to := g.X[a], g.X[b]
	edges := g.about(from, to)
	through, position := int32(-1), 2.0
	for _, i := range edges { // the first vertex along the line
		for _, v := range [2]int32{g.Edges[i].A, g.Edges[i].B} {
			if s, far := along(from, to, g.X[v]); v != a && v != b && far < g.Spacing && s > 0 && s < 1 && s < position {
				through, position = v, s
			}
		}
	}
	if through < 0 {
		for _, i := range edges {
			e := g.Edges[i]
			if e.A == a || e.A == b || e.B == a || e.B == b {
				continue
			}
			if s, _, ok := cross(from, to, g.X[e.A], g.X[e.B]); ok && s < position {
				through, position = -2-i, s
			}
		}
		if through <= -2 {
			i := -2 - through
			e := g.Edges[i]
			_, t, _ := cross(from, to, g.X[e.A], g.X[e.B])
			through = g.divide(i, elementary.Between(g.X[e.A], g.X[e.B], t), depth)
		}
	}
	if through >= 0 {
		first := float64(position * edge.Of)
		g.draw(Edge{a, through, edge.Set, first}, depth+1)
		g.draw(Edge{through, b, edge.Set, edge.Of - first}, depth+1)
		return
	}
	if edge.Set >= g.straight && (g.sharp(a, b) || g.sharp(b, a)) {
		g.countLost(edge)
		return
	}
	g.add(edge)
}

// countLost adds the length of trace that an edge represents to Lost. Sides of the region are not
// traces.
func (g *Graph) countLost(e Edge) {
	if e.Set >= 0 {
		g.Lost[e.Set] += e.Of
	}
}

// along returns the position of a point's projection on a segment, as a fraction, and the point's
// distance from the line [m].
func along(a, b, x r2.Vec) (s, far float64) {
	segment := r2.Sub(b, a)
	n := elementary.Norm(segment)
	return elementary.Dot(segment, r2.Sub(x, a)) / float64(n*n), math.Abs(elementary.Cross(segment, r2.Sub(x, a))) / n
}

func pair(a, b int32) [2]int32 { return [2]int32{min(a, b), max(a, b)} }

// sharp tells whether an edge from v to another vertex would make a sharp corner at v.
func (g *Graph) sharp(v, to int32) bool {
	d := elementary.Unit(r2.Sub(g.X[to], g.X[v]))
	for _, i := range g.at[v] {
		if g.removed[i] {
			continue
		}
		e := g.Edges[i]
		other := e.A
		if other == v {
			other = e.B
		}
		o := elementary.Unit(r2.Sub(g.X[other], g.X[v]))
		if elementary.Dot(d, o) > 0 && math.Abs(elementary.Cross(d, o)) < leastSine {
			return true
		}
	}
	return false
}

// add adds an edge.
func (g *Graph) add(e Edge) {
	i, a, b := int32(len(g.Edges)), e.A, e.B
	g.Edges, g.removed = append(g.Edges, e), append(g.removed, false)
	g.joined[pair(a, b)] = true
	g.at[a], g.at[b] = append(g.at[a], i), append(g.at[b], i)
	g.cells(g.X[a], g.X[b], 0, func(at [2]int32) { g.passes[at] = append(g.passes[at], i) })
}

// divide divides an edge at a position on it and returns the vertex there. If that is an
// existing vertex nearby, the edge bends to it, and its halves are drawn anew, since they
// may pass other vertices than the edge did.
func (g *Graph) divide(i int32, x r2.Vec, depth int) int32 {
	e := g.Edges[i]
	v := g.nearest(x)
	if v == e.A || v == e.B {
		return v
	}
	if v >= 0 && e.Set < g.straight {
		if _, far := along(g.X[e.A], g.X[e.B], g.X[v]); far > 1e-9*g.Spacing {
			v = -1
		}
	}
	bent := v >= 0 && e.Set >= g.straight
	if v < 0 {
		v = g.new(x)
	}
	g.removed[i] = true
	delete(g.joined, pair(e.A, e.B))
	s, _ := along(g.X[e.A], g.X[e.B], g.X[v])
	s = max(0, min(1, s))
	for _, half := range [2]Edge{{e.A, v, e.Set, s * e.Of}, {e.B, v, e.Set, e.Of - float64(s*e.Of)}} {
		switch {
		case bent:
			g.draw(half, depth+1)
		case g.joined[pair(half.A, half.B)]:
			g.countLost(half)
		default:
			g.add(half)
		}
	}
	return v
}

// Orientations returns the lengths [m] of the edges of some sets by direction, in equal
// intervals from 0 to 180 degrees.
func (g *Graph) Orientations(parts int, of func(set int32) bool) []float64 {
	out := make([]float64, parts)
	for _, e := range g.Edges {
		if !of(e.Set) {
			continue
		}
		d := r2.Sub(g.X[e.B], g.X[e.A])
		angle := elementary.Atan2(d.Y, d.X)
		if angle < 0 {
			angle += math.Pi
		}
		out[min(parts-1, int(angle/math.Pi*float64(parts)))] += elementary.Norm(d)
	}
	return out
}

// Mean returns the mean orientation of the edges of a set [rad], weighted by length, and
// the resultant of the doubled angles: 1 if all edges have one direction, 0 if all
// directions are equally frequent.
func (g *Graph) Mean(set int32) (angle, agreement float64) {
	var sum r2.Vec
	total := 0.0
	for _, e := range g.Edges {
		if e.Set != set {
			continue
		}
		d := r2.Sub(g.X[e.B], g.X[e.A])
		n := elementary.Norm(d)
		sum = r2.Add(sum, r2.Vec{X: (float64(d.X*d.X) - float64(d.Y*d.Y)) / n, Y: 2 * float64(d.X*d.Y) / n})
		total += n
	}
	if total == 0 {
		return 0, 0
	}
	return 0.5 * elementary.Atan2(sum.Y, sum.X), elementary.Norm(sum) / total
}
