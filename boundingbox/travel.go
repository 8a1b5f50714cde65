package boundingbox

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// Travel says how far the connected pieces have gone: what is so far apart that
// its pieces cannot have met since need not be looked at. A piece has gone the
// sum, over the times that it was tracked, of the farthest that one of its nodes
// went. That holds for rigid, elastic and driven pieces alike, and says nothing
// of where they are.
type Travel struct {
	Total       []float64 // of each piece, since the last list of pairs [m]
	Last        []float64 // the last of it [m]
	Fastest     float64   // sum of the greatest Last of all pieces [m]
	FastestLast float64   // the last of it [m]
	Speed       []float64 // of the fastest node of each piece, where velocities were told [m/s]

	nodes   []pieceNode  // the nodes of the edges, ascending
	places  []nodePlaces // and where these were
	tracked bool         // nodePlaces.atTrack holds
}

// nodePlaces is where a node was [m].
type nodePlaces struct {
	atList  r2.Vec // when the list was made
	atTrack r2.Vec // when it was tracked last
}

// pieceNode is a node of a piece.
type pieceNode struct{ node, piece int32 }

// NewTravel returns the travel of the pieces of edges.
func NewTravel(edges []Edge) *Travel {
	w := &Travel{}
	pieces := int32(0)
	for _, e := range edges {
		pieces = max(pieces, e.Piece+1)
		w.nodes = append(w.nodes, pieceNode{e.A, e.Piece}, pieceNode{e.B, e.Piece})
	}
	slices.SortFunc(w.nodes, func(p, q pieceNode) int {
		return cmp.Or(cmp.Compare(p.node, q.node), cmp.Compare(p.piece, q.piece))
	})
	w.nodes = slices.Compact(w.nodes)
	w.places = make([]nodePlaces, len(w.nodes))
	w.Total, w.Last, w.Speed = make([]float64, pieces), make([]float64, pieces), make([]float64, pieces)
	return w
}

// Tracker is what one of several workers sees of the motion.
type Tracker struct {
	Speed2 float64       // of the fastest node, squared [m2/s2]
	moved  bool          // a node has gone half the skin
	pieces []pieceTravel // of each piece
}

// pieceTravel is the motion of a part of a piece.
type pieceTravel struct {
	travel2 float64 // square of the farthest that a node went [m2]
	speed2  float64 // of the fastest node, squared [m2/s2]
}

// merge adds what the workers have seen.
func (w *Travel) merge(trackers []*Tracker) {
	w.FastestLast = 0
	for p := range w.Total {
		far2, speed2 := 0.0, 0.0
		for _, k := range trackers {
			far2, speed2 = max(far2, k.pieces[p].travel2), max(speed2, k.pieces[p].speed2)
		}
		w.Last[p], w.Speed[p] = 0, math.Sqrt(speed2)
		if far2 == 0 {
			continue
		}
		far := float64(math.Sqrt(far2) * (1 + 1e-12)) // rounded up
		w.Last[p] = far
		w.Total[p] += far
		w.FastestLast = max(w.FastestLast, far)
	}
	w.Fastest += w.FastestLast
	w.tracked = true
}

// reset begins the sums anew, so that they stay small.
func (w *Travel) reset() {
	clear(w.Total)
	w.Fastest = 0
}

// addNode makes a node of a piece that has been where another has.
func (w *Travel) addNode(of, n, piece int32) {
	compare := func(p, q pieceNode) int { return cmp.Or(cmp.Compare(p.node, q.node), cmp.Compare(p.piece, q.piece)) }
	k, known := slices.BinarySearchFunc(w.nodes, pieceNode{n, piece}, compare)
	if known {
		return
	}
	at, _ := slices.BinarySearchFunc(w.nodes, pieceNode{of, piece}, compare)
	been := w.places[at]
	w.nodes, w.places = slices.Insert(w.nodes, k, pieceNode{n, piece}), slices.Insert(w.places, k, been)
}
