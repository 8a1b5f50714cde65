package potential

import (
	"math/bits"
	"slices"

	"fdem/contactnodes/onnodes"

	"gonum.org/v1/gonum/spatial/r2"
)

// Contact pairs of a face and a target are processed four at a time, with the four values of each
// quantity adjacent, for vector instructions.

// lanes is the number of pairs that are processed together.
const lanes = 4

// perFour is the number of their contact nodes.
const perFour = perFace * lanes

// four is four pairs of one rule that are in contact or near each other. The assembly kernels
// depend on the order of these fields.
type four struct {
	deep      [perFace][lanes]float64    // depth of each contact node in the target [m]; at most 0 if it is only near
	weight    [perFace][3][lanes]float64 // weights of the target's nodes
	relative  [perFace][2][lanes]float64 // velocity relative to the target there [m/s]
	slope     [3][2][lanes]float64       // gradient of the depth with respect to the contact node's position, by sides: inwards
	size      [lanes]float64             // area of a contact node [m2]
	whole     [lanes]float64             // area when the face has all of its area [m2]
	inContact [lanes]uint64              // a bit per contact node
	near      [lanes]uint64              // these, and those that may be in contact within the next step
	undecided [lanes]uint64              // it is not known yet whether they are near
	held      [lanes]uint64              // they were in contact before
	side      [perFace][lanes]uint64     // the side of the target nearest to each contact node
	node      [5][lanes]int32            // two nodes of the face, three of the target; -1 for none
	target    [lanes]int32
	was       [lanes]rows // contact points of the state
	now       [lanes]rows // contact points of the next state
	rule, n   int32

	face            [lanes]int32
	transferredArea [lanes]float64 // area that was transferred in the last step [m2]
	arm             [lanes]float64 // for edges: from the position of the weights to the contact node, along the slope [m]
	edges           bool           // targets are edges, and each contact point is a pair
	transferring    bool           // some contact points have gained area
	_               [38]byte
}

// group is the sums of the contact points of a pair. The assembly kernels depend on the order of
// these fields.
type group struct {
	on                       [5]onnodes.Force // on the nodes of the pair
	stored, spring           float64          // recoverable, by the law and in stick springs [J]
	normal, tangential       float64          // sums of the forces [N]
	pressure, deflection     float64          // greatest values [Pa], [m]
	normalWork, frictionWork float64          // of the last step [J]
	transferredWork          float64          // [J]
	node                     [5]int32
	rule, active             int32
	_                        [28]byte
}

// rows are the indices in a state of the contact points of a pair. Those with a bit in points are
// consecutive from first on.
type rows struct {
	first  int32
	points uint32
}

// of returns the index of the contact point of a contact node, none if there is none.
func (r rows) of(point, none int32) int32 {
	if r.points>>point&1 == 0 {
		return none
	}
	return r.first + int32(bits.OnesCount32(r.points&(1<<point-1)))
}

// slots are input and output of laws. Of four pairs they have the first contact nodes, then the
// second ones, and so on.
type slots struct{ d, rate, mem, p, dp, k, w []float64 }

// add adds a pair to the last four, or to a new one.
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

// fill repeats the first pair if there are fewer than four, without effect.
func (q *four) fill() {
	for l := q.n; l < lanes; l++ {
		q.target[l] = q.target[0]
		for k := range q.node {
			q.node[k][l] = q.node[k][0]
		}
		q.was[l], q.now[l] = rows{}, rows{}
	}
}

// slopeOf returns the gradient of the depth of a contact node.
func (q *four) slopeOf(point, l int32) r2.Vec {
	s := &q.slope[q.side[point][l]]
	return r2.Vec{X: s[0][l], Y: s[1][l]}
}

// weightsOf returns the weights of a contact node.
func (q *four) weightsOf(point, l int32) (w0, w1, w2 float64) {
	w := &q.weight[point]
	return w[0][l], w[1][l], w[2][l]
}
