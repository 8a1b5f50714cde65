package potential

import (
	"math"
	"slices"

	"fdem/boundingbox"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// skin is the distance at which a face and a target become candidates, relative to the mean
// altitude of triangles.
const skin = 0.3

// broad is the broad phase: candidates by boxes. They are valid until two nodes may have
// approached by the skin minus the margin. Faces that become active in the meantime, and nodes
// that split, do not affect the other candidates.
type broad struct {
	faces     []int32           // active faces, ascending
	activated []int32           // active faces that are not listed yet
	skin      float64           // [m]
	listed    [][2]int32        // candidates of each face are candidate[listed[0]:listed[1]], ascending
	candidate []int32           // triangles, followed by edges of the outline
	wakes     []float64         // per candidate: the travel at which its sleep ends, see near.go [m]
	target    []int32           // all targets
	boxes     []boundingbox.Box // boxes of the targets
	grid      boundingbox.HashGrid
	firstEdge []int32 // per edge of the outline: the first edge of its body, as a target
}

// prepare lists the targets.
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

// rebuild finds the candidates of all active faces.
func (c *Contact) rebuild() {
	if c.Others != nil {
		c.Others.GetAll()
	}
	c.at = append(c.at[:0], c.x...)
	c.use()
	c.travelled, c.far, c.outdated = 0, 0, true
	c.boxes = c.boxes[:0]
	for _, t := range c.target {
		c.boxes = append(c.boxes, c.box(t, c.at))
	}
	c.grid.Fill(c.boxes)
	c.candidate, c.wakes = c.candidate[:0], c.wakes[:0]
	for _, face := range c.faces {
		c.list(face)
	}
	c.followCandidates(0)
}

// nearSide calls the function with the targets whose boxes were near that of a face.
func (c *Contact) nearSide(s *side, each func(target int32)) {
	c.grid.Near(boundingbox.BoxOf(s.xa, s.xb).Grow(c.skin), func(i int32) { each(c.target[i]) })
}

// list finds the candidates of a face, from the positions at the last mark and the boxes of
// targets when all candidates were found. It includes targets that share a node with the face,
// because they may separate, and targets whose contact is not transferred to it yet.
func (c *Contact) list(face int32) {
	f := &c.Faces[face]
	body := c.Body[f.Triangle]
	a, b := c.ends(face)
	s := c.sideOf(face, a, b, c.at)
	from := len(c.candidate)
	if c.excavated(body) {
		c.listed[face] = [2]int32{int32(from), int32(from)}
		return
	}
	c.nearSide(&s, func(t int32) {
		if of := c.bodyOf(t); c.Meets[body][of] >= 0 && !c.excavated(of) && t != f.Triangle && c.gapOf(s.first, s.last, t, c.at) <= c.skin {
			c.candidate = append(c.candidate, t)
		}
	})
	slices.Sort(c.candidate[from:])
	for _, t := range c.candidate[from:] {
		c.wakes = append(c.wakes, c.travelled+float64(0.5*c.gapOf(s.first, s.last, t, c.at)*c.steady(face, &s)))
	}
	c.listed[face] = [2]int32{int32(from), int32(len(c.candidate))}
}

// join merges the activated faces with the others.
func (c *Contact) join() {
	slices.Sort(c.activated)
	i, j := len(c.faces)-1, len(c.activated)-1
	c.faces = append(c.faces, c.activated...)
	for k := len(c.faces) - 1; j >= 0; k-- {
		if i >= 0 && c.faces[i] > c.activated[j] {
			c.faces[k] = c.faces[i]
			i--
		} else {
			c.faces[k] = c.activated[j]
			j--
		}
	}
}

// meets tells whether a face may be in contact with a target, given that their bodies may.
func (c *Contact) meets(f *Face, target int32) bool {
	body, of := c.Body[f.Triangle], c.bodyOf(target)
	if f.CrackFace {
		return true
	}
	if body == of {
		return c.Within[body]
	}
	transferred, _ := c.Transfer.Fraction(body, of)
	return transferred > 0
}

// joined tells whether a target is a triangle that shares a node with own.
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

func sub(a, b r2.Vec) r2.Vec { return r2.Vec{X: a.X - b.X, Y: a.Y - b.Y} }

func cross(a, b r2.Vec) float64 { return elementary.Cross(a, b) }

func norm(a r2.Vec) float64 { return math.Sqrt(elementary.Dot(a, a)) }
