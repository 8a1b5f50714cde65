package output

import (
	"slices"

	"fdem/solver/bodies"
	"fdem/solver/constraints"
	models "fdem/solver/model"
	"fdem/solver/nodes"
	"fdem/solver/particles"
	"fdem/solver/quantity"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Row calls the function with every column of a row of the history and its value
// at Time, in their order: of the run, its bodies, contacts, springs, bolts, fluids, probes
// and supports, and the moments of the contacts. e is the ledger at Time.
func (s *Results) Row(e *system.Energies, each func(c quantity.Column, v float64)) {
	each(quantity.Column{Quantity: ofTime}, s.Time)
	for _, b := range system.OfLedger {
		if s.told(b.Of.Name) {
			each(quantity.Column{Quantity: b.Of}, *b.Value(e))
		}
	}
	for _, columns := range s.columns {
		columns(each)
	}
}

// Columns calls the function with every column of a kind in a row of the history, and its value at Time.
type Columns func(each func(c quantity.Column, v float64))

// listColumns lists who gives the columns behind those of the ledger, in their order: kinds whose columns stand
// before those of bodies, and behind those of contacts.
func (s *Results) listColumns(before, behind []Columns) {
	s.columns = slices.Concat(before, []Columns{s.ofBodies, s.Kinds.Beams.Columns, s.ofContacts}, behind, []Columns{s.ofProbes, s.ofSupports, s.ofMoments})
}

func (s *Results) ofBodies(each func(c quantity.Column, v float64)) {
	for _, m := range s.Motions() {
		for _, b := range ofBody {
			each(quantity.Column{Quantity: b.of, Owner: m.Name}, b.value(&m))
		}
	}
}

func (s *Results) ofContacts(each func(c quantity.Column, v float64)) {
	for _, m := range s.MeanForces() {
		for _, b := range ofContact {
			if m.Surfaces || !b.push {
				each(quantity.Column{Quantity: b.of, Owner: m.Name}, b.value(&m))
			}
		}
	}
}

func (s *Results) ofProbes(each func(c quantity.Column, v float64)) {
	for i := range s.probes {
		p := &s.probes[i]
		for k, v := range s.ProbeValues(p.of, len(p.columns)) {
			each(p.columns[k], v)
		}
	}
}

func (s *Results) ofSupports(each func(c quantity.Column, v float64)) {
	for _, r := range s.MeanReactions() {
		for _, b := range ofReaction {
			each(quantity.Column{Quantity: b.of, Owner: r.Name}, b.value(&r))
		}
	}
}

func (s *Results) ofMoments(each func(c quantity.Column, v float64)) {
	for _, m := range s.MeanForces() {
		if m.Surfaces {
			each(quantity.Column{Quantity: ofMoment, Owner: m.Name}, m.Moment)
		}
	}
}

var (
	ofTime   = quantity.Must(quantity.Run, "time")
	ofMoment = quantity.Must(quantity.Contact, "moment")
)

var ofBody = []struct {
	of    *quantity.Quantity
	value func(m *system.BodyMotion) float64
}{
	{quantity.Must(quantity.Body, "vx"), func(m *system.BodyMotion) float64 { return m.Velocity.X }},
	{quantity.Must(quantity.Body, "vy"), func(m *system.BodyMotion) float64 { return m.Velocity.Y }},
	{quantity.Must(quantity.Body, "omega"), func(m *system.BodyMotion) float64 { return m.AngularVelocity }},
}

var ofContact = []struct {
	of    *quantity.Quantity
	push  bool // for contacts that have a Push only
	value func(m *MeanForce) float64
}{
	{quantity.Must(quantity.Contact, "normal"), false, func(m *MeanForce) float64 { return m.Normal }},
	{quantity.Must(quantity.Contact, "tangential"), false, func(m *MeanForce) float64 { return m.Tangential }},
	{quantity.Must(quantity.Contact, "fx"), true, func(m *MeanForce) float64 { return m.Push.X }},
	{quantity.Must(quantity.Contact, "fy"), true, func(m *MeanForce) float64 { return m.Push.Y }},
}

var ofReaction = []struct {
	of    *quantity.Quantity
	value func(r *constraints.Reaction) float64
}{
	{quantity.Must(quantity.Support, "fx"), func(r *constraints.Reaction) float64 { return r.Force.X }},
	{quantity.Must(quantity.Support, "fy"), func(r *constraints.Reaction) float64 { return r.Force.Y }},
	{quantity.Must(quantity.Support, "moment"), func(r *constraints.Reaction) float64 { return r.Moment }},
}

// probed is what a probe observes: a node or another thing. Both components are in
// SI; for a rotation they are the angle and the angular velocity.
type probed interface {
	Displacement() r2.Vec
	SphereVelocity() r2.Vec
	SpherePosition() r2.Vec
	ContactForce() r2.Vec
	Rotation() r2.Vec
}

// probe is a probe of the model with its columns.
type probe struct {
	of      *models.Probe
	columns []quantity.Column
}

// addProbes names the columns of the probes.
func (k *Results) addProbes() {
	for i := range k.Probes {
		one := probe{of: &k.Probes[i]}
		of := quantity.Must(quantity.Probe, one.of.Quantity)
		for _, part := range of.Parts() {
			one.columns = append(one.columns, quantity.Column{Quantity: of, Owner: one.of.Name, Part: part})
		}
		k.probes = append(k.probes, one)
	}
}

// probed returns what a probe observes.
func (k *Results) probed(p models.Probe) probed {
	switch {
	case p.Particle && k.Model.Impulses != nil:
		return bodies.ProbedRigid{K: k.Kinds.Rigids, N: p.Node}
	case p.Particle:
		return particles.ProbedSphere{K: k.Kinds.Spheres, N: p.Node}
	}
	return probedNode{k.View, p.Node}
}

// Probe returns the value of a probe of one node or sphere at Time, in SI.
func (k *Results) Probe(p models.Probe) r2.Vec { return ofProbe[p.Quantity](k.probed(p)) }

// ofProbe has the function of every quantity of a probe by its name in the table.
var ofProbe = map[string]func(probed) r2.Vec{
	"displacement":  probed.Displacement,
	"velocity":      probed.SphereVelocity,
	"position":      probed.SpherePosition,
	"contact_force": probed.ContactForce,
	"rotation":      probed.Rotation,
}

// probedNode is a node that a probe observes.
type probedNode struct {
	system.View
	n int32
}

func (p probedNode) Displacement() r2.Vec { return r2.Sub(p.X[p.n], p.Mesh.X[p.n]) }

func (p probedNode) SphereVelocity() r2.Vec { return p.NodeVelocity(nodes.Node(p.n)) }

func (p probedNode) SpherePosition() r2.Vec { return p.X[p.n] }

func (p probedNode) Rotation() r2.Vec { return r2.Vec{X: p.Theta[p.n], Y: p.NodeSpin(nodes.Node(p.n))} }

// ContactForce returns the contact force on the node and on the nodes of faces that
// it carries.
func (p probedNode) ContactForce() r2.Vec {
	f := p.Contact.At(p.n).F
	for i, n := range p.Mesh.Faces {
		if p.Mesh.PositionNode(n) == p.n {
			f = r2.Add(f, p.Contact.At(p.Mesh.FirstFace+int32(i)).F)
		}
	}
	return f
}
