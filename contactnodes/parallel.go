package contactnodes

import (
	"fdem/boundingbox"
	"fdem/contactnodes/onnodes"
)

// Contact detection and contact forces on several threads. Workers find contact
// points and evaluate the law and friction for ranges of contact elements or
// contact nodes. The results are joined in the order of these ranges. One worker
// adds the forces and another updates the state, in that order, so the number of
// workers does not change the bits.

// workers has the data of a contact's workers.
type workers struct {
	shared  boundingbox.Chunks
	finders []finder // per chunk

	doFind, doJoin, doPress, doFriction, doRecord func(chunk int) // findChunk and the like, made once

	// Arguments of this evaluation, for all workers.
	out     onnodes.Forces
	dt      float64 // the last step [s]
	commits bool    // the state is updated
}

// Workers lets n workers evaluate the contact: run calls its argument with
// 0...n-1, at the same time or not, and returns when all calls have.
func (c *Contact) Workers(n int, run func(do func(worker int))) {
	c.shared.By(n, run)
	chunks := 1
	if n > 1 {
		chunks = boundingbox.ChunksEach * n
	}
	for len(c.finders) < chunks {
		c.finders = append(c.finders, newFinder(c.Nodes))
	}
	c.finders = c.finders[:chunks]
	c.finders[0].points, c.finders[0].approaching = &c.points, &c.approaching
}

// Least numbers of awake candidates and of contact nodes in contact that are
// divided among workers.
const (
	minParallelPairs = 32
	minParallelNodes = 100
)

// spread executes a phase over a number of items with all workers, in chunks
// chunks, or in one chunk if there are fewer than least items. It returns the
// number of chunks, 0 for no items.
func (c *Contact) spread(chunks, items, least int, do func(chunk int)) int {
	shared := c.shared.Workers > 1 && items >= least
	if !shared {
		chunks = min(items, 1)
	}
	c.shared.Do(chunks, shared, do)
	return chunks
}
