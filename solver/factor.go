package solver

import (
	"math"
	"slices"

	"fdem/mesh"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// linear solves systems with the stiffness matrix by conjugate gradients,
// preconditioned with a factor of it. The factor is that of the matrix itself
// where it is cheap; otherwise one of some iterations before, which serves as
// long as it takes few steps.
type linear struct {
	cheap      float64 // work of a factorisation that is done for every matrix
	accuracy   float64 // of a solution: the residual relative to the right side
	patience   int     // steps of conjugate gradients after which a factor is renewed
	order      []int32 // the unknown in each row of the band
	band       blas64.SymmetricBand
	factor     blas64.TriangularBand
	sparse     *incomplete // instead of a band that would be too large
	of         *State      // keeps the matrix of a factor that serves for longer: a run that goes on from a checkpoint makes the same factor again
	ready      bool        // the factor is that of a matrix of this pattern
	slow       bool        // the factor is too old
	made       int         // number of the pattern it is for
	rhs        []float64   // in the order of the band
	r, z, p, q []float64
}

const (
	cheap    = 1e8  // default
	largest  = 6e7  // entries of a band that is factorised
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
	work := float64(n) * float64(l.band.K) * float64(l.band.K)
	lasting := l.sparse != nil || work > l.cheap
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

// pattern lays out the band.
func (l *linear) pattern(k *stiffness) {
	n := len(k.row) - 1
	first, neighbour := make([]int32, n+1), make([]int32, len(k.column))
	for i, r := range k.row {
		first[i] = int32(r)
	}
	for i, c := range k.column {
		neighbour[i] = int32(c)
	}
	l.made = k.made
	l.order = mesh.CuthillMcKee(first, neighbour)
	place := make([]int32, n)
	for i, u := range l.order {
		place[u] = int32(i)
	}
	width := 0
	for i := range n {
		for _, c := range k.column[k.row[i]:k.row[i+1]] {
			width = max(width, int(place[c]-place[i]))
		}
	}
	l.ready, l.sparse = false, nil
	l.rhs = make([]float64, n)
	for _, v := range []*[]float64{&l.r, &l.z, &l.p, &l.q} {
		*v = make([]float64, n)
	}
	if float64(n)*float64(width+1) > largest {
		l.band = blas64.SymmetricBand{}
		l.sparse = newIncomplete(k, l.order, place)
		return
	}
	l.band = blas64.SymmetricBand{Uplo: blas.Upper, N: n, K: width, Stride: width + 1, Data: slices.Grow(l.band.Data[:0], n*(width+1))[:n*(width+1)]}
}

// factorise factorises the matrix with the pattern of k and these values; false
// where it is not positive definite.
func (l *linear) factorise(k *stiffness, data []float64) bool {
	if l.sparse != nil {
		return l.sparse.factorise(data)
	}
	b := &l.band
	clear(b.Data)
	place := make([]int32, b.N)
	for i, u := range l.order {
		place[u] = int32(i)
	}
	for i := range b.N {
		for at := k.row[i]; at < k.row[i+1]; at++ {
			p, q := int(place[i]), int(place[k.column[at]])
			if q >= p {
				b.Data[p*b.Stride+q-p] = data[at]
			}
		}
	}
	var ok bool
	l.factor, ok = lapack64.Pbtrf(*b)
	return ok
}

// precondition sets z to the factor's solution for r.
func (l *linear) precondition(z, r []float64) {
	for i, u := range l.order {
		l.rhs[i] = r[u]
	}
	if l.sparse != nil {
		l.sparse.solve(l.rhs)
	} else {
		lapack64.Pbtrs(l.factor, blas64.General{Rows: len(r), Cols: 1, Stride: 1, Data: l.rhs})
	}
	for i, u := range l.order {
		z[u] = l.rhs[i]
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
		clear(l.q)
		k.matrix.MulVecTo(l.q, false, l.p)
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
