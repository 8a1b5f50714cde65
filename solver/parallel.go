package solver

import (
	"runtime"
	"sync/atomic"
	"time"

	"fdem/ranks"
	"fdem/solver/bodies"
	"fdem/solver/contacts"
	"fdem/solver/cracks"
	"fdem/solver/system"
	"fdem/solver/threads"
)

// workers compute the steps: the forces of triangles and the motion of nodes.
type workers struct {
	system.View
	solids           *bodies.Continuum
	outlines         *bodies.Outlines
	list             []system.System // all systems, see begin
	touching         *contacts.Contacts
	breaking         *cracks.Breaking
	team             *threads.Team
	sharing          sharing // division among processes
	trial            threads.Trial
	cleared          bool             // F is zero: a step has used it
	reserved         *atomic.Int32    // number of cores with other work; a pointer, since teams outlive an unused k
	kick, drift      float64          // times of the present step by which velocities and positions are moved [s]
	doForces, doMove func(worker int) // setForces and movePart, made once
	doTrack          func(worker int) // track, made once
}

func newWorkers(of system.View, solids *bodies.Continuum, o *bodies.Outlines) *workers {
	k := &workers{View: of, solids: solids, outlines: o, reserved: new(atomic.Int32)}
	k.doForces, k.doMove, k.doTrack = k.setForces, k.movePart, k.track
	return k
}

// begin takes all systems, contact and cracks, before the first team is made.
func (k *workers) begin(list []system.System, touching *contacts.Contacts, breaking *cracks.Breaking) {
	k.list, k.touching, k.breaking = list, touching, breaking
}

// newTeam returns a team of n workers.
func (k *workers) newTeam(n int) *threads.Team {
	t := &threads.Team{Workers: n, Whole: k.solids.Subdomains(n), Pool: threads.NewPool(n, k.reserved)}
	k.divide(t)
	t.Found = make([]threads.Finding, max(len(t.Parts), len(t.Whole)))
	for i := range t.Whole {
		t.Found[i].Tracker = k.outlines.Search.NewTracker()
		t.Trackers = append(t.Trackers, t.Found[i].Tracker)
	}
	runtime.AddCleanup(k, (*threads.Pool).Close, t.Pool)
	return t
}

// SetWorkers sets the number n of workers.
func (k *workers) SetWorkers(n int) {
	k.trial = threads.Trial{}
	k.choose(k.newTeam(n))
}

// Workers returns the number of workers.
func (k *workers) Workers() int { return k.team.Workers }

// ReserveCores takes n cores from the workers for other work, or gives -n back. It may be
// called during a step.
func (k *workers) ReserveCores(n int) { k.reserved.Add(int32(n)) }

// choose sets the team of the next steps.
func (k *workers) choose(t *threads.Team) {
	k.team = t
	for of := range system.All[threads.Shared](k.list) {
		of.UseThreads(t)
	}
}

// AddTriangleForces sets f to the internal forces of the triangles, and damping
// to that of the masses and the triangles.
func (k *workers) AddTriangleForces() error {
	if ranks.Size > 1 {
		k.sharing.upTo = -1
		k.chooseShares()
		k.sharing.lawsUp = false
	}
	owned := k.sharing.contact.owned
	if owned {
		k.team.Run(k.doTrack)
		k.outlines.Fastest2 = k.outlines.Search.Merge(k.team.Trackers)
		k.evaluateContact()
	}
	var began time.Time
	if ranks.Size > 1 {
		began = time.Now()
	}
	k.team.Run(k.doForces)
	k.cleared = false
	if !owned {
		k.outlines.Fastest2 = k.outlines.Search.Merge(k.team.Trackers)
	}
	inverted := false
	for i := range k.team.Found {
		inverted = inverted || k.team.Found[i].Inverted
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
		return k.solids.AddForces(k.F, k.X) // reports the first triangle, independent of the workers
	}
	return nil
}

// setForces is worker i's part of addTriangleForces. It also tracks the motion
// of its part of the outline.
func (k *workers) setForces(i int) {
	t := k.team
	if i < len(t.Parts) {
		p, found := t.Parts[i], &t.Found[i]
		if k.cleared {
			found.Inverted = !p.AddForces(&k.Motion)
		} else {
			found.Inverted = !p.SetForces(&k.Motion)
		}
	}
	if !k.sharing.contact.owned {
		k.track(i)
	}
}

// track is worker i's part of tracking the outline's motion.
func (k *workers) track(i int) {
	if t := k.team; i < len(t.Whole) {
		first, end := t.Whole[i].Nodes()
		k.outlines.Search.Track(t.Found[i].Tracker, k.X, k.V, first, end)
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
	k.team.Run(k.doMove)
	k.cleared = true
}

// movePart is worker i's part of moveNodes.
func (k *workers) movePart(i int) {
	if ranks.Size > 1 {
		k.moveFollowed(i)
	}
	if i >= len(k.team.Moving) {
		return
	}
	k.team.Moving[i].Move(&k.Motion, k.kick, k.drift)
}

// Kernel returns the name of the kernel for the forces of triangles.
func (k *workers) Kernel() string { return k.solids.Kernel() }
