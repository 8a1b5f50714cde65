package published

import (
	"cmp"
	"math"
	"slices"

	"fdem/solver"
)

// Opening, pressure and flow along a straight crack, for comparison with similarity
// solutions.

// station is a position along a crack along x.
type station struct {
	x                       float64 // [m]
	opening, pressure, flow float64 // [m], [Pa], [m3/s]
}

// alongCrack returns the values of cracks along x at their vertices, from left to right.
func alongCrack(s *solver.Solver) (all []station) {
	for i := range s.Cracks().Cracks() {
		edge := s.Cracks().Crack(i).Edge
		ch, ok := s.Cracks().Channel(edge, s.X)
		p := s.Cracks().Pressure(edge)
		for end, open := range ch.Open {
			if ok && open {
				all = append(all, station{x: s.Mesh.X[ch.Vertices[end]].X, opening: ch.Opening[end], pressure: p[end]})
			}
		}
	}
	return sorted(all)
}

// flows returns the flow through the middles of the edges, to the right.
func flows(s *solver.Solver) (all []station) {
	for i := range s.Cracks().Cracks() {
		edge := s.Cracks().Crack(i).Edge
		of := &s.Fracture.Edges[edge]
		from, to := s.Mesh.X[of.From].X, s.Mesh.X[of.To].X
		all = append(all, station{x: 0.5 * (from + to), flow: math.Copysign(1, to-from) * s.Kinds.Fluids.In(edge).Flow})
	}
	return sorted(all)
}

func sorted(all []station) []station {
	slices.SortFunc(all, func(a, b station) int { return cmp.Compare(a.x, b.x) })
	return all
}

// at returns a value at a position along a crack, linear between the two nearest
// stations.
func at(all []station, x float64, of func(station) float64) float64 {
	i, _ := slices.BinarySearchFunc(all, x, func(s station, x float64) int { return cmp.Compare(s.x, x) })
	switch {
	case i == 0:
		return of(all[0])
	case i == len(all):
		return 0
	}
	a, b := all[i-1], all[i]
	share := (x - a.x) / (b.x - a.x)
	return of(a)*(1-share) + of(b)*share
}

// meanProfile adds up profiles of a crack that grows self-similarly.
type meanProfile struct {
	sum   []float64
	times float64
}

// add adds a profile at fractions of a length.
func (m *meanProfile) add(all []station, length float64, shares []float64, of func(station) float64) {
	if m.sum == nil {
		m.sum = make([]float64, len(shares))
	}
	for i, xi := range shares {
		m.sum[i] += at(all, xi*length, of)
	}
	m.times++
}

// worst returns the greatest difference of the mean from the known values.
func (m *meanProfile) worst(known []float64) (worst float64) {
	for i, k := range known {
		worst = max(worst, math.Abs(m.sum[i]/m.times-k))
	}
	return worst
}
