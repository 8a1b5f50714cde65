package solver

import (
	"runtime"
	"sync/atomic"
	"time"

	"fdem/boundingbox"
	"fdem/fem"
	"fdem/ranks"
	"fdem/solver/system"
)

// Several workers share a step. Each owns a range of nodes: it computes every triangle
// that has one of them, and it moves them. So triangles at borders of ranges are computed
// twice. Contacts are divided by contact element (contactnodes/parallel.go). The forces
// of a node are added in the same order by any worker, so the number of workers does not
// change the bits, and it may change at any time.

// team is a number of workers.
type team struct {
	*pool
	workers  int
	parts    []*fem.Subdomain       // of this process; fewer than workers if the model is small
	whole    []*fem.Subdomain       // of all nodes
	moving   []*fem.Subdomain       // of the nodes that this process moves, except followed ones
	found    []finding              // per part
	trackers []*boundingbox.Tracker // of the same parts
	spent    time.Duration          // time of its trial steps
	steps    int                    // number of trial steps
}

// finding is the results of a worker's check of its nodes and triangles during
// the computation of their forces. A worker reads only nodes that it has moved
// itself, since data written by another core arrive late.
type finding struct {
	inverted bool                 // a triangle is inverted
	tracker  *boundingbox.Tracker // displacement and speed of its nodes of outlines
	_        [64]byte
}

// workers compute the steps: the forces of triangles and the motion of nodes.
type workers struct {
	system.View
	*kinds
	outlines         *outlines
	team             *team
	sharing          sharing // division among processes
	trial            trial
	cleared          bool             // F is zero: a step has used it
	reserved         *atomic.Int32    // number of cores with other work; a pointer, since teams outlive an unused k
	kick, drift      float64          // times of the present step by which velocities and positions are moved [s]
	doForces, doMove func(worker int) // setForces and movePart, made once
	doTrack          func(worker int) // track, made once
}

func newWorkers(of system.View, kinds *kinds, o *outlines) *workers {
	k := &workers{View: of, kinds: kinds, outlines: o, reserved: new(atomic.Int32)}
	k.doForces, k.doMove, k.doTrack = k.setForces, k.movePart, k.track
	return k
}

// newTeam returns a team of n workers.
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

// SetWorkers sets the number n of workers.
func (k *workers) SetWorkers(n int) {
	k.trial = trial{}
	k.choose(k.newTeam(n))
}

// Workers returns the number of workers.
func (k *workers) Workers() int { return k.team.workers }

// ReserveCores takes n cores from the workers for other work, or gives -n back. It may be
// called during a step.
func (k *workers) ReserveCores(n int) { k.reserved.Add(int32(n)) }

// choose sets the team of the next steps.
func (k *workers) choose(t *team) {
	k.team = t
	for of := range system.All[shared](k.kinds.systems) {
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
		k.evaluateContact()
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
		return k.triangles.AddForces(k.F, k.X) // reports the first triangle, independent of the workers
	}
	return nil
}

// setForces is worker i's part of addTriangleForces. It also tracks the motion
// of its part of the outline.
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

// track is worker i's part of tracking the outline's motion.
func (k *workers) track(i int) {
	if t := k.team; i < len(t.whole) {
		first, end := t.whole[i].Nodes()
		k.outlines.search.Track(t.found[i].tracker, k.X, k.V, first, end)
	}
}

// moveNodes kicks and drifts the nodes, except those of rigid bodies.
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

// movePart is worker i's part of moveNodes.
func (k *workers) movePart(i int) {
	if ranks.Size > 1 {
		k.moveFollowed(i)
	}
	if i >= len(k.team.moving) {
		return
	}
	k.team.moving[i].Move(&k.Motion, k.kick, k.drift)
}

// Kernel returns the name of the kernel for the forces of triangles.
func (k *workers) Kernel() string { return k.triangles.Kernel() }
