package contactnodes

import (
	"math"

	"fdem/materials/contact"

	"gonum.org/v1/gonum/spatial/r2"
)

// The tangent stiffness of contact between rigid bodies, for the time step. A rigid body has three
// degrees of freedom. The stiffness of its contact springs in these, about its centre, bounds its
// frequencies more closely than a sum over the nodes of its outline, of which each might be the
// lightest.

// PairStiffness is the stiffness of the contact points of an edge pair along the contact element:
// the sum of the stiffnesses along the normal, and its first and second moments about A, in lengths
// of the element [N/m]. Predicted contact points are included with their weights.
type PairStiffness struct {
	Components         [2]int32 // of the contact element and of the opposite edge
	A, Chord           r2.Vec   // start of the contact element, and from there to its end [m]
	Inward             r2.Vec   // unit normal into the opposite body
	Sum, First, Second float64
	Tangential         float64 // ratio of the stiffness along the surface to that along the normal
	Damping            float64 // dampers along the normal divided by the stiffness [s]
}

// findRigidStiffness finds the stiffness of the pairs of straight edges of rigid bodies, for a
// linear law.
func (c *Contact) findRigidStiffness() {
	law, linear := c.Law.(contact.Linear)
	c.RigidStiffness = c.RigidStiffness[:0]
	if !linear || !c.Corners {
		return
	}
	along := max(c.Friction.Ratio*law.K, c.Friction.Stiffness)
	if c.Friction.Kinetic == 0 && c.Friction.Static == 0 || !c.Friction.Sticks() {
		along = 0
	}
	normal, tangential := law.K/c.Friction.Stiffest(law.K), along/law.K
	for coming, n := range [2]*contactPoints{&c.points, &c.approaching} {
		for j := range n.pairs {
			m := &n.pairs[j]
			own := c.elements[m.element]
			if !c.onCorners(own, m.edge) {
				continue
			}
			e, damper := &c.outline.Edges[own], m.damper
			if coming == 1 {
				damper = c.restDamper(own, m.edge)
			}
			c.RigidStiffness = append(c.RigidStiffness, PairStiffness{})
			p := &c.RigidStiffness[len(c.RigidStiffness)-1]
			p.Components = [2]int32{e.Component, c.outline.Edges[m.edge].Component}
			p.A, p.Chord, p.Inward, p.Tangential, p.Damping = c.x[e.A], sub(c.x[e.B], c.x[e.A]), m.inward, tangential, (c.damping+damper)/law.K
			nodes, base, area := &c.layouts[c.layoutOf[m.element]], m.element*int32(c.Nodes), c.area[m.element]
			for i := m.first; i < m.end; i++ {
				t := &n.nodes[i]
				var k float64
				switch {
				case coming == 1:
					k = law.K * t.predicted * t.predicted
				case t.repeated:
					k = normal * n.stiffness[i] * t.covered
				default:
					k = normal * n.stiffness[i]
				}
				k = float64(k * (area * t.fraction))
				u, half := nodes.position[t.id-base], nodes.half[t.id-base]
				p.Sum += float64(k)
				p.First += float64(k * u)
				p.Second += float64(k * (float64(u*u) + float64(half*half)/3))
			}
		}
	}
}

// On adds the pair, times a weight, to k and r. k is the stiffness matrix of a rigid body for a
// displacement and a rotation about its centre: xx, xy, yy [N/m], x-rotation, y-rotation [N],
// rotation-rotation [N m]. r is the matrix of its dampers, which act along the normal only [N s/m]
// and so on.
func (p *PairStiffness) On(k, r *[6]float64, centre r2.Vec, weight float64) {
	arm := sub(p.A, centre)
	along := p.matrix(p.Inward, arm, weight)
	for i, v := range along {
		k[i] += v
	}
	if p.Damping != 0 {
		for i, v := range along {
			r[i] += float64(p.Damping * v)
		}
	}
	if weight *= p.Tangential; weight != 0 {
		for i, v := range p.matrix(r2.Vec{X: -p.Inward.Y, Y: p.Inward.X}, arm, weight) {
			k[i] += v
		}
	}
}

// matrix returns such a matrix for springs along n with an arm from the centre.
func (p *PairStiffness) matrix(n, arm r2.Vec, times float64) [6]float64 {
	a := float64(arm.X*n.Y) - float64(arm.Y*n.X) // rotation: a + b u
	b := float64(p.Chord.X*n.Y) - float64(p.Chord.Y*n.X)
	sum := times * p.Sum
	turn := times * (float64(a*p.Sum) + float64(b*p.First))
	return [6]float64{
		float64(sum * n.X * n.X), float64(sum * n.X * n.Y), float64(sum * n.Y * n.Y), float64(turn * n.X), float64(turn * n.Y),
		float64(times * (float64(a*a*p.Sum) + float64(2*a*b*p.First) + float64(b*b*p.Second))),
	}
}

// GreatestFrequency returns the greatest squared frequency of a rigid body with a stiffness matrix,
// or slightly more [1/s2]. Newton's method for the greatest root of the characteristic polynomial
// descends from the sum of all roots.
func GreatestFrequency(k *[6]float64, inverseMass, inverseInertia float64) float64 {
	a, b, c := float64(k[0]*inverseMass), float64(k[2]*inverseMass), float64(k[5]*inverseInertia)
	mixed := inverseMass * inverseInertia
	d2, e2, f2 := float64(k[1]*k[1]*inverseMass*inverseMass), float64(k[3]*k[3]*mixed), float64(k[4]*k[4]*mixed)
	def := float64(k[1] * inverseMass * k[3] * k[4] * mixed)
	trace := a + b + c
	if !(trace > 0) {
		return trace
	}
	minors := float64(a*b) + float64(b*c) + float64(a*c) - d2 - e2 - f2
	det := float64(a*b*c) + float64(2*def) - float64(a*f2) - float64(b*e2) - float64(c*d2)
	x := trace
	for range 20 {
		value := float64((float64((x-trace)*x)+minors)*x) - det
		slope := float64((float64(3*x)-float64(2*trace))*x) + minors
		if !(slope > 0) || !(value > 0) {
			break
		}
		next := x - value/slope
		if !(next < x) || math.Abs(x-next) < 1e-3*x {
			break
		}
		x = next
	}
	return x
}
