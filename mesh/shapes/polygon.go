package shapes

import (
	"fmt"
	"math"

	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// Polygon appends a convex polygon with the corners [m] in anticlockwise order,
// meshed with triangles of about the edge [m]. Nodes divide the sides equally
// and make equilateral triangles inside; Delaunay's triangulation joins the
// two, and smoothing follows. The triangles are added to the body of that name.
// It fails for a polygon that is not convex, or too narrow at a corner.
func Polygon(src *mesh.Source, name string, corners []r2.Vec, edge float64) (Part, error) {
	if err := checkConvex(corners); err != nil {
		return Part{}, err
	}
	var x []r2.Vec
	var on [][2]int // the sides each node is on, -1 for none
	sides := make([][]int32, len(corners))
	for k, a := range corners {
		b := corners[(k+1)%len(corners)]
		n, err := parts(elementary.Norm(r2.Sub(b, a)), edge)
		if err != nil {
			return Part{}, err
		}
		for i := range n {
			u := float64(i) / float64(n)
			s := [2]int{k, -1}
			if i == 0 {
				s[1] = (k + len(corners) - 1) % len(corners)
			}
			sides[k] = append(sides[k], int32(len(x)))
			x, on = append(x, elementary.Between(a, b, u)), append(on, s)
		}
	}
	for k := range sides {
		sides[k] = append(sides[k], sides[(k+1)%len(sides)][0])
	}
	rim := len(x)
	x = append(x, inside(corners, edge)...)
	for len(on) < len(x) {
		on = append(on, [2]int{-1, -1})
	}
	t := delaunay(x)
	for range 3 {
		even(x, rim, t)
		t = delaunay(x)
	}
	base := int32(len(src.X))
	for _, p := range x {
		src.AddNode(p)
	}
	covered := 0.0
	for _, v := range t {
		if oneSide(on[v[0]], on[v[1]], on[v[2]]) {
			continue // flat, between nodes of one side
		}
		covered += float64(0.5 * elementary.Cross(r2.Sub(x[v[1]], x[v[0]]), r2.Sub(x[v[2]], x[v[0]])))
		addTriangle(src, name, base+v[0], base+v[1], base+v[2])
	}
	if whole := mesh.Polygon(corners).Area(); math.Abs(covered-whole) > 1e-6*whole {
		return Part{}, fmt.Errorf("the polygon is too narrow for its edge of %g m: try a smaller one", edge)
	}
	for k := range sides {
		for i := range sides[k] {
			sides[k][i] += base
		}
	}
	return Part{src: src, sides: sides}, nil
}

func checkConvex(c []r2.Vec) error {
	if len(c) < 3 {
		return fmt.Errorf("a polygon has at least 3 corners, got %d", len(c))
	}
	turned := 0.0
	for i := range c {
		a, b := r2.Sub(c[(i+1)%len(c)], c[i]), r2.Sub(c[(i+2)%len(c)], c[(i+1)%len(c)])
		turn := elementary.Atan2(elementary.Cross(a, b), elementary.Dot(a, b))
		if at := c[(i+1)%len(c)]; !(turn > 1e-9) {
			return fmt.Errorf("the polygon is not convex, with its corners in anticlockwise order, at (%g, %g) m", at.X, at.Y)
		}
		turned += turn
	}
	if math.Abs(turned-2*math.Pi) > 1e-6 {
		return fmt.Errorf("the polygon's outline goes round %.0f times", turned/(2*math.Pi))
	}
	return nil
}

// inside returns the points of a lattice of equilateral triangles, along the
// longest side, that are at least 0.6 edges from every side, or the middle if
// there are none.
func inside(c []r2.Vec, edge float64) []r2.Vec {
	longest, from, along := 0.0, r2.Vec{}, r2.Vec{}
	middle := r2.Vec{}
	for i, a := range c {
		b := c[(i+1)%len(c)]
		middle = r2.Add(middle, a)
		if l := elementary.Norm(r2.Sub(b, a)); l > longest {
			n := max(1, math.Round(l/edge))
			longest, from, along = l, a, r2.Scale(1/n, r2.Sub(b, a))
		}
	}
	up := r2.Scale(0.5*math.Sqrt(3), r2.Vec{X: -along.Y, Y: along.X})
	far := 0.0
	for _, a := range c {
		far = max(far, elementary.Norm(r2.Sub(a, from)))
	}
	n := int(far/elementary.Norm(up)) + 2
	var out []r2.Vec
	for j := 1; j <= n; j++ {
		for i := -n; i <= n; i++ {
			p := elementary.Along(elementary.Along(from, along, float64(i)+float64(0.5*float64(j&1))), up, float64(j))
			if depth(c, p) > 0.6*edge {
				out = append(out, p)
			}
		}
	}
	if out == nil {
		out = []r2.Vec{r2.Scale(1/float64(len(c)), middle)}
	}
	return out
}

// depth returns the distance of an inner point from the nearest side.
func depth(c []r2.Vec, p r2.Vec) float64 {
	least := math.Inf(1)
	for i, a := range c {
		s := r2.Sub(c[(i+1)%len(c)], a)
		least = min(least, elementary.Cross(s, r2.Sub(p, a))/elementary.Norm(s))
	}
	return least
}

// even moves the points from number first on towards the middle of their
// neighbours.
func even(x []r2.Vec, first int, t [][3]int32) {
	const rounds, relaxation = 5, 0.5
	sum, count := make([]r2.Vec, len(x)), make([]float64, len(x))
	for range rounds {
		clear(sum)
		clear(count)
		for _, v := range t {
			for k := range 3 {
				a, b := v[k], v[(k+1)%3]
				sum[a], count[a] = r2.Add(sum[a], x[b]), count[a]+1
			}
		}
		for i := first; i < len(x); i++ {
			if count[i] > 0 {
				x[i] = elementary.Between(x[i], r2.Scale(1/count[i], sum[i]), relaxation)
			}
		}
	}
}

// oneSide tells whether three nodes lie on one side.
func oneSide(a, b, c [2]int) bool {
	for _, s := range a {
		if s >= 0 && (s == b[0] || s == b[1]) && (s == c[0] || s == c[1]) {
			return true
		}
	}
	return false
}
