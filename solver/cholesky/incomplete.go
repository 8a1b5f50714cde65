package cholesky

import (
	"math"
	"slices"
)

// incomplete is an incomplete Cholesky factor L of a matrix, without fill-in
// (IC(0)). L L^T equals the matrix at all entries of the matrix (Saad,
// Iterative Methods for Sparse Linear Systems, section 10.3). It has the size
// of the matrix.
type incomplete struct {
	row    []int32 // start of each row; a row ends with its diagonal
	column []int32
	from   []int32 // per entry: its index in the matrix
	data   []float64
	work   []float64
	order  []int32   // the unknown of each row
	b      []float64 // buffer, in that order
}

// newIncomplete prepares the factor for k, with rows in the given order, which
// should have a small bandwidth.
func newIncomplete(k *Matrix, order []int32) *incomplete {
	index := make([]int32, len(order))
	for i, u := range order {
		index[u] = int32(i)
	}
	f := &incomplete{row: []int32{0}, work: make([]float64, len(order)), order: order, b: make([]float64, len(order))}
	var at []int32
	for i, u := range order {
		at = at[:0]
		for e := k.Row[u]; e < k.Row[u+1]; e++ {
			if index[k.Column[e]] <= int32(i) {
				at = append(at, int32(e))
			}
		}
		slices.SortFunc(at, func(a, b int32) int { return int(index[k.Column[a]] - index[k.Column[b]]) })
		for _, e := range at {
			f.column, f.from = append(f.column, index[k.Column[e]]), append(f.from, e)
		}
		f.row = append(f.row, int32(len(f.column)))
	}
	f.data = make([]float64, len(f.column))
	return f
}

// factorise computes the factor. If the matrix has no incomplete factor, it
// takes that of a matrix with a greater diagonal. It returns false if that
// does not exist, either.
func (f *incomplete) factorise(data []float64) bool {
	for _, more := range []float64{0, 1e-3, 1e-2, 0.1, 1} {
		if f.try(data, 1+more) {
			return true
		}
	}
	return false
}

func (f *incomplete) try(data []float64, scale float64) bool {
	for i := range f.work {
		lo, end := f.row[i], f.row[i+1]-1
		for e := lo; e < end; e++ {
			j := f.column[e]
			sum := data[f.from[e]]
			last := f.row[j+1] - 1
			for q := f.row[j]; q < last; q++ {
				sum -= float64(f.work[f.column[q]] * f.data[q])
			}
			f.data[e] = sum / f.data[last]
			f.work[j] = f.data[e]
		}
		d := data[f.from[end]] * scale
		for e := lo; e < end; e++ {
			d -= float64(f.data[e] * f.data[e])
			f.work[f.column[e]] = 0
		}
		if !(d > 0) {
			return false
		}
		f.data[end] = math.Sqrt(d)
	}
	return true
}

// solve replaces x by the solution of L L^T y = x.
func (f *incomplete) solve(x []float64) {
	b := f.b
	for i, u := range f.order {
		b[i] = x[u]
	}
	for i := range b {
		end := f.row[i+1] - 1
		sum := b[i]
		for e := f.row[i]; e < end; e++ {
			sum -= float64(f.data[e] * b[f.column[e]])
		}
		b[i] = sum / f.data[end]
	}
	for i := len(b) - 1; i >= 0; i-- {
		end := f.row[i+1] - 1
		b[i] /= f.data[end]
		for e := f.row[i]; e < end; e++ {
			b[f.column[e]] -= float64(f.data[e] * b[i])
		}
	}
	for i, u := range f.order {
		x[u] = b[i]
	}
}
