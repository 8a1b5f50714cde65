package potential

// Several workers share the active faces. Their results are stored face by face. The
// first worker adds sums over faces, and forces on nodes, in the order of faces; its own
// at once. So the number of workers does not change the bits.

// workers has the workers of the contact.
type workers struct {
	finders        []finder
	run            func(do func(worker int)) // calls do for every worker and waits
	chunks         int                       // number of workers of the present phase
	doFar, doPress func(worker int)          // measureTravel and pressFaces, made once
}

// Workers sets n workers that evaluate the contact. run calls its argument with their
// numbers. n does not change the bits.
func (c *Contact) Workers(n int, run func(do func(worker int))) {
	c.run, c.finders, c.travels = run, make([]finder, n), make([]farthest, n)
}

// Numbers of items below which one worker does the work.
const (
	fewNodes = 20000
	fewFaces = 100
)

// shareWork executes a phase over a number of items with all workers, or with one worker
// if there are few items.
func (c *Contact) shareWork(items, few int, do func(worker int)) {
	if c.chunks = len(c.finders); c.chunks > 1 && items >= few {
		c.run(do)
		return
	}
	c.chunks = 1
	do(0)
}

// chunk returns a worker's share [lo, hi) of n.
func (c *Contact) chunk(worker, n int) (lo, hi int) {
	return worker * n / c.chunks, (worker + 1) * n / c.chunks
}
