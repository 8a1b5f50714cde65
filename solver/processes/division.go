// Package processes divides the work of a step among threads and processes (MPI ranks): it finds who
// computes which triangles, nodes and contacts, and exchanges what others read.
package processes

import (
	"runtime"
	"sync/atomic"
	"time"

	"fdem/fem"
	"fdem/ranks"
	"fdem/solver/bodies"
	"fdem/solver/contacts"
	"fdem/solver/cracks"
	"fdem/solver/system"
	"fdem/solver/threads"
)

// Division is who computes what of a step: the forces of triangles and the motion of nodes.
type Division struct {
	system.View
	solids           *fem.Triangles
	Tracked          *bodies.Outlines
	list             []system.System // all systems, see Start
	touching         *contacts.Contacts
	breaking         *cracks.Breaking
	Team             *threads.Team
	Sharing          Sharing // division among processes
	Trial            threads.Trial
	cleared          bool             // F is zero: a step has used it
	reserved         *atomic.Int32    // number of cores with other work; a pointer, since teams outlive an unused k
	kick, drift      float64          // times of the present step by which velocities and positions are moved [s]
	doForces, doMove func(worker int) // setForces and movePart, made once
	doTrack          func(worker int) // track, made once
}

// New returns the division of a model with given triangles and outlines. Start makes its threads.
func New(of system.View, solids *fem.Triangles, o *bodies.Outlines) *Division {
	k := &Division{View: of, solids: solids, Tracked: o, reserved: new(atomic.Int32)}
	k.doForces, k.doMove, k.doTrack = k.setForces, k.movePart, k.track
	return k
}

// Start makes a team of one worker for all systems, among them contact and cracks.
func (k *Division) Start(list []system.System, touching *contacts.Contacts, breaking *cracks.Breaking) {
	k.list, k.touching, k.breaking = list, touching, breaking
	k.SetWorkers(1)
}

// newTeam returns a team of n workers.
func (k *Division) newTeam(n int) *threads.Team {
	t := &threads.Team{Workers: n, Whole: k.solids.Subdomains(n), Pool: threads.NewPool(n, k.reserved)}
	k.divide(t)
	t.Found = make([]threads.Finding, max(len(t.Parts), len(t.Whole)))
	for i := range t.Whole {
		t.Found[i].Tracker = k.Tracked.Search.NewTracker()
		t.Trackers = append(t.Trackers, t.Found[i].Tracker)
	}
	runtime.AddCleanup(k, (*threads.Pool).Close, t.Pool)
	return t
}

// SetWorkers sets the number n of workers.
func (k *Division) SetWorkers(n int) {
	k.Trial = threads.Trial{}
	k.choose(k.newTeam(n))
}

// Workers returns the number of workers.
func (k *Division) Workers() int { return k.Team.Workers }

// ReserveCores takes n cores from the workers for other work, or gives -n back. It may be
// called during a step.
func (k *Division) ReserveCores(n int) { k.reserved.Add(int32(n)) }

// choose sets the team of the next steps.
func (k *Division) choose(t *threads.Team) {
	k.Team = t
	for of := range system.All[threads.Shared](k.list) {
		of.UseThreads(t)
	}
}

// AddTriangleForces sets f to the internal forces of the triangles, and damping
// to that of the masses and the triangles.
func (k *Division) AddTriangleForces() error {
	if ranks.Size > 1 {
		k.Sharing.upTo = -1
		k.chooseShares()
		k.Sharing.lawsUp = false
	}
	owned := k.Sharing.Contact.owned
	if owned {
		k.Team.Run(k.doTrack)
		k.Tracked.Fastest2 = k.Tracked.Search.Merge(k.Team.Trackers)
		k.evaluateContact()
	}
	var began time.Time
	if ranks.Size > 1 {
		began = time.Now()
	}
	k.Team.Run(k.doForces)
	k.cleared = false
	if !owned {
		k.Tracked.Fastest2 = k.Tracked.Search.Merge(k.Team.Trackers)
	}
	inverted := false
	for i := range k.Team.Found {
		inverted = inverted || k.Team.Found[i].Inverted
	}
	if ranks.Size > 1 {
		k.Sharing.Contact.spent[0] += time.Since(began)
		inverted = k.exchange(inverted)
		if err := k.Sharing.Contact.failed; err != nil {
			k.UpdateAll()
			return err
		}
	}
	if inverted {
		k.UpdateAll()
		return k.solids.AddForces(k.F, k.X) // reports the first triangle, independent of the workers
	}
	return nil
}

// setForces is worker i's part of addTriangleForces. It also tracks the motion
// of its part of the outline.
func (k *Division) setForces(i int) {
	t := k.Team
	if i < len(t.Parts) {
		p, found := t.Parts[i], &t.Found[i]
		if k.cleared {
			found.Inverted = !p.AddForces(&k.Motion)
		} else {
			found.Inverted = !p.SetForces(&k.Motion)
		}
	}
	if !k.Sharing.Contact.owned {
		k.track(i)
	}
}

// track is worker i's part of tracking the outline's motion.
func (k *Division) track(i int) {
	if t := k.Team; i < len(t.Whole) {
		first, end := t.Whole[i].Nodes()
		k.Tracked.Search.Track(t.Found[i].Tracker, k.X, k.V, first, end)
	}
}

// MoveNodes kicks and drifts the nodes, except those of rigid bodies.
func (k *Division) MoveNodes(kick, dt float64) {
	k.kick, k.drift = kick, dt
	if ranks.Size > 1 {
		k.Sharing.upTo = -1
		began := time.Now()
		defer func() { k.Sharing.Contact.spent[0] += time.Since(began) }()
	}
	k.Team.Run(k.doMove)
	k.cleared = true
}

// movePart is worker i's part of moveNodes.
func (k *Division) movePart(i int) {
	if ranks.Size > 1 {
		k.moveFollowed(i)
	}
	if i >= len(k.Team.Moving) {
		return
	}
	k.Team.Moving[i].Move(&k.Motion, k.kick, k.drift)
}

// Kernel returns the name of the kernel for the forces of triangles.
func (k *Division) Kernel() string { return k.solids.Kernel() }
