package cholesky

import "gonum.org/v1/gonum/spatial/r2"

// Factor is the Cholesky factor of sparse symmetric matrices with one pattern, for systems whose
// solutions need no accuracy beyond rounding.
type Factor struct {
	pattern Matrix
	full    *multifrontal
}

// NewFactor prepares the factor of matrices with a symmetric pattern of rows, each with the start of its
// columns in row, which has one more entry, and with unknowns at the given positions. It returns nil if
// the factor would be too large.
func NewFactor(row, column []int, positions []r2.Vec) *Factor {
	f := &Factor{pattern: Matrix{Row: row, Column: column}}
	if f.full = newMultifrontal(&f.pattern, positions); f.full == nil {
		return nil
	}
	return f
}

// Work returns the number of multiplications of a factorisation.
func (f *Factor) Work() float64 { return f.full.work }

// Factorise computes the factor of the matrix with these values, in the order of the columns. It
// returns false if the matrix is not positive definite.
func (f *Factor) Factorise(data []float64) bool { return f.full.factorise(&f.pattern, data) }

// Solve replaces b by the solution of the system with the right side b.
func (f *Factor) Solve(b []float64) { f.full.solve(b) }
