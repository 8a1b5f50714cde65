package benchmarks

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"fdem/io/throw"
	"fdem/materials/contact"
	"fdem/solver"
)

// Other work on a machine only lengthens a measurement, so a figure is the fastest of
// many short windows. A single worker is measured in processor time of its thread.
// Several workers are measured in wall-clock time, so their figures need a machine
// without other work.

// figureTime is the time for which a figure is measured.
const figureTime = time.Second

// measurementTime is the approximate time of one measurement [s]: long compared with the
// resolution of the clocks, short compared with the time slice of an operating system.
const measurementTime = 2e-3

var started = time.Now()

func wallTime() float64 { return time.Since(started).Seconds() }

// clock returns the clock for work of a number of workers, to be released after
// it.
func clock(workers int) (now func() float64, release func()) {
	if workers == 1 {
		runtime.LockOSThread()
		return threadTime, runtime.UnlockOSThread
	}
	return wallTime, func() {}
}

// fastest returns the time of the fastest call of do, which a number of workers
// share [s].
func fastest(workers int, do func()) float64 {
	now, release := clock(workers)
	defer release()
	best, repeat := math.Inf(1), 1
	for end := time.Now().Add(figureTime); ; {
		began := now()
		for range repeat {
			do()
		}
		took := now() - began
		if took > 0 {
			best = min(best, took/float64(repeat))
		}
		if time.Now().After(end) {
			return best
		}
		repeat = max(1, int(measurementTime*float64(repeat)/max(took, 1e-6)))
	}
}

// stepTime returns the time of a whole step of a run [s]: forces, search,
// update, step size, and its share of the ledger's checks, which come every 100
// steps.
func stepTime(s *solver.Solver) float64 {
	best, each, count := math.Inf(1), 1, 0
	now, release := clock(s.Workers())
	defer release()
	end, began := time.Now().Add(figureTime), now()
	runOn(s, func() bool {
		if count++; count%each != 0 {
			return true
		}
		took := max(now()-began, 1e-6) / float64(each)
		if warm := time.Now().After(end.Add(-figureTime / 2)); warm && took*float64(each) > measurementTime/4 {
			best = min(best, took)
		}
		each, count = max(1, int(measurementTime/took)), 0
		on := time.Now().Before(end) || math.IsInf(best, 1)
		began = now()
		return on
	})
	return best + fastest(1, func() { s.Energies() })/100
}

// runOn runs a model whose end is far, and asks in every step whether to continue.
func runOn(s *solver.Solver, on func() bool) {
	s.Duration = 1e12 * s.Limit
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	nothing := func() error { return nil }
	err := s.Run(ctx, solver.Observer{
		Row: nothing, Frame: nothing, Checkpoint: func(bool) error { return nil },
		Asked: func() bool {
			if !on() {
				stop()
			}
			return false
		},
	})
	if ctx.Err() == nil {
		throw.If(err)
	}
}

// runTime returns the time of a whole run with a number of workers [s], from reading the
// model on, and the last of the runs. Every run has the same steps. The sum of the
// fastest times of each few steps is the time of a run without disturbance.
func runTime(workers int, start func() *solver.Solver, runs int) (seconds float64, last *solver.Solver) {
	const few = 16
	var best []float64 // of the set-up, then of each few steps
	now, release := clock(workers)
	defer release()
	nothing := func() error { return nil }
	for range runs {
		laps, began := 0, now()
		lap := func() {
			took := now() - began
			if laps == len(best) {
				best = append(best, took)
			}
			best[laps] = min(best[laps], took)
			laps++
			began = now()
		}
		last = start()
		last.SetWorkers(workers)
		count := 0
		throw.If(last.Run(context.Background(), solver.Observer{
			Row: nothing, Frame: nothing, Checkpoint: func(bool) error { return nil },
			Asked: func() bool {
				if count%few == 0 {
					lap()
				}
				count++
				return false
			},
		}))
		lap()
	}
	for _, b := range best {
		seconds += b
	}
	return seconds, last
}

// bandwidth returns the bytes per second that a number of workers read and
// write in a[i] = b[i] + c d[i] on arrays that no cache holds.
func bandwidth(workers int) float64 {
	const n = 1 << 23 // 64 MB an array
	parts := make([][3][]float64, workers)
	for i := range parts {
		for k := range parts[i] {
			parts[i][k] = make([]float64, n)
			for j := range parts[i][k] {
				parts[i][k][j] = 1
			}
		}
	}
	add := func(p *[3][]float64) {
		a, b, c := p[0], p[1], p[2]
		for i := range a {
			a[i] = b[i] + 3*c[i]
		}
	}
	do := func() {
		var wait sync.WaitGroup
		for i := range parts[1:] {
			wait.Go(func() { add(&parts[i+1]) })
		}
		add(&parts[0])
		wait.Wait()
	}
	return float64(24*n*workers) / fastest(workers, do)
}

// lawTime returns the time of a law for a loaded contact node [s]. Thousands of nodes
// have deflections over two and a half decades below depth [m], which under a rough
// surface are five decades of pressure. They load for some steps, unload and load again.
func lawTime(law contact.Law, depth float64) float64 {
	const n, steps = 4096, 20
	rng := rand.New(rand.NewPCG(3, 4))
	m := len(law.Memory())
	values := func() []float64 { return make([]float64, n) }
	in := contact.Input{D: values(), Rate: values(), Mem: make([]float64, n*m)}
	out := contact.Output{P: values(), DP: values(), K: values(), W: values(), Mem: in.Mem}
	base := values()
	for i := range base {
		base[i] = depth * math.Pow(10, -2.5*rng.Float64())
	}
	now, release := clock(1)
	defer release()
	best := math.Inf(1)
	for end := time.Now().Add(figureTime); time.Now().Before(end); {
		clear(in.Mem)
		spent := 0.0
		for k := range 3 * steps {
			level := k % (2 * steps)
			if level > steps {
				level = 2*steps - level
			}
			for i := range base {
				in.D[i] = base[i] * (1 + 2e-3*float64(level))
			}
			began := now()
			law.Eval(in, out)
			spent += now() - began
		}
		best = min(best, spent/(3*steps*n))
	}
	return best
}

// bytesHeld returns the number of bytes that the result of make keeps allocated.
func bytesHeld[T any](make func() T) (T, float64) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	v := make()
	runtime.GC()
	runtime.ReadMemStats(&after)
	return v, float64(after.HeapAlloc) - float64(before.HeapAlloc)
}
