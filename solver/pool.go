package solver

import (
	"runtime"
	"sync/atomic"
)

// A pool runs the chunks of a phase on several goroutines. Every goroutine
// takes the chunk of its own number first, whose data its core has at hand, and
// then whatever is left: the caller never waits for a helper that the operating
// system has put aside, except for a chunk that it holds already. Helpers look
// for the next phase for some microseconds, as the phases of a step follow one
// another closely, and then sleep. Where cores are lent to other work, as many
// helpers leave their chunks to the others: a helper that shared its core would
// let all wait for the chunk it holds.
type pool struct {
	phase  atomic.Uint64 // counts the phases begun
	_      [56]byte      // counters apart, each in a line of the cache of its own
	done   atomic.Int64  // chunks of the phase that are finished
	_      [56]byte
	chunk  []claim
	do     func(chunk int) // what the present phase does
	helper []helper
	cores  int32
	lent   *atomic.Int32 // cores that do other work
	active atomic.Int32  // helpers that take part in the present phase, the first of all
	closed atomic.Bool
}

// claim tells which phase last took a chunk.
type claim struct {
	phase atomic.Uint64
	_     [56]byte
}

type helper struct {
	asleep atomic.Bool
	wake   chan struct{}
	_      [48]byte
}

const (
	looks  = 2000 // of an idle helper for the next phase before it sleeps
	yields = 1000 // looks of the caller for the last chunk before it lets others run
)

// newPool returns a pool for phases of a number of chunks on all cores but
// those that lent counts. It has no more goroutines than there are cores to run
// them; close ends them.
func newPool(chunks int, lent *atomic.Int32) *pool {
	cores := runtime.GOMAXPROCS(0)
	p := &pool{
		chunk: make([]claim, chunks), helper: make([]helper, max(0, min(chunks, cores)-1)),
		cores: int32(cores), lent: lent,
	}
	for i := range p.helper {
		p.helper[i].wake = make(chan struct{}, 1)
		go p.help(i)
	}
	return p
}

// run calls do once with every chunk's number and returns when all calls have.
func (p *pool) run(do func(chunk int)) {
	helpers := p.helpers()
	if helpers == 0 {
		for i := range p.chunk {
			do(i)
		}
		return
	}
	p.do = do
	p.done.Store(0)
	p.active.Store(helpers)
	phase := p.phase.Add(1)
	p.rouse()
	p.take(phase, 0)
	for k := 0; p.done.Load() < int64(len(p.chunk)); k++ {
		if k > yields {
			runtime.Gosched()
		}
	}
	p.do = nil // what it does may hold on to much
}

// helpers returns how many helpers have a core now.
func (p *pool) helpers() int32 {
	return max(0, min(int32(len(p.helper)), p.cores-1-p.lent.Load()))
}

// rouse wakes the helpers that take part and sleep.
func (p *pool) rouse() {
	for i := range p.active.Load() {
		if h := &p.helper[i]; h.asleep.Load() {
			select {
			case h.wake <- struct{}{}:
			default: // is being woken
			}
		}
	}
}

// take does the chunks that no one has taken, beginning with its own. A late
// helper finds them taken, by its phase or by a later one, and does nothing.
func (p *pool) take(phase uint64, own int) {
	n := len(p.chunk)
	for k := range n {
		i := (own + k) % n
		if p.chunk[i].phase.CompareAndSwap(phase-1, phase) {
			p.do(i)
			p.done.Add(1)
		}
	}
}

// help is the life of helper i.
func (p *pool) help(i int) {
	h := &p.helper[i]
	seen := uint64(0)
	idle := func() bool { return p.phase.Load() == seen || i >= int(p.active.Load()) }
	for {
		for k := 0; idle(); k++ {
			if k > looks {
				h.asleep.Store(true)
				if idle() { // none has begun meanwhile
					<-h.wake
				}
				h.asleep.Store(false)
				break
			}
		}
		if p.closed.Load() {
			return
		}
		seen = p.phase.Load()
		p.take(seen, i+1)
	}
}

// close ends the helpers.
func (p *pool) close() {
	p.closed.Store(true)
	p.phase.Add(1)
	for i := range p.helper {
		select {
		case p.helper[i].wake <- struct{}{}:
		default:
		}
	}
}
