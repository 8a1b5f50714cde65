package segments

import (
	"math"

	"fdem/boundingbox"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Sleeping halves (compare sleep.go of package contactnodes): a half whose own edge is away from the
// region of the other edge by a gap is not evaluated before its components can have closed it. The
// distance in front of an edge at which a half counts for the time step grows with speeds; such
// growth counts as travel.

type sleep struct {
	travel    *boundingbox.Travel
	until     []float64 // per half: least Travel.Fastest at which its gap may be closed, -1 if awake [m]
	of        []sleeper // per half
	tests     []uint8   // per half: number of further evaluations before it may sleep
	ahead     []float64 // per component: upper bound of its part of the distance in front of an edge [m]
	grown     []float64 // per component: total growth of that [m]
	travelled []float64 // per component: travel plus growth [m]
}

// sleeper is a half that sleeps.
type sleeper struct {
	wakes      float64  // weighted sum of the travels of its components that may close its gap [m]
	weight     float64  // weight of the travel of the other edge's component
	components [2]int32 // of the own and of the other edge
}

const (
	minSteps      = 8    // least duration of a useful sleep, in steps like the last one
	someTests     = 32   // number of evaluations of a half too near to sleep before its gap is measured again
	gapRounding   = 1e-6 // relative to an edge's length
	maxEdgeMotion = 0.02 // greatest displacement of an edge's ends while a half sleeps, relative to the shortest edge
	turnWeight    = 2.05 // displacement of a line at a distance of its edge's length, as the ends of the edge move by 1, with a margin
	secondWeight  = 0.05 // margin for effects of second order
)

// list wakes all halves of a new list.
func (s *sleep) list(k *Contact, travel *boundingbox.Travel) {
	n := 2 * len(k.pairs)
	s.travel = travel
	if len(s.until) < n {
		s.until, s.of, s.tests = make([]float64, n), make([]sleeper, n), make([]uint8, n)
	}
	for i := range k.pairs {
		e := &k.pairs[i].edge
		a, b := k.Edges[e[0]].Component, k.Edges[e[1]].Component
		s.of[2*i], s.of[2*i+1] = sleeper{components: [2]int32{a, b}}, sleeper{components: [2]int32{b, a}}
		for own, stiffness := range k.pairs[i].stiffness {
			s.until[2*i+own], s.tests[2*i+own] = -1, 0
			if stiffness == 0 { // it never has anything
				s.until[2*i+own], s.of[2*i+own].wakes = math.Inf(1), math.Inf(1)
			}
		}
	}
	if components := len(travel.Total); len(s.ahead) != components {
		s.ahead, s.grown, s.travelled = make([]float64, components), make([]float64, components), make([]float64, components)
	}
	clear(s.grown)
}

// wake wakes the halves whose gap may be closed, and lists those that are awake.
func (s *sleep) wake(k *Contact) {
	fastest := s.travel.Fastest
	if s.grow(k) {
		fastest = math.Inf(1)
	}
	for p, total := range s.travel.Total {
		s.travelled[p] = total + s.grown[p]
	}
	k.awake = k.awake[:0]
	for i, until := range s.until[:2*len(k.pairs)] {
		if until > fastest {
			continue
		}
		if until >= 0 {
			of := &s.of[i]
			if left := of.wakes - (s.travelled[of.components[0]] + float64(of.weight*s.travelled[of.components[1]])); left > 0 {
				s.until[i] = s.travel.Fastest + left/(1+of.weight)
				continue
			}
			s.until[i] = -1
		}
		k.awake = append(k.awake, int32(i))
	}
}

// grow updates the bounds of the distance in front of edges. It tells whether one has grown.
func (s *sleep) grow(k *Contact) (grown bool) {
	const more, less = 1.5, 5 // factors that make changes rare
	for p, v := range s.travel.Speed {
		far := 0.0
		if k.now.most > 0 { // half of that of a pair, with the component's own part of the speed
			far = min(k.now.most, predictionSteps*(float64(2*v*k.now.next.Step)+float64(0.5*leastApproach*k.now.next.Approach)))
		}
		switch old := s.ahead[p]; {
		case far > old:
			s.ahead[p] = more * far
			s.grown[p] += s.ahead[p] - old
			grown = true
		case far < old/less:
			s.ahead[p] = more * far
		}
	}
	return grown
}

// fall lets a half that has nothing fall asleep, if its gap is large enough.
func (s *sleep) fall(k *Contact, at int32) {
	if s.tests[at] > 1 {
		s.tests[at]--
		return
	}
	s.tests[at] = someTests
	of := &s.of[at]
	i, j := of.components[0], of.components[1]
	gap, weight := k.gap(&k.pairs[at>>1], int(at&1), s.ahead[i]+s.ahead[j], func(weight float64) float64 {
		return minSteps * (s.travel.Last[i] + float64(weight*s.travel.Last[j]))
	})
	if !(gap > 0) {
		return
	}
	s.tests[at] = 0
	of.weight = weight
	of.wakes = s.travelled[i] + float64(weight*s.travelled[j]) + gap
	s.until[at] = s.travel.Fastest + gap/(1+weight)
}

// gap returns a lower bound of the distance of the own edge of a half from the region of the other
// edge, extended by ahead in front of it; 0 if it is not above least(weight) [m]. weight is the
// displacement of the region's border at the own edge relative to that of the nodes of the other
// edge and its neighbours.
func (k *Contact) gap(p *pair, own int, ahead float64, least func(weight float64) float64) (gap, weight float64) {
	x, e, other := k.now.x, &k.outline.Edges[p.edge[own]], p.edge[1-own]
	o, f := &k.outline.Edges[other], &k.frames.of[other]
	ra, rb := r2.Sub(x[e.A], x[o.A]), r2.Sub(x[e.B], x[o.A])
	da, db := elementary.Cross(f.along, ra), elementary.Cross(f.along, rb)
	sa, sb := elementary.Dot(f.along, ra), elementary.Dot(f.along, rb)
	limit, shortest := 2*k.Depth[other]+k.mostOffset, f.length
	for _, n := range [2]int32{o.Prev, o.Next} {
		if n >= 0 {
			k.unify(n)
			shortest = min(shortest, k.frames.length[n])
		}
	}
	// By a rotation of the edges a border moves in proportion to the distance along it.
	off, start, end := max(da, -da, db, -db), min(sa, sb), max(sa, sb)
	turned := max(0, -start, end-f.length)
	border := func(n, a, b r2.Vec) [2]float64 {
		per := 1 / math.Sqrt(elementary.Dot(n, n))
		turned = max(turned, math.Abs(elementary.Cross(n, a))*per, math.Abs(elementary.Cross(n, b))*per)
		return [2]float64{float64(elementary.Dot(n, a) * per), float64(elementary.Dot(n, b) * per)}
	}
	low, before := ahead, [2]float64{}
	if f.sector { // the region goes on around the corner
		low, before, turned = ahead+limit, [2]float64{sa + limit + ahead, sb + limit + ahead}, max(turned, off)
	} else {
		before = border(f.start, ra, rb)
	}
	after := border(f.end, r2.Sub(x[o.B], x[e.A]), r2.Sub(x[o.B], x[e.B]))
	weight = 1 + (float64(turnWeight*turned)+float64(secondWeight*(off+max(-start, end, f.length))))/shortest
	within := func(g float64) bool {
		lo, hi := clip(0, 1, da+low+g, db+low+g)
		lo, hi = clip(lo, hi, limit+g-da, limit+g-db)
		lo, hi = clip(lo, hi, before[0]+g, before[1]+g)
		lo, hi = clip(lo, hi, after[0]+g, after[1]+g)
		return lo <= hi
	}
	rounding, most := float64(gapRounding*f.length), float64(maxEdgeMotion*shortest*weight)
	for g := least(weight) + rounding; g < most && !within(g+rounding); g = 4 * g {
		gap = g
	}
	return gap, weight
}
