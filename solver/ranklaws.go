package solver

import (
	"slices"

	"fdem/ranks"
)

// Laws of triangles with several processes. Each process evaluates the laws of the triangles
// that have one of its nodes, and stores their memory. If other processes need the output of
// laws, all processes get it in the same step: for all triangles for frames and checkpoints
// (updateLaws), and for some triangles for probes and for vertices that may open (getAnswers).

// getAnswers gets the last output of the laws of some blocks: stress, energy and memory. With
// committed it is the memory before the last evaluation, otherwise the memory after it.
func (k *workers) getAnswers(blocks []int32, committed bool) {
	if len(blocks) == 0 {
		return
	}
	h, t := &k.sharing, k.solids
	counts, owner := make([]int, ranks.Size), make([]int, len(blocks))
	for i, b := range blocks {
		owner[i] = t.BlockOwner(b, h.ownedFrom)
		counts[owner[i]] += t.CountAnswers(b)
	}
	each := func(from []float64, do func(i int, of []float64) (rest []float64)) {
		rest := make([][]float64, ranks.Size)
		for r, n := range counts {
			rest[r], from = from[:n:n], from[n:]
		}
		for i, r := range owner {
			rest[r] = do(i, rest[r])
		}
	}
	all := 0
	for _, n := range counts {
		all += n
	}
	h.answers = slices.Grow(h.answers[:0], all)[:all]
	each(h.answers, func(i int, of []float64) []float64 {
		if owner[i] != ranks.Rank {
			return of
		}
		return of[len(t.Answers(blocks[i], committed, of[:0])):]
	})
	ranks.Gather(h.answers, ranks.NewLayout[float64](counts))
	each(h.answers, func(i int, of []float64) []float64 { return t.SetAnswers(blocks[i], committed, of) })
}

// answersAtOnce is the greatest number of blocks in one call, so that the data are
// far below 2 GB.
const answersAtOnce = 1 << 18

// updateLaws gets the last output of all laws, once per evaluation of forces. With committed
// it gets the memory for this evaluation, otherwise that for the next one.
func (k *workers) updateLaws(committed bool) {
	h := &k.sharing
	if h.ownedFrom == nil || h.lawsUp || !k.solids.Lawful() {
		return
	}
	for blocks := range slices.Chunk(k.solids.AllLawBlocks(), answersAtOnce) {
		k.getAnswers(blocks, committed)
	}
	h.lawsUp = true
}

// getProbed gets the output of the laws of the probes' triangles, for a row.
func (k *workers) getProbed() {
	if k.sharing.ownedFrom != nil && !k.sharing.lawsUp {
		k.getAnswers(k.probed(), false)
	}
}

// probed returns the blocks with laws that probes read.
func (k *workers) probed() []int32 {
	var triangles []int32
	for i := range k.Probes {
		if of := k.Probes[i].Region; of != nil {
			triangles = append(triangles, of.Triangles...)
		}
	}
	return k.solids.LawBlocks(triangles)
}

// getAround gets the positions, velocities and forces of nodes, ascending, and the
// output of the laws of triangles.
func (k *workers) getAround(nodes, triangles []int32) {
	if k.sharing.followed != nil {
		k.getNodes(nodes)
	}
	if k.solids.Lawful() {
		k.getAnswers(k.solids.LawBlocks(triangles), false)
	}
}

// greatest returns the greatest of the processes' values, which must not be
// negative.
func (k *workers) greatest(v float64) float64 {
	if k.sharing.ownedFrom == nil {
		return v
	}
	return greatestOfAll(v)
}

// GreatestStiffness measures the triangles of all processes.
func (k *workers) GreatestStiffness() float64 { return k.greatest(k.solids.Stiffest(k.team.Parts)) }

// answerBytes returns the size of the output of the laws of some blocks
// [bytes].
func (k *workers) answerBytes(blocks []int32) (n int) {
	for _, b := range blocks {
		n += 8 * k.solids.CountAnswers(b)
	}
	return n
}
