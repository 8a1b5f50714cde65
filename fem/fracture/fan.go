package fracture

import (
	"cmp"
	"slices"

	"fdem/fem"
)

// Edge is an edge between two triangles: it runs from node From to node To with
// triangle A on its left and B on its right.
type Edge struct {
	A, B     int32
	From, To int32
	Region   int32   // region whose law applies, -1 if it cannot break
	Strength float64 // its strength divided by that of its region
	Energy   float64 // its fracture energy divided by that of its region
}

// Interior returns the edges between two of the triangles, in the order of the lower triangle. None
// of them can break yet (Region is -1).
func Interior(triangles [][3]int32) []Edge {
	type side struct{ low, high, tri, corner int32 }
	sides := make([]side, 0, 3*len(triangles))
	for i, t := range triangles {
		for k := range 3 {
			a, b := t[k], t[(k+1)%3]
			sides = append(sides, side{min(a, b), max(a, b), int32(i), int32(k)})
		}
	}
	slices.SortFunc(sides, func(p, q side) int {
		return cmp.Or(cmp.Compare(p.low, q.low), cmp.Compare(p.high, q.high), cmp.Compare(p.tri, q.tri))
	})
	var edges []Edge
	for i := 1; i < len(sides); i++ {
		p, q := &sides[i-1], &sides[i]
		if p.low != q.low || p.high != q.high {
			continue
		}
		t := &triangles[p.tri]
		edges = append(edges, Edge{A: p.tri, B: q.tri, From: t[p.corner], To: t[(p.corner+1)%3], Region: -1, Strength: 1, Energy: 1})
	}
	slices.SortFunc(edges, func(p, q Edge) int { return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B)) })
	return edges
}

// Capacity returns how many numbers each of the given nodes needs in Pages: the number of parts of
// its fan of triangles when all its edges that can break are open. Triangles that are to be
// excavated, nil for none, are in no fan.
func Capacity(nodes int, triangles [][3]int32, edges []Edge, leaves []bool) []int32 {
	room := make([]int32, nodes)
	for i := range room {
		room[i] = 1
	}
	f := newFans(nodes, triangles, edges, leaves)
	for k, v := range f.vertex {
		n := int32(0)
		if f.closed(int32(k)) {
			n = -1
		}
		for _, s := range f.spokesOf(int32(k)) {
			if s >= 0 {
				n++
			}
		}
		room[v] = 1 + max(n, 0)
	}
	return room
}

// Values of spokes that cannot break.
const (
	outline = -1 // on the outline: no triangle is beyond
	bonded  = -2 // between two triangles that stay joined
)

// several is the region of a fan whose spokes are of more than one region.
const several = -1

// fans holds the triangles round every vertex that can open, anticlockwise:
//
//	   o1         triangle i of the fan is (v, o(i-1), o(i)); spoke i leads
//	  /  \        to o(i) and parts triangle i from i+1. On an outline the
//	o2--v--o0     fan begins after the outline's edge that leads away, and its
//	              last spoke is the outline.
//
// A vertex where the outline passes twice cannot open.
type fans struct {
	vertex         []int32    // nodes
	of             []int32    // per node: the index of its fan; -1 for none
	at             [][3]int32 // the fans at the corners of each triangle
	first          []int32    // fan k has triangles and spokes [first[k], first[k+1])
	tri            []int32
	laneIndex      []int32   // of the triangle, see fem.Triangles.LaneIndex
	volume         []float64 // of the triangle [m3]
	mass           []float64 // of its corner [kg]
	forcePerStress []float64 // greatest force on the corner for a unit stress, see fem.Triangles.ForcePerStress [m2]
	face           []uint8   // index of the triangle's node at the vertex among the nodes of the spoke's crack
	corner         []uint8   // the triangle's corner at the vertex
	spoke          []int32   // edge, or outline, or bonded
	open           []bool    // per spoke: it is open at the vertex
	farOpen        []bool    // per spoke: it is open at its far end
	cracked        []bool    // per fan: one of these holds for one of its spokes
	closedSpokes   []int32   // of each fan, the number of spokes that can still open
	region         []int32   // of each fan, the region of all its spokes that can break, or several
	whole          []float64 // of each fan, the volume of its triangles that counts for its mean stress [m3]
	held           []uint8   // of each triangle, how a support holds its part of the vertex; nil where none holds some parts and not others
	mixed          []bool    // of each fan: a support holds some of its triangles and not others; nil likewise
}

func (f *fans) spokesOf(k int32) []int32 { return f.spoke[f.first[k]:f.first[k+1]] }

func (f *fans) openOf(k int32) []bool { return f.open[f.first[k]:f.first[k+1]] }

// anyOpen tells whether a spoke of fan k is open at its vertex.
func (f *fans) anyOpen(k int32) bool { return slices.Contains(f.openOf(k), true) }

// closed tells whether fan k goes all the way around its vertex.
func (f *fans) closed(k int32) bool { return f.spoke[f.first[k+1]-1] != outline }

// newFans makes the fans of the nodes with an edge that can break, from the triangles that stay.
// The edge of a triangle beside one that is to be excavated is an outline.
func newFans(nodes int, triangles [][3]int32, edges []Edge, leaves []bool) *fans {
	goes := func(t int32) bool { return leaves != nil && leaves[t] }
	f := &fans{of: make([]int32, nodes), at: make([][3]int32, len(triangles)), first: []int32{0}}
	for i := range f.of {
		f.of[i] = -1
	}
	for i := range f.at {
		f.at[i] = [3]int32{-1, -1, -1}
	}
	breaks := make([]bool, nodes)
	for i := range edges {
		if e := &edges[i]; e.Region >= 0 {
			breaks[e.From], breaks[e.To] = true, true
		}
	}
	all, rays := members(triangles, breaks, goes), raysOf(edges, breaks, goes)
	for len(all) > 0 {
		v, n := all[0].vertex, 1
		for n < len(all) && all[n].vertex == v {
			n++
		}
		if at, openings := beginning(all[:n]); openings <= 1 {
			f.add(v, all[:n], at, rays, edges)
		}
		all = all[n:]
	}
	f.open, f.farOpen, f.cracked = make([]bool, len(f.spoke)), make([]bool, len(f.spoke)), make([]bool, len(f.vertex))
	return f
}

// member is a triangle (vertex, start, end) of a fan.
type member struct{ vertex, start, end, tri, corner int32 }

// members returns the triangles at nodes with an edge that can break, in the order of these nodes.
func members(triangles [][3]int32, breaks []bool, goes func(t int32) bool) (all []member) {
	for i, t := range triangles {
		for k := range 3 {
			if breaks[t[k]] && !goes(int32(i)) {
				all = append(all, member{t[k], t[(k+1)%3], t[(k+2)%3], int32(i), int32(k)})
			}
		}
	}
	slices.SortFunc(all, func(p, q member) int { return cmp.Or(cmp.Compare(p.vertex, q.vertex), cmp.Compare(p.tri, q.tri)) })
	return all
}

// ray is a spoke from a vertex to its other end: an edge, or bonded.
type ray struct{ vertex, other, edge int32 }

func byEnds(p, q ray) int {
	return cmp.Or(cmp.Compare(p.vertex, q.vertex), cmp.Compare(p.other, q.other))
}

// raysOf returns the spokes at nodes with an edge that can break, in the order of their ends.
func raysOf(edges []Edge, breaks []bool, goes func(t int32) bool) (rays []ray) {
	for i := range edges {
		e := &edges[i]
		if goes(e.A) || goes(e.B) {
			continue
		}
		number := int32(bonded)
		if e.Region >= 0 {
			number = int32(i)
		}
		for _, q := range [2][2]int32{{e.From, e.To}, {e.To, e.From}} {
			if breaks[q[0]] {
				rays = append(rays, ray{q[0], q[1], number})
			}
		}
	}
	slices.SortFunc(rays, byEnds)
	return rays
}

// beginning returns the index at which a fan begins, and the number of gaps in the fan.
func beginning(fan []member) (at, openings int) {
	for i := range fan {
		if !slices.ContainsFunc(fan, func(m member) bool { return m.end == fan[i].start }) {
			at = i
			openings++
		}
	}
	return at, openings
}

// add adds the fan of a vertex, which begins at one of its triangles.
func (f *fans) add(v int32, fan []member, at int, rays []ray, edges []Edge) {
	number := int32(len(f.vertex))
	for range fan {
		m := &fan[at]
		spoke := int32(outline)
		if i, ok := slices.BinarySearchFunc(rays, ray{vertex: v, other: m.end}, byEnds); ok {
			spoke = rays[i].edge
		}
		f.at[m.tri][m.corner] = number
		f.tri, f.corner, f.spoke = append(f.tri, m.tri), append(f.corner, uint8(m.corner)), append(f.spoke, spoke)
		at = max(0, slices.IndexFunc(fan, func(q member) bool { return q.start == m.end }))
	}
	n, region := int32(0), int32(several)
	for _, s := range f.spoke[f.first[number]:] {
		if s < 0 {
			continue
		}
		if n == 0 {
			region = edges[s].Region
		} else if region != edges[s].Region {
			region = several
		}
		n++
	}
	f.closedSpokes, f.region = append(f.closedSpokes, n), append(f.region, region)
	f.of[v] = number
	f.vertex = append(f.vertex, v)
	f.first = append(f.first, int32(len(f.tri)))
}

// setGeometry sets the index, the volume, the masses and the corners of each fan's triangles, and
// their nodes in cracks.
func (f *fans) setGeometry(triangles *fem.Triangles, edges []Edge) {
	f.whole = make([]float64, len(f.vertex))
	for k := range f.vertex {
		for _, t := range f.tri[f.first[k]:f.first[k+1]] {
			v := triangles.Volume(int(t))
			f.laneIndex, f.volume = append(f.laneIndex, triangles.LaneIndex(int(t))), append(f.volume, v)
			f.mass, f.whole[k] = append(f.mass, triangles.CornerMass(int(t))), f.whole[k]+v
		}
		for i := f.first[k]; i < f.first[k+1]; i++ {
			f.forcePerStress = append(f.forcePerStress, triangles.ForcePerStress(int(f.tri[i]), int(f.corner[i])))
		}
		for i := f.first[k]; i < f.first[k+1]; i++ {
			face := uint8(0)
			if s := f.spoke[i]; s >= 0 {
				if edges[s].To == f.vertex[k] {
					face = 1
				}
				if edges[s].A != f.tri[i] {
					face += 2
				}
			}
			f.face = append(f.face, face)
		}
	}
}

// openSpoke opens a spoke of fan k at its vertex; the node at its far end is other.
func (f *fans) openSpoke(k, spoke, other int32) {
	f.open[f.spokeIndex(k, spoke)], f.cracked[k] = true, true
	f.closedSpokes[k]--
	if q := f.of[other]; q >= 0 {
		f.farOpen[f.spokeIndex(q, spoke)], f.cracked[q] = true, true
	}
}

// spokeIndex returns the index of a spoke of fan k among all.
func (f *fans) spokeIndex(k, spoke int32) int {
	return int(f.first[k]) + slices.Index(f.spokesOf(k), spoke)
}
