package potential

import (
	"fdem/contactnodes/onnodes"
	"fdem/materials/contact"
)

// kernel has the functions on pairs: which are separated, positions of contact nodes in
// their triangles, laws, forces, and their sums at nodes. All kernels give the same bits.
type kernel struct {
	cull   func(c *Contact, f *finder)
	fetch  func(c *Contact, f *finder, i int) // prefetches the data of four i
	locate func(c *Contact, f *finder, i int) // of four i
	eval   func(law contact.Law, in contact.Input, out contact.Output)
	press  func(c *Contact, f *finder, i int, groups []group)
	add    func(out *onnodes.Forces, g *group)
}

// generic is the kernel in Go. It runs everywhere; the others must give the same bits.
var generic = kernel{(*Contact).cullPlain, (*Contact).fetchPlain, (*Contact).locatePlain, contact.Law.Eval, (*Contact).pressPlain, addPlain}

// fetchPlain does not prefetch.
func (c *Contact) fetchPlain(*finder, int) {}
