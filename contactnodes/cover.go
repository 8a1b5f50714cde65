package contactnodes

import (
	"math"

	"fdem/materials/elementary"
)

// The stiffness of a strip is that of its part in contact. The energy of a linear law is k/2 times
// the integral of the squared depth, and only the part inside has a second derivative. The rest of
// the strip counts like predicted contact points: with the mean along the strip of (1 -
// n/predictionSteps)^2, where n is the number of steps until contact.

// manyNodes is the number of contact nodes on an edge from which the strips of deformable bodies
// are so short that they count as a whole.
const manyNodes = 20

// meanPredicted returns the root mean square of the weight of predicted contact points along a
// strip. predicted is the weight at its nearer end. x is the length of the strip, measured across
// the edge, relative to the greatest distance of prediction.
func meanPredicted(predicted, x float64) float64 {
	rest := max(0, predicted-x)
	if x < 1e-9 {
		return predicted
	}
	return math.Sqrt((float64(predicted*predicted*predicted) - float64(rest*rest*rest)) / (3 * x))
}

// coverStiffness reduces the stiffness of a strip that is partly in contact to that of the part in
// contact now or in the next steps.
func (c *Contact) coverStiffness() {
	if !c.covers {
		return
	}
	n := &c.points
	for j := range n.pairs {
		m := &n.pairs[j]
		if m.positionSlope == 0 && m.depthSlope == 0 || c.Nodes >= manyNodes { // contact nodes take the depth at their positions
			continue
		}
		nodes, approach := &c.layouts[c.layoutOf[m.element]], -1.0
		for i := m.first; i < m.end; i++ {
			t := &n.nodes[i]
			if t.repeated {
				continue
			}
			if t.coveredSum >= 1 {
				n.stiffness[i] *= t.covered // the rest is at the strip's other parts
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
				x := reach / length // part of the strip that may come into contact
				u := 1 - min(1, rest/x)
				more = x / 3 * (1 - float64(u*u*u))
			}
			n.stiffness[i] *= t.covered + more
		}
	}
}
