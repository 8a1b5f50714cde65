package spheres

import (
	"cmp"
	"slices"

	"fdem/contactnodes/coulomb"

	"gonum.org/v1/gonum/spatial/r2"
)

// pair is two spheres, I < J, or a sphere and wall J less the number of
// spheres.
type pair struct{ I, J int32 }

// slots are pairs that are near one another, rule after rule in the order of
// their kinds, pair after pair within a rule.
type slots struct {
	pair  []pair
	first []int32 // per rule, in order: its first slot; one more at the end
	mem   []int32 // per rule, in order: where its memory begins
	near  []int32 // edges of a chain that are near, as places in ends
	edges []int32 // per slot: its first of near; one more at the end

	d, rate, p, dp, k, w []float64 // what the law is asked and answers
	memory               []float64
	touch                []touch

	of    []int32 // slots of the spheres, of each in the order of its partners: the number, negative less one where the sphere comes second
	start []int32 // per sphere: its first of of; one more at the end
	walls []int32 // slots with a wall
}

// touch is the rest of what a slot knows.
type touch struct {
	n              r2.Vec       // from the first sphere to its partner
	armI, armJ     float64      // from the centres to the point of contact [m]
	slip           float64      // speed of the first over its partner, across n [m/s]
	half           float64      // the same half a step before [m/s]
	closing        float64      // deflection rate half a step before [m/s]
	before         float64      // deflection of the last evaluation [m]
	force          float64      // normal force of the last evaluation [N]
	grip           coulomb.Grip // friction on the first sphere along (-n.Y, n.X)
	speed          float64      // below which it was linear, regularised [m/s]
	roll           float64      // rolling torque on the first sphere at the last evaluation [N m]
	turn, turned   float64      // spin of the first over its partner, and half a step before [rad/s]
	normal, across float64      // work of the last step [J]
	in, out        Phase        // of the last step
}

// Memories is what pairs remember, in the order of rules and pairs: what State
// does not hold of a run. Laws' memories differ in length.
type Memories struct {
	Key    []int32   // four per pair: the two kinds, the first sphere, the second or the wall; pairs ascending
	Start  []int32   // per pair: its first of Values; one more at the end
	Values []float64 // deflection, force, friction, spring, sliding, rolling torque, and the law's memory
}

const ownValues = 6

func (m *Memories) clear() {
	m.Key, m.Start, m.Values = m.Key[:0], append(m.Start[:0], 0), m.Values[:0]
}

func (m *Memories) add(key key, values []float64) {
	m.Key = append(m.Key, key[:]...)
	m.Values = append(m.Values, values...)
	m.Start = append(m.Start, int32(len(m.Values)))
}

func (m *Memories) values(i int) []float64 { return m.Values[m.Start[i]:m.Start[i+1]] }

func (m *Memories) key(i int) key { return key(m.Key[4*i:]) }

func (m *Memories) pairs() int { return len(m.Key) / 4 }

// Whole tells whether every pair has its values: those of a damaged or forged
// file may not.
func (m *Memories) Whole() bool {
	if len(m.Key)%4 != 0 || len(m.Start) != m.pairs()+1 || m.Start[0] != 0 || int(m.Start[m.pairs()]) != len(m.Values) {
		return false
	}
	for i := range m.pairs() {
		if m.Start[i+1]-m.Start[i] < ownValues || m.Start[i+1] < m.Start[i] {
			return false
		}
	}
	return true
}

// key names a pair in Memories.
type key [4]int32

func compareKeys(a, b key) int {
	for i := range a {
		if c := cmp.Compare(a[i], b[i]); c != 0 {
			return c
		}
	}
	return 0
}

// named returns the key of a pair under the rule.
func (r *Rule) named(p pair) key { return key{int32(r.key >> 32), int32(r.key), p.I, p.J} }

// each calls f for every slot that remembers something, in order.
func (s *Spheres) each(f func(key key, values []float64)) {
	var scratch []float64
	t := &s.slots
	for r := range len(t.first) - 1 {
		rule := s.rules[s.order[r]]
		m := rule.memory
		for c := t.first[r]; c < t.first[r+1]; c++ {
			at := t.mem[r] + (c-t.first[r])*m
			memory := t.memory[at : at+m]
			o := &t.touch[c]
			if t.d[c] <= 0 && !slices.ContainsFunc(memory, func(v float64) bool { return v != 0 }) {
				continue
			}
			sliding := 0.0
			if o.grip.Slides {
				sliding = 1
			}
			scratch = append(append(scratch[:0], max(t.d[c], 0), o.force, o.grip.Drag, o.grip.Spring, sliding, o.roll), memory...)
			f(rule.named(t.pair[c]), scratch)
		}
	}
}

// Memories returns what all pairs remember, near or not.
func (s *Spheres) Memories() Memories {
	var m Memories
	m.clear()
	s.merge(&m)
	return m
}

// merge adds what slots and parked pairs remember to m, in order.
func (s *Spheres) merge(m *Memories) {
	i := 0
	s.each(func(key key, values []float64) {
		for ; i < s.parked.pairs() && compareKeys(s.parked.key(i), key) < 0; i++ {
			m.add(s.parked.key(i), s.parked.values(i))
		}
		m.add(key, values)
	})
	for ; i < s.parked.pairs(); i++ {
		m.add(s.parked.key(i), s.parked.values(i))
	}
}

// Remember takes up memories, of a run that goes on.
func (s *Spheres) Remember(m Memories) {
	s.parked = m
	s.slots = slots{}
	s.built = 0
}

// refresh makes slots of the candidate list where it is new.
func (s *Spheres) refresh() {
	list := s.search.Pairs(s.X)
	if list.Build == s.built {
		return
	}
	s.built = list.Build
	s.pool.clear()
	s.merge(&s.pool)
	s.slots, s.spare = s.spare, s.slots
	t := &s.slots

	// pairs as the search lists them, and how many each rule has
	raw, near, edges := s.spare.pair[:0], t.near[:0], s.spare.edges[:0]
	kind := s.spare.of[:0]
	known := len(s.rules)
	for _, p := range list.List {
		q := pair{p.I, p.J}
		a, edge := s.Kind[p.I], int32(-1)
		var r int32
		switch {
		case int(p.J) < s.n:
			if s.Inverse[p.I] == 0 && s.Inverse[p.J] == 0 {
				continue
			}
			r = s.rule(a, s.Kind[p.J])
		default:
			edge = p.J - int32(s.n)
			w := s.owner[edge]
			q.J = int32(s.n) + w
			if s.Inverse[p.I] == 0 && s.Walls[w].Inverse == 0 {
				continue
			}
			r = s.rule(a, s.Walls[w].Kind)
		}
		if r < 0 {
			continue
		}
		if edge >= 0 {
			near = append(near, edge)
			if k := len(raw); k > 0 && raw[k-1] == q { // another edge of the wall
				continue
			}
			edges = append(edges, int32(len(near)-1))
		} else {
			edges = append(edges, int32(len(near)))
		}
		raw, kind = append(raw, q), append(kind, r)
	}
	edges = append(edges, int32(len(near)))
	if len(s.rules) > known || len(s.order) < len(s.rules) {
		s.rankRules()
	}
	s.arrange(raw, near, edges, kind)
	s.recall()
	s.index()
}

// rankRules puts the rules into the order of their kinds.
func (s *Spheres) rankRules() {
	s.order, s.rank = s.order[:0], make([]int32, len(s.rules))
	for r := range s.rules {
		s.order = append(s.order, int32(r))
	}
	slices.SortFunc(s.order, func(a, b int32) int { return cmp.Compare(s.rules[a].key, s.rules[b].key) })
	for k, r := range s.order {
		s.rank[r] = int32(k)
	}
}

// arrange sorts raw pairs by rule; within a rule they keep their order.
func (s *Spheres) arrange(raw []pair, near, edges, kind []int32) {
	t, n := &s.slots, len(raw)
	t.first = append(t.first[:0], make([]int32, len(s.rules)+1)...)
	for _, r := range kind {
		t.first[s.rank[r]+1]++
	}
	for r := range s.rules {
		t.first[r+1] += t.first[r]
	}
	t.mem = t.mem[:0]
	size := int32(0)
	for r, rule := range s.order {
		t.mem = append(t.mem, size)
		size += (t.first[r+1] - t.first[r]) * s.rules[rule].memory
	}
	t.pair = slices.Grow(t.pair[:0], n)[:n]
	from := make([]int32, n)
	next := slices.Clone(t.first)
	for k, r := range kind {
		c := next[s.rank[r]]
		next[s.rank[r]]++
		t.pair[c], from[c] = raw[k], int32(k)
	}
	t.near = slices.Grow(s.spare.near[:0], len(near))
	t.edges = t.edges[:0]
	for _, k := range from {
		t.edges = append(t.edges, int32(len(t.near)))
		t.near = append(t.near, near[edges[k]:edges[k+1]]...)
	}
	t.edges = append(t.edges, int32(len(t.near)))
	s.spare.pair, s.spare.near, s.spare.edges, s.spare.of = raw, near, edges, kind // buffers to keep
	for _, v := range []*[]float64{&t.d, &t.rate, &t.p, &t.dp, &t.k, &t.w} {
		*v = slices.Grow((*v)[:0], n)[:n]
		clear(*v)
	}
	t.memory = slices.Grow(t.memory[:0], int(size))[:size]
	clear(t.memory)
	t.touch = slices.Grow(t.touch[:0], n)[:n]
	clear(t.touch)
}

// recall gives the pairs back what they remember; those that are no longer
// near are parked.
func (s *Spheres) recall() {
	t := &s.slots
	s.parked.clear()
	i := 0
	for r := range len(t.first) - 1 {
		rule := s.rules[s.order[r]]
		m := rule.memory
		for c := t.first[r]; c < t.first[r+1] && i < s.pool.pairs(); c++ {
			key := rule.named(t.pair[c])
			order := compareKeys(s.pool.key(i), key)
			for ; order < 0; order = compareKeys(s.pool.key(i), key) {
				s.parked.add(s.pool.key(i), s.pool.values(i))
				if i++; i == s.pool.pairs() {
					break
				}
			}
			if i == s.pool.pairs() || order > 0 {
				continue
			}
			v, o := s.pool.values(i), &t.touch[c]
			o.before, o.force, o.roll = v[0], v[1], v[5]
			o.grip = coulomb.Grip{Drag: v[2], Held: v[2], Spring: v[3], Slides: v[4] == 1}
			t.d[c] = o.before
			copy(t.memory[t.mem[r]+(c-t.first[r])*m:], v[ownValues:])
			i++
		}
	}
	for ; i < s.pool.pairs(); i++ {
		s.parked.add(s.pool.key(i), s.pool.values(i))
	}
}

// index lists the slots of every sphere in the order of its partners, and
// those with a wall.
func (s *Spheres) index() {
	t := &s.slots
	t.start = slices.Grow(t.start[:0], s.n+1)[:s.n+1]
	clear(t.start)
	t.walls = t.walls[:0]
	for c, p := range t.pair {
		t.start[p.I+1]++
		if int(p.J) < s.n {
			t.start[p.J+1]++
		} else {
			t.walls = append(t.walls, int32(c))
		}
	}
	for i := range s.n {
		t.start[i+1] += t.start[i]
	}
	t.of = slices.Grow(t.of[:0], int(t.start[s.n]))[:t.start[s.n]]
	next := slices.Clone(t.start)
	for c, p := range t.pair {
		t.of[next[p.I]] = int32(c)
		next[p.I]++
		if int(p.J) < s.n {
			t.of[next[p.J]] = -int32(c) - 1
			next[p.J]++
		}
	}
	if len(s.rules) == 1 { // already in order: of a sphere, first those below it
		return
	}
	for i := range s.n {
		own := t.of[t.start[i]:t.start[i+1]]
		slices.SortFunc(own, func(a, b int32) int { return int(s.partner(a)) - int(s.partner(b)) })
	}
}

// partner returns the other one of an entry of of.
func (s *Spheres) partner(entry int32) int32 {
	if entry < 0 {
		return s.slots.pair[-entry-1].I
	}
	return s.slots.pair[entry].J
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 1
	}
	sorted := slices.Clone(v)
	slices.Sort(sorted)
	return sorted[len(sorted)/2]
}

// Resume takes up a state and what pairs remembered with it.
func (s *Spheres) Resume(state State, m Memories) {
	s.State = state
	s.Remember(m)
}
