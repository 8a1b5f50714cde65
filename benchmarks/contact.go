package benchmarks

import (
	"math"
	"time"
)

// searchTime returns nanoseconds per boundary edge and step, the making of new lists
// included, over the fastest of some periods from one making to the next.
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
