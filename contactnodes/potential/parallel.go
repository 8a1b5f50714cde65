package potential

// Several workers share the faces that are awake. What each finds and works out is
// kept face by face; sums over faces and forces on nodes are taken by the first of them
// in the order of faces, its own at once, so that the number of workers does not change a
// bit.

// workers is who evaluates the contact.
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

// Numbers that are not worth sharing.
const (
	fewNodes = 20000
	fewFaces = 100
)

// shareWork does a phase over so many items with all workers, or with one where they are
// few.
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
