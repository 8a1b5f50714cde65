package cholesky

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// Nested dissection (George, SIAM J. Numer. Anal. 10, 1973) orders unknowns such
// that elimination causes little fill-in. A line of nodes across the longer side
// of a region divides it into two parts without a link between them. These are
// divided again. The line is eliminated after both parts.
//
//	+-------+---+-------+
//	|   1   |   |   4   |    fronts in the order of their elimination: 1 2 3,
//	|---3---| 7 |---6---|    4 5 6, then 7
//	|   2   |   |   5   |
//	+-------+---+-------+

// front is a set of unknowns that are eliminated together, and the later unknowns
// that this affects.
type front struct {
	rows     []int32 // unknowns in the order of elimination, beginning with those that are eliminated here
	own      int     // number of unknowns that are eliminated here
	children int     // number of child fronts: the last fronts that have no parent yet
	at       int     // start of its rows in the factor
}

const (
	leafSize    = 24  // greatest number of unknowns that are not divided further
	denseDegree = 100 // an unknown with more neighbours, such as one of a rigid body, is eliminated last
)

// dissection divides the unknowns of a matrix by their positions.
type dissection struct {
	k         *Matrix
	positions []r2.Vec
	order     []int32 // order of elimination so far
	fronts    []front // fronts in that order
	side      []int32 // per unknown: the number of the part that has it on its near side
	parts     int32
}

// dissect returns the fronts of a matrix with the pattern of k.
func dissect(k *Matrix, positions []r2.Vec) []front {
	d := &dissection{k: k, positions: positions, side: make([]int32, len(positions))}
	var set, last []int32
	for i := range int32(len(positions)) {
		if k.Row[i+1]-k.Row[i] > denseDegree {
			last = append(last, i)
		} else {
			set = append(set, i)
		}
	}
	d.split(set)
	d.add(last, 1)
	d.reach()
	return d.fronts
}

// split appends the fronts of a set of unknowns, which it sorts.
func (d *dissection) split(set []int32) {
	if len(set) <= leafSize {
		d.add(set, 0)
		return
	}
	low, high := d.positions[set[0]], d.positions[set[0]]
	for _, u := range set {
		p := d.positions[u]
		low, high = r2.Vec{X: min(low.X, p.X), Y: min(low.Y, p.Y)}, r2.Vec{X: max(high.X, p.X), Y: max(high.Y, p.Y)}
	}
	along := func(u int32) float64 { return d.positions[u].X }
	if high.Y-low.Y > high.X-low.X {
		along = func(u int32) float64 { return d.positions[u].Y }
	}
	slices.SortFunc(set, func(a, b int32) int { return cmp.Or(cmp.Compare(along(a), along(b)), cmp.Compare(a, b)) })
	near := set[:len(set)/2]
	d.parts++
	for _, u := range near {
		d.side[u] = d.parts
	}
	var far, line []int32
	for _, u := range set[len(near):] {
		if d.borders(u, d.parts) {
			line = append(line, u)
		} else {
			far = append(far, u)
		}
	}
	d.split(near)
	d.split(far)
	d.add(line, 2)
}

// borders tells whether an unknown has a neighbour on the near side of a part.
func (d *dissection) borders(u, part int32) bool {
	for _, c := range d.k.Column[d.k.Row[u]:d.k.Row[u+1]] {
		if d.side[c] == part {
			return true
		}
	}
	return false
}

// add appends a front.
func (d *dissection) add(own []int32, children int) {
	d.order = append(d.order, own...)
	d.fronts = append(d.fronts, front{rows: slices.Clone(own), own: len(own), children: children})
}

// reach completes the fronts by the later unknowns that are neighbours of their
// own unknowns, or that their children pass on.
func (d *dissection) reach() {
	index := make([]int32, len(d.order))
	for i, u := range d.order {
		index[u] = int32(i)
	}
	seen := make([]int32, len(d.order)) // the last front that contains the unknown
	var open []int
	for n := range d.fronts {
		f := &d.fronts[n]
		mark := int32(n + 1)
		for _, u := range f.rows {
			seen[u] = mark
		}
		later := func(u int32) {
			if seen[u] != mark {
				seen[u] = mark
				f.rows = append(f.rows, u)
			}
		}
		for _, u := range f.rows[:f.own] {
			for _, c := range d.k.Column[d.k.Row[u]:d.k.Row[u+1]] {
				if index[c] > index[u] {
					later(int32(c))
				}
			}
		}
		for _, child := range open[len(open)-f.children:] {
			for _, u := range d.fronts[child].rows[d.fronts[child].own:] {
				later(u)
			}
		}
		slices.SortFunc(f.rows[f.own:], func(a, b int32) int { return cmp.Compare(index[a], index[b]) })
		open = append(open[:len(open)-f.children], n)
	}
}
