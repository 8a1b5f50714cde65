package spheres

import (
	"cmp"
	"math"
	"slices"

	"fdem/boundingbox"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Sweep and prune, for the clearance. Spheres are sorted by their least x. Each sphere is
// compared with the later ones whose least x is below its greatest x plus the least gap so
// far.

// The number of comparisons is limited, in total and per sphere. If more would be needed,
// spheres are so near one another that their clearance is of little use.
const (
	leastLooks     = 1 << 16
	looksPerSphere = 64
)

// Clearances returns lower bounds of two distances [m]: between moving spheres that may be in
// contact, and between moving spheres and everything else with which they may be in contact,
// including held spheres. A distance is 0 if there is contact, or if the search would take
// too long. It is infinite if no contact is possible. Inactive edges of the outline do not
// count: they are inside a body, whose outline is nearer. The caller must have set all nodes.
func (s *Spheres) Clearances() (fromOthers, fromRest float64) {
	looks := leastLooks + looksPerSphere*s.n
	others := s.sphereGap(false, &looks)
	looks = leastLooks + looksPerSphere*s.n
	rest := s.sphereGap(true, &looks)
	looks = max(looks, leastLooks)
	all := boundingbox.BoxOf(s.X[0], s.X[0])
	for i, x := range s.X[:s.n] {
		r := r2.Vec{X: s.Radius[i], Y: s.Radius[i]}
		all = all.With(r2.Sub(x, r)).With(r2.Add(x, r))
	}
	for e := int32(0); int(e) < len(s.owner)+len(s.Outline.Edges) && rest > 0; e++ {
		rest = s.edgeGap(e, rest, all, &looks)
	}
	return max(others, 0), max(rest, 0)
}

// sphereGap returns the least gap between spheres that may be in contact [m]. If held is
// false both move; otherwise one of them is held.
func (s *Spheres) sphereGap(held bool, looks *int) float64 {
	begin := func(i int32) float64 { return s.X[i].X - s.Radius[i] }
	s.sweep = s.sweep[:0]
	moving := 0
	for i := range int32(s.n) {
		if s.InverseMass[i] > 0 {
			moving++
		}
		if s.InverseMass[i] > 0 || held {
			s.sweep = append(s.sweep, i)
		}
	}
	if held && moving == s.n {
		return math.Inf(1)
	}
	slices.SortFunc(s.sweep, func(i, j int32) int { return cmp.Or(cmp.Compare(begin(i), begin(j)), cmp.Compare(i, j)) })
	gap := math.Inf(1)
	for a, i := range s.sweep {
		end := s.X[i].X + s.Radius[i]
		for _, j := range s.sweep[a+1:] {
			if !(begin(j)-end < gap) {
				break
			}
			if *looks--; *looks < 0 {
				return 0
			}
			one := s.InverseMass[i] == 0
			distance := elementary.Norm(r2.Vec{X: s.X[j].X - s.X[i].X, Y: s.X[j].Y - s.X[i].Y}) - (s.Radius[i] + s.Radius[j])
			if distance < gap && one != (s.InverseMass[j] == 0) == held && s.rule(s.Kind[i], s.Kind[j]) >= 0 {
				gap = distance
			}
			if gap <= 0 {
				return 0
			}
		}
	}
	return gap
}

// Spread returns an upper bound of the difference of the velocities of two spheres that move,
// half a step behind [m/s].
func (s *Spheres) Spread() float64 {
	inf := math.Inf(1)
	lo, hi := r2.Vec{X: inf, Y: inf}, r2.Vec{X: -inf, Y: -inf}
	for i, v := range s.V[:s.n] {
		if s.InverseMass[i] > 0 {
			lo, hi = r2.Vec{X: min(lo.X, v.X), Y: min(lo.Y, v.Y)}, r2.Vec{X: max(hi.X, v.X), Y: max(hi.Y, v.Y)}
		}
	}
	if lo.X > hi.X {
		return 0
	}
	return elementary.Norm(r2.Sub(hi, lo))
}

// edgeGap returns the smaller of gap [m] and the gap between the spheres and an edge of a
// wall or of the outline. e is the number of the edge in the search, after those of the
// spheres. all is a box around the spheres.
func (s *Spheres) edgeGap(e int32, gap float64, all boundingbox.Box, looks *int) float64 {
	own := e - int32(len(s.owner))
	if own < 0 {
		w := s.owner[e]
		wall, edges := &s.Walls[w], []int32{e}
		least := math.Inf(-1)
		if wall.Radius == 0 {
			least = all.Gap(boundingbox.BoxOf(s.X[s.ends[e][0]], s.X[s.ends[e][1]]))
		}
		return s.leastGap(wall.Kind, wall.Free, least, gap, looks, func(x r2.Vec) float64 {
			_, d := s.toWall(w, edges, x)
			return d
		})
	}
	if s.Outline.Edges[own].Asleep { // inside a body, whose outline is nearer
		return gap
	}
	a, b := s.span(own)
	return s.leastGap(s.Outline.Edges[own].Kind, true, all.Gap(boundingbox.BoxOf(a, b)), gap, looks, func(x r2.Vec) float64 {
		return toSegment(x, a, b)
	})
}

// leastGap returns the smaller of gap and the gap between spheres and an object of a kind
// [m]. distance returns the object's distance from a position. least is a lower bound of it
// for all spheres.
func (s *Spheres) leastGap(kind int32, free bool, least, gap float64, looks *int, distance func(x r2.Vec) float64) float64 {
	if least >= gap {
		return gap
	}
	if *looks -= s.n; *looks < 0 {
		return max(least, 0)
	}
	for i := range s.n {
		if s.InverseMass[i] == 0 && !free {
			continue
		}
		if clearance := distance(s.X[i]) - s.Radius[i]; clearance < gap && s.rule(s.Kind[i], kind) >= 0 {
			gap = clearance
		}
	}
	return gap
}
