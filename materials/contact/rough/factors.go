package rough

import "math"

// factors is the LU factorisation of a dense matrix with column pivoting, both
// factors in one matrix. LAPACK adds in another order on every kind of
// processor. This has the same bits on all.
type factors struct {
	rows  [][]float64
	pivot []int // the row that was swapped to row k
}

// factorise replaces the rows by their factors. It fails if the matrix is
// singular or has NaN.
func factorise(rows [][]float64) (f factors, ok bool) {
	f = factors{rows, make([]int, len(rows))}
	for k := range rows {
		p := k
		for i := k + 1; i < len(rows); i++ {
			if math.Abs(rows[i][k]) > math.Abs(rows[p][k]) {
				p = i
			}
		}
		f.pivot[k] = p
		rows[k], rows[p] = rows[p], rows[k]
		if !(math.Abs(rows[k][k]) > 0) {
			return f, false
		}
		top := rows[k][k+1:]
		for _, row := range rows[k+1:] {
			m := row[k] / rows[k][k]
			row[k] = m
			rest := row[k+1:][:len(top)]
			for j, v := range top {
				rest[j] -= float64(m * v)
			}
		}
	}
	return f, true
}

// solve returns x with A x = b.
func (f factors) solve(b []float64) []float64 {
	x := append([]float64(nil), b...)
	for k, p := range f.pivot {
		x[k], x[p] = x[p], x[k]
	}
	for i, row := range f.rows {
		for j, v := range row[:i] {
			x[i] -= float64(v * x[j])
		}
	}
	for i := len(x) - 1; i >= 0; i-- {
		row := f.rows[i]
		for j := i + 1; j < len(row); j++ {
			x[i] -= float64(row[j] * x[j])
		}
		x[i] /= row[i]
	}
	return x
}
