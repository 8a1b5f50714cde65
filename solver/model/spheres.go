package model

import (
	"fdem/contactnodes/spheres"

	"gonum.org/v1/gonum/spatial/r2"
)

// Particles are spheres that move in the plane and rotate about its normal. They contact one
// another, rigid bodies and the outlines of meshed bodies and beams at points
// (contactnodes/spheres). Slices are per sphere. The zero value has no spheres.
type Particles struct {
	Groups       []ParticleGroup // consecutive groups of all spheres
	X, V         []r2.Vec        // at the start [m], [m/s]
	Spin         []float64       // at the start [rad/s]
	Radius       []float64       // [m]
	Mass         []float64       // [kg]; a sphere with mass 0 is held at its position
	Kind         []int32         // spheres of one kind have the same properties
	Kinds        int             // number of kinds: of the spheres, then of the rigid bodies, then of the meshed bodies
	RigidKind    []int32         // per rigid body
	BodyKind     []int32         // per meshed body; -1 for a body that spheres pass through; nil for none
	Interactions []string        // names
	// RuleOf returns the contact rule of two kinds, the first a kind of spheres. It returns nil if
	// they pass through each other, and an error if they contact each other but no rule is
	// possible. It must be a pure function.
	RuleOf    func(a, b int32) (*spheres.Rule, error)
	Predicted [][2]int32 // pairs of kinds whose impacts limit the step: the lightest, the smallest
	Outcomes  []string   // lines about restitutions that come out as others than given
}

// ParticleGroup is the spheres [First, End).
type ParticleGroup struct {
	Name       string
	First, End int32
}

// laws returns the laws of the interactions.
func (p *Particles) laws() (out []ContactLaws) {
	for i, name := range p.Interactions {
		of := ContactLaws{Name: name, Points: true}
		for _, kinds := range p.Predicted {
			switch rule, err := p.RuleOf(kinds[0], kinds[1]); {
			case err != nil:
				of.Missing = append(of.Missing, err)
			case rule != nil && int(rule.Interaction) == i:
				of.Laws = append(of.Laws, rule.Law)
			}
		}
		out = append(out, of)
	}
	return out
}

// Unpredicted returns why the first steps of a run do not predict the time that it takes; "" if
// they do.
func (m *Model) Unpredicted() string {
	if len(m.Particles.X) == 0 {
		return ""
	}
	return "particles that meet take shorter steps, as their laws and speeds ask for: where more meet later, more steps come"
}
