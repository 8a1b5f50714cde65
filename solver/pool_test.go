package solver

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// Every chunk of every phase is done once, before run returns, also when
// helpers fall asleep between phases and when there are more chunks than cores.
func TestPool(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, chunks := range []int{1, 2, 3, 4, 9} {
		p := newPool(chunks)
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
			p.run(do)
			if n := total.Load(); n != int64((phase+1)*chunks) {
				t.Fatalf("%d chunks, phase %d: %d done", chunks, phase, n)
			}
		}
		for i, n := range done {
			if n != 3000 {
				t.Errorf("%d chunks: chunk %d done %d times, want 3000", chunks, i, n)
			}
		}
		if n := testing.AllocsPerRun(100, func() { p.run(do) }); n != 0 {
			t.Errorf("%d chunks: a phase allocates %g times", chunks, n)
		}
		p.close()
	}
}
