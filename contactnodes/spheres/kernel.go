package spheres

import "fdem/materials/contact"

// kernel is three functions for pairs of spheres: they find the contact points,
// evaluate the laws and add up the forces. All kernels give the same bits.
type kernel struct {
	findPoints func(s *Spheres, b *batch, q *contactPoints) // from an empty list on
	law        func(contact.Law) func(contact.Input, contact.Output)
	addForces  func(s *Spheres, rule *Rule, q *contactPoints, sum *blockSums)
}

// generic is the kernel in Go. It runs on every machine, and the others must give
// its bits.
var generic = kernel{
	(*Spheres).findPoints,
	eval,
	func(s *Spheres, rule *Rule, q *contactPoints, sum *blockSums) { s.addForces(rule, q, 0, q.n, nil, sum) },
}

// eval returns a law's function of evaluation. The stiffness is that of the law's
// spring alone, if the law gives it.
func eval(l contact.Law) func(contact.Input, contact.Output) {
	if withSpring, ok := l.(contact.Sprung); ok {
		return withSpring.EvalSprung
	}
	return l.Eval
}
