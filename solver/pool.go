package solver

import (
	"runtime"
	"sync/atomic"
	"time"
)

// A pool of worker threads that share out work as it comes (dynamic scheduling):
// it runs the chunks of a phase on several goroutines. Every goroutine takes the
// chunk of its own number first, whose data its core has at hand, and then
// whatever is left: the caller never waits for a helper that the operating
// system has put aside, except for a chunk that it holds already, and that
// happens seldom: who has let it wait for longer than a chunk takes rests for
// many times as long, see late, and so does who is woken in vain. Helpers look for
// the next phase for longer than what a step has for one worker alone takes, since a
// core that has gone to sleep takes tens of microseconds to come back, and then sleep;
// where others want their core they sleep soon. Where cores are lent to other work, as many helpers leave
// their chunks to the others: a helper that shared its core would let all wait for
// the chunk it holds.
type pool struct {
	phase    atomic.Uint64 // counts the phases begun
	_        [56]byte      // counters apart, each in a line of the cache of its own
	done     atomic.Int64  // chunks of the phase that are finished
	_        [56]byte
	chunk    []claim
	do       func(chunk int) // what the present phase does
	helper   []helper
	cores    int32
	reserved *atomic.Int32 // cores that do other work
	active   atomic.Int32  // helpers that take part in the present phase, the first of all
	closed   atomic.Bool
	made     time.Time // from which time is counted
}

// claim tells which phase last took a chunk.
type claim struct {
	phase atomic.Uint64
	_     [56]byte
}

type helper struct {
	asleep atomic.Bool
	busy   atomic.Bool  // holds a chunk
	paused atomic.Bool  // takes no part for now
	wanted atomic.Bool  // others want its core
	did    atomic.Int64 // chunks so far
	wake   chan struct{}
	_      [40]byte
	// The caller's own notes.
	woken     int           // how often since unproductive last counted
	didBefore int64         // value of did at that time
	late      bool          // in the present phase
	times     time.Duration // of the wait for it the next rest lasts
	pause     time.Duration // the last one's length
	until     time.Duration // and its end
}

const (
	helperSpin  = 50 * time.Microsecond  // how long an idle helper looks for the next phase before it sleeps
	briefly     = 2 * time.Microsecond   // and where others want its core
	onTime      = 100 * time.Millisecond // without being late after which nobody seems to want it
	spinBatch   = 1000                   // of an idle helper before it looks at the clock
	callerSpins = 20_000                 // looks of the caller for the last chunk before it lets others run

	lateAfter    = 50 * time.Microsecond // what a helper may need for a chunk beyond the caller's time
	firstPause   = 8                     // times the wait for it a helper rests at first
	longestPause = 256                   // and at most
	callerPause  = 20 * time.Microsecond // of the caller who waits for someone late

	wakings  = 16                    // interval at which unproductive is checked
	wakeCost = 10 * time.Microsecond // of the caller, to wake a helper
)

// newPool returns a pool for phases of a number of chunks on all cores but
// those that lent counts. It has no more goroutines than there are cores to run
// them; close ends them.
func newPool(chunks int, sharedCores *atomic.Int32) *pool {
	cores := runtime.GOMAXPROCS(0)
	p := &pool{
		chunk: make([]claim, chunks), helper: make([]helper, max(0, min(chunks, cores)-1)),
		cores: int32(cores), reserved: sharedCores, made: time.Now(),
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
	began := time.Duration(0)
	if helpers > 0 {
		began = time.Since(p.made)
	}
	if !p.resumePaused(helpers, began) {
		for i := range p.chunk {
			do(i)
		}
		return
	}
	p.do = do
	p.done.Store(0)
	p.active.Store(helpers)
	phase := p.phase.Add(1)
	p.wakeHelpers(began)
	p.take(phase, 0, nil)
	if p.done.Load() < int64(len(p.chunk)) {
		p.wait(time.Since(p.made) - began)
	}
	p.do = nil // what it does may hold on to much
}

// resumePaused calls back the first helpers whose rest is over, lets those look for long
// again that have kept up since, and tells whether any takes part.
func (p *pool) resumePaused(helpers int32, now time.Duration) bool {
	some := false
	for i := range p.helper[:helpers] {
		h := &p.helper[i]
		if h.paused.Load() && now >= h.until {
			h.paused.Store(false)
		}
		if h.wanted.Load() && now-h.until > onTime {
			h.wanted.Store(false)
		}
		some = some || !h.paused.Load()
	}
	return some
}

// wait waits for the last chunks, where the caller's own took some time, and
// lets those rest who were late with theirs.
func (p *pool) wait(own time.Duration) {
	began, late := time.Duration(0), false
	for k := 0; p.done.Load() < int64(len(p.chunk)); k++ {
		switch {
		case k < callerSpins:
		case k == callerSpins:
			began = time.Since(p.made)
		case late: // whoever it is may need this core
			time.Sleep(callerPause)
		case time.Since(p.made)-began > own+lateAfter:
			late = true
			for i := range p.helper {
				h := &p.helper[i]
				h.late = h.busy.Load()
			}
		default:
			runtime.Gosched()
		}
	}
	if late {
		p.late(began, time.Since(p.made))
	}
}

// late lets those rest for whom the caller has waited from began to now. The
// first rest costs no more than an eighth of that time over; each that follows
// before the helper has kept up for as long as it has rested lasts twice as long:
// beside another program that keeps its core busy, what a helper makes others
// wait is soon less than a hundredth.
func (p *pool) late(began, now time.Duration) {
	for i := range p.helper {
		h := &p.helper[i]
		if !h.late {
			continue
		}
		h.late = false
		h.pauseFor(now-began, now)
	}
}

// pauseFor lets a helper rest that has cost the caller some time for nothing.
func (h *helper) pauseFor(lost, now time.Duration) {
	if now-h.until > h.pause {
		h.times = firstPause
	}
	h.pause = h.times * lost
	h.until = now + h.pause
	h.times = min(2*h.times, longestPause)
	h.paused.Store(true)
	h.wanted.Store(true)
}

// unproductive tells whether a helper that is to be woken has done less than a chunk for
// each of the last wakings: it finds no work any more when it comes, or others
// have its core, and it then takes that of the caller.
func (h *helper) unproductive() bool {
	if h.woken++; h.woken <= wakings {
		return false
	}
	did := h.did.Load()
	vain := did-h.didBefore < wakings
	h.woken, h.didBefore = 0, did
	return vain
}

// helpers returns how many helpers have a core now.
func (p *pool) helpers() int32 {
	return max(0, min(int32(len(p.helper)), p.cores-1-p.reserved.Load()))
}

// wakeHelpers wakes the helpers that take part and sleep.
func (p *pool) wakeHelpers(now time.Duration) {
	for i := range p.active.Load() {
		if h := &p.helper[i]; h.asleep.Load() && !h.paused.Load() {
			if h.unproductive() {
				h.pauseFor(wakings*wakeCost, now)
				continue
			}
			select {
			case h.wake <- struct{}{}:
			default: // is being woken
			}
		}
	}
}

// take does the chunks that no one has taken, beginning with its own. A late
// helper finds them taken, by its phase or by a later one, and does nothing. h is
// nil for the caller.
func (p *pool) take(phase uint64, own int, h *helper) {
	n := len(p.chunk)
	for k := range n {
		i := (own + k) % n
		if h != nil {
			h.busy.Store(true)
		}
		if p.chunk[i].phase.CompareAndSwap(phase-1, phase) {
			p.do(i)
			if h != nil {
				h.did.Add(1)
			}
			p.done.Add(1)
		}
	}
	if h != nil {
		h.busy.Store(false)
	}
}

// help is the life of helper i.
func (p *pool) help(i int) {
	h := &p.helper[i]
	seen := uint64(0)
	idle := func() bool { return p.phase.Load() == seen || i >= int(p.active.Load()) || h.paused.Load() }
	for {
		began, long := time.Since(p.made), helperSpin
		if h.wanted.Load() {
			long = briefly
		}
		for k := 1; idle(); k++ {
			if k%spinBatch == 0 && time.Since(p.made)-began > long {
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
		p.take(seen, i+1, h)
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
