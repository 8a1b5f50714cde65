package mesh

import (
	"math"
	"slices"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Polygon is a simple polygon, convex or not: its corners [m], anticlockwise.
type Polygon []r2.Vec

func (p Polygon) next(i int) int { return (i + 1) % len(p) }

// Area returns the area [m2], negative if the corners go clockwise.
func (p Polygon) Area() float64 {
	sum := 0.0
	for i := range p {
		sum += float64(0.5 * elementary.Cross(r2.Sub(p[i], p[0]), r2.Sub(p[p.next(i)], p[0])))
	}
	return sum
}

// Inertia returns the centre of area [m] and the radius of gyration about it [m]. The
// polygon is a sum of triangles with a common corner. The second moment of a triangle
// about a corner is A (a² + ab + b²)/6.
func (p Polygon) Inertia() (centre r2.Vec, gyration float64) {
	area, second := 0.0, 0.0
	for i := range p {
		a, b := r2.Sub(p[i], p[0]), r2.Sub(p[p.next(i)], p[0])
		part := float64(0.5 * elementary.Cross(a, b))
		area += part
		centre.X += float64(part*(a.X+b.X)) / 3
		centre.Y += float64(part*(a.Y+b.Y)) / 3
		second += float64(part*(elementary.Dot(a, a)+elementary.Dot(a, b)+elementary.Dot(b, b))) / 6
	}
	centre = r2.Scale(1/area, centre)
	return elementary.Along(p[0], centre, 1), math.Sqrt(max(0, second/area-elementary.Dot(centre, centre)))
}

// Holds tells whether a position lies inside.
func (p Polygon) Holds(x r2.Vec) bool {
	inside := false
	for i := range p {
		a, b := r2.Sub(p[i], x), r2.Sub(p[p.next(i)], x)
		if (a.Y > 0) != (b.Y > 0) && elementary.Cross(a, b) > 0 == (b.Y > a.Y) {
			inside = !inside
		}
	}
	return inside
}

// Distance returns the distance of a position from the boundary [m].
func (p Polygon) Distance(x r2.Vec) float64 {
	least := math.Inf(1)
	for i := range p {
		side, at := r2.Sub(p[p.next(i)], p[i]), r2.Sub(x, p[i])
		s := elementary.Dot(at, side) / elementary.Dot(side, side)
		least = min(least, elementary.Norm(elementary.Along(at, side, -max(0, min(1, s)))))
	}
	return least
}

// Simplify returns the polygon anticlockwise, without straight corners.
func (p Polygon) Simplify() Polygon {
	const straight = 1e-9 // sine of the angle
	out := make(Polygon, 0, len(p))
	for i := range p {
		before, after := r2.Sub(p[i], p[(i+len(p)-1)%len(p)]), r2.Sub(p[p.next(i)], p[i])
		if turn := elementary.Cross(before, after); math.Abs(turn) > float64(straight*elementary.Norm(before)*elementary.Norm(after)) || elementary.Dot(before, after) < 0 {
			out = append(out, p[i])
		}
	}
	if out.Area() < 0 {
		slices.Reverse(out)
	}
	return out
}

// SelfIntersection returns two sides that are not neighbours but cross, touch or overlap, or
// a side that reverses along the previous one. ok is false for a simple polygon.
func (p Polygon) SelfIntersection() (i, j int, ok bool) {
	n := len(p)
	for i := range p {
		a, b := p[i], p[p.next(i)]
		before := r2.Sub(a, p[(i+n-1)%n])
		if along := r2.Sub(b, a); elementary.Cross(before, along) == 0 && elementary.Dot(before, along) <= 0 {
			return (i + n - 1) % n, i, true
		}
		for j := i + 2; j < n; j++ {
			if p.next(j) != i && segmentsIntersect(a, b, p[j], p[p.next(j)]) {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}

// segmentsIntersect tells whether two segments have a point in common.
func segmentsIntersect(a, b, c, d r2.Vec) bool {
	side := func(a, b, x r2.Vec) float64 { return elementary.Cross(r2.Sub(b, a), r2.Sub(x, a)) }
	within := func(a, b, x r2.Vec) bool {
		return min(a.X, b.X) <= x.X && x.X <= max(a.X, b.X) && min(a.Y, b.Y) <= x.Y && x.Y <= max(a.Y, b.Y)
	}
	p, q, r, s := side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)
	switch {
	case (p > 0) != (q > 0) && (r > 0) != (s > 0) && p != 0 && q != 0 && r != 0 && s != 0:
		return true
	case p == 0 && within(a, b, c), q == 0 && within(a, b, d), r == 0 && within(c, d, a), s == 0 && within(c, d, b):
		return true
	}
	return false
}

// Thickness returns the thickness of the polygon [m], which is the least over its sides. For
// a side it is the greatest distance through the polygon, normal to the side, from positions
// at the quarters of its length.
func (p Polygon) Thickness() float64 {
	least := math.Inf(1)
	for i, a := range p {
		along, most := r2.Sub(p[p.next(i)], a), 0.0
		inward := r2.Scale(1/elementary.Norm(along), r2.Vec{X: -along.Y, Y: along.X})
		for _, s := range [3]float64{0.25, 0.5, 0.75} {
			most = max(most, p.through(i, elementary.Along(a, along, s), inward))
		}
		least = min(least, most)
	}
	return least
}

// through returns the length of a ray from a position on side i to another side
// [m].
func (p Polygon) through(i int, from, direction r2.Vec) float64 {
	least := math.Inf(1)
	for j := range p {
		if j == i {
			continue
		}
		a, side := r2.Sub(p[j], from), r2.Sub(p[p.next(j)], p[j])
		against := elementary.Cross(direction, side)
		if against == 0 {
			continue
		}
		far, at := elementary.Cross(a, side)/against, elementary.Cross(a, direction)/against
		if far > 0 && at >= 0 && at <= 1 {
			least = min(least, far)
		}
	}
	return least
}
