package contactnodes

import (
	"math"

	"fdem/boundingbox"
	"fdem/contactnodes/onnodes"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// The tangent stiffness of contact, for Newton's method. A static solver tries positions until the
// forces are in equilibrium. Try evaluates a contact as AddForces does, but does not change its
// state. Tangent returns the tangent stiffness of the last evaluation. The converged increment is
// evaluated by AddForces.

// Try finds the contact points at positions x, evaluates the law and friction with the memory of
// the last step, and adds the forces to out. v are the velocities that lead to x at time t within
// dt.
func (c *Contact) Try(out onnodes.Forces, x, v []r2.Vec, pairs *boundingbox.Pairs, t, dt float64) error {
	c.listCandidates(pairs, x)
	if err := c.find(x, v, 0); err != nil {
		return err
	}
	if err := c.findPairs(t, dt, false); err != nil {
		return err
	}
	c.subtractOverlap(t, dt, false)
	c.evaluateLaw()
	c.distribute(out, dt, false)
	c.resistRolling(out, dt, false)
	c.addPairs(out, dt, false)
	return nil
}

// TangentTerm is the tangent of one contact node along one direction: the stiffness matrix K g g^T.
// g is the derivative of its deflection, or of its slip, with respect to the positions of some mesh
// nodes.
type TangentTerm struct {
	Nodes [tangentNodes]int32  // ends of the contact element, then nodes of opposite edges; -1 for none
	G     [tangentNodes]r2.Vec // [-]
	// Rotation is the additional derivative with respect to the angles of the beam nodes that carry
	// the first two nodes; for faces of beams [m].
	Rotation [2]float64
	K        float64 // [N/m]
}

// tangentNodes is the number of nodes of a strip over three opposite edges.
const tangentNodes = 6

// gaussOffset is the distance of the two Gauss points of a unit length from its middle. Their mean
// is exact for a quadratic.
const gaussOffset = 0.28867513459481287 // 1/sqrt(12)

// Tangent appends the tangents of the contact nodes that were in contact at the last evaluation, at
// positions x [m]. Each contact node has these terms: for each opposite edge two terms of the law,
// which together rotate with the strip; one for each corner between two of these edges; one across
// the line to a re-entrant corner if that is the nearest point; the terms of an edge that rotates
// under pressure; and one of the stick spring while it holds. The pressure of a strip in several
// parts depends on the root of their mean square: these terms then have the secant stiffness, and
// one more term is added. The terms from the rotation of arcs and of contact nodes at ends are left
// out.
func (c *Contact) Tangent(out []TangentTerm, x []r2.Vec) []TangentTerm {
	n := &c.points
	var held float64 // stiffness of the stick spring of the contact node
	var mean meanChange
	for j := range n.pairs {
		m := &n.pairs[j]
		for i := m.first; i < m.end; i++ {
			t := &n.nodes[i]
			area, position := c.area[m.element]*t.fraction, c.positionOf(m, t)
			k := float64(n.dp[i] * area)
			more := int(i)+1 < c.Active && n.nodes[i+1].repeated
			if t.repeated || more {
				if !t.repeated {
					mean.clear(c, m)
				}
				mean.add(c, m, t, position)
				secant := float64(n.p[i]*area) / c.wholeDepth(i)
				if !more && k > secant {
					out = mean.append(out, k-secant)
				}
				k = min(k, secant)
			}
			out = c.normalTerms(out, m, t, x, k, float64(n.p[i]*area))
			if k > 0 {
				for l, b := j, i-1; b >= 0 && n.nodes[b].id == t.id; b-- {
					for n.pairs[l].first > b {
						l--
					}
					out = c.cornerTerm(out, &n.pairs[l], m, &n.nodes[b], t, x, k)
				}
			}
			if !c.Friction.Sticks() {
				continue
			}
			if !t.repeated {
				held = c.stickStiffness(i, area)
			}
			if held > 0 {
				out = append(out, c.tangentTerm(m, t, x, across(m.inward), t.depthAt+float64(m.depthSlope*t.offset), position+t.offset, held*t.covered))
			}
		}
	}
	return out
}

// positionOf returns the position of a contact node on its contact element.
func (c *Contact) positionOf(m *edgePair, t *node) float64 {
	return c.layouts[c.layoutOf[m.element]].position[t.id-m.element*int32(c.Nodes)]
}

func across(u r2.Vec) r2.Vec { return r2.Vec{X: u.Y, Y: -u.X} }

// stickStiffness returns the stiffness of the stick spring at contact point i [N/m], 0 if it
// slides.
func (c *Contact) stickStiffness(i int32, area float64) float64 {
	if g := &c.stick[i]; g.Stiffness > 0 && !g.Sliding {
		return g.Stiffness * area / c.points.nodes[i].coveredSum
	}
	return 0
}

// normalTerms appends the tangents of the law at a contact point: one from its stiffness k [N/m],
// one from the rotation of its force [N].
func (c *Contact) normalTerms(out []TangentTerm, m *edgePair, t *node, x []r2.Vec, k, force float64) []TangentTerm {
	nodes, position := &c.layouts[c.layoutOf[m.element]], c.positionOf(m, t)
	u := position + t.offset
	switch half := gaussOffset * t.covered / float64(c.Nodes); {
	case k == 0:
	case nodes.hats != nil && c.cubic[m.element]:
		out = c.hatTerms(out, m, t, x, position, &nodes.hats[t.id-m.element*int32(c.Nodes)], k)
	case m.corner && t.depthAt > 0: // the force rotates as the contact node moves around the corner
		out = append(out, c.tangentTerm(m, t, x, m.inward, 0, u, k*t.covered))
		out = append(out, c.tangentTerm(m, t, x, across(m.inward), 0, u, force*t.force/t.depthAt))
	case m.arcs:
		along := r2.Add(m.inward, scale(m.slope, across(m.inward)))
		out = append(out, c.tangentTerm(m, t, x, along, m.slope*t.depthAt, u, k))
		out = append(out, c.tangentTerm(m, t, x, across(m.inward), t.depthAt, u, force*m.bend))
		out = c.rotationTerms(out, m, t, x, position, force)
	case m.positionSlope == 0 && m.depthSlope == 0: // the contact is at a point
		out = append(out, c.tangentTerm(m, t, x, m.inward, 0, u, k*t.covered))
	default:
		out = append(out, c.tangentTerm(m, t, x, m.inward, 0, u-half, 0.5*k*t.covered), c.tangentTerm(m, t, x, m.inward, 0, u+half, 0.5*k*t.covered))
		out = c.rotationTerms(out, m, t, x, position, force*t.force)
	}
	return out
}

// wholeDepth returns the depth of contact point i, including the offset that does not count as
// deflection [m].
func (c *Contact) wholeDepth(i int32) float64 {
	d := c.points.d[i]
	if c.HasOffsets() {
		d += float64(c.Kept[c.points.nodes[i].slot].Offset * c.offsetFraction)
	}
	return d
}

// meanChange is the derivative of the deflection of a strip in several parts with respect to the
// positions of the mesh nodes: the mean of the derivatives of the depth, weighted by depth.
type meanChange struct {
	term TangentTerm
	of   int // number of nodes of the term
	full bool
}

// clear starts the strip of another contact node.
func (g *meanChange) clear(c *Contact, m *edgePair) {
	edge := &c.outline.Edges[c.elements[m.element]]
	g.term, g.of, g.full = newTangentTerm(edge.A, edge.B), 2, false
}

// add adds a part of the strip.
func (g *meanChange) add(c *Contact, m *edgePair, t *node, position float64) {
	o := &c.outline.Edges[m.edge]
	onto := func(node int32, weight float64) {
		i := 0
		for i < g.of && g.term.Nodes[i] != node {
			i++
		}
		if i == g.of {
			if g.full = g.of == tangentNodes; g.full {
				return
			}
			g.term.Nodes[i] = node
			g.of++
		}
		g.term.G[i] = r2.Add(g.term.G[i], scale(weight, m.inward))
	}
	edge := &c.outline.Edges[c.elements[m.element]]
	onto(edge.A, float64((1-position)*t.force)-t.moment)
	onto(edge.B, float64(position*t.force)+t.moment)
	onto(o.A, float64(m.positionSlope*t.moment)-float64((1-t.position)*t.force))
	onto(o.B, -float64(m.positionSlope*t.moment)-float64(t.position*t.force))
}

// append appends the term with a stiffness [N/m]. It appends nothing for a strip over more edges
// than a term has nodes for.
func (g *meanChange) append(out []TangentTerm, k float64) []TangentTerm {
	if g.full {
		return out
	}
	g.term.K = k
	return append(out, g.term)
}

// newTangentTerm returns a term without stiffness on some nodes.
func newTangentTerm(nodes ...int32) TangentTerm {
	t := TangentTerm{Nodes: [tangentNodes]int32{-1, -1, -1, -1, -1, -1}}
	copy(t.Nodes[:], nodes)
	return t
}

// rotationTerms appends the tangent of a normal force [N] from the rotation of the opposite edge.
// If a contact node slips by s and the ends of an edge of length l move relative to each other by w
// across it, the second-order change of the depth is -2 w s/l - depth (w/l)^2 (Wriggers,
// Computational Contact Mechanics, section 9.2). The product is written as the difference of two
// squares.
func (c *Contact) rotationTerms(out []TangentTerm, m *edgePair, t *node, x []r2.Vec, position, force float64) []TangentTerm {
	if !(force > 0) {
		return out
	}
	edge, o := &c.outline.Edges[c.elements[m.element]], &c.outline.Edges[m.edge]
	u := position + t.moment/t.force
	slip := c.tangentTerm(m, t, x, r2.Vec{X: m.inward.Y, Y: -m.inward.X}, 0, u, 0).G
	turn := [4]r2.Vec{2: scale(-1, m.inward), 3: m.inward}
	chord := sub(x[o.B], x[o.A])
	l2 := elementary.Dot(chord, chord)
	l := math.Sqrt(l2)
	terms := [3]TangentTerm{}
	for i := range terms {
		terms[i] = newTangentTerm(edge.A, edge.B, o.A, o.B)
	}
	for i := range turn {
		terms[0].G[i], terms[1].G[i], terms[2].G[i] = sub(turn[i], slip[i]), r2.Add(turn[i], slip[i]), turn[i]
	}
	depth := t.depthAt + float64(m.depthSlope*(u-position))
	terms[0].K, terms[1].K, terms[2].K = 0.5*force/l, -0.5*force/l, -force*depth/l2
	return append(out, terms[:]...)
}

// cornerTerm appends the tangent of a corner of the opposite outline over a strip. As the corner
// moves along the strip, a part of the strip passes from one edge to the other, from contact point
// a to b. With the depth d there, equal for both edges, the term is
//
//	-K d (g1 - g2)(g1 - g2)^T / (d1' - d2')
//
// where d1' and d2' are the slopes of the depths along the strip. Beside a re-entrant corner g is
// that of the corner's node.
func (c *Contact) cornerTerm(out []TangentTerm, ma, mb *edgePair, a, b *node, x []r2.Vec, k float64) []TangentTerm {
	w := 1 / float64(c.Nodes)
	if ma.corner || mb.corner { // the depth has no kink between an edge and its re-entrant corner
		return out
	}
	if a.offset > b.offset {
		ma, mb, a, b = mb, ma, b, a
	}
	end, start := a.offset+float64(0.5*w*a.covered), b.offset-float64(0.5*w*b.covered)
	if math.Abs(start-end) > 1e-6*w || ma.depthSlope <= mb.depthSlope {
		return out
	}
	e, corner := &c.outline.Edges[ma.edge], int32(-1)
	switch mb.edge {
	case e.Next:
		corner = e.B
	case e.Prev:
		corner = e.A
	default:
		return out
	}
	depth := a.depthAt + float64(end*ma.depthSlope)
	u := c.layouts[c.layoutOf[ma.element]].position[a.id-ma.element*int32(c.Nodes)] + end
	edge := &c.outline.Edges[c.elements[ma.element]]
	d := sub(ma.inward, mb.inward)
	part := func(w float64) r2.Vec { return r2.Vec{X: float64(w * d.X), Y: float64(w * d.Y)} }
	term := newTangentTerm(edge.A, edge.B, corner)
	term.G[0], term.G[1], term.G[2] = part(1-u), part(u), part(-1)
	term.K = -k * depth / (w * (ma.depthSlope - mb.depthSlope))
	return append(out, term)
}

// hatTerms appends the tangent of a contact node at u on the face of a beam, whose pressure has the
// form of a hat: the symmetric part of K h g^T as the difference of two springs, K/4 ((h + g)(h +
// g)^T - (h - g)(h - g)^T).
func (c *Contact) hatTerms(out []TangentTerm, m *edgePair, t *node, x []r2.Vec, u float64, hat *hat, k float64) []TangentTerm {
	g, h := c.tangentTerm(m, t, x, m.inward, 0, u, 0.25*k), c.tangentTerm(m, t, x, m.inward, 0, u+t.moment/t.force, -0.25*k)
	edge := &c.outline.Edges[c.elements[m.element]]
	d := sub(x[edge.B], x[edge.A])
	length := math.Sqrt(elementary.Dot(d, d))
	left := r2.Vec{X: -d.Y / length, Y: d.X / length}
	across := elementary.Dot(m.inward, left)
	w := (hat.acrossB - hat.centroid) * across
	more := r2.Vec{X: float64(w * left.X), Y: float64(w * left.Y)}
	h.G[0], h.G[1] = sub(h.G[0], more), r2.Add(h.G[1], more)
	h.Rotation = [2]float64{across * length * hat.momentA, across * length * hat.momentB}
	for i := range g.G {
		g.G[i], h.G[i] = r2.Add(h.G[i], g.G[i]), sub(h.G[i], g.G[i])
	}
	g.Rotation = h.Rotation
	return append(out, g, h)
}

// tangentTerm returns the spring at position u of a contact element along a unit vector. The
// rotation of the opposite edge moves that point along the vector by the arm times the angle.
func (c *Contact) tangentTerm(m *edgePair, t *node, x []r2.Vec, along r2.Vec, arm, u, k float64) TangentTerm {
	edge, o := &c.outline.Edges[c.elements[m.element]], &c.outline.Edges[m.edge]
	nodes := &c.layouts[c.layoutOf[m.element]]
	s := t.position + float64(m.positionSlope*(u-nodes.position[t.id-m.element*int32(c.Nodes)]))
	part := func(w float64) r2.Vec { return r2.Vec{X: float64(w * along.X), Y: float64(w * along.Y)} }
	term := newTangentTerm(edge.A, edge.B, o.A, o.B)
	g := &term.G
	g[0], g[1], g[2], g[3] = part(1-u), part(u), part(s-1), part(-s)
	turn := func(i int, by r2.Vec, offset float64) { // the nodes i and i+1 rotate an offset
		g[i].X -= float64(offset * by.X)
		g[i].Y -= float64(offset * by.Y)
		g[i+1].X += float64(offset * by.X)
		g[i+1].Y += float64(offset * by.Y)
	}
	turn(2, m.rotation, arm)
	if nodes.height != nil {
		_, off := nodes.point(x[edge.A], x[edge.B], int(t.id)-int(m.element)*c.Nodes)
		turn(0, rotationGradient(x[edge.A], x[edge.B]), float64(along.Y*off.X)-float64(along.X*off.Y))
	}
	term.K = k
	return term
}
