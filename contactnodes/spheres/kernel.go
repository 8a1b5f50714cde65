package spheres

import "fdem/materials/contact"

// kernel is how the contact points of pairs of spheres are found, what the laws answer,
// and how what touches do is added up. All kernels give the same bits.
type kernel struct {
	findPoints func(s *Spheres, b *batch, q *contactPoints) // from none on
	law        func(contact.Law) func(contact.Input, contact.Output)
	addForces  func(s *Spheres, rule *Rule, q *contactPoints, sum *blockSums)
}

// generic is the kernel in Go: it runs everywhere and says what others must give.
var generic = kernel{
	(*Spheres).findPoints,
	eval,
	func(s *Spheres, rule *Rule, q *contactPoints, sum *blockSums) { s.addForces(rule, q, 0, q.n, nil, sum) },
}

// eval returns how a law is asked: the stiffness is the spring's where it tells of
// that.
func eval(l contact.Law) func(contact.Input, contact.Output) {
	if withSpring, ok := l.(contact.Sprung); ok {
		return withSpring.EvalSprung
	}
	return l.Eval
}
