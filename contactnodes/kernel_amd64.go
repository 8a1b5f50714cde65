package contactnodes

import (
	"math"

	"fdem/contactnodes/onnodes"

	"golang.org/x/sys/cpu"

	"gonum.org/v1/gonum/spatial/r2"
)

//go:generate go run -C ../fem/asm ./edges -out ../../contactnodes/vector_amd64.s -stubs ../../contactnodes/vector_amd64.go -pkg contactnodes

// chooseKernel returns the fastest kernel of this machine, or the generic one.
func chooseKernel(generic bool) kernel {
	if generic || !cpu.X86.HasAVX2 {
		return genericKernel
	}
	return kernel{(*Contact).findFramesVector, (*Contact).pressVector, (*Contact).findRatesVector, (*Contact).shareVector}
}

// findFramesVector is findFrames in assembly.
func (c *Contact) findFramesVector(list []frames) {
	v := c.v
	if v == nil { // does not matter: nothing is predicted
		v = c.x
	}
	findFramesAVX2(&list[0].own[0], len(list), &c.outline.corners[0].before, &c.x[0].X, &v[0].X, &c.query.one[0])
}

// pairLists has pointers to the data from which forces of pairs are computed. The assembly kernel
// depends on the order and size of these fields, and of those of edgePair, node and sums.
type pairLists struct {
	unit                             [2]float64    // 1
	turned                           [2]uint64     // sign bits that rotate a vector to the right by 90 degrees
	opposed                          [lanes]uint64 // sign bits of stiffness and damping, which add up while forces are opposite
	damping                          float64       // of the law [Pa s/m]
	kind                             int32         // pairKind of the pairs
	perElement                       int32         // contact nodes of an element
	corners                          *corners
	x                                *r2.Vec
	area, positions                  *float64
	nodes                            *node
	pressure, w, stiffness, friction *float64
	pages                            **[onnodes.PageNodes]onnodes.Force
	loaded                           *uint64
	v                                *r2.Vec
	rate                             *float64
	slips                            int // 1 if contact points have slips
	sizes                            *size
	towardsEnd                       *float64
}

// newPairLists returns the lists of contact points for the pairs of one kind.
func (c *Contact) newPairLists(t *contactPoints, kind pairKind) pairLists {
	return pairLists{
		unit: [2]float64{1, 1}, turned: [2]uint64{1: 1 << 63}, opposed: [lanes]uint64{2: 1 << 63, 3: 1 << 63},
		kind: int32(kind), perElement: int32(c.Nodes), corners: &c.outline.corners[0], positions: &c.layouts[0].position[0], nodes: &t.nodes[0],
	}
}

// pressVector adds the forces of pairs in assembly. It stops before a curved pair, or a pair with a
// node that has not been loaded before.
func (c *Contact) pressVector(pairs []edgePair) int {
	kind, n := pairs[0].kind, &c.points
	if kind == curved {
		return 0
	}
	l := c.newPairLists(n, kind)
	l.damping, l.x, l.area, l.pressure, l.w, l.stiffness, l.friction = c.damping, &c.x[0], &c.area[0], &n.p[0], &n.w[0], &n.stiffness[0], &n.friction[0]
	pages, loaded := c.out.Pages()
	l.pages, l.loaded = &pages[0], &loaded[0]
	return pressAVX2(&pairs[0].element, len(pairs), &l.unit[0], &c.Normal)
}

// findRatesVector finds the rates of pairs of one kind in assembly. It stops before a pair of
// another kind.
func (c *Contact) findRatesVector(f *finder, t *contactPoints, pairs []edgePair) int {
	if pairs[0].kind == curved {
		return 0
	}
	l := c.newPairLists(t, pairs[0].kind)
	l.v, l.rate = &c.v[0], &t.rate[0]
	if t == f.points {
		l.slips = 1
	}
	return ratesAVX2(&pairs[0].element, len(pairs), &l.unit[0])
}

// shareConstants has the constants of sharePair, each for two lanes. The assembly kernel depends on
// their order.
var shareConstants = func() (all [11][2]float64) {
	for i, v := range [...]float64{1, 2, 3, 6, plateau, steep, steep * 4, 0.5, 0.25, 0.75, math.Float64frombits(1<<63 - 1)} {
		all[i] = [2]float64{v, v}
	}
	return all
}()

// shareVector shares the areas of pairs in assembly. It stops before a curved pair.
func (c *Contact) shareVector(t *contactPoints, pairs []edgePair) int {
	if pairs[0].kind != straight {
		return 0
	}
	l := c.newPairLists(t, straight)
	l.sizes, l.towardsEnd = &c.outline.sizes[0], &c.layouts[0].towardsEnd[0]
	return shareAVX2(&pairs[0].element, len(pairs), &l.unit[0], &shareConstants[0][0])
}
