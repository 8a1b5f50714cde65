package threads

import (
	"runtime"
	"sync/atomic"
	"time"
)

// A pool of worker threads with dynamic scheduling: it runs the chunks of a phase on several
// goroutines. Every goroutine first takes the chunk of its own number, whose data are in its
// core's cache, and then any chunk that is left. So the caller never waits for a helper that
// the operating system has suspended, except for a chunk that this helper has already taken.
// This is rare: a helper for which the caller has waited longer than a chunk takes is paused
// for many times that wait, see late. So is a helper that was woken without need. Idle helpers
// look for the next phase for longer than the single-worker parts of a step take, because a
// sleeping core needs tens of microseconds to wake. After that they sleep. If other programs
// want their core, they sleep soon. If other work uses some cores, as many helpers leave their
// chunks to the others, because all would wait for a helper that shares its core.
type Pool struct {
	phase    atomic.Uint64 // counts the phases begun
	_        [56]byte      // counters separated, each in a cache line of its own
	done     atomic.Int64  // chunks of the phase that are finished
	_        [56]byte
	chunk    []claim
	do       func(chunk int) // work of the present phase
	helper   []Helper
	cores    int32
	reserved *atomic.Int32 // cores that do other work
	active   atomic.Int32  // number of helpers in the present phase, the first ones
	closed   atomic.Bool
	made     time.Time // origin of times
}

// claim tells which phase last took a chunk.
type claim struct {
	phase atomic.Uint64
	_     [56]byte
}

// Helper is a worker beside the first one.
type Helper struct {
	asleep atomic.Bool
	busy   atomic.Bool  // holds a chunk
	paused atomic.Bool  // takes no part at present
	wanted atomic.Bool  // other programs want its core
	Did    atomic.Int64 // number of chunks so far
	wake   chan struct{}
	_      [40]byte
	// Data of the caller.
	woken     int           // number of times woken since the last check of unproductive
	didBefore int64         // value of did at that time
	late      bool          // in the present phase
	times     time.Duration // length of the next pause, as a multiple of the wait for it
	Pause     time.Duration // length of the last pause
	until     time.Duration // end of the last pause
}

const (
	helperSpin  = 50 * time.Microsecond  // time for which an idle helper looks for the next phase before it sleeps
	briefly     = 2 * time.Microsecond   // the same if other programs want its core
	onTime      = 100 * time.Millisecond // time without being late after which its core counts as free
	spinBatch   = 1000                   // number of looks of an idle helper between two readings of the clock
	callerSpins = 20_000                 // number of looks of the caller for the last chunk before it yields its core

	lateAfter    = 50 * time.Microsecond // time beyond the caller's own time that a helper may need for a chunk
	firstPause   = 8                     // first pause of a helper, as a multiple of the wait for it
	LongestPause = 256                   // longest pause, in the same unit
	callerPause  = 20 * time.Microsecond // pause of the caller while it waits for a late helper

	Wakings  = 16                    // interval at which unproductive is checked
	WakeCost = 10 * time.Microsecond // time that the caller needs to wake a helper
)

// NewPool returns a pool for phases of a number of chunks on all cores except
// those counted in reserved. It has at most as many goroutines as cores. close
// ends them.
func NewPool(chunks int, sharedCores *atomic.Int32) *Pool {
	cores := runtime.GOMAXPROCS(0)
	p := &Pool{
		chunk: make([]claim, chunks), helper: make([]Helper, max(0, min(chunks, cores)-1)),
		cores: int32(cores), reserved: sharedCores, made: time.Now(),
	}
	for i := range p.helper {
		p.helper[i].wake = make(chan struct{}, 1)
		go p.help(i)
	}
	return p
}

// Run calls do once with every chunk's number and returns when all calls have
// returned.
func (p *Pool) Run(do func(chunk int)) {
	helpers := p.Helpers()
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
	p.do = nil // do may hold much memory
}

// resumePaused resumes the first helpers whose pause is over. It lets helpers that have kept up
// since then look for longer again. It tells whether any helper takes part.
func (p *Pool) resumePaused(helpers int32, now time.Duration) bool {
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

// wait waits for the last chunks, of which the caller's own took a given time,
// and pauses helpers that were late with theirs.
func (p *Pool) wait(own time.Duration) {
	began, late := time.Duration(0), false
	for k := 0; p.done.Load() < int64(len(p.chunk)); k++ {
		switch {
		case k < callerSpins:
		case k == callerSpins:
			began = time.Since(p.made)
		case late: // the late helper may need this core
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

// late pauses the helpers for which the caller has waited from began to now. The first pause is
// firstPause times that wait. If the helper is late again before it has kept up for as long as
// its last pause, the next pause is twice as long. So if another program keeps a helper's core
// busy, the caller soon waits for less than a hundredth of the time.
func (p *Pool) late(began, now time.Duration) {
	for i := range p.helper {
		h := &p.helper[i]
		if !h.late {
			continue
		}
		h.late = false
		h.PauseFor(now-began, now)
	}
}

// PauseFor pauses a helper for which the caller has lost some time.
func (h *Helper) PauseFor(lost, now time.Duration) {
	if now-h.until > h.Pause {
		h.times = firstPause
	}
	h.Pause = h.times * lost
	h.until = now + h.Pause
	h.times = min(2*h.times, LongestPause)
	h.paused.Store(true)
	h.wanted.Store(true)
}

// Unproductive tells whether a helper has done less than one chunk for each of the last
// wakings. Then it finds no work left when it wakes, or other programs use its core and it
// takes the caller's core.
func (h *Helper) Unproductive() bool {
	if h.woken++; h.woken <= Wakings {
		return false
	}
	did := h.Did.Load()
	vain := did-h.didBefore < Wakings
	h.woken, h.didBefore = 0, did
	return vain
}

// Helpers returns the number of helpers that have a core now.
func (p *Pool) Helpers() int32 {
	return max(0, min(int32(len(p.helper)), p.cores-1-p.reserved.Load()))
}

// wakeHelpers wakes the helpers that take part and sleep.
func (p *Pool) wakeHelpers(now time.Duration) {
	for i := range p.active.Load() {
		if h := &p.helper[i]; h.asleep.Load() && !h.paused.Load() {
			if h.Unproductive() {
				h.PauseFor(Wakings*WakeCost, now)
				continue
			}
			select {
			case h.wake <- struct{}{}:
			default: // it is being woken
			}
		}
	}
}

// take runs the chunks that are not yet taken, beginning with its own. A late
// helper finds them taken, in its phase or in a later one, and does nothing. h is
// nil for the caller.
func (p *Pool) take(phase uint64, own int, h *Helper) {
	n := len(p.chunk)
	for k := range n {
		i := (own + k) % n
		if h != nil {
			h.busy.Store(true)
		}
		if p.chunk[i].phase.CompareAndSwap(phase-1, phase) {
			p.do(i)
			if h != nil {
				h.Did.Add(1)
			}
			p.done.Add(1)
		}
	}
	if h != nil {
		h.busy.Store(false)
	}
}

// help is the loop of helper i.
func (p *Pool) help(i int) {
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
				if idle() { // no phase has begun meanwhile
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

// Close ends the helpers.
func (p *Pool) Close() {
	p.closed.Store(true)
	p.phase.Add(1)
	for i := range p.helper {
		select {
		case p.helper[i].wake <- struct{}{}:
		default:
		}
	}
}
