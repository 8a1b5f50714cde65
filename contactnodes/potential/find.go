package potential

import (
	"cmp"
	"math"
	"slices"

	"fdem/boundingbox"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// skin is how near a face and a target are taken for candidates, over the mean
// altitude of triangles.
const skin = 0.3

// broad is the broad phase: candidates by boxes, that live until something has
// moved by a quarter of the skin.
type broad struct {
	faces     []int32           // awake
	stale     bool              // candidates are not up to date
	skin      float64           // [m]
	at        []r2.Vec          // positions for which the candidates were made; nil before
	first     []int32           // candidates of faces[i] are candidate[first[i]:first[i+1]], ascending
	candidate []int32           // triangles, and after these edges of the outline
	target    []int32           // all that can be met
	boxes     []boundingbox.Box // of these
	grid      boundingbox.HashGrid
	firstEdge []int32 // of each edge of the outline, the first one of its body, as a target
}

// prepare notes what can be met.
func (c *Contact) prepare() {
	met := make([]bool, len(c.Meets))
	for _, row := range c.Meets {
		for b, rule := range row {
			met[b] = met[b] || rule >= 0
		}
	}
	sum := 0.0
	for i, b := range c.Body {
		sum += c.altitude[3*i]
		if met[b] {
			c.target = append(c.target, int32(i))
		}
	}
	for i, e := range c.Outline.Edges {
		first := int32(len(c.Triangles) + i)
		if i > 0 && c.Outline.Edges[i-1].Body == e.Body {
			first = c.firstEdge[i-1]
		}
		c.firstEdge = append(c.firstEdge, first)
		if e.Tri < 0 && met[e.Body] {
			c.target = append(c.target, int32(len(c.Triangles)+i))
		}
	}
	c.skin = skin * sum / float64(len(c.Body))
}

// box returns the box of a target.
func (c *Contact) box(target int32, x []r2.Vec) boundingbox.Box {
	if n := int32(len(c.Triangles)); target >= n {
		e := &c.Outline.Edges[target-n]
		return boundingbox.BoxOf(x[e.A], x[e.B]).Grow(c.Outline.Reach[target-n])
	}
	t := &c.Triangles[target]
	return boundingbox.BoxOf(x[t[0]], x[t[1]]).With(x[t[2]])
}

// ends returns the nodes of a face.
func (c *Contact) ends(face int32) (a, b int32) {
	f := &c.Faces[face]
	t := &c.Triangles[f.Triangle]
	return t[f.Corner], t[(f.Corner+1)%3]
}

// search makes the candidates anew where what they were made for has moved too
// far.
func (c *Contact) search() {
	far2 := 0.0
	for i, x := range c.at {
		d := sub(c.x[i], x)
		far2 = max(far2, elementary.Dot(d, d))
	}
	if c.at == nil || c.stale || !(16*far2 <= c.skin*c.skin) {
		c.rebuild()
	}
}

// rebuild makes the candidates of all faces that are awake.
func (c *Contact) rebuild() {
	c.stale = false
	c.at = append(c.at[:0], c.x...)
	slices.Sort(c.faces)
	c.boxes = c.boxes[:0]
	for _, t := range c.target {
		c.boxes = append(c.boxes, c.box(t, c.x))
	}
	c.grid.Fill(c.boxes)
	c.first, c.candidate = append(c.first[:0], 0), c.candidate[:0]
	for _, face := range c.faces {
		f := &c.Faces[face]
		own, body := &c.Triangles[f.Triangle], c.Body[f.Triangle]
		a, b := c.ends(face)
		from := len(c.candidate)
		c.grid.Near(boundingbox.BoxOf(c.x[a], c.x[b]).Grow(c.skin), func(i int32) {
			t := c.target[i]
			of := c.bodyOf(t)
			if c.Meets[body][of] >= 0 && (of == body || f.Fresh) && !c.joined(own, t) {
				c.candidate = append(c.candidate, t)
			}
		})
		slices.Sort(c.candidate[from:])
		c.first = append(c.first, int32(len(c.candidate)))
	}
}

// joined tells whether a target is a triangle that shares a node with one.
func (c *Contact) joined(own *[3]int32, target int32) bool {
	if int(target) >= len(c.Triangles) {
		return false
	}
	for _, n := range c.Triangles[target] {
		if n == own[0] || n == own[1] || n == own[2] {
			return true
		}
	}
	return false
}

// touch is a contact node in a target, or near it.
type touch struct {
	face, target, point int32
	rule                int32
	deflection          float64    // [m]; not above 0 where it is only near
	slope               r2.Vec     // of the deflection with the contact node's place: inwards
	node                [3]int32   // of the target; -1 for none
	weight              [3]float64 // of what acts there
	at                  int32      // place in the batch of its rule
	arm                 float64    // from the place of the weights to the contact node, along the slope [m]; of edges
}

// finder is what a worker finds.
type finder struct {
	touches []touch
	_       [64]byte
}

// find is a worker's part of the narrow phase.
func (c *Contact) find(worker int) {
	out := c.finders[worker].touches[:0]
	n := len(c.faces)
	for i := worker * n / len(c.finders); i < (worker+1)*n/len(c.finders); i++ {
		face := c.faces[i]
		if c.part[face] == 0 {
			continue
		}
		own := len(out)
		for _, t := range c.candidate[c.first[i]:c.first[i+1]] {
			if int(t) < len(c.Triangles) {
				out = c.inTriangle(out, face, t)
			} else {
				out = c.underEdge(out, own, face, t)
			}
		}
		slices.SortFunc(out[own:], order)
	}
	c.finders[worker].touches = out
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
func (c *Contact) inTriangle(out []touch, face, t int32) []touch {
	node, h := &c.Triangles[t], c.altitude[3*t:3*t+3]
	p := [3]r2.Vec{c.x[node[0]], c.x[node[1]], c.x[node[2]]}
	na, nb := c.ends(face)
	xa, xb := c.x[na], c.x[nb]
	box := c.box(t, c.x)
	if !boundingbox.BoxOf(xa, xb).Grow(c.margin).Overlaps(box) {
		return out
	}
	a, twice := coordinates(&p, xa)
	b, _ := coordinates(&p, xb)
	for k := range 3 { // the face lies beyond one side
		if float64(max(a[k], b[k])*h[k]) < -c.margin {
			return out
		}
	}
	rule := c.Meets[c.Body[c.Faces[face].Triangle]][c.Body[t]]
	for point := range int32(perFace) {
		u := place(point)
		m := touch{face: face, target: t, point: point, rule: rule, node: *node, deflection: math.Inf(1)}
		nearest := 0
		for k := range 3 {
			m.weight[k] = a[k] + float64(u*(b[k]-a[k]))
			if d := float64(m.weight[k] * h[k]); d < m.deflection {
				m.deflection, nearest = d, k
			}
		}
		if m.deflection <= 0 { // only what is within the margin of its box is sure to be a candidate
			q := r2.Vec{X: xa.X + float64(u*(xb.X-xa.X)), Y: xa.Y + float64(u*(xb.Y-xa.Y))}
			if m.deflection <= -c.margin || !boundingbox.BoxOf(q, q).Grow(c.margin).Overlaps(box) {
				continue
			}
		}
		i, j := (nearest+1)%3, (nearest+2)%3
		s := h[nearest] / twice
		m.slope = r2.Vec{X: -s * (p[j].Y - p[i].Y), Y: s * (p[j].X - p[i].X)}
		out = append(out, m)
	}
	return out
}

// underEdge adds the contact nodes of a face that are under an edge of an outline
// without triangles, or near it. Of the edges of one body the nearest has a
// contact node; touches of the face begin at own.
func (c *Contact) underEdge(out []touch, own int, face, t int32) []touch {
	edge := t - int32(len(c.Triangles))
	e := &c.Outline.Edges[edge]
	na, nb := c.ends(face)
	a, b := c.x[na], c.x[nb]
	if !boundingbox.BoxOf(a, b).Grow(c.margin).Overlaps(c.box(t, c.x)) {
		return out
	}
	rule, of := c.Meets[c.Body[c.Faces[face].Triangle]][e.Body], c.firstEdge[edge]
points:
	for point := range int32(perFace) {
		u := place(point)
		q := r2.Vec{X: a.X + float64(u*(b.X-a.X)), Y: a.Y + float64(u*(b.Y-a.Y))}
		d, inward, s, arm := c.Outline.Under(edge, q, c.x, c.margin)
		if d == 0 {
			continue
		}
		m := touch{face: face, target: of, point: point, rule: rule, deflection: d, slope: inward, node: [3]int32{e.A, e.B, -1}, weight: [3]float64{1 - s, s, 0}, arm: arm}
		for i := own; i < len(out); i++ {
			o := &out[i]
			if o.point == point && o.target == of {
				if d > 0 && (o.deflection <= 0 || d < o.deflection) {
					*o = m
				}
				continue points
			}
		}
		out = append(out, m)
	}
	return out
}

// order puts touches in their order.
func order(p, q touch) int {
	return cmp.Or(cmp.Compare(p.face, q.face), cmp.Compare(p.target, q.target), cmp.Compare(p.point, q.point))
}

func sub(a, b r2.Vec) r2.Vec { return r2.Vec{X: a.X - b.X, Y: a.Y - b.Y} }

func cross(a, b r2.Vec) float64 { return elementary.Cross(a, b) }

func norm(a r2.Vec) float64 { return math.Sqrt(elementary.Dot(a, a)) }
