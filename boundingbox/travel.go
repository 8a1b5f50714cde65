package boundingbox

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// Travel holds the path lengths of the connected components. A pair need not be computed
// while its gap is larger than the path lengths of its two components. The path length of a
// component is a sum over the times at which it was tracked: each time the greatest
// displacement of its nodes is added. It is an upper bound for rigid, elastic and driven
// components, and does not depend on their positions.
type Travel struct {
	Total       []float64 // of each component, since the last list of pairs [m]
	Last        []float64 // last term of the sum [m]
	Fastest     float64   // sum of the greatest Last of all components [m]
	FastestLast float64   // last term of that sum [m]
	Speed       []float64 // greatest speed of a node of each component, if velocities were given [m/s]

	nodes   []componentNode // the nodes of the edges, ascending
	atList  []r2.Vec        // positions of these nodes when the list was made [m]
	atTrack []r2.Vec        // positions at the last tracking [m]
	tracked bool            // atTrack is set
}

// componentNode is a node of a component.
type componentNode struct{ node, component int32 }

// NewTravel returns the travel of the components of edges.
func NewTravel(edges []Edge) *Travel {
	w := &Travel{}
	components := int32(0)
	for _, e := range edges {
		components = max(components, e.Component+1)
		w.nodes = append(w.nodes, componentNode{e.A, e.Component}, componentNode{e.B, e.Component})
	}
	slices.SortFunc(w.nodes, func(p, q componentNode) int {
		return cmp.Or(cmp.Compare(p.node, q.node), cmp.Compare(p.component, q.component))
	})
	w.nodes = slices.Compact(w.nodes)
	w.atList, w.atTrack = make([]r2.Vec, len(w.nodes)), make([]r2.Vec, len(w.nodes))
	w.Total, w.Last, w.Speed = make([]float64, components), make([]float64, components), make([]float64, components)
	return w
}

// Tracker is the motion of the nodes that one of several workers has tracked.
type Tracker struct {
	Speed2     float64           // greatest speed of a node, squared [m2/s2]
	moved      bool              // a node has moved half the skin
	components []componentTravel // of each component
}

// componentTravel is the motion of a part of a component.
type componentTravel struct {
	travel2 float64 // square of the greatest displacement of a node [m2]
	speed2  float64 // greatest speed of a node, squared [m2/s2]
}

// merge merges the results of the workers for the components [first, end). It returns the
// greatest displacement of their nodes [m].
func (w *Travel) merge(trackers []*Tracker, first, end int) (farthest float64) {
	for p := first; p < end; p++ {
		far2, speed2 := 0.0, 0.0
		for _, k := range trackers {
			far2, speed2 = max(far2, k.components[p].travel2), max(speed2, k.components[p].speed2)
		}
		w.Last[p], w.Speed[p] = 0, math.Sqrt(speed2)
		if far2 == 0 {
			continue
		}
		far := float64(math.Sqrt(far2) * (1 + 1e-12)) // rounded up
		w.Last[p] = far
		w.Total[p] += far
		farthest = max(farthest, far)
	}
	return farthest
}

// track is Search.Track for nodes from number i on and before number end. limit is the
// square of the displacement since the list was made at which a node counts as moved [m2].
func (w *Travel) track(k *Tracker, x, v []r2.Vec, i, end int, limit float64) {
	clear(k.components)
	k.moved, k.Speed2 = false, 0
	for i < end {
		first, component := i, w.nodes[i].component
		for i++; i < end && w.nodes[i].component == component; i++ {
		}
		of, nodes := &k.components[component], w.nodes[first:i]
		travel2, speed2 := math.Float64bits(of.travel2), math.Float64bits(of.speed2) // positive numbers are ordered like their bits, so no branch is needed
		before := w.atTrack[first:][:len(nodes)]
		for j := range nodes {
			q, o := x[nodes[j].node], &before[j]
			dx, dy := q.X-o.X, q.Y-o.Y
			travel2 = max(travel2, math.Float64bits(float64(dx*dx)+float64(dy*dy)))
			*o = q
		}
		if v != nil {
			for j := range nodes {
				u := v[nodes[j].node]
				speed2 = max(speed2, math.Float64bits(float64(u.X*u.X)+float64(u.Y*u.Y)))
			}
		}
		of.speed2 = number(speed2)
		k.Speed2 = max(k.Speed2, of.speed2)
		if w.tracked {
			of.travel2 = number(travel2)
		}
		if most := w.Total[component] + math.Sqrt(math.Float64frombits(travel2)); !(float64(most*most)*(1+1e-6) < limit) { // a node may have moved so far
			k.moved = k.moved || w.hasMoved(x, first, i, limit)
		}
	}
}

// fastest returns the square of the speed of the fastest of the nodes from number i on and
// before number end [m2/s2].
func (w *Travel) fastest(v []r2.Vec, i, end int) (speed2 float64) {
	if v == nil {
		return 0
	}
	for _, p := range w.nodes[i:end] {
		u := v[p.node]
		if of := float64(u.X*u.X) + float64(u.Y*u.Y); of > speed2 {
			speed2 = of
		}
	}
	return speed2
}

// number returns the number with these bits, or 0 for NaN, which other checks find.
func number(bits uint64) float64 {
	if x := math.Float64frombits(bits); x >= 0 {
		return x
	}
	return 0
}

// hasMoved tells whether one of the nodes from number i on and before number end is farther
// than the square root of limit from its position when the list was made.
func (w *Travel) hasMoved(x []r2.Vec, i, end int, limit float64) bool {
	for ; i < end; i++ {
		q, o := x[w.nodes[i].node], w.atList[i]
		dx, dy := q.X-o.X, q.Y-o.Y
		if float64(dx*dx)+float64(dy*dy) > limit {
			return true
		}
	}
	return false
}

// numberOf returns the index of the first of the nodes from n on.
func (w *Travel) numberOf(n int32) int {
	if all := len(w.nodes); n <= 0 || all == 0 {
		return 0
	} else if n > w.nodes[all-1].node {
		return all
	}
	i, _ := slices.BinarySearchFunc(w.nodes, n, func(p componentNode, n int32) int { return int(p.node) - int(n) })
	return i
}

// reset sets the sums to zero, so that they stay small.
func (w *Travel) reset() {
	clear(w.Total)
	w.Fastest = 0
}

// addNode adds a node of a component with the history of another node.
func (w *Travel) addNode(of, n, component int32) {
	compare := func(p, q componentNode) int {
		return cmp.Or(cmp.Compare(p.node, q.node), cmp.Compare(p.component, q.component))
	}
	k, known := slices.BinarySearchFunc(w.nodes, componentNode{n, component}, compare)
	if known {
		return
	}
	at, _ := slices.BinarySearchFunc(w.nodes, componentNode{of, component}, compare)
	list, track := w.atList[at], w.atTrack[at]
	w.nodes, w.atList, w.atTrack = slices.Insert(w.nodes, k, componentNode{n, component}), slices.Insert(w.atList, k, list), slices.Insert(w.atTrack, k, track)
}
