// Package segments is penalty contact of deformable bodies, segment to segment, for linear laws
// without memory. A contact element is a pair of straight boundary edges with the energy of package
// pairs: each of its two halves has one of the edges as its own, and a part of the stiffness. Halves
// are evaluated in closed form. Package pairs is the oracle of the tests, and does what is rare:
// re-entrant corners, and depths beyond the limit of an edge.
//
// A step frames the edges of pairs that are awake, finds the halves in contact, finds friction, and
// adds the forces in the order of the pairs. So the bits do not depend on the number of workers.
package segments

import (
	"cmp"
	"fmt"
	"slices"

	"fdem/boundingbox"
	"fdem/contactnodes/coulomb"
	"fdem/contactnodes/pairs"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// Config describes a contact.
type Config struct {
	Edges     []mesh.Edge
	Depth     []float64 // per edge: depth from which the depth that counts falls again, at most half of the body's thickness [m]
	Area      []float64 // per edge: in the reference position [m2]
	Mobility  []float64 // per edge: the greater inverse mass of its two ends [1/kg]
	Mass      []float64 // per edge: mass of its body, infinite if it cannot move [kg]; nil if unknown
	Stiffness float64   // of the law [Pa/m]
	MaxDepth  float64   // greatest depth of a pair, relative to the greater Depth of its edges
	Positions []float64 // positions along an edge, 0 to 1, at which peak pressures are kept
}

// Contact is the pairs of edges of one contact. Only Evaluate with commit changes State.
type Contact struct {
	Config
	State
	Sums

	outline pairs.Outline
	ends    [][2]int32 // per edge: numbers of its two nodes among those of all edges
	nodes   []int32    // the mesh nodes with these numbers

	pairs  []pair // sorted by their edges
	groups []group
	sleep  sleep
	awake  []int32 // halves that are awake: twice the pair, plus 1 for its second edge as the own one
	frames framing

	halves     []half // those that are awake
	general    []general
	sectors    []half // of re-entrant corners
	touches    []touch
	touched    []int32 // groups that touch
	active     []int32 // groups with friction at the last committed evaluation
	settled    bool    // the last evaluation has been committed
	load       []float64
	loaded     []int32     // edges with a load
	on         []nodeLoad  // per number of a node
	onNodes    []int32     // numbers of nodes with a load
	lines      []peakLine  // two of each pair
	peaksOf    []int32     // per edge: index of its first peak in Peaks, -1 for none
	scratch    pairs.Half  // of the general way
	mostOffset float64     // greatest depth of Offsets [m]
	now        arguments   // of this evaluation
	ended      endedGroups // of an old list
	shared     *boundingbox.Chunks
	doFind     func(chunk int)
}

// Sums are the totals of an evaluation.
type Sums struct {
	Normal, Tangential float64 // sums of the normal and the friction forces [N]
	Resultant          r2.Vec  // on the contactor [N]
	Moment             float64 // of Resultant about the origin [N m]
	Stored             float64 // energy of the law [J]
	ImpactLoss         float64 // see Next [1/s2]
	Touching, Coming   int     // halves in contact, and others that count for the time step
	Speeds             coulomb.Speeds

	// Changes in the last step, after a commit [J]: the work of bodies against normal forces and
	// against friction, the energy of the springs of friction, and the work of ramping in overlaps.
	NormalWork, FrictionWork, StickEnergy, RampWork float64
}

// Next has bounds for the next step.
type Next struct {
	Approach float64 // greatest approach of two edges [m]
	Step     float64 // [s]
	Energy   float64 // greatest kinetic energy so far [J]
	Speed    float64 // greatest speed of an outline node [m/s]
}

// Candidate is a pair of edges that may be in contact.
type Candidate struct {
	I, J  int32
	Share [2]float64 // parts of the stiffness that the halves of I and of J as the own edge carry
	Side  [2]float64 // 1 if the force on I, on J is a force on the contactor, -1 if its reaction is, else 0
}

// pair is a candidate.
type pair struct {
	nodes     [2][2]int32 // ends of the first and of the second edge
	edge      [2]int32    // ascending
	group     [2]int32    // of each edge as the own edge
	stiffness [2]float64  // of each edge as the own edge [N/m]
	mass      float64     // of the lighter body [kg]
	offset    int32       // index in Offsets, -1 for none
	side      [2]int8     // see Candidate
}

// arguments are those of an evaluation.
type arguments struct {
	x, v     []r2.Vec
	t, dt    float64
	next     Next
	most     float64 // greatest distance in front of an edge at which a pair counts for the time step [m]
	commits  bool
	fraction float64 // of the offsets at this evaluation
	before   float64 // and at the previous one
	friction *coulomb.Friction
	stiffest float64 // greatest stiffness in any direction relative to that of the law
	corrects bool    // leapfrog is corrected at first contact
	ramped   bool    // and they are ramped out
}

// TooDeep is the error of a position that is deeper in a body than its elements allow.
type TooDeep struct {
	Own, Other   int32 // edges
	At           r2.Vec
	Depth, Limit float64 // [m]
}

func (e *TooDeep) Error() string {
	return fmt.Sprintf("edge %d is %.3g m deep below edge %d, more than %.3g m", e.Own, e.Depth, e.Other, e.Limit)
}

// New prepares a contact. Chunks divide its work among workers.
func New(c Config, shared *boundingbox.Chunks) *Contact {
	k := &Contact{Config: c, shared: shared}
	k.outline.Edges = make([]pairs.Edge, len(c.Edges))
	for i, e := range c.Edges {
		k.outline.Edges[i] = pairs.Edge{A: e.A, B: e.B, Prev: e.Prev, Next: e.Next, Across: -1, Roof: c.Depth[i]}
		k.nodes = append(k.nodes, e.A, e.B)
	}
	slices.Sort(k.nodes)
	k.nodes = slices.Compact(k.nodes)
	for _, e := range c.Edges {
		a, _ := slices.BinarySearch(k.nodes, e.A)
		b, _ := slices.BinarySearch(k.nodes, e.B)
		k.ends = append(k.ends, [2]int32{int32(a), int32(b)})
	}
	k.on, k.load = make([]nodeLoad, len(k.nodes)), make([]float64, len(c.Edges))
	k.frames.begin(len(c.Edges))
	k.peaksOf = slices.Repeat([]int32{-1}, len(c.Edges))
	k.doFind = k.findChunk
	return k
}

// List takes a new list of candidates, and the motion of components since it was made. Each pair of
// edges is in it at most once.
func (k *Contact) List(from []Candidate, travel *boundingbox.Travel) {
	k.Clear()
	k.pairs = slices.Grow(k.pairs[:0], len(from))[:len(from)]
	for n := range from {
		f := &from[n]
		i, j, side, share := f.I, f.J, f.Side, f.Share
		if i > j {
			i, j, side[0], side[1], share[0], share[1] = j, i, side[1], side[0], share[1], share[0]
		}
		e, o := &k.Edges[i], &k.Edges[j]
		k.pairs[n] = pair{
			nodes: [2][2]int32{{e.A, e.B}, {o.A, o.B}}, edge: [2]int32{i, j}, offset: -1, side: [2]int8{int8(side[0]), int8(side[1])},
			stiffness: [2]float64{share[0] * k.Stiffness * k.Area[i], share[1] * k.Stiffness * k.Area[j]},
		}
		if k.Mass != nil {
			k.pairs[n].mass = min(k.Mass[i], k.Mass[j])
		}
	}
	slices.SortFunc(k.pairs, func(p, q pair) int {
		return cmp.Or(cmp.Compare(p.edge[0], q.edge[0]), cmp.Compare(p.edge[1], q.edge[1]))
	})
	k.lines = slices.Grow(k.lines[:0], 2*len(from))[:2*len(from)]
	clear(k.lines)
	k.listGroups()
	k.listOffsets()
	k.sleep.list(k, travel)
}

// IsIdle tells whether another evaluation would change nothing.
func (k *Contact) IsIdle() bool {
	return len(k.pairs) == 0 && len(k.active) == 0 && k.ended == (endedGroups{}) && k.StoredBefore == 0 && len(k.touches) == 0
}

// Clear removes the results of the last evaluation.
func (k *Contact) Clear() {
	k.Sums = Sums{}
	k.clearLoads()
	k.clearGroups()
	k.touches, k.general, k.sectors = k.touches[:0], k.general[:0], k.sectors[:0]
}
