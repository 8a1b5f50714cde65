package spheres

import (
	"fmt"
	"math"
	"slices"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Sphere-to-segment contact: contact of spheres with the outlines of bodies of
// elements, edge by edge. The Voronoi regions of an outline determine which edge or
// corner is nearest to a sphere's centre:
//
//	   |edge  |corner        \     both    /
//	   | o    |   o           \    o      /
//	   |      |                \  / \    /        o centre of a sphere
//	---.------+                 \'   '  /
//	  body    |  body            '--.--'  body
//
// The region of an edge is the strip in front of it. The region of a convex corner
// lies between the strips of its two edges. So a sphere is in contact with one of them
// at a time, and the force passes from one to the next without a jump. In front of a
// concave corner the strips overlap, and the sphere is in contact with both edges. If
// the corner itself lies inside the sphere, as in the dent below a sphere, the two
// contact points form one patch. Then the force that the corner would exert is
// subtracted from the sum of the edges' forces. With F the law, n the normals, and d
// the deflections of edges 1 and 2 and of the corner c, the force is
//
//	F(d1) n1 + F(d2) n2 - F(dc) nc
//
// It is the gradient of the energies added in the same way. It has no jump where a
// strip begins or ends, and at a straight corner it is the force of one contact
// point. This is the inclusion and exclusion of the Voronoi regions of a set that is
// not convex (normal cycle: D. Cohen-Steiner and J.-M. Morvan, SoCG 2003). Bodies
// that break are treated in the same way, see closedcrack.go.
//
// Every pair of a sphere and an edge that is near has a slot. The memory of a contact
// point is transferred from slot to slot as the sphere moves along the outline. The
// law's memory of a sphere and a component of the outline is recalled wherever the two
// are in contact again.

// Outline is the boundary of bodies of elements: nodes that move and edges
// between them, with the body on the left.
type Outline struct {
	Edges    []OutlineEdge
	X        []r2.Vec  // nodes at the start [m]
	Mobility []float64 // per node: the greatest speed that a unit impulse gives it [1/kg]
}

// OutlineEdge goes from node A to node B of an outline.
type OutlineEdge struct {
	A, B        int32
	Prev, Next  int32 // edges that end at A and that start at B; -1 for none
	Component   int32 // connected component of its body
	Kind        int32
	Asleep      bool // inactive: it has no contact, not yet or no longer
	left        bool // it was active, so the contact points that it had must end
	ClosedCrack bool // it is a closed crack; the two edges before it are its faces
	// ClosedPart is the part of a closed crack that is still closed, 1 to 0.
	ClosedPart float64
}

// OutlineLoad is the load of the spheres on the nodes of the outline at X.
// Slices are per node.
type OutlineLoad struct {
	NodeF         []r2.Vec            // [N]
	NodeStiffness []float64           // Gershgorin's row sums, of contact points and predicted ones [N/m]
	NodeDamping   []float64           // the same for the laws' dashpots [N s/m]
	Loaded        []int32             // nodes for which one of these is not zero, in the order of the contact points
	NodeV         []r2.Vec            // velocities, for the caller to set, half a step behind X [m/s]
	ClosedCracks  []ClosedCrackEnergy // closed cracks under spheres
	nodeNormal    []float64           // normal forces [N]
	loaded        []bool              // the node is in Loaded
}

// PenetrationError reports a sphere whose centre has passed through an edge with which
// it was in contact, or that has penetrated a sphere or a wall too deeply.
type PenetrationError struct {
	Sphere   int32
	Position r2.Vec // [m]
	Kinds    [2]int32
	Of       string  // name of its group of particles, if known
	What     string  // names of both bodies, if known
	Start    bool    // it is so from the start
	Depth    float64 // penetration into a sphere or a wall, 0 for an outline [m]
	Radius   float64 // of the sphere [m]
}

func (e *PenetrationError) Error() string {
	of := e.What
	if of == "" {
		of = fmt.Sprintf("sphere %d", e.Sphere)
	}
	if e.Start {
		return fmt.Sprintf("%s at (%.6g, %.6g) m: the centre of the sphere lies in the body at the start; move it out", of, e.Position.X, e.Position.Y)
	}
	if e.Depth > 0 {
		return fmt.Sprintf("%s at (%.6g, %.6g) m: it lies %.3g m deep in what it presses on, of a radius of %.3g m, deeper than a point law can follow; it is too soft for the load that it carries: take a stiffer law, or a slower impact", of, e.Position.X, e.Position.Y, e.Depth, e.Radius)
	}
	return fmt.Sprintf("%s at (%.6g, %.6g) m: the centre of the sphere has come behind the edge that it touches, deeper than a point law can follow; take a stiffer law, or a slower impact", of, e.Position.X, e.Position.Y)
}

func newOutlineLoad(nodes int) OutlineLoad {
	return OutlineLoad{
		NodeF: make([]r2.Vec, nodes), NodeStiffness: make([]float64, nodes), NodeDamping: make([]float64, nodes),
		NodeV: make([]r2.Vec, nodes), nodeNormal: make([]float64, nodes), loaded: make([]bool, nodes),
	}
}

// Inside returns the first sphere whose centre lies inside a body of the outline with
// which it may be in contact, as a *PenetrationError, or nil. It checks every edge.
func (s *Spheres) Inside() error {
	nodes := s.X[s.rim:]
	lo, hi := r2.Vec{X: math.Inf(1), Y: math.Inf(1)}, r2.Vec{X: math.Inf(-1), Y: math.Inf(-1)}
	for _, p := range nodes {
		lo, hi = r2.Vec{X: min(lo.X, p.X), Y: min(lo.Y, p.Y)}, r2.Vec{X: max(hi.X, p.X), Y: max(hi.Y, p.Y)}
	}
	components := int32(0)
	for _, e := range s.Outline.Edges {
		components = max(components, e.Component+1)
	}
	winding, kind := make([]int32, components), make([]int32, components)
	for i := range s.n {
		x := s.X[i]
		if x.X < lo.X || x.X > hi.X || x.Y < lo.Y || x.Y > hi.Y {
			continue
		}
		clear(winding)
		for _, e := range s.Outline.Edges { // count the edges that a ray along x crosses
			if e.Asleep {
				continue
			}
			a, b := nodes[e.A], nodes[e.B]
			if (a.Y <= x.Y) == (b.Y <= x.Y) || s.rule(s.Kind[i], e.Kind) < 0 {
				continue
			}
			left := float64((b.X-a.X)*(x.Y-a.Y))-float64((b.Y-a.Y)*(x.X-a.X)) > 0
			if upwards := b.Y > a.Y; upwards == left {
				winding[e.Component]++
				kind[e.Component] = e.Kind
			}
		}
		for p, w := range winding {
			if w%2 == 1 {
				return &PenetrationError{Sphere: int32(i), Position: x, Kinds: [2]int32{s.Kind[i], kind[p]}, Start: true}
			}
		}
	}
	return nil
}

// edgePoint is the point of an edge that is nearest to a sphere.
type edgePoint struct {
	edge     int32   // of the outline
	at       float64 // 0 at A to 1 at B
	load     float64 // normal force for friction [N]
	yielding float64 // speed that the normal forces there give the edge in one step without friction [m/s]
	lead     int32   // contact point that holds the memory of its patch
}

// corner is the first corner of an edge, if it lies inside a sphere whose centre is in
// the strips of both its edges, or was so until the last step. It can also be a closed
// crack.
type corner struct {
	contactPoint
	edge       int32      // edge that begins at the corner, or the closed crack
	at         float64    // position on the closed crack, 0 to 1
	closedPart [2]float64 // part of the crack that is closed, at the last evaluation and now; 1 for a corner
	ends       [2]int32   // contact points on both sides of a closed crack, if there are two; else -1
	lead       int32      // contact point that holds the memory of its patch, -1 for none
	bounded    bool       // a closed crack lies half way between contact points, see bound
	on         [2]int32   // these, -1 for none
	rule       int32
	d, rate    float64 // deflection [m], and its rate [m/s]
	p, w       float64 // normal force [N], stored energy [J]
	before     float64 // normal force at the last evaluation [N]
	energy     float64 // energy that a closed crack would store [J]
}

// approaching is a sphere with a predicted contact with an edge.
type approaching struct {
	edge int32
	at   float64
	rule int32
}

// outlinePoints is a block's data of its contact points with outlines.
type outlinePoints struct {
	contactPoints
	edgePoints  []edgePoint
	corners     []corner
	approaching []approaching
	order       []int32
	one         [6]float64 // arguments of a law for one contact point
	memory      []float64  // the law's memory
	failure     error
}

// lookAhead is a gap relative to a sphere's radius. Within it contact with an outline
// is predicted. No step closes a larger gap.
const lookAhead = 0.1

// region tells where a centre lies relative to an edge.
type region int

const (
	elsewhere region = iota // in the region of another edge, or of none
	before                  // in the edge's region
	behind                  // in the strip of the edge, but behind it
)

// nearestOnEdge returns the unit vector from x to the nearest point of an edge, the
// distance [m], the position of that point on the edge, and the region of x. kind is
// the sphere's kind.
func (s *Spheres) nearestOnEdge(e int32, kind int32, x r2.Vec) (n r2.Vec, distance, at float64, in region) {
	edge := &s.Outline.Edges[e]
	nodes := s.X[s.rim:]
	a, b := nodes[edge.A], nodes[edge.B]
	ux, uy := b.X-a.X, b.Y-a.Y
	px, py := x.X-a.X, x.Y-a.Y
	l2 := float64(ux*ux) + float64(uy*uy)
	along := float64(px*ux) + float64(py*uy)
	out := float64(px*uy) - float64(py*ux) // distance in front of the edge, times the length
	if along > 0 && along < l2 {
		l := math.Sqrt(l2)
		n, distance, at = r2.Vec{X: -uy / l, Y: ux / l}, out/l, along/l2
		if out > 0 {
			return n, distance, at, before
		}
		return n, distance, at, behind
	}
	corner, other := a, edge.Prev
	if along > 0 {
		corner, at, other = b, 1, edge.Next
	}
	n = r2.Vec{X: corner.X - x.X, Y: corner.Y - x.Y}
	distance = elementary.Norm(n)
	if distance > 0 {
		n.X, n.Y = n.X/distance, n.Y/distance
	} else {
		n = r2.Vec{X: -uy / math.Sqrt(l2), Y: ux / math.Sqrt(l2)}
	}
	if other < 0 {
		if out > 0 {
			in = before
		}
		return n, distance, at, in
	}
	o := &s.Outline.Edges[other]
	if at == 1 { // the corner belongs to the next edge, if the sphere meets that
		if o.Kind == edge.Kind || s.rule(kind, o.Kind) >= 0 {
			return n, distance, at, elsewhere
		}
		a, b = nodes[o.A], nodes[o.B]
		ox, oy := b.X-a.X, b.Y-a.Y
		px, py = x.X-a.X, x.Y-a.Y
		if float64(px*ox)+float64(py*oy) <= 0 && (out > 0 || float64(px*oy)-float64(py*ox) > 0) {
			in = before
		}
		return n, distance, at, in
	}
	a, b = nodes[o.A], nodes[o.B]
	ox, oy := b.X-a.X, b.Y-a.Y
	px, py = x.X-a.X, x.Y-a.Y
	if float64(px*ox)+float64(py*oy) >= float64(ox*ox)+float64(oy*oy) && (out > 0 || float64(px*oy)-float64(py*ox) > 0) {
		in = before
	}
	return n, distance, at, in
}

// velocityOn returns the velocity of a point of an edge [m/s].
func (s *Spheres) velocityOn(e int32, at float64) r2.Vec {
	edge := &s.Outline.Edges[e]
	a, b := s.NodeV[edge.A], s.NodeV[edge.B]
	return r2.Vec{X: a.X + float64(at*(b.X-a.X)), Y: a.Y + float64(at*(b.Y-a.Y))}
}

// edgeOf returns the edge of a slot with the outline.
func (s *Spheres) edgeOf(p pair) int32 { return p.J - int32(s.n+len(s.Walls)) }

// findOutlinePoints appends the contact points of a batch with outlines, and the pairs
// that are about to touch.
func (s *Spheres) findOutlinePoints(b *batch, q *outlinePoints) {
	t := &s.slots
	q.grow(int(b.end - b.first))
	for c := t.nextAwake(b.first, b.end); c < b.end; c = t.nextAwake(c+1, b.end) {
		p := t.pair[c]
		i, e, h, corner := &s.motion[p.I], s.edgeOf(p), &t.pairMemory[c], t.corner[c]
		if s.Outline.Edges[e].ClosedCrack {
			s.findClosedCrack(b, c, q)
			continue
		}
		n, distance, at, in := s.nearestOnEdge(e, s.Kind[p.I], i.x)
		radius := t.reach[c].radii
		d := radius - distance
		if s.Outline.Edges[e].Asleep { // it has been deactivated
			in, d = elsewhere, 0
		}
		if d > 0 || corner != 0 {
			s.findCorner(b, c, q)
		}
		switch {
		case in == before && d > 0:
		case in == behind && h.d > 0 && q.failure == nil:
			q.failure = &PenetrationError{Sphere: p.I, Position: i.x, Kinds: [2]int32{s.Kind[p.I], s.Outline.Edges[e].Kind}}
			continue
		case h.d > 0:
			d = 0
		case in == before && d > -lookAhead*radius:
			q.approaching = append(q.approaching, approaching{e, at, b.rule})
			continue
		default:
			continue
		}
		o := &q.points[q.n]
		*o = contactPoint{slot: c, i: p.I, j: p.J, n: n, armI: distance}
		q.d[q.n] = d
		v := s.velocityOn(e, at)
		q.rate[q.n] = o.setRates(i, v, 0, v, 0)
		o.spinRate, o.turnBefore = s.overEdge(e, i)
		q.edgePoints = append(q.edgePoints, edgePoint{edge: e, at: at, lead: int32(q.n)})
		q.n++
	}
}

// findCorner appends the first corner of a slot's edge, if the corner lies in
// the sphere and the centre in the strips of both its edges.
func (s *Spheres) findCorner(b *batch, c int32, q *outlinePoints) {
	t := &s.slots
	p := t.pair[c]
	i, e := &s.motion[p.I], s.edgeOf(p)
	edge := &s.Outline.Edges[e]
	j := corner{edge: e, closedPart: [2]float64{1, 1}, ends: [2]int32{-1, -1}, lead: -1, rule: b.rule, before: t.corner[c]}
	t.corner[c] = 0
	nodes := s.X[s.rim:]
	a := nodes[edge.A]
	n := r2.Vec{X: a.X - i.x.X, Y: a.Y - i.x.Y}
	distance := elementary.Norm(n)
	if d := t.reach[c].radii - distance; edge.Prev >= 0 && d > 0 {
		to, from := nodes[edge.B], nodes[s.Outline.Edges[edge.Prev].A]
		ux, uy, vx, vy := to.X-a.X, to.Y-a.Y, a.X-from.X, a.Y-from.Y
		if float64(n.X*ux)+float64(n.Y*uy) < 0 && float64(n.X*vx)+float64(n.Y*vy) > 0 &&
			float64(n.X*uy)-float64(n.Y*ux) < 0 && float64(n.X*vy)-float64(n.Y*vx) < 0 {
			j.d = d
		}
	}
	if j.d == 0 && j.before == 0 || distance == 0 {
		return
	}
	n.X, n.Y = n.X/distance, n.Y/distance
	j.contactPoint = contactPoint{slot: c, i: p.I, j: p.J, n: n, armI: distance}
	v := s.NodeV[edge.A]
	j.rate = j.setRates(i, v, 0, v, 0)
	q.corners = append(q.corners, j)
}

// overEdge returns the spin of a sphere relative to an edge, now and half a step
// before [rad/s].
func (s *Spheres) overEdge(e int32, i *sphereMotion) (turn, turned float64) {
	edge := &s.Outline.Edges[e]
	a, b := s.X[s.rim+int(edge.A)], s.X[s.rim+int(edge.B)]
	va, vb := s.NodeV[edge.A], s.NodeV[edge.B]
	ux, uy := b.X-a.X, b.Y-a.Y
	w := (float64(ux*(vb.Y-va.Y)) - float64(uy*(vb.X-va.X))) / (float64(ux*ux) + float64(uy*uy))
	return i.w - w, i.wBefore - w
}

// pressOutlines finds the contact points and normal forces of block b's spheres
// at the outlines.
func (s *Spheres) pressOutlines(b int) {
	t, own := &s.slots, &s.block[b]
	q := &own.outlinePoints
	q.clear()
	q.edgePoints, q.corners, q.approaching, q.failure = q.edgePoints[:0], q.corners[:0], q.approaching[:0], nil
	first := 2*len(s.block) + b
	for k := t.first[first]; k < t.first[first+1]; k++ {
		from := q.n
		s.findOutlinePoints(&t.batch[k], q)
		if q.n > from {
			q.batch = append(q.batch, rulePoints{k, int32(from), int32(q.n)})
		}
	}
	if q.n == 0 && len(q.corners) == 0 {
		return
	}
	s.transferMemory(b, q)
	for i := range q.corners {
		j := &q.corners[i]
		s.evaluateCorner(j, q)
		for _, c := range j.ends { // the leader of a patch keeps its dashpot
			if c >= 0 && q.edgePoints[c].lead != c {
				q.rate[c] *= 1 - j.closedPart[1]
			}
		}
	}
	for _, k := range q.batch {
		batch := &t.batch[k.rule] // of rulePoints, before friction: the batch
		n := q.n
		q.n = int(k.end)
		s.evaluateLaw(s.rules[batch.rule], batch, &q.contactPoints, int(k.first))
		q.n = n
	}
	for c := range q.n {
		f := &q.edgePoints[c]
		f.load = q.p[c]
		if q.d[c] <= 0 {
			f.load = 0
		}
	}
	for c := range q.n { // a patch has one memory; its leader carries the friction
		f := &q.edgePoints[c]
		if int(f.lead) == c {
			continue
		}
		q.edgePoints[f.lead].load += f.load
		f.load = 0
		if to, from := s.memoryOf(q, int32(c)), s.memoryOf(q, f.lead); len(to) == len(from) {
			copy(to, from)
		}
	}
	for i := range q.corners {
		j := &q.corners[i]
		if j.d > 0 && j.lead >= 0 {
			lead := &q.edgePoints[q.edgePoints[j.lead].lead]
			lead.load = max(0, lead.load-j.p)
		}
	}
}

// memoryOf returns the law's memory of a contact point.
func (s *Spheres) memoryOf(q *outlinePoints, c int32) []float64 {
	for _, k := range q.batch {
		if c < k.end {
			return s.slots.lawMemory(&s.slots.batch[k.rule], q.points[c].slot)
		}
	}
	return nil
}

// ruleOfPoint returns the rule of a contact point.
func (s *Spheres) ruleOfPoint(q *outlinePoints, c int32) int32 {
	for _, k := range q.batch {
		if c < k.end {
			return s.slots.batch[k.rule].rule
		}
	}
	return -1
}

// nearby is a distance in radii. Within it, a contact point that begins continues
// one that ends.
const nearby = 0.25

// transferMemory finds the patches, and transfers the memory of contact points
// that end to those that continue them.
func (s *Spheres) transferMemory(b int, q *outlinePoints) {
	t := &s.slots
	q.order = q.order[:0]
	for c := range q.n {
		q.order = append(q.order, int32(c))
	}
	slices.SortFunc(q.order, func(a, b int32) int {
		p, o := &q.points[a], &q.points[b]
		if p.i != o.i {
			return int(p.i) - int(o.i)
		}
		return int(p.j) - int(o.j)
	})
	s.joinPatches(q)
	for lo := 0; lo < len(q.order); {
		hi := lo + 1
		for hi < len(q.order) && q.points[q.order[hi]].i == q.points[q.order[lo]].i {
			hi++
		}
		group := q.order[lo:hi]
		lo = hi
		if c := group[0]; len(group) == 1 {
			if q.d[c] > 0 && t.pairMemory[q.points[c].slot].d <= 0 {
				s.recallMemory(b, q, c)
			}
			continue
		}
		s.follow(b, q, group)
	}
}
