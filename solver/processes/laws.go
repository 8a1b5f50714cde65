package processes

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
func (k *Division) getAnswers(blocks []int32, committed bool) {
	if len(blocks) == 0 {
		return
	}
	h, t := &k.Sharing, k.solids
	counts, owner := make([]int, ranks.Size), make([]int, len(blocks))
	for i, b := range blocks {
		owner[i] = t.BlockOwner(b, h.OwnedFrom)
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

// UpdateLaws gets the last output of all laws, once per evaluation of forces. With committed
// it gets the memory for this evaluation, otherwise that for the next one.
func (k *Division) UpdateLaws(committed bool) {
	h := &k.Sharing
	if h.OwnedFrom == nil || h.lawsUp || !k.solids.Lawful() {
		return
	}
	for blocks := range slices.Chunk(k.solids.AllLawBlocks(), answersAtOnce) {
		k.getAnswers(blocks, committed)
	}
	h.lawsUp = true
}

// GetProbed gets the output of the laws of the probes' triangles, for a row.
func (k *Division) GetProbed() {
	if k.Sharing.OwnedFrom != nil && !k.Sharing.lawsUp {
		k.getAnswers(k.probed(), false)
	}
}

// probed returns the blocks with laws that probes read.
func (k *Division) probed() []int32 {
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
func (k *Division) getAround(nodes, triangles []int32) {
	if k.Sharing.Followed != nil {
		k.getNodes(nodes)
	}
	if k.solids.Lawful() {
		k.getAnswers(k.solids.LawBlocks(triangles), false)
	}
}

// greatest returns the greatest of the processes' values, which must not be
// negative.
func (k *Division) greatest(v float64) float64 {
	if k.Sharing.OwnedFrom == nil {
		return v
	}
	return greatestOfAll(v)
}

// GreatestStiffness measures the triangles of all processes.
func (k *Division) GreatestStiffness() float64 { return k.greatest(k.solids.Stiffest(k.Team.Parts)) }

// answerBytes returns the size of the output of the laws of some blocks
// [bytes].
func (k *Division) answerBytes(blocks []int32) (n int) {
	for _, b := range blocks {
		n += 8 * k.solids.CountAnswers(b)
	}
	return n
}
