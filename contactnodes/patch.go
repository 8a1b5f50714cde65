package contactnodes

import (
	"math"

	"fdem/contactnodes/coulomb"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Coulomb's limit for a rigid body as a whole. All points of its face slip by the same amount, so
// the distribution of friction over its contact nodes is not determined. Therefore the total
// friction is compared with the total limit. If each contact node were compared by itself, a body
// that is pushed above its base would begin to slide at the nodes with smaller pressures. With a
// lower kinetic friction the other nodes would follow under a smaller force than Coulomb's. The
// body slides if its springs exceed the limit, both with and without the brakes. Brakes alone do
// not start sliding; they take what the springs leave of the limit. Otherwise springs and brakes
// above the limit are reduced to it, and the patch sticks.
//
// A patch is the set of contact points of two connected components, one of them a free rigid body,
// with normals that differ by less than patchAngle.

// patch is the total friction of the contact points of two components, and its limits.
type patch struct {
	components      [2]int32
	inward          r2.Vec  // into the second component, at its first contact
	next            int32   // next patch of the same first component, -1 for none
	spring, all     float64 // friction of the springs, and with the brakes [N]
	holds, slides   float64 // limit while it sticks, and while it slides [N]
	slidesOn, yield bool
	give            float64 // factor on the springs that keeps them within the limit while it sticks
	brake           float64 // factor on the brakes that keeps them within the rest of the limit
}

// patches are the patches of an evaluation.
type patches struct {
	list  []patch
	first []int32 // per component: its first patch, -1 for none
	of    []int32 // per edge pair in contact: its patch, -1 for none
}

// holdsTogether tells whether contact points of edges i and j stick or slide together.
func (c *Contact) holdsTogether(i, j int32) bool {
	return c.Rigid != nil && (c.Rigid[i] == Free || c.Rigid[j] == Free)
}

// slideTogether finds which patches stick, and the friction of those that slide.
func (c *Contact) slideTogether() {
	if c.Rigid == nil || !c.Friction.Sticks() {
		return
	}
	n, s := &c.points, &c.patches
	s.clear()
	for j := range n.pairs {
		m := &n.pairs[j]
		own := c.elements[m.element]
		if !c.holdsTogether(own, m.edge) {
			s.of = append(s.of, -1)
			continue
		}
		at := s.find(c.outline.Edges[own].Component, c.outline.Edges[m.edge].Component, m.inward)
		s.of = append(s.of, at)
		p := &s.list[at]
		for i := m.first; i < m.end; i++ {
			t := &n.nodes[i]
			if t.repeated {
				continue
			}
			area := c.area[m.element] * t.fraction
			load := float64(n.p[i] * t.forceSum * area)
			// the sign does not depend on which side has the contact node
			p.spring += float64(c.stick[i].Spring * area)
			p.all += float64(c.stick[i].Friction * area)
			p.holds += float64(c.Friction.Static * load)
			p.slides += float64(c.Friction.Kinetic * load)
			p.slidesOn = p.slidesOn || c.stick[i].Stiffness > 0 && c.bound[i] < c.Friction.Static
		}
	}
	for i := range s.list {
		s.list[i].limit()
	}
	for j := range n.pairs {
		m := &n.pairs[j]
		for i := m.first; i < m.end; i++ {
			t := &n.nodes[i]
			switch {
			case t.repeated:
				n.friction[i] = n.friction[i-1]
			case s.of[j] >= 0:
				s.list[s.of[j]].yieldOrHold(&c.stick[i], &c.Friction, n.p[i]*t.forceSum)
				n.friction[i] = c.stick[i].Friction
			}
		}
	}
}

// limit finds whether the patch slides, and how far its springs and brakes are reduced if not.
func (p *patch) limit() {
	limit := p.holds
	if p.slidesOn {
		limit = p.slides
	}
	p.yield, p.give, p.brake = min(math.Abs(p.spring), math.Abs(p.all)) > limit, 1, 1
	if spring := math.Abs(p.spring); spring > limit {
		p.give = limit / spring
	}
	if all := math.Abs(p.all); all > limit {
		p.brake = (math.Copysign(limit, p.all) - p.spring) / (p.all - p.spring)
	}
}

// yieldOrHold limits a stick of the patch under a pressure.
func (p *patch) yieldOrHold(g *coulomb.Stick, f *Friction, pressure float64) {
	switch {
	case g.Stiffness == 0: // no pressure
	case p.yield:
		f.Slide(g, pressure)
	case p.give < 1:
		brake := g.Friction - g.Spring
		g.Spring = float64(g.Spring * p.give)
		g.Friction = g.Spring + brake
	case p.brake < 1:
		g.Friction = g.Spring + float64(p.brake*(g.Friction-g.Spring))
	}
}

// clear removes all patches.
func (s *patches) clear() {
	for i := range s.list {
		s.first[s.list[i].components[0]] = -1
	}
	s.list, s.of = s.list[:0], s.of[:0]
}

// find returns the patch of two components whose contact points have the normal inward into the
// second one.
func (s *patches) find(a, b int32, inward r2.Vec) int32 {
	if a > b {
		a, b, inward = b, a, r2.Vec{X: -inward.X, Y: -inward.Y}
	}
	for int(a) >= len(s.first) {
		s.first = append(s.first, -1)
	}
	for i := s.first[a]; i >= 0; i = s.list[i].next {
		if p := &s.list[i]; p.components[1] == b && elementary.Dot(p.inward, inward) > patchAngle {
			return i
		}
	}
	s.list = append(s.list, patch{components: [2]int32{a, b}, inward: inward, next: s.first[a]})
	s.first[a] = int32(len(s.list) - 1)
	return s.first[a]
}
