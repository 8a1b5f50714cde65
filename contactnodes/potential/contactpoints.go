package potential

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sort"

	"fdem/boundingbox"
	"fdem/materials/contact"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// underEdge is a contact node in or near an edge of an outline without triangles.
type underEdge struct {
	face, point, target, rule int32
	a, b                      int32 // nodes of the edge
	deep, position, arm       float64
	slope                     r2.Vec
}

// finder has the results of a worker.
type finder struct {
	groups    []group
	runs      [][]sleeper // candidates of each face
	separated []uint8     // per four candidates: a bit for each separated one, and above these a bit for each that may sleep
	fours     []four
	under     []underEdge // contact nodes of these faces under edges
	slots
	vectors
	ended []ended
	// The next pair of the state, with its number, and those of its contact nodes that have not
	// been found yet.
	at     int
	old    pair
	number uint64
	rest   uint32
	// Pairs in contact, for the next state.
	inContact []int32
	points    int32
	values    []float64
	_         [64]byte
}

// numberOf returns the number of a pair. Pairs are sorted by it.
func numberOf(face, target int32) uint64 { return uint64(face)<<32 | uint64(target) }

// side is a face at its present position.
type side struct {
	xa, xb      r2.Vec // its ends
	first, last r2.Vec // contact nodes
}

// sideOf returns a face from node a to b for nodes at x. It is displaced outwards like its contact
// nodes.
func (c *Contact) sideOf(face, a, b int32, x []r2.Vec) side {
	s := side{xa: x[a], xb: x[b]}
	if out := c.outOf(face, s.xa, s.xb); out != (r2.Vec{}) {
		s.xa.X, s.xa.Y = s.xa.X+out.X, s.xa.Y+out.Y
		s.xb.X, s.xb.Y = s.xb.X+out.X, s.xb.Y+out.Y
	}
	s.first, s.last = s.at(positionOf(0)), s.at(positionOf(perFace-1))
	return s
}

// outOf returns the outward offset of the contact nodes of a face from a to b [m].
func (c *Contact) outOf(face int32, a, b r2.Vec) r2.Vec {
	if !c.Dilates || c.Rise[face] == 0 {
		return r2.Vec{}
	}
	d := sub(b, a)
	l := c.Rise[face] / norm(d)
	return r2.Vec{X: l * d.Y, Y: -l * d.X}
}

// atOnce is the number of faces that are evaluated together.
const atOnce = 128

// fetchAhead is how many fours in advance data are prefetched.
const fetchAhead = 2

// find is the narrow phase of faces [lo, hi). It also evaluates the laws.
func (c *Contact) find(f *finder, lo, hi int) {
	c.findCandidates(f, lo, hi)
	c.kernel.cull(c, f)
	c.pair(f)
	n := perFour * len(f.fours)
	for _, of := range [...]*[]float64{&f.d, &f.rate, &f.p, &f.dp, &f.k, &f.w} {
		*of = slices.Grow((*of)[:0], n)[:n]
	}
	for i := range f.fours {
		f.fours[i].fill()
	}
	for i := range f.fours {
		if i+fetchAhead < len(f.fours) {
			c.kernel.fetch(c, f, i+fetchAhead)
		}
		c.kernel.locate(c, f, i)
		c.confirmPoints(f, &f.fours[i])
	}
	c.endBefore(f, numberOf(c.faces[hi-1]+1, 0))
	c.evalLaws(f)
}

// findCandidates lists the triangles with which faces [lo, hi) may be in contact, and their contact
// nodes under edges.
func (c *Contact) findCandidates(f *finder, lo, hi int) {
	f.runs, f.under = f.runs[:0], f.under[:0]
	first, end, fours := int32(0), int32(0), 0
	note := func() {
		if first < end {
			f.runs = append(f.runs, c.among[first:end])
			fours += (int(end-first) + lanes - 1) / lanes
		}
	}
	for _, face := range c.faces[lo:hi] {
		if of := c.chosen[face]; of[0] == end {
			end = of[1]
		} else if of[0] < of[1] {
			note()
			first, end = of[0], of[1]
		}
	}
	note()
	if len(c.edges) > 0 {
		for _, face := range c.faces[lo:hi] {
			if of := c.beside[face]; of[0] < of[1] {
				c.findUnderEdges(f, face, c.edges[of[0]:of[1]])
			}
		}
	}
	f.separated = slices.Grow(f.separated[:0], fours)[:fours]
}

// findUnderEdges lists the contact nodes of a face that are under some edges.
func (c *Contact) findUnderEdges(f *finder, face int32, edges []sleeper) {
	if c.part[face] == 0 {
		return
	}
	first := len(f.under)
	for k := range edges {
		if m := &edges[k]; m.wakes <= c.due {
			if s := c.sideOf(m.face, m.a, m.b, c.x); !c.underEdge(f, &s, m, first) {
				c.sleep(m, &s)
			}
		}
	}
	slices.SortFunc(f.under[first:], func(p, q underEdge) int {
		return cmp.Or(cmp.Compare(p.target, q.target), cmp.Compare(p.point, q.point))
	})
}

// cullPlain finds which faces and triangles are separated: the first and the last contact node, and
// so all, are beyond one side by more than the margin. It also excludes pairs that sleep.
func (c *Contact) cullPlain(f *finder) {
	clear(f.separated)
	far, separated := c.worthSleep(), f.separated
	for _, run := range f.runs {
		for i := range run {
			if m := &run[i]; m.wakes <= c.due {
				separated[i/lanes] |= c.separatedBits(m, far) << (i % lanes)
			} else {
				separated[i/lanes] |= 1 << (i % lanes)
			}
		}
		separated = separated[(len(run)+lanes-1)/lanes:]
	}
}

// separatedBits returns the bits of a candidate in finder.separated.
func (c *Contact) separatedBits(m *sleeper, far float64) (is uint8) {
	s := c.sideOf(m.face, m.a, m.b, c.x)
	node, h := &c.Triangles[m.target], (*[3]float64)(c.altitude[3*m.target:])
	p0, p1, p2 := c.x[node[0]], c.x[node[1]], c.x[node[2]]
	e0, e1, e2 := sub(p2, p1), sub(p0, p2), sub(p1, p0) // opposite the corners
	beyond := -c.margin * cross(e2, sub(p2, p0))
	a, b, e := cross(e0, sub(s.first, p1)), cross(e0, sub(s.last, p1)), e0
	if !(float64(a*h[0]) < beyond && float64(b*h[0]) < beyond) {
		a, b, e = cross(e1, sub(s.first, p2)), cross(e1, sub(s.last, p2)), e1
		if !(float64(a*h[1]) < beyond && float64(b*h[1]) < beyond) {
			a, b, e = cross(e2, sub(s.first, p0)), cross(e2, sub(s.last, p0)), e2
			if !(float64(a*h[2]) < beyond && float64(b*h[2]) < beyond) {
				return 0
			}
		}
	}
	if d := max(a, b); float64(d*d) > float64(far*far*elementary.Dot(e, e)) {
		return 1 | 1<<lanes
	}
	return 1
}

// pair collects pairs of faces and triangles that are not separated, and the contact nodes under
// edges between them, in ascending order of faces and targets. Distant pairs start to sleep.
func (c *Contact) pair(f *finder) {
	f.fours = f.fours[:0]
	under, separated := f.under, f.separated
	for _, run := range f.runs {
		for ; len(run) > 0; separated = separated[1:] {
			n := min(lanes, len(run))
			some, all, is := run[:n], uint8(1)<<n-1, separated[0]
			run = run[n:]
			for far := all & is & (is >> lanes); far != 0; far &= far - 1 {
				m := &some[bits.TrailingZeros8(far)]
				s := c.sideOf(m.face, m.a, m.b, c.x)
				c.sleep(m, &s)
			}
			for left := all &^ is; left != 0; left &= left - 1 {
				m := &some[bits.TrailingZeros8(left)]
				if c.part[m.face] == 0 {
					continue
				}
				for ; len(under) > 0 && under[0].face < m.face; under = under[1:] {
					c.pairUnder(f, &under[0])
				}
				q, l := f.add(m.face, m.target, m.rule, false)
				node := &c.Triangles[m.target]
				q.node[0][l], q.node[1][l], q.node[2][l], q.node[3][l], q.node[4][l] = m.a, m.b, node[0], node[1], node[2]
			}
		}
	}
	for i := range under {
		c.pairUnder(f, &under[i])
	}
}

// pairUnder makes a pair for a contact node under an edge.
func (c *Contact) pairUnder(f *finder, m *underEdge) {
	q, l := f.add(m.face, m.target, m.rule, true)
	a, b := c.ends(m.face)
	for k, n := range [5]int32{a, b, m.a, m.b, -1} {
		q.node[k][l] = n
	}
	for point := range perFace {
		q.deep[point][l], q.side[point][l] = 0, 0
		q.weight[point][0][l], q.weight[point][1][l], q.weight[point][2][l] = 0, 0, 0
	}
	q.deep[m.point][l], q.weight[m.point][0][l], q.weight[m.point][1][l] = m.deep, 1-m.position, m.position
	q.slope[0][0][l], q.slope[0][1][l], q.arm[l] = m.slope.X, m.slope.Y, m.arm
	q.near[l], q.inContact[l], q.undecided[l] = 1<<m.point, 0, 0
	if m.deep > 0 {
		q.inContact[l] = 1 << m.point
	}
}

// locatePlain finds the positions of the contact nodes of four pairs in their triangles; for edges
// they are known. It also finds their velocities relative to the targets, and stores deflections
// and rates in the slots.
func (c *Contact) locatePlain(f *finder, i int) {
	q, deflection, rate := &f.fours[i], f.d[perFour*i:][:perFour], f.rate[perFour*i:][:perFour]
	for l := range q.n {
		if !q.edges {
			c.locate(q, l)
		}
		va, vb := c.v[q.node[0][l]], c.v[q.node[1][l]]
		v0, v1, v2 := c.v[q.node[2][l]], c.v[q.node[3][l]], r2.Vec{}
		if n := q.node[4][l]; n >= 0 {
			v2 = c.v[n]
		}
		along, turn, arm := sub(vb, va), 0.0, 0.0
		if out := c.outOf(q.face[l], c.x[q.node[0][l]], c.x[q.node[1][l]]); out != (r2.Vec{}) { // the face rotates
			d := sub(c.x[q.node[1][l]], c.x[q.node[0][l]])
			w := cross(d, along) / elementary.Dot(d, d)
			va.X, va.Y = va.X-float64(w*out.Y), va.Y+float64(w*out.X)
		}
		if q.edges && q.arm[l] != 0 { // the edge rotates
			arm = q.arm[l]
			d := sub(c.x[q.node[3][l]], c.x[q.node[2][l]])
			turn = cross(d, sub(v1, v0)) / elementary.Dot(d, d)
		}
		for point := range int32(perFace) {
			at := lanes*point + l
			deflection[at], rate[at] = 0, 0
			if (q.near[l]|q.undecided[l])>>point&1 == 0 { // not needed
				continue
			}
			u, slope := positionOf(point), q.slopeOf(point, l)
			w0, w1, w2 := q.weightsOf(point, l)
			relative := r2.Vec{
				X: va.X + float64(u*along.X) - float64(w0*v0.X) - float64(w1*v1.X) - float64(w2*v2.X),
				Y: va.Y + float64(u*along.Y) - float64(w0*v0.Y) - float64(w1*v1.Y) - float64(w2*v2.Y),
			}
			if arm != 0 {
				relative.X += float64(turn * arm * slope.Y)
				relative.Y -= float64(turn * arm * slope.X)
			}
			q.relative[point][0][l], q.relative[point][1][l] = relative.X, relative.Y
			deflection[at], rate[at] = max(q.deep[point][l], 0), elementary.Dot(slope, relative)
		}
	}
	for l := q.n; l < lanes; l++ {
		for point := range int32(perFace) {
			deflection[lanes*point+l], rate[lanes*point+l] = 0, 0
		}
	}
}

// locate finds the positions of the contact nodes of a pair in its triangle.
func (c *Contact) locate(q *four, l int32) {
	s := c.sideOf(q.face[l], q.node[0][l], q.node[1][l], c.x)
	h := (*[3]float64)(c.altitude[3*q.target[l]:])
	p := [3]r2.Vec{c.x[q.node[2][l]], c.x[q.node[3][l]], c.x[q.node[4][l]]}
	e0, e1, e2 := sub(p[2], p[1]), sub(p[0], p[2]), sub(p[1], p[0]) // opposite to the corners
	per := 1 / cross(e2, sub(p[2], p[0]))
	// area coordinates of the face's first contact node, and the differences of those of the last
	// one
	a0, a1, a2 := float64(cross(e0, sub(s.first, p[1]))*per), float64(cross(e1, sub(s.first, p[2]))*per), float64(cross(e2, sub(s.first, p[0]))*per)
	d0, d1, d2 := float64(cross(e0, sub(s.last, p[1]))*per)-a0, float64(cross(e1, sub(s.last, p[2]))*per)-a1, float64(cross(e2, sub(s.last, p[0]))*per)-a2
	for k, e := range [3]r2.Vec{e0, e1, e2} {
		steep := h[k] * per
		q.slope[k][0][l], q.slope[k][1][l] = -steep*e.Y, steep*e.X
	}
	q.inContact[l], q.near[l], q.undecided[l] = 0, 0, 0
	for point := range int32(perFace) {
		u := float64(point) * (1.0 / (perFace - 1))
		w0, w1, w2 := a0+float64(u*d0), a1+float64(u*d1), a2+float64(u*d2)
		deep, nearest := float64(w0*h[0]), uint64(0)
		if d := float64(w1 * h[1]); d < deep {
			deep, nearest = d, 1
		}
		if d := float64(w2 * h[2]); d < deep {
			deep, nearest = d, 2
		}
		w := &q.weight[point]
		w[0][l], w[1][l], w[2][l], q.deep[point][l], q.side[point][l] = w0, w1, w2, deep, nearest
		bit := uint64(1) << point
		switch {
		case deep > 0:
			q.inContact[l] |= bit
			q.near[l] |= bit
		case !(deep > -c.margin):
		case c.isBeside(p[(nearest+1)%3], p[(nearest+2)%3], s.at(positionOf(point))):
			q.near[l] |= bit
		default:
			q.undecided[l] |= bit
		}
	}
}

// confirmPoints decides which undecided contact nodes of four pairs are near, and finds their
// areas. It finds which contact points of the state continue or end, and records the present ones.
func (c *Contact) confirmPoints(f *finder, q *four) {
	for l := range q.n {
		if !q.edges && (q.undecided[l] != 0 || c.bent) {
			c.decide(q, l)
		}
		c.measure(q, l)
		face, target, inContact := q.face[l], q.target[l], uint32(q.inContact[l])

		// contact points of the state
		number := numberOf(face, target)
		if f.number < number {
			c.endBefore(f, number)
		}
		q.held[l], q.was[l] = 0, rows{}
		if f.number == number {
			upto := uint32(1<<perFace - 1)
			if q.edges {
				upto = uint32(2*q.near[l] - 1)
			}
			if ended := f.rest & upto &^ inContact; ended != 0 {
				c.endAll(f, ended)
			}
			q.held[l], q.was[l] = uint64(f.rest&upto)&q.near[l], f.old.rows
			f.rest &^= upto
		}

		// and the present ones
		q.now[l] = rows{f.points, inContact}
		if inContact != 0 {
			f.inContact = join(f.inContact, pair{face, target, q.now[l]})
			f.points += int32(bits.OnesCount32(inContact))
		}
	}
}

// endBefore ends the remaining contact points of the pairs of the state whose number is below a
// number.
func (c *Contact) endBefore(f *finder, number uint64) {
	for f.number < number {
		c.endAll(f, f.rest)
		f.begin(&c.State, f.at+1)
	}
}

// begin makes a pair of the state the next pair.
func (f *finder) begin(of *State, at int) {
	f.at, f.number, f.rest = at, math.MaxUint64, 0
	if at < of.pairs() {
		f.old = of.pairAt(at)
		f.number, f.rest = numberOf(f.old.face, f.old.target), f.old.points
	}
}

// endAll ends the contact points of some contact nodes of the next pair.
func (c *Contact) endAll(f *finder, points uint32) {
	for ; points != 0; points &= points - 1 {
		c.end(f, f.old, int32(bits.TrailingZeros32(points)))
	}
}

// decide finds which undecided contact nodes of a pair with a triangle are near. It excludes
// separating ones of a body with self-contact from the start.
func (c *Contact) decide(q *four, l int32) {
	face, target := q.face[l], q.target[l]
	node := [3]int32{q.node[2][l], q.node[3][l], q.node[4][l]}
	a, b := q.node[0][l], q.node[1][l]
	if q.undecided[l] != 0 {
		s, p := c.sideOf(face, a, b, c.x), [3]r2.Vec{c.x[node[0]], c.x[node[1]], c.x[node[2]]}
		for in := q.undecided[l]; in != 0; in &= in - 1 {
			point := int32(bits.TrailingZeros64(in))
			if c.isNear(&p, int32(q.side[point][l]), s.at(positionOf(point))) {
				q.near[l] |= 1 << point
			}
		}
	}
	if body := c.Body[c.Faces[face].Triangle]; c.Bent[body] && c.Body[target] == body && !c.Faces[face].CrackFace {
		h := (*[3]float64)(c.altitude[3*target:])
		for in := q.near[l]; in != 0; in &= in - 1 {
			point := int32(bits.TrailingZeros64(in))
			w0, w1, w2 := q.weightsOf(point, l)
			if !c.isClosing(a, b, point, &node, &[3]float64{w0, w1, w2}, q.deep[point][l], q.slopeOf(point, l), h) {
				q.near[l] &^= 1 << point
			}
		}
		q.inContact[l] &= q.near[l]
	}
}

// measure finds the area of the contact nodes of a pair.
func (c *Contact) measure(q *four, l int32) {
	face := q.face[l]
	whole := c.area[face]
	if !q.edges { // both sides have contact nodes
		whole *= 0.5
	}
	q.whole[l], q.size[l], q.transferredArea[l] = whole, float64(whole*c.part[face]), 0
	f := &c.Faces[face]
	if f.CrackFace {
		if was, now := c.was[face], c.part[face]; was < now {
			q.transferredArea[l], q.transferring = float64(q.size[l]*(1-was/now)), true
		}
		return
	}
	// contact points of an outline may be transferred gradually
	if body, of := c.Body[f.Triangle], c.bodyOf(q.target[l]); body != of || c.Transfer.Transfers[body][of] {
		now, was := c.Transfer.Fraction(body, of)
		q.size[l] *= now
		if was < now {
			q.transferredArea[l], q.transferring = float64(q.size[l]*(1-was/now)), true
		}
	}
}

// evalLaws evaluates the laws, for consecutive fours with the same rule.
func (c *Contact) evalLaws(f *finder) {
	mem := f.mem[:0]
	for i := 0; i < len(f.fours); {
		first, rule := i, f.fours[i].rule
		for i++; i < len(f.fours) && f.fours[i].rule == rule; i++ {
		}
		law, lo, hi, from := c.Rules[rule].Law, perFour*first, perFour*i, len(mem)
		if memory := len(law.Memory()); memory > 0 {
			mem = slices.Grow(mem, memory*(hi-lo))[:from+memory*(hi-lo)]
			c.storeMemory(f.fours[first:i], mem[from:], memory)
		}
		of := mem[from:]
		c.kernel.eval(law, contact.Input{D: f.d[lo:hi], Rate: f.rate[lo:hi], Mem: of}, contact.Output{P: f.p[lo:hi], DP: f.dp[lo:hi], K: f.k[lo:hi], W: f.w[lo:hi], Mem: of})
	}
	f.mem = mem
}

// storeMemory copies the law's memory of each contact point to the slots. memory is the number of
// values per contact point.
func (c *Contact) storeMemory(fours []four, mem []float64, memory int) {
	none := int32(len(c.Values) / c.stride)
	for i := range fours {
		q := &fours[i]
		for point := range int32(perFace) {
			for l := range lanes {
				v := c.Values[:cap(c.Values)][int(q.was[l].of(point, none))*c.stride+values:]
				mem = mem[copy(mem[:memory], v):]
			}
		}
	}
}

// firstOf returns the first pair of the state that belongs to faces[i] or a later face.
func (c *Contact) firstOf(i int) int {
	if i == 0 {
		return 0
	}
	return sort.Search(c.pairs(), func(k int) bool { return c.pairAt(k).face >= c.faces[i] })
}

// positionOf returns the position of a contact node on its face, 0 to 1.
func positionOf(point int32) float64 { return positions[point] }

// positions are the positions of all contact nodes on a face.
var positions = func() (u [perFace]float64) {
	for i := range u {
		u[i] = (float64(i) + 0.5) / perFace
	}
	return u
}()

// coordinates returns the area coordinates of q in the triangle of corners p, and
// twice its area.
func coordinates(p *[3]r2.Vec, q r2.Vec) (lambda [3]float64, twice float64) {
	twice = cross(sub(p[1], p[0]), sub(p[2], p[0]))
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		lambda[k] = cross(sub(p[j], p[i]), sub(q, p[i])) / twice
	}
	return lambda, twice
}

// at returns a position on the face.
func (s *side) at(u float64) r2.Vec {
	return r2.Vec{X: s.xa.X + float64(u*(s.xb.X-s.xa.X)), Y: s.xa.Y + float64(u*(s.xb.Y-s.xa.Y))}
}

// isNear tells whether a position q outside a triangle of corners p is within the margin of the
// side opposite to a corner, or of another side.
func (c *Contact) isNear(p *[3]r2.Vec, nearest int32, q r2.Vec) bool {
	return c.isBeside(p[(nearest+1)%3], p[(nearest+2)%3], q) || c.isBeside(p[(nearest+2)%3], p[nearest], q) || c.isBeside(p[nearest], p[(nearest+1)%3], q)
}

// isBeside tells whether a position q is within the margin of a side from a to b.
func (c *Contact) isBeside(a, b, q r2.Vec) bool {
	edge, r := sub(b, a), sub(q, a)
	u := min(max(elementary.Dot(edge, r)/elementary.Dot(edge, edge), 0), 1)
	d := r2.Vec{X: r.X - float64(u*edge.X), Y: r.Y - float64(u*edge.Y)}
	return elementary.Dot(d, d) <= c.margin*c.margin
}

// rounding is the greatest penetration by rounding between the sides of a cut, relative to the
// altitude of a triangle.
const rounding = 1e-12

// isClosing tells whether a contact node of an outline is in a triangle of its own body, or moves
// into it. The sides of a cut lie next to each other from the start, and separating ones must not
// shorten the step.
func (c *Contact) isClosing(a, b, point int32, node *[3]int32, weight *[3]float64, deep float64, slope r2.Vec, h *[3]float64) bool {
	u := positionOf(point)
	va, vb := c.v[a], c.v[b]
	w := r2.Vec{X: va.X + float64(u*(vb.X-va.X)), Y: va.Y + float64(u*(vb.Y-va.Y))}
	for k, n := range node {
		w.X -= float64(weight[k] * c.v[n].X)
		w.Y -= float64(weight[k] * c.v[n].Y)
	}
	return deep+float64(stepsAhead*c.scene.Next*max(0, elementary.Dot(slope, w))) > rounding*min(h[0], h[1], h[2])
}

// underEdge lists the contact nodes of a face that are under, or near, an edge of an outline
// without triangles. It tells whether there may be any. A contact node belongs to the nearest edge
// of a body.
func (c *Contact) underEdge(f *finder, s *side, of *sleeper, first int) bool {
	edge := of.target - int32(len(c.Triangles))
	if boundingbox.BoxOf(s.first, s.last).Gap(c.box(of.target, c.x)) > c.margin {
		return false
	}
	e, target := &c.Outline.Edges[edge], c.firstEdge[edge]
	under := c.Outline.Under(edge, c.x, c.margin)
points:
	for point := range int32(perFace) {
		d, inward, position, arm := under.At(s.at(positionOf(point)))
		if d == 0 {
			continue
		}
		m := underEdge{face: of.face, point: point, target: target, rule: of.rule, a: e.A, b: e.B, deep: d, position: position, arm: arm, slope: inward}
		for i := first; i < len(f.under); i++ {
			o := &f.under[i]
			if o.point == point && o.target == target {
				if d > 0 && (o.deep <= 0 || d < o.deep) {
					*o = m
				}
				continue points
			}
		}
		f.under = append(f.under, m)
	}
	return true
}
