package boundingbox

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// Several workers make a neighbour list: they find the cells of the boxes, then the pairs, then the
// order of each edge's pairs. The list is sorted, so the number of workers does not change it. In
// every step they merge what they have measured of the motion, component by component.

// making has the data that the workers share while they make a list.
type making struct {
	shared Chunks
	chunks int        // number of chunks of a phase: 1 if one worker does everything
	x      []r2.Vec   // positions of the nodes
	found  [][]Pair   // pairs found by each chunk
	first  []int32    // per edge: its first pair in the list as I; two more entries at the end
	seen   []*Tracker // trackers to be merged
	went   []float64  // per chunk: the greatest displacement of a node of its components [m]

	doEnter, doFind, doOrder, doMerge func(chunk int) // phases, made once
}

// fewEdges and fewComponents are the numbers below which one worker makes the list and merges the
// motion.
const (
	fewEdges      = 400
	fewComponents = 2000
)

// Workers sets n workers that make the lists. run calls its argument with 0...n-1, at the same time
// or not, and returns when all calls have returned. The number of workers does not change a list.
func (s *Search) Workers(n int, run func(do func(worker int))) {
	m := &s.making
	m.shared.By(n, run)
	m.doEnter, m.doFind, m.doOrder, m.doMerge = s.enterBoxes, s.findPairs, s.orderPairs, s.mergePart
}

// divide chooses the number of chunks of the next phases: several if there is much work.
func (m *making) divide(much bool) {
	m.chunks = 1
	if m.shared.Workers > 1 && much {
		m.chunks = ChunksEach * m.shared.Workers
	}
}

// spread executes a phase in chunks.
func (m *making) spread(phase func(chunk int)) { m.shared.Do(m.chunks, m.chunks > 1, phase) }

// makeList makes the list for positions x.
func (s *Search) makeList(x []r2.Vec) {
	m := &s.making
	m.x = x
	m.divide(len(s.finders.edges)+len(s.found.edges) >= fewEdges)
	for len(m.found) < m.chunks {
		m.found = append(m.found, nil)
	}
	for _, p := range [2]*edgeSet{&s.finders, &s.found} {
		p.boxes = slices.Grow(p.boxes[:0], len(p.edges))[:len(p.edges)]
		p.grid.begin(p.boxes)
	}
	m.spread(m.doEnter)
	s.finders.grid.sort()
	s.found.grid.sort()
	m.spread(m.doFind)
	s.joinPairs()
	m.spread(m.doOrder)
	m.x = nil
}

// enterBoxes finds the boxes of a chunk's edges and their cells.
func (s *Search) enterBoxes(chunk int) {
	x := s.making.x
	for _, p := range [2]*edgeSet{&s.finders, &s.found} {
		first, end := s.making.shared.Share(chunk, len(p.edges))
		for k, i := range p.edges[first:end] {
			e := &s.edges[i]
			p.boxes[first+k] = BoxOf(x[e.A], x[e.B]).Grow(s.reach[i] + float64(0.5*s.skin))
		}
		p.grid.enter(first, end)
	}
}

// findPairs finds the pairs of the boxes of a chunk.
func (s *Search) findPairs(chunk int) {
	m := &s.making
	list := m.found[chunk][:0]
	note := func(i, j int32) {
		if mayPair(&s.edges[i], &s.edges[j]) {
			list = append(list, Pair{min(i, j), max(i, j)})
		}
	}
	finders, found := &s.finders, &s.found
	first, end := m.shared.Share(chunk, len(finders.edges))
	finders.grid.pairsOf(first, end, func(i, j int32) { note(finders.edges[i], finders.edges[j]) })
	finders.grid.pairsWith(&found.grid, first, end, true, func(i, j int32) { note(finders.edges[i], found.edges[j]) })
	first, end = m.shared.Share(chunk, len(found.edges))
	found.grid.pairsWith(&finders.grid, first, end, false, func(i, j int32) { note(found.edges[i], finders.edges[j]) })
	m.found[chunk] = list
}

// joinPairs puts the pairs of all chunks into the list, by I.
func (s *Search) joinPairs() {
	m := &s.making
	m.first = slices.Grow(m.first[:0], len(s.edges)+2)[:len(s.edges)+2]
	clear(m.first)
	for _, list := range m.found[:m.chunks] {
		for _, p := range list {
			m.first[p.I+2]++
		}
	}
	for i := range s.edges {
		m.first[i+2] += m.first[i+1]
	}
	total := int(m.first[len(s.edges)+1])
	s.pairs.List = slices.Grow(s.pairs.List[:0], total)[:total]
	for _, list := range m.found[:m.chunks] {
		for _, p := range list {
			s.pairs.List[m.first[p.I+1]] = p
			m.first[p.I+1]++
		}
	}
}

// orderPairs sorts the pairs of each of a chunk's edges by J.
func (s *Search) orderPairs(chunk int) {
	m := &s.making
	first, end := m.shared.Share(chunk, len(s.edges))
	for i := first; i < end; i++ {
		if of := s.pairs.List[m.first[i]:m.first[i+1]]; len(of) > 1 {
			slices.SortFunc(of, func(p, q Pair) int { return int(p.J) - int(q.J) })
		}
	}
}

// mergeTravel merges the motion of all components that the workers have measured.
func (s *Search) mergeTravel(trackers []*Tracker) {
	m, w := &s.making, s.pairs.Travel
	m.divide(len(w.Total) >= fewComponents)
	m.seen, m.went = trackers, slices.Grow(m.went[:0], m.chunks)[:m.chunks]
	m.spread(m.doMerge)
	m.seen = nil
	w.FastestLast = slices.Max(m.went)
	w.Fastest += w.FastestLast
	w.tracked = true
}

// mergePart is mergeTravel for a chunk of the components.
func (s *Search) mergePart(chunk int) {
	m := &s.making
	first, end := m.shared.Share(chunk, len(s.pairs.Travel.Total))
	m.went[chunk] = s.pairs.Travel.merge(m.seen, first, end)
}
