package model

import (
	"fdem/contactnodes"
	"fdem/contactnodes/spheres"
	"fdem/fem/fracture"
	"fdem/materials/contact"

	"gonum.org/v1/gonum/spatial/r2"
)

// CornersMeet tells whether a contact has straight edges of rigid bodies on both sides, and
// one of the bodies can move.
func (m *Model) CornersMeet(c *SurfaceContact, rigid []contactnodes.Rigidity) bool {
	if rigid == nil {
		return false
	}
	sides, free := [2]bool{}, false
	for k, list := range [2][]int32{c.Contactor, c.Opposite} {
		for _, i := range list {
			if rigid[i] != contactnodes.Deformable && m.Mesh.Edges[i].Radius == 0 {
				sides[k] = true
				free = free || rigid[i] == contactnodes.Free
			}
		}
	}
	return sides[0] && sides[1] && free
}

// VolumeContact is a contact of whole bodies by the volume of their overlap, see
// package volume.
type VolumeContact struct {
	Name          string  // unique among all contacts
	First, Second []int32 // components of the mesh, ascending
	Law           contact.Volumetric
	LawName       string
	Friction      float64 // Coulomb's coefficient [1]
	Speed         float64 // slip speed below which friction is linear [m/s]
	Allow         bool    // bodies may overlap at the start, and the overlap acts at once
}

// Impulses makes a run of rigid bodies one by impulses, without springs between bodies (package
// impulses).
type Impulses struct {
	Tolerance float64 // of the accelerations, relative to gravity
	Sweeps    int     // greatest number of sweeps in a step
	Contacts  []ImpulseContact
}

// ImpulseContact is contact of rigid bodies by impulses. Bodies are indices of Model.Rigids,
// ascending.
type ImpulseContact struct {
	Name                string
	Contactor, Opposite []int32
	Elsewhere           [][2][]int32 // two sides whose pairs of bodies belong to another contact
	Friction            float64
	Rolling             float64 // coefficient of the moment that resists rolling of discs
	Restitution         float64
	RestitutionSpeed    float64 // slower impacts are plastic [m/s]; negative for four steps of gravity, or of the greatest acceleration by loads without it
}

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

// ContactsWhereBreaking returns for each edge 0 if spheres may contact it once it has separated,
// else -1. It returns nil if there is no such edge.
func (m *Model) ContactsWhereBreaking(edges []fracture.Edge, body []int32) []int32 {
	kinds, leaves := m.Particles.BodyKind, m.ExcavationTimes()
	first, some := make([]int32, len(edges)), false
	for j := range edges {
		e := &edges[j]
		a, b := body[e.A], body[e.B]
		if first[j] = -1; max(kinds[a], kinds[b]) >= 0 && (e.Region >= 0 || a != b && leaves[a] != leaves[b]) {
			first[j], some = 0, true
		}
	}
	if !some {
		return nil
	}
	return first
}
