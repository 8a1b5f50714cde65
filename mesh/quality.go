package mesh

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Quality is measures of a mesh's quality.
type Quality struct {
	Worst, Mean   float64 // twice the ratio of the inscribed to the circumscribed radius: 1 for an equilateral triangle, 0 for a flat one
	WorstTriangle int32   // the file's number
	SmallestAngle float64 // [rad]
	ShortestEdge  float64 // [m]
	LongestEdge   float64 // [m]
}

// Quality returns the measures over all triangles.
func (m *Mesh) Quality() Quality {
	q := Quality{Worst: math.Inf(1), SmallestAngle: math.Inf(1), ShortestEdge: math.Inf(1)}
	for i, t := range m.Triangles {
		a := math.Sqrt(square(m.X[t[1]], m.X[t[2]]))
		b := math.Sqrt(square(m.X[t[2]], m.X[t[0]]))
		c := math.Sqrt(square(m.X[t[0]], m.X[t[1]]))
		area := float64(0.5 * doubleArea(m.X[t[0]], m.X[t[1]], m.X[t[2]]))
		shape := 16 * area * area / (a * b * c * (a + b + c)) // 2 r/R with r = 2A/(a+b+c), R = abc/(4A)
		if shape < q.Worst {
			q.Worst, q.WorstTriangle = shape, m.TriID[i]
		}
		q.Mean += shape / float64(len(m.Triangles))
		q.ShortestEdge = min(q.ShortestEdge, a, b, c)
		q.LongestEdge = max(q.LongestEdge, a, b, c)
		for range 3 {
			q.SmallestAngle = min(q.SmallestAngle, elementary.Atan2(2*area, (float64(b*b)+float64(c*c)-float64(a*a))/2))
			a, b, c = b, c, a
		}
	}
	return q
}

// Edges returns the boundary edges of the body, in ascending order.
func (b *Body) Edges() (edges []int32) {
	for e := b.FirstEdge; e < b.EndEdge; e++ {
		edges = append(edges, e)
	}
	return edges
}

// Extent returns the corners of the body's bounding box [m].
func (b *Body) Extent(m *Mesh) (lo, hi r2.Vec) {
	lo, hi = m.X[b.Nodes[0]], m.X[b.Nodes[0]]
	for _, n := range b.Nodes {
		x := m.X[n]
		lo = r2.Vec{X: min(lo.X, x.X), Y: min(lo.Y, x.Y)}
		hi = r2.Vec{X: max(hi.X, x.X), Y: max(hi.Y, x.Y)}
	}
	return lo, hi
}
