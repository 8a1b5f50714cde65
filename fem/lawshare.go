package fem

import "slices"

// Where several processes share the triangles, each evaluates the laws of the blocks that touch
// its nodes, and keeps what they answer, those at borders beside their other owners to the same
// bits. What laws have answered elsewhere it gets by whole blocks, from the process that owns the
// lowest node of each.

// LawBlocks returns the blocks that have a law of some triangles, ascending.
func (t *Triangles) LawBlocks(triangles []int32) (blocks []int32) {
	for _, i := range triangles {
		if r := t.runOf(int(i)); r.law != nil {
			blocks = append(blocks, r.block+(i-r.first)/lanes)
		}
	}
	slices.Sort(blocks)
	return slices.Compact(blocks)
}

// AllLawBlocks returns all blocks that have a law.
func (t *Triangles) AllLawBlocks() (blocks []int32) {
	for i := range t.runs {
		if r := &t.runs[i]; r.law != nil {
			for b := r.block; b < r.end; b++ {
				blocks = append(blocks, b)
			}
		}
	}
	return blocks
}

// BlockOwner returns who owns the lowest node of a block, where owner k has the nodes
// [bounds[k], bounds[k+1]).
func (t *Triangles) BlockOwner(block int32, bounds []int32) int {
	low, _ := t.span(&t.blocks[block])
	k, found := slices.BinarySearch(bounds, low)
	if !found {
		k--
	}
	for bounds[k+1] == low { // it has none
		k++
	}
	return k
}

// answersOf yields what the law of a block has answered last, and the memory with it or, committed,
// that before it.
func (t *Triangles) answersOf(block int32, committed bool, yield func(values []float64)) {
	r, l := t.runOfBlock(block), t.lawful
	at := lanes * (block - r.block)
	for _, a := range [...][]float64{l.xx, l.yy, l.xy, l.zz, l.energy, l.thickness} {
		if a != nil {
			yield(a[r.firstLane+at:][:lanes])
		}
	}
	of := l.next
	if committed {
		of = l.now
	}
	for v := range r.law.Memory() {
		yield(t.memory(r, of, v)[at:][:lanes])
	}
}

// CountAnswers returns how many numbers Answers appends for a block.
func (t *Triangles) CountAnswers(block int32) (n int) {
	t.answersOf(block, false, func(values []float64) { n += len(values) })
	return n
}

// Answers appends what the law of a block has answered last: stress, energy, and the memory with
// it or, committed, that before it.
func (t *Triangles) Answers(block int32, committed bool, to []float64) []float64 {
	t.answersOf(block, committed, func(values []float64) { to = append(to, values...) })
	return to
}

// SetAnswers sets what Answers has given, and returns the rest.
func (t *Triangles) SetAnswers(block int32, committed bool, from []float64) []float64 {
	t.answersOf(block, committed, func(values []float64) { from = from[copy(values, from):] })
	return from
}
