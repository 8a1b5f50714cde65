package solver

import (
	"fdem/contactnodes/onnodes"
	"fdem/materials/contact"
	"fdem/materials/elementary"
	"fdem/mesh"
	"fdem/solver/contacts"

	"gonum.org/v1/gonum/spatial/r2"
)

// Expect predicts the state of contact i under a pressure [Pa]. The law must reach it within a
// deflection of one metre. It helps to choose a stiffness before a run.
func (s *stepLimits) Expect(i int, pressure float64) contacts.Expectation {
	c := &s.Model.Contacts[i]
	var e contacts.Expectation
	e.Deflection, e.Stiffness = contacts.DeflectionAt(c.Law, pressure)
	kept, pressed := s.Contact, s.contacts.LoadedNodes
	defer func() { s.Contact, s.contacts.LoadedNodes = kept, pressed }()
	s.Contact, s.contacts.LoadedNodes = onnodes.New(len(s.X), false), s.Tracked.Lines.Nodes
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

// stableStep returns the step of the stability limit alone, for the present contacts [s].
func (k *stepLimits) stableStep() float64 {
	b := k.bounds()
	return k.Safety * b.Stable(k.Model)
}
