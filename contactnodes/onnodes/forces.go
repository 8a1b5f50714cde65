// Package onnodes has the forces of contact on the nodes of the mesh.
package onnodes

import (
	"math/bits"

	"gonum.org/v1/gonum/spatial/r2"
)

// Forces is the results of contacts by mesh node. Most nodes are never in contact, so nodes are
// in pages, which are allocated when one of their nodes is loaded.
type Forces struct {
	// Moment acts on the beam node that carries the node [N m], for faces of beams with contact
	// nodes at the ends of parts. It is nil without such faces.
	Moment []float64

	pages       []*[PageNodes]Force
	loadedNodes []uint64 // a bit per loaded node
	made        []uint64 // a bit per page that has been made
}

// PageNodes is the number of nodes of a page, which is the number of bits in a word.
const PageNodes = 64

// Force is the force of contact on a node, and its stiffness and damping there.
type Force struct {
	F r2.Vec // [N]
	// Stiffness bounds the part of contact in the highest frequency: the sum of the absolute
	// values in the node's row of its stiffness matrix [N/m].
	Stiffness float64
	Damping   float64 // the same for the damping matrix [N s/m]
}

// New returns zero forces for a number of nodes.
func New(nodes int, moments bool) Forces {
	pages := (nodes + PageNodes - 1) / PageNodes
	f := Forces{pages: make([]*[PageNodes]Force, pages), loadedNodes: make([]uint64, pages), made: make([]uint64, (pages+63)/64)}
	if moments {
		f.Moment = make([]float64, nodes)
	}
	return f
}

// Clear sets everything to zero.
func (f *Forces) Clear() {
	for g := range f.inPages {
		page := f.pages[g]
		for set := f.loadedNodes[g]; set != 0; set &= set - 1 {
			i := bits.TrailingZeros64(set)
			page[i] = Force{}
			if f.Moment != nil {
				f.Moment[PageNodes*g+i] = 0
			}
		}
		f.loadedNodes[g] = 0
	}
}

// inPages yields the allocated pages, ascending. In a body that can break they are few, since it
// has numbers for all nodes into which it may split.
func (f *Forces) inPages(yield func(page int) bool) {
	for h, made := range f.made {
		for ; made != 0; made &= made - 1 {
			if !yield(64*h + bits.TrailingZeros64(made)) {
				return
			}
		}
	}
}

// On returns the entry of a node, for adding to it.
func (f *Forces) On(n int32) *Force {
	f.loadedNodes[n>>6] |= 1 << (n & 63)
	p := f.pages[n>>6]
	if p == nil {
		p = f.addPage(n >> 6)
	}
	return &p[n&63]
}

func (f *Forces) addPage(i int32) *[PageNodes]Force {
	f.pages[i] = &[PageNodes]Force{}
	f.made[i>>6] |= 1 << (i & 63)
	return f.pages[i]
}

// At returns the values of a node.
func (f *Forces) At(n int32) Force {
	if p := f.pages[n>>6]; p != nil {
		return p[n&63]
	}
	return Force{}
}

// Pages returns the pages, nil for those not allocated, and a bit per loaded node of each, for kernels.
func (f *Forces) Pages() (pages []*[PageNodes]Force, loaded []uint64) { return f.pages, f.loadedNodes }

// Make allocates the page of a node if it is not.
func (f *Forces) Make(n int32) {
	if f.pages[n>>6] == nil {
		f.addPage(n >> 6)
	}
}

// Loaded appends the nodes with contact, ascending.
func (f *Forces) Loaded(nodes []int32) []int32 {
	for g := range f.inPages {
		for set := f.loadedNodes[g]; set != 0; set &= set - 1 {
			nodes = append(nodes, int32(PageNodes*g+bits.TrailingZeros64(set)))
		}
	}
	return nodes
}
