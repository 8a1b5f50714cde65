package shapes

import (
	"fmt"
	"math"

	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// Point names the node of a body at a position [m] as a 0-D group. It can be an axle, if it is
// the only held node. The nearest node inside the body is moved to the position. Nodes of the
// sides do not move, so the position must lie inside or be that of such a node.
func Point(src *mesh.Source, name, body string, at r2.Vec) error {
	const rounding = 1e-6 // relative to the shortest edge at the node
	shared := map[[2]int32]int{}
	var triangles []int32
	for _, g := range src.Groups {
		if g.Dim == 2 && g.Name == body {
			triangles = append(triangles, g.Elements...)
		}
	}
	side := func(t [3]int32, k int) [2]int32 {
		a, b := t[k], t[(k+1)%3]
		return [2]int32{min(a, b), max(a, b)}
	}
	inside := false
	for _, i := range triangles {
		t := src.Triangles[i]
		within := true
		for k := range t {
			shared[side(t, k)]++
			a, b := src.X[t[k]], src.X[t[(k+1)%3]]
			within = within && elementary.Cross(r2.Sub(b, a), r2.Sub(at, a)) >= 0
		}
		inside = inside || within
	}
	nearest, away, edge, outer := int32(-1), math.Inf(1), math.Inf(1), map[int32]bool{}
	for _, i := range triangles {
		t := src.Triangles[i]
		for k, n := range t {
			if e := side(t, k); shared[e] == 1 {
				outer[e[0]], outer[e[1]] = true, true
			}
			if d := elementary.Norm(r2.Sub(src.X[n], at)); d < away {
				nearest, away = n, d
			}
		}
	}
	if nearest < 0 {
		return fmt.Errorf("there is no shape of the body %q before it", body)
	}
	for e := range shared { // the minimum, in any order
		if e[0] == nearest || e[1] == nearest {
			edge = min(edge, elementary.Norm(r2.Sub(src.X[e[0]], src.X[e[1]])))
		}
	}
	switch x := src.X[nearest]; {
	case away <= rounding*edge:
	case !inside:
		return fmt.Errorf("(%.6g, %.6g) m is not in the body %q: its nearest node is at (%.6g, %.6g) m", at.X, at.Y, body, x.X, x.Y)
	case outer[nearest]:
		return fmt.Errorf("(%.6g, %.6g) m is so near to a side of %q that its nearest node is one of the side, at (%.6g, %.6g) m: name that position, or take shorter edges", at.X, at.Y, body, x.X, x.Y)
	default:
		src.X[nearest] = at
	}
	src.Points = append(src.Points, nearest)
	addTo(src, name, 0, int32(len(src.Points)-1))
	return nil
}
