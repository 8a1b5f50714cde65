package solver

import (
	"sync"

	"fdem/fem"

	"gonum.org/v1/gonum/spatial/r2"
)

// Several workers share the triangles. Each owns a range of nodes and computes
// every triangle that touches it, border triangles twice, into forces of its
// own; then it hands over the forces on its nodes. A node adds up its triangles
// in the same order as a single worker does, so the number of workers does not
// change a bit.

// worker computes the forces on the nodes [first, end).
type worker struct {
	triangles  *fem.Triangles
	first, end int32
	low, high  int32    // the nodes its triangles touch
	f          []r2.Vec // its own forces
	err        error
}

// perWorker is the number of triangles below which another worker costs more
// than it saves.
const perWorker = 10000

// Workers returns the number of workers worth having for n triangles on a
// number of cores.
func Workers(n, cores int) int { return max(1, min(cores, n/perWorker)) }

// Share lets n workers compute the forces of the triangles; 1 goes back to a
// single one.
func (s *Solver) Share(n int) {
	s.workers = nil
	if s.spheres != nil {
		s.spheres.Workers(n)
	}
	nodes := len(s.X)
	if n = min(n, nodes); n <= 1 {
		return
	}
	s.workers = make([]worker, n)
	for i := range s.workers {
		w := &s.workers[i]
		w.first, w.end = int32(i*nodes/n), int32((i+1)*nodes/n)
		w.triangles, w.low, w.high = s.triangles.Touching(w.first, w.end)
		w.f = make([]r2.Vec, nodes)
	}
}

// addTriangleForces sets f to the internal forces of the triangles.
func (s *Solver) addTriangleForces() error {
	if s.workers == nil {
		clear(s.f)
		return s.triangles.AddForces(s.f, s.X)
	}
	var wait sync.WaitGroup
	for i := range s.workers {
		w := &s.workers[i]
		wait.Go(func() {
			clear(w.f[w.low:w.high])
			w.err = w.triangles.AddForces(w.f, s.X)
			copy(s.f[w.first:w.end], w.f[w.first:w.end])
		})
	}
	wait.Wait()
	for i := range s.workers {
		if s.workers[i].err != nil { // the same error as a single worker's
			return s.triangles.AddForces(s.f, s.X)
		}
	}
	return nil
}
