package fit

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Estimate is the fit of one parameter.
type Estimate struct {
	Name     string
	Multiple float64 // of the parameter's scale
	Value    float64 // SI
	// Error is the standard error of the multiple's logarithm, from the
	// Jacobian, which is about the relative standard error. It is infinite if
	// the data do not determine the parameter.
	Error float64
	// Determined tells whether the data determine the parameter. They do not if Error is above
	// maxLogError, or if another start ended at an equally good fit whose logarithm differs by
	// more than three times that. Idle tells that the fit does not depend on the parameter.
	Determined, Idle bool
	Replicas         []float64 // Multiple in every replica of the bootstrap
}

// Result is a fitted law.
type Result struct {
	Estimates  []Estimate // in the order of Free
	Values     map[string]float64
	RMS        float64   // root mean square of the answer's residuals [Pa] or [N]
	Weighted   float64   // root mean square of the weighted residuals
	Answer     []float64 // answer of the law at the data's rows
	Noise      Noise     // Constant or Proportional
	Likelihood float64   // logarithm of the likelihood, up to a constant
	Agree      int       // number of starts that ended at the lowest minimum
	Starts     int       // number of starts
	// ReplicaValues holds the SI values of every replica.
	ReplicaValues []map[string]float64
}

// maxLogError is the standard error of the logarithm above which a parameter is
// not determined: its 95 % interval spans more than a factor of 2.7.
const maxLogError = 0.25

// Run fits the law. It fails if no sample of the box gives a valid law.
func (p *Problem) Run() (*Result, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	starts := p.search()
	if len(starts) == 0 {
		return nil, errors.New("no sample of the box is a valid law: narrow the bounds to values of the parameters that go together")
	}
	kinds := []Noise{p.Noise}
	if p.Noise == Either {
		kinds = []Noise{Constant, Proportional}
	}
	var best *Result
	var chosen *Problem
	var end minimum
	for _, kind := range kinds {
		q := *p
		q.Noise = kind
		res, u := q.descend(starts)
		if best == nil || res.Likelihood > best.Likelihood {
			best, chosen, end = res, &q, u
		}
	}
	chosen.assess(best, end)
	for _, e := range best.Estimates {
		if e.Determined { // without it there is no interval
			chosen.bootstrap(best, end.u)
			break
		}
	}
	return best, nil
}

// minimum is the end of a descent.
type minimum struct {
	u      []float64
	others [][]float64 // other minima that fit the data as well
}

// descend refines all starts on thinned data, and the better of them on all
// data. It returns the result of the lowest minimum.
func (p *Problem) descend(starts [][]float64) (*Result, minimum) {
	const rows, worth = 2 * searchRows, 1.5
	ends, squares := p.refineAll("refine", p.Data.thin(rows), starts, coarseEffort)
	lowest := squares[sorted(squares)[0]]
	var good [][]float64
	for i, s := range squares {
		if s <= float64(worth*lowest)+1e-16 {
			good = append(good, ends[i])
		}
	}
	ends, squares = p.refineAll("polish", p.Data, good, fineEffort)
	first := sorted(squares)[0]
	end := minimum{u: ends[first]}
	for i, s := range squares {
		if s <= float64(p.likeness()*squares[first])+1e-16 {
			end.others = append(end.others, ends[i])
		}
	}
	res := &Result{Noise: p.Noise, Values: p.values(end.u), Starts: len(starts), Agree: len(end.others)}
	e := p.evaluator(p.Data)
	r := make([]float64, len(p.Data.D))
	e.residuals(end.u, r)
	touching := e.inContact()
	n := float64(len(touching))
	res.Answer = slices.Clone(e.answer)
	res.Weighted = math.Sqrt(squares[first] * float64(len(r)) / n)
	// The likelihood is that of normal noise of the most likely size, without the
	// constant terms.
	res.Likelihood = -float64(n * math.Log(res.Weighted+1e-300))
	square := 0.0
	for _, i := range touching {
		res.Likelihood += math.Log(e.weights[i])
		d := e.answer[i] - p.Data.Answer[i]
		square += float64(d * d)
	}
	res.RMS = math.Sqrt(square / n)
	return res, end
}

// likeness returns the ratio of the sum of squares to the least one up to which
// the data cannot tell a fit from the best: 1 + m/(n-m) F, with F about the 95
// % quantile of Fisher's distribution for m and many degrees of freedom.
func (p *Problem) likeness() float64 {
	m, n := float64(len(p.Free)), float64(len(p.Data.D))
	return 1 + float64(m/(n-m)*(1+2.4/math.Sqrt(m)))
}

func (p *Problem) refineAll(stage string, data Data, starts [][]float64, effort effort) ([][]float64, []float64) {
	ends, squares := make([][]float64, len(starts)), make([]float64, len(starts))
	p.inParallel(stage, len(starts), func() func(i int) {
		return func(i int) { ends[i], squares[i] = p.refine(data, starts[i], effort) }
	})
	return ends, squares
}

// assess fills the estimates and their standard errors.
func (p *Problem) assess(res *Result, end minimum) {
	u := end.u
	e := p.evaluator(p.Data)
	n, m := len(p.Data.D), len(u)
	r, a, b := make([]float64, n), make([]float64, n), make([]float64, n)
	e.residuals(u, r)
	z, j := make([]float64, m), mat.NewDense(n, m, nil)
	for k := range u {
		z[k] = p.Free[k].inner(u[k])
	}
	e.jacobian(z, r, a, b, j, false)
	for k := range u { // derivatives by the logarithm of u, not by z
		slope := (p.Free[k].outer(z[k]+jacobianStep) - p.Free[k].outer(z[k]-jacobianStep)) / (2 * jacobianStep)
		scale := 0.0
		if slope != 0 {
			scale = u[k] / slope
		}
		for i := range n {
			j.Set(i, k, j.At(i, k)*scale)
		}
	}
	sigma := res.Weighted * inflation(len(e.inContact()), m)
	errs := standardErrors(j, sigma)
	for k, f := range p.Free {
		spread := 0.0
		for _, other := range end.others {
			spread = max(spread, math.Abs(math.Log(other[k]/u[k])))
		}
		res.Estimates = append(res.Estimates, Estimate{
			Name: f.Name, Multiple: u[k], Value: res.Values[f.Name],
			Error: errs[k], Determined: errs[k] <= maxLogError && spread <= 3*maxLogError,
			Idle: mat.Norm(j.ColView(k), 2) <= 1e-9*mat.Norm(j, 2),
		})
	}
}

// standardErrors returns the roots of the diagonal of sigma^2 (J^T J)^-1 by
// singular values. The data do not determine a direction whose singular value
// is within the error of the differences. Every parameter with a component in
// such a direction gets an infinite error.
func standardErrors(j *mat.Dense, sigma float64) []float64 {
	_, m := j.Dims()
	errs := make([]float64, m)
	var svd mat.SVD
	if !svd.Factorize(j, mat.SVDThin) {
		for k := range errs {
			errs[k] = math.Inf(1)
		}
		return errs
	}
	var v mat.Dense
	svd.VTo(&v)
	s := svd.Values(nil)
	for k := range errs {
		sum := 0.0
		for i, x := range s {
			part := v.At(k, i)
			switch {
			case x > 1e-8*s[0]:
				sum += float64(part * part / (x * x))
			case math.Abs(part) > 1e-3:
				sum = math.Inf(1)
			}
		}
		errs[k] = sigma * math.Sqrt(sum)
		if math.IsInf(sum, 1) {
			errs[k] = math.Inf(1)
		}
	}
	return errs
}

// inflation returns the root of n over the degrees of freedom left by m fitted
// parameters.
func inflation(n, m int) float64 { return math.Sqrt(float64(n) / float64(max(n-m, 1))) }
