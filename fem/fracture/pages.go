package fracture

// PageSlots is the number of nodes that a page has room for: so many that the
// gaps between the nodes of a body that has not broken cost no time (a quarter of
// a step, with 448), and few enough to be shared among workers. It is a multiple
// of 64, so that parts of triangles, which have whole groups of as many nodes, can
// begin with any page.
const PageSlots = 31 * 64

// Pages is an order of nodes with room for those that cracks will add. Nodes
// stand in pages of PageSlots; within a page first those that the mesh has,
// then room for as many as its vertices can ever fall into:
//
//	page 0   | v0 v1 ... v330 | room            |
//	page 1   | v331 ...       | room            |   a body that breaks
//	page 2   | v662 ... v2645                   |   one that does not
//
// A node that a crack adds takes the next place of its vertex's page. So it
// belongs to the same worker as the vertex, and nothing else moves.
type Pages struct {
	Place []int32 // where each node of the mesh stands; ascending
	Used  []int32 // nodes in use of each page
	Nodes int     // places in all, a multiple of PageSlots
}

// NewPages makes room for nodes that need room[i] places each, at least one.
func NewPages(room []int32) *Pages {
	p := &Pages{Place: make([]int32, len(room))}
	taken := int32(PageSlots) // of the last page
	for i, n := range room {
		if taken+n > PageSlots {
			p.Used = append(p.Used, 0)
			taken = 0
		}
		last := len(p.Used) - 1
		p.Place[i] = int32(last)*PageSlots + p.Used[last]
		p.Used[last]++
		taken += n
	}
	p.Nodes = len(p.Used) * PageSlots
	return p
}

// add takes the next place of the page of node n.
func (p *Pages) add(n int32) int32 {
	k := n / PageSlots
	if p.Used[k] == PageSlots {
		panic("fracture: a page of nodes is full") // Room has counted too few
	}
	p.Used[k]++
	return k*PageSlots + p.Used[k] - 1
}
