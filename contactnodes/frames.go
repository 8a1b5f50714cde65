package contactnodes

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Edge pairs are examined four at a time, for vector instructions (SIMD). Straight contact
// elements are transformed to the frames of their straight opposite edges, to find which part of
// each is in the region of the edge or in front of it. This ends the test of pairs that are awake
// but will not be in contact soon: a seventh of them in a compressed pile, nearly all in a pile
// at rest.

// lanes is the number of pairs that are processed together.
const lanes = 4

// stride is the size of a node's position or velocity [bytes].
const stride = 16

// quad is a value of each of four pairs.
type quad [lanes]float64

// frames is four edge pairs. The assembly kernel depends on the order and size of these fields.
// It fills the fields from deflection on.
type frames struct {
	own, edge [lanes]int32 // boundary edge of the contact element, opposite edge

	depth                quad // of the opposite edge [m]
	alongX, alongY       quad // as in target
	length               quad
	rotationX, rotationY quad
	beforeX, beforeY     quad
	startX, startY       quad          // target.start.boundary
	startReentrant       [lanes]uint64 // all bits or none
	endX, endY           quad
	endReentrant         [lanes]uint64
	deflection, change   quad // of the contact element at its A, and from there to B [m]
	position, run        quad // along the opposite edge, in lengths of the edge
	approach, lookAhead  quad
	lo, hi               quad          // result of target.clipElement
	missed               [lanes]uint64 // lo > hi: no part is in the region of the edge or in front of it
	from, to             quad          // the part of the contact element in the edge's region, see edgeRegion
}

// closestPointQuery has the parameters of findFrames, each repeated for all lanes. The assembly
// kernel depends on the order of these fields.
type closestPointQuery struct {
	one                         quad
	notSign                     [lanes]uint64
	sharpReentrant, sharpConvex quad
	maxApproach                 quad // of maxApproach [m]
	leastApproach               quad
	step                        quad // [s]
	predictionSteps             quad
	farthest                    quad // greatest distance of predicted contact points in front of an edge [m]
}

// setQuery copies lookAhead and the prediction.
func (c *Contact) setQuery() {
	s := &c.query
	for i := range lanes {
		s.one[i], s.notSign[i], s.sharpReentrant[i], s.sharpConvex[i], s.predictionSteps[i] = 1, 1<<63-1, sharpReentrant, sharpConvex, predictionSteps
		s.maxApproach[i], s.leastApproach[i], s.step[i], s.farthest[i] = 0, 0, 0, c.lookAhead
		if c.lookAhead > 0 {
			s.maxApproach[i], s.leastApproach[i], s.step[i] = c.prediction.Approach, float64(leastApproach*c.prediction.Approach), c.prediction.Step
		}
	}
}

// corners has the data of an edge for frames, in half a cache line: its nodes and those of its
// neighbours, times stride. The assembly kernel depends on the order.
type corners struct {
	before, a, b, after int32
	depth               float64 // [m]
	arc                 bool
}

// setCorners fills the corners of edge i.
func (o *Outline) setCorners(i int32) {
	e := &o.Edges[i]
	c := corners{stride * e.A, stride * e.A, stride * e.B, stride * e.B, o.Depth[i], e.Radius != 0}
	if e.Prev >= 0 {
		c.before = stride * o.Edges[e.Prev].A
	}
	if e.Next >= 0 {
		c.after = stride * o.Edges[e.Next].B
	}
	o.corners[i] = c
}

// Changed must be called after a node of edge i has been replaced.
func (o *Outline) Changed(i int32) {
	o.setCorners(i)
	if e := &o.Edges[i]; e.Prev >= 0 {
		o.setCorners(e.Prev)
	}
	if e := &o.Edges[i]; e.Next >= 0 {
		o.setCorners(e.Next)
	}
}

// fill copies lane l to all lanes after it.
func (p *frames) fill(l int) {
	for k := l + 1; k < lanes; k++ {
		p.own[k], p.edge[k] = p.own[l], p.edge[l]
	}
}

// kernel has the functions that use vector instructions if the processor supports them.
type kernel struct {
	frames func(c *Contact, list []frames)
	// These process the first pairs of a list and return their number. The other pairs must be
	// processed by Contact.press, findPairRates and sharePair.
	press func(c *Contact, pairs []edgePair) int
	rates func(c *Contact, f *finder, t *contactPoints, pairs []edgePair) int
	share func(c *Contact, t *contactPoints, pairs []edgePair) int
}

var genericKernel = kernel{
	frames: (*Contact).findFrames,
	press:  func(*Contact, []edgePair) int { return 0 },
	rates:  func(*Contact, *finder, *contactPoints, []edgePair) int { return 0 },
	share:  func(*Contact, *contactPoints, []edgePair) int { return 0 },
}

// findFrames is the generic kernel in Go; the others must give the same bits.
func (c *Contact) findFrames(list []frames) {
	for i := range list {
		for l := range lanes {
			c.findFrame(&list[i], l)
		}
	}
}

// findFrame is findFrames for one lane.
func (c *Contact) findFrame(p *frames, l int) {
	e := &c.outline.Edges[p.own[l]]
	a, b := c.x[e.A], c.x[e.B]
	var t target
	t.setEdge(c.outline, p.edge[l], c.x)
	c.setLookAhead(&t, e)
	p.lo[l], p.hi[l] = t.clipElement(a, b, c.lookAhead)
	p.missed[l] = mask(p.lo[l] > p.hi[l])
	if p.misses(l) {
		return
	}
	turn := rotationGradient(t.c, t.d)
	p.depth[l] = t.depth
	p.alongX[l], p.alongY[l], p.length[l], p.rotationX[l], p.rotationY[l] = t.along.X, t.along.Y, t.length, turn.X, turn.Y
	p.beforeX[l], p.beforeY[l] = t.start.before.X, t.start.before.Y
	p.startX[l], p.startY[l], p.startReentrant[l] = t.start.boundary.X, t.start.boundary.Y, mask(t.start.reentrant)
	p.endX[l], p.endY[l], p.endReentrant[l] = t.end.boundary.X, t.end.boundary.Y, mask(t.end.reentrant)
	p.position[l], p.run[l] = elementary.Dot(t.along, sub(a, t.c))/t.length, elementary.Dot(t.along, sub(b, a))/t.length
	p.approach[l], p.lookAhead[l] = t.approach, t.lookAhead
	p.from[l], p.to[l], p.deflection[l], p.change[l] = t.edgeRegion(a, b)
}

// mask returns a word with all bits set, or none.
func mask(yes bool) uint64 {
	if yes {
		return math.MaxUint64
	}
	return 0
}

// misses tells whether no part of lane l is in the region of its edge or in front of it.
func (p *frames) misses(l int) bool { return p.missed[l&(lanes-1)] != 0 }

// setTarget makes t the opposite edge of lane l.
func (p *frames) setTarget(t *target, l int, o *Outline, x []r2.Vec) {
	e := &o.corners[p.edge[l]]
	t.edge, t.c, t.d = p.edge[l], x[e.a/stride], x[e.b/stride]
	t.along, t.length, t.depth, t.radius = r2.Vec{X: p.alongX[l], Y: p.alongY[l]}, p.length[l], p.depth[l], 0
	t.start = corner{boundary: r2.Vec{X: p.startX[l], Y: p.startY[l]}, before: r2.Vec{X: p.beforeX[l], Y: p.beforeY[l]}, reentrant: p.startReentrant[l] != 0}
	t.end = corner{boundary: r2.Vec{X: p.endX[l], Y: p.endY[l]}, reentrant: p.endReentrant[l] != 0}
	t.height, t.approach, t.lookAhead = 0, p.approach[l], p.lookAhead[l]
}
