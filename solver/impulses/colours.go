package impulses

import (
	"math/bits"
	"slices"

	"fdem/boundingbox"
	"fdem/solver/threads"
)

// Colours of contacts, for several workers (graph colouring). Manifolds of one colour have no free body in
// common, so workers share its sweep, and the impulses do not depend on their number. Colours are given
// greedily in the order of the manifolds, one after the other is swept. A step with few contact points keeps
// the plain order. That depends on the points alone. Colours cost no sweeps (a wall of 1,020 bricks: 144 in the first
// step, 1.38 later; 152 and 1.36 in plain order), and one worker is quicker with them, too, since a point does not
// wait for the last one: 112 ns a point and sweep for 131 of 10,000 polygons.

const (
	colouredFrom = 2000 // contact points from which a step is coloured: fewer are swept faster than workers wake
	leastShared  = 500  // points of a colour that workers share
	sumBlock     = 1024 // points of one sum, see conjugate
	chunksEach   = 2    // of a colour, for each worker
	mostColours  = 64   // the last one has all that find no other, and one worker
)

// colours are those of a step, with the work that workers share.
type colours struct {
	shared  boundingbox.Chunks
	taken   []uint64 // per body: colours of its manifolds
	of      []uint8  // per range
	ends    []int    // per colour: end of its ranges, which are in the order of colours; nil without colours
	points  []point  // buffer
	ranges  [][2]int
	owner   []int32
	sums    []float64 // per block of points
	most    []float64 // per chunk of a colour, sumStride apart
	first   int       // of the ranges of the present colour
	end     int
	share   float64 // of an impulse that is taken
	beta    float64 // part of the last direction
	doSweep func(chunk int)
	doAdd   func(chunk int)
	doSum   func(chunk int)
}

// sumStride keeps the results of two chunks on different cache lines.
const sumStride = 8

// UseThreads lets the workers of a team share sweeps.
func (k *Contacts) UseThreads(t *threads.Team) {
	k.colours.shared.By(t.Workers, t.Run)
	k.prepareWorkers()
}

// prepareWorkers prepares what workers do.
func (k *Contacts) prepareWorkers() {
	c := &k.colours
	c.most = make([]float64, sumStride*max(1, chunksEach*c.shared.Workers))
	c.doSweep, c.doAdd, c.doSum = k.sweepChunk, k.addChunk, k.sumBlock
}

// colour gives the manifolds of this step colours, if they have many points, and sorts them and their points by
// colour.
func (k *Contacts) colour() {
	c := &k.colours
	c.ends = c.ends[:0]
	if len(k.points) < colouredFrom {
		return
	}
	c.taken = slices.Grow(c.taken[:0], len(k.moving))[:len(k.moving)]
	clear(c.taken)
	var counts [mostColours]int
	c.of = c.of[:0]
	for _, r := range k.ranges {
		p := &k.points[r[0]]
		var taken uint64
		for _, b := range [2]int32{p.a, p.b} {
			if k.moving[b].inverse > 0 {
				taken |= c.taken[b]
			}
		}
		colour := min(bits.TrailingZeros64(^taken), mostColours-1)
		c.of = append(c.of, uint8(colour))
		counts[colour]++
		c.taken[p.a] |= 1 << colour
		c.taken[p.b] |= 1 << colour
	}
	var at [mostColours]int
	for i, n := range counts {
		if i > 0 {
			at[i] = c.ends[i-1]
		}
		c.ends = append(c.ends, at[i]+n)
	}
	c.ranges = slices.Grow(c.ranges[:0], len(k.ranges))[:len(k.ranges)]
	c.owner = slices.Grow(c.owner[:0], len(k.ranges))[:len(k.ranges)]
	for i, r := range k.ranges {
		to := &at[c.of[i]]
		c.ranges[*to], c.owner[*to] = r, k.owner[i]
		*to++
	}
	c.points = c.points[:0]
	for i, r := range c.ranges {
		first := len(c.points)
		c.points = append(c.points, k.points[r[0]:r[1]]...)
		c.ranges[i] = [2]int{first, len(c.points)}
	}
	k.points, c.points = c.points, k.points
	k.ranges, c.ranges = c.ranges, k.ranges
	k.owner, c.owner = c.owner, k.owner
}

// eachColour does work on all ranges, those of one colour in chunks of workers.
func (k *Contacts) eachColour(do func(chunk int)) (most float64) {
	c := &k.colours
	c.end = 0
	for i, end := range c.ends {
		c.first, c.end = c.end, end
		if c.first == c.end {
			continue
		}
		n, points := 1, k.ranges[c.end-1][1]-k.ranges[c.first][0]
		if c.shared.Workers > 1 && points >= leastShared && i < mostColours-1 {
			n = min(chunksEach*c.shared.Workers, points/(leastShared/4))
		}
		c.shared.Do(n, n > 1, do)
		for j := range n {
			most = max(most, c.most[sumStride*j])
		}
	}
	return most
}

// sweepChunk sweeps a chunk of the present colour.
func (k *Contacts) sweepChunk(chunk int) {
	c := &k.colours
	first, end := c.shared.Share(chunk, c.end-c.first)
	c.most[sumStride*chunk] = k.sweepRanges(c.first+first, c.first+end, c.share)
}

// addChunk adds the last direction to a chunk of the present colour.
func (k *Contacts) addChunk(chunk int) {
	c := &k.colours
	first, end := c.shared.Share(chunk, c.end-c.first)
	k.addDirections(k.ranges[c.first+first : c.first+end])
}

// blocks returns the number of blocks of points, and whether workers share them.
func (k *Contacts) blocks() (n int, shared bool) {
	n = (len(k.points) + sumBlock - 1) / sumBlock
	return n, len(k.colours.ends) > 0 && k.colours.shared.Workers > 1
}
