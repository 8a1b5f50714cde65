package fracture

// Pages is a numbering of nodes with free numbers for nodes that cracks will add. All
// pages have the same size. A page first has nodes of the mesh, then free numbers
// for all nodes that its vertices can ever split into:
//
//	page 0   | v0 v1 ... v330 | room            |
//	page 1   | v331 ...       | room            |   a body that breaks
//	page 2   | v662 ... v2645                   |   one that does not
//
// A node that a crack adds gets the next free number in its vertex's page. So it
// belongs to the same worker as the vertex, and no other node is renumbered.
type Pages struct {
	Numbers []int32 // number of each node of the mesh; ascending
	Used    []int32 // nodes in use of each page
	Slots   int32   // numbers in a page, a multiple of 64: parts of triangles have whole groups of 64 nodes and can so begin with any page
	Nodes   int     // numbers in all pages, a multiple of Slots
}

// A page has at least fewest numbers. Then the gaps between the nodes of an unbroken body
// cost no time; with pages of 448 they cost a quarter of a step. Larger models have
// mostPages pages: if no cache holds a model, 160 gaps cost a tenth of a step. There are
// few pages to divide among workers.
const (
	group     = 64
	fewest    = 31 * group
	mostPages = 24
)

// NewPages numbers nodes that need room[i] numbers each, at least one.
func NewPages(room []int32) *Pages {
	all := int32(0)
	for _, n := range room {
		all += n
	}
	// an odd number of groups: addresses a power of two apart share a cache line
	p := &Pages{Numbers: make([]int32, len(room)), Slots: max(fewest, (all/(mostPages*group)|1)*group)}
	taken := p.Slots // of the last page
	for i, n := range room {
		if taken+n > p.Slots {
			p.Used = append(p.Used, 0)
			taken = 0
		}
		last := len(p.Used) - 1
		p.Numbers[i] = int32(last)*p.Slots + p.Used[last]
		p.Used[last]++
		taken += n
	}
	p.Nodes = len(p.Used) * int(p.Slots)
	return p
}

// add returns the next free number of the page of node n.
func (p *Pages) add(n int32) int32 {
	k := n / p.Slots
	if p.Used[k] == p.Slots {
		panic("fracture: a page of nodes is full") // Capacity has counted too few
	}
	p.Used[k]++
	return k*p.Slots + p.Used[k] - 1
}
