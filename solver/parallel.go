package solver

import (
	"runtime"
	"slices"
	"time"

	"fdem/fem"
)

// Several workers share a step. Each owns a range of nodes: it computes every
// triangle that touches them, border triangles twice, and moves them. Contacts
// are shared by contact element (contactnodes/parallel.go). A node adds up its forces in the same order whoever does it, so the number of
// workers does not change a bit, and may change at any time.

// team is a number of workers.
type team struct {
	*pool
	workers int
	parts   []*fem.Part   // fewer than workers where there is not enough to share
	good    []bool        // per part: no triangle turned inside out
	cost    time.Duration // of its fastest step on trial
}

// newTeam makes n workers.
func (s *Solver) newTeam(n int) *team {
	t := &team{workers: n, parts: s.triangles.Parts(n), pool: newPool(n)}
	t.good = make([]bool, len(t.parts))
	runtime.AddCleanup(s, (*pool).close, t.pool)
	return t
}

// Share lets n workers do the steps.
func (s *Solver) Share(n int) {
	s.trial = trial{}
	s.choose(s.newTeam(n))
}

// Workers returns the number of workers that do the steps.
func (s *Solver) Workers() int { return s.team.workers }

// choose gives the next steps to a team.
func (s *Solver) choose(t *team) {
	s.team = t
	for _, c := range s.Surfaces {
		c.Workers(t.workers, t.run)
	}
	if s.spheres != nil {
		s.spheres.Workers(t.workers)
	}
}

// addTriangleForces sets f to the internal forces of the triangles.
func (s *Solver) addTriangleForces() error {
	s.team.run(s.doForces)
	if slices.Contains(s.team.good, false) {
		return s.triangles.AddForces(s.f, s.X) // the first triangle, whoever found one
	}
	return nil
}

// setForces is worker i's share of addTriangleForces.
func (s *Solver) setForces(i int) {
	if t := s.team; i < len(t.parts) {
		t.good[i] = t.parts[i].SetForces(s.f, s.X)
	}
}

// moveNodes kicks and drifts the nodes that are not of rigid bodies.
func (s *Solver) moveNodes(kick, dt float64) {
	s.kick, s.drift = kick, dt
	s.team.run(s.doMove)
}

// movePart is worker i's share of moveNodes.
func (s *Solver) movePart(i int) {
	if i >= len(s.team.parts) {
		return
	}
	s.team.parts[i].Move(s.X, s.V, s.f, s.inverse, int32(s.meshed), s.kick, s.drift)
}

// Kernel names the kernel that computes the forces of the triangles.
func (s *Solver) Kernel() string { return s.triangles.Kernel() }
