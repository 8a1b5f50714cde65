package fit

import (
	"slices"
)

// bootstrap fits replicas of the data. A replica is the fitted curve plus
// residuals that are drawn with replacement from those of the fit, inflated for
// the number of fitted parameters. The descent starts from the fit.
func (p *Problem) bootstrap(res *Result, u []float64) {
	if p.Bootstrap == 0 {
		return
	}
	e := p.evaluator(p.Data)
	n := len(p.Data.D)
	r := make([]float64, n)
	e.residuals(u, r)
	rows := e.inContact()
	mean := 0.0
	for _, i := range rows {
		mean += r[i] / float64(len(rows))
	}
	grow := inflation(len(rows), len(u))
	ends := make([][]float64, p.Bootstrap)
	p.inParallel("bootstrap", p.Bootstrap, func() func(i int) {
		return func(i int) {
			rng := p.random(resampling, i)
			data := p.Data
			data.Answer = slices.Clone(res.Answer)
			for _, k := range rows {
				drawn := float64(grow * (r[rows[rng.IntN(len(rows))]] - mean))
				data.Answer[k] -= drawn / e.weights[k]
			}
			ends[i], _ = p.refine(data, u, replicaEffort)
		}
	})
	for _, end := range ends {
		for k := range res.Estimates {
			res.Estimates[k].Replicas = append(res.Estimates[k].Replicas, end[k])
		}
		res.ReplicaValues = append(res.ReplicaValues, p.values(end))
	}
}

// Interval returns the quantiles (1-level)/2 and (1+level)/2 of v, linear
// between its sorted values.
func Interval(v []float64, level float64) (low, high float64) {
	s := slices.Sorted(slices.Values(v))
	at := func(q float64) float64 {
		x := float64(q * float64(len(s)-1))
		i := min(int(x), len(s)-2)
		if i < 0 {
			return s[0]
		}
		return s[i] + float64((x-float64(i))*(s[i+1]-s[i]))
	}
	return at(0.5 * (1 - level)), at(0.5 * (1 + level))
}
