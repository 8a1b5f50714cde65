package solver

import (
	"sync"

	"fdem/fem"
)

// Several workers share the triangles. Each owns a range of nodes and computes
// every triangle that touches it, border triangles twice. A node adds up its
// triangles in the same order as with a single worker, so the number of workers
// does not change a bit.

// worker computes the forces of the triangles on a range of nodes.
type worker struct {
	part *fem.Part
	ok   bool
}

// perWorker is the number of triangles below which another worker costs more
// than it saves.
const perWorker = 10000

// Workers returns the number of workers worth having for n triangles on a
// number of cores.
func Workers(n, cores int) int { return max(1, min(cores, n/perWorker)) }

// Share lets n workers compute the forces of the triangles.
func (s *Solver) Share(n int) {
	if s.spheres != nil {
		s.spheres.Workers(n)
	}
	parts := s.triangles.Parts(n)
	s.workers = make([]worker, len(parts))
	for i, p := range parts {
		s.workers[i].part = p
	}
}

// addTriangleForces sets f to the internal forces of the triangles.
func (s *Solver) addTriangleForces() error {
	if len(s.workers) == 1 {
		s.workers[0].ok = s.workers[0].part.SetForces(s.f, s.X)
	} else {
		var wait sync.WaitGroup
		for i := range s.workers {
			w := &s.workers[i]
			wait.Go(func() { w.ok = w.part.SetForces(s.f, s.X) })
		}
		wait.Wait()
	}
	for i := range s.workers {
		if !s.workers[i].ok {
			return s.triangles.AddForces(s.f, s.X) // the first triangle, whoever found one
		}
	}
	return nil
}

// Kernel names the kernel that computes the forces of the triangles.
func (s *Solver) Kernel() string { return s.triangles.Kernel() }
