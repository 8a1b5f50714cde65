package potential

// Several workers share the active faces. Their results are kept face by face; the first
// worker adds sums over faces and forces on nodes in the order of faces, its own at once,
// so that the number of workers does not change a bit.

// workers has the workers of the contact.
type workers struct {
	finders       []finder
	run           func(do func(worker int)) // calls do for every worker and waits
	chunks        int                       // workers of the phase at hand
	doFar, doMeet func(worker int)          // measureTravel and meet, made once
}

// Workers lets n workers evaluate the contact, whom run calls with their numbers;
// their number does not change a bit.
func (c *Contact) Workers(n int, run func(do func(worker int))) {
	c.run, c.finders, c.travels = run, make([]finder, n), make([]farthest, n)
}

// Numbers of items below which one worker does the work.
const (
	fewNodes = 20000
	fewFaces = 100
)

// shareWork executes a phase over so many items with all workers, or with one worker for
// few items.
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
