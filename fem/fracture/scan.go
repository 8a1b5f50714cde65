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
	hot         []fem.Span
	stamp       int32
	seen        []int32 // of each fan, the stamp of the search that has looked at it
	listed      []int32 // of each block of triangles, that of the list which has it
	blocks      []int32 // whose stress or forces are wanted
	stress      []fem.BlockStress
	corner      []fem.BlockForces
	fans        []strain // to look at
	candidates  []candidate
	chosen      []candidate
	near        grid // of chosen
	lookers     []looker
	x           []r2.Vec // positions
	fan         fan      // of open
	order       []int32
	every       bool    // vertices that sleep are looked at, too
	looked      []int32 // fans
	changed     []int32 // those of them that fall asleep, or are awake again
	round       int32   // stamp of seen
	made        []int32 // of each triangle, the stamp of the search that has let it sleep, or woken it
	laneIndices []int32 // where these stand
	missing     []int32 // nodes, see exchange.go
	around      []int32 // and triangles
}

// strain is a fan that may be strained enough, with its mean stress.
type strain struct {
	fan        int32
	mean       fem.Stress
	looked     bool // whether it is known that cracks shield it
	marginOnly bool // the mean stress is not near the strength: only a margin is wanted
}

// looker is what a worker looks with, and finds.
type looker struct {
	fan
	strained   []strain
	candidates []candidate
	_          [64]byte
}

// fan is what is known of a vertex's fan now.
type fan struct {
	ray   []r2.Vec  // of its spokes [m]
	goes  []bool    // of its spokes: a crack ends at the vertex along it
	fluid []float64 // of its spokes: the pressure of what is in that crack [Pa]
	force []r2.Vec  // of its triangles [N]
	mass  []float64
}

// Open opens the vertices at which the gluing force has reached the strength at
// positions x and the given time, the forces of the cracks at x known from
// AddForces. It gives the new nodes the position and velocity of the old, and
// sets the masses of both in mass. It returns how many vertices have opened;
// Births then tells the new nodes. Forces and the limit are then to be taken
// anew, which changes them no more than rounding does.
func (z *Zone) Open(x, v []r2.Vec, mass []float64, time float64) int {
	s := &z.scan
	s.hot = z.triangles.AboveThreshold(x, z.thresholds, s.hot[:0])
	s.every = true
	defer func() { s.every = false }()
	return z.OpenHot(s.hot, x, v, mass, time)
}

// OpenHot is Open where the triangles that are woken are known (fem.Triangles.Passed): by
// their stress thresholds or, where vertices sleep, by a change of their stress.
func (z *Zone) OpenHot(hot []fem.Span, x, v []r2.Vec, mass []float64, time float64) int {
	z.born = z.born[:0]
	if len(hot)+len(z.wet.tips) == 0 {
		return 0
	}
	s := &z.scan
	z.ready()
	s.x = x
	z.getAround(hot)
	z.listFans(hot)
	z.split(len(s.fans) >= fewFans, z.doStress)
	z.split(len(s.fans) >= fewFans, z.doStrain)
	z.listStrained()
	z.split(len(s.fans) >= fewFans, z.doCorners)
	z.split(len(s.fans) >= fewFans, z.doLook)
	z.sleep()
	s.candidates = s.candidates[:0]
	for i := range s.lookers {
		s.candidates = append(s.candidates, s.lookers[i].candidates...)
	}
	if len(s.candidates) == 0 {
		return 0
	}
	slices.SortFunc(s.candidates, func(p, q candidate) int {
		return cmp.Or(cmp.Compare(rank(q.aligned), rank(p.aligned)), cmp.Compare(p.fan, q.fan))
	})
	before := len(z.opened)
	s.chosen = s.chosen[:0]
	s.near.empty()
	for first, end := 0, 0; first < len(s.candidates); first = end {
		end = first + s.likes(first)
		var may [2]bool // before one of them has opened
		for i := first; i < end; i++ {
			may[i-first] = z.allowed(&s.candidates[i])
		}
		for i := first; i < end; i++ {
			if c := &s.candidates[i]; may[i-first] {
				s.near.add(int32(len(s.chosen)), z.fanPosition(c.fan))
				s.chosen = append(s.chosen, *c)
				c.time = time
				z.open(c, x, v, mass)
			}
		}
	}
	if len(s.chosen) > 0 {
		z.hear(v)
		z.sortIn()
		z.relocate()
		z.setLimit(mass, before)
		z.tidy()
		z.wake(before)
	}
	return len(s.chosen)
}

// ready makes the room of a search.
func (z *Zone) ready() {
	if s := &z.scan; s.seen == nil {
		s.seen = make([]int32, len(z.fans.vertex))
		s.listed, s.stress = make([]int32, z.triangles.Blocks()), make([]fem.BlockStress, z.triangles.Blocks())
		s.corner = make([]fem.BlockForces, z.triangles.Blocks())
		s.near = newGrid(z.x0, z.fans.vertex, z.grid.cell*stepRadius/shieldRadius)
	}
}

// fewFans is the number of fans that are not worth sharing.
const fewFans = 300

// listFans lists the vertices of triangles that are hot, and the blocks whose stress they
// need. p + r and r of Mohr's circle are convex: a mean of stresses of which none is near
// the strength is not near.
func (z *Zone) listFans(hot []fem.Span) {
	s, f := &z.scan, z.fans
	s.stamp++
	s.round = s.stamp
	s.blocks, s.fans, s.looked = s.blocks[:0], s.fans[:0], s.looked[:0]
	for _, h := range hot {
		for t := h.First; t < h.End; t++ {
			way := math.NaN() // from where the triangle rests, once it is wanted
			for c, k := range f.at[t] {
				if k < 0 || s.seen[k] == s.stamp {
					continue
				}
				if z.sleepers[k].asleep && !s.every {
					if math.IsNaN(way) {
						way = z.triangles.StressChange(z.triangles.LaneIndex(int(t)), s.x)
					}
					if way <= float64(z.within[t][c]) {
						continue
					}
				}
				s.seen[k] = s.stamp
				if f.shut[k] == 0 || z.leaving != nil && z.leaving[k] != 0 {
					continue
				}
				s.fans, s.looked = append(s.fans, strain{fan: k}), append(s.looked, k)
				z.want(k)
			}
		}
	}
	for _, k := range z.wet.tips {
		if s.seen[k] != s.stamp && f.shut[k] != 0 && (z.leaving == nil || z.leaving[k] == 0) {
			s.seen[k] = s.stamp
			s.fans, s.looked = append(s.fans, strain{fan: k}), append(s.looked, k)
			z.want(k)
		}
	}
	s.blocks = slices.Grow(s.blocks, fem.Ahead)
}

// want lists the blocks of the triangles of a fan, once.
func (z *Zone) want(k int32) {
	s, f := &z.scan, z.fans
	for _, place := range f.stands[f.first[k]:f.first[k+1]] {
		if b := uint32(place) / lanes; s.listed[b] != s.stamp {
			s.listed[b] = s.stamp
			s.blocks = append(s.blocks, int32(b))
		}
	}
}

// takeStress takes the stress of a worker's blocks.
func (z *Zone) takeStress(worker int) {
	s := &z.scan
	first, end := z.portion(worker, len(s.blocks))
	z.triangles.TakeStresses(s.blocks[first:end+fem.Ahead], s.x, s.stress)
}

// takeStrain finds those of a worker's vertices whose mean stress is near the
// strength: a tenth of them where a body breaks all over.
func (z *Zone) takeStrain(worker int) {
	s, f := &z.scan, z.fans
	l := &s.lookers[worker]
	l.strained = l.strained[:0]
	first, end := z.portion(worker, len(s.fans))
	for i := range s.fans[first:end] {
		k := s.fans[first+i].fan
		var xx, yy, xy float64
		for j := f.first[k]; j < f.first[k+1]; j++ {
			place, w := uint32(f.stands[j]), f.volume[j]
			q, l := &s.stress[place/lanes], place%lanes
			xx += float64(w * q.XX[l])
			yy += float64(w * q.YY[l])
			xy += float64(w * q.XY[l])
		}
		volume := f.whole[k]
		mean := fem.Stress{XX: xx / volume, YY: yy / volume, XY: xy / volume}
		z.sleepers[k].margin = 0
		tip := z.atTip(k)
		if f.hasCrack(k) && (tip != 0 || z.anyBeyond(k, 1/thresholdMargin)) || z.strained(k, effective(mean, tip)) {
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
	for i := range s.lookers {
		s.fans = append(s.fans, s.lookers[i].strained...)
	}
	for i := range s.fans {
		z.want(s.fans[i].fan)
	}
	s.blocks = slices.Grow(s.blocks, fem.Ahead)
}

// takeCorners takes the forces of a worker's blocks on their corners.
func (z *Zone) takeCorners(worker int) {
	s := &z.scan
	first, end := z.portion(worker, len(s.blocks))
	z.triangles.TakeCornerForces(s.blocks[first:end+fem.Ahead], s.x, s.corner)
}

// takeLook finds the best candidates of a worker's vertices.
func (z *Zone) takeLook(worker int) {
	s := &z.scan
	l := &s.lookers[worker]
	l.candidates = l.candidates[:0]
	first, end := z.portion(worker, len(s.fans))
	for i := range s.fans[first:end] {
		of, before := &s.fans[first+i], len(l.candidates)
		if of.marginOnly {
			z.takeRays(of.fan, l)
			z.forcesAt(of.fan, &l.fan)
		} else {
			z.look(of, l)
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

// look finds the candidates of a vertex: one of its whole fan, or one of each of its
// parts.
func (z *Zone) look(of *strain, l *looker) {
	f := z.fans
	k := of.fan
	z.forcesAt(k, &l.fan)
	open := f.parted(k)
	whole := !open && f.closed(k)
	if whole || !f.hasCrack(k) { // for chordMargin: what a crack touches has none
		z.takeRays(k, l)
	}
	if whole {
		z.lookAtWhole(of, l)
		return
	}
	enough, start := z.enough(k), z.start(k)
	for i := 0; i < len(l.force); {
		first, count := z.runFrom(k, start, i)
		if count > 1 {
			z.lookAtPart(of, l, first, count, open, &enough)
		}
		i += count
	}
}

// takeRays takes the spokes of fan k as they lie now.
func (z *Zone) takeRays(k int32, l *looker) {
	f := z.fans
	from, end := f.first[k], f.first[k+1]
	n := int(end - from)
	l.ray, l.goes = slices.Grow(l.ray[:0], n)[:n], slices.Grow(l.goes[:0], n)[:n]
	l.fluid = l.fluid[:0]
	for i := from; i < end; i++ {
		l.ray[i-from], l.goes[i-from] = z.ray(k, i), f.beyond[i]
		if z.wet.pressure != nil {
			l.fluid = append(l.fluid, z.pressureBeyond(f.spoke[i], k))
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
	if f.beyond[i] {
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
