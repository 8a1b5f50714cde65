package boundingbox

import (
	"math"
	"slices"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// A neighbour list (Verlet list) with a skin, made with a hierarchical cell grid
// in a hash table: the list of candidate pairs stays valid until some node has
// moved half the skin. The grid has several levels: an edge lives in the one
// cell that holds the middle of its box, on the level whose cells are just
// larger than the box, and asks its own level and all coarser ones for
// neighbours in the 3 by 3 cells around it. Every pair is found once, from its
// smaller edge, so the cost is linear in the number of edges whatever the
// mixture of sizes and however far bodies fly.

// Edge is what the search knows of a boundary edge.
type Edge struct {
	A, B  int32 // nodes
	Piece int32 // connected piece of a body
	// Contactor and Opposite have bit k set when contact k (modulo 64) uses
	// the edge so; a pair is wanted when some contact joins its two edges.
	Contactor, Opposite uint64
	// Self has bit k set when contact k joins edges of one piece, too.
	Self uint64
	// Tied has a bit for every tie that the edge is of; those of one do not meet.
	Tied uint64
	// Held edges cannot be moved by what they touch, and do not meet their like.
	Held bool
}

// Pair is two edges, I < J.
type Pair struct{ I, J int32 }

// Pairs is a list of candidates, sorted by I, then J, without repeats.
type Pairs struct {
	List   []Pair
	Build  int     // counts the lists made; a new number means a new list
	Slack  float64 // how far a node may move before there is a new list [m]
	Travel *Travel // how far the pieces have gone
}

// Search finds pairs of edges; it allocates nothing once its buffers have
// grown.
type Search struct {
	edges      []Edge
	reach      []float64
	skin       float64
	widestSkin float64     // the widest skin [m]
	listAge    int         // how often the list was asked for
	tracker    [1]*Tracker // of one who looks at all
	moved      bool        // a node has gone half the skin since
	pairs      Pairs
	boxes      []Box   // of each edge, grown by reach and half the skin
	cell       []cell  // of each edge
	level      []int32 // the levels in use, ascending
	mask       uint64  // buckets - 1
	start      []int32 // per bucket: its first entry; one more at the end
	entry      []int32 // edges by bucket
}

// cell is a square of the grid of one level, of side 2^level metres.
type cell struct {
	x, y  int64
	level int32
}

// defaultSkin is the widest skin relative to the median edge. A list that
// lasts longer than longLife makes room for one of half the skin, which names
// fewer pairs; one that lasts shorter than shortLife for one of twice the skin.
const (
	defaultSkin   = 0.25
	narrowestSkin = 1.0 / 32 // of the widest skin
	shortLife     = 50       // steps
	longLife      = 4 * shortLife
)

// New prepares a search over edges. reach is, per edge, the distance within
// which it wants to know of others [m]; skin is twice the distance that nodes
// may move before the list is made anew [m], 0 for a default.
func New(edges []Edge, reach []float64, skin float64) *Search {
	s := &Search{edges: edges, reach: reach, skin: skin, widestSkin: skin}
	s.pairs.Travel = NewTravel(edges)
	s.tracker[0] = s.NewTracker()
	s.boxes = make([]Box, len(edges))
	s.cell = make([]cell, len(edges))
	s.entry = make([]int32, len(edges))
	buckets := 1
	for buckets < 2*len(edges) {
		buckets *= 2
	}
	s.mask = uint64(buckets - 1)
	s.start = make([]int32, buckets+1)
	return s
}

// ReplaceNode gives edge i the node n instead of one that it was split off, and which
// stands in the same place.
func (s *Search) ReplaceNode(i int, of, n int32) {
	e := &s.edges[i]
	if e.A == of {
		e.A = n
	} else {
		e.B = n
	}
}

// Follow tells that a node of the pieces has been split off another, of a piece,
// and stands in the same place: its motion counts from here on, whether an edge
// has it or not.
func (s *Search) Follow(of, n, piece int32) { s.pairs.Travel.addNode(of, n, piece) }

// Rebuilds returns how many lists were made.
func (s *Search) Rebuilds() int { return s.pairs.Build }

// Pairs returns every wanted pair of edges whose boxes, grown by their reach,
// overlap at node positions x [m], and some that nearly do. It tracks the
// pieces to x, and tells no speeds.
func (s *Search) Pairs(x []r2.Vec) *Pairs {
	s.Track(s.tracker[0], x, nil, 0, int32(len(x)))
	s.Merge(s.tracker[:])
	return s.PairsAfter(x)
}

// PairsAfter is Pairs where all nodes have been tracked to x.
func (s *Search) PairsAfter(x []r2.Vec) *Pairs {
	if s.pairs.Build == 0 || s.moved {
		s.adaptSkin()
		s.build(x)
	}
	s.listAge++
	return &s.pairs
}

// PairsMoved is Pairs for a caller who tracks the nodes by itself and tells
// whether one has gone half the skin since the last list.
func (s *Search) PairsMoved(x []r2.Vec, moved bool) *Pairs {
	s.moved = moved
	return s.PairsAfter(x)
}

// adaptSkin chooses the next list's skin by how long the last one was good for.
func (s *Search) adaptSkin() {
	switch {
	case s.listAge > longLife:
		s.skin = max(0.5*s.skin, narrowestSkin*s.widestSkin)
	case s.listAge < shortLife && s.pairs.Build > 0:
		s.skin = min(2*s.skin, s.widestSkin)
	}
	s.listAge = 0
}

// Rebuild makes the list anew at x, however little has moved: what follows then
// depends on x alone, not on what was before.
func (s *Search) Rebuild(x []r2.Vec) { s.build(x) }

// NewTracker returns room for what a worker sees.
func (s *Search) NewTracker() *Tracker {
	return &Tracker{pieces: make([]pieceTravel, len(s.pairs.Travel.Total))}
}

// Track looks how far the nodes [first, end) have gone since they were tracked
// last, whether one of them has gone half the skin since the last list, and how fast
// they are at velocities v, which may be nil. Several workers may track several
// ranges at the same time; Merge is called next.
func (s *Search) Track(tracker *Tracker, x, v []r2.Vec, first, end int32) {
	w := s.pairs.Travel
	limit := 0.25 * s.skin * s.skin
	clear(tracker.pieces)
	tracker.moved = false
	fastest := 0.0
	i, _ := slices.BinarySearchFunc(w.nodes, first, func(p pieceNode, n int32) int { return int(p.node) - int(n) })
	for ; i < len(w.nodes) && w.nodes[i].node < end; i++ {
		p := w.nodes[i]
		q, o, k := x[p.node], &w.places[i], &tracker.pieces[p.piece]
		dx, dy := q.X-o.atList.X, q.Y-o.atList.Y
		if float64(dx*dx)+float64(dy*dy) > limit {
			tracker.moved = true
		}
		dx, dy = q.X-o.atTrack.X, q.Y-o.atTrack.Y
		if d := float64(dx*dx) + float64(dy*dy); d > k.travel2 && w.tracked {
			k.travel2 = d
		}
		o.atTrack = q
		if v == nil {
			continue
		}
		u := v[p.node]
		if d := float64(u.X*u.X) + float64(u.Y*u.Y); d > k.speed2 {
			k.speed2 = d
			fastest = max(fastest, d)
		}
	}
	tracker.Speed2 = fastest
}

// Merge puts together what workers have seen who together have tracked all nodes.
func (s *Search) Merge(trackers []*Tracker) {
	s.pairs.Travel.merge(trackers)
	s.moved = slices.ContainsFunc(trackers, func(w *Tracker) bool { return w.moved })
}

// build makes the list for positions x.
func (s *Search) build(x []r2.Vec) {
	if s.skin == 0 {
		s.widestSkin = defaultSkin * s.median(x)
		s.skin = s.widestSkin
	}
	s.pairs.Slack = 0.5 * s.skin
	for i, p := range s.pairs.Travel.nodes {
		s.pairs.Travel.places[i].atList = x[p.node]
	}
	s.moved = false
	s.pairs.Travel.reset()
	s.pairs.Build++
	s.pairs.List = s.pairs.List[:0]
	s.fillGrid(x)
	for i := range s.edges {
		s.addNeighbours(int32(i))
	}
	slices.SortFunc(s.pairs.List, func(p, q Pair) int {
		if p.I != q.I {
			return int(p.I) - int(q.I)
		}
		return int(p.J) - int(q.J)
	})
}

// median returns the median edge length.
func (s *Search) median(x []r2.Vec) float64 {
	l := make([]float64, len(s.edges))
	for i, e := range s.edges {
		l[i] = elementary.Norm(r2.Sub(x[e.B], x[e.A]))
	}
	slices.Sort(l)
	return l[len(l)/2]
}

// fillGrid puts every edge into its cell and the cells into buckets.
func (s *Search) fillGrid(x []r2.Vec) {
	clear(s.start)
	s.level = s.level[:0]
	for i, e := range s.edges {
		b := BoxOf(x[e.A], x[e.B]).Grow(s.reach[i] + float64(0.5*s.skin))
		s.boxes[i] = b
		_, level := math.Frexp(max(b.Max.X-b.Min.X, b.Max.Y-b.Min.Y))
		s.cell[i] = cellOf(b, int32(level))
		if k, ok := slices.BinarySearch(s.level, int32(level)); !ok {
			s.level = slices.Insert(s.level, k, int32(level))
		}
		s.start[s.bucket(s.cell[i])]++
	}
	for b := range s.mask + 1 { // to the end of each bucket
		s.start[b+1] += s.start[b]
	}
	for i := len(s.edges) - 1; i >= 0; i-- { // from the end down to its start
		b := s.bucket(s.cell[i])
		s.start[b]--
		s.entry[s.start[b]] = int32(i)
	}
}

// cellOf returns the cell of a level that holds the middle of a box.
func cellOf(b Box, level int32) cell {
	side := math.Ldexp(1, -int(level))
	return cell{
		x:     int64(math.Floor(0.5 * (b.Min.X + b.Max.X) * side)),
		y:     int64(math.Floor(0.5 * (b.Min.Y + b.Max.Y) * side)),
		level: level,
	}
}

// bucket hashes a cell.
func (s *Search) bucket(c cell) uint64 {
	h := uint64(c.x)*0x9e3779b97f4a7c15 ^ uint64(c.y)*0xc2b2ae3d27d4eb4f ^ uint64(c.level)*0x165667b19e3779f9
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	h ^= h >> 32
	return h & s.mask
}

// addNeighbours appends the pairs of edge i with edges of its own level that have
// a greater number, and with all of the coarser levels. Boxes of a level are
// no larger than its cells, so 3 by 3 cells hold every neighbour.
func (s *Search) addNeighbours(i int32) {
	own := s.cell[i].level
	for k := len(s.level) - 1; k >= 0 && s.level[k] >= own; k-- {
		c := cellOf(s.boxes[i], s.level[k])
		for dy := int64(-1); dy <= 1; dy++ {
			for dx := int64(-1); dx <= 1; dx++ {
				s.pairWith(i, cell{c.x + dx, c.y + dy, c.level})
			}
		}
	}
}

// pairWith appends the pairs of edge i with the edges of cell c.
func (s *Search) pairWith(i int32, c cell) {
	e, box := &s.edges[i], s.boxes[i]
	b := s.bucket(c)
	for _, j := range s.entry[s.start[b]:s.start[b+1]] {
		o := &s.edges[j]
		if s.cell[j] != c || c.level == s.cell[i].level && j <= i || !isWanted(e, o) || !box.Overlaps(s.boxes[j]) ||
			e.A == o.A || e.A == o.B || e.B == o.A || e.B == o.B {
			continue
		}
		s.pairs.List = append(s.pairs.List, Pair{min(i, j), max(i, j)})
	}
}

// isWanted tells whether some contact joins two edges.
func isWanted(e, o *Edge) bool {
	if e.Held && o.Held || e.Tied&o.Tied != 0 {
		return false
	}
	by := e.Contactor&o.Opposite | e.Opposite&o.Contactor
	if e.Piece == o.Piece {
		by &= e.Self & o.Self
	}
	return by != 0
}
