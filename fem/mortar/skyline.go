package mortar

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// Held finds the Lagrange multipliers that cancel given constraint residuals.
// Its matrix is C M^-1 C^T as a skyline matrix, factorised as L D L^T.
// Consecutive constraints along a line are coupled only with their neighbours.
type Held struct {
	first []int       // per row of the factor: the first column that is not zero
	low   [][]float64 // entries of L from there to the diagonal, the last of which is 1/D; 0 for a redundant constraint
	work  []float64
}

// singular is the fraction of a diagonal entry below which its pivot counts as
// zero: the constraint is redundant.
const singular = 1e-11

// NewHeld factorises the matrix for the inverse masses of nodes in both
// directions [1/kg].
func NewHeld(rows []Constraint, inverse func(node int32) r2.Vec) *Held {
	h := &Held{first: make([]int, 2*len(rows)), low: make([][]float64, 2*len(rows)), work: make([]float64, 2*len(rows))}
	of := map[int32][]int{} // rows of each node, for lookup only
	for i := range rows {
		for _, t := range rows[i].Terms {
			of[t.Node] = append(of[t.Node], i)
		}
	}
	for i := range rows {
		least := i
		for _, t := range rows[i].Terms {
			least = min(least, of[t.Node][0])
		}
		for c := range 2 {
			k := 2*i + c
			h.first[k] = 2 * least
			h.low[k] = make([]float64, k-2*least+1)
		}
		for _, t := range rows[i].Terms {
			w := inverse(t.Node)
			p := [2][2]float64{{t.A, -t.B}, {t.B, t.A}} // coefficients of x and y in the two rows of the constraint
			for _, j := range of[t.Node] {
				if j > i {
					break
				}
				o := rows[j].Terms[slices.IndexFunc(rows[j].Terms, func(o Term) bool { return o.Node == t.Node })]
				q := [2][2]float64{{o.A, -o.B}, {o.B, o.A}}
				for c := range 2 {
					for d := range 2 {
						if k, l := 2*i+c, 2*j+d; l <= k {
							h.low[k][l-h.first[k]] += float64(p[c][0]*q[d][0]*w.X) + float64(p[c][1]*q[d][1]*w.Y)
						}
					}
				}
			}
		}
	}
	h.factorise()
	return h
}

func (h *Held) factorise() {
	scaled := make([]float64, len(h.low)) // L D of the row
	for k, row := range h.low {
		from := h.first[k]
		whole := row[k-from]
		for l := from; l < k; l++ {
			sum := row[l-from]
			other := h.low[l]
			for m := max(from, h.first[l]); m < l; m++ {
				sum -= float64(scaled[m] * other[m-h.first[l]])
			}
			scaled[l] = sum
			row[l-from] = sum * other[l-h.first[l]]
		}
		left := whole
		for l := from; l < k; l++ {
			left -= float64(scaled[l] * row[l-from])
		}
		if row[k-from] = 0; left > singular*whole {
			row[k-from] = 1 / left
		}
	}
}

// Solve replaces the residuals of the constraints by the multipliers that
// cancel them.
func (h *Held) Solve(of []r2.Vec) {
	y := h.work
	for i, v := range of {
		y[2*i], y[2*i+1] = v.X, v.Y
	}
	for k, row := range h.low {
		from := h.first[k]
		if row[k-from] == 0 {
			y[k] = 0
			continue
		}
		sum := y[k]
		for l := from; l < k; l++ {
			sum -= float64(row[l-from] * y[l])
		}
		y[k] = sum
	}
	for k, row := range h.low {
		y[k] *= row[k-h.first[k]]
	}
	for k := len(y) - 1; k >= 0; k-- {
		row, from := h.low[k], h.first[k]
		if row[k-from] == 0 {
			y[k] = 0
			continue
		}
		for l := from; l < k; l++ {
			y[l] -= float64(row[l-from] * y[k])
		}
	}
	for i := range of {
		of[i] = r2.Vec{X: y[2*i], Y: y[2*i+1]}
	}
}
