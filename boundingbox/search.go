package boundingbox

import (
	"slices"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// A neighbour list (Verlet list) with a skin: the list of candidate pairs stays
// valid until some node has moved half the skin.

// Edge is a boundary edge in the search.
type Edge struct {
	A, B      int32 // nodes
	Component int32 // connected component of a body
	Own       int32 // number, from 1, of a body whose edges are not in contact with one another; 0 for none
	// Contactor and Opposite have bit k set if contact k (modulo 64) uses the edge as
	// contactor or as opposite edge. A pair is wanted if some contact joins its two edges.
	Contactor, Opposite uint64
	// Self has bit k set if contact k also joins edges of one component.
	Self uint64
	// Tied has a bit for every tie of the edge. Edges of one tie are not in contact.
	Tied uint64
	// Held edges cannot be moved by contact. Two held edges are not in contact.
	Held bool
}

// Pair is two edges, I < J.
type Pair struct{ I, J int32 }

// Pairs is a list of candidate pairs, sorted by I, then J, without repeats.
type Pairs struct {
	List   []Pair
	Build  int     // number of lists made so far; a new number means a new list
	Slack  float64 // displacement of a node at which a new list is made [m]
	Travel *Travel // displacements of the components
}

// Search finds pairs of edges; it allocates nothing once its buffers have
// grown.
type Search struct {
	edges      []Edge
	reach      []float64
	skin       float64
	widestSkin float64     // the widest skin [m]
	listAge    int         // number of times that the list was used
	tracker    [1]*Tracker // of a single worker
	moved      bool        // a node has moved half the skin since the list was made
	changed    bool        // an edge may have become a contactor or an opposite edge
	split      bool        // an edge has a new node since the list was made, and may be in contact with an edge with which it shared the old one
	alone      bool        // no pair is ever wanted, so only speeds count
	pairs      Pairs
	finders    edgeSet // edges that are contactors of a contact
	found      edgeSet // edges that are only opposite edges
	making     making
}

// edgeSet is a set of edges with their boxes. Edges that are only opposite edges are in a
// separate set, because no pair of them is wanted.
type edgeSet struct {
	edges []int32
	boxes []Box // box of each edge, enlarged by its reach and half the skin
	grid  HashGrid
}

// defaultSkin is the widest skin relative to the median edge length. After a list that
// lasts longer than longLife the skin is halved, so that the list has fewer pairs. After a
// list that lasts shorter than shortLife it is doubled.
const (
	defaultSkin   = 0.25
	narrowestSkin = 1.0 / 32 // of the widest skin
	shortLife     = 200      // steps
	longLife      = 4 * shortLife
)

// New returns a search over edges. reach is per edge the distance within which the search
// finds others [m]. skin is twice the displacement of a node at which a new list is made
// [m], 0 for a default.
func New(edges []Edge, reach []float64, skin float64) *Search {
	s := &Search{edges: edges, reach: reach, skin: skin, widestSkin: skin}
	s.pairs.Travel = NewTravel(edges)
	s.tracker[0] = s.NewTracker()
	s.Workers(1, nil)
	s.setPartners()
	return s
}

// setPartners finds which edges search for others and which are only found.
func (s *Search) setPartners() {
	s.finders.edges, s.found.edges = s.finders.edges[:0], s.found.edges[:0]
	var first *Edge
	single := true // all edges are of one body whose edges do not meet one another
	for i := range s.edges {
		e := &s.edges[i]
		switch {
		case e.Contactor != 0:
			s.finders.edges = append(s.finders.edges, int32(i))
		case e.Opposite != 0:
			s.found.edges = append(s.found.edges, int32(i))
		default:
			continue
		}
		if first == nil {
			first = e
		}
		single = single && e.Own != 0 && e.Own == first.Own
	}
	s.alone = single || len(s.finders.edges) == 0
}

// ReplaceNode gives edge i the node n instead of node of, from which n was split. Both are
// at the same position. Edge beside, -1 for none, has kept node of. If the two edges may
// now be in contact, a new list is made before the next use.
func (s *Search) ReplaceNode(i int, of, n int32, beside int) {
	e := &s.edges[i]
	if e.A == of {
		e.A = n
	} else {
		e.B = n
	}
	s.split = s.split || beside >= 0 && mayPair(e, &s.edges[beside])
}

// Change replaces edge i from the next list on. If atOnce is true, a new list is made
// before the next use.
func (s *Search) Change(i int, e Edge, atOnce bool) {
	s.edges[i], s.split, s.changed = e, s.split || atOnce || s.alone, true
}

// Follow adds node n, which was split from node of of a component and is at the same
// position. Its motion counts from now on, whether or not an edge has the node.
func (s *Search) Follow(of, n, component int32) { s.pairs.Travel.addNode(of, n, component) }

// Rebuilds returns the number of lists made.
func (s *Search) Rebuilds() int { return s.pairs.Build }

// Pairs returns every wanted pair of edges whose boxes, enlarged by their reach, overlap
// at node positions x [m], and some pairs whose boxes nearly overlap. It tracks the
// components to x, without speeds.
func (s *Search) Pairs(x []r2.Vec) *Pairs {
	s.Track(s.tracker[0], x, nil, 0, int32(len(x)))
	s.Merge(s.tracker[:])
	return s.PairsAfter(x)
}

// PairsAfter is Pairs after all nodes have been tracked to x.
func (s *Search) PairsAfter(x []r2.Vec) *Pairs {
	switch {
	case s.pairs.Build == 0 || s.moved:
		s.adaptSkin()
		s.build(x)
	case s.split:
		s.build(x)
	}
	s.listAge++
	return &s.pairs
}

// PairsMoved is Pairs for a caller that tracks the nodes itself. moved tells
// whether a node has moved half the skin since the last list.
func (s *Search) PairsMoved(x []r2.Vec, moved bool) *Pairs {
	s.moved = moved
	return s.PairsAfter(x)
}

// adaptSkin chooses the next list's skin by the life of the last list.
func (s *Search) adaptSkin() {
	switch {
	case s.listAge > longLife:
		s.skin = max(0.5*s.skin, narrowestSkin*s.widestSkin)
	case s.listAge < shortLife && s.pairs.Build > 0:
		s.skin = min(2*s.skin, s.widestSkin)
	}
	s.listAge = 0
}

// Rebuild makes a new list at x, even if nothing has moved. Later lists then depend on x
// alone, and not on the past.
func (s *Search) Rebuild(x []r2.Vec) { s.build(x) }

// NewTracker returns a tracker for one worker.
func (s *Search) NewTracker() *Tracker {
	return &Tracker{components: make([]componentTravel, len(s.pairs.Travel.Total))}
}

// Track measures how far the nodes [first, end) have moved since they were last tracked,
// whether one of them has moved half the skin since the last list, and their speeds from
// the velocities v, which may be nil. Several workers may track different ranges at the
// same time. Merge must follow.
func (s *Search) Track(tracker *Tracker, x, v []r2.Vec, first, end int32) {
	w := s.pairs.Travel
	if s.alone {
		tracker.Speed2, tracker.moved = w.fastest(v, w.numberOf(first), w.numberOf(end)), false
		return
	}
	w.track(tracker, x, v, w.numberOf(first), w.numberOf(end), 0.25*s.skin*s.skin)
}

// Merge combines the results of workers that together have tracked all nodes. It returns
// the square of the greatest speed of a node [m2/s2].
func (s *Search) Merge(trackers []*Tracker) (speed2 float64) {
	if !s.alone {
		s.mergeTravel(trackers)
	}
	s.moved = false
	for _, k := range trackers {
		s.moved, speed2 = s.moved || k.moved, max(speed2, k.Speed2)
	}
	return speed2
}

// MayPair tells whether edges i and j may ever be a pair.
func (s *Search) MayPair(i, j int) bool { return mayPair(&s.edges[i], &s.edges[j]) }

// HasSelfContact tells whether edge i may be in contact with others of its component.
func (s *Search) HasSelfContact(i int) bool { return s.edges[i].Self != 0 }

// build makes the list for positions x.
func (s *Search) build(x []r2.Vec) {
	if s.skin == 0 {
		s.widestSkin = defaultSkin * s.median(x)
		s.skin = s.widestSkin
	}
	s.pairs.Slack = 0.5 * s.skin
	for i, p := range s.pairs.Travel.nodes {
		s.pairs.Travel.atList[i] = x[p.node]
		if s.alone { // not tracked until now
			s.pairs.Travel.atTrack[i] = x[p.node]
		}
	}
	s.pairs.Travel.tracked = true
	s.moved, s.split = false, false
	s.pairs.Travel.reset()
	s.pairs.Build++
	if s.changed {
		s.setPartners()
		s.changed = false
	}
	s.makeList(x)
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

// mayPair tells whether some contact joins two edges that have no node in common.
func mayPair(e, o *Edge) bool {
	if e.A == o.A || e.A == o.B || e.B == o.A || e.B == o.B || e.Held && o.Held || e.Tied&o.Tied != 0 || e.Own != 0 && e.Own == o.Own {
		return false
	}
	by := e.Contactor&o.Opposite | e.Opposite&o.Contactor
	if e.Component == o.Component {
		by &= e.Self & o.Self
	}
	return by != 0
}
