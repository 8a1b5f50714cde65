package fit

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
)

// searchRows is the greatest number of rows in the search. The refinement takes
// all rows.
const searchRows = 150

// sample draws a point of the box.
func (p *Problem) sample(rng *rand.Rand) []float64 {
	u := make([]float64, len(p.Free))
	for i, f := range p.Free {
		s := rng.Float64()
		if f.Low > 0 {
			u[i] = f.Low * math.Pow(f.High/f.Low, s)
		} else {
			u[i] = f.Low + float64(s*(f.High-f.Low))
		}
	}
	return u
}

// search draws samples of the box and returns the best starts. Sample i has a
// random generator of its own, so the samples do not depend on the number of
// workers.
func (p *Problem) search() [][]float64 {
	thin := p.Data.thin(searchRows)
	squares := make([]float64, p.Samples)
	p.inParallel("search", p.Samples, func() func(i int) {
		e := p.evaluator(thin)
		r := make([]float64, len(thin.D))
		return func(i int) {
			squares[i] = math.Inf(1)
			if e.residuals(p.sample(p.random(searching, i)), r) {
				squares[i] = meanSquare(r)
			}
		}
	})
	order := sorted(squares)
	var starts [][]float64
	for _, i := range order[:min(p.Starts, len(order))] {
		if !math.IsInf(squares[i], 1) {
			starts = append(starts, p.sample(p.random(searching, i)))
		}
	}
	return starts
}

// Purposes of random numbers.
const (
	searching = iota
	resampling
)

// random returns the generator of one item for a purpose.
func (p *Problem) random(purpose, item int) *rand.Rand {
	return rand.New(rand.NewPCG(p.Seed, uint64(purpose)<<40|uint64(item)))
}

// inParallel runs n items on Threads workers. newWorker is called once for each
// worker.
func (p *Problem) inParallel(stage string, n int, newWorker func() func(i int)) {
	var next, done atomic.Int64
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range max(1, min(p.Threads, n)) {
		wg.Go(func() {
			work := newWorker()
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				work(i)
				if d := int(done.Add(1)); p.Progress != nil {
					mu.Lock()
					p.Progress(stage, d, n)
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
}

// sorted returns the indices of v in ascending order of value, then of index.
func sorted(v []float64) []int {
	order := make([]int, len(v))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(v[a], v[b]) })
	return order
}
