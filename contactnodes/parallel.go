package contactnodes

// Contact detection and contact forces on several threads. Workers find touches
// and evaluate the law and friction, each for consecutive contact elements or
// contact nodes. What they found is put together in the order of these. Forces
// are added by one of them, and books kept by another, in that order: the number
// of workers does not change a bit.

// workers is who evaluates a contact.
type workers struct {
	finders []finder
	run     func(do func(worker int)) // calls do for every worker and waits
	chunks  int                       // workers of the phase at hand

	doFind, doPress, doRub, doBook func(worker int) // findChunk and the like, made once

	// Of this evaluation, for all workers.
	out     Forces
	dt      float64 // the last step [s]
	commits bool    // the state goes on
}

// Workers lets n workers evaluate the contact: run calls its argument with
// 0...n-1, at the same time or not, and returns when all calls have.
func (c *Contact) Workers(n int, run func(do func(worker int))) {
	c.run = run
	for len(c.finders) < n {
		c.finders = append(c.finders, newFinder(c.Nodes))
	}
	c.finders = c.finders[:n]
	c.finders[0].touches, c.finders[0].approaching = &c.touching, &c.approaching
}

// How many candidates that are awake, and touching contact nodes, are worth sharing.
const (
	minParallelPairs = 32
	minParallelNodes = 100
)

// spread does a phase over a number of items with all workers, or with one
// where there are fewer than least, and returns how many it took: none for no items.
func (c *Contact) spread(items, least int, do func(worker int)) int {
	if c.chunks = len(c.finders); c.chunks > 1 && items >= least {
		c.run(do)
		return c.chunks
	}
	c.chunks = min(items, 1)
	for i := range c.chunks {
		do(i)
	}
	return c.chunks
}

// chunk returns worker i's share [lo, hi) of n.
func (c *Contact) chunk(i, n int) (lo, hi int) { return i * n / c.chunks, (i + 1) * n / c.chunks }
