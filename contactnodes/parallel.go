package contactnodes

import "sync/atomic"

// Contact detection and contact forces on several threads. Workers find contact
// points and evaluate the law and friction for ranges of contact elements or
// contact nodes. The results are joined in the order of these. One worker adds
// the forces, another updates the state, in that order: the number of workers
// does not change a bit.

// workers has the workers of a contact. A phase is divided into chunks, several
// for each worker, and a free worker takes the next chunk.
type workers struct {
	size    int
	run     func(do func(worker int)) // calls do for every worker and waits
	finders []finder                  // per chunk
	chunks  int                       // of the phase at hand
	next    atomic.Int64              // chunk to be taken
	phase   func(chunk int)

	take                                  func(worker int) // runChunks, made once
	doFind, doPress, doFriction, doRecord func(chunk int)  // findChunk and the like

	// Of this evaluation, for all workers.
	out     Forces
	dt      float64 // the last step [s]
	commits bool    // the state is updated
}

// chunksEach is the number of chunks of a phase for each worker. A worker that
// starts late, or waits for data of another core, leaves more chunks to the
// others.
const chunksEach = 4

// Workers lets n workers evaluate the contact: run calls its argument with
// 0...n-1, at the same time or not, and returns when all calls have.
func (c *Contact) Workers(n int, run func(do func(worker int))) {
	c.size, c.run = n, run
	chunks := 1
	if n > 1 {
		chunks = chunksEach * n
	}
	for len(c.finders) < chunks {
		c.finders = append(c.finders, newFinder(c.Nodes))
	}
	c.finders = c.finders[:chunks]
	c.finders[0].points, c.finders[0].approaching = &c.touching, &c.approaching
}

// Least numbers of awake candidates and of touching contact nodes that are shared
// among workers.
const (
	minParallelPairs = 32
	minParallelNodes = 100
)

// spread executes a phase over a number of items with all workers, in the given
// number of chunks, or in one if there are fewer than least items, and returns the
// number of chunks used: 0 for no items.
func (c *Contact) spread(chunks, items, least int, do func(chunk int)) int {
	if c.size > 1 && items >= least {
		c.chunks, c.phase = chunks, do
		c.next.Store(0)
		c.run(c.take)
		return c.chunks
	}
	c.chunks = min(items, 1)
	for i := range c.chunks {
		do(i)
	}
	return c.chunks
}

// runChunks executes chunks of the current phase until all are taken.
func (c *Contact) runChunks(int) {
	for i := int(c.next.Add(1) - 1); i < c.chunks; i = int(c.next.Add(1) - 1) {
		c.phase(i)
	}
}

// chunk returns the share [lo, hi) of n that chunk i has.
func (c *Contact) chunk(i, n int) (lo, hi int) { return i * n / c.chunks, (i + 1) * n / c.chunks }
