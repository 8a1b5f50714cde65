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

// movePart is worker i's share of moveNodes. Fixed directions have no inverse
// mass.
func (s *Solver) movePart(i int) {
	if i >= len(s.team.parts) {
		return
	}
	first, end := s.team.parts[i].Nodes()
	end = min(end, int32(s.meshed))
	if first >= end {
		return
	}
	kick, dt := s.kick, s.drift
	x, v := s.X[first:end], s.V[first:end]
	f, w := s.f[first:end], s.inverse[first:end]
	for i := range x {
		u := v[i]
		u.X += float64(float64(kick*w[i].X) * f[i].X)
		u.Y += float64(float64(kick*w[i].Y) * f[i].Y)
		v[i] = u
		x[i].X += float64(dt * u.X)
		x[i].Y += float64(dt * u.Y)
	}
}

// Kernel names the kernel that computes the forces of the triangles.
func (s *Solver) Kernel() string { return s.triangles.Kernel() }
