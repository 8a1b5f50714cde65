package impulses

import (
	"math"
	"slices"

	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// shape is the kind of a convex part.
type shape uint8

const (
	polygon shape = iota // anticlockwise
	line                 // two corners, solid on the left
	disc
	hollow // solid outside a circle
)

// part is a convex part of a rigid body, or a circle.
type part struct {
	body       int32
	shape      shape
	first, end int32   // its corners in shapes
	radius     float64 // of a circle about the body's centre [m]
}

// shapes are the outlines of all bodies as convex parts, in the order of bodies.
type shapes struct {
	parts []part
	local []r2.Vec // corners from the centre of the body, before rotations [m]
	world []r2.Vec // the same at the present positions [m]
	inner []bool   // per corner: the edge to the next one lies inside the body
	first []int32  // per body: its first part; one more at the end
	area  []float64
	far   []float64 // per body: greatest distance from the centre [m]
}

// add adds the outline of the next body.
func (s *shapes) add(m *mesh.Mesh, b *mesh.Body, centre r2.Vec) {
	body := int32(len(s.first))
	s.first = append(s.first, int32(len(s.parts)))
	edges := m.Edges[b.FirstEdge:b.EndEdge]
	var points []r2.Vec
	far := 0.0
	for _, e := range edges {
		points = append(points, r2.Sub(m.X[e.A], centre))
	}
	last := edges[len(edges)-1].B
	closed := last == edges[0].A
	if !closed {
		points = append(points, r2.Sub(m.X[last], centre))
	}
	for _, p := range points {
		far = max(far, elementary.Norm(p))
	}
	s.far = append(s.far, far)
	switch radius := edges[0].Radius; {
	case radius != 0:
		of := disc
		if radius < 0 {
			of = hollow
		}
		s.parts = append(s.parts, part{body: body, shape: of, radius: math.Abs(radius)})
		s.area = append(s.area, math.Pi*radius*radius)
	case !closed:
		s.addPart(body, line, []r2.Vec{points[0], points[len(points)-1]}, nil)
		s.area = append(s.area, 0)
	default:
		points = withoutStraight(points)
		s.area = append(s.area, areaOf(points))
		for _, p := range convexParts(points) {
			corners, inner := make([]r2.Vec, len(p)), make([]bool, len(p))
			for i, k := range p {
				corners[i] = points[k]
				inner[i] = (k+1)%len(points) != p[(i+1)%len(p)]
			}
			s.addPart(body, polygon, corners, inner)
		}
	}
}

// addPart adds a part with corners.
func (s *shapes) addPart(body int32, of shape, corners []r2.Vec, inner []bool) {
	first := int32(len(s.local))
	s.local = append(s.local, corners...)
	s.world = append(s.world, corners...)
	if inner == nil {
		inner = make([]bool, len(corners))
	}
	s.inner = append(s.inner, inner...)
	s.parts = append(s.parts, part{body: body, shape: of, first: first, end: int32(len(s.local))})
}

// close ends the list of bodies.
func (s *shapes) close() { s.first = append(s.first, int32(len(s.parts))) }

// place moves the corners of a body to its present position.
func (s *shapes) place(body int, centre r2.Vec, angle float64) {
	sin, cos := elementary.Sincos(angle)
	for i := s.first[body]; i < s.first[body+1]; i++ {
		p := &s.parts[i]
		for k := p.first; k < p.end; k++ {
			a := s.local[k]
			s.world[k] = r2.Vec{X: centre.X + (float64(cos*a.X) - float64(sin*a.Y)), Y: centre.Y + (float64(sin*a.X) + float64(cos*a.Y))}
		}
	}
}

// straightSine is the sine of the angle between two edges below which their common corner is none.
const straightSine = 1e-9

// withoutStraight returns the corners of a polygon, without points on straight sides.
func withoutStraight(points []r2.Vec) (out []r2.Vec) {
	n := len(points)
	for i, p := range points {
		a, b := r2.Sub(p, points[(i+n-1)%n]), r2.Sub(points[(i+1)%n], p)
		if math.Abs(elementary.Cross(a, b)) > straightSine*elementary.Norm(a)*elementary.Norm(b) || elementary.Dot(a, b) < 0 {
			out = append(out, p)
		}
	}
	return out
}

// areaOf returns the area of a polygon, positive if it is anticlockwise.
func areaOf(points []r2.Vec) float64 {
	sum := 0.0
	for i, p := range points {
		sum += float64(0.5 * elementary.Cross(p, points[(i+1)%len(points)]))
	}
	return sum
}

// convexParts divides a simple polygon, anticlockwise, into convex parts: ears are cut off into
// triangles, and parts are joined again along edges without which they stay convex (S. Hertel and K.
// Mehlhorn, Fast triangulation of simple polygons, 1983). It returns the corners of each.
func convexParts(points []r2.Vec) [][]int {
	all := make([]int, len(points))
	for i := range all {
		all[i] = i
	}
	if isConvex(points, all) {
		return [][]int{all}
	}
	parts := triangles(points, all)
	for joined := true; joined; {
		joined = false
	search:
		for i := range parts {
			for k := i + 1; k < len(parts); k++ {
				if both := joinAlong(parts[i], parts[k]); both != nil && isConvex(points, both) {
					parts[i] = both
					parts = slices.Delete(parts, k, k+1)
					joined = true
					break search
				}
			}
		}
	}
	return parts
}

// isConvex tells whether a polygon turns left at every corner.
func isConvex(points []r2.Vec, p []int) bool {
	n := len(p)
	for i := range p {
		a, b := r2.Sub(points[p[i]], points[p[(i+n-1)%n]]), r2.Sub(points[p[(i+1)%n]], points[p[i]])
		if elementary.Cross(a, b) < -straightSine*elementary.Norm(a)*elementary.Norm(b) {
			return false
		}
	}
	return true
}

// triangles cuts ears off a polygon.
func triangles(points []r2.Vec, left []int) (out [][]int) {
	for len(left) > 3 {
		best, widest := -1, math.Inf(-1)
		n := len(left)
		for i := range left {
			a, b, c := left[(i+n-1)%n], left[i], left[(i+1)%n]
			if elementary.Cross(r2.Sub(points[b], points[a]), r2.Sub(points[c], points[b])) <= 0 || holdsOther(points, left, a, b, c) {
				continue
			}
			if w := -longest(points[a], points[b], points[c]); w > widest {
				best, widest = i, w
			}
		}
		if best < 0 { // rounding: the rest has no area
			break
		}
		out = append(out, []int{left[(best+n-1)%n], left[best], left[(best+1)%n]})
		left = slices.Delete(slices.Clone(left), best, best+1)
	}
	return append(out, left)
}

// longest returns the longest side of a triangle.
func longest(a, b, c r2.Vec) float64 {
	return max(elementary.Norm(r2.Sub(a, b)), elementary.Norm(r2.Sub(b, c)), elementary.Norm(r2.Sub(c, a)))
}

// holdsOther tells whether another corner lies in a triangle.
func holdsOther(points []r2.Vec, left []int, a, b, c int) bool {
	return slices.ContainsFunc(left, func(k int) bool {
		if k == a || k == b || k == c {
			return false
		}
		p := points[k]
		side := func(u, v int) bool {
			return elementary.Cross(r2.Sub(points[v], points[u]), r2.Sub(p, points[u])) >= 0
		}
		return side(a, b) && side(b, c) && side(c, a)
	})
}

// joinAlong joins two polygons along their common edge; nil if they have none.
func joinAlong(p, q []int) []int {
	for i := range p {
		a, b := p[i], p[(i+1)%len(p)]
		for k := range q {
			if q[k] != b || q[(k+1)%len(q)] != a {
				continue
			}
			out := append([]int{}, p[:i+1]...)
			for j := 2; j < len(q); j++ {
				out = append(out, q[(k+j)%len(q)])
			}
			return append(out, p[i+1:]...)
		}
	}
	return nil
}
