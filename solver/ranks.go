package solver

import (
	"context"
	"sync/atomic"

	"fdem/fem"
	"fdem/ranks"

	"gonum.org/v1/gonum/spatial/r2"
)

// Several processes (MPI ranks) share the triangles of a step. Each has the whole model
// and goes through all of a step, but takes the triangle forces of its own range of nodes
// only, as a worker does, and gets the others' from those whose they are. All else, contact
// and the motion of nodes among it, every process does by itself, to the same bits. What
// the clock or a signal decides is agreed on once a step.

// sharing is what processes exchange.
type sharing struct {
	bounds []int32 // rank r takes the forces on the nodes [bounds[r], bounds[r+1]); nil where each takes all
	forces *ranks.Layout
	join   func(found []int32) []int32 // triangles near their strength that all have found; nil where each finds all
	hear   func() int                  // what this process has been asked for
	told   func(bits int)              // and all together
	number atomic.Int64                // of exchanges so far
}

// What processes tell each other in every step.
const (
	isInverted = 1 << iota // a triangle is turned inside out
	isStopped
	isAsked // for a checkpoint
)

// ownParts returns this process's share of the triangles, for as many workers as all has
// parts.
func (s *Solver) ownParts(all []*fem.Subdomain) []*fem.Subdomain {
	if ranks.Size == 1 || s.triangles.Lawful() {
		return all
	}
	h := &s.sharing
	if h.bounds == nil {
		h.bound(s.triangles.Parts(ranks.Size), len(s.X))
		h.join = ranks.Join
	}
	return s.triangles.PartsOf(h.bounds[ranks.Rank], h.bounds[ranks.Rank+1], len(all))
}

// bound gives each rank the nodes of a part.
func (h *sharing) bound(parts []*fem.Subdomain, nodes int) {
	counts := make([]int, ranks.Size)
	h.bounds = []int32{0}
	for r := range counts {
		end := int32(nodes)
		if r < len(parts) {
			_, end = parts[r].Nodes()
		}
		counts[r] = int(end - h.bounds[r])
		h.bounds = append(h.bounds, end)
	}
	h.forces = ranks.NewLayout[r2.Vec](counts)
}

// exchange gets the forces that other processes have taken, and tells whether any has found
// a triangle that is turned inside out.
func (s *Solver) exchange(inverted bool) bool {
	h := &s.sharing
	h.number.Add(1)
	bits := 0
	if h.hear != nil {
		bits = h.hear()
	}
	if inverted {
		bits |= isInverted
	}
	bits = ranks.Any(bits)
	if h.told != nil {
		h.told(bits)
	}
	if h.bounds != nil {
		ranks.Gather(s.F, h.forces)
		if s.Motion.Damping != nil {
			ranks.Gather(s.Motion.Damping, h.forces)
		}
	}
	return bits&isInverted != 0
}

// Exchanges returns how often processes have exchanged forces. It may be called while a step
// is done.
func (s *Solver) Exchanges() int64 { return s.sharing.number.Load() }

// agree lets all processes stop, or write a checkpoint, in the same step, whichever of them
// has been asked to.
func (s *Solver) agree(ctx context.Context, out Observer) (context.Context, Observer) {
	all, stop := context.WithCancel(context.Background())
	here, asked := out.Asked, false
	s.sharing.hear = func() (bits int) {
		if ctx.Err() != nil {
			bits |= isStopped
		}
		if here != nil && here() {
			bits |= isAsked
		}
		return bits
	}
	s.sharing.told = func(bits int) {
		if bits&isStopped != 0 {
			stop()
		}
		asked = asked || bits&isAsked != 0
	}
	s.sharing.told(ranks.Any(s.sharing.hear()))
	out.Asked = func() bool {
		was := asked
		asked = false
		return was
	}
	return all, out
}
