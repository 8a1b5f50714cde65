package potential

import (
	"cmp"
	"slices"
	"sort"

	"fdem/boundingbox"
	"fdem/materials/contact"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// touch is a contact node in a target, or near it.
type touch struct {
	deflection float64    // [m]; not above 0 where it is only near
	weight     [3]float64 // of what acts there on the target's nodes
	relative   r2.Vec     // velocity past what is there of the target [m/s]
	point      int32
	old        int32 // touch of the state that goes on in it, -1 for none
	side       int32 // of the pair, into which it points
}

// pair is a face and a target that touch, or are near each other; edges have a pair for
// each touch.
type pair struct {
	face, target, rule int32
	end                int32     // of its touches, which follow those of the pair before
	first              int32     // place of the first of them in the batch of its rule
	node               [5]int32  // two of the face, three of the target; -1 for none
	slope              [3]r2.Vec // of deflections with the contact node's place, by sides: inwards
	arm                float64   // from the place of the weights to the contact node, along the slope [m]; of edges
}

// group is what the touches of a pair come to.
type group struct {
	rule int32
	node [5]int32 // of the pair
	// what they put on these
	force                    [5]r2.Vec
	stiffness, damping       [5]float64
	Sum                              // but for Push and Moment, which follow from force
	normalWork, frictionWork float64 // of the step that has led here [J]
	handedWork               float64
}

// underEdge is a touch of an edge of an outline without triangles.
type underEdge struct {
	touch
	slope        r2.Vec
	arm          float64
	target, a, b int32
}

// batch is what a law is asked at once.
type batch struct{ d, rate, mem, p, dp, k, w []float64 }

// finder is what a worker finds.
type finder struct {
	groups  []group
	pairs   []pair      // of some faces
	touches []touch     // of these
	edges   []underEdge // of a face
	byRule  []batch
	ended   []ended
	before  int // touch of the state that comes next
	past    int // touch of the state that comes next, of those that go on or end
	// the touches that press, for the next state
	touching []int32
	values   []float64
	_        [64]byte
}

// side is a face where it is.
type side struct {
	face, body  int32
	a, b        int32 // nodes
	xa, xb      r2.Vec
	first, last r2.Vec // contact nodes
}

// atOnce is the number of faces that are evaluated at a time.
const atOnce = 128

// find is the narrow phase of faces [lo, hi). It asks the laws, too.
func (c *Contact) find(f *finder, lo, hi int) {
	f.pairs, f.touches = f.pairs[:0], f.touches[:0]
	for i := range f.byRule {
		b := &f.byRule[i]
		b.d, b.rate, b.mem = b.d[:0], b.rate[:0], b.mem[:0]
	}
	for i := lo; i < hi; i++ {
		face := c.faces[i]
		of := c.chosen[face]
		among := c.among[of[0]:of[1]]
		if !c.wakesIn(among) {
			continue
		}
		s := side{face: face}
		if c.part[s.face] == 0 {
			continue
		}
		s.body = c.Body[c.Faces[s.face].Triangle]
		s.a, s.b = c.ends(s.face)
		s.xa, s.xb = c.x[s.a], c.x[s.b]
		s.first, s.last = s.at(place(0)), s.at(place(perFace-1))
		f.edges = f.edges[:0]
		for k := range among {
			m := &among[k]
			switch {
			case !(m.wakes <= c.due):
			case int(m.target) < len(c.Triangles):
				if gap := c.inTriangle(f, &s, m.target); gap > 0 {
					c.sleep(m, &s, gap)
				}
			default:
				if gap := c.underEdge(f, &s, m.target); gap > 0 {
					c.sleep(m, &s, gap)
				}
			}
		}
		c.addEdges(f, &s)
	}
	first := int32(0)
	for i := range f.pairs {
		p := &f.pairs[i]
		c.goOn(f, p, f.touches[first:p.end])
		c.ask(f, p, f.touches[first:p.end])
		first = p.end
	}
	for i := range f.byRule {
		b, n := &f.byRule[i], len(f.byRule[i].d)
		for _, of := range [...]*[]float64{&b.p, &b.dp, &b.k, &b.w} {
			*of = slices.Grow((*of)[:0], n)[:n]
		}
		c.Rules[i].Law.Eval(contact.Input{D: b.d, Rate: b.rate, Mem: b.mem}, contact.Output{P: b.p, DP: b.dp, K: b.k, W: b.w, Mem: b.mem})
	}
}

// firstOf returns the first touch of the state that is of faces[i] or of one after
// it.
func (c *Contact) firstOf(i int) int {
	if i == 0 {
		return 0
	}
	return sort.Search(len(c.Touching)/3, func(k int) bool { return c.Touching[3*k] >= c.faces[i] })
}

// place returns where a contact node is on its face, 0 to 1.
func place(point int32) float64 { return places[point] }

// places are those of all contact nodes.
var places = func() (u [perFace]float64) {
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

// inTriangle adds the contact nodes of a face that are in a triangle or near it, or tells
// how far all of them are from it at least [m].
func (c *Contact) inTriangle(f *finder, s *side, t int32) (gap float64) {
	node, h := &c.Triangles[t], (*[3]float64)(c.altitude[3*t:])
	p0, p1, p2 := c.x[node[0]], c.x[node[1]], c.x[node[2]]
	e0, e1, e2 := sub(p2, p1), sub(p0, p2), sub(p1, p0) // opposite to the corners
	twice := cross(e2, sub(p2, p0))
	h0, h1, h2, beyond := h[0], h[1], h[2], -c.margin*twice
	// area coordinates of the face's first and last contact nodes
	a0, b0 := cross(e0, sub(s.first, p1)), cross(e0, sub(s.last, p1))
	if float64(a0*h0) < beyond && float64(b0*h0) < beyond { // they lie beyond one side
		return -max(a0, b0) / norm(e0)
	}
	a1, b1 := cross(e1, sub(s.first, p2)), cross(e1, sub(s.last, p2))
	if float64(a1*h1) < beyond && float64(b1*h1) < beyond {
		return -max(a1, b1) / norm(e1)
	}
	a2, b2 := cross(e2, sub(s.first, p0)), cross(e2, sub(s.last, p0))
	if float64(a2*h2) < beyond && float64(b2*h2) < beyond {
		return -max(a2, b2) / norm(e2)
	}
	per := 1 / twice
	a0, a1, a2 = float64(a0*per), float64(a1*per), float64(a2*per)
	d0, d1, d2 := float64(b0*per)-a0, float64(b1*per)-a1, float64(b2*per)-a2
	s0, s1, s2 := h0*per, h1*per, h2*per
	slope := [3]r2.Vec{{X: -s0 * e0.Y, Y: s0 * e0.X}, {X: -s1 * e1.Y, Y: s1 * e1.X}, {X: -s2 * e2.Y, Y: s2 * e2.X}}
	bent := c.Bent[s.body] && c.Body[t] == s.body && !c.Faces[s.face].Fresh
	first := len(f.touches)
	f.touches = slices.Grow(f.touches, perFace)
	all := f.touches[first : first+perFace]
	n := 0
	for point := range int32(perFace) {
		u := float64(point) * (1.0 / (perFace - 1))
		w0, w1, w2 := a0+float64(u*d0), a1+float64(u*d1), a2+float64(u*d2)
		deep, nearest := float64(w0*h0), int32(0)
		if d := float64(w1 * h1); d < deep {
			deep, nearest = d, 1
		}
		if d := float64(w2 * h2); d < deep {
			deep, nearest = d, 2
		}
		if deep <= 0 && (deep <= -c.margin || !c.isNear(&[3]r2.Vec{p0, p1, p2}, nearest, s.at(place(point)))) {
			continue
		}
		if bent && !c.isClosing(s, point, node, &[3]float64{w0, w1, w2}, deep, slope[nearest], h) {
			continue
		}
		m := &all[n]
		m.deflection, m.weight, m.point, m.side = deep, [3]float64{w0, w1, w2}, point, nearest
		n++
	}
	if n > 0 {
		f.touches = f.touches[:first+n]
		p := c.addPair(f, s, t, c.Body[t])
		p.node, p.slope, p.arm = [5]int32{s.a, s.b, node[0], node[1], node[2]}, slope, 0
	}
	return 0
}

// addPair makes a pair of the touches that no other has.
func (c *Contact) addPair(f *finder, s *side, target, body int32) *pair {
	n := len(f.pairs)
	f.pairs = slices.Grow(f.pairs, 1)[:n+1]
	p := &f.pairs[n]
	p.face, p.target, p.rule, p.end = s.face, target, c.Meets[s.body][body], int32(len(f.touches))
	return p
}

// at returns a place on the face.
func (s *side) at(u float64) r2.Vec {
	return r2.Vec{X: s.xa.X + float64(u*(s.xb.X-s.xa.X)), Y: s.xa.Y + float64(u*(s.xb.Y-s.xa.Y))}
}

// isNear tells whether a place q outside a triangle of corners p is within the margin of
// it, of the side opposite to a corner or of another one: only then is it sure to be looked
// at.
func (c *Contact) isNear(p *[3]r2.Vec, nearest int32, q r2.Vec) bool {
	return c.isBeside(p[(nearest+1)%3], p[(nearest+2)%3], q) || c.isBeside(p[(nearest+2)%3], p[nearest], q) || c.isBeside(p[nearest], p[(nearest+1)%3], q)
}

// isBeside tells whether a place q is within the margin of a side from a to b.
func (c *Contact) isBeside(a, b, q r2.Vec) bool {
	way, r := sub(b, a), sub(q, a)
	u := min(max(elementary.Dot(way, r)/elementary.Dot(way, way), 0), 1)
	d := r2.Vec{X: r.X - float64(u*way.X), Y: r.Y - float64(u*way.Y)}
	return elementary.Dot(d, d) <= c.margin*c.margin
}

// rounding is how deep sides of a cut may lie in one another by rounding, over the
// altitude of a triangle.
const rounding = 1e-12

// isClosing tells whether a contact node of an outline is in a triangle of its own body,
// or comes into it by its own speed: sides of a cut are next to each other from the
// start, and those that part must not cost the run its step.
func (c *Contact) isClosing(s *side, point int32, node *[3]int32, weight *[3]float64, deep float64, slope r2.Vec, h *[3]float64) bool {
	u := place(point)
	va, vb := c.v[s.a], c.v[s.b]
	w := r2.Vec{X: va.X + float64(u*(vb.X-va.X)), Y: va.Y + float64(u*(vb.Y-va.Y))}
	for k, n := range node {
		w.X -= float64(weight[k] * c.v[n].X)
		w.Y -= float64(weight[k] * c.v[n].Y)
	}
	return deep+float64(stepsAhead*c.scene.Next*max(0, elementary.Dot(slope, w))) > rounding*min(h[0], h[1], h[2])
}

// goOn finds the touches of the state that go on as touches of a pair. It is asked in the
// order of both.
func (c *Contact) goOn(f *finder, p *pair, touches []touch) {
	k := f.before
	for ; 3*k < len(c.Touching); k++ {
		if of := c.Touching[3*k : 3*k+2]; of[0] > p.face || of[0] == p.face && of[1] >= p.target {
			break
		}
	}
	for i := range touches {
		m := &touches[i]
		m.old = -1
		for ; 3*k < len(c.Touching); k++ {
			of := c.Touching[3*k : 3*k+3]
			if of[0] != p.face || of[1] != p.target || of[2] > m.point {
				break
			}
			if of[2] == m.point {
				m.old = int32(k)
			}
		}
	}
	f.before = k
}

// ask puts the touches of a pair into the batch of its law.
func (c *Contact) ask(f *finder, p *pair, touches []touch) {
	b := &f.byRule[p.rule]
	from := len(b.d)
	p.first = int32(from)
	b.d, b.rate = slices.Grow(b.d, len(touches))[:from+len(touches)], slices.Grow(b.rate, len(touches))[:from+len(touches)]
	deflection, rate := b.d[from:], b.rate[from:]
	va, vb := c.v[p.node[0]], c.v[p.node[1]]
	v0, v1, v2 := c.v[p.node[2]], c.v[p.node[3]], r2.Vec{}
	if n := p.node[4]; n >= 0 {
		v2 = c.v[n]
	}
	along, turn := sub(vb, va), 0.0
	if p.arm != 0 { // the edge turns
		d := sub(c.x[p.node[3]], c.x[p.node[2]])
		turn = cross(d, sub(v1, v0)) / elementary.Dot(d, d)
	}
	for i := range touches {
		m := &touches[i]
		u, w0, w1, w2, slope := place(m.point), m.weight[0], m.weight[1], m.weight[2], &p.slope[m.side]
		relative := r2.Vec{
			X: va.X + float64(u*along.X) - float64(w0*v0.X) - float64(w1*v1.X) - float64(w2*v2.X),
			Y: va.Y + float64(u*along.Y) - float64(w0*v0.Y) - float64(w1*v1.Y) - float64(w2*v2.Y),
		}
		if p.arm != 0 {
			relative.X += float64(turn * p.arm * slope.Y)
			relative.Y -= float64(turn * p.arm * slope.X)
		}
		m.relative = relative
		deflection[i] = max(m.deflection, 0)
		rate[i] = elementary.Dot(*slope, relative)
	}
	memory := len(c.Rules[p.rule].Law.Memory())
	for i := range touches {
		for k := range memory {
			of := 0.0
			if old := touches[i].old; old >= 0 {
				of = c.Values[int(old)*c.stride+values+k]
			}
			b.mem = append(b.mem, of)
		}
	}
}

// underEdge notes the contact nodes of a face that are under an edge of an outline
// without triangles, or near it, or tells how far all of them are from it at least [m].
// Of the edges of one body the nearest has a contact node.
func (c *Contact) underEdge(f *finder, s *side, t int32) (gap float64) {
	edge := t - int32(len(c.Triangles))
	if gap := boundingbox.BoxOf(s.first, s.last).Gap(c.box(t, c.x)); gap > c.margin {
		return gap
	}
	e, of := &c.Outline.Edges[edge], c.firstEdge[edge]
	under := c.Outline.Under(edge, c.x, c.margin)
points:
	for point := range int32(perFace) {
		d, inward, place, arm := under.At(s.at(place(point)))
		if d == 0 {
			continue
		}
		m := underEdge{touch{point: point, deflection: d, weight: [3]float64{1 - place, place, 0}}, inward, arm, of, e.A, e.B}
		for i := range f.edges {
			o := &f.edges[i]
			if o.point == point && o.target == of {
				if d > 0 && (o.deflection <= 0 || d < o.deflection) {
					*o = m
				}
				continue points
			}
		}
		f.edges = append(f.edges, m)
	}
	return 0
}

// addEdges makes pairs of the touches under edges.
func (c *Contact) addEdges(f *finder, s *side) {
	if len(f.edges) == 0 {
		return
	}
	slices.SortFunc(f.edges, func(p, q underEdge) int {
		return cmp.Or(cmp.Compare(p.target, q.target), cmp.Compare(p.point, q.point))
	})
	for i := range f.edges {
		m := &f.edges[i]
		f.touches = append(f.touches, m.touch)
		p := c.addPair(f, s, m.target, c.bodyOf(m.target))
		p.node, p.slope, p.arm = [5]int32{s.a, s.b, m.a, m.b, -1}, [3]r2.Vec{m.slope}, m.arm
	}
}
