package solver

import (
	"fdem/contactnodes"
	"fdem/materials/contact"
	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// Expectation is the predicted state of a contact under a pressure.
type Expectation struct {
	Deflection float64 // at the pressure, in a first loading without damping [m]
	Stiffness  float64 // tangent of the law there [Pa/m]
	Step       float64 // while the surfaces are in contact everywhere; of elastic bodies only [s]
	Free       float64 // without contact [s]
}

// Expect predicts the state of contact i under a pressure [Pa]. The law must reach it within a
// deflection of one metre. It helps to choose a stiffness before a run.
func (s *results) Expect(i int, pressure float64) Expectation {
	c := &s.Model.Contacts[i]
	var e Expectation
	e.Deflection, e.Stiffness = deflectionAt(c.Law, pressure)
	kept, pressed := s.Contact, s.contacts.loadedNodes
	defer func() { s.Contact, s.contacts.loadedNodes = kept, pressed }()
	s.Contact, s.contacts.loadedNodes = contactnodes.NewForces(len(s.X), false), s.outlines.Lines.Nodes
	e.Free = s.stableStep()
	damping := 0.0
	if damped, ok := c.Law.(contact.Damped); ok {
		damping = damped.Damping()
	}
	width := s.Widths()
	taken := make([]bool, len(s.Mesh.Edges))
	for _, edges := range [2][]int32{c.Contactor, c.Opposite} {
		for _, n := range edges {
			edge := s.Mesh.Edges[n]
			k := int(edge.Body)
			if taken[n] || s.Mesh.Bodies[k].Kind == mesh.OfOutline || c.Pair != nil && s.Model.Bodies[k].Material != c.Pair[0] && s.Model.Bodies[k].Material != c.Pair[1] {
				continue
			}
			taken[n] = true
			area := s.Thickness
			if width != nil {
				area = width[n]
			}
			area *= elementary.Norm(r2.Sub(s.Mesh.X[edge.B], s.Mesh.X[edge.A]))
			for _, end := range [2]int32{edge.A, edge.B} { // each end has half of the edge's area; twice if both sides move
				on := s.Contact.On(end)
				on.Stiffness += float64((e.Stiffness + c.Friction.Stiffness) * area)
				on.Damping += float64(damping * area)
			}
		}
	}
	e.Step = s.stableStep()
	return e
}

// deflectionAt returns the deflection [m] at which a law first carries a pressure
// [Pa], and its tangent there [Pa/m].
func deflectionAt(law contact.Law, pressure float64) (d, stiffness float64) {
	node := contact.NewNode(law)
	low, high := 0.0, 1e-12
	for node.Try(high, 0).P < pressure && high < 1 {
		low, high = high, 2*high
	}
	for high-low > 1e-9*high {
		middle := 0.5 * (low + high)
		if node.Try(middle, 0).P < pressure {
			low = middle
		} else {
			high = middle
		}
	}
	a := node.Try(high, 0)
	return high, max(a.DP, a.K)
}

// stableStep returns the step of the stability limit alone, for the present contacts [s].
func (k *stepLimits) stableStep() float64 {
	b := k.bounds()
	return k.Safety * b.Stable(k.Model)
}
