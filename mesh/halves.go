package mesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// Halves divides a quadrilateral along the diagonal that gives the better
// triangles: the shorter one of a kite, the inner one of an arrowhead.
func (s *Source) Halves(n [4]int32) [2][3]int32 {
	edge := func(a, b int32) float64 {
		d := r2.Sub(s.X[b], s.X[a])
		return float64(d.X*d.X) + float64(d.Y*d.Y)
	}
	area := func(t [3]int32) float64 {
		a, b, c := s.X[t[0]], s.X[t[1]], s.X[t[2]]
		return float64((b.X-a.X)*(c.Y-a.Y)) - float64((b.Y-a.Y)*(c.X-a.X))
	}
	one := [2][3]int32{{n[0], n[1], n[2]}, {n[0], n[2], n[3]}}
	other := [2][3]int32{{n[0], n[1], n[3]}, {n[1], n[2], n[3]}}
	sign := 1.0
	if area(one[0])+area(one[1]) < 0 { // clockwise
		sign = -1
	}
	worst := func(halves [2][3]int32) float64 { // area over the edges' squares
		q := math.Inf(1)
		for _, t := range halves {
			q = min(q, sign*area(t)/(edge(t[0], t[1])+edge(t[1], t[2])+edge(t[2], t[0])))
		}
		return q
	}
	if worst(other) > worst(one) {
		return other
	}
	return one
}
