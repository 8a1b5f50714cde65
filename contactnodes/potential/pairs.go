package potential

import (
	"math/bits"
	"slices"

	"fdem/contactnodes"

	"gonum.org/v1/gonum/spatial/r2"
)

// Contact pairs, of a face and a target, are taken four at a time, each number of theirs beside
// that of the other three: so machines with vector instructions do all of them at once.

// lanes is how many pairs stand side by side.
const lanes = 4

// perFour is how many contact nodes these have.
const perFour = perFace * lanes

// four is pairs that touch, or are near each other, under one rule. The kernels in
// assembly know the order of these fields.
type four struct {
	deep      [perFace][lanes]float64    // of each contact node in the target [m]; not above 0 where it is only near
	weight    [perFace][3][lanes]float64 // of what acts there on the target's nodes
	relative  [perFace][2][lanes]float64 // velocity past what is there of the target [m/s]
	slope     [3][2][lanes]float64       // of depths with the contact node's place, by sides: inwards
	size      [lanes]float64             // area for which a contact node stands [m2]
	whole     [lanes]float64             // and once the face takes part with all of it [m2]
	touching  [lanes]uint64              // a bit per contact node
	near      [lanes]uint64              // these, and those that may touch within the next step
	undecided [lanes]uint64              // whether they are near is not known yet
	held      [lanes]uint64              // they touched before
	side      [perFace][lanes]uint64     // of the target, into which a contact node points
	node      [5][lanes]int32            // two of the face, three of the target; -1 for none
	target    [lanes]int32
	was       [lanes]rows // touches of the state
	now       [lanes]rows // and of the next state
	rule, n   int32

	face            [lanes]int32
	transferredArea [lanes]float64 // area that has been transferred in the last step [m2]
	lever           [lanes]float64 // from the position of the weights to the contact node, along the slope [m]; of edges
	edges           bool           // targets are edges, and each contact point a pair
	transferring    bool           // some have gained area
	_               [38]byte
}

// group is what the contact points of a pair come to. The kernels in assembly know the order of
// these fields.
type group struct {
	on                       [5]contactnodes.NodeForce // on the nodes of the pair
	stored, spring           float64                   // recoverable, by the law and in stick springs [J]
	normal, tangential       float64                   // sums of the forces [N]
	pressure, deflection     float64                   // the greatest [Pa], [m]
	normalWork, frictionWork float64                   // of the step that has led here [J]
	transferredWork          float64                   // [J]
	node                     [5]int32
	rule, active             int32
	_                        [28]byte
}

// rows are where touches of the contact nodes of a pair stand in a state: those that have a
// bit in points stand in a row from first on.
type rows struct {
	first  int32
	points uint32
}

// of returns where the contact point of a contact node stands, none where there is none.
func (r rows) of(point, none int32) int32 {
	if r.points>>point&1 == 0 {
		return none
	}
	return r.first + int32(bits.OnesCount32(r.points&(1<<point-1)))
}

// slots are what laws are asked: of four pairs the first contact nodes, the second ones,
// and so on.
type slots struct{ d, rate, mem, p, dp, k, w []float64 }

// add gives a pair its place in the last four, or in a new one.
func (f *finder) add(face, target, rule int32, edges bool) (q *four, l int32) {
	n := len(f.fours)
	if n > 0 {
		q = &f.fours[n-1]
	}
	if n == 0 || q.n == lanes || q.rule != rule || q.edges != edges {
		f.fours = slices.Grow(f.fours, 1)[:n+1]
		q = &f.fours[n]
		q.n, q.rule, q.edges, q.transferring = 0, rule, edges, false
	}
	l = q.n
	q.n++
	q.face[l], q.target[l] = face, target
	return q, l
}

// fill repeats the first pair where there are fewer than four, of no consequence.
func (q *four) fill() {
	for l := q.n; l < lanes; l++ {
		q.target[l] = q.target[0]
		for k := range q.node {
			q.node[k][l] = q.node[k][0]
		}
		q.was[l], q.now[l] = rows{}, rows{}
	}
}

// slopeOf returns the slope of the depth of a contact node with its place.
func (q *four) slopeOf(point, l int32) r2.Vec {
	s := &q.slope[q.side[point][l]]
	return r2.Vec{X: s[0][l], Y: s[1][l]}
}

// weightsOf returns the weights of a contact node.
func (q *four) weightsOf(point, l int32) (w0, w1, w2 float64) {
	w := &q.weight[point]
	return w[0][l], w[1][l], w[2][l]
}
