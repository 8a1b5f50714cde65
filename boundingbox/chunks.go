package boundingbox

import "sync/atomic"

// Chunks divides the phases of some work among workers. A phase is divided into
// chunks, several for each worker, and a free worker takes the next chunk. So a
// worker that starts late, or waits for data from another core, leaves more
// chunks to the others.
type Chunks struct {
	Workers int // with 0 or 1 the caller does all chunks
	N       int // number of chunks of the present phase

	run   func(do func(worker int)) // calls do for every worker and waits
	take  func(worker int)          // takeChunks, made once
	next  atomic.Int64              // next chunk
	phase func(chunk int)
}

// ChunksEach is the number of chunks of a phase for each worker.
const ChunksEach = 4

// By lets n workers do the phases: run calls its argument with 0...n-1, at the
// same time or not, and returns when all calls have.
func (c *Chunks) By(n int, run func(do func(worker int))) {
	c.Workers, c.run, c.take = n, run, c.takeChunks
}

// Do executes a phase in n chunks: with the workers if shared is true, else by
// the caller, one chunk after another.
func (c *Chunks) Do(n int, shared bool, phase func(chunk int)) {
	c.N = n
	if !shared || c.Workers <= 1 {
		for i := range n {
			phase(i)
		}
		return
	}
	c.phase = phase
	c.next.Store(0)
	c.run(c.take)
}

// takeChunks executes chunks of the current phase until all are taken.
func (c *Chunks) takeChunks(int) {
	for i := int(c.next.Add(1) - 1); i < c.N; i = int(c.next.Add(1) - 1) {
		c.phase(i)
	}
}

// Share returns the range [first, end) of n items that belongs to chunk i.
func (c *Chunks) Share(i, n int) (first, end int) { return i * n / c.N, (i + 1) * n / c.N }
