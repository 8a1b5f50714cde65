package solver

import (
	"bytes"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"fdem/solver/threads"
)

// Every chunk of every phase is done once, before run returns, also when
// helpers fall asleep between phases and when there are more chunks than cores.
func TestPool(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, chunks := range []int{1, 2, 3, 4, 9} {
		p := threads.NewPool(chunks, new(atomic.Int32))
		done := make([]int, chunks)
		var total atomic.Int64
		do := func(i int) {
			done[i]++ // the race detector sees whether phases overlap
			total.Add(1)
		}
		for phase := range 3000 {
			if phase%1000 == 999 {
				time.Sleep(time.Millisecond) // long enough to fall asleep
			}
			p.Run(do)
			if n := total.Load(); n != int64((phase+1)*chunks) {
				t.Fatalf("%d chunks, phase %d: %d done", chunks, phase, n)
			}
		}
		for i, n := range done {
			if n != 3000 {
				t.Errorf("%d chunks: chunk %d done %d times, want 3000", chunks, i, n)
			}
		}
		if n := testing.AllocsPerRun(100, func() { p.Run(do) }); n != 0 {
			t.Errorf("%d chunks: a phase allocates %g times", chunks, n)
		}
		p.Close()
	}
}

// While other work uses every other core, the caller does all chunks, one after another;
// afterwards the helpers take part again.
func TestPoolLendsCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	var sharedCores atomic.Int32
	p := threads.NewPool(6, &sharedCores)
	defer p.Close()
	var total, inside, most atomic.Int32
	do := func(i int) {
		if n := inside.Add(1); n > most.Load() {
			most.Store(n)
		}
		total.Add(1)
		runtime.Gosched()
		inside.Add(-1)
	}
	helped := false
	for round := range 200 {
		sharedCores.Store(int32(round % 4))
		most.Store(0)
		for range 20 {
			p.Run(do)
		}
		if sharedCores.Load() == 3 && most.Load() != 1 {
			t.Fatalf("round %d: %d chunks at a time while three of four cores are lent", round, most.Load())
		}
		helped = helped || most.Load() > 1
	}
	if total.Load() != 200*20*6 {
		t.Errorf("%d chunks done, want %d", total.Load(), 200*20*6)
	}
	if !helped {
		t.Error("no helper ever took part")
	}
}

// A helper that is late with its chunk, because another program uses its core, is not used for a
// while, and for longer the more often it happens. A helper that keeps up is always used.
func TestPoolRestsLateHelpers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	p := threads.NewPool(2, new(atomic.Int32))
	defer p.Close()
	const slice = 2 * time.Millisecond
	var slow atomic.Bool
	var helped atomic.Int64
	caller := goroutine()
	do := func(int) {
		if goroutine() == caller {
			for began := time.Now(); time.Since(began) < 20*time.Microsecond; {
				runtime.Gosched()
			}
			return
		}
		helped.Add(1)
		if slow.Load() {
			time.Sleep(slice)
		}
	}
	run := func(long time.Duration) int64 {
		helped.Store(0)
		for end := time.Now().Add(long); time.Now().Before(end); {
			p.Run(do)
		}
		return helped.Load()
	}
	slow.Store(true)
	// Rests of 8, 16, 32, 64 and 128 slices, of which the last is not over; some
	// more on a machine that keeps the caller for as long.
	if n := run(200 * slice); n == 0 || n > 40 {
		t.Errorf("a helper that is late took part %d times in the time of 200 slices, want about 5", n)
	}
	slow.Store(false)
	for end := time.Now().Add(time.Minute); run(50*slice) < 20; {
		if time.Now().After(end) {
			t.Fatal("a helper that is late no more takes no part")
		}
	}
}

// A helper that has to be woken for each phase and does no work is not used for a while. A helper
// that is woken in vain only now and then stays in use.
func TestPoolRestsHelpersWokenInVain(t *testing.T) {
	const often = 1000
	for _, c := range []struct {
		name  string
		works int // of so many wakings one that brings chunks, as many
		rests bool
	}{{"never works", often + 1, true}, {"a chunk for each", 1, false}, {"many chunks now and then", 8, false}} {
		h := &threads.Helper{}
		rests := false
		for k := 1; k <= often; k++ {
			rests = h.Unproductive() || rests
			if k%c.works == 0 {
				h.Did.Add(int64(c.works))
			}
		}
		if rests != c.rests {
			t.Errorf("%s: rests %v, want %v", c.name, rests, c.rests)
		}
	}
	h := &threads.Helper{}
	last := time.Duration(0)
	for now := time.Millisecond; last < threads.LongestPause*threads.Wakings*threads.WakeCost; now += h.Pause + time.Millisecond/10 {
		h.PauseFor(threads.Wakings*threads.WakeCost, now)
		if h.Pause <= last {
			t.Fatalf("a rest of %v after one of %v", h.Pause, last)
		}
		last = h.Pause
	}
}

// goroutine names the calling goroutine.
func goroutine() string {
	var b [64]byte
	return string(bytes.Fields(b[:runtime.Stack(b[:], false)])[1])
}

// Helpers end when nobody needs their solver any more.
func TestHelpersEnd(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	before := runtime.NumGoroutine()
	for range 3 {
		s := start(t, oblique(t, kostek(t), 0.2))
		s.SetWorkers(4)
		for range 5 {
			noError(t, s.Step(s.Limit, nil))
		}
	}
	left := 0
	for range 100 { // a cleanup runs some time after the collection that finds what it waits for
		runtime.GC()
		if left = runtime.NumGoroutine() - before; left <= 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines of three solvers are left", left)
}
