package mesh

import (
	"cmp"
	"fmt"
	"slices"
)

// Shares tells whether two groups are surfaces that have a triangle in common.
func (src *Source) Shares(one, other string) bool {
	a, errA := src.group(one, 2)
	b, errB := src.group(other, 2)
	return errA == nil && errB == nil && slices.ContainsFunc(a.Elements, func(k int32) bool {
		_, both := slices.BinarySearch(b.Elements, k)
		return both
	})
}

// Regions returns the outlines of the connected components of a surface, in the order of
// their first triangles. Triangles are connected if they share an edge that is on none of
// the curves. It fails for a name that is not a group of the mesh, for a curve without an
// edge inside the surface, and for a component whose boundary is not one simple loop, such
// as one with a hole or one that touches itself.
func (src *Source) Regions(surface string, curves ...string) ([]Polygon, error) {
	g, err := src.group(surface, 2)
	if err != nil {
		return nil, err
	}
	dividers := map[[2]int32]string{} // name of the curve
	for _, name := range curves {
		c, err := src.group(name, 1)
		if err != nil {
			return nil, err
		}
		for _, l := range c.Elements {
			dividers[pairOf(src.Lines[l])] = name
		}
	}
	triangles := src.once(g.Elements)
	components := NewConnected(len(triangles))
	by, parts := map[[2]int32]int32{}, map[string]bool{} // the first triangle of each edge, and the curves that separate triangles
	for k, t := range triangles {
		for _, e := range src.turned(t) {
			if other, seen := by[pairOf(e)]; !seen {
				by[pairOf(e)] = int32(k)
			} else if name, is := dividers[pairOf(e)]; is {
				parts[name] = true
			} else {
				components.Join(other, int32(k))
			}
		}
	}
	for _, name := range curves {
		if !parts[name] {
			return nil, fmt.Errorf("%q has no edge inside %q: it parts nothing", name, surface)
		}
	}
	outlines := map[int32]map[[2]int32]bool{} // per component: its edges that only one of its triangles has
	var order []int32
	for k, t := range triangles {
		first := components.First(int32(k))
		if outlines[first] == nil {
			outlines[first] = map[[2]int32]bool{}
			order = append(order, first)
		}
		for _, e := range src.turned(t) {
			if back := [2]int32{e[1], e[0]}; outlines[first][back] {
				delete(outlines[first], back)
			} else {
				outlines[first][e] = true
			}
		}
	}
	var out []Polygon
	for _, first := range order {
		p, err := src.round(outlines[first])
		if err != nil {
			return nil, fmt.Errorf("%q: %w", surface, err)
		}
		out = append(out, p)
	}
	return out, nil
}

// pairOf returns the key of an edge, the same for both directions.
func pairOf(e [2]int32) [2]int32 { return [2]int32{min(e[0], e[1]), max(e[0], e[1])} }

// turned returns the edges of triangle t in anticlockwise order.
func (src *Source) turned(t int32) [3][2]int32 {
	n := src.Triangles[t]
	if doubleArea(src.X[n[0]], src.X[n[1]], src.X[n[2]]) < 0 {
		n[1], n[2] = n[2], n[1]
	}
	return [3][2]int32{{n[0], n[1]}, {n[1], n[2]}, {n[2], n[0]}}
}

// once returns the triangles without repeats of the same nodes.
func (src *Source) once(triangles []int32) (out []int32) {
	seen := map[[3]int32]bool{}
	for _, t := range triangles {
		if n := Ascending(src.Triangles[t]); !seen[n] {
			seen[n] = true
			out = append(out, t)
		}
	}
	return out
}

// round returns the nodes of a boundary in the order of its edges.
func (src *Source) round(boundary map[[2]int32]bool) (Polygon, error) {
	edges := make([][2]int32, 0, len(boundary))
	for e := range boundary {
		edges = append(edges, e)
	}
	slices.SortFunc(edges, func(a, b [2]int32) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	next := map[int32]int32{}
	for _, e := range edges {
		if _, twice := next[e[0]]; twice {
			x := src.X[e[0]]
			return nil, fmt.Errorf("a component touches itself at (%.6g, %.6g) m, where the outline of a rigid body goes one way round", x.X, x.Y)
		}
		next[e[0]] = e[1]
	}
	var p Polygon
	for n, start := edges[0][0], edges[0][0]; ; {
		p = append(p, src.X[n])
		if n = next[n]; n == start {
			break
		}
	}
	if len(p) < len(edges) {
		return nil, fmt.Errorf("the component at (%.6g, %.6g) m has a hole, and the outline of a rigid body goes one way round", p[0].X, p[0].Y)
	}
	return p.Simplify(), nil
}
