package benchmarks

import (
	"math"
	"time"

	"fdem/contactnodes"
	"fdem/io/throw"
)

// contactTimes returns the time of the search per boundary edge and step, the
// making of new lists included, and of the narrow phase per contact node of a
// candidate edge [ns], in a packing of n by n bodies.
func contactTimes(n int) (search, narrow float64) {
	p := newPacking(n)
	pairs, out := p.search.Pairs(p.x), p.forces()
	seconds := fastest(1, func() {
		throw.If(p.contact.AddForces(out, p.x, p.v, pairs, 0, 0, contactnodes.Prediction{}))
	})
	narrow = 1e9 * seconds / float64(2*len(pairs.List)*contactNodes)
	return p.searchTime(), narrow
}

// searchTime returns nanoseconds per edge and step over the fastest of some
// periods from one making of the list to the next.
func (p *packing) searchTime() float64 {
	now, release := clock(1)
	defer release()
	best := math.Inf(1)
	p.search.Pairs(p.x)
	for end := time.Now().Add(3 * figureTime); ; {
		steps, spent, build := 0, 0.0, p.search.Rebuilds()
		for p.search.Rebuilds() == build {
			p.move()
			began := now()
			p.search.Pairs(p.x)
			spent += now() - began
			steps++
		}
		best = min(best, 1e9*spent/float64(steps*len(p.mesh.Edges)))
		if time.Now().After(end) {
			return best
		}
	}
}
