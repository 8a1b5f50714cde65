package spheres

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"fdem/contactnodes/coulomb"

	"gonum.org/v1/gonum/spatial/r2"
)

// pair is two spheres, I < J, or a sphere and a wall or an edge of the outline. J
// counts the spheres first, then the walls, then the edges.
type pair struct{ I, J int32 }

// slots are the pairs that can be in contact before the next list, batch after
// batch.
type slots struct {
	batch      []batch
	first      []int32 // per block, walls' blocks after the spheres': its first batch; one more at the end
	pair       []pair
	reach      []reach
	load       []int32 // of pairs of spheres: position of the second's load in load
	remote     []int32 // spheres of other blocks that a block loads, block after block, each once
	pairMemory []pairMemory
	roll       []rollMemory
	// corner is, for an edge of the outline, the force that its first corner
	// would have exerted at the last evaluation, which was subtracted [N].
	corner []float64
	memory []float64 // of the laws, batch after batch
	near   []int32   // edges of a chain that are near, as positions in ends
	edges  []int32   // per slot: its first of near; one more at the end

	awake []uint64  // per slot a bit: the slot is evaluated
	sleep []sleeper // by gap, ascending
	woken int       // of sleep
}

// batch is slots of one block and one rule.
type batch struct {
	block, rule int32
	first, end  int32 // slots
	memory      int32 // its first of memory
	values      int32 // of a slot in memory
}

// maxBatch is the greatest number of slots in a batch. The first cache holds
// their data.
const maxBatch = 128

// reach is the distance of two spheres at first contact. At a wall it is the
// sphere's radius.
type reach struct {
	radii float64 // sum of the radii [m]
	part  float64 // the first's radius over that sum
}

// pairMemory is the memory of a slot apart from the law's. Every step reads and
// writes all of them, so two fill a line of the cache.
type pairMemory struct {
	d         float64 // deflection at the last evaluation, 0 for a separated pair [m]
	force     float64 // normal force at the last evaluation [N]
	friction  float64 // on the first sphere along (-n.Y, n.X) [N]
	stiffness float64 // of the friction's spring, negative while it slides [N/m]
}

// stick returns the friction as a coulomb.Stick: the spring carries all of it.
func (h *pairMemory) stick() coulomb.Stick {
	return coulomb.Stick{Friction: h.friction, Spring: h.friction, Stiffness: math.Abs(h.stiffness), Sliding: h.stiffness < 0}
}

// setStick sets the friction from a coulomb.Stick.
func (h *pairMemory) setStick(g coulomb.Stick) {
	h.friction, h.stiffness = g.Friction, g.Stiffness
	if g.Sliding {
		h.stiffness = -g.Stiffness
	}
}

// moveStick moves the friction of another slot to this one.
func (h *pairMemory) moveStick(from *pairMemory) {
	h.friction, h.stiffness, from.friction, from.stiffness = from.friction, from.stiffness, 0, 0
}

// sleeper is a slot that cannot be in contact before the centres have moved half its
// gap since the list was made.
type sleeper struct {
	gap  float64 // [m]
	slot int32
}

// lawMemory returns the law's memory of slot c of a batch.
func (t *slots) lawMemory(b *batch, c int32) []float64 {
	at := b.memory + (c-b.first)*b.values
	return t.memory[at : at+b.values]
}

// pairList is a list of pairs for which slots will be made.
type pairList struct {
	pair   []pair
	rule   []int32
	gap    []float64 // [m]
	near   []int32
	edges  []int32 // per pair: its first of near; one more at the end
	sorted []uint64
	of     []float64 // gaps per slot [m]
	rank   []int32   // per rule: its position in the order of kinds
	index  []int32   // per sphere: 1 + its position in slots.remote, while a block is filled
	order  []int32
}

// gapRounding is a margin for rounding, relative to a reach: two spheres may be
// nearer than their displacements indicate. It is much larger than needed.
const gapRounding = 1e-6

// updateSlots makes slots from the candidate list if the list is new, and tells
// whether it is.
func (s *Spheres) updateSlots(moved bool) bool {
	list := s.search.PairsMoved(s.X, moved || s.built == 0)
	if list.Build == s.built {
		return false
	}
	s.built, s.slack = list.Build, list.Slack
	copy(s.atList, s.X)
	f := &s.pending
	f.pair, f.rule, f.gap, f.near, f.edges = f.pair[:0], f.rule[:0], f.gap[:0], f.near[:0], f.edges[:0]
	far := 2 * s.slack
	for _, p := range list.List {
		if int(p.J) < s.n {
			if s.InverseMass[p.I] == 0 && s.InverseMass[p.J] == 0 {
				continue
			}
			reach := s.Radius[p.I] + s.Radius[p.J]
			x, y := s.X[p.J].X-s.X[p.I].X, s.X[p.J].Y-s.X[p.I].Y
			gap := math.Sqrt(float64(x*x)+float64(y*y)) - reach - float64(gapRounding*reach)
			if gap > far {
				continue
			}
			if r := s.rule(s.Kind[p.I], s.Kind[p.J]); r >= 0 {
				f.add(pair{p.I, p.J}, r, gap)
			}
			continue
		}
		edge := p.J - int32(s.n)
		if own := edge - int32(len(s.owner)); own >= 0 {
			s.addOutlinePair(p.I, own, far)
			continue
		}
		w := s.owner[edge]
		if s.InverseMass[p.I] == 0 && !s.Walls[w].Free {
			continue
		}
		_, distance := s.toWall(w, []int32{edge}, s.X[p.I])
		radius := s.Radius[p.I]
		gap := distance - radius - float64(gapRounding*(radius+math.Abs(s.Walls[w].Radius)))
		if gap > far {
			continue
		}
		r := s.rule(s.Kind[p.I], s.Walls[w].Kind)
		if r < 0 {
			continue
		}
		q := pair{p.I, int32(s.n) + w}
		if k := len(f.pair) - 1; k >= 0 && f.pair[k] == q { // another edge of the wall
			f.gap[k] = min(f.gap[k], gap)
		} else {
			f.add(q, r, gap)
		}
		f.near = append(f.near, edge)
	}
	f.edges = append(f.edges, int32(len(f.near)))
	s.slots, s.spare = s.spare, s.slots
	s.rankRules()
	s.fillSlots()
	s.copyMemory(&s.spare)
	s.putToSleep()
	return true
}

// kindOf returns 0 for a pair of spheres, 1 for one with a wall and 2 for one
// with an edge of the outline.
func (s *Spheres) kindOf(p pair) int {
	switch j := int(p.J) - s.n; {
	case j < 0:
		return 0
	case j < len(s.Walls):
		return 1
	}
	return 2
}

// addOutlinePair adds the pair of a sphere and an edge of the outline, unless
// their gap is above far [m].
func (s *Spheres) addOutlinePair(i, edge int32, far float64) {
	e := &s.Outline.Edges[edge]
	a, b := s.span(edge)
	radius := s.Radius[i]
	gap := toSegment(s.X[i], a, b) - float64((1+lookAhead)*radius) - float64(gapRounding*radius)
	if gap > far {
		return
	}
	if e.Next >= 0 { // the corner belongs to this edge, and its rule must exist before workers look it up
		s.rule(s.Kind[i], s.Outline.Edges[e.Next].Kind)
	}
	if r := s.rule(s.Kind[i], e.Kind); r >= 0 {
		s.pending.add(pair{i, int32(s.n+len(s.Walls)) + edge}, r, gap)
	}
}

// toSegment returns the distance of x from the segment from a to b [m].
func toSegment(x, a, b r2.Vec) float64 {
	ux, uy := b.X-a.X, b.Y-a.Y
	px, py := x.X-a.X, x.Y-a.Y
	along := min(max((float64(px*ux)+float64(py*uy))/(float64(ux*ux)+float64(uy*uy)), 0), 1)
	px -= float64(along * ux)
	py -= float64(along * uy)
	return math.Sqrt(float64(px*px) + float64(py*py))
}

// add appends a pair.
func (f *pairList) add(p pair, rule int32, gap float64) {
	f.pair, f.rule, f.gap, f.edges = append(f.pair, p), append(f.rule, rule), append(f.gap, gap), append(f.edges, int32(len(f.near)))
}

// rankRules puts the rules into the order of their kinds.
func (s *Spheres) rankRules() {
	f := &s.pending
	if len(f.rank) == len(s.rules) {
		return
	}
	f.order, f.rank = f.order[:0], make([]int32, len(s.rules))
	for r := range s.rules {
		f.order = append(f.order, int32(r))
	}
	slices.SortFunc(f.order, func(a, b int32) int { return cmp.Compare(s.rules[a].key, s.rules[b].key) })
	for k, r := range f.order {
		f.rank[r] = int32(k)
	}
}

// fillSlots puts the fresh pairs into slots.
func (s *Spheres) fillSlots() {
	t, f := &s.slots, &s.pending
	n := len(f.pair)
	t.batch, t.first, t.edges, t.near = t.batch[:0], t.first[:0], t.edges[:0], t.near[:0]
	t.pair = slices.Grow(t.pair[:0], n)[:n]
	t.reach = slices.Grow(t.reach[:0], n)[:n]
	t.load, t.remote = slices.Grow(t.load[:0], n)[:n], t.remote[:0]
	f.index = slices.Grow(f.index[:0], s.n)[:s.n]
	clear(f.index)
	memory := int32(0)
	f.of = f.of[:0]
	at, from := int32(0), 0 // slot; pair
	for part := range 3 {   // pairs of spheres, then those with walls, then those with the outline
		from = 0
		for b := range s.block {
			t.first = append(t.first, int32(len(t.batch)))
			f.sorted = f.sorted[:0]
			if part == 0 {
				s.block[b].remote[0] = int32(len(t.remote))
			}
			for ; from < n && int(f.pair[from].I)/spheresPerBlock == b; from++ {
				if s.kindOf(f.pair[from]) == part {
					f.sorted = append(f.sorted, uint64(f.rank[f.rule[from]])<<32|uint64(from))
				}
			}
			slices.Sort(f.sorted)
			for _, e := range f.sorted {
				k := int(uint32(e))
				r := f.rule[k]
				last := len(t.batch) - 1
				if last < int(t.first[len(t.first)-1]) || t.batch[last].rule != r || at-t.batch[last].first == maxBatch {
					t.batch = append(t.batch, batch{block: int32(part*len(s.block) + b), rule: r, first: at, memory: memory, values: s.rules[r].memory})
					last++
				}
				t.batch[last].end = at + 1
				memory += s.rules[r].memory
				p := f.pair[k]
				t.pair[at] = p
				t.reach[at] = reach{radii: s.Radius[p.I]}
				if int(p.J) < s.n {
					sum := s.Radius[p.I] + s.Radius[p.J]
					t.reach[at] = reach{sum, s.Radius[p.I] / sum}
					t.load[at] = s.slotOfLoad(&s.block[b], p.J)
				}
				t.edges = append(t.edges, int32(len(t.near)))
				t.near = append(t.near, f.near[f.edges[k]:f.edges[k+1]]...)
				f.of = append(f.of, f.gap[k])
				at++
			}
			if part == 0 {
				s.block[b].remote[1] = int32(len(t.remote))
			}
		}
	}
	t.first = append(t.first, int32(len(t.batch)))
	t.edges = append(t.edges, int32(len(t.near)))
	t.pairMemory = slices.Grow(t.pairMemory[:0], n)[:n]
	clear(t.pairMemory)
	t.roll, t.corner = slices.Grow(t.roll[:0], n)[:n], slices.Grow(t.corner[:0], n)[:n]
	clear(t.roll)
	clear(t.corner)
	s.load = slices.Grow(s.load[:s.n], len(t.remote))[:s.n+len(t.remote)]
	t.memory = slices.Grow(t.memory[:0], int(memory))[:memory]
	clear(t.memory)
}

// slotOfLoad returns the position in load at which a block adds up the load on
// sphere j.
func (s *Spheres) slotOfLoad(own *block, j int32) int32 {
	if j < own.end {
		return j
	}
	t, f := &s.slots, &s.pending
	if f.index[j] <= own.remote[0] { // none, or an entry of an earlier block
		t.remote = append(t.remote, j)
		f.index[j] = int32(len(t.remote))
	}
	return int32(s.n) + f.index[j] - 1
}

// putToSleep puts the slots of separated pairs to sleep and wakes all others.
func (s *Spheres) putToSleep() {
	t := &s.slots
	n := len(t.pair)
	t.awake = slices.Grow(t.awake[:0], n/64+2)[:n/64+2] // one word more, for readers that take 64 slots from any position on
	clear(t.awake)
	t.sleep, t.woken = t.sleep[:0], 0
	for c, gap := range s.pending.of {
		if gap > 0 && t.pairMemory[c].d <= 0 {
			t.sleep = append(t.sleep, sleeper{gap, int32(c)})
		} else {
			t.awake[c/64] |= 1 << (c % 64)
		}
	}
	slices.SortFunc(t.sleep, func(a, b sleeper) int { return cmp.Compare(a.gap, b.gap) })
}

// wake wakes the slots that may be in contact after a greatest displacement of the
// centres since the list was made [m].
func (t *slots) wake(travelled float64) {
	for ; t.woken < len(t.sleep) && t.sleep[t.woken].gap <= 2*travelled; t.woken++ {
		c := t.sleep[t.woken].slot
		t.awake[c/64] |= 1 << (c % 64)
	}
}

// nextAwake returns the first slot from c on that is awake, or end.
func (t *slots) nextAwake(c, end int32) int32 {
	for c < end {
		if w := t.awake[c/64] >> (c % 64); w != 0 {
			return min(c+int32(bits.TrailingZeros64(w)), end)
		}
		c = (c | 63) + 1
	}
	return end
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 1
	}
	sorted := slices.Clone(v)
	slices.Sort(sorted)
	return sorted[len(sorted)/2]
}
