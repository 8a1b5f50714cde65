package deck

import (
	"cmp"
	"slices"

	"fdem/solver/model"
)

// weights are the parts of a force on the nodes of a group. In a model that breaks they are also
// the parts of the corners of the group's triangles, because a vertex may split, and the group may
// be on one side only.
type weights struct {
	of      []float64 // per node of the mesh
	nodes   []int32   // that have a weight
	breaks  bool
	corners []weightedCorner
}

// weightedCorner is the part of a force on the corner of a triangle at a node.
type weightedCorner struct {
	node, triangle int32
	weight         float64
}

// newWeights returns weights without nodes. One array serves all, because loads and springs on few
// nodes may be many: put clears it.
func (r *resolver) newWeights() *weights {
	if r.weights == nil {
		r.weights = make([]float64, len(r.mesh.X))
	}
	return &weights{of: r.weights, breaks: len(r.fractures) > 0}
}

// share divides an amount equally between the nodes of an element. triangle is -1 for a beam or a
// single node, otherwise a triangle with these nodes.
func (w *weights) share(amount float64, triangle int32, nodes ...int32) {
	each := float64(amount / float64(len(nodes)))
	for _, n := range nodes {
		if w.of[n] == 0 {
			w.nodes = append(w.nodes, n)
		}
		w.of[n] += each
		if w.breaks && triangle >= 0 {
			w.corners = append(w.corners, weightedCorner{n, triangle, each})
		}
	}
}

// put gives a load the nodes that have a weight, in the given order, or all, ascending, if that is
// nil. It returns the sum of their weights, and ends these weights.
func (w *weights) put(l *model.Load, in []int32) (total float64) {
	defer func() {
		for _, n := range w.nodes {
			w.of[n] = 0
		}
	}()
	if in == nil {
		in = slices.Compact(slices.Sorted(slices.Values(w.nodes)))
	}
	slices.SortStableFunc(w.corners, func(a, b weightedCorner) int { return cmp.Compare(a.node, b.node) })
	for _, n := range in {
		of := w.of[n]
		if of <= 0 {
			continue
		}
		l.Nodes, l.Weights = append(l.Nodes, n), append(l.Weights, of)
		total += of
		if w.corners == nil {
			continue
		}
		from, _ := slices.BinarySearchFunc(w.corners, n, func(c weightedCorner, n int32) int { return cmp.Compare(c.node, n) })
		var at []model.Corner
		for from < len(w.corners) && w.corners[from].node == n {
			at = append(at, model.Corner{Triangle: w.corners[from].triangle, Fraction: w.corners[from].weight / of})
			from++
		}
		l.Corners.Add(at...)
	}
	return total
}
