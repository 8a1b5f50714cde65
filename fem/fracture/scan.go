package fracture

import (
	"cmp"
	"math"
	"slices"

	"fdem/fem"

	"gonum.org/v1/gonum/spatial/r2"
)

// The search for vertices to open has four phases. The computation of forces finds the
// triangles above their stress threshold (fem.Triangles.AboveThreshold). All workers compute
// the stress around the vertices of these triangles, block by block. Where the mean stress is
// near the strength, they compute the forces on corners. Each worker then finds the candidates
// of its vertices, see candidate.go. Vertices open one after the other in a fixed order.

// scan has the buffers of the search for vertices to open.
type scan struct {
	above       []fem.Span
	stamp       int32
	seen        []int32 // of each fan, the stamp of the last search that has seen it
	listed      []int32 // of each block of triangles, that of the list which has it
	blocks      []int32 // whose stress or forces the search needs
	stress      []fem.BlockStress
	corner      []fem.BlockForces
	fans        []strain // to search
	candidates  []candidate
	chosen      []candidate
	chosenGrid  grid // of chosen
	searchers   []searcher
	x           []r2.Vec // positions
	fan         fan      // of open
	order       []int32
	searchAll   bool    // sleeping vertices are searched as well
	searched    []int32 // fans
	changed     []int32 // those of them that begin or end their sleep
	round       int32   // stamp of seen
	updatedAt   []int32 // of each triangle, the stamp of the search that has set its margin
	laneIndices []int32 // indices of these
	missing     []int32 // missing nodes, see exchange.go
	around      []int32 // missing triangles
}

// strain is a fan that may be near its strength, with its mean stress.
type strain struct {
	fan        int32
	mean       fem.Stress
	searched   bool // whether it is known that cracks shield it
	marginOnly bool // the mean stress is not near the strength: only a margin is to be computed
}

// searcher has the buffers and the findings of one worker.
type searcher struct {
	fan
	strained   []strain
	candidates []candidate
	_          [64]byte
}

// fan has the current geometry, forces and masses of a vertex's fan.
type fan struct {
	ray     []r2.Vec  // of its spokes [m]
	extends []bool    // of its spokes: a crack ends at the vertex along it
	fluid   []float64 // of its spokes: the pressure of what is in that crack [Pa]
	force   []r2.Vec  // of its triangles [N]
	mass    []float64
}

// Open opens the vertices whose internal force has reached the strength at positions
// x [m] and the given time [s]. AddForces at the same x must come before. New nodes
// get the position and velocity [m/s] of the node that they were split off, and mass
// gets the masses of both [kg]. Open returns how many vertices have opened; NodeSplits
// returns the new nodes. The caller then computes forces and the limit again, which
// changes them by rounding only.
func (z *Zone) Open(x, v []r2.Vec, mass []float64, time float64) int {
	s := &z.scan
	s.above = z.triangles.AboveThreshold(x, z.thresholds, s.above[:0])
	s.searchAll = true
	defer func() { s.searchAll = false }()
	return z.OpenAbove(s.above, x, v, mass, time)
}

// OpenAbove is Open for known triangles (fem.Triangles.Passed): those above their stress
// threshold or, where vertices sleep, those whose stress has changed by their margin.
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

// allocate allocates the buffers of the first search.
func (z *Zone) allocate() {
	if s := &z.scan; s.seen == nil {
		s.seen = make([]int32, len(z.fans.vertex))
		s.listed, s.stress = make([]int32, z.triangles.Blocks()), make([]fem.BlockStress, z.triangles.Blocks())
		s.corner = make([]fem.BlockForces, z.triangles.Blocks())
		s.chosenGrid = newGrid(z.x0, z.fans.vertex, z.grid.cell*stepRadius/shieldRadius)
	}
}

// fewFans is the number of fans below which one worker does the search.
const fewFans = 300

// listFans lists the vertices of the given triangles, and the blocks whose stress they need.
// p + r and r of Mohr's circle are convex functions of the stress: where no stress is near
// the strength, their mean is not near it either.
func (z *Zone) listFans(above []fem.Span) {
	s, f := &z.scan, z.fans
	s.stamp++
	s.round = s.stamp
	s.blocks, s.fans, s.searched = s.blocks[:0], s.fans[:0], s.searched[:0]
	for _, h := range above {
		for t := h.First; t < h.End; t++ {
			way := math.NaN() // change of stress since the triangle fell asleep; NaN until it is needed
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

// listBlocks adds the blocks of the triangles of a fan to the list, each once.
func (z *Zone) listBlocks(k int32) {
	s, f := &z.scan, z.fans
	for _, place := range f.laneIndex[f.first[k]:f.first[k+1]] {
		if b := uint32(place) / lanes; s.listed[b] != s.stamp {
			s.listed[b] = s.stamp
			s.blocks = append(s.blocks, int32(b))
		}
	}
}

// computeStress computes the stress of a worker's blocks.
func (z *Zone) computeStress(worker int) {
	s := &z.scan
	first, end := z.portion(worker, len(s.blocks))
	z.triangles.ComputeStresses(s.blocks[first:end+fem.Ahead], s.x, s.stress)
}

// selectStrained finds those of a worker's vertices whose mean stress is near the
// strength. Where a body breaks all over it is one in ten.
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

// listStrained lists the vertices that the workers have selected, and the blocks whose forces they need.
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

// computeCorners computes the forces of a worker's blocks on their corners.
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

// rank cuts off the digits of a part of the strength that rounding decides. In a
// uniform stress vertices then open in the order of their numbers, which runs through
// a body from end to end, and open vertices are as dense as shielding allows. An order
// by rounding would be random and leave gaps.
func rank(used float64) float64 { return math.Floor(used * 0x1p24) }

// fanPosition returns the first position of a fan's vertex [m].
func (z *Zone) fanPosition(k int32) r2.Vec { return z.x0[z.fans.vertex[k]] }

// searchFan finds the candidates of a vertex: one for its whole fan, or one for each part of it.
func (z *Zone) searchFan(of *strain, l *searcher) {
	f := z.fans
	k := of.fan
	z.forcesAt(k, &l.fan)
	open := f.anyOpen(k)
	whole := !open && f.closed(k)
	if whole || !f.hasCrack(k) { // for chordMargin, which a fan with a crack does not need
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

// setRays sets the current spokes of fan k, and the fluid pressure at their far ends.
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

// ray returns the current vector of spoke i of all, which belongs to fan k [m]. The far end
// of a spoke that is open there is the midpoint of its two nodes.
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

// effective returns the effective stress: the stress plus the pressure of a fluid [Pa].
func effective(s fem.Stress, fluid float64) fem.Stress {
	s.XX, s.YY = s.XX+fluid, s.YY+fluid
	return s
}

// sum returns a + b.
func sum(a, b r2.Vec) r2.Vec { return r2.Vec{X: a.X + b.X, Y: a.Y + b.Y} }

// run returns the index in fan k of the first triangle of a part, and the number of
// triangles of the part. The part begins at the i-th triangle, counted from the fan's
// first part.
func (z *Zone) run(k int32, i int) (first, count int) { return z.runFrom(k, z.start(k), i) }

// start returns the index in fan k of the first triangle of its first part.
func (z *Zone) start(k int32) int {
	spoke, open := z.fans.spokesOf(k), z.fans.openOf(k)
	for j, s := range spoke {
		if s == outline || open[j] {
			return j + 1
		}
	}
	return 0
}

// runFrom is run for a known index at which the fan's first part begins.
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
