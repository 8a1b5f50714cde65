package impulses

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Contact points of convex parts by separating axes and clipping: of the edges of both parts the one
// is the reference from which the other part is farthest; the other part's edge most opposite to it is
// clipped to its length, and its ends are contact points. The point of attack is in the middle of the
// gap.

// manifold is a pair of parts with what it keeps from step to step: the contact points, by their
// features, and their impulses.
type manifold struct {
	parts   [2]int32
	contact int32
	count   int8 // of contact points
	swapped bool // the reference edge is on the second part
	id      [2]int32
	normal  [2]float64 // impulses of the last step [N s]
	tangent [2]float64
	calm    [2]bool // an impulse that no impact had to do with
	roll    float64 // of rolling, over the radius; a disc has one contact point
}

// point is a contact point of this step. What a sweep takes stands first, in two lines of the cache.
type point struct {
	a, b       int32   // bodies
	contact    int32   //
	hits       bool    // an impact with restitution
	calm       bool    // pressed in the last step, and no impact had to do with it
	impact     bool    // approaches or parts faster than a fall of a step, before it or in it: no resting contact
	n          r2.Vec  // normal, from a to b
	na, nb     float64 // arms of the normal force [m]
	ta, tb     float64 // arms of the force along the tangent (n.Y, -n.X) [m]
	kn, kt     float64 // mass that resists an impulse along the normal and along the tangent [kg]
	bound      float64 // least normal velocity after the step [m/s]
	least      float64 // least normal impulse [N s]
	friction   float64
	rolling    float64 // coefficient of rolling resistance
	pn, pt     float64 // impulses [N s]
	wasn, wast float64 // the same before the sweep
	dirn, dirt float64 // direction of conjugate gradients [N s]
	pr         float64 // angular impulse on b against rolling, over arm [N s]
	wasr, dirr float64
	arm, kr    float64 // radius of rolling [m], 0 unless rolling is resisted, and the mass that resists an angular impulse over it [kg]
	ra, rb     r2.Vec  // from the centres [m]
	gap        float64 // [m]
	meets      meeting
	before     float64 // normal velocity before the step [m/s]
	ratio      float64 // of before to the normal velocity without impulses, 0 to 1
	shift      float64 // friction times the slip of the last iteration, and the same of rolling, in a direct solution [m/s]
}

// meeting is what the normal of a contact point follows.
type meeting struct {
	face      int8    // 1 if it is that of a face of a, on which a corner or a disc of b lies, -1 for a face of b; 0 if it goes from point to point
	curvature float64 // then 1 over the distance of the points, negative in a hollow [1/m]
	round     [2]bool // a, b is a disc or hollow, whose point is its centre
}

// faceRounding is the distance, relative to the smallest body, by which another reference edge must
// be better.
const faceRounding = 1e-7

// collide finds the contact points of a pair with gaps up to margin [m] and appends them to k.points.
func (k *Contacts) collide(m *manifold, margin float64) {
	old := *m
	m.count = 0
	first := len(k.points)
	a, b := &k.parts[m.parts[0]], &k.parts[m.parts[1]]
	put := func(id int32, n, at r2.Vec, gap float64) {
		j := m.count
		m.count++
		m.id[j], m.normal[j], m.tangent[j], m.calm[j], m.roll = id, 0, 0, false, 0
		for i := range old.count {
			if old.id[i] == id {
				m.normal[j], m.tangent[j], m.calm[j], m.roll = old.normal[i], old.tangent[i], old.calm[i], old.roll
			}
		}
		p := point{a: a.body, b: b.body, contact: m.contact, n: n, gap: gap, pn: m.normal[j], pt: m.tangent[j], calm: m.calm[j]}
		if of := &k.of[m.contact]; of.Rolling > 0 {
			if p.arm = rollingRadius(a, b); p.arm > 0 {
				p.rolling, p.pr = of.Rolling, m.roll
			}
		}
		p.ra, p.rb = r2.Sub(at, k.centre(a.body)), r2.Sub(at, k.centre(b.body))
		k.points = append(k.points, p)
	}
	roundA, roundB := a.shape == disc || a.shape == hollow, b.shape == disc || b.shape == hollow
	switch {
	case roundA && roundB:
		k.circles(a, b, margin, put)
	case roundA:
		k.cornersAndCircle(b, a, margin, func(id int32, n, at r2.Vec, gap float64) { put(id, r2.Scale(-1, n), at, gap) })
	case roundB:
		k.cornersAndCircle(a, b, margin, put)
	default:
		k.polygons(m, a, b, margin, put)
	}
	for i := first; i < len(k.points); i++ {
		k.points[i].meets.round = [2]bool{roundA, roundB}
		if roundA && !roundB {
			k.points[i].meets.face = -k.points[i].meets.face
		}
	}
	k.inherit(m, &old)
	for j := m.count; j < 2; j++ { // nothing is left of former points
		m.id[j], m.normal[j], m.tangent[j], m.calm[j] = 0, 0, 0, false
	}
	if m.count == 0 {
		m.swapped, m.roll = false, 0
	}
}

// inherit passes the last impulses on to points whose feature is another, where both times two edges meet. Edges
// of one length that lie on one another take turns as the reference, and their corners as ends, by rounding. The
// ends stay in place, in the opposite order if the other part has the reference.
func (k *Contacts) inherit(m, old *manifold) {
	if m.count < 2 || old.count < 2 {
		return
	}
	points := k.points[len(k.points)-2:]
	for j := range points {
		if m.id[j] == old.id[0] || m.id[j] == old.id[1] {
			continue
		}
		i := j
		if m.swapped != old.swapped {
			i = 1 - j
		}
		if old.id[i] == m.id[1-j] {
			continue
		}
		m.normal[j], m.tangent[j], m.calm[j] = old.normal[i], old.tangent[i], old.calm[i]
		points[j].pn, points[j].pt, points[j].calm = m.normal[j], m.tangent[j], m.calm[j]
	}
}

// rollingRadius returns the radius R of rolling of two parts [m], 1/R the sum of their curvatures: 0 without a
// disc.
func rollingRadius(a, b *part) float64 {
	curvature, disk := 0.0, false
	for _, p := range [2]*part{a, b} {
		switch p.shape {
		case disc:
			curvature += 1 / p.radius
			disk = true
		case hollow:
			curvature -= 1 / p.radius
		}
	}
	if !disk || curvature <= 0 {
		return 0
	}
	return 1 / curvature
}

func (k *Contacts) centre(body int32) r2.Vec { return k.bodies.List[body].RigidMotion.Centre }

// putter takes a contact point: the number of its feature, the normal, the position and the gap.
type putter func(id int32, n, at r2.Vec, gap float64)

// circles finds the contact point of two discs, or of a disc in a hollow.
func (k *Contacts) circles(a, b *part, margin float64, put putter) {
	d := r2.Sub(k.centre(b.body), k.centre(a.body))
	l := elementary.Norm(d)
	if l == 0 || a.shape == hollow && b.shape == hollow {
		return
	}
	n := r2.Scale(1/l, d)
	gap, at := l-a.radius-b.radius, a.radius
	switch {
	case a.shape == hollow:
		gap, n = a.radius-l-b.radius, r2.Scale(-1, n)
		at = -a.radius
	case b.shape == hollow:
		gap, n = b.radius-l-a.radius, r2.Scale(-1, n)
	}
	if gap > margin || (a.shape == hollow || b.shape == hollow) && l > max(a.radius, b.radius) {
		return
	}
	put(0, n, elementary.Along(k.centre(a.body), n, at+float64(0.5*gap)), gap)
	curvature := &k.points[len(k.points)-1].meets.curvature
	if *curvature = 1 / l; a.shape == hollow || b.shape == hollow {
		*curvature = -*curvature
	}
}

// cornersAndCircle finds the contact points of a polygon or line p and a disc or hollow c, with
// normals from p to c.
func (k *Contacts) cornersAndCircle(p, c *part, margin float64, put putter) {
	x := k.centre(c.body)
	corners := k.world[p.first:p.end]
	if c.shape == hollow {
		k.cornersInHollow(corners, x, c.radius, margin, put)
		return
	}
	edge, far := k.farthestEdge(p, []r2.Vec{x})
	if far-c.radius > margin || k.inner[int(p.first)+edge] || p.shape == line && far <= 0 {
		return
	}
	a, b := corners[edge], corners[(edge+1)%len(corners)]
	t := elementary.Unit(r2.Sub(b, a))
	l, u := elementary.Norm(r2.Sub(b, a)), elementary.Dot(r2.Sub(x, a), t)
	n, id := r2.Vec{X: t.Y, Y: -t.X}, int32(2*edge)
	if far > 0 && (u < 0 || u > l) {
		corner := edge
		if u > l {
			corner = (edge + 1) % len(corners)
		}
		d := r2.Sub(x, corners[corner])
		far = elementary.Norm(d)
		if far-c.radius > margin {
			return
		}
		n, id = r2.Scale(1/far, d), int32(2*corner+1)
	}
	gap := far - c.radius
	put(id, n, elementary.Along(x, n, -(c.radius+float64(0.5*gap))), gap)
	if meets := &k.points[len(k.points)-1].meets; id&1 == 0 {
		meets.face = 1
	} else {
		meets.curvature = 1 / far
	}
}

// farthestEdge returns the edge of a convex part in front of which all of some points are farthest, and
// the distance of the nearest of them from the edge's line [m].
func (k *Contacts) farthestEdge(p *part, of []r2.Vec) (edge int, far float64) {
	corners := k.world[p.first:p.end]
	edges := len(corners)
	if p.shape == line {
		edges = 1
	}
	far = math.Inf(-1)
	for i := range edges {
		a, b := corners[i], corners[(i+1)%len(corners)]
		t := r2.Sub(b, a)
		least := math.Inf(1)
		for _, x := range of {
			least = min(least, float64((x.X-a.X)*t.Y)-float64((x.Y-a.Y)*t.X))
		}
		if d := least / math.Sqrt(float64(t.X*t.X)+float64(t.Y*t.Y)); d > far {
			edge, far = i, d
		}
	}
	return edge, far
}

// cornersInHollow finds the two corners that are nearest to the wall of a hollow.
func (k *Contacts) cornersInHollow(corners []r2.Vec, x r2.Vec, radius, margin float64, put putter) {
	middle := r2.Vec{}
	for _, c := range corners {
		middle = r2.Add(middle, r2.Sub(c, x))
	}
	if elementary.Norm(middle) > radius*float64(len(corners)) { // outside
		return
	}
	best := [2]int{-1, -1}
	var gaps [2]float64
	for i, c := range corners {
		gap := radius - elementary.Norm(r2.Sub(c, x))
		switch {
		case gap > margin:
		case best[0] < 0 || gap < gaps[0]:
			best[1], gaps[1] = best[0], gaps[0]
			best[0], gaps[0] = i, gap
		case best[1] < 0 || gap < gaps[1]:
			best[1], gaps[1] = i, gap
		}
	}
	if best[1] >= 0 && best[1] < best[0] {
		best[0], best[1], gaps[0], gaps[1] = best[1], best[0], gaps[1], gaps[0]
	}
	for j, i := range best {
		if i >= 0 {
			n := elementary.Unit(r2.Sub(corners[i], x))
			put(int32(i), n, elementary.Along(corners[i], n, 0.5*gaps[j]), gaps[j])
			k.points[len(k.points)-1].meets.curvature = 1 / (gaps[j] - radius)
		}
	}
}

// polygons finds the contact points of two polygons or of a polygon and a line.
func (k *Contacts) polygons(m *manifold, a, b *part, margin float64, put putter) {
	if a.shape == line && b.shape == line || !k.inFront(a, b) || !k.inFront(b, a) {
		return
	}
	edgeA, farA := k.farthestEdge(a, k.world[b.first:b.end])
	if farA > margin {
		return
	}
	edgeB, farB := k.farthestEdge(b, k.world[a.first:a.end])
	if farB > margin {
		return
	}
	rounding := faceRounding * k.size
	if m.swapped {
		rounding = -rounding
	}
	m.swapped = farB > farA+rounding
	reference, other, edge := a, b, edgeA
	if m.swapped {
		reference, other, edge = b, a, edgeB
	}
	if k.inner[int(reference.first)+edge] {
		return
	}
	k.clip(m, reference, other, edge, margin, put)
}

// inFront tells whether part q is not behind p, if that is a line.
func (k *Contacts) inFront(p, q *part) bool {
	if p.shape != line {
		return true
	}
	a, b := k.world[p.first], k.world[p.first+1]
	middle := r2.Vec{}
	for _, x := range k.world[q.first:q.end] {
		middle = r2.Add(middle, r2.Sub(x, a))
	}
	return elementary.Cross(middle, r2.Sub(b, a)) > 0
}

// clip puts the ends of the edge of other that is most opposite to the reference edge, clipped to its
// length.
func (k *Contacts) clip(m *manifold, reference, other *part, edge int, margin float64, put putter) {
	r, o := k.world[reference.first:reference.end], k.world[other.first:other.end]
	after := (edge + 1) % len(r)
	a := r[edge]
	l := elementary.Norm(r2.Sub(r[after], a))
	t := elementary.Unit(r2.Sub(r[after], a))
	n := r2.Vec{X: t.Y, Y: -t.X}
	edges := len(o)
	if other.shape == line {
		edges = 1
	}
	facing, least := 0, math.Inf(1)
	for i := range edges {
		g := r2.Sub(o[(i+1)%len(o)], o[i])
		if d := elementary.Cross(n, g) / elementary.Norm(g); d < least { // the cosine between n and the outward normal
			facing, least = i, d
		}
	}
	next := (facing + 1) % len(o)
	x, y := o[facing], o[next]
	sx, sy := elementary.Dot(t, r2.Sub(x, a)), elementary.Dot(t, r2.Sub(y, a))
	if sx < 0 || sy > l || sx <= sy {
		return
	}
	own, side := n, int32(0)
	if m.swapped {
		own, side = r2.Scale(-1, n), 1
	}
	at := func(share float64, id int32) {
		z := elementary.Between(x, y, share)
		if gap := elementary.Dot(n, r2.Sub(z, a)); gap < margin {
			put(id, own, elementary.Along(z, n, -0.5*gap), gap)
			k.points[len(k.points)-1].meets.face = 1 - int8(2*(id&1))
		}
	}
	// a feature is a corner of the other part, or one of the reference part
	if sx > l {
		at((sx-l)/(sx-sy), int32(4*after+2)+(1-side))
	} else {
		at(0, int32(4*facing)+side)
	}
	if sy < 0 {
		at(sx/(sx-sy), int32(4*edge+2)+(1-side))
	} else {
		at(1, int32(4*next)+side)
	}
}
