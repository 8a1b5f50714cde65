package shapes

import (
	"fmt"
	"math"
	"slices"

	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// joinTolerance is the distance, relative to the shortest edge, up to which two
// nodes are merged.
const joinTolerance = 1e-6

// Join merges the nodes at which shapes of the named bodies touch, so that the
// mesh is conforming there. The shapes are then connected, and named sides
// become curves inside. A curve that both shapes name is kept once. It fails
// for a name that no shape has, and if a node of a shape lies on a side of
// another between its nodes.
func Join(src *mesh.Source, names []string) error {
	var own []int32 // triangles
	for _, name := range names {
		i := slices.IndexFunc(src.Groups, func(g mesh.SourceGroup) bool { return g.Name == name && g.Dim == 2 })
		if i < 0 {
			return fmt.Errorf("there is no body %q to join", name)
		}
		own = append(own, src.Groups[i].Elements...)
	}
	shortest, longest := math.Inf(1), 0.0
	for _, t := range own {
		v := src.Triangles[t]
		for k := range 3 {
			l := elementary.Norm(r2.Sub(src.X[v[k]], src.X[v[(k+1)%3]]))
			shortest, longest = min(shortest, l), max(longest, l)
		}
	}
	merge(src, own, joinTolerance*shortest, 0.25*shortest)
	onceEach(src)
	return conforming(src, own, joinTolerance*shortest, longest)
}

// cells finds points near a position. It maps squares of a size to the indices of
// the points in them.
type cells struct {
	size float64
	of   map[[2]int64][]int32
}

func (c *cells) at(x r2.Vec) [2]int64 {
	return [2]int64{int64(math.Floor(x.X / c.size)), int64(math.Floor(x.Y / c.size))}
}

func (c *cells) add(x r2.Vec, i int32) {
	at := c.at(x)
	c.of[at] = append(c.of[at], i)
}

// near calls the function with all points within a size of x, until it returns
// false.
func (c *cells) near(x r2.Vec, do func(i int32) bool) {
	at := c.at(x)
	for dx := int64(-1); dx <= 1; dx++ {
		for dy := int64(-1); dy <= 1; dy++ {
			for _, i := range c.of[[2]int64{at[0] + dx, at[1] + dy}] {
				if !do(i) {
					return
				}
			}
		}
	}
}

// merge merges nodes of some triangles that are nearer to one another than a
// distance. The first of them remains.
func merge(src *mesh.Source, triangles []int32, distance, size float64) {
	of := make([]bool, len(src.X))
	for _, t := range triangles {
		for _, n := range src.Triangles[t] {
			of[n] = true
		}
	}
	grid := cells{size, map[[2]int64][]int32{}}
	to := make([]int32, len(src.X))
	x := src.X[:0]
	for n, p := range src.X {
		to[n] = -1
		if of[n] {
			grid.near(p, func(i int32) bool {
				if elementary.Norm(r2.Sub(x[i], p)) <= distance {
					to[n] = i
				}
				return to[n] < 0
			})
		}
		if to[n] < 0 {
			to[n] = int32(len(x))
			x = append(x, p)
			if of[n] {
				grid.add(p, to[n])
			}
		}
	}
	src.X, src.NodeID = x, src.NodeID[:len(x)]
	for i := range src.Triangles {
		for k, n := range src.Triangles[i] {
			src.Triangles[i][k] = to[n]
		}
	}
	for i := range src.Lines {
		for k, n := range src.Lines[i] {
			src.Lines[i][k] = to[n]
		}
	}
	for i, n := range src.Points {
		src.Points[i] = to[n]
	}
}

// onceEach removes repeated lines between the same two nodes from a group.
func onceEach(src *mesh.Source) {
	var lines [][2]int32
	for i := range src.Groups {
		g := &src.Groups[i]
		if g.Dim != 1 {
			continue
		}
		seen := map[[2]int32]bool{}
		var left []int32
		for _, e := range g.Elements {
			l := src.Lines[e]
			if key := [2]int32{min(l[0], l[1]), max(l[0], l[1])}; !seen[key] {
				seen[key] = true
				left = append(left, int32(len(lines)))
				lines = append(lines, l)
			}
		}
		g.Elements = left
	}
	src.Lines, src.LineID = lines, src.LineID[:len(lines)]
}

// conforming returns an error if a node of the outline of some triangles lies on
// an edge of it between its ends.
func conforming(src *mesh.Source, triangles []int32, distance, longest float64) error {
	count := map[[2]int32]int{}
	key := func(a, b int32) [2]int32 { return [2]int32{min(a, b), max(a, b)} }
	for _, t := range triangles {
		v := src.Triangles[t]
		for k := range 3 {
			count[key(v[k], v[(k+1)%3])]++
		}
	}
	grid := cells{longest, map[[2]int64][]int32{}}
	var rim [][2]int32
	for _, t := range triangles {
		v := src.Triangles[t]
		for k := range 3 {
			if a, b := v[k], v[(k+1)%3]; count[key(a, b)] == 1 {
				rim = append(rim, [2]int32{a, b})
				grid.add(src.X[a], a)
			}
		}
	}
	for _, e := range rim {
		a, b := src.X[e[0]], src.X[e[1]]
		d := r2.Sub(b, a)
		length := elementary.Norm(d)
		on := int32(-1)
		grid.near(elementary.Between(a, b, 0.5), func(n int32) bool {
			r := r2.Sub(src.X[n], a)
			along := elementary.Dot(d, r) / length
			if along > distance && along < length-distance && math.Abs(elementary.Cross(d, r)) <= float64(distance*length) {
				on = n
			}
			return on < 0
		})
		if on >= 0 {
			return fmt.Errorf("shapes do not fit together at (%.6g, %.6g) m, where a corner of a triangle lies on a side of another: let them touch along whole sides, in parts of one length; rectangles and polygons divide upright sides differently", src.X[on].X, src.X[on].Y)
		}
	}
	return nil
}
