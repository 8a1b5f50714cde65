package solver

import (
	"runtime"
	"time"

	"fdem/boundingbox"
	"fdem/fem"
	"fdem/ranks"
)

// Several workers share a step. Each owns a range of nodes: it computes every
// triangle that touches them, border triangles twice, and moves them. Contacts
// are shared by contact element (contactnodes/parallel.go). A node adds up its forces
// in the same order whoever does it, so the number of workers does not change a bit,
// and may change at any time.

// team is a number of workers.
type team struct {
	*pool
	workers  int
	parts    []*fem.Subdomain       // of this process; fewer than workers where there is not enough to share
	whole    []*fem.Subdomain       // of all nodes
	moving   []*fem.Subdomain       // of those that this process moves, but for those that it follows
	found    []finding              // per part
	trackers []*boundingbox.Tracker // of the same
	spent    time.Duration          // on its steps on trial
	steps    int                    // how many these are
}

// finding is what a worker has seen of its nodes and triangles while it computed
// their forces. It alone reads what it alone has moved: what another core has
// written comes late.
type finding struct {
	inverted bool                 // a triangle is turned inside out
	tracker  *boundingbox.Tracker // how far and how fast its nodes of outlines have gone
	_        [64]byte
}

// newTeam makes n workers.
func (s *Solver) newTeam(n int) *team {
	t := &team{workers: n, whole: s.triangles.Parts(n), pool: newPool(n, &s.lent)}
	s.divide(t)
	t.found = make([]finding, max(len(t.parts), len(t.whole)))
	for i := range t.whole {
		t.found[i].tracker = s.outlines.search.NewTracker()
		t.trackers = append(t.trackers, t.found[i].tracker)
	}
	runtime.AddCleanup(s, (*pool).close, t.pool)
	return t
}

// SetWorkers lets n workers do the steps.
func (s *Solver) SetWorkers(n int) {
	s.trial, s.outlines.fastest2 = trial{}, 0
	s.choose(s.newTeam(n))
}

// Workers returns the number of workers that do the steps.
func (s *Solver) Workers() int { return s.team.workers }

// LendCores takes n cores from the workers for other work, or gives -n back. It may be
// called while a step is done.
func (s *Solver) LendCores(n int) { s.lent.Add(int32(n)) }

// choose gives the next steps to a team.
func (s *Solver) choose(t *team) {
	s.team = t
	for k := range all[shared](s) {
		k.workers(t)
	}
}

// addTriangleForces sets f to the internal forces of the triangles, and damping
// to that of the masses and the triangles.
func (s *Solver) addTriangleForces() error {
	s.team.run(s.doForces)
	s.cleared = false
	s.outlines.fastest2 = s.outlines.search.Merge(s.team.trackers)
	inverted := false
	for i := range s.team.found {
		inverted = inverted || s.team.found[i].inverted
	}
	if ranks.Size > 1 {
		inverted = s.exchange(inverted)
	}
	if inverted {
		s.bringUp()
		return s.triangles.AddForces(s.F, s.X) // the first triangle, whoever found one
	}
	return nil
}

// setForces is worker i's share of addTriangleForces. It also looks how its part
// of the outline moves.
func (s *Solver) setForces(i int) {
	t := s.team
	if i < len(t.parts) {
		p, found := t.parts[i], &t.found[i]
		if s.cleared {
			found.inverted = !p.AddForces(&s.Motion)
		} else {
			found.inverted = !p.SetForces(&s.Motion)
		}
	}
	if i < len(t.whole) {
		first, end := t.whole[i].Nodes()
		s.outlines.search.Track(t.found[i].tracker, s.X, s.V, first, end)
	}
}

// moveNodes kicks and drifts the nodes that are not of rigid bodies.
func (s *Solver) moveNodes(kick, dt float64) {
	s.kick, s.drift = kick, dt
	s.team.run(s.doMove)
	s.cleared = true
}

// movePart is worker i's share of moveNodes.
func (s *Solver) movePart(i int) {
	if ranks.Size > 1 {
		s.moveFollowed(i)
	}
	if i >= len(s.team.moving) {
		return
	}
	s.team.moving[i].Move(&s.Motion, s.kick, s.drift)
}

// Kernel names the kernel that computes the forces of the triangles.
func (s *Solver) Kernel() string { return s.triangles.Kernel() }
