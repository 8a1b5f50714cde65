package solver

import (
	"fmt"
	"math"
	"slices"

	"fdem/mesh"
)

// swings names the beams of a static analysis that hinges let swing (a mechanism):
// pieces that keep their shape, joined by pins and held by fixes, of which a
// motion without any strain is left. Pieces that bound tells of are held by
// something else.
func (k *beams) swings(fixes []Fix, bound func(n int32) bool) (out []string) {
	m := k.s.Mesh
	// Beams turn, triangles move: a node stands for what has it in both senses,
	// n for triangles and count + n for beams.
	count := int32(len(m.X))
	piece := mesh.NewConnected(int(2 * count))
	solid := make([]bool, count)
	for _, t := range m.Triangles {
		piece.Join(t[0], t[1])
		piece.Join(t[0], t[2])
		solid[t[0]], solid[t[1]], solid[t[2]] = true, true, true
	}
	for _, b := range m.Beams {
		piece.Join(count+b[0], count+b[1])
	}
	for _, c := range k.s.Model.Clamps {
		piece.Join(c.Node, count+c.Node)
	}
	number := make([]int32, 2*count) // of pieces, by their first node
	pieces := int32(0)
	of := func(i int32) int32 {
		i = piece.First(i)
		if number[i] == 0 {
			pieces++
			number[i] = pieces
		}
		return number[i] - 1
	}
	for _, n := range k.nodes {
		of(count + n)
		if solid[n] {
			of(n)
		}
	}
	for _, h := range m.Hinges {
		if solid[h.Of] {
			of(h.Of)
		}
	}
	const most = 300 // pieces: more take long, and are hardly looked through
	if pieces > most {
		return nil
	}
	bench := newMechanism(int(3 * pieces))
	at := func(i, n, direction int32, sign float64) { // velocity of piece i at node n
		x := m.X[n]
		bench.row[3*i+direction] += sign
		bench.row[3*i+2] += sign * [2]float64{-x.Y, x.X}[direction]
	}
	pin := func(a, b, n int32) {
		for direction := range int32(2) {
			at(a, n, direction, 1)
			at(b, n, direction, -1)
			bench.add()
		}
	}
	for _, n := range k.nodes {
		if solid[n] {
			pin(of(n), of(count+n), n)
		}
		if bound(n) {
			for direction := range int32(3) {
				bench.row[3*of(count+n)+direction] = 1
				bench.add()
			}
		}
	}
	for _, h := range m.Hinges {
		pin(of(count+h.Node), of(count+h.Of), h.Of)
	}
	for _, f := range fixes {
		for _, n := range f.Nodes {
			i := int32(-1)
			switch {
			case k.has(n) && m.Place(n) == n:
				i = of(count + n)
			case int(n) < len(solid) && solid[n] && number[piece.First(n)] > 0:
				i = of(n)
			}
			if i >= 0 && f.X {
				at(i, n, 0, 1)
				bench.add()
			}
			if i >= 0 && f.Y {
				at(i, n, 1, 1)
				bench.add()
			}
			if f.Rotation && k.has(n) {
				bench.row[3*of(count+n)+2] = 1
				bench.add()
			}
		}
	}
	free := bench.free()
	for _, b := range k.bodies {
		swings, hangs := false, false
		for _, n := range b.nodes {
			i := of(count + n)
			if free[3*i] || free[3*i+1] || free[3*i+2] {
				swings = true
			}
			hangs = hangs || solid[n]
		}
		switch {
		case swings && hangs:
			out = append(out, fmt.Sprintf("beam %q (to swing at a hinge: where it shares a node with a body, [[clamp]] would hold it)", b.Name))
		case swings:
			out = append(out, fmt.Sprintf("beam %q (to swing at a hinge)", b.Name))
		}
	}
	return out
}

// has tells whether node n is of beams.
func (k *beams) has(n int32) bool { return holds(k.nodes, n) }

// mechanism finds the motions that linear conditions leave, by elimination.
type mechanism struct {
	row  []float64   // the next condition
	rows [][]float64 // in reduced echelon form
	lead []int       // column of the first entry of each
}

func newMechanism(columns int) *mechanism { return &mechanism{row: make([]float64, columns)} }

// add takes the row among the conditions, and clears it.
func (m *mechanism) add() {
	if len(m.rows) == len(m.row) { // nothing is left
		clear(m.row)
		return
	}
	scale := 0.0
	for _, v := range m.row {
		scale = max(scale, math.Abs(v))
	}
	for i, r := range m.rows {
		m.subtract(m.row, r, m.row[m.lead[i]])
	}
	best := 0
	for j, v := range m.row {
		if math.Abs(v) > math.Abs(m.row[best]) {
			best = j
		}
	}
	const rounding = 1e-9
	if p := m.row[best]; math.Abs(p) > rounding*scale {
		r := make([]float64, len(m.row))
		for j, v := range m.row {
			r[j] = v / p
		}
		for _, other := range m.rows {
			m.subtract(other, r, other[best])
		}
		m.rows, m.lead = append(m.rows, r), append(m.lead, best)
	}
	clear(m.row)
}

// subtract takes factor times b from a.
func (m *mechanism) subtract(a, b []float64, factor float64) {
	if factor == 0 {
		return
	}
	for j, v := range b {
		a[j] -= float64(factor * v)
	}
}

// free tells which columns some motion has that all conditions allow.
func (m *mechanism) free() []bool {
	out := make([]bool, len(m.row))
	bound := make([]bool, len(m.row))
	for _, j := range m.lead {
		bound[j] = true
	}
	for j := range out {
		if bound[j] {
			continue
		}
		out[j] = true
		for i, r := range m.rows {
			out[m.lead[i]] = out[m.lead[i]] || math.Abs(r[j]) > 1e-9
		}
	}
	return out
}

// holds tells whether ascending nodes have one among them.
func holds(nodes []int32, n int32) bool {
	_, yes := slices.BinarySearch(nodes, n)
	return yes
}
