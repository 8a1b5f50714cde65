package contactnodes

import (
	"math"

	"fdem/materials/elementary"
)

// The stiffness of a strip is that of its touching part: the energy of a linear law is k/2 times
// the integral of the squared depth, and its second derivative comes from the part inside. The rest
// of the strip counts like predicted contact points, by the mean along the strip of the square of 1
// - n/predictionSteps, where n is the number of steps until contact.

// manyNodes is the number of contact nodes on an edge from which on the strips of deformable bodies
// are short and count as a whole.
const manyNodes = 20

// meanPredicted returns the root mean square of what predicted contact points count, along a strip
// whose nearer end counts as predicted, and whose other end is x times as far away as
// touches count.
func meanPredicted(predicted, x float64) float64 {
	rest := max(0, predicted-x)
	if x < 1e-9 {
		return predicted
	}
	return math.Sqrt((float64(predicted*predicted*predicted) - float64(rest*rest*rest)) / (3 * x))
}

// coverStiffness reduces the stiffness of a strip that touches in part to that of the part that
// touches or may touch in the coming steps.
func (c *Contact) coverStiffness() {
	if !c.covers {
		return
	}
	n := &c.touching
	for j := range n.pairs {
		m := &n.pairs[j]
		if m.positionSlope == 0 && m.depthSlope == 0 || c.Nodes >= manyNodes && !c.onCorners(c.elements[m.element], m.edge) { // contact nodes at their positions
			continue
		}
		nodes, approach := &c.layouts[c.layoutOf[m.element]], -1.0
		for i := m.first; i < m.end; i++ {
			t := &n.nodes[i]
			if t.repeated {
				continue
			}
			if t.coveredSum >= 1 {
				n.stiffness[i] *= t.covered // the other parts have the rest
				continue
			}
			if approach < 0 {
				e, o := &c.outline.Edges[c.elements[m.element]], &c.outline.Edges[m.edge]
				speed := func(a, b int32) float64 { return math.Abs(elementary.Dot(m.inward, sub(c.v[a], c.v[b]))) }
				approach = c.prediction.approach(max(speed(e.A, o.A), speed(e.A, o.B), speed(e.B, o.A), speed(e.B, o.B)))
			}
			rest := 1 - t.coveredSum
			more := rest
			length := 2 * nodes.half[t.id-m.element*int32(c.Nodes)] * math.Abs(m.depthSlope)
			if reach := predictionSteps * approach; reach < 1e9*length {
				x := reach / length // part of the strip that may be covered
				u := 1 - min(1, rest/x)
				more = x / 3 * (1 - float64(u*u*u))
			}
			n.stiffness[i] *= t.covered + more
		}
	}
}
