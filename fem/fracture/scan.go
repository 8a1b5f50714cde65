package fracture

import (
	"cmp"
	"math"
	"slices"

	"fdem/fem"

	"gonum.org/v1/gonum/spatial/r2"
)

// The search for vertices to open. Triangles whose stress passes a stress threshold are known from
// the forces (fem.Triangles.AboveThreshold). Around their vertices stress is taken by all workers,
// block by block, and of those with a mean stress near the strength the forces on
// corners; each worker then looks for its vertices' candidates, see candidate.go. What
// opens is decided and done in one order.

// scan is the memory of a search for vertices to open, kept for the next.
type scan struct {
	above       []fem.Span
	stamp       int32
	seen        []int32 // of each fan, the stamp of the search that has looked at it
	listed      []int32 // of each block of triangles, that of the list which has it
	blocks      []int32 // whose stress or forces are wanted
	stress      []fem.BlockStress
	corner      []fem.BlockForces
	fans        []strain // to look at
	candidates  []candidate
	chosen      []candidate
	chosenGrid  grid // of chosen
	searchers   []searcher
	x           []r2.Vec // positions
	fan         fan      // of open
	order       []int32
	searchAll   bool    // vertices that sleep are looked at, too
	searched    []int32 // fans
	changed     []int32 // those of them that fall asleep, or are awake again
	round       int32   // stamp of seen
	updatedAt   []int32 // of each triangle, the stamp of the search that has let it sleep, or woken it
	laneIndices []int32 // where these stand
	missing     []int32 // nodes, see exchange.go
	around      []int32 // and triangles
}

// strain is a fan that may be strained enough, with its mean stress.
type strain struct {
	fan        int32
	mean       fem.Stress
	searched   bool // whether it is known that cracks shield it
	marginOnly bool // the mean stress is not near the strength: only a margin is wanted
}

// searcher is what a worker looks with, and finds.
type searcher struct {
	fan
	strained   []strain
	candidates []candidate
	_          [64]byte
}

// fan is what is known of a vertex's fan now.
type fan struct {
	ray     []r2.Vec  // of its spokes [m]
	extends []bool    // of its spokes: a crack ends at the vertex along it
	fluid   []float64 // of its spokes: the pressure of what is in that crack [Pa]
	force   []r2.Vec  // of its triangles [N]
	mass    []float64
}

// Open opens the vertices at which the gluing force has reached the strength at
// positions x and the given time, the forces of the cracks at x known from
// AddForces. It gives the new nodes the position and velocity of the old, and
// sets the masses of both in mass. It returns how many vertices have opened;
// NodeSplits then tells the new nodes. Forces and the limit are then to be taken
// anew, which changes them no more than rounding does.
func (z *Zone) Open(x, v []r2.Vec, mass []float64, time float64) int {
	s := &z.scan
	s.above = z.triangles.AboveThreshold(x, z.thresholds, s.above[:0])
	s.searchAll = true
	defer func() { s.searchAll = false }()
	return z.OpenAbove(s.above, x, v, mass, time)
}

// OpenAbove is Open where the triangles that are woken are known (fem.Triangles.Passed): by
// their stress thresholds or, where vertices sleep, by a change of their stress.
func (z *Zone) OpenAbove(above []fem.Span, x, v []r2.Vec, mass []float64, time float64) int {
	z.splits = z.splits[:0]
	if len(above)+len(z.fluid.tips) == 0 {
		return 0
	}
	s := &z.scan
	z.allocate()
	s.x = x
	z.getAround(above)
	z.listFans(above)
	z.parallel(len(s.fans) >= fewFans, z.doStress)
	z.parallel(len(s.fans) >= fewFans, z.doStrain)
	z.listStrained()
	z.parallel(len(s.fans) >= fewFans, z.doCorners)
	z.parallel(len(s.fans) >= fewFans, z.doSearch)
	z.updateSleep()
	s.candidates = s.candidates[:0]
	for i := range s.searchers {
		s.candidates = append(s.candidates, s.searchers[i].candidates...)
	}
	if len(s.candidates) == 0 {
		return 0
	}
	slices.SortFunc(s.candidates, func(p, q candidate) int {
		return cmp.Or(cmp.Compare(rank(q.chordUse), rank(p.chordUse)), cmp.Compare(p.fan, q.fan))
	})
	before := len(z.opened)
	s.chosen = s.chosen[:0]
	s.chosenGrid.empty()
	for first, end := 0, 0; first < len(s.candidates); first = end {
		end = first + s.mirrorCount(first)
		var may [2]bool // before one of them has opened
		for i := first; i < end; i++ {
			may[i-first] = z.allowed(&s.candidates[i])
		}
		for i := first; i < end; i++ {
			if c := &s.candidates[i]; may[i-first] {
				s.chosenGrid.add(int32(len(s.chosen)), z.fanPosition(c.fan))
				s.chosen = append(s.chosen, *c)
				c.time = time
				z.open(c, x, v, mass)
			}
		}
	}
	if len(s.chosen) > 0 {
		z.startEmission(v)
		z.mergeOrder()
		z.relocate()
		z.setLimit(mass, before)
		z.sortCracks()
		z.wake(before)
	}
	return len(s.chosen)
}

// allocate makes the room of a search.
func (z *Zone) allocate() {
	if s := &z.scan; s.seen == nil {
		s.seen = make([]int32, len(z.fans.vertex))
		s.listed, s.stress = make([]int32, z.triangles.Blocks()), make([]fem.BlockStress, z.triangles.Blocks())
		s.corner = make([]fem.BlockForces, z.triangles.Blocks())
		s.chosenGrid = newGrid(z.x0, z.fans.vertex, z.grid.cell*stepRadius/shieldRadius)
	}
}

// fewFans is the number of fans that are not worth sharing.
const fewFans = 300

// listFans lists the vertices of triangles that are hot, and the blocks whose stress they
// need. p + r and r of Mohr's circle are convex: a mean of stresses of which none is near
// the strength is not near.
func (z *Zone) listFans(above []fem.Span) {
	s, f := &z.scan, z.fans
	s.stamp++
	s.round = s.stamp
	s.blocks, s.fans, s.searched = s.blocks[:0], s.fans[:0], s.searched[:0]
	for _, h := range above {
		for t := h.First; t < h.End; t++ {
			way := math.NaN() // from where the triangle rests, once it is wanted
			for c, k := range f.at[t] {
				if k < 0 || s.seen[k] == s.stamp {
					continue
				}
				if z.sleepers[k].asleep && !s.searchAll {
					if math.IsNaN(way) {
						way = z.triangles.StressChange(z.triangles.LaneIndex(int(t)), s.x)
					}
					if way <= float64(z.sleepMargin[t][c]) {
						continue
					}
				}
				s.seen[k] = s.stamp
				if f.closedSpokes[k] == 0 || z.excavations != nil && z.excavations[k] != 0 {
					continue
				}
				s.fans, s.searched = append(s.fans, strain{fan: k}), append(s.searched, k)
				z.listBlocks(k)
			}
		}
	}
	for _, k := range z.fluid.tips {
		if s.seen[k] != s.stamp && f.closedSpokes[k] != 0 && (z.excavations == nil || z.excavations[k] == 0) {
			s.seen[k] = s.stamp
			s.fans, s.searched = append(s.fans, strain{fan: k}), append(s.searched, k)
			z.listBlocks(k)
		}
	}
	s.blocks = slices.Grow(s.blocks, fem.Ahead)
}

// listBlocks lists the blocks of the triangles of a fan, once.
func (z *Zone) listBlocks(k int32) {
	s, f := &z.scan, z.fans
	for _, place := range f.laneIndex[f.first[k]:f.first[k+1]] {
		if b := uint32(place) / lanes; s.listed[b] != s.stamp {
			s.listed[b] = s.stamp
			s.blocks = append(s.blocks, int32(b))
		}
	}
}

// computeStress takes the stress of a worker's blocks.
func (z *Zone) computeStress(worker int) {
	s := &z.scan
	first, end := z.portion(worker, len(s.blocks))
	z.triangles.ComputeStresses(s.blocks[first:end+fem.Ahead], s.x, s.stress)
}

// selectStrained finds those of a worker's vertices whose mean stress is near the
// strength: a tenth of them where a body breaks all over.
func (z *Zone) selectStrained(worker int) {
	s, f := &z.scan, z.fans
	l := &s.searchers[worker]
	l.strained = l.strained[:0]
	first, end := z.portion(worker, len(s.fans))
	for i := range s.fans[first:end] {
		k := s.fans[first+i].fan
		var xx, yy, xy float64
		for j := f.first[k]; j < f.first[k+1]; j++ {
			place, w := uint32(f.laneIndex[j]), f.volume[j]
			q, l := &s.stress[place/lanes], place%lanes
			xx += float64(w * q.XX[l])
			yy += float64(w * q.YY[l])
			xy += float64(w * q.XY[l])
		}
		volume := f.whole[k]
		mean := fem.Stress{XX: xx / volume, YY: yy / volume, XY: xy / volume}
		z.sleepers[k].margin = 0
		tip := z.tipPressure(k)
		if f.hasCrack(k) && (tip != 0 || z.anyAboveThreshold(k, 1/thresholdMargin)) || z.strained(k, effective(mean, tip)) {
			l.strained = append(l.strained, strain{fan: k, mean: mean})
		} else if z.nearThreshold(k) {
			margin, enough := z.patchMargin(k, mean)
			z.sleepers[k].margin = margin
			if !enough {
				l.strained = append(l.strained, strain{fan: k, mean: mean, marginOnly: true})
			}
		}
	}
}

// listStrained keeps those vertices, and lists the blocks whose forces they need.
func (z *Zone) listStrained() {
	s := &z.scan
	s.stamp++
	s.blocks, s.fans = s.blocks[:0], s.fans[:0]
	for i := range s.searchers {
		s.fans = append(s.fans, s.searchers[i].strained...)
	}
	for i := range s.fans {
		z.listBlocks(s.fans[i].fan)
	}
	s.blocks = slices.Grow(s.blocks, fem.Ahead)
}

// computeCorners takes the forces of a worker's blocks on their corners.
func (z *Zone) computeCorners(worker int) {
	s := &z.scan
	first, end := z.portion(worker, len(s.blocks))
	z.triangles.ComputeCornerForces(s.blocks[first:end+fem.Ahead], s.x, s.corner)
}

// searchFans finds the best candidates of a worker's vertices.
func (z *Zone) searchFans(worker int) {
	s := &z.scan
	l := &s.searchers[worker]
	l.candidates = l.candidates[:0]
	first, end := z.portion(worker, len(s.fans))
	for i := range s.fans[first:end] {
		of, before := &s.fans[first+i], len(l.candidates)
		if of.marginOnly {
			z.setRays(of.fan, l)
			z.forcesAt(of.fan, &l.fan)
		} else {
			z.searchFan(of, l)
		}
		if len(l.candidates) == before {
			sleeper := &z.sleepers[of.fan]
			sleeper.margin = max(sleeper.margin, z.chordMargin(of, l))
		}
	}
}

// rank is used with the digits that rounding makes cut off. In a uniform stress
// vertices then open in the order of their numbers, which runs through a body
// from end to end, and lie as dense as shields allow; an order by rounding would
// be random, and leave gaps.
func rank(used float64) float64 { return math.Floor(used * 0x1p24) }

// fanPosition returns the first position of a fan's vertex [m].
func (z *Zone) fanPosition(k int32) r2.Vec { return z.x0[z.fans.vertex[k]] }

// measureGaps finds the candidates of a vertex: one of its whole fan, or one of each of its
// parts.
func (z *Zone) searchFan(of *strain, l *searcher) {
	f := z.fans
	k := of.fan
	z.forcesAt(k, &l.fan)
	open := f.anyOpen(k)
	whole := !open && f.closed(k)
	if whole || !f.hasCrack(k) { // for chordMargin: what a crack touches has none
		z.setRays(k, l)
	}
	if whole {
		z.searchWhole(of, l)
		return
	}
	enough, start := z.boundsOf(k), z.start(k)
	for i := 0; i < len(l.force); {
		first, count := z.runFrom(k, start, i)
		if count > 1 {
			z.searchPart(of, l, first, count, open, &enough)
		}
		i += count
	}
}

// setRays takes the spokes of fan k as they lie now.
func (z *Zone) setRays(k int32, l *searcher) {
	f := z.fans
	from, end := f.first[k], f.first[k+1]
	n := int(end - from)
	l.ray, l.extends = slices.Grow(l.ray[:0], n)[:n], slices.Grow(l.extends[:0], n)[:n]
	l.fluid = l.fluid[:0]
	for i := from; i < end; i++ {
		l.ray[i-from], l.extends[i-from] = z.ray(k, i), f.farOpen[i]
		if z.fluid.pressure != nil {
			l.fluid = append(l.fluid, z.farPressure(f.spoke[i], k))
		}
	}
}

// ray returns spoke i of all, of fan k, as it lies now; of one that is open at its far end
// the middle of that [m].
func (z *Zone) ray(k, i int32) r2.Vec {
	f, x := z.fans, z.scan.x
	c := f.corner[i]
	node := &z.nodes[f.tri[i]]
	v, o := x[node[c]], x[node[(c+2)%3]]
	if f.farOpen[i] {
		j := i + 1 // the triangle on its other side
		if j == f.first[k+1] {
			j = f.first[k]
		}
		q := x[z.nodes[f.tri[j]][(f.corner[j]+1)%3]]
		o = r2.Vec{X: float64(0.5 * (o.X + q.X)), Y: float64(0.5 * (o.Y + q.Y))}
	}
	return r2.Vec{X: o.X - v.X, Y: o.Y - v.Y}
}

// effective returns a stress over the pressure of a fluid [Pa].
func effective(s fem.Stress, fluid float64) fem.Stress {
	s.XX, s.YY = s.XX+fluid, s.YY+fluid
	return s
}

// sum returns a + b.
func sum(a, b r2.Vec) r2.Vec { return r2.Vec{X: a.X + b.X, Y: a.Y + b.Y} }

// run returns the place in fan k of the first triangle of the part that begins
// at the i-th, counted from the fan's first part, and the number of its
// triangles.
func (z *Zone) run(k int32, i int) (first, count int) { return z.runFrom(k, z.start(k), i) }

// start returns the place in fan k of the first triangle of its first part.
func (z *Zone) start(k int32) int {
	spoke, open := z.fans.spokesOf(k), z.fans.openOf(k)
	for j, s := range spoke {
		if s == outline || open[j] {
			return j + 1
		}
	}
	return 0
}

// runFrom is run where the fan's first part begins at a position.
func (z *Zone) runFrom(k int32, start, i int) (first, count int) {
	spoke, open := z.fans.spokesOf(k), z.fans.openOf(k)
	n := len(spoke)
	if first = start + i; first >= n {
		first %= n
	}
	j := first
	for count = 1; count < n && spoke[j] != outline && !open[j]; count++ {
		if j++; j == n {
			j = 0
		}
	}
	return first, count
}
