package bodies

import (
	"fmt"
	"math"
	"slices"

	"fdem/mesh"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// Mechanisms names the beams of a static analysis that are free to rotate on hinges (a mechanism).
// They belong to rigid parts that are joined by pins and held by fixes, and that can still move
// without strain. If bound is true for a part, something else holds it.
func (k *Beams) Mechanisms(fixes []models.Fix, bound func(n int32) bool) []string {
	w := k.newLinkage()
	const most = 300 // greatest number of parts; more would take too long
	if w.components > most {
		return nil
	}
	w.mechanism = newMechanism(int(3 * w.components))
	for _, n := range k.BeamNodes {
		if w.solid[n] {
			w.pin(w.of(n), w.ofBeam(n), n)
		}
		if bound(n) {
			for direction := range int32(3) {
				w.row[3*w.ofBeam(n)+direction] = 1
				w.add()
			}
		}
	}
	for _, h := range k.Mesh.Hinges {
		w.pin(w.ofBeam(h.Node), w.ofBeam(h.Of), h.Of)
	}
	for _, f := range fixes {
		for _, n := range f.Nodes {
			w.fix(k, n, &f)
		}
	}
	return w.movable(k)
}

// linkage is the set of rigid parts of a mesh that are joined at pins.
type linkage struct {
	*mechanism // conditions on three velocities per part: along x, along y, and rotation
	x          []r2.Vec
	component  mesh.Connected // entry n is for the triangles at node n, entry len(x) + n for the beams at it
	number     []int32        // numbers of the components, from 1, in the order of their first nodes
	components int32
	solid      []bool // per node: it belongs to triangles
}

// newLinkage finds the parts that contain beams or are pinned to beams.
func (k *Beams) newLinkage() *linkage {
	m := k.Mesh
	count := int32(len(m.X))
	w := &linkage{x: m.X, component: mesh.NewConnected(int(2 * count)), number: make([]int32, 2*count), solid: make([]bool, count)}
	for _, t := range m.Triangles {
		w.component.Join(t[0], t[1])
		w.component.Join(t[0], t[2])
		w.solid[t[0]], w.solid[t[1]], w.solid[t[2]] = true, true, true
	}
	for _, b := range m.Beams {
		w.component.Join(count+b[0], count+b[1])
	}
	for _, c := range k.Model.Clamps {
		w.component.Join(c.Node, count+c.Node)
	}
	for _, n := range k.BeamNodes {
		w.ofBeam(n)
		if w.solid[n] {
			w.of(n)
		}
	}
	for _, h := range m.Hinges {
		if w.solid[h.Of] {
			w.of(h.Of)
		}
	}
	return w
}

// of returns the part of the triangles at a node, ofBeam the part of the beams at it.
func (w *linkage) of(i int32) int32 {
	i = w.component.First(i)
	if w.number[i] == 0 {
		w.components++
		w.number[i] = w.components
	}
	return w.number[i] - 1
}

func (w *linkage) ofBeam(n int32) int32 { return w.of(int32(len(w.x)) + n) }

// at adds the velocity of part i at node n to the next condition.
func (w *linkage) at(i, n, direction int32, sign float64) {
	x := w.x[n]
	w.row[3*i+direction] += sign
	w.row[3*i+2] += float64(sign * [2]float64{-x.Y, x.X}[direction])
}

// pin joins two parts at a node: it adds conditions that their velocities are equal there.
func (w *linkage) pin(a, b, n int32) {
	for direction := range int32(2) {
		w.at(a, n, direction, 1)
		w.at(b, n, direction, -1)
		w.add()
	}
}

// fix adds the conditions of a fixed node.
func (w *linkage) fix(k *Beams, n int32, f *models.Fix) {
	i := int32(-1)
	switch {
	case k.has(n) && k.Mesh.PositionNode(n) == n:
		i = w.ofBeam(n)
	case int(n) < len(w.solid) && w.solid[n] && w.number[w.component.First(n)] > 0:
		i = w.of(n)
	}
	if i >= 0 && f.X {
		w.at(i, n, 0, 1)
		w.add()
	}
	if i >= 0 && f.Y {
		w.at(i, n, 1, 1)
		w.add()
	}
	if f.Rotation && k.has(n) {
		w.row[3*w.ofBeam(n)+2] = 1
		w.add()
	}
}

// movable names the beams in parts that may move.
func (w *linkage) movable(k *Beams) (out []string) {
	free := w.free()
	for _, b := range k.bodies {
		swings, hangs := false, false
		for _, n := range b.Nodes {
			i := 3 * w.ofBeam(n)
			swings = swings || free[i] || free[i+1] || free[i+2]
			hangs = hangs || w.solid[n]
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

// has tells whether node n belongs to beams.
func (k *Beams) has(n int32) bool { return holds(k.BeamNodes, n) }

// mechanism finds the motions that a set of linear conditions allows, by elimination.
type mechanism struct {
	row  []float64   // the next condition
	rows [][]float64 // in reduced echelon form
	lead []int       // per row: the column of its first entry
}

func newMechanism(columns int) *mechanism { return &mechanism{row: make([]float64, columns)} }

// add adds the row to the conditions and clears it.
func (m *mechanism) add() {
	if len(m.rows) == len(m.row) { // the conditions allow no motion
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

// subtract subtracts factor times b from a.
func (m *mechanism) subtract(a, b []float64, factor float64) {
	if factor == 0 {
		return
	}
	for j, v := range b {
		a[j] -= float64(factor * v)
	}
}

// free tells which unknowns are not zero in some motion that satisfies all conditions.
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

// holds tells whether a node is in an ascending list of nodes.
func holds(nodes []int32, n int32) bool {
	_, yes := slices.BinarySearch(nodes, n)
	return yes
}
