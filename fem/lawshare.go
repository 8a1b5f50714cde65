package fem

import "slices"

// Laws on several processes. Each process evaluates the laws of the blocks that have one of its
// nodes, and keeps the results. The blocks at the border of two processes are evaluated by both,
// with the same bits. A process gets results of other blocks from the process that owns the lowest
// node of the block, block by block.

// LawBlocks returns the blocks with a law that contain the given triangles, ascending.
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

// BlockOwner returns the owner of the lowest node of a block. Owner k has the nodes [bounds[k],
// bounds[k+1]).
func (t *Triangles) BlockOwner(block int32, bounds []int32) int {
	low, _ := t.span(&t.blocks[block])
	k, found := slices.BinarySearch(bounds, low)
	if !found {
		k--
	}
	for bounds[k+1] == low { // owner k has no nodes
		k++
	}
	return k
}

// answersOf yields the last results of the law of a block and its memory. With committed it is the
// memory before the evaluation, otherwise the memory after it.
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

// CountAnswers returns the number of values that Answers appends for a block.
func (t *Triangles) CountAnswers(block int32) (n int) {
	t.answersOf(block, false, func(values []float64) { n += len(values) })
	return n
}

// Answers appends the last results of the law of a block: stress, energy and memory. With committed
// it is the memory before the evaluation, otherwise the memory after it.
func (t *Triangles) Answers(block int32, committed bool, to []float64) []float64 {
	t.answersOf(block, committed, func(values []float64) { to = append(to, values...) })
	return to
}

// SetAnswers sets values that Answers has appended to from. It returns the rest of from.
func (t *Triangles) SetAnswers(block int32, committed bool, from []float64) []float64 {
	t.answersOf(block, committed, func(values []float64) { from = from[copy(values, from):] })
	return from
}
