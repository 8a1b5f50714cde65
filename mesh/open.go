package mesh

import (
	"fmt"
	"math"
	"slices"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// cut is a source that is divided along some of its lines. Maps are looked up
// only, never iterated.
type cut struct {
	*Source
	was       [][3]int32           // triangles before the cut
	at        []r2.Vec             // positions of nodes before the cut [m]
	beside    map[[2]int32][]int32 // triangles at a side between two nodes, lower node first
	separated map[[2]int32]bool    // sides that the cut separates
	round     map[int32][]int32    // triangles around each end of these sides, ascending
	stand     map[int32][]int32    // nodes into which such an end is split; the first is the end itself

	lastNode, lastLine int64 // the greatest numbers that nodes and lines have
}

const (
	// minRemaining is the part of its area that a triangle must keep beside an aperture.
	minRemaining = 0.5
	// longestMitre is the greatest displacement of a corner, in half widths, where two
	// cuts meet at a sharp angle or a cut meets an outline.
	longestMitre = 5.0
)

// Open makes a crack with an aperture. It divides the mesh along lines between two triangles
// and moves each side by half a width [m] away from the other. Where cuts meet, every part
// between them gets a corner at the new intersection of its sides. On an outline a corner
// moves along the outline. Where a cut ends within the mesh its sides still meet, so it
// narrows over its last line.
//
//	   \ | /            \ | /
//	----\|/----       ---\+/---
//	    /|\           ---/+\---
//	   / | \            / | \
//
// Lines and points of groups stay with the triangles beside them. A cut line becomes
// two lines, one on each side. Open returns the number of cut lines; the others lie on
// an outline. It fails if triangles are too small for the width.
func (s *Source) Open(lines []int32, width float64) (int, error) {
	c := &cut{
		Source: s, was: slices.Clone(s.Triangles), at: slices.Clone(s.X),
		beside: map[[2]int32][]int32{}, separated: map[[2]int32]bool{}, round: map[int32][]int32{}, stand: map[int32][]int32{},
	}
	if len(lines) > 0 {
		c.lastNode, c.lastLine = slices.Max(s.NodeID), slices.Max(s.LineID)
	}
	ends := c.find(lines)
	for _, v := range ends {
		c.divide(v, 0.5*width)
	}
	for _, v := range ends {
		for _, t := range c.round[v] {
			old, now := c.was[t], s.Triangles[t]
			a, b := doubleArea(c.at[old[0]], c.at[old[1]], c.at[old[2]]), doubleArea(s.X[now[0]], s.X[now[1]], s.X[now[2]])
			if !(b/a > minRemaining) {
				return 0, fmt.Errorf("sides %.3g m apart leave too little of the triangle at (%.6g, %.6g) m: take a smaller aperture, or larger triangles", width, c.at[v].X, c.at[v].Y)
			}
		}
	}
	c.splitNodes()
	return len(c.separated), nil
}

// side returns the key of the side between two nodes.
func (c *cut) side(a, b int32) [2]int32 { return [2]int32{min(a, b), max(a, b)} }

// find finds the sides to separate and returns their ends, ascending.
func (c *cut) find(lines []int32) (ends []int32) {
	for i, t := range c.was {
		for k := range 3 {
			key := c.side(t[k], t[(k+1)%3])
			c.beside[key] = append(c.beside[key], int32(i))
		}
	}
	for _, l := range lines {
		if key := c.side(c.Lines[l][0], c.Lines[l][1]); len(c.beside[key]) == 2 {
			c.separated[key] = true
			ends = append(ends, key[:]...)
		}
	}
	slices.Sort(ends)
	ends = slices.Compact(ends)
	for _, v := range ends {
		c.round[v] = []int32{}
	}
	for i, t := range c.was {
		for _, n := range t {
			if of, ok := c.round[n]; ok {
				c.round[n] = append(of, int32(i))
			}
		}
	}
	return ends
}

// divide divides the triangles around an end of cuts into parts. Every part except the first
// gets its own node. The nodes of all parts are moved by half a width [m] away from their
// cuts.
func (c *cut) divide(v int32, half float64) {
	round := c.round[v]
	joined := NewConnected(len(round))
	c.sides(v, func(i int, key [2]int32, _ int32) {
		if of := c.beside[key]; !c.separated[key] && len(of) == 2 {
			joined.Join(int32(i), int32(slices.Index(round, of[0])))
			joined.Join(int32(i), int32(slices.Index(round, of[1])))
		}
	})
	c.stand[v] = []int32{v}
	var parts []int32 // first triangle of each part
	for i := range round {
		first := joined.First(int32(i))
		if first == int32(i) {
			parts = append(parts, first)
		}
	}
	if len(parts) == 1 {
		return
	}
	for k, first := range parts {
		node := v
		if k > 0 {
			node = c.addNode(c.at[v])
			c.stand[v] = append(c.stand[v], node)
		}
		mine := func(i int) bool { return joined.First(int32(i)) == first }
		move := c.mitre(v, half, mine)
		c.X[node] = r2.Add(c.at[v], move)
		for i, t := range round {
			if mine(i) {
				c.Triangles[t][slices.Index(c.was[t][:], v)] = node
			}
		}
	}
}

// addNode adds a node with the next free number.
func (c *cut) addNode(x r2.Vec) int32 {
	c.lastNode++
	c.X, c.NodeID = append(c.X, x), append(c.NodeID, c.lastNode)
	return int32(len(c.X) - 1)
}

// sides calls the function with every side at v of the triangles around it: with the index
// of the triangle in the list, the side's key and the side's other end.
func (c *cut) sides(v int32, each func(i int, key [2]int32, other int32)) {
	for i, t := range c.round[v] {
		for _, n := range c.was[t] {
			if n != v {
				each(i, c.side(v, n), n)
			}
		}
	}
}

// mitre returns the displacement of the corner at v of a part of its triangles, so
// that cuts there move by half a width into the part [m].
func (c *cut) mitre(v int32, half float64, mine func(i int) bool) r2.Vec {
	var out []r2.Vec // normals of cuts, out of the part
	var along r2.Vec // an outline of the part
	onOutline := false
	c.sides(v, func(i int, key [2]int32, other int32) {
		d := elementary.Unit(r2.Sub(c.at[other], c.at[v]))
		switch {
		case !mine(i):
		case len(c.beside[key]) == 1:
			along, onOutline = d, true
		case c.separated[key]:
			n := r2.Vec{X: d.Y, Y: -d.X}
			for _, q := range c.was[c.round[v][i]] {
				if q != v && q != other && elementary.Dot(n, r2.Sub(c.at[q], c.at[v])) > 0 {
					n = r2.Scale(-1, n)
				}
			}
			out = append(out, n)
		}
	})
	switch {
	case len(out) == 0:
		return r2.Vec{}
	case len(out) == 1 && onOutline && math.Abs(elementary.Dot(out[0], along)) > 1/longestMitre:
		return r2.Scale(-half/elementary.Dot(out[0], along), along)
	case len(out) == 1:
		return r2.Scale(-half, out[0])
	}
	const least = 2 / (longestMitre * longestMitre) // |n1 + n2| / (1 + n1.n2) is the root of 2/(1 + n1.n2)
	return r2.Scale(-half/max(least, 1+elementary.Dot(out[0], out[1])), r2.Add(out[0], out[1]))
}

// splitNodes gives lines and points the nodes of the triangles beside them.
func (c *cut) splitNodes() {
	second := map[int32]int32{} // the second line of a cut line; looked up only
	for i, n := 0, len(c.Lines); i < n; i++ {
		l := c.Lines[i]
		key := c.side(l[0], l[1])
		if c.stand[l[0]] == nil && c.stand[l[1]] == nil || len(c.beside[key]) == 0 {
			continue
		}
		c.Lines[i] = c.on(c.beside[key][0], l)
		if c.separated[key] {
			second[int32(i)] = int32(len(c.Lines))
			c.lastLine++
			c.Lines, c.LineID = append(c.Lines, c.on(c.beside[key][1], l)), append(c.LineID, c.lastLine)
		}
	}
	more := map[int32][]int32{} // the further points of a split point; looked up only
	for i, n := 0, len(c.Points); i < n; i++ {
		if of := c.stand[c.Points[i]]; len(of) > 1 {
			for _, node := range of[1:] {
				more[int32(i)] = append(more[int32(i)], int32(len(c.Points)))
				c.Points = append(c.Points, node)
			}
		}
	}
	for i := range c.Groups {
		g := &c.Groups[i]
		var added []int32
		for _, e := range g.Elements {
			switch k, ok := second[e]; {
			case g.Dim == 1 && ok:
				added = append(added, k)
			case g.Dim == 0:
				added = append(added, more[e]...)
			}
		}
		slices.Sort(added)
		g.Elements = append(g.Elements, added...)
	}
}

// on returns a line with the nodes that triangle t now has there.
func (c *cut) on(t int32, l [2]int32) [2]int32 {
	for k, n := range l {
		l[k] = c.Triangles[t][slices.Index(c.was[t][:], n)]
	}
	return l
}
