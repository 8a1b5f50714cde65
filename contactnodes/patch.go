package contactnodes

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Coulomb's limit for a rigid body as a whole. All points of its face slip alike, so
// how its contact nodes share the friction is not determined: the load that they carry in all
// is held against what their pressures allow in all. One by one, those under the
// smaller pressures of a body that is pushed above its foot would let go first, and
// where less friction acts on what slides the others would follow under a smaller
// force than Coulomb's. It slides where its springs carry more than that, with the brakes
// and without: brakes alone let nothing go, and take what the springs leave. Springs that
// carry too much, and brakes against them, give way and go on to hold.
//
// A patch is the contact points of two connected components, a free rigid body one of them, whose
// normals differ by less than patchAngle.

// patchAngle is the cosine of the angle between normals up to which touches are one patch.
const patchAngle = 0.9

// patch is what the contact points of two pieces carry in all, and may carry.
type patch struct {
	components      [2]int32
	inward          r2.Vec  // into the second piece, at its first contact
	next            int32   // of the same first piece, -1 for none
	spring, all     float64 // of the springs, and with the brakes [N]
	holds, slides   float64 // bounds while it holds, and while it slides [N]
	slidesOn, yield bool
	give            float64 // part of the springs that it can carry, where it holds
	brake           float64 // and part of the brakes that these leave room for
}

// patches are those of an evaluation.
type patches struct {
	list  []patch
	first []int32 // per piece, -1 for none
	of    []int32 // per edge pair that touches, -1 for none
}

// holdsTogether tells whether touches of edges i and j hold or slide as one.
func (c *Contact) holdsTogether(i, j int32) bool {
	return c.Rigid != nil && (c.Rigid[i] == Free || c.Rigid[j] == Free)
}

// slideTogether finds which patches hold, and what those carry that slide.
func (c *Contact) slideTogether() {
	if c.Rigid == nil || !c.Friction.Sticks() {
		return
	}
	n, s := &c.touching, &c.patches
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
			// which of the two sides carries the contact node does not change its sign
			p.spring += float64(c.stick[i].Spring * area)
			p.all += float64(c.stick[i].Friction * area)
			p.holds += float64(c.Friction.Static * load)
			p.slides += float64(c.Friction.Kinetic * load)
			p.slidesOn = p.slidesOn || c.stick[i].Stiffness > 0 && c.bound[i] < c.Friction.Static
		}
	}
	for i := range s.list {
		p := &s.list[i]
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
	for j := range n.pairs {
		m := &n.pairs[j]
		for i := m.first; i < m.end; i++ {
			t := &n.nodes[i]
			switch {
			case t.repeated:
				n.friction[i] = n.friction[i-1]
			case s.of[j] >= 0:
				g, p := &c.stick[i], &s.list[s.of[j]]
				switch {
				case g.Stiffness == 0: // no pressure
				case p.yield:
					c.Friction.Slide(g, n.p[i]*t.forceSum)
				case p.give < 1:
					brake := g.Friction - g.Spring
					g.Spring = float64(g.Spring * p.give)
					g.Friction = g.Spring + brake
				case p.brake < 1:
					g.Friction = g.Spring + float64(p.brake*(g.Friction-g.Spring))
				}
				n.friction[i] = g.Friction
			}
		}
	}
}

// clear leaves no patch.
func (s *patches) clear() {
	for i := range s.list {
		s.first[s.list[i].components[0]] = -1
	}
	s.list, s.of = s.list[:0], s.of[:0]
}

// find returns the patch of two pieces whose touches have the normal inward into the
// second.
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
