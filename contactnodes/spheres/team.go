package spheres

import "sync/atomic"

// team is the workers that share an evaluation, block by block. A free worker
// takes the next block. The results of a block do not depend on the worker.
type team struct {
	size       int
	run        func(do func(worker int)) // calls do for every worker and waits
	next       atomic.Int64              // next block
	blocks     int
	phase      func(block int)
	takeBlocks func(worker int)

	// Methods of Spheres, bound once
	prepare, evaluate, pressWalls, addWallForces, pressOutlines, addOutlineForces, finish, move func(block int)

	kick, drift float64 // of this move [s]
}

// Workers sets the number n of workers. run calls its argument with 0...n-1,
// concurrently or not, and returns when all calls have returned.
func (s *Spheres) Workers(n int, run func(do func(worker int))) {
	s.team.size, s.team.run = n, run
	s.search.Workers(n, run)
}

// bind binds the phases of an evaluation once, so that a step allocates
// nothing.
func (s *Spheres) bind() {
	t := &s.team
	t.prepare, t.evaluate, t.pressWalls, t.addWallForces, t.finish, t.move = s.prepare, s.evaluateBlock, s.pressWalls, s.addWallForces, s.finish, s.move
	t.pressOutlines, t.addOutlineForces = s.pressOutlines, s.addOutlineForces
	t.takeBlocks = func(int) {
		for b := t.next.Add(1) - 1; int(b) < t.blocks; b = t.next.Add(1) - 1 {
			t.phase(int(b))
		}
	}
}

// forEach runs a phase for every block.
func (t *team) forEach(blocks int, phase func(block int)) {
	if t.size <= 1 || blocks <= 1 {
		for b := range blocks {
			phase(b)
		}
		return
	}
	t.blocks, t.phase = blocks, phase
	t.next.Store(0)
	t.run(t.takeBlocks)
}
