package boundingbox

import "sync/atomic"

// Chunks shares the phases of some work among workers. A phase is divided into
// chunks, several for each worker, and a free worker takes the next chunk. A
// worker that starts late, or waits for data of another core, leaves more chunks
// to the others.
type Chunks struct {
	Workers int // 0 and 1: the caller does all chunks
	N       int // chunks of the phase at hand

	run   func(do func(worker int)) // calls do for every worker and waits
	take  func(worker int)          // takeChunks, made once
	next  atomic.Int64              // chunk to be taken
	phase func(chunk int)
}

// ChunksEach is the number of chunks of a phase for each worker.
const ChunksEach = 4

// By lets n workers do the phases: run calls its argument with 0...n-1, at the
// same time or not, and returns when all calls have.
func (c *Chunks) By(n int, run func(do func(worker int))) {
	c.Workers, c.run, c.take = n, run, c.takeChunks
}

// Do executes a phase in n chunks: by the workers if shared, else by the caller,
// one chunk after another.
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

// Share returns the share [first, end) of n items that chunk i has.
func (c *Chunks) Share(i, n int) (first, end int) { return i * n / c.N, (i + 1) * n / c.N }
