// Package cholesky solves large sparse symmetric systems of equations by
// multifrontal Cholesky factorisation, ordered by nested dissection. The factor
// is the preconditioner of conjugate gradients, so that it may be that of an
// older matrix, or an incomplete one where a whole one would be too large.
package cholesky

import (
	"math"
	"slices"

	"github.com/james-bowman/sparse"
	"gonum.org/v1/gonum/spatial/r2"
)

// Matrix is a symmetric matrix in compressed rows.
type Matrix struct {
	Row    []int // where rows begin, one more than there are rows
	Column []int // ascending within a row
	Data   []float64
	Number int   // of the pattern, above 0; another pattern has another
	Hash   int64 // of the pattern
	csr    *sparse.CSR
}

// NewMatrix returns a matrix of zeros with a pattern of rows and columns.
func NewMatrix(row, column []int, number int, hash int64) *Matrix {
	k := &Matrix{Row: row, Column: column, Data: make([]float64, len(column)), Number: number, Hash: hash}
	k.csr = sparse.NewCSR(len(row)-1, len(row)-1, row, column, k.Data)
	return k
}

// At returns the position of an entry in Data.
func (k *Matrix) At(i, j int32) int {
	at, _ := slices.BinarySearch(k.Column[k.Row[i]:k.Row[i+1]], int(j))
	return k.Row[i] + at
}

// Times sets y to the matrix times x.
func (k *Matrix) Times(y, x []float64) {
	clear(y)
	k.csr.MulVecTo(y, false, x) // adds
}

// Kept is the matrix of a factor that serves for longer: who goes on from it
// makes the same factor again.
type Kept struct {
	Factored        []float64 // empty where each matrix is factorised anew
	FactoredPattern int64     // the hash of its pattern
}

// Solver solves systems by conjugate gradients, preconditioned with a factor of
// the matrix. The factor is that of the matrix itself where it is cheap;
// otherwise one of some matrices before, which serves as long as it takes few
// steps.
type Solver struct {
	Cheap         float64                 // work of a factorisation that is done for every matrix
	Accuracy      float64                 // of a solution: the residual relative to the right side
	MaxIterations int                     // steps of conjugate gradients after which a factor is renewed
	Positions     []r2.Vec                // of the unknowns [m]
	Order         func(k *Matrix) []int32 // of little bandwidth, for an incomplete factor
	Kept          *Kept

	full       *multifrontal // the factor,
	sparse     *incomplete   // or this where that would be too large
	ready      bool          // the factor is that of a matrix of this pattern
	slow       bool          // the factor is too old
	slight     float64       // what raised the diagonal of a matrix that is all but positive definite, 0 for others [N/m]
	made       int           // number of the pattern it is for
	r, z, p, q []float64
}

const (
	maxFactorEntries = 6e7  // entries of a full factor
	maxIterations    = 2000 // steps of conjugate gradients
)

// New returns a solver for unknowns at the given positions. order returns an order
// of little bandwidth.
func New(positions []r2.Vec, order func(k *Matrix) []int32, kept *Kept) *Solver {
	return &Solver{Cheap: 1e8, Accuracy: 1e-3, MaxIterations: 12, Positions: positions, Order: order, Kept: kept}
}

// Prepare makes the factor fit for k, whose diagonal is raised until it can be
// factorised, in proportion to the squares of size; false where no raise is enough.
func (l *Solver) Prepare(k *Matrix, size []float64) bool {
	if l.made != k.Number {
		l.pattern(k)
	}
	lasting := l.sparse != nil || l.full.work > l.Cheap
	of := l.Kept
	if lasting && !l.slow && !l.ready && of.FactoredPattern == k.Hash && len(of.Factored) == len(k.Data) {
		l.ready = l.factorise(k, of.Factored)
	}
	if lasting && l.ready && !l.slow {
		return true
	}
	l.slight = 0
	if !l.factorise(k, k.Data) && !l.raise(k, size) {
		l.ready, l.slow = false, true
		return false
	}
	l.ready, l.slow = true, false
	if lasting {
		of.Factored, of.FactoredPattern = append(of.Factored[:0], k.Data...), k.Hash
	}
	if l.slight > 0 { // the factor needs it, the matrix has soft springs
		for i, d := range size {
			k.Data[k.At(int32(i), int32(i))] -= float64((1 - restShift) * l.slight * d * d)
		}
	}
	return true
}

const (
	leastShift    = 1e-10 // of a matrix that is all but positive definite
	restShift     = 1e-4  // the part of it that is left in the matrix
	shiftGrowth   = 100   // from one shift that is tried to the next
	shiftAccuracy = 1.5   // times the least shift is near enough
)

// raise adds to the diagonal of k the least shift with which it can be
// factorised, but for shiftAccuracy (Levenberg and Marquardt): a matrix that is
// not positive definite is that of a saddle, and the smaller the shift, the
// further a step leads down from there. Where leastShift is enough it is taken. False
// where the greatest shift is not.
func (l *Solver) raise(k *Matrix, size []float64) bool {
	diagonal, greatest := make([]float64, len(size)), 0.0
	for i, d := range size {
		diagonal[i] = k.Data[k.At(int32(i), int32(i))]
		greatest = max(greatest, math.Abs(diagonal[i])/(d*d))
	}
	if !(greatest > 0) {
		greatest = 1
	}
	enough := func(shift float64) bool {
		for i, d := range size {
			k.Data[k.At(int32(i), int32(i))] = diagonal[i] + float64(shift*greatest*d*d)
		}
		return l.factorise(k, k.Data)
	}
	low, high := 0.0, leastShift
	for ; !enough(high); high *= shiftGrowth {
		if low = high; high > 1e6 {
			return false
		}
	}
	if low == 0 {
		l.slight = leastShift * greatest
		return true
	}
	last := high
	for high > shiftAccuracy*low {
		if last = math.Sqrt(low * high); enough(last) {
			high = last
		} else {
			low = last
		}
	}
	if last != high {
		return enough(high)
	}
	return true
}

// pattern lays out the factor.
func (l *Solver) pattern(k *Matrix) {
	n := len(k.Row) - 1
	l.made, l.ready = k.Number, false
	for _, v := range []*[]float64{&l.r, &l.z, &l.p, &l.q} {
		*v = make([]float64, n)
	}
	l.full, l.sparse = newMultifrontal(k, l.Positions), nil
	if l.full == nil {
		l.sparse = newIncomplete(k, l.Order(k))
	}
}

// factorise factorises the matrix with the pattern of k and these values; false
// where it is not positive definite.
func (l *Solver) factorise(k *Matrix, data []float64) bool {
	if l.sparse != nil {
		return l.sparse.factorise(data)
	}
	return l.full.factorise(k, data)
}

// precondition sets z to the factor's solution for r.
func (l *Solver) precondition(z, r []float64) {
	copy(z, r)
	if l.sparse != nil {
		l.sparse.solve(z)
	} else {
		l.full.solve(z)
	}
}

// exact is the relative residual of a solution that needs no further check.
const exact = 1e-9

// Solve sets x to the solution of k x = b by preconditioned conjugate
// gradients (Saad, Iterative Methods for Sparse Linear Systems, algorithm
// 9.1). The residual must be small in its own norm and in that of its energy: what moves
// easily, such as a stiff body on a soft spring, counts little in the first and much in
// the second. Where the matrix turns out not to be positive definite it stops with what it has.
func (l *Solver) Solve(k *Matrix, x, b []float64) {
	clear(x)
	copy(l.r, b)
	size := math.Sqrt(Inner(b, b))
	left, first, rz := size, 0.0, 0.0
	for step := range maxIterations {
		l.precondition(l.z, l.r)
		next := Inner(l.r, l.z)
		switch {
		case step == 0:
			copy(l.p, l.z)
			first = next
		case left <= l.Accuracy*size && next <= l.Accuracy*l.Accuracy*first:
			l.solved(step)
			return
		default:
			beta := next / rz
			for i := range l.p {
				l.p[i] = l.z[i] + float64(beta*l.p[i])
			}
		}
		rz = next
		k.Times(l.q, l.p)
		pq := Inner(l.p, l.q)
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
		if left = math.Sqrt(Inner(l.r, l.r)); left <= exact*size {
			l.solved(step + 1)
			return
		}
	}
	l.renew()
}

// renew has the next factor made anew, by a run that goes on from here, too.
func (l *Solver) renew() {
	l.slow = true
	l.Kept.Factored = l.Kept.Factored[:0]
}

// Inner is the scalar product, added up in order.
func Inner(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += float64(v * b[i])
	}
	return sum
}

// solved has the factor renewed if a solution took too many iterations.
func (l *Solver) solved(iterations int) {
	if l.sparse == nil && iterations > l.MaxIterations {
		l.renew()
	}
}
