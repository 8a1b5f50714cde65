package cholesky

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// multifrontal is the multifrontal Cholesky factor U^T U of a sparse symmetric
// matrix, computed front by front (Duff and Reid, ACM Trans. Math. Softw. 9,
// 1983). The full matrix of a front is the sum of its own rows of the matrix and
// the update matrices of its children. The front's own unknowns are eliminated
// from it, and the rest is the update matrix for its parent.
type multifrontal struct {
	fronts []front
	index  []int32   // per unknown: its index in the order of elimination
	local  []int32   // per unknown: its row in the present front
	data   []float64 // per front: its own rows with all of its columns
	full   []float64 // full matrix of the present front
	left   []float64 // update matrices of the fronts without a parent yet
	work   float64   // number of multiplications of a factorisation
	vector []float64 // right side of a front
}

// newMultifrontal prepares the factor of a matrix with the pattern of k, whose
// unknowns are at the given positions. It returns nil if the factor would be too
// large.
func newMultifrontal(k *Matrix, positions []r2.Vec) *multifrontal {
	c := &multifrontal{fronts: dissect(k, positions), index: make([]int32, len(positions)), local: make([]int32, len(positions))}
	entries, most, n := 0, 0, int32(0)
	for i := range c.fronts {
		f := &c.fronts[i]
		f.at = entries
		m := len(f.rows)
		entries += f.own * m
		most = max(most, m)
		c.work += float64(0.5 * float64(f.own) * float64(m) * float64(m))
		for _, u := range f.rows[:f.own] {
			c.index[u] = n
			n++
		}
	}
	if entries > maxFactorEntries {
		return nil
	}
	c.data, c.full, c.vector = make([]float64, entries), make([]float64, most*most), make([]float64, most)
	return c
}

// factorise computes the factor of the matrix with the pattern of k and these
// values. It returns false if the matrix is not positive definite.
func (c *multifrontal) factorise(k *Matrix, data []float64) bool {
	c.left = c.left[:0]
	var open []*front
	for i := range c.fronts {
		f := &c.fronts[i]
		m := len(f.rows)
		a := c.full[:m*m]
		clear(a)
		for i, u := range f.rows {
			c.local[u] = int32(i)
		}
		for i, u := range f.rows[:f.own] {
			for at := k.Row[u]; at < k.Row[u+1]; at++ {
				if v := k.Column[at]; c.index[v] >= c.index[u] {
					a[i*m+int(c.local[v])] = data[at]
				}
			}
		}
		for range f.children {
			c.take(a, m, open[len(open)-1])
			open = open[:len(open)-1]
		}
		if !eliminate(a, m, f.own) {
			return false
		}
		copy(c.data[f.at:], a[:f.own*m])
		for i := f.own; i < m; i++ {
			c.left = append(c.left, a[i*m+f.own:(i+1)*m]...)
		}
		open = append(open, f)
	}
	return true
}

// take adds the update matrix of a child, the last in left, to the matrix of a
// front with m rows.
func (c *multifrontal) take(a []float64, m int, child *front) {
	rows := child.rows[child.own:]
	n := len(rows)
	from := c.left[len(c.left)-n*n:]
	c.left = c.left[:len(c.left)-n*n]
	for i, u := range rows {
		to := a[int(c.local[u])*m:][:m]
		for j := i; j < n; j++ {
			to[c.local[rows[j]]] += from[i*n+j]
		}
	}
}

// eliminate computes the factor of the first own rows of the upper triangle of a
// symmetric matrix of m rows, and updates the other rows. It processes four rows
// at a time, because reading the other rows takes longer than computing. It
// returns false if a pivot is not positive.
func eliminate(a []float64, m, own int) bool {
	row := func(i, from int) []float64 { return a[i*m+from : (i+1)*m] }
	for first := 0; first < own; first += 4 {
		end := min(first+4, own)
		for i := first; i < end; i++ {
			r := row(i, i)
			if !(r[0] > 0) {
				return false
			}
			scale := 1 / math.Sqrt(r[0])
			for j := range r {
				r[j] *= scale
			}
			for j := i + 1; j < end; j++ {
				subtract(row(j, j), row(i, j))
			}
		}
		for j := end; j < m; j++ {
			if end-first == 4 {
				subtract4(row(j, j), row(first, j), row(first+1, j), row(first+2, j), row(first+3, j))
				continue
			}
			for i := first; i < end; i++ {
				subtract(row(j, j), row(i, j))
			}
		}
	}
	return true
}

// subtract subtracts p times its first value from r.
func subtract(r, p []float64) {
	a := p[0]
	for i, v := range p[:len(r)] {
		r[i] -= float64(a * v)
	}
}

// subtract4 does the same with four rows.
func subtract4(r, p, q, s, t []float64) {
	p, q, s, t = p[:len(r)], q[:len(r)], s[:len(r)], t[:len(r)]
	a, b, c, d := p[0], q[0], s[0], t[0]
	for i := range r {
		r[i] -= (float64(a*p[i]) + float64(b*q[i])) + (float64(c*s[i]) + float64(d*t[i]))
	}
}

// solve replaces b by the solution of U^T U x = b.
func (c *multifrontal) solve(b []float64) {
	for i := range c.fronts {
		f := &c.fronts[i]
		m := len(f.rows)
		x := c.vector[:m]
		for i, u := range f.rows {
			x[i] = b[u]
		}
		for i := range f.own {
			r := c.data[f.at+i*m+i : f.at+(i+1)*m]
			x[i] /= r[0]
			v, rest := x[i], x[i:][:len(r)]
			for j := 1; j < len(r); j++ {
				rest[j] -= float64(v * r[j])
			}
		}
		for i, u := range f.rows {
			b[u] = x[i]
		}
	}
	for n := len(c.fronts) - 1; n >= 0; n-- {
		f := &c.fronts[n]
		m := len(f.rows)
		x := c.vector[:m]
		for i, u := range f.rows {
			x[i] = b[u]
		}
		for i := f.own - 1; i >= 0; i-- {
			r := c.data[f.at+i*m+i : f.at+(i+1)*m]
			rest := x[i:][:len(r)]
			sum := rest[0]
			for j := 1; j < len(r); j++ {
				sum -= float64(r[j] * rest[j])
			}
			rest[0] = sum / r[0]
		}
		for i, u := range f.rows[:f.own] {
			b[u] = x[i]
		}
	}
}
