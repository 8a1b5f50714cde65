package solver

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// linear solves systems with the stiffness matrix by conjugate gradients,
// preconditioned with a factor of it. The factor is that of the matrix itself
// where it is cheap; otherwise one of some iterations before, which serves as
// long as it takes few steps.
type linear struct {
	cheap      float64       // work of a factorisation that is done for every matrix
	accuracy   float64       // of a solution: the residual relative to the right side
	patience   int           // steps of conjugate gradients after which a factor is renewed
	places     []r2.Vec      // of the unknowns, at the start
	full       *multifrontal // the factor,
	sparse     *incomplete   // or this where that would be too large
	of         *State        // keeps the matrix of a factor that serves for longer: a run that goes on from a checkpoint makes the same factor again
	ready      bool          // the factor is that of a matrix of this pattern
	slow       bool          // the factor is too old
	made       int           // number of the pattern it is for
	r, z, p, q []float64
}

const (
	cheap    = 1e8  // default
	largest  = 6e7  // entries of a full factor
	patience = 12   // default
	steps    = 2000 // of conjugate gradients at most
	accuracy = 1e-3 // default; Newton's method mends the rest
)

// prepare makes the factor fit for k, whose diagonal is raised until it can be
// factorised: size is the arm of each unknown.
func (l *linear) prepare(k *stiffness, size []float64) {
	n := len(k.row) - 1
	if l.made != k.made {
		l.pattern(k)
	}
	lasting := l.sparse != nil || l.full.work > l.cheap
	of := l.of
	if lasting && !l.slow && !l.ready && of.FactoredPattern == k.hash && len(of.Factored) == len(k.data) {
		l.ready = l.factorise(k, of.Factored)
	}
	if lasting && l.ready && !l.slow {
		return
	}
	greatest := 0.0
	for i := range n {
		greatest = max(greatest, k.data[k.at(int32(i), int32(i))]/(size[i]*size[i]))
	}
	for shift := 0.0; ; shift = max(1e-10, 100*shift) {
		if l.factorise(k, k.data) {
			break
		}
		if shift > 1 || !(greatest > 0) {
			greatest = max(greatest, 1)
		}
		for i := range n {
			k.data[k.at(int32(i), int32(i))] += float64(max(shift, 1e-10) * greatest * size[i] * size[i])
		}
		if shift > 1e6 {
			break
		}
	}
	l.ready, l.slow = true, false
	if lasting {
		of.Factored, of.FactoredPattern = append(of.Factored[:0], k.data...), k.hash
	}
}

// pattern lays out the factor.
func (l *linear) pattern(k *stiffness) {
	n := len(k.row) - 1
	l.made, l.ready = k.made, false
	for _, v := range []*[]float64{&l.r, &l.z, &l.p, &l.q} {
		*v = make([]float64, n)
	}
	l.full, l.sparse = newMultifrontal(k, l.places), nil
	if l.full == nil {
		l.sparse = newIncomplete(k)
	}
}

// factorise factorises the matrix with the pattern of k and these values; false
// where it is not positive definite.
func (l *linear) factorise(k *stiffness, data []float64) bool {
	if l.sparse != nil {
		return l.sparse.factorise(data)
	}
	return l.full.factorise(k, data)
}

// precondition sets z to the factor's solution for r.
func (l *linear) precondition(z, r []float64) {
	copy(z, r)
	if l.sparse != nil {
		l.sparse.solve(z)
	} else {
		l.full.solve(z)
	}
}

// solve sets x to the solution of k x = b by preconditioned conjugate
// gradients (Saad, Iterative Methods for Sparse Linear Systems, algorithm
// 9.1). Where the matrix turns out not to be positive definite it stops with
// what it has.
func (l *linear) solve(k *stiffness, x, b []float64) {
	clear(x)
	copy(l.r, b)
	goal := l.accuracy * math.Sqrt(inner(b, b))
	rz := 0.0
	for step := range steps {
		l.precondition(l.z, l.r)
		next := inner(l.r, l.z)
		if step == 0 {
			copy(l.p, l.z)
		} else {
			beta := next / rz
			for i := range l.p {
				l.p[i] = l.z[i] + float64(beta*l.p[i])
			}
		}
		rz = next
		k.times(l.q, l.p)
		pq := inner(l.p, l.q)
		if !(pq > 0) {
			if step == 0 {
				copy(x, l.z)
			}
			l.renew()
			return
		}
		alpha := rz / pq
		for i := range x {
			x[i] += float64(alpha * l.p[i])
			l.r[i] -= float64(alpha * l.q[i])
		}
		if math.Sqrt(inner(l.r, l.r)) <= goal {
			if l.sparse == nil && step+1 > l.patience {
				l.renew()
			}
			return
		}
	}
	l.renew()
}

// renew has the next factor made anew, by a run that goes on from here, too.
func (l *linear) renew() {
	l.slow = true
	l.of.Factored = l.of.Factored[:0]
}

// inner is the scalar product, added up in order.
func inner(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += float64(v * b[i])
	}
	return sum
}
