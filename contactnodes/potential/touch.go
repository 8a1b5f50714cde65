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
	point      int32
	old        int32      // touch of the state that goes on in it, -1 for none
	at         int32      // place in the batch of its rule
	deflection float64    // [m]; not above 0 where it is only near
	slope      r2.Vec     // of the deflection with the contact node's place: inwards
	weight     [3]float64 // of what acts there on the target's nodes
	arm        float64    // from the place of the weights to the contact node, along the slope [m]; of edges
	relative   r2.Vec     // velocity past what is there of the target [m/s]
}

// group is the touches of a face in a target, of edges one by one.
type group struct {
	face, target, rule int32
	end                int32    // of its touches, which follow those of the group before
	node               [5]int32 // two of the face, three of the target; -1 for none
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
	target, a, b int32
}

// batch is what a law is asked at once.
type batch struct{ d, rate, mem, p, dp, k, w []float64 }

// finder is what a worker finds.
type finder struct {
	groups  []group
	touches []touch
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
	f.touches = f.touches[:0]
	for i := range f.byRule {
		b := &f.byRule[i]
		b.d, b.rate, b.mem = b.d[:0], b.rate[:0], b.mem[:0]
	}
	for i := lo; i < hi; i++ {
		s := side{face: c.faces[i]}
		if c.part[s.face] == 0 {
			continue
		}
		s.body = c.Body[c.Faces[s.face].Triangle]
		s.a, s.b = c.ends(s.face)
		s.xa, s.xb = c.x[s.a], c.x[s.b]
		s.first, s.last = s.at(place(0)), s.at(place(perFace-1))
		f.edges = f.edges[:0]
		for _, t := range c.among[c.from[i]:c.from[i+1]] {
			if int(t) < len(c.Triangles) {
				c.inTriangle(f, &s, t)
			} else {
				c.underEdge(f, &s, t)
			}
		}
		c.addEdges(f, &s)
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
func place(point int32) float64 { return (float64(point) + 0.5) / perFace }

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

// inTriangle adds the contact nodes of a face that are in a triangle or near it.
func (c *Contact) inTriangle(f *finder, s *side, t int32) {
	node, h := &c.Triangles[t], (*[3]float64)(c.altitude[3*t:])
	p := [3]r2.Vec{c.x[node[0]], c.x[node[1]], c.x[node[2]]}
	edge := [3]r2.Vec{sub(p[2], p[1]), sub(p[0], p[2]), sub(p[1], p[0])} // opposite to the corners
	twice := cross(edge[2], sub(p[2], p[0]))
	var a, b [3]float64 // area coordinates of the face's first and last contact nodes
	for k := range 3 {
		q := p[(k+1)%3]
		a[k], b[k] = cross(edge[k], sub(s.first, q)), cross(edge[k], sub(s.last, q))
		if float64(max(a[k], b[k])*h[k]) < -c.margin*twice { // they lie beyond one side
			return
		}
	}
	per := 1 / twice
	for k := range 3 {
		a[k] *= per
		b[k] *= per
	}
	first := len(f.touches)
	bent := c.Bent[s.body] && c.Body[t] == s.body && !c.Faces[s.face].Fresh
	for point := range int32(perFace) {
		u := float64(point) * (1.0 / (perFace - 1))
		weight := [3]float64{a[0] + float64(u*(b[0]-a[0])), a[1] + float64(u*(b[1]-a[1])), a[2] + float64(u*(b[2]-a[2]))}
		deep, nearest := float64(weight[0]*h[0]), 0
		if d := float64(weight[1] * h[1]); d < deep {
			deep, nearest = d, 1
		}
		if d := float64(weight[2] * h[2]); d < deep {
			deep, nearest = d, 2
		}
		if deep <= 0 && (deep <= -c.margin || !c.isNear(&p, s.at(place(point)))) {
			continue
		}
		steep := h[nearest] * per
		slope := r2.Vec{X: -steep * edge[nearest].Y, Y: steep * edge[nearest].X}
		if bent && !c.isClosing(s, point, node, &weight, deep, slope, h) {
			continue
		}
		m := f.add(point)
		m.deflection, m.weight, m.slope = deep, weight, slope
	}
	if len(f.touches) > first {
		c.addGroup(f, s, first, t, c.Body[t], *node)
	}
}

// add adds an empty touch of a contact node.
func (f *finder) add(point int32) *touch {
	f.touches = append(f.touches, touch{point: point})
	return &f.touches[len(f.touches)-1]
}

// at returns a place on the face.
func (s *side) at(u float64) r2.Vec {
	return r2.Vec{X: s.xa.X + float64(u*(s.xb.X-s.xa.X)), Y: s.xa.Y + float64(u*(s.xb.Y-s.xa.Y))}
}

// isNear tells whether a place outside a triangle of corners p is within the margin
// of it: only then is it sure to be looked at.
func (c *Contact) isNear(p *[3]r2.Vec, q r2.Vec) bool {
	for k := range 3 {
		way, r := sub(p[(k+1)%3], p[k]), sub(q, p[k])
		u := min(max(elementary.Dot(way, r)/elementary.Dot(way, way), 0), 1)
		d := r2.Vec{X: r.X - float64(u*way.X), Y: r.Y - float64(u*way.Y)}
		if elementary.Dot(d, d) <= c.margin*c.margin {
			return true
		}
	}
	return false
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

// addGroup makes a group of the touches from first on.
func (c *Contact) addGroup(f *finder, s *side, first int, target, body int32, node [3]int32) {
	f.groups = append(f.groups, group{})
	g := &f.groups[len(f.groups)-1]
	g.face, g.target, g.rule, g.end = s.face, target, c.Meets[s.body][body], int32(len(f.touches))
	g.node = [5]int32{s.a, s.b, node[0], node[1], node[2]}
	b := &f.byRule[g.rule]
	memory := len(c.Rules[g.rule].Law.Memory())
	va, vb := c.v[s.a], c.v[s.b]
	var v [3]r2.Vec
	for k, n := range node {
		if n >= 0 {
			v[k] = c.v[n]
		}
	}
	for i := range f.touches[first:] {
		m := &f.touches[first+i]
		u := place(m.point)
		w := &m.weight
		m.relative = r2.Vec{
			X: va.X + float64(u*(vb.X-va.X)) - float64(w[0]*v[0].X) - float64(w[1]*v[1].X) - float64(w[2]*v[2].X),
			Y: va.Y + float64(u*(vb.Y-va.Y)) - float64(w[0]*v[0].Y) - float64(w[1]*v[1].Y) - float64(w[2]*v[2].Y),
		}
		if m.arm != 0 { // the edge turns
			d := sub(c.x[node[1]], c.x[node[0]])
			turn := cross(d, sub(v[1], v[0])) / elementary.Dot(d, d)
			m.relative.X += float64(turn * m.arm * m.slope.Y)
			m.relative.Y -= float64(turn * m.arm * m.slope.X)
		}
		m.old = c.continued(f, s.face, target, m.point)
		m.at = int32(len(b.d))
		b.d = append(b.d, max(m.deflection, 0))
		b.rate = append(b.rate, elementary.Dot(m.slope, m.relative))
		for k := range memory {
			of := 0.0
			if m.old >= 0 {
				of = c.Values[int(m.old)*c.stride+values+k]
			}
			b.mem = append(b.mem, of)
		}
	}
}

// continued returns the touch of the state that goes on as one of a face, a target and
// a contact node, -1 for none. It is asked in their order.
func (c *Contact) continued(f *finder, face, target, point int32) int32 {
	for ; 3*f.before < len(c.Touching); f.before++ {
		k := c.Touching[3*f.before : 3*f.before+3]
		if by := cmp.Or(cmp.Compare(k[0], face), cmp.Compare(k[1], target), cmp.Compare(k[2], point)); by == 0 {
			f.before++
			return int32(f.before - 1)
		} else if by > 0 {
			break
		}
	}
	return -1
}

// underEdge notes the contact nodes of a face that are under an edge of an outline
// without triangles, or near it. Of the edges of one body the nearest has a
// contact node.
func (c *Contact) underEdge(f *finder, s *side, t int32) {
	edge := t - int32(len(c.Triangles))
	if !boundingbox.BoxOf(s.first, s.last).Grow(c.margin).Overlaps(c.box(t, c.x)) {
		return
	}
	e, of := &c.Outline.Edges[edge], c.firstEdge[edge]
	under := c.Outline.Under(edge, c.x, c.margin)
points:
	for point := range int32(perFace) {
		d, inward, place, arm := under.At(s.at(place(point)))
		if d == 0 {
			continue
		}
		m := underEdge{touch{point: point, deflection: d, slope: inward, weight: [3]float64{1 - place, place, 0}, arm: arm}, of, e.A, e.B}
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
}

// addEdges makes groups of the touches under edges.
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
		c.addGroup(f, s, len(f.touches)-1, m.target, c.bodyOf(m.target), [3]int32{m.a, m.b, -1})
	}
}
