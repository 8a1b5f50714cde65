package study

import (
	"context"
	"sync"
)

// Progress is the progress of a study.
type Progress struct {
	Of, Done, Failed, Running int
	Left                      float64 // remaining time, 0 while unknown [s]
}

// count counts a case that is done or has failed, and tells whether it is.
func (p *Progress) count(o Outcome) (ended bool) {
	switch o.Status {
	case Done:
		p.Done++
	case Failed:
		p.Failed++
	default:
		return false
	}
	return true
}

// RunAll runs every case that is neither done nor failed, jobs at a time, and
// reports the progress after each start and end. It returns the first error of
// the study's own files. The end of ctx is no error.
func (s *Study) RunAll(ctx context.Context, fdem string, jobs int, tell func(Progress)) error {
	var mu sync.Mutex
	var failure error
	p := Progress{Of: len(s.Cases)}
	var open []Case
	for _, c := range s.Cases {
		if !p.count(c.Outcome()) {
			open = append(open, c)
		}
	}
	spent, ended := 0.0, 0
	report := func(change func()) {
		mu.Lock()
		defer mu.Unlock()
		change()
		if ended > 0 {
			left := p.Of - p.Done - p.Failed
			p.Left = spent / float64(ended) * float64(left) / float64(jobs)
		}
		tell(p)
	}
	queue := make(chan Case)
	var wg sync.WaitGroup
	for range min(jobs, len(open)) {
		wg.Go(func() {
			for c := range queue {
				report(func() { p.Running++ })
				o, err := s.Run(ctx, fdem, c)
				report(func() {
					p.Running--
					if err != nil && failure == nil {
						failure = err
					}
					if p.count(o) {
						spent, ended = spent+o.Seconds, ended+1
					}
				})
			}
		})
	}
feed:
	for _, c := range open {
		select {
		case queue <- c:
		case <-ctx.Done():
			break feed
		}
	}
	close(queue)
	wg.Wait()
	return failure
}
