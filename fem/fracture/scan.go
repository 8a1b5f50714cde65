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
	listed      []int32 // per block of triangles: the stamp of the last list that contains it
	blocks      []int32 // blocks whose stress or forces the search needs
	everyBlock  []int32 // all blocks with triangles of fans
	stress      []fem.BlockStress
	corner      []fem.BlockForces
	fans        []strain // to search
	crowded     bool     // the last search has searched most vertices; the next one then takes most blocks
	candidates  []candidate
	chosen      []candidate
	chosenGrid  grid // of chosen
	searchers   []searcher
	x           []r2.Vec // positions
	fan         fan      // of open
	order       []int32
	searchAll   bool    // sleeping vertices are searched as well
	searched    []int32 // fans
	changed     []int32 // searched fans that start or end their sleep
	round       int32   // stamp of seen
	updatedAt   []int32 // per triangle: the stamp of the search that has set its margin
	laneIndices []int32 // lane indices of these triangles
	missing     []int32 // missing nodes, see exchange.go
	around      []int32 // missing triangles
}

// strain is a fan that may be near its strength, with its mean stress.
type strain struct {
	fan        int32
	known      bool // its mean stress is known
	searched   bool // it is known whether cracks shield it
	marginOnly bool // the mean stress is not near the strength: only a margin is to be computed
	mean       fem.Stress
}

// searcher has the buffers and the findings of one worker.
type searcher struct {
	fan
	strained   []strain // of those that the search has listed
	candidates []candidate
	_          [64]byte
}

// fan has the current geometry, forces and masses of a vertex's fan.
type fan struct {
	ray     []r2.Vec  // of its spokes [m]
	extends []bool    // of its spokes: a crack ends at the vertex along it
	fluid   []float64 // per spoke: the pressure of the fluid in its crack [Pa]
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
	s := &z.scan
	above = z.addShifted(above, x)
	if len(above)+len(z.fluid.tips) == 0 {
		return 0
	}
	z.allocate(x)
	s.x = x
	z.addTravel(x)
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
	s.sortCandidates()
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
		for _, b := range z.splits {
			z.openSleep.positions[b.Node] = x[b.Node]
		}
		z.startEmission(v)
		z.mergeOrder()
		z.relocate()
		z.setLimit(mass, before)
		z.sortCracks()
		z.wake(before)
	}
	return len(s.chosen)
}

// sortCandidates sorts the candidates: the greatest part of the strength first, then by vertex. Those
// of one vertex that use equal parts stay in the order in which its fan has them.
func (s *scan) sortCandidates() {
	slices.SortStableFunc(s.candidates, func(p, q candidate) int {
		return cmp.Or(cmp.Compare(rank(q.chordUse), rank(p.chordUse)), cmp.Compare(p.fan, q.fan))
	})
}

// allocate allocates the buffers of the first search.
func (z *Zone) allocate(x []r2.Vec) {
	if s := &z.scan; s.seen == nil {
		s.seen = make([]int32, len(z.fans.vertex))
		s.listed, s.stress = make([]int32, z.triangles.Blocks()), make([]fem.BlockStress, z.triangles.Blocks())
		s.corner = make([]fem.BlockForces, z.triangles.Blocks())
		s.chosenGrid = newGrid(z.x0, z.fans.vertex, z.grid.cell*stepRadius/shieldRadius)
		s.stamp++
		for k := range z.fans.vertex {
			z.listBlocks(int32(k))
		}
		s.everyBlock, s.blocks = s.blocks, nil
		z.initOpenSleep(x)
	}
}

// fewFans is the number of fans below which one worker does the search.
const fewFans = 300

// listFans lists the vertices of the given triangles, and the blocks whose stress they need. p + r
// and r of Mohr's circle are convex functions of the stress. So if no stress is near the strength,
// the mean is not near it, either.
func (z *Zone) listFans(above []fem.Span) {
	s, f := &z.scan, z.fans
	s.stamp++
	s.round = s.stamp
	s.crowded = 2*len(s.fans) > len(f.vertex) && z.GetNodes == nil
	s.blocks, s.fans, s.searched = s.blocks[:0], s.fans[:0], s.searched[:0]
	if s.crowded {
		s.blocks = append(s.blocks, s.everyBlock...)
	}
	seen, stamp, sleepers, at := s.seen, s.stamp, z.sleepers, f.at
	for _, h := range above {
		for t := h.First; t < h.End; t++ {
			change := math.NaN() // change of stress since the triangle fell asleep; NaN until it is needed
			for c, k := range at[t] {
				if k < 0 || seen[k] == stamp {
					continue
				}
				if sleepers[k].asleep && !s.searchAll {
					if math.IsNaN(change) {
						change = z.triangles.StressChange(z.triangles.LaneIndex(int(t)), s.x)
					}
					if change <= float64(z.sleepMargin[t][c]) {
						continue
					}
				}
				seen[k] = stamp
				if f.closedSpokes[k] == 0 || z.excavations != nil && z.excavations[k] != 0 {
					continue
				}
				z.listFan(k)
			}
		}
	}
	for _, k := range z.fluid.tips {
		if s.seen[k] != s.stamp && f.closedSpokes[k] != 0 && (z.excavations == nil || z.excavations[k] == 0) {
			s.seen[k] = s.stamp
			z.listFan(k)
		}
	}
	s.blocks = slices.Grow(s.blocks, fem.Ahead)
}

// listFan adds a fan to the list. A fan with a crack never sleeps.
func (z *Zone) listFan(k int32) {
	s := &z.scan
	s.fans = append(s.fans, strain{fan: k})
	if !z.fans.cracked[k] {
		s.searched = append(s.searched, k)
	}
	if !s.crowded {
		z.listBlocks(k)
	}
}

// listBlocks adds the blocks of the triangles of a fan to the list, each once.
func (z *Zone) listBlocks(k int32) {
	s, f := &z.scan, z.fans
	listed, stamp, blocks := s.listed, s.stamp, s.blocks
	for _, lane := range f.laneIndex[f.first[k]:f.first[k+1]] {
		if b := uint32(lane) / lanes; listed[b] != stamp {
			listed[b] = stamp
			blocks = append(blocks, int32(b))
		}
	}
	s.blocks = blocks
}

// computeStress computes the stress of a worker's blocks.
func (z *Zone) computeStress(worker int) {
	s := &z.scan
	first, end := z.portion(worker, len(s.blocks))
	z.triangles.ComputeStresses(s.blocks[first:end+fem.Ahead], s.x, s.stress)
}

// selectStrained finds those of a worker's vertices whose mean stress is near the strength, and all
// vertices with cracks. Nearly all of the latter are near it, see strainedBeside.
func (z *Zone) selectStrained(worker int) {
	s, f := &z.scan, z.fans
	first, end := z.portion(worker, len(s.fans))
	fans, n := s.fans[first:end], 0
	for i := range fans {
		of := &fans[i]
		if k := of.fan; !f.cracked[k] {
			mean := z.meanOf(of)
			z.sleepers[k].margin = 0
			if !z.strained(k, effective(mean, max(z.tipPressure(k), z.porePressure(f.first[k])))) {
				if !z.nearThreshold(k) {
					continue
				}
				margin, enough := z.patchMargin(k, mean)
				z.sleepers[k].margin = margin
				if enough {
					continue
				}
				of.marginOnly = true
			}
		}
		if n < i {
			fans[n] = *of
		}
		n++
	}
	s.searchers[worker].strained = fans[:n]
}

// meanOf returns the mean stress of a fan.
func (z *Zone) meanOf(of *strain) fem.Stress {
	if of.known {
		return of.mean
	}
	s, f := &z.scan, z.fans
	var xx, yy, xy float64
	for j := f.first[of.fan]; j < f.first[of.fan+1]; j++ {
		lane, w := uint32(f.laneIndex[j]), f.volume[j]
		q, l := &s.stress[lane/lanes], lane%lanes
		xx += float64(w * q.XX[l])
		yy += float64(w * q.YY[l])
		xy += float64(w * q.XY[l])
	}
	if z.pores.push != nil {
		for j := f.first[of.fan]; j < f.first[of.fan+1]; j++ {
			p := float64(f.volume[j] * z.pores.push[f.tri[j]])
			xx, yy = xx-p, yy-p
		}
	}
	volume := f.whole[of.fan]
	of.mean, of.known = fem.Stress{XX: xx / volume, YY: yy / volume, XY: xy / volume}, true
	return of.mean
}

// strainedBeside tells whether a fan with a crack may open: a triangle is above its threshold, or
// the mean stress is near the strength. The search also lists other fans if a vertex beside them no
// longer sleeps. It is called only for fans with a candidate.
func (z *Zone) strainedBeside(of *strain) bool {
	tip := z.tipPressure(of.fan)
	return tip != 0 || z.anyAboveThreshold(of.fan, 1/thresholdMargin) || z.strained(of.fan, effective(z.meanOf(of), max(tip, z.porePressure(z.fans.first[of.fan]))))
}

// listStrained lists the vertices that the workers have selected, and the blocks whose forces they
// need. If most listed vertices are selected, it takes the blocks of all listed vertices.
func (z *Zone) listStrained() {
	s := &z.scan
	all, n := len(s.fans), 0
	for i := range s.searchers {
		n += copy(s.fans[n:], s.searchers[i].strained)
	}
	if s.fans = s.fans[:n]; 2*n > all {
		return
	}
	s.stamp++
	s.blocks = s.blocks[:0]
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
		switch {
		case z.fans.cracked[of.fan]:
			if len(l.candidates) > before && !z.strainedBeside(of) {
				l.candidates = l.candidates[:before]
			}
		case len(l.candidates) == before:
			sleeper := &z.sleepers[of.fan]
			sleeper.margin = max(sleeper.margin, z.chordMargin(of, l))
		}
	}
}

// rank cuts off the digits of a fraction of the strength that rounding decides. In a uniform stress
// vertices then open in the order of their numbers, which runs through a body from end to end, and
// open vertices are as dense as shielding allows. An order by rounding would be random and leave
// gaps.
func rank(used float64) float64 { return math.Floor(used * 0x1p24) }

// fanPosition returns the first position of a fan's vertex [m].
func (z *Zone) fanPosition(k int32) r2.Vec { return z.x0[z.fans.vertex[k]] }

// searchFan finds the candidates of a vertex: one for its whole fan, or one for each part of it.
func (z *Zone) searchFan(of *strain, l *searcher) {
	f := z.fans
	k := of.fan
	z.forcesAt(k, &l.fan)
	open := f.cracked[k] && f.anyOpen(k)
	var found slack // of an open vertex
	if open && !z.scan.searchAll && z.GetNodes == nil && z.fluid.pressure == nil && !z.openSleep.never[k] {
		if z.sleepsOpen(k, l.force) {
			return
		}
		found = slack{math.Inf(1), math.Inf(1)}
	}
	whole := !open && f.closed(k)
	if whole || !f.cracked[k] { // for chordMargin, which a fan with a crack does not need
		z.setRays(k, l)
	}
	if whole {
		z.searchWhole(of, l)
		return
	}
	spoke, opened, enough := f.spokesOf(k), f.openOf(k), z.boundsOf(k)
	n, before := len(spoke), len(l.candidates)
	for i, j := 0, z.start(k)%n; i < n; {
		p := part{first: j, count: 1}
		p.add(&l.fan, j)
		for p.count < n && spoke[j] != outline && !opened[j] {
			if j++; j == n {
				j = 0
			}
			p.add(&l.fan, j)
			p.count++
		}
		if p.count > 1 {
			z.searchPart(of, l, &p, open, &enough, &found)
		}
		if i, j = i+p.count, j+1; j == n {
			j = 0
		}
	}
	if open && len(l.candidates) == before {
		z.sleepOpen(k, found, l.force)
	}
}

// part is a number of consecutive triangles of a fan between open spokes, from index first on.
type part struct {
	first, count int
	force        r2.Vec  // on all of them at the vertex [N]
	mass         float64 // of these corners [kg]
}

// add adds a triangle to the forces of a part.
func (p *part) add(of *fan, i int) {
	p.force = sum(p.force, of.force[i])
	p.mass += of.mass[i]
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

// cornerBefore is the previous corner of each corner of a triangle.
var cornerBefore = [3]uint8{2, 0, 1}

// ray returns the present vector of spoke i of all spokes, which belongs to fan k [m].
func (z *Zone) ray(k, i int32) r2.Vec {
	v, o := z.vertexPosition(i), z.farEnd(k, i)
	return r2.Vec{X: o.X - v.X, Y: o.Y - v.Y}
}

// vertexPosition returns the position of the vertex of the fan in the triangle before spoke i of
// all spokes [m].
func (z *Zone) vertexPosition(i int32) r2.Vec {
	f := z.fans
	return z.scan.x[z.nodes[f.tri[i]][f.corner[i]]]
}

// farEnd returns the position of the far end of spoke i of all spokes, which belongs to fan k [m].
// If the spoke is open there, it is the midpoint of its two nodes.
func (z *Zone) farEnd(k, i int32) r2.Vec {
	f, x := z.fans, z.scan.x
	o := x[z.nodes[f.tri[i]][cornerBefore[f.corner[i]]]]
	if f.farOpen[i] {
		j := i + 1 // the triangle on its other side
		if j == f.first[k+1] {
			j = f.first[k]
		}
		q := x[z.nodes[f.tri[j]][(f.corner[j]+1)%3]]
		o = r2.Vec{X: float64(0.5 * (o.X + q.X)), Y: float64(0.5 * (o.Y + q.Y))}
	}
	return o
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
func (z *Zone) run(k int32, i int) (first, count int) {
	spoke, open := z.fans.spokesOf(k), z.fans.openOf(k)
	n := len(spoke)
	first = (z.start(k) + i) % n
	j := first
	for count = 1; count < n && spoke[j] != outline && !open[j]; count++ {
		if j++; j == n {
			j = 0
		}
	}
	return first, count
}

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
