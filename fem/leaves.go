package fem

import (
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// leaves assigns each triangle to its lowest node at the start, for sums that do not depend on the
// number of workers (elementary.Tree).
type leaves struct {
	first []int32 // start of each leaf in lane, and the end of the last
	lane  []int32 // lanes of the triangles, leaf after leaf, in their order
	tree  elementary.Tree
}

// makeLeaves makes the leaves.
func (t *Triangles) makeLeaves() {
	of := func(e *element) int32 { return min(e.a, e.b, e.c) / elementary.Leaf }
	b := leaves{first: make([]int32, t.nodes/elementary.Leaf+2), lane: make([]int32, t.count)}
	for _, e := range t.elements {
		b.first[of(&e)+1]++
	}
	for i := range b.first[1:] {
		b.first[i+1] += b.first[i]
	}
	next := append([]int32(nil), b.first...)
	for i, e := range t.elements {
		at := &next[of(&e)]
		b.lane[*at] = t.LaneIndex(i)
		*at++
	}
	t.leaves = b
}

// Leaves returns the number of leaves.
func (t *Triangles) Leaves() int { return len(t.leaves.first) - 1 }

// StrainEnergy returns the strain energy at positions x [J]. For triangles with a law it is that
// of the last evaluation.
func (t *Triangles) StrainEnergy(x []r2.Vec) float64 { return t.Energies(x)[0] }

// Energies returns the sums of AddLeaf over all leaves.
func (t *Triangles) Energies(x []r2.Vec) elementary.Terms {
	tree := &t.leaves.tree
	for i := range int32(t.Leaves()) {
		of := tree.At(elementary.Leaf * i)
		*of = elementary.Terms{}
		t.AddLeaf(i, x, of)
	}
	return tree.Sum()
}

// AddLeaf adds strain energy, plastic and viscous work of the triangles of one leaf [J].
func (t *Triangles) AddLeaf(leaf int32, x []r2.Vec, sum *elementary.Terms) {
	var r *run
	u := 0.0
	for _, lane := range t.leaves.lane[t.leaves.first[leaf]:t.leaves.first[leaf+1]] {
		b, l := lane/lanes, lane%lanes
		if r == nil || b < r.block || b >= r.end {
			r = t.runOfBlock(b)
		}
		e := t.blocks[b].at(int(l), r.material)
		if r.law != nil {
			u += float64(e.volume * t.lawful.energy[r.lawLane(b, int(l))])
			for k, v := range r.spent {
				if v >= 0 {
					sum[1+k] += float64(e.volume * t.memory(r, t.lawful.next, v)[lanes*(b-r.block)+l])
				}
			}
			continue
		}
		m := &t.moduli[e.material]
		exx, eyy, g := strain(t.gradient(&e, x))
		w := float64(0.5*m.C11*(float64(exx*exx)+float64(eyy*eyy))) + float64(m.C12*exx*eyy) + float64(0.5*m.G*g*g)
		u += float64(e.volume * w)
	}
	sum[0] += u
}
