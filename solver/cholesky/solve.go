// Package cholesky solves large sparse symmetric systems of equations by multifrontal Cholesky
// factorisation, ordered by nested dissection. The factor is the preconditioner of conjugate
// gradients. So it may be the factor of an earlier matrix, or an incomplete factor if a
// complete one would be too large.
package cholesky

import (
	"math"
	"slices"

	"github.com/james-bowman/sparse"
	"gonum.org/v1/gonum/spatial/r2"
)

// Matrix is a symmetric matrix in compressed rows.
type Matrix struct { // the slices are those of csr
	Row    []int // start of each row; one more entry than rows
	Column []int // ascending within a row
	Data   []float64
	number int   // number of the pattern, above 0; every pattern has its own
	hash   int64 // hash of the pattern
	csr    *sparse.CSR
}

// NewMatrix returns a matrix of zeros with a pattern of rows and columns.
func NewMatrix(row, column []int, number int, hash int64) *Matrix {
	csr := sparse.NewCSR(len(row)-1, len(row)-1, row, column, make([]float64, len(column)))
	raw := csr.RawMatrix()
	return &Matrix{Row: raw.Indptr, Column: raw.Ind, Data: raw.Data, number: number, hash: hash, csr: csr}
}

// At returns the position of an entry in Data.
func (k *Matrix) At(i, j int32) int {
	at, _ := slices.BinarySearch(k.Column[k.Row[i]:k.Row[i+1]], int(j))
	return k.Row[i] + at
}

// Times sets y to the matrix times x. A row is summed in the order of its columns: csr.MulVecTo has
// one order in its assembly for amd64 and another on other processors.
func (k *Matrix) Times(y, x []float64) {
	for i := range y {
		from, to := k.Row[i], k.Row[i+1]
		data, sum := k.Data[from:to], 0.0
		for at, c := range k.Column[from:to] {
			sum += float64(data[at] * x[c])
		}
		y[i] = sum
	}
}

// Kept is the matrix whose factor is in use. A run that continues from a checkpoint computes
// the same factor from it.
type Kept struct {
	Factored        []float64 // empty if every matrix is factorised
	FactoredPattern int64     // hash of its pattern
}

// Solver solves systems by conjugate gradients, preconditioned with a factor of the matrix. If
// factorisation is cheap, it is the factor of the matrix itself. Otherwise it is that of an
// earlier matrix, as long as few iterations are needed.
type Solver struct {
	Cheap         float64                         // greatest work of a factorisation that is done for every matrix
	Accuracy      float64                         // residual of a solution relative to the right side
	MaxIterations int                             // number of iterations after which a factor is renewed
	Positions     []r2.Vec                        // of the unknowns [m]
	Order         func(row, column []int) []int32 // order of the rows with a small bandwidth, for an incomplete factor
	kept          *Kept

	full       *multifrontal // the factor, or nil
	sparse     *incomplete   // the incomplete factor if a complete one would be too large
	ready      bool          // the factor belongs to a matrix with this pattern
	slow       bool          // the factor is too old
	slight     float64       // shift of the diagonal of a matrix that is nearly positive definite, 0 for others [N/m]
	made       int           // number of the factor's pattern
	r, z, p, q []float64
}

const (
	maxFactorEntries = 6e7  // greatest number of entries of a complete factor
	maxIterations    = 2000 // greatest number of iterations of conjugate gradients
)

// New returns a solver for unknowns at the given positions. order returns an order of the rows
// with a small bandwidth.
func New(positions []r2.Vec, order func(row, column []int) []int32, kept *Kept) *Solver {
	return &Solver{Cheap: 1e8, Accuracy: 1e-3, MaxIterations: 12, Positions: positions, Order: order, kept: kept}
}

// Prepare prepares the factor for k. If k is not positive definite its diagonal is increased in
// proportion to the squares of size. It returns false if no increase is sufficient.
func (l *Solver) Prepare(k *Matrix, size []float64) bool {
	if l.made != k.number {
		l.pattern(k)
	}
	lasting := l.sparse != nil || l.full.work > l.Cheap
	of := l.kept
	if lasting && !l.slow && !l.ready && of.FactoredPattern == k.hash && len(of.Factored) == len(k.Data) {
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
		of.Factored, of.FactoredPattern = append(of.Factored[:0], k.Data...), k.hash
	}
	if l.slight > 0 { // only the factor needs the shift; the matrix has soft springs
		for i, d := range size {
			k.Data[k.At(int32(i), int32(i))] -= float64((1 - restShift) * l.slight * d * d)
		}
	}
	return true
}

const (
	leastShift    = 1e-10 // shift for a matrix that is nearly positive definite
	restShift     = 1e-4  // part of it that stays in the matrix
	shiftGrowth   = 100   // ratio of successive trial shifts
	shiftAccuracy = 1.5   // greatest ratio of the shift to the least possible one
)

// raise adds to the diagonal of k the least shift with which k can be factorised, up to
// shiftAccuracy (Levenberg and Marquardt). A matrix that is not positive definite belongs to a
// saddle point. The smaller the shift, the further a step leads down from there. If leastShift
// is sufficient it is used. It returns false if the greatest shift is not sufficient.
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

// pattern prepares the factor for a new pattern.
func (l *Solver) pattern(k *Matrix) {
	n := len(k.Row) - 1
	l.made, l.ready = k.number, false
	for _, v := range []*[]float64{&l.r, &l.z, &l.p, &l.q} {
		*v = make([]float64, n)
	}
	l.full, l.sparse = newMultifrontal(k, l.Positions), nil
	if l.full == nil {
		l.sparse = newIncomplete(k, l.Order(k.Row, k.Column))
	}
}

// factorise computes the factor of the matrix with the pattern of k and these values. It
// returns false if the matrix is not positive definite.
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

// exact is the relative residual below which a solution needs no further check.
const exact = 1e-9

// Solve sets x to the solution of k x = b by preconditioned conjugate gradients (Saad,
// Iterative Methods for Sparse Linear Systems, algorithm 9.1). The residual must be small in
// the Euclidean norm and in the energy norm: soft directions, such as that of a stiff body on a
// soft spring, count little in the first and much in the second. If the matrix turns out not to
// be positive definite, Solve stops with the present x.
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

// renew requests a new factor, also in a run that continues from here.
func (l *Solver) renew() {
	l.slow = true
	l.kept.Factored = l.kept.Factored[:0]
}

// Inner returns the scalar product, summed in order.
func Inner(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += float64(v * b[i])
	}
	return sum
}

// solved requests a new factor if a solution took too many iterations.
func (l *Solver) solved(iterations int) {
	if l.sparse == nil && iterations > l.MaxIterations {
		l.renew()
	}
}
