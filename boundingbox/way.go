package boundingbox

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// Ways says how far the connected pieces have gone: what is so far apart that
// its pieces cannot have met since need not be looked at. A piece has gone the
// sum, over the times that it was followed, of the greatest way of one of its
// nodes. That holds for rigid, elastic and driven pieces alike, and says nothing
// of where they are.
type Ways struct {
	Sum     []float64 // of each piece, since the last list of pairs [m]
	Step    []float64 // the last of it [m]
	Fastest float64   // sum of the greatest Step of all pieces [m]
	Most    float64   // the last of it [m]
	Speed   []float64 // of the fastest node of each piece, where velocities were told [m/s]

	on    []place // the nodes of the edges, ascending
	nodes []been  // and where these were
	known bool    // been.before holds
}

// been is where a node was [m].
type been struct {
	last   r2.Vec // when the list was made
	before r2.Vec // when it was followed last
}

// place is a node of a piece.
type place struct{ node, piece int32 }

// NewWays returns the ways of the pieces of edges.
func NewWays(edges []Edge) *Ways {
	w := &Ways{}
	pieces := int32(0)
	for _, e := range edges {
		pieces = max(pieces, e.Piece+1)
		w.on = append(w.on, place{e.A, e.Piece}, place{e.B, e.Piece})
	}
	slices.SortFunc(w.on, func(p, q place) int {
		return cmp.Or(cmp.Compare(p.node, q.node), cmp.Compare(p.piece, q.piece))
	})
	w.on = slices.Compact(w.on)
	w.nodes = make([]been, len(w.on))
	w.Sum, w.Step, w.Speed = make([]float64, pieces), make([]float64, pieces), make([]float64, pieces)
	return w
}

// Walk is what one of several workers sees of the motion.
type Walk struct {
	Speed2 float64  // of the fastest node, squared [m2/s2]
	moved  bool     // a node has gone half the skin
	pieces []stride // of each piece
}

// stride is the motion of a part of a piece.
type stride struct {
	far   float64 // square of the greatest way of a node [m2]
	speed float64 // of the fastest node, squared [m2/s2]
}

// add adds what the workers have seen.
func (w *Ways) add(walks []*Walk) {
	w.Most = 0
	for p := range w.Sum {
		far, speed := 0.0, 0.0
		for _, k := range walks {
			far, speed = max(far, k.pieces[p].far), max(speed, k.pieces[p].speed)
		}
		w.Step[p], w.Speed[p] = 0, math.Sqrt(speed)
		if far == 0 {
			continue
		}
		far = float64(math.Sqrt(far) * (1 + 1e-12)) // rounded up
		w.Step[p] = far
		w.Sum[p] += far
		w.Most = max(w.Most, far)
	}
	w.Fastest += w.Most
	w.known = true
}

// restart begins the sums anew, so that they stay small.
func (w *Ways) restart() {
	clear(w.Sum)
	w.Fastest = 0
}

// split makes a node of a piece that has been where another has.
func (w *Ways) split(of, n, piece int32) {
	compare := func(p, q place) int { return cmp.Or(cmp.Compare(p.node, q.node), cmp.Compare(p.piece, q.piece)) }
	k, known := slices.BinarySearchFunc(w.on, place{n, piece}, compare)
	if known {
		return
	}
	at, _ := slices.BinarySearchFunc(w.on, place{of, piece}, compare)
	been := w.nodes[at]
	w.on, w.nodes = slices.Insert(w.on, k, place{n, piece}), slices.Insert(w.nodes, k, been)
}
