package contacts

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"fdem/contactnodes"
	"fdem/contactnodes/onnodes"
	"fdem/contactnodes/volume"
	"fdem/contactnodes/work"
	"fdem/fem/fracture"
	bodiess "fdem/solver/bodies"
	"fdem/solver/nodes"
	"fdem/solver/system"
	"fdem/solver/threads"

	"gonum.org/v1/gonum/spatial/r2"
)

// Contacts are the contacts of edges: node-to-segment contact by contact nodes
// (surfaces.go), and volumetric contact by the volume of overlaps (volumes.go).
// Both exert forces on nodes. These forces are kept apart from other forces, because the step
// limit, the watch and the results need them.
type Contacts struct {
	system.Idle
	system.View
	*bodiess.ContactState
	Outlines    *bodiess.Outlines
	clear       *bodiess.Clearances
	bodies      *bodiess.Rigids
	breaking    Broken
	elsewhere   elsewhere
	Engines     []engine
	LoadedNodes []int32        // the nodes on which they act, ascending
	Account     []work.Account // of the contacts of one engine
	Done        float64        // work of bodies on the contacts up to the last commit [J]
	Rounded     []Rounded      // contacts whose overlap at the start is ignored as rounding
}

// Broken is what contact asks of bodies that break.
type Broken interface {
	Prepare()                               // activates crack faces, before the forces of all contacts
	Also(contact int) []system.ContactForce // forces of crack faces that belong to a contact
	IsOpen(edge int32) bool                 // of the edges that may break
	IsExcavated(body int32) bool
	Zone() *fracture.Zone
}

// Whole is a model in which nothing breaks.
type Whole struct{}

func (Whole) Prepare() {}

func (Whole) Also(int) []system.ContactForce { return nil }

func (Whole) IsOpen(int32) bool { return false }

func (Whole) IsExcavated(int32) bool { return false }

func (Whole) Zone() *fracture.Zone { return &fracture.Zone{} }

// elsewhere is the process that evaluates contact, if several share the model.
type elsewhere interface {
	IsOwned() bool
	Began() time.Time // begins an evaluation here
	Ended(began time.Time)
}

// engine is a kind of contact between edges. Its accounts are the work of each contact and its
// tangents their stiffness, in the order of the model's contacts.
type engine interface {
	Name() string                // in the profile of a run
	AddForces(commit bool) error // to the contact forces of the analysis
	Parts() []system.Part
	system.Contacting
	Accounts(out []work.Account) []work.Account
	Balance() error
	system.Overlapping
	Tangents(out []contactnodes.TangentTerm) []contactnodes.TangentTerm
	threads.Shared
	system.Restoring
	EndExcavated() (stored float64) // ends the contact of excavated bodies, and returns its stored energy [J]
}

// NewContacts makes the contacts.
func NewContacts(of system.View, state *bodiess.ContactState, outlines *bodiess.Outlines, bodies *bodiess.Rigids, elsewhere elsewhere, mobility []float64) *Contacts {
	of.Contact = onnodes.New(len(of.X), of.InverseInertias != nil || len(of.Rigids) > 0)
	k := &Contacts{View: of, ContactState: state, Outlines: outlines, clear: bodies.Clear, bodies: bodies, breaking: Whole{}, elsewhere: elsewhere}
	k.PeakForce = make([]float64, len(k.Model.Contacts)+len(k.ByVolume))
	k.addSurfaces(mobility)
	k.addVolumes()
	return k
}

// Break adds the bodies that break.
func (k *Contacts) Break(b Broken) { k.breaking = b }

func (k *Contacts) Name() string { return "contact" }

func (k *Contacts) NodesRead(func(n int32)) bool { return true } // others name the nodes of outlines

// ReleaseBody ends all contacts of a body, which has no contact from now on. It returns the nodes
// of other bodies on which its contact forces have acted, these forces [N], and the energy that was
// stored in the contacts [J].
func (k *Contacts) ReleaseBody(body int32) (nodes []int32, force []r2.Vec, stored float64, err error) {
	if k.Outlines.Lines.Transfer == nil {
		return nil, nil, 0, nil
	}
	own, last := k.Contact, k.Last
	defer func() { k.Contact, k.Last = own, last }()
	k.Last *= instant // the step is so short that friction stays as it was
	var with, without onnodes.Forces
	for _, f := range [2]*onnodes.Forces{&with, &without} {
		*f = onnodes.New(len(k.X), own.Moment != nil)
		k.Contact = *f
		for _, e := range k.Engines {
			if _, measures := e.(*volumes); measures { // it is between whole bodies, which are not excavated
				continue
			}
			if err := e.AddForces(false); err != nil {
				return nil, nil, 0, err
			}
		}
		if f == &without {
			break
		}
		stored = k.EndContacts(body)
	}
	for _, c := range k.Surfaces {
		stored += c.Stay()
	}
	k.Done = k.Work()
	for _, n := range with.Loaded(nil) {
		if f := r2.Sub(with.At(n).F, without.At(n).F); f != (r2.Vec{}) {
			nodes, force = append(nodes, n), append(force, f)
		}
	}
	return nodes, force, stored, nil
}

// instant is the part of a step that is too short for any slip.
const instant = 1e-9

// EndContacts ends the contact points of a body that is removed, and returns their stored energy
// [J].
func (k *Contacts) EndContacts(body int32) (stored float64) {
	h := k.Outlines.Lines.Transfer
	if h == nil || h.Left[body] {
		return 0
	}
	h.Left[body] = true
	for _, e := range k.Engines {
		stored += e.EndExcavated()
	}
	return stored
}

// ApplyForces adds the forces of every contact. The displacements of the nodes must have been
// tracked.
func (k *Contacts) ApplyForces(commit bool) error {
	if len(k.Engines) == 0 {
		return nil
	}
	if !k.elsewhere.IsOwned() {
		began := k.elsewhere.Began()
		err := k.Evaluate(commit)
		k.elsewhere.Ended(began)
		if err != nil {
			return err
		}
	}
	k.LoadedNodes = k.Contact.Loaded(k.LoadedNodes[:0])
	for _, n := range k.LoadedNodes {
		f := k.Contact.At(n).F
		k.F[n].X += f.X
		k.F[n].Y += f.Y
	}
	if commit {
		k.Done = k.Work()
	}
	return nil
}

// Evaluate evaluates the forces of every engine.
func (k *Contacts) Evaluate(commit bool) error {
	k.Contact.Clear()
	k.breaking.Prepare()
	for _, e := range k.Engines {
		if err := e.AddForces(commit); err != nil {
			return err
		}
		if k.Timer.On {
			k.Timer.Lap(k.Timer.Engine(e.Name()))
		}
	}
	return nil
}

func (k *Contacts) UseThreads(t *threads.Team) {
	k.Outlines.Search.Workers(t.Workers, t.Run)
	for _, e := range k.Engines {
		e.UseThreads(t)
	}
}

func (k *Contacts) Recompute() error {
	for _, e := range k.Engines {
		if err := e.Recompute(); err != nil {
			return err
		}
	}
	return nil
}

// Dissipates tells whether a contact dissipates energy.
func (k *Contacts) Dissipates() bool {
	return len(k.Volumes) > 0 || slices.ContainsFunc(k.Surfaces, func(c *contactnodes.Contact) bool { return !c.Elastic() })
}

func (k *Contacts) ListsMade() int { return k.Outlines.Search.Rebuilds() }

// Where names the contacts that act on the node, and the node.
func (k *Contacts) Where(by system.Cause) string {
	if by.What != bodiess.AtNode {
		return ""
	}
	var names []string
	for i := range k.Model.Contacts {
		c := &k.Model.Contacts[i]
		for _, e := range slices.Concat(c.Contactor, c.Opposite) {
			if edge := &k.Mesh.Edges[e]; edge.A == by.At || edge.B == by.At {
				if name := strconv.Quote(cmp.Or(c.Of, c.Name)); !slices.Contains(names, name) {
					names = append(names, name)
				}
				break
			}
		}
	}
	return fmt.Sprintf("%s, %v", strings.Join(names, " or "), k.NodePosition(int(by.At)))
}

func (k *Contacts) EachCount(each func(n int, of string)) { each(k.ContactNodes(), "contact nodes") }

func (k *Contacts) Bytes() int { return 240 * k.ContactNodes() }

// Bound adds the stiffness and damping of the contacts on nodes, as they act now and in the coming
// step. The node with the greatest stiffness is the cause. It also limits the step such that nodes
// approach each other by less than a part of an edge's depth, and that impacts keep the energy
// error small.
func (k *Contacts) Bound(b *system.Bounds) {
	a := k.Act()
	b.Contact = a
	b.Stiffness.Raise(a.Stiffness, system.Cause{What: bodiess.AtNode, At: a.Stiffest})
	b.Damping.Raise(a.Damping, system.Cause{What: bodiess.AtNode, At: a.MaxDamped})
	if len(k.Engines) > 0 {
		if limit := MaxApproach * k.Outlines.Shallow / k.Outlines.ApproachSpeed(); limit < b.Step.Of {
			b.Step.Lower(max(limit, k.clear.ShortestTime()), system.Cause{What: "speed of approach"})
		}
	}
	b.Impact.Lower(k.ImpactStep(), system.Cause{What: "energy at impact"})
}

func (k *Contacts) AddEnergies(e *system.Energies) {
	for _, g := range k.Engines {
		k.Account = g.Accounts(k.Account[:0])
		for _, a := range k.Account {
			e.AddContact(a)
		}
	}
}

func (k *Contacts) StateParts() (parts []system.Part) {
	parts = append(parts, system.Part{Name: "peak_force", Values: k.PeakForce})
	for _, g := range k.Engines {
		parts = append(parts, g.Parts()...)
	}
	return parts
}

func (k *Contacts) ContactForces(out []system.ContactForce) []system.ContactForce {
	for _, g := range k.Engines {
		out = g.ContactForces(out)
	}
	return out
}

func (k *Contacts) EachContact(each func(system.ContactLoad)) {
	for _, g := range k.Engines {
		g.EachContact(each)
	}
}

func (k *Contacts) Balance() error {
	for _, g := range k.Engines {
		if err := g.Balance(); err != nil {
			return err
		}
	}
	return nil
}

func (k *Contacts) Overlap(evaluated bool) error {
	for _, g := range k.Engines {
		if err := g.Overlap(evaluated); err != nil {
			return err
		}
	}
	return nil
}

// Work returns the work of bodies on the contacts so far [J].
func (k *Contacts) Work() (sum float64) {
	for _, g := range k.Engines {
		of := 0.0
		k.Account = g.Accounts(k.Account[:0])
		for _, a := range k.Account {
			of += a.OfBodies()
		}
		sum += of
	}
	return sum
}

// IdleFriction is a ratio of two energies: the work of friction if it had been at its limit, and
// the greatest energy stored or in motion. Up to this ratio slip does not matter.
const IdleFriction = 1e-3

// OverlapError reports bodies that overlap before the first step.
type OverlapError struct {
	Contact    string
	Nodes      int     // contact nodes inside the other body
	Deflection float64 // greatest penetration [m]
	TooDeep    error   // error if contact cannot resolve so deep an overlap even if it is allowed: DepthError or InsideError; else nil
	Allowed    bool    // the deck allows overlap
	Enclosed   string  // message which body lies completely inside another; "" for none
}

func (e *OverlapError) Unwrap() error { return e.TooDeep }

func (e *OverlapError) Error() string {
	if e.Enclosed != "" {
		return fmt.Sprintf("contact %q: the bodies overlap at the start: %s", e.Contact, e.Enclosed)
	}
	var deep *contactnodes.DepthError
	var inside *volume.InsideError
	const begin = "contact %q: the bodies overlap at the start: "
	switch {
	case errors.As(e.TooDeep, &deep):
		advice := "coarsen the mesh there"
		if !e.Allowed {
			advice = "consent with overlap = \"allow\", where they are pressed together"
		}
		return fmt.Sprintf(begin+"a contact node at (%.6g, %.6g) m is inside by %.3g m, more than the %.3g m that the elements under it allow; move them apart, or %s",
			e.Contact, deep.Position.X, deep.Position.Y, deep.Deflection, deep.Limit, advice)
	case errors.As(e.TooDeep, &inside):
		return fmt.Sprintf(begin+"at (%.6g, %.6g) m one of %q and %q lies wholly in the other; move them apart", e.Contact, inside.Position.X, inside.Position.Y, inside.First, inside.Second)
	}
	if e.Nodes == 0 { // volumetric contact
		return fmt.Sprintf("contact %q: the bodies overlap at the start, by %.3g m on the mean; move them apart, or consent with overlap = \"allow\"", e.Contact, e.Deflection)
	}
	return fmt.Sprintf("contact %q: the bodies overlap at the start: %d contact nodes are inside, the deepest by %.3g m; move them apart, or consent with overlap = \"allow\" or \"subtract\"",
		e.Contact, e.Nodes, e.Deflection)
}

// ContactRounding is the overlap relative to the depth of an edge below which bodies count as just
// in contact, because of rounding.
const ContactRounding = 1e-9

// CoordinateRounding is the overlap relative to the depth of an edge that coordinates with few
// digits cause. It is not counted as deflection.
const CoordinateRounding = 1e-4

// Rounded is a contact whose bodies overlap at the start by no more than the rounding of
// coordinates.
type Rounded struct {
	Contact    string
	Deflection float64 // the greatest overlap [m]
}

// TooDeep turns an error of a penetration that is too deep for contact into the OverlapError of
// bodies that overlap so deep at the start. It returns other errors as they are.
func TooDeep(err error) error {
	var deep *contactnodes.DepthError
	var inside *volume.InsideError
	switch {
	case errors.As(err, &deep):
		return &OverlapError{Contact: deep.Contact, Nodes: 1, Deflection: deep.Deflection, TooDeep: err}
	case errors.As(err, &inside):
		return &OverlapError{Contact: inside.Contact, TooDeep: err}
	}
	return err
}

// PowerOf returns the power of the contact forces, with the velocities V [W].
func (k *Contacts) PowerOf() float64 {
	for _, n := range k.LoadedNodes {
		g, v := k.Contact.At(n).F, k.V[n]
		k.Listed.At(n)[0] += float64(g.X*v.X) + float64(g.Y*v.Y)
	}
	return k.Listed.Sum()[0]
}

// Act finds the effect of contact on the nodes in one loop.
func (k *Contacts) Act() (a system.Acts) {
	for _, n := range k.LoadedNodes {
		on, w := k.Contact.At(n), k.Inverse(n)
		most := max(w.X, w.Y)
		if v := float64(on.Stiffness * most); v > a.Stiffness || math.IsNaN(v) {
			a.Stiffness, a.Stiffest = v, n
		}
		if v := float64(on.Damping * most); v > a.Damping || math.IsNaN(v) {
			a.Damping, a.MaxDamped = v, n
		}
		if g := on.F; g.X != 0 || g.Y != 0 { // many contact points carry no force yet
			v, f := k.V[n], k.Force(nodes.Node(n))
			t := k.Listed.At(n)
			t[0] += float64(g.X*v.X) + float64(g.Y*v.Y)
			t[1] += float64(w.X*f.X*f.X) + float64(w.Y*f.Y*f.Y)
		}
	}
	sum := k.Listed.Sum()
	a.Power, a.Kick = sum[0], sum[1]
	if len(k.LoadedNodes) > 0 {
		for i := range k.bodies.List {
			r := &k.bodies.List[i]
			p := r.RigidMotion
			a.Kick += float64(r.Inverse*(float64(p.Force.X*p.Force.X)+float64(p.Force.Y*p.Force.Y))) + float64(r.InverseInertia*p.Moment*p.Moment)
		}
	}
	return a
}
