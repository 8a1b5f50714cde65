package contactnodes

import (
	"math"

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

// On adds the pair, times a weight, to k and r. k is the stiffness matrix of a rigid body for a
// displacement and a rotation about its centre: xx, xy, yy [N/m], x-rotation, y-rotation [N],
// rotation-rotation [N m]. r is the matrix of its dampers, which act along the normal only [N s/m]
// and so on.
func (p *PairStiffness) On(k, r *[6]float64, centre r2.Vec, weight float64) {
	arm, n := r2.Sub(p.A, centre), p.Inward
	sum, first, second := weight*p.Sum, weight*p.First, weight*p.Second
	// The arm of a spring along n at position u is a + b u. Along the surface it is c + d u.
	a, b := float64(arm.X*n.Y)-float64(arm.Y*n.X), float64(p.Chord.X*n.Y)-float64(p.Chord.Y*n.X)
	c, d := float64(arm.X*n.X)+float64(arm.Y*n.Y), float64(p.Chord.X*n.X)+float64(p.Chord.Y*n.Y)
	xx, xy, yy := float64(n.X*n.X), float64(n.X*n.Y), float64(n.Y*n.Y)
	turn := float64(a*sum) + float64(b*first)
	about := float64(a*a*sum) + float64(2*a*b*first) + float64(b*b*second)
	s := p.Tangential
	slide := s * (float64(c*sum) + float64(d*first))
	k[0] += float64(sum * (xx + float64(s*yy)))
	k[1] += float64(sum * xy * (1 - s))
	k[2] += float64(sum * (yy + float64(s*xx)))
	k[3] += float64(turn*n.X) - float64(slide*n.Y)
	k[4] += float64(turn*n.Y) + float64(slide*n.X)
	k[5] += about + float64(s*(float64(c*c*sum)+float64(2*c*d*first)+float64(d*d*second)))
	if p.Damping == 0 {
		return
	}
	damping := p.Damping * sum
	turn *= p.Damping
	r[0] += float64(damping * xx)
	r[1] += float64(damping * xy)
	r[2] += float64(damping * yy)
	r[3] += float64(turn * n.X)
	r[4] += float64(turn * n.Y)
	r[5] += float64(p.Damping * about)
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
