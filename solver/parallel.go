package solver

import (
	"runtime"
	"sync/atomic"
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

// workers do the steps: the forces of triangles and the motion of nodes.
type workers struct {
	view
	*kinds
	outlines         *outlines
	team             *team
	sharing          sharing // among processes
	trial            trial
	cleared          bool             // F is zero: a step has used it
	reserved         *atomic.Int32    // cores that do other work; apart, for teams outlive a k that nobody needs any more
	kick, drift      float64          // of the step being taken: what moves velocities and positions [s]
	doForces, doMove func(worker int) // setForces and movePart, made once
	doTrack          func(worker int) // and track
}

func newWorkers(of view, kinds *kinds, o *outlines) *workers {
	k := &workers{view: of, kinds: kinds, outlines: o, reserved: new(atomic.Int32)}
	k.doForces, k.doMove, k.doTrack = k.setForces, k.movePart, k.track
	return k
}

// newTeam makes n workers.
func (k *workers) newTeam(n int) *team {
	t := &team{workers: n, whole: k.triangles.Subdomains(n), pool: newPool(n, k.reserved)}
	k.divide(t)
	t.found = make([]finding, max(len(t.parts), len(t.whole)))
	for i := range t.whole {
		t.found[i].tracker = k.outlines.search.NewTracker()
		t.trackers = append(t.trackers, t.found[i].tracker)
	}
	runtime.AddCleanup(k, (*pool).close, t.pool)
	return t
}

// SetWorkers lets n workers do the steps.
func (k *workers) SetWorkers(n int) {
	k.trial = trial{}
	k.choose(k.newTeam(n))
}

// Workers returns the number of workers that do the steps.
func (k *workers) Workers() int { return k.team.workers }

// ReserveCores takes n cores from the workers for other work, or gives -n back. It may be
// called while a step is done.
func (k *workers) ReserveCores(n int) { k.reserved.Add(int32(n)) }

// choose gives the next steps to a team.
func (k *workers) choose(t *team) {
	k.team = t
	for of := range all[shared](k.kinds) {
		of.workers(t)
	}
}

// addTriangleForces sets f to the internal forces of the triangles, and damping
// to that of the masses and the triangles.
func (k *workers) addTriangleForces() error {
	if ranks.Size > 1 {
		k.sharing.upTo = -1
		k.chooseShares()
		k.sharing.lawsUp = false
	}
	owned := k.sharing.contact.owned
	if owned {
		k.team.run(k.doTrack)
		k.outlines.fastest2 = k.outlines.search.Merge(k.team.trackers)
		k.meet()
	}
	var began time.Time
	if ranks.Size > 1 {
		began = time.Now()
	}
	k.team.run(k.doForces)
	k.cleared = false
	if !owned {
		k.outlines.fastest2 = k.outlines.search.Merge(k.team.trackers)
	}
	inverted := false
	for i := range k.team.found {
		inverted = inverted || k.team.found[i].inverted
	}
	if ranks.Size > 1 {
		k.sharing.contact.spent[0] += time.Since(began)
		inverted = k.exchange(inverted)
		if err := k.sharing.contact.failed; err != nil {
			k.updateAll()
			return err
		}
	}
	if inverted {
		k.updateAll()
		return k.triangles.AddForces(k.F, k.X) // the first triangle, whoever found one
	}
	return nil
}

// setForces is worker i's share of addTriangleForces. It also looks how its part
// of the outline moves.
func (k *workers) setForces(i int) {
	t := k.team
	if i < len(t.parts) {
		p, found := t.parts[i], &t.found[i]
		if k.cleared {
			found.inverted = !p.AddForces(&k.Motion)
		} else {
			found.inverted = !p.SetForces(&k.Motion)
		}
	}
	if !k.sharing.contact.owned {
		k.track(i)
	}
}

// track is worker i's share of looking how the outline moves.
func (k *workers) track(i int) {
	if t := k.team; i < len(t.whole) {
		first, end := t.whole[i].Nodes()
		k.outlines.search.Track(t.found[i].tracker, k.X, k.V, first, end)
	}
}

// moveNodes kicks and drifts the nodes that are not of rigid bodies.
func (k *workers) moveNodes(kick, dt float64) {
	k.kick, k.drift = kick, dt
	if ranks.Size > 1 {
		k.sharing.upTo = -1
		began := time.Now()
		defer func() { k.sharing.contact.spent[0] += time.Since(began) }()
	}
	k.team.run(k.doMove)
	k.cleared = true
}

// movePart is worker i's share of moveNodes.
func (k *workers) movePart(i int) {
	if ranks.Size > 1 {
		k.moveFollowed(i)
	}
	if i >= len(k.team.moving) {
		return
	}
	k.team.moving[i].Move(&k.Motion, k.kick, k.drift)
}

// Kernel names the kernel that computes the forces of the triangles.
func (k *workers) Kernel() string { return k.triangles.Kernel() }
