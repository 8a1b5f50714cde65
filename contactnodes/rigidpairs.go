package contactnodes

import (
	"cmp"
	"math"
	"slices"

	"fdem/boundingbox"
	"fdem/contactnodes/pairs"
	"fdem/materials/contact"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Contact of straight edges of rigid bodies with each other, by pairs of edges in closed form (package
// pairs), for linear laws. The contact nodes on such edges show the pressures of these pairs; they
// carry nothing themselves.
//
// The two halves of a pair carry half of the stiffness each. Against a body without corners that cannot
// move, such as a line, the half of the free body carries everything.
//
// If the stiffness is found for the bodies (Config.Corners), corners carry a part of the stiffness of
// their edges, see package pairs: cornerShare of the shorter of the two edges that meet, at each of
// them. The larger of two bodies has corners beside the whole stiffness of its edges: where the smaller
// one lies on its face, it has no corner in contact, and the face carries what the law says. Corners of
// bodies that cannot move carry nothing where another such body lies beside them, so that a body
// slides over the joint of two flush ones.

// cornerShare is the part of the shorter edge's stiffness that a corner carries.
const cornerShare = 0.45

// turnStiffness is the stiffness of a corner on a bisector relative to that on a face, for each unit
// of the other edges' weights: the sum of their depths' fourth powers has the derivative 5.
const (
	turnStiffness = 5
	onBisector    = 0.42 // weight of each of two edges on their bisector
)

// rigidPairs is the contact of rigid bodies in a contact.
type rigidPairs struct {
	pairs.Outline
	law      float64    // stiffness of the law [Pa/m]
	edgesOf  [][2]int32 // per connected component: its edges [first, end); nil for other components
	convex   []bool     // per connected component: it is closed and convex
	cornered []bool     // per connected component: it has corners that carry a part of the stiffness
	size     []float64  // per connected component: mean length of its edges [m]
	whole    []float64  // per boundary edge: stiffness of its two halves [N/m]
	beside   []float64  // per boundary edge: the part of it beside the corners [N/m]
	corner   []float64  // per boundary edge: stiffness of the corner at its start, for both halves [N/m]; 0 for none

	halves []rigidHalf // sorted by own and other edge
	edges  []int32     // edges whose frames are needed

	half      pairs.Half
	parts     []pairs.CornerPart
	flush     []pairs.Flush
	touches   []touch
	points    []rigidPoint
	gradients []gradient
	ahead     []aheadOf // stiffness now and in the next steps
	rubbing   facePatches
	shifts    []shift
	pulls     float64 // power of dampers [W]
	dt        float64 // the last step [s]
}

// rigidHalf is a candidate: half of a pair of edges.
type rigidHalf struct {
	own, other int32
	share      float64 // part of the stiffness that it carries
	stiffness  float64 // of the own edge in this half [N/m]
	side       float64 // see Contact.side
	sleeps     bool
	wake       float64 // weighted sum of the travels that may close the gap [m]
	weight     float64 // weight of the travel of the other component
}

func (h rigidHalf) compare(o rigidHalf) int {
	return cmp.Or(cmp.Compare(h.own, o.own), cmp.Compare(h.other, o.other))
}

// touch is a half in contact, or a corner.
type touch struct {
	own, other  int32
	corner      bool
	straight    bool    // all gradients are along the normal of the other edge
	first, end  int32   // points
	side        float64 // see Contact.side
	lo, hi      float64 // covered part of the own edge
	depth0, run float64 // depth at its position u: depth0 + u run [m]
	normal      float64 // [N]
	friction    float64 // [N]
	position    float64 // of the resultant along the own edge
	foot        float64 // and along the other edge
	inward      r2.Vec  // unit vector into the other body
	slope       float64 // change of the depth along the own edge
	shift       float64 // how fast depths shift along it [m/s]
	slip        float64 // [m/s]
	slipOn      [4]r2.Vec
	patch       int32
}

// rigidPoint is a Gauss node or a corner in contact.
type rigidPoint struct {
	at         float64 // position along the own edge
	depth      float64 // [m]
	lo, hi     float64 // least and greatest depth in the part that it represents [m]
	stiffness  float64 // [N/m]
	first, end int32   // gradients
	rate       float64 // of the depth [m/s]
	force      float64 // [N]
	damper     float64 // part of it by dampers [N]
}

// gradient is the derivative of a depth by the position of a node.
type gradient struct {
	node int32
	of   r2.Vec
}

// aheadOf is the stiffness of a half or of a corner for the time step.
type aheadOf struct {
	own, other int32
	pairs.Ahead
	stiffness float64 // [N/m]
	inward    r2.Vec
	foot      float64 // position along the other edge
	touch     int32   // the last touch so far if it belongs to this half or corner, else -1
}

// beginPairs prepares the pairs of rigid bodies, for nodes at x.
func (c *Contact) beginPairs(x []r2.Vec) {
	law, linear := c.Law.(contact.Linear)
	if !linear || c.Ends || c.Rigid == nil || c.Static {
		return
	}
	edges := c.outline.Edges
	k := &rigidPairs{law: law.K, whole: make([]float64, len(edges)), beside: make([]float64, len(edges)), corner: make([]float64, len(edges))}
	k.X = x
	var components int32
	k.Edges, components = c.pairEdges()
	k.edgesOf, k.rubbing = make([][2]int32, components), newFacePatches(components)
	k.convex, k.cornered, k.size = make([]bool, components), make([]bool, components), make([]float64, components)
	for i := range edges {
		if c.isRigidStraight(int32(i)) {
			of := &k.edgesOf[edges[i].Component]
			if of[1] == 0 {
				of[0] = int32(i)
			}
			of[1] = int32(i) + 1
		}
	}
	for p, of := range k.edgesOf {
		k.convex[p] = k.IsConvex(of[0], of[1])
		for i := of[0]; i < of[1]; i++ {
			k.whole[i] = k.law * c.width(i) * distance(x[edges[i].A], x[edges[i].B])
			k.beside[i] = k.whole[i]
			k.size[p] += distance(x[edges[i].A], x[edges[i].B]) / float64(of[1]-of[0])
		}
	}
	if c.Corners {
		for i := range edges {
			if c.isRigidStraight(int32(i)) {
				k.addCorner(c, int32(i), x)
			}
		}
	}
	c.rigid = k
}

// addCorner moves a part of the stiffness of the edges that meet at the start of edge i to the corner
// between them.
func (k *rigidPairs) addCorner(c *Contact, i int32, x []r2.Vec) {
	if !k.IsConvexAt(i) || c.Rigid[i] == Held && !k.isExposed(c, i, x) {
		return
	}
	before := k.Edges[i].Prev
	k.corner[i] = cornerShare * min(k.whole[i], k.whole[before])
	k.beside[i] -= k.corner[i]
	k.beside[before] -= k.corner[i]
	k.cornered[c.outline.Edges[i].Component] = true
}

// isExposed tells whether no other body that cannot move lies beside the corner at the start of edge
// i.
func (k *rigidPairs) isExposed(c *Contact, i int32, x []r2.Vec) bool {
	const beside = 1e-3 // relative to the edge
	e := &c.outline.Edges[i]
	near := beside * distance(x[e.A], x[e.B])
	for j := range c.outline.Edges {
		o := &c.outline.Edges[j]
		if c.Rigid[j] != Held || o.Component == e.Component || o.Radius != 0 {
			continue
		}
		along, to := sub(x[o.B], x[o.A]), sub(x[e.A], x[o.A])
		if distance(x[e.A], between(x[o.A], x[o.B], within(elementary.Dot(along, to)/square(along)))) < near {
			return false
		}
	}
	return true
}

// isRigidStraight tells whether an edge is a straight edge of a rigid body.
func (c *Contact) isRigidStraight(i int32) bool {
	return c.Rigid != nil && c.Rigid[i] != Deformable && c.outline.Edges[i].Radius == 0
}

// byPairs tells whether edges i and j are in contact as a pair of edges, without contact nodes.
func (c *Contact) byPairs(i, j int32) bool {
	return c.rigid != nil && c.isRigidStraight(i) && c.isRigidStraight(j)
}

// takeCandidates takes the candidates from a list of the broad phase, for positions x.
func (k *rigidPairs) takeCandidates(c *Contact, from *boundingbox.Pairs, x []r2.Vec, moved float64) {
	k.halves, k.edges = k.halves[:0], k.edges[:0]
	for _, p := range from.List {
		if !c.byPairs(p.I, p.J) || !c.mayTouch(p.I, p.J) && !c.mayTouch(p.J, p.I) {
			continue
		}
		for _, h := range [2][2]int32{{p.I, p.J}, {p.J, p.I}} {
			if share := k.shareOf(c, h[0], h[1]); share > 0 && !c.outline.remainsSeparated(h[0], h[1], x, moved) {
				k.halves = append(k.halves, rigidHalf{own: h[0], other: h[1], share: share, stiffness: float64(share * k.stiffnessOf(c, h[0], h[1])), side: c.side(h[0], h[1])})
			}
		}
	}
	slices.SortFunc(k.halves, rigidHalf.compare)
	for _, h := range k.halves {
		of := k.edgesOf[c.outline.Edges[h.other].Component]
		if !k.convex[c.outline.Edges[h.other].Component] {
			of = [2]int32{h.other, h.other + 1}
		}
		for i := of[0]; i < of[1]; i++ {
			k.edges = append(k.edges, i)
		}
		k.edges = append(k.edges, h.own)
	}
	slices.Sort(k.edges)
	k.edges = slices.Compact(k.edges)
}

// shareOf returns the part of the stiffness that the half of edge own carries.
func (k *rigidPairs) shareOf(c *Contact, own, other int32) float64 {
	i, j := c.outline.Edges[own].Component, c.outline.Edges[other].Component
	switch {
	case c.Rigid[other] == Held && !k.cornered[j]:
		return 1
	case c.Rigid[own] == Held && !k.cornered[i]:
		return 0
	}
	return 0.5
}

// stiffnessOf returns the stiffness of edge own against edge other, for both halves [N/m].
func (k *rigidPairs) stiffnessOf(c *Contact, own, other int32) float64 {
	const rounding = 1e-9
	i, j := c.outline.Edges[own].Component, c.outline.Edges[other].Component
	if k.size[i] > (1+rounding)*k.size[j] && k.shareOf(c, own, other) < 1 {
		return k.whole[own]
	}
	return k.beside[own]
}

// isIdle tells whether another evaluation would change nothing.
func (k *rigidPairs) isIdle(s *State) bool {
	return k == nil || len(k.halves) == 0 && len(s.Patches) == 0 && len(k.touches) == 0
}

// place takes the positions of this evaluation.
func (k *rigidPairs) place(c *Contact) {
	k.X = c.x
	k.Update(k.edges)
}

// find finds what touches at the positions of this evaluation. It fails if something is too deep.
func (k *rigidPairs) find(c *Contact, commit bool) error {
	k.touches, k.points, k.gradients, k.ahead = k.touches[:0], k.points[:0], k.gradients[:0], k.ahead[:0]
	for i := 0; i < len(k.halves); {
		end := i + 1
		for end < len(k.halves) && k.halves[end].own == k.halves[i].own {
			end++
		}
		if err := k.findEdge(c, k.halves[i:end], commit); err != nil {
			return err
		}
		i = end
	}
	return nil
}

// findEdge finds what touches of the halves with one own edge, and the corner at its start.
func (k *rigidPairs) findEdge(c *Contact, halves []rigidHalf, commit bool) error {
	for len(halves) > 0 {
		component, n := c.outline.Edges[halves[0].other].Component, 1
		for n < len(halves) && c.outline.Edges[halves[n].other].Component == component {
			n++
		}
		offset, awake := c.offsetBetween(c.outline.Edges[halves[0].own].Component, component), false
		for i := range halves[:n] {
			h := &halves[i]
			if h.sleeps && !k.wakes(c, h) {
				continue
			}
			awake = true
			if err := k.findHalf(c, h, offset, commit); err != nil {
				return err
			}
			k.findFlush(c, h, offset, commit)
		}
		if awake && k.corner[halves[0].own] > 0 {
			if err := k.findCorner(c, halves[:n], offset, commit); err != nil {
				return err
			}
		}
		halves = halves[n:]
	}
	return nil
}

// wakes tells whether a half that sleeps may have closed its gap.
func (k *rigidPairs) wakes(c *Contact, h *rigidHalf) bool {
	s, e := &c.sleep, c.outline.Edges
	h.sleeps = s.travelled[e[h.own].Component]+float64(h.weight*s.travelled[e[h.other].Component]) < h.wake
	return !h.sleeps
}

// fallAsleep lets a half sleep if its edges are far enough from each other.
func (k *rigidPairs) fallAsleep(c *Contact, h *rigidHalf) {
	s, e := &c.sleep, c.outline.Edges
	i, j := e[h.own].Component, e[h.other].Component
	ahead := min(s.lookAhead[i]+s.lookAhead[j], c.outline.LookAhead)
	gap, weight := c.outline.gapByLines(h.other, c.x[e[h.own].A], c.x[e[h.own].B], 0, ahead, c.x)
	if gap > minSleepSteps*(s.travel.Last[i]+float64(weight*s.travel.Last[j])) {
		h.sleeps, h.weight = true, weight
		h.wake = s.travelled[i] + float64(weight*s.travelled[j]) + gap
	}
}

// findHalf finds whether a half is in contact, and what it will be.
func (k *rigidPairs) findHalf(c *Contact, h *rigidHalf, offset float64, commit bool) error {
	far, at, half := true, int32(-1), &k.half
	begun := half.Begin(&k.Outline, h.own, h.other, offset)
	if begun && half.FindBegun(&k.Outline) {
		far, at = false, int32(len(k.touches))
		if err := k.addTouch(c, h); err != nil {
			return err
		}
	}
	if begun && commit && c.v != nil {
		near := c.prediction.approach(k.ApproachSpeed(h.own, h.other, c.v))
		if a := half.FindAhead(&k.Outline, near, min(c.lookAhead, predictionSteps*near)); a.Sum > 0 {
			_, inward := k.Along(h.other)
			k.ahead = append(k.ahead, aheadOf{own: h.own, other: h.other, Ahead: a, stiffness: h.stiffness, inward: inward, foot: half.FootAt(a.First / a.Sum), touch: at})
			far = false
		}
	}
	if half.FindSector(&k.Outline, h.own, h.other, offset) {
		far = false
		if err := k.addTouch(c, h); err != nil {
			return err
		}
		if t := &k.touches[len(k.touches)-1]; commit && c.v != nil {
			middle := 0.5 * (t.lo + t.hi)
			of := pairs.Ahead{Sum: half.Covered, First: half.Covered * middle, Second: half.Covered * middle * middle}
			k.ahead = append(k.ahead, aheadOf{own: h.own, other: h.other, Ahead: of, stiffness: h.stiffness, inward: k.inwardOf(t), touch: int32(len(k.touches) - 1)})
		}
	}
	if commit && c.v != nil && far {
		k.fallAsleep(c, h)
	}
	return nil
}

// addTouch adds the half that has just been found.
func (k *rigidPairs) addTouch(c *Contact, h *rigidHalf) error {
	half := &k.half
	t := touch{own: h.own, other: h.other, side: h.side, first: int32(len(k.points)), lo: 1}
	t.straight = !half.IsSector()
	t.lo, t.hi = half.Range()
	t.depth0, t.run = half.DepthLine()
	for i := range half.Points {
		p := &half.Points[i]
		if p.Falls {
			return k.tooDeep(c, h.own, h.other, p.U, 2*k.Edges[h.other].Roof-p.Depth)
		}
		q := rigidPoint{at: p.U, depth: p.Depth, stiffness: float64(h.stiffness * p.Weight), first: int32(len(k.gradients))}
		q.lo, q.hi = p.Depth, p.Depth
		if !half.IsSector() { // one of two nodes, which stand for half of the covered part each
			middle := p.U + float64((0.5-pairs.Spread)*p.Weight*float64(1-2*(i%2)))
			d, more := t.depth0+float64(middle*t.run), float64(0.5*math.Abs(t.run)*p.Weight)
			q.lo, q.hi = d-more, d+more
		}
		for n, g := range p.Gradient {
			k.gradients = append(k.gradients, gradient{half.Nodes[n], g})
		}
		q.end = int32(len(k.gradients))
		k.points = append(k.points, q)
	}
	t.end = int32(len(k.points))
	k.touches = append(k.touches, t)
	return nil
}

// tooDeep reports a position u along an edge that is deeper in another one's body than it should be.
// If it was as deep before the last step and has not been reported, it was beside the body or behind
// it.
func (k *rigidPairs) tooDeep(c *Contact, own, other int32, u, depth float64) error {
	e, limit := &k.Edges[own], k.Edges[other].Roof
	advice := c.advice(depth, limit)
	if c.v != nil {
		_, inward := k.Along(other)
		b := &k.Edges[other]
		v := sub(between(c.v[e.A], c.v[e.B], u), between(c.v[b.A], c.v[b.B], 0.5))
		if depth-float64(k.dt*elementary.Dot(inward, v)) > limit {
			advice = cameFromBehind
		}
	}
	return &DepthError{c.Name, between(c.x[e.A], c.x[e.B], u), depth, limit, advice}
}

// findCorner finds whether the corner at the start of the own edge of some halves against one body
// is in contact with that body, or will be.
func (k *rigidPairs) findCorner(c *Contact, halves []rigidHalf, offset float64, commit bool) error {
	own, node := halves[0].own, k.Edges[halves[0].own].A
	component := c.outline.Edges[halves[0].other].Component
	var depth float64
	k.parts = k.parts[:0]
	if of := k.edgesOf[component]; k.convex[component] {
		depth, k.parts = k.InConvex(k.parts, node, of[0], of[1])
	} else if depth = k.belowNearest(node, halves); math.IsInf(depth, 1) {
		return nil
	}
	depth -= offset
	h := &halves[0]
	if len(k.parts) == 0 || depth <= 0 {
		k.cornerAhead(c, own, halves, depth, commit)
		return nil
	}
	main := k.parts[0]
	for _, p := range k.parts {
		if p.Weight > main.Weight {
			main = p
		}
	}
	if depth > k.Edges[main.Edge].Roof {
		return k.tooDeep(c, own, main.Edge, 0, depth)
	}
	t := touch{own: own, other: main.Edge, corner: true, side: h.side, first: int32(len(k.points)), depth0: depth}
	q := rigidPoint{depth: depth, lo: depth, hi: depth, stiffness: h.share * k.corner[own], first: int32(len(k.gradients))}
	var sum r2.Vec
	turns := -main.Weight // weights of the other edges: the direction turns within the depth
	for _, p := range k.parts {
		turns += p.Weight
		_, n := k.Along(p.Edge)
		n = scale(p.Weight, n)
		sum = r2.Add(sum, n)
		o := &k.Edges[p.Edge]
		k.gradients = append(k.gradients, gradient{o.A, scale(p.Foot-1, n)}, gradient{o.B, scale(-p.Foot, n)})
	}
	k.gradients = append(k.gradients, gradient{node, sum})
	q.end = int32(len(k.gradients))
	k.points = append(k.points, q)
	t.end = int32(len(k.points))
	k.touches = append(k.touches, t)
	if commit && c.v != nil {
		k.ahead = append(k.ahead, aheadOf{own: own, other: main.Edge, Ahead: pairs.Ahead{Sum: 1 + float64(turnStiffness*turns)}, stiffness: h.share * k.corner[own], inward: scale(1/math.Sqrt(square(sum)), sum), foot: within(main.Foot), touch: int32(len(k.touches) - 1)})
	}
	return nil
}

// findFlush finds whether corners at the ends of the edges of a half are above each other. Of the two
// halves of a pair only one is taken.
func (k *rigidPairs) findFlush(c *Contact, h *rigidHalf, offset float64, commit bool) {
	if !c.Corners || h.own > h.other && h.share < 1 {
		return
	}
	k.flush = k.FindFlush(k.flush[:0], h.own, h.other, offset)
	for i := range k.flush {
		f := &k.flush[i]
		stiffness := 0.5 * h.share * (k.corner[f.CornerOwn] + k.corner[f.CornerOther])
		if k.corner[f.CornerOwn] == 0 || k.corner[f.CornerOther] == 0 {
			continue
		}
		q := rigidPoint{depth: f.Depth, lo: f.Depth, hi: f.Depth, stiffness: stiffness, first: int32(len(k.gradients))}
		for n, g := range f.Gradient {
			k.gradients = append(k.gradients, gradient{f.Nodes[n], g})
		}
		q.end = int32(len(k.gradients))
		first := int32(len(k.points))
		k.points = append(k.points, q)
		k.touches = append(k.touches, touch{own: h.own, other: h.other, corner: true, side: h.side, first: first, end: first + 1, depth0: f.Depth, lo: f.AtOwn, hi: f.AtOwn})
		if steep := square(f.Gradient[0]); commit && c.v != nil && steep > 0 {
			of := pairs.Ahead{Sum: steep, First: float64(steep * f.AtOwn), Second: float64(steep * f.AtOwn)}
			k.ahead = append(k.ahead, aheadOf{own: h.own, other: h.other, Ahead: of, stiffness: stiffness, inward: scale(1/math.Sqrt(steep), f.Gradient[0]), foot: f.AtOther, touch: int32(len(k.touches) - 1)})
		}
	}
}

// belowNearest finds the nearest edge in whose region a node is, of the other edges of some halves.
// It returns the depth, infinity if there is none.
func (k *rigidPairs) belowNearest(node int32, halves []rigidHalf) float64 {
	nearest := math.Inf(1)
	for i := range halves {
		through := k.Edges[halves[i].other].Through() // deeper, it is in front of another face of a thin body
		if d, part, ok := k.Below(node, halves[i].other); ok && d < through && math.Abs(d) < math.Abs(nearest) {
			nearest = d
			if k.parts = k.parts[:0]; d > 0 {
				k.parts = append(k.parts, part)
			}
		}
	}
	return nearest
}

// cornerAhead adds the stiffness that the corner at the start of an edge will have at a depth below
// zero.
func (k *rigidPairs) cornerAhead(c *Contact, own int32, halves []rigidHalf, depth float64, commit bool) {
	if !commit || c.v == nil {
		return
	}
	node, nearest, at := k.Edges[own].A, math.Inf(1), int32(-1)
	for i := range halves {
		if d, _, ok := k.Below(node, halves[i].other); ok && d < k.Edges[halves[i].other].Through() && math.Abs(d) < nearest {
			nearest, at = math.Abs(d), halves[i].other
		}
	}
	if at < 0 {
		return
	}
	near := c.prediction.approach(k.ApproachSpeed(own, at, c.v))
	far := min(c.lookAhead, predictionSteps*near)
	if w := pairs.WeightAhead(depth, near, far); w > 0 {
		_, inward := k.Along(at)
		_, part, _ := k.Below(node, at)
		turns := 0.0
		if end := min(part.Foot, 1-part.Foot) * k.EdgeLength(at); end < max(near, float64(far*(1-w))) && k.convex[c.outline.Edges[at].Component] {
			turns = onBisector
		}
		k.ahead = append(k.ahead, aheadOf{own: own, other: at, Ahead: pairs.Ahead{Sum: float64(w * w * (1 + float64(turnStiffness*turns)))}, stiffness: halves[0].share * k.corner[own], inward: inward, foot: within(part.Foot), touch: -1})
	}
}

// near calls the function with edges of rigid bodies that are in contact, or would be if they were
// nearer by gap [m], as Contact.Near does.
func (k *rigidPairs) near(c *Contact, gap float64, each func(edge, opposite int32, ends [2]r2.Vec, inward r2.Vec)) {
	for _, h := range k.halves {
		if lo, hi, ok := k.half.FindNear(&k.Outline, h.own, h.other, gap); ok {
			e := &k.Edges[h.own]
			_, inward := k.Along(h.other)
			each(h.own, h.other, [2]r2.Vec{between(c.x[e.A], c.x[e.B], lo), between(c.x[e.A], c.x[e.B], hi)}, inward)
		}
	}
}

// overlaps calls the function with the deepest place of each touch that is deeper than tolerance
// times the depth of the edge.
func (k *rigidPairs) overlaps(c *Contact, tolerance float64, each func(edge, opposite int32, depth float64)) {
	for i := range k.touches {
		if t := &k.touches[i]; t.deepest() > tolerance*c.outline.Depth[t.other] {
			each(t.own, t.other, t.deepest())
		}
	}
}

// received calls the function with the edges without contact nodes, with their greatest pressure [Pa]
// and the force on them [N], as Contact.Received does.
func (k *rigidPairs) received(c *Contact, each func(edge int32, pressure, force float64)) {
	for i := range k.touches {
		t := &k.touches[i]
		for _, e := range [2]int32{t.own, t.other} {
			if c.Opposes(e) {
				each(e, float64(k.law*max(0, t.deepest())), t.normal)
			}
		}
	}
}
