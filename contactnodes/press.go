package contactnodes

import (
	"math"
	"slices"

	"fdem/contactnodes/coulomb"
	"fdem/contactnodes/onnodes"
	"fdem/materials/contact"
	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// contactPoints is the contact points or predicted contact points of an evaluation, in the order of
// contact elements and contact nodes. An edgePair has the values that the points of one element
// against one edge share. Input and output of the law are in arrays.
type contactPoints struct {
	pairs []edgePair
	nodes []node // those of the pairs, then contact nodes that have separated
	// For contact nodes in contact: friction [Pa], and the greatest stiffness in any direction
	// [Pa/m].
	friction, stiffness []float64
	lawData
}

// edgePair is a range of contact points of one contact element with one opposite edge. It is a
// single point if the point has its own direction: on an arc, or around a corner.
type edgePair struct {
	element    int32  // contact element
	edge       int32  // opposite edge
	first, end int32  // its contact points
	inward     r2.Vec // unit vector into the opposite body
	// rotation is the edge's inward normal divided by its length: (vB - vA).rotation is the edge's
	// angular velocity [1/m].
	rotation      r2.Vec
	positionSlope float64 // derivative of position along the contact element [-]
	depthSlope    float64 // derivative of depthAt along it [m]
	damper        float64 // damper of rigid bodies at rest, for points in contact [Pa s/m]
	corner        bool    // the nearest point is the edge's start, a re-entrant corner
	arcs          bool    // a single point of edges that represent arcs, see arcs.go
	kind          pairKind
	shared        bool    // sharePair finds the fractions of its contact points, see Contact.shares
	own           int32   // boundary edge of the contact element
	slope         float64 // on arcs: derivative of the deflection along the opposite edge [-]
	bend          float64 // on arcs: its second derivative [1/m]
	side          float64 // 1 if the force on the contact element counts as a force on the contactor, see Contact.side
	tilt          float64 // of an arc strip: change of its depth, for the length of the contact element [m]
	stretch       float64 // of an arc strip: moment of its force along the chord, which stretches the element, see arcstrip.go [-]
}

// clear sets the fields that newOpposite and its callers do not set. Fields are set one by one,
// here and in set: a copy of the whole struct would wait for values that have just been stored.
func (m *edgePair) clear() {
	m.positionSlope, m.depthSlope, m.damper, m.corner, m.arcs, m.slope, m.bend, m.tilt, m.stretch = 0, 0, 0, false, false, 0, 0, 0, 0
}

// set copies everything but the contact points from another pair.
func (m *edgePair) set(o *edgePair) {
	m.element, m.edge, m.own, m.side, m.kind, m.shared = o.element, o.edge, o.own, o.side, o.kind, o.shared
	m.inward.X, m.inward.Y, m.rotation.X, m.rotation.Y = o.inward.X, o.inward.Y, o.rotation.X, o.rotation.Y
	m.positionSlope, m.depthSlope, m.damper, m.corner, m.arcs, m.slope, m.bend, m.tilt, m.stretch = o.positionSlope, o.depthSlope, o.damper, o.corner, o.arcs, o.slope, o.bend, o.tilt, o.stretch
}

// changeOfDepth returns the change of the depth along the contact element [m].
func (m *edgePair) changeOfDepth() float64 {
	if m.tilt != 0 {
		return m.tilt
	}
	return m.depthSlope
}

// pairKind tells how forces and rates of a pair are computed from its contact points. The assembly
// kernel processes consecutive pairs of equal kind.
type pairKind uint8

const (
	straight pairKind = iota // two straight edges
	curved                   // one of them is an arc, represents an arc, or bends
)

// node is a contact node in contact, or predicted to be.
type node struct {
	id            int32   // within the contact
	slot          int32   // index in the state; -1 for a predicted contact point without one
	position      float64 // position along the opposite edge, 0 at A, 1 at B
	depthAt       float64 // from that position to the contact node, along inward [m]
	fraction      float64 // fraction of the node's area that it represents [-]
	fractionSlope float64 // derivative of fraction along the opposite edge [1/m]
	slip          float64 // of the contact node along the opposite edges [m/s]
	force         float64 // share of the contact node's force that acts here [-]
	moment        float64 // its first moment about the contact node, along the contact element [-]
	forceSum      float64 // sum of force over all parts of the contact node [-]
	coveredSum    float64 // fraction of its strip that is in contact [-]
	covered       float64 // fraction of its strip in contact here [-]
	offset        float64 // from the contact node to the middle of that part, along the contact element [-]
	beside        bool    // a part of its strip is in contact, but not its own position
	repeated      bool    // another part of the same contact node as the previous contact point
	predicted     float64 // for a predicted contact point: the step that its contact would allow divided by the step that it allows now; 0 for one in contact
}

// lawData holds input and output of the law for contact points, in arrays.
type lawData struct{ d, rate, mem, p, dp, k, w []float64 }

// clear removes all contact points.
func (t *contactPoints) clear() {
	t.pairs, t.nodes, t.d, t.rate = t.pairs[:0], t.nodes[:0], t.d[:0], t.rate[:0]
}

// elementStart returns the first of the pairs that belong to the contact element of pair i.
func (t *contactPoints) elementStart(i int) int {
	for 0 < i && i < len(t.pairs) && t.pairs[i].element == t.pairs[i-1].element {
		i--
	}
	return i
}

// sameElement returns the end of the pairs from lo on that belong to one contact element.
func (t *contactPoints) sameElement(lo int) int {
	hi := lo + 1
	for hi < len(t.pairs) && t.pairs[hi].element == t.pairs[lo].element {
		hi++
	}
	return hi
}

// growRates extends rate to the number of all contact points.
func (t *contactPoints) growRates() { t.rate = slices.Grow(t.rate, len(t.d)-len(t.rate))[:len(t.d)] }

// contactPointsAt is a position in a list of contact points.
type contactPointsAt struct{ pair, node int32 }

// extend makes room for the contact points of o at the end, and returns its position.
func (t *contactPoints) extend(o *contactPoints) contactPointsAt {
	at := contactPointsAt{int32(len(t.pairs)), int32(len(t.nodes))}
	pairs, nodes := len(t.pairs)+len(o.pairs), len(t.nodes)+len(o.nodes)
	t.pairs, t.nodes = slices.Grow(t.pairs, len(o.pairs))[:pairs], slices.Grow(t.nodes, len(o.nodes))[:nodes]
	t.d, t.rate = slices.Grow(t.d, len(o.d))[:nodes], slices.Grow(t.rate, len(o.rate))[:nodes]
	return at
}

// put copies the contact points of o to a position.
func (t *contactPoints) put(at contactPointsAt, o *contactPoints) {
	copy(t.nodes[at.node:], o.nodes)
	copy(t.d[at.node:], o.d)
	copy(t.rate[at.node:], o.rate)
	pairs := t.pairs[at.pair:][:len(o.pairs)]
	copy(pairs, o.pairs)
	for i := range pairs {
		pairs[i].first += at.node
		pairs[i].end += at.node
	}
}

// prepare extends the output of the law and copies the committed memory.
func (t *contactPoints) prepare(c *Contact) {
	n, m := len(t.d), c.memorySize
	for _, s := range [...]*[]float64{&t.p, &t.dp, &t.k, &t.w} {
		*s = slices.Grow((*s)[:0], n)[:n]
	}
	if m == 0 {
		return
	}
	t.mem = slices.Grow(t.mem[:0], n*m)[:n*m]
	for i := range t.nodes {
		mem := t.mem[i*m : (i+1)*m]
		if at := int(t.nodes[i].slot); at >= 0 {
			copy(mem, c.Memory[at*m:])
		} else {
			clear(mem)
		}
	}
}

// eval evaluates the law for contact points [lo, hi).
func (p *lawData) eval(law contact.Law, lo, hi, m int) {
	mem := p.mem[lo*m : hi*m]
	law.Eval(contact.Input{D: p.d[lo:hi], Rate: p.rate[lo:hi], Mem: mem},
		contact.Output{P: p.p[lo:hi], DP: p.dp[lo:hi], K: p.k[lo:hi], W: p.w[lo:hi], Mem: mem})
}

// evaluateLaw evaluates the law for every contact node in contact, and at zero deflection for those
// that have separated since the last commit, to update their memory. It does not change the state.
func (c *Contact) evaluateLaw() {
	n := &c.points
	separated := c.assignSlots()
	c.Active, c.closed = len(n.nodes), len(n.nodes)
	for _, k := range separated {
		n.nodes = append(n.nodes, node{id: k.id, slot: k.slot})
		n.d, n.rate = append(n.d, 0), append(n.rate, 0)
	}
	if len(n.nodes) > 0 {
		n.prepare(c)
		c.spread(len(c.finders), len(n.nodes), minParallelNodes, c.doPress)
	}
}

// evaluateChunk is chunk i of evaluateLaw.
func (c *Contact) evaluateChunk(i int) {
	lo, hi := c.shared.Share(i, len(c.points.nodes))
	c.points.eval(c.Law, lo, hi, c.memorySize)
}

// findRates finds the deflection rates of the contact nodes of some pairs and, for those in contact,
// the slip speeds.
func (c *Contact) findRates(f *finder, t *contactPoints, pairs []edgePair) {
	for ; len(pairs) > 0; pairs = pairs[1:] {
		if pairs = pairs[c.kernel.rates(c, f, t, pairs):]; len(pairs) == 0 {
			return
		}
		c.findPairRates(t, &pairs[0])
	}
}

// findPairRates finds the deflection rates of the contact nodes of an edge pair, and their slip
// speeds along the opposite edge. The slip is relative to the point of the opposite body at their
// own position, which moves with the edge as it rotates.
func (c *Contact) findPairRates(t *contactPoints, m *edgePair) {
	e, o := &c.outline.Edges[m.own], &c.outline.Edges[m.edge]
	nodes := &c.layouts[c.layoutOf[m.element]]
	va, wa := c.v[e.A], c.v[o.A]
	ve, wo := sub(c.v[e.B], va), sub(c.v[o.B], wa)
	turn := elementary.Dot(wo, m.rotation)
	along := r2.Vec{X: ve.X - float64(m.positionSlope*wo.X), Y: ve.Y - float64(m.positionSlope*wo.Y)}
	opens, slides := elementary.Dot(m.inward, along), elementary.Cross(along, m.inward)+float64(turn*m.depthSlope)
	base, inward := m.element*int32(c.Nodes), m.inward
	stretches := 0.0
	if m.stretch != 0 {
		stretches = float64(m.stretch * elementary.Dot(sub(c.x[e.B], c.x[e.A]), ve))
	}
	list := t.nodes[m.first:m.end]
	rates := t.rate[m.first:][:len(list)]
	for i := range list {
		n := &list[i]
		u, s := nodes.position[n.id-base], n.position
		w := r2.Vec{
			X: (va.X + float64(u*ve.X)) - (wa.X + float64(s*wo.X)),
			Y: (va.Y + float64(u*ve.Y)) - (wa.Y + float64(s*wo.Y)),
		}
		if nodes.height != nil {
			w = c.addArcVelocity(w, e, nodes, n.id-base)
		}
		rates[i] = float64(n.force*elementary.Dot(inward, w)) + float64(n.moment*opens)
		rates[i] += float64(n.force * stretches)
		if m.arcs {
			rates[i] += float64(m.slope * (elementary.Cross(w, inward) + float64(turn*n.depthAt)))
		}
		if n.predicted == 0 {
			n.slip = (float64(n.force*(elementary.Cross(w, inward)+float64(turn*n.depthAt))) + float64(n.moment*slides)) / n.forceSum
		}
	}
}

// addArcVelocity adds to the velocity w of a position on the chord of a contact element the
// velocity of contact node k of its arc relative to it.
func (c *Contact) addArcVelocity(w r2.Vec, e *mesh.Edge, nodes *layout, k int32) r2.Vec {
	_, off := nodes.point(c.x[e.A], c.x[e.B], int(k))
	turn := elementary.Dot(sub(c.v[e.B], c.v[e.A]), rotationGradient(c.x[e.A], c.x[e.B]))
	return r2.Vec{X: w.X - float64(turn*off.Y), Y: w.Y + float64(turn*off.X)}
}

// distribute adds normal and friction forces to the end nodes of both edges. With commit it stores
// the results of find and evaluateLaw in the state, updates the ledger, and adds the bounds of
// predicted contact points. Without commit it does not change the state.
func (c *Contact) distribute(out onnodes.Forces, dt float64, commit bool) {
	n := &c.points
	c.out, c.dt, c.commits = out, dt, commit
	c.sumNormalForces()
	n.friction = slices.Grow(n.friction[:0], len(n.nodes))[:len(n.nodes)]
	if c.Friction.Sticks() {
		c.stick = slices.Grow(c.stick[:0], len(n.nodes))[:len(n.nodes)]
		c.bound = slices.Grow(c.bound[:0], len(n.nodes))[:len(n.nodes)]
		clear(c.stick[c.Active:])
	}
	for i := range c.spread(len(c.finders), len(n.nodes), minParallelNodes, c.doFriction) {
		if commit {
			c.Speeds.Raise(c.finders[i].speeds)
		}
	}
	c.slideTogether()
	c.lap(FrictionPhase)
	c.sums, c.losses = sums{}, c.losses[:0]
	n.stiffness = slices.Grow(n.stiffness[:0], len(n.nodes))[:len(n.nodes)]
	k, stiffest := math.NaN(), 0.0 // of the previous contact point, which often has the same stiffness
	for i, t := range n.k[:len(n.nodes)] {
		if t != k {
			k, stiffest = t, c.Friction.Stiffest(t)
		}
		n.stiffness[i] = stiffest
	}
	c.coverStiffness()
	c.pressing.contactPoints = n
	gone := n.nodes[c.Active:] // nodes that have separated
	for i := range gone {
		t := &gone[i]
		t.fraction, t.slip = c.Kept[t.slot].AreaFraction, c.Kept[t.slot].Slip
	}
	c.spread(c.shared.Workers, max(1, len(n.nodes)), minParallelNodes, c.doRecord)
	for i := range gone {
		t := &gone[i]
		c.Stored += float64(n.w[c.Active+i] * (c.area[int(t.id)/c.Nodes] * t.fraction))
	}
	for _, loss := range c.losses {
		c.ImpactLoss += loss
	}
}

// frictionChunk is chunk i of the friction.
func (c *Contact) frictionChunk(i int) {
	n, f := &c.points, &c.finders[i]
	lo, hi := c.shared.Share(i, len(n.pairs))
	hi, f.speeds = n.elementStart(hi), coulomb.Speeds{}
	for lo = n.elementStart(lo); lo < hi; {
		end := n.sameElement(lo)
		f.speeds.Raise(c.findFriction(n.pairs[lo:end], c.dt))
		lo = end
	}
}

// tilePairs is the number of edge pairs whose forces one worker adds before it stores their results,
// while their data are in the cache.
const tilePairs = 64

// recordChunk is chunk i of the work that has an order: the first chunk adds forces, the last one
// updates the state. A single chunk does both, tile by tile.
func (c *Contact) recordChunk(i int) {
	first, last := i == 0, i == c.shared.N-1 && c.commits
	if last {
		c.inContactBefore, c.ImpactLoss = c.inContactBefore[:0], 0
	}
	for pairs := c.points.pairs; len(pairs) > 0; {
		some := pairs[:min(tilePairs, len(pairs))]
		if first {
			c.pressPairs(some)
		}
		if last {
			c.commit(some)
		}
		pairs = pairs[len(some):]
	}
	if first && c.commits {
		c.addPredicted(c.out)
	}
	if last {
		c.commitSeparated()
	}
}

// pressing is the data of an edge pair in contact.
type pressing struct {
	inward, turned            r2.Vec // normal into the opposite body, and the same rotated to the right by 90 degrees
	rotation                  r2.Vec // see edgePair
	start, chord              r2.Vec // point A of the contact element, and from there to B [m]
	area, side                float64
	damping2                  float64 // twice the law's [Pa s/m]
	positionSlope, depthSlope float64
	onto                      [4]*onnodes.Force // entries of A and B of the contact element, and of those of the opposite edge

	base           int32     // the first contact node of the element, within the contact
	positions      []float64 // of the contact nodes of an element
	slope          float64   // see edgePair
	*contactPoints           // all contact points
}

// pressPairs adds the forces of edge pairs to their end nodes and to the sums, in the order of the
// pairs.
func (c *Contact) pressPairs(pairs []edgePair) {
	for ; len(pairs) > 0; pairs = pairs[1:] {
		if pairs = pairs[c.kernel.press(c, pairs):]; len(pairs) == 0 {
			return
		}
		c.press(&pairs[0], &c.out, c.x)
	}
}

// press adds the forces of an edge pair to its end nodes and to the sums.
func (c *Contact) press(m *edgePair, out *onnodes.Forces, x []r2.Vec) {
	p := &c.pressing
	edge, o := &c.outline.Edges[m.own], &c.outline.Edges[m.edge]
	nodes := &c.layouts[c.layoutOf[m.element]]
	p.inward, p.turned, p.rotation = m.inward, r2.Vec{X: m.inward.Y, Y: -m.inward.X}, m.rotation
	p.start, p.chord = x[edge.A], sub(x[edge.B], x[edge.A])
	p.area, p.side, p.damping2, p.positionSlope, p.depthSlope = c.area[m.element], m.side, 2*(c.damping+m.damper), m.positionSlope, m.depthSlope
	p.onto = [4]*onnodes.Force{out.On(edge.A), out.On(edge.B), out.On(o.A), out.On(o.B)}
	p.base, p.positions, p.slope = m.element*int32(c.Nodes), nodes.position, m.slope
	bends := nodes.hats != nil && c.cubic[m.element]
	for i := m.first; i < m.end; i++ {
		k := int(p.nodes[i].id - p.base)
		f, moment := p.pressPoint(i, nodes.position[k], &c.sums)
		if bends {
			bent := bend(out.Moment, edge, &nodes.hats[k], x, f.X, f.Y)
			p.onto[0].F, p.onto[1].F = sub(p.onto[0].F, bent), r2.Add(p.onto[1].F, bent)
		}
		if nodes.height != nil {
			_, off := nodes.point(x[edge.A], x[edge.B], k)
			couple := elementary.Cross(off, f)
			moment += couple
			turn := scale(couple, rotationGradient(x[edge.A], x[edge.B]))
			p.onto[0].F, p.onto[1].F = sub(p.onto[0].F, turn), r2.Add(p.onto[1].F, turn)
		}
		if m.stretch != 0 {
			apart := scale(p.p[i]*p.area*p.nodes[i].fraction*p.nodes[i].force*m.stretch, p.chord)
			p.onto[0].F, p.onto[1].F = r2.Add(p.onto[0].F, apart), sub(p.onto[1].F, apart)
		}
		c.Moment += float64(p.side * moment)
	}
}

// pressPoint adds the forces of contact point i, at position u of the contact element. It returns
// its force and the moment of the force about the origin, which have still to be added to the sums.
func (p *pressing) pressPoint(i int32, u float64, sum *sums) (f r2.Vec, moment float64) {
	t := &p.nodes[i]
	area := p.area * t.fraction
	stiff, damp := 2*p.stiffness[i]*area, p.damping2*area
	if t.repeated {
		stiff, damp = stiff*t.covered, damp*t.covered
	} else {
		sum.Stored += float64(p.w[i] * area)
	}
	s := t.position
	v, w, held := 1-u, 1-s, within(s)
	ea, eb, oa, ob := p.onto[0], p.onto[1], p.onto[2], p.onto[3]
	for _, add := range [...]struct {
		on    *onnodes.Force
		share float64
	}{{ea, v}, {eb, u}, {oa, 1 - held}, {ob, held}} {
		add.on.Stiffness += float64(add.share * stiff)
		add.on.Damping += float64(add.share * damp)
	}
	normal, tangential := float64(p.p[i]*area*t.force), float64(p.friction[i]*area*t.force)/t.forceSum
	normal1, friction1 := float64(p.p[i]*area*t.moment), float64(p.friction[i]*area*t.moment)/t.forceSum
	sum.Normal += normal
	sum.Tangential += tangential
	tangential -= float64(p.w[i] * t.fractionSlope * p.area)
	if p.slope != 0 {
		tangential -= float64(normal * p.slope)
	}
	fx := float64(tangential*p.turned.X) - float64(normal*p.inward.X)
	fy := float64(tangential*p.turned.Y) - float64(normal*p.inward.Y)
	gx := float64(friction1*p.turned.X) - float64(normal1*p.inward.X)
	gy := float64(friction1*p.turned.Y) - float64(normal1*p.inward.Y)
	f = r2.Vec{X: fx, Y: fy}
	ea.F.X += float64(v*fx) - gx
	ea.F.Y += float64(v*fy) - gy
	eb.F.X += float64(u*fx) + gx
	eb.F.Y += float64(u*fy) + gy
	sum.Resultant.X += float64(p.side * fx)
	sum.Resultant.Y += float64(p.side * fy)
	arm := r2.Vec{X: p.start.X + float64(u*p.chord.X), Y: p.start.Y + float64(u*p.chord.Y)}
	moment = elementary.Cross(arm, f) + elementary.Cross(p.chord, r2.Vec{X: gx, Y: gy})
	// forces act at the contact node, not at the edge, so couples conserve angular momentum
	couple := float64(tangential*t.depthAt) + float64(friction1*p.depthSlope)
	cx, cy := float64(couple*p.rotation.X), float64(couple*p.rotation.Y)
	hx, hy := float64(p.positionSlope*gx), float64(p.positionSlope*gy)
	oa.F.X = oa.F.X - (float64(w*fx) - hx) - cx
	oa.F.Y = oa.F.Y - (float64(w*fy) - hy) - cy
	ob.F.X = ob.F.X - (float64(s*fx) + hx) + cx
	ob.F.Y = ob.F.Y - (float64(s*fy) + hy) + cy
	return f, moment
}

// side returns 1 if the force of edge j on edge i counts as a force on the contactor, and -1 if its
// reaction on edge j does. If both edges are contactor and opposite to each other, the first body
// counts as contactor.
func (c *Contact) side(i, j int32) float64 {
	onto, from := c.isContactor[i] && c.isOpposite[j], c.isOpposite[i] && c.isContactor[j]
	if onto && from {
		d := c.outline.Edges[j].Body - c.outline.Edges[i].Body
		onto, from = d > 0, d < 0
	}
	switch {
	case onto:
		return 1
	case from:
		return -1
	}
	return 0
}

// bend transfers a force on the face of a beam from the linear to the cubic shape functions. It
// changes how the part across the edge is distributed to the ends, and adds moments. It returns the
// force that is added at B and subtracted at A.
func bend(moment []float64, edge *mesh.Edge, h *hat, x []r2.Vec, fx, fy float64) r2.Vec {
	d := sub(x[edge.B], x[edge.A])
	length := math.Sqrt(elementary.Dot(d, d))
	left := r2.Vec{X: -d.Y / length, Y: d.X / length}
	across := float64(fx*left.X) + float64(fy*left.Y)
	more := float64((h.acrossB - h.centroid) * across)
	moment[edge.A] += float64(across * length * h.momentA)
	moment[edge.B] += float64(across * length * h.momentB)
	return r2.Vec{X: float64(more * left.X), Y: float64(more * left.Y)}
}

// rotationGradient returns the left normal of the edge from a to b divided by its length. Its
// product with the difference of the ends' velocities is the edge's angular velocity.
func rotationGradient(a, b r2.Vec) r2.Vec {
	d := sub(b, a)
	l2 := elementary.Dot(d, d)
	return r2.Vec{X: -d.Y / l2, Y: d.X / l2}
}
