package potential

import (
	"fdem/contactnodes"
	"fdem/materials/contact"
)

// kernel is how pairs are taken: who is apart, where contact nodes are in their triangles,
// what laws answer, what touches do, and on which nodes. All kernels give the same bits.
type kernel struct {
	cull   func(c *Contact, f *finder)
	locate func(c *Contact, f *finder, i int) // of four i
	eval   func(law contact.Law, in contact.Input, out contact.Output)
	press  func(c *Contact, f *finder, i int, groups []group)
	add    func(out *contactnodes.Forces, g *group)
}

// generic is the kernel in Go: it runs everywhere and says what others must give.
var generic = kernel{(*Contact).cullPlain, (*Contact).locatePlain, contact.Law.Eval, (*Contact).pressPlain, addPlain}
