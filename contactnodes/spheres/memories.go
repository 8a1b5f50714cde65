package spheres

import (
	"cmp"
	"math"
	"slices"

	"fdem/contactnodes/coulomb"
)

// PairMemories is the memory of all pairs, in the order of kinds and pairs. It is
// not part of State, because the memories of laws have different lengths.
type PairMemories struct {
	Key    []int32   // four per pair: the two kinds, the first sphere, the second or the wall; pairs ascending
	Start  []int32   // per pair: its first of Values; one more at the end
	Values []float64 // deflection, force, friction, spring, sliding, rolling torque and the stiffness of its spring, for an edge the force subtracted at its corner, and the law's memory
}

const ownValues = 7

func (m *PairMemories) add(key key, values []float64) {
	if len(m.Start) == 0 {
		m.Start = append(m.Start, 0)
	}
	m.Key = append(m.Key, key[:]...)
	m.Values = append(m.Values, values...)
	m.Start = append(m.Start, int32(len(m.Values)))
}

func (m *PairMemories) values(i int) []float64 { return m.Values[m.Start[i]:m.Start[i+1]] }

func (m *PairMemories) key(i int) key { return key(m.Key[4*i:]) }

func (m *PairMemories) pairs() int { return len(m.Key) / 4 }

// sorted returns in order the memories for which keep is true, or all if keep
// is nil.
func (m *PairMemories) sorted(keep func(i int) bool) PairMemories {
	order := make([]int, 0, m.pairs())
	for i := range m.pairs() {
		if keep == nil || keep(i) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return compareKeys(m.key(a), m.key(b)) })
	out := PairMemories{Start: []int32{0}}
	for _, i := range order {
		out.add(m.key(i), m.values(i))
	}
	return out
}

// find returns the position of a key.
func (m *PairMemories) find(k key) (at int, found bool) {
	low, high := 0, m.pairs()
	for low < high {
		if mid := (low + high) / 2; compareKeys(m.key(mid), k) < 0 {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low, low < m.pairs() && m.key(low) == k
}

// Whole tells whether every pair has all of its values. In a damaged file some
// may be missing.
func (m *PairMemories) Whole() bool {
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

// keyOf returns the key of a pair under the rule.
func (r *Rule) keyOf(p pair) key { return key{int32(r.key >> 32), int32(r.key), p.I, p.J} }

// remembers tells whether slot c of a batch has a memory that is not zero.
func (t *slots) remembers(b *batch, c int32) bool {
	return t.pairMemory[c].d > 0 || slices.ContainsFunc(t.lawMemory(b, c), func(v float64) bool { return v != 0 })
}

// storeMemory appends the memory of slot c of a batch to m.
func (s *Spheres) storeMemory(m *PairMemories, t *slots, b *batch, c int32) {
	h := &t.pairMemory[c]
	sliding := 0.0
	if h.stiffness < 0 {
		sliding = 1
	}
	m.add(s.rules[b.rule].keyOf(t.pair[c]), []float64{h.d, h.force, h.friction, math.Abs(h.stiffness), sliding, t.roll[c].torque, t.roll[c].stiffness})
	if s.kindOf(t.pair[c]) == 2 {
		m.Values = append(m.Values, t.corner[c])
	}
	m.Values = append(m.Values, t.lawMemory(b, c)...)
	m.Start[len(m.Start)-1] = int32(len(m.Values))
}

// loadMemory gives slot c of a batch the values that storeMemory has stored.
func (s *Spheres) loadMemory(b *batch, c int32, v []float64) {
	t := &s.slots
	h := &t.pairMemory[c]
	h.d, h.force, t.roll[c] = v[0], v[1], rollMemory{v[5], v[6]}
	h.setStick(coulomb.Stick{Friction: v[2], Stiffness: v[3], Sliding: v[4] == 1})
	v = v[ownValues:]
	if s.kindOf(t.pair[c]) == 2 && len(v) > 0 {
		t.corner[c], v = v[0], v[1:]
	}
	copy(t.lawMemory(b, c), v)
}

// Memories returns the memory of all pairs, also of distant ones.
func (s *Spheres) Memories() PairMemories {
	all := PairMemories{Key: slices.Clone(s.stored.Key), Start: slices.Clone(s.stored.Start), Values: slices.Clone(s.stored.Values)}
	t := &s.slots
	for k := range t.batch {
		b := &t.batch[k]
		for c := b.first; c < b.end; c++ {
			if t.remembers(b, c) {
				s.storeMemory(&all, t, b, c)
			}
		}
	}
	return all.sorted(func(i int) bool { return !allZero(all.values(i)) })
}

// RestoreMemories sets the memories of a run that is resumed.
func (s *Spheres) RestoreMemories(m PairMemories) {
	s.stored = m
	s.slots = slots{}
	s.built, s.evaluated = 0, -1
	clear(s.load)
}

// Resume sets a state and the memories of its pairs.
func (s *Spheres) Resume(state State, m PairMemories) {
	copy(s.Balances, state.Balances)
	state.Balances = s.Balances
	s.State = state
	s.RestoreMemories(m)
}

// copyMemory gives the slots the memory of their pairs, from the former slots or
// from the stored memories. It stores the memory of a pair that has lost its
// slot.
func (s *Spheres) copyMemory(before *slots) {
	t := &s.slots
	var gone PairMemories
	taken := map[int]bool{} // of stored; looked up only
	old, c := 0, int32(0)   // batch and slot of before
	var b *batch
	step := func() { // to the slot at c, or to the end
		for old < len(before.batch) && c >= before.batch[old].end {
			old++
		}
		b = nil
		if old < len(before.batch) {
			b = &before.batch[old]
		}
	}
	step()
	for k := range t.batch {
		own := &t.batch[k]
		for n := own.first; n < own.end; n++ {
			for b != nil && s.comesBefore(b, before.pair[c], own, t.pair[n]) {
				if before.remembers(b, c) {
					s.storeMemory(&gone, before, b, c)
				}
				c++
				step()
			}
			if b != nil && b.rule == own.rule && before.pair[c] == t.pair[n] {
				t.pairMemory[n], t.roll[n], t.corner[n] = before.pairMemory[c], before.roll[c], before.corner[c]
				copy(t.lawMemory(own, n), before.lawMemory(b, c))
				c++
				step()
			} else if s.stored.pairs() > 0 {
				if at, ok := s.stored.find(s.rules[own.rule].keyOf(t.pair[n])); ok {
					s.loadMemory(own, n, s.stored.values(at))
					taken[at] = true
				}
			}
		}
	}
	for b != nil {
		if before.remembers(b, c) {
			s.storeMemory(&gone, before, b, c)
		}
		c++
		step()
	}
	if len(taken)+gone.pairs() == 0 {
		return
	}
	for i := range s.stored.pairs() {
		if !taken[i] {
			gone.add(s.stored.key(i), s.stored.values(i))
		}
	}
	s.stored = gone.sorted(nil)
}

// comesBefore tells whether a pair of one batch comes before that of another.
func (s *Spheres) comesBefore(a *batch, p pair, b *batch, q pair) bool {
	if a.block != b.block {
		return a.block < b.block
	}
	if a.rule != b.rule {
		return s.rules[a.rule].key < s.rules[b.rule].key
	}
	return p.I < q.I || p.I == q.I && p.J < q.J
}
