package solver

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"fdem/contactnodes"
	"fdem/contactnodes/volume"
	"fdem/contactnodes/work"
	"fdem/fem/fracture"
	bodiess "fdem/solver/bodies"
	"fdem/solver/nodes"
	"fdem/solver/system"
	"fdem/solver/threads"

	"gonum.org/v1/gonum/spatial/r2"
)

// contacts are the contacts of edges: node-to-segment contact by contact nodes
// (contact_surfaces.go), and volumetric contact by the volume of overlaps (contact_volumes.go).
// Both exert forces on nodes. These forces are kept apart from other forces, because the step
// limit, the watch and the results need them.
type contacts struct {
	system.Idle
	system.View
	*bodiess.ContactState
	outlines    *bodiess.Outlines
	clear       *bodiess.Clearances
	bodies      *bodiess.Rigids
	breaking    broken
	engines     []engine
	loadedNodes []int32        // the nodes on which they act, ascending
	account     []work.Account // of the contacts of one engine
	elsewhere   elsewhere      // if several processes share the model
	done        float64        // work of bodies on the contacts up to the last commit [J]
	rounded     []Rounded      // contacts whose overlap at the start is ignored as rounding
}

// broken is what contact asks of bodies that break.
type broken interface {
	prepare()                               // activates crack faces, before the forces of all contacts
	also(contact int) []system.ContactForce // forces of crack faces that belong to a contact
	isOpen(edge int32) bool                 // of the edges that may break
	isExcavated(body int32) bool
	zone() *fracture.Zone
}

// elsewhere is the process that evaluates contact.
type elsewhere interface {
	isOwned() bool
	timed(evaluate func() error) error
}

// engine is a kind of contact between edges.
type engine interface {
	addForces(commit bool) error // to s.contact
	parts() []system.Part
	system.Contacting
	accounts(out []work.Account) []work.Account
	balance() error
	system.Overlapping
	springs(out []contactnodes.TangentTerm) []contactnodes.TangentTerm
	threads.Shared
	system.Restoring
	endExcavated() (stored float64) // ends the contact of excavated bodies, and returns its stored energy [J]
}

// newContacts makes the contacts.
func newContacts(of system.View, state *bodiess.ContactState, outlines *bodiess.Outlines, bodies *bodiess.Rigids, breaking broken, mobility []float64) *contacts {
	of.Contact = contactnodes.NewForces(len(of.X), of.InverseInertias != nil || len(of.Rigids) > 0)
	k := &contacts{View: of, ContactState: state, outlines: outlines, clear: bodies.Clear, bodies: bodies, breaking: breaking}
	k.PeakForce = make([]float64, len(k.Model.Contacts)+len(k.ByVolume))
	k.addSurfaces(mobility)
	k.addVolumes()
	return k
}

func (k *contacts) Name() string { return "contact" }

func (k *contacts) NodesRead(func(n int32)) bool { return true } // others name the nodes of outlines

// releaseBody ends all contacts of a body, which has no contact from now on. It returns the nodes
// of other bodies on which its contact forces have acted, these forces [N], and the energy that was
// stored in the contacts [J].
func (k *contacts) releaseBody(body int32) (nodes []int32, force []r2.Vec, stored float64, err error) {
	if k.outlines.Lines.Transfer == nil {
		return nil, nil, 0, nil
	}
	own, last := k.Contact, k.Last
	defer func() { k.Contact, k.Last = own, last }()
	k.Last *= instant // the step is so short that friction stays as it was
	var with, without contactnodes.Forces
	for _, f := range [2]*contactnodes.Forces{&with, &without} {
		*f = contactnodes.NewForces(len(k.X), own.Moment != nil)
		k.Contact = *f
		for _, e := range k.engines {
			if _, measures := e.(*volumes); measures { // it is between whole bodies, which are not excavated
				continue
			}
			if err := e.addForces(false); err != nil {
				return nil, nil, 0, err
			}
		}
		if f == &without {
			break
		}
		stored = k.endContacts(body)
	}
	for _, c := range k.Surfaces {
		stored += c.Stay()
	}
	k.done = k.work()
	for _, n := range with.Loaded(nil) {
		if f := r2.Sub(with.At(n).F, without.At(n).F); f != (r2.Vec{}) {
			nodes, force = append(nodes, n), append(force, f)
		}
	}
	return nodes, force, stored, nil
}

// instant is the part of a step that is too short for any slip.
const instant = 1e-9

// endContacts ends the contact points of a body that is removed, and returns their stored energy
// [J].
func (k *contacts) endContacts(body int32) (stored float64) {
	h := k.outlines.Lines.Transfer
	if h == nil || h.Left[body] {
		return 0
	}
	h.Left[body] = true
	for _, e := range k.engines {
		stored += e.endExcavated()
	}
	return stored
}

// ApplyForces adds the forces of every contact. The displacements of the nodes must have been
// tracked.
func (k *contacts) ApplyForces(commit bool) error {
	if len(k.engines) == 0 {
		return nil
	}
	if !k.elsewhere.isOwned() {
		if err := k.elsewhere.timed(func() error { return k.evaluate(commit) }); err != nil {
			return err
		}
	}
	k.loadedNodes = k.Contact.Loaded(k.loadedNodes[:0])
	for _, n := range k.loadedNodes {
		f := k.Contact.At(n).F
		k.F[n].X += f.X
		k.F[n].Y += f.Y
	}
	if commit {
		k.done = k.work()
	}
	return nil
}

// evaluate evaluates the forces of every engine.
func (k *contacts) evaluate(commit bool) error {
	k.Contact.Clear()
	k.breaking.prepare()
	for _, e := range k.engines {
		if err := e.addForces(commit); err != nil {
			return err
		}
	}
	return nil
}

func (k *contacts) UseThreads(t *threads.Team) {
	k.outlines.Search.Workers(t.Workers, t.Run)
	for _, e := range k.engines {
		e.UseThreads(t)
	}
}

func (k *contacts) Recompute() error {
	for _, e := range k.engines {
		if err := e.Recompute(); err != nil {
			return err
		}
	}
	return nil
}

// Dissipates tells whether a contact dissipates energy.
func (k *contacts) Dissipates() bool {
	return len(k.Volumes) > 0 || slices.ContainsFunc(k.Surfaces, func(c *contactnodes.Contact) bool { return !c.Elastic() })
}

func (k *contacts) ListsMade() int { return k.outlines.Search.Rebuilds() }

// Where names the contacts that act on the node, and the node.
func (k *contacts) Where(by system.Cause) string {
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

func (k *contacts) EachCount(each func(n int, of string)) { each(k.ContactNodes(), "contact nodes") }

func (k *contacts) Bytes() int { return 240 * k.ContactNodes() }

// Bound adds the stiffness and damping of the contacts on nodes, as they act now and in the coming
// step. The node with the greatest stiffness is the cause. It also limits the step such that nodes
// approach each other by less than a part of an edge's depth, and that impacts keep the energy
// error small.
func (k *contacts) Bound(b *system.Bounds) {
	a := k.act()
	b.Contact = a
	b.Stiffness.Raise(a.Stiffness, system.Cause{What: bodiess.AtNode, At: a.Stiffest})
	b.Damping.Raise(a.Damping, system.Cause{What: bodiess.AtNode, At: a.MaxDamped})
	if len(k.engines) > 0 {
		if limit := maxApproach * k.outlines.Shallow / k.outlines.ApproachSpeed(); limit < b.Step.Of {
			b.Step.Lower(max(limit, k.clear.ShortestTime()), system.Cause{What: "speed of approach"})
		}
	}
	b.Impact.Lower(k.ImpactStep(), system.Cause{What: "energy at impact"})
}

func (k *contacts) AddEnergies(e *system.Energies) {
	for _, g := range k.engines {
		k.account = g.accounts(k.account[:0])
		for _, a := range k.account {
			e.AddContact(a)
		}
	}
}

func (k *contacts) StateParts() (parts []system.Part) {
	parts = append(parts, system.Part{Name: "peak_force", Values: k.PeakForce})
	for _, g := range k.engines {
		parts = append(parts, g.parts()...)
	}
	return parts
}

func (k *contacts) ContactForces(out []system.ContactForce) []system.ContactForce {
	for _, g := range k.engines {
		out = g.ContactForces(out)
	}
	return out
}

func (k *contacts) EachContact(each func(system.ContactLoad)) {
	for _, g := range k.engines {
		g.EachContact(each)
	}
}

func (k *contacts) Balance() error {
	for _, g := range k.engines {
		if err := g.balance(); err != nil {
			return err
		}
	}
	return nil
}

func (k *contacts) Overlap(evaluated bool) error {
	for _, g := range k.engines {
		if err := g.Overlap(evaluated); err != nil {
			return err
		}
	}
	return nil
}

// work returns the work of bodies on the contacts so far [J].
func (k *contacts) work() (sum float64) {
	for _, g := range k.engines {
		of := 0.0
		k.account = g.accounts(k.account[:0])
		for _, a := range k.account {
			of += a.OfBodies()
		}
		sum += of
	}
	return sum
}

// idleFriction is a ratio of two energies: the work of friction if it had been at its limit, and
// the greatest energy stored or in motion. Up to this ratio slip does not matter.
const idleFriction = 1e-3

// BelowItsLimit returns a warning if the regularised friction of a contact never reached its limit,
// because all slip was slower than its speed, with advice. It returns "" otherwise, or if there was
// no slip.
func (k *results) BelowItsLimit(f *system.ContactForce) string {
	if !(f.PeakSlip > 0 && f.PeakSlip < f.Speed) {
		return ""
	}
	// Linear friction has dissipated pressure times slip times the ratio of the slip speeds. At its
	// limit it would have dissipated at least this much divided by the greatest ratio.
	if atLimit := f.FrictionHeat * (f.Speed / f.PeakSlip); !(atLimit > idleFriction*k.Ledger.Entered) {
		return ""
	}
	advice := `, or say friction_model = "stick" in its place, and a spring holds what sticks`
	if f.ByVolume {
		advice = ""
	}
	return fmt.Sprintf("contact %s: friction never reached its limit: the greatest slip speed was %.3g m/s, and friction_speed is %.3g m/s, below which friction grows with the slip speed and holds nothing; give a friction_speed well below %.3g m/s%s",
		f.Name, f.PeakSlip, f.Speed, f.PeakSlip, advice)
}

// ContactForces returns the contacts as evaluated last. The parts of a contact are added up.
func (s *means) ContactForces() []system.ContactForce {
	var out []system.ContactForce
	for _, k := range s.contacting {
		out = k.ContactForces(out)
	}
	return out
}

// NodalContactForces fills force, one per node, with the contact forces at Time [N].
func (s *results) NodalContactForces(force []r2.Vec) {
	clear(force)
	for _, n := range s.contacts.loadedNodes {
		force[n] = s.Contact.At(n).F
	}
	for k := range system.All[system.Pressing](s.kinds.systems) {
		k.AddTo(force)
	}
}

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

// contactRounding is the overlap relative to the depth of an edge below which bodies count as just
// in contact, because of rounding.
const contactRounding = 1e-9

// coordinateRounding is the overlap relative to the depth of an edge that coordinates with few
// digits cause. It is not counted as deflection.
const coordinateRounding = 1e-4

// Rounded is a contact whose bodies overlap at the start by no more than the rounding of
// coordinates.
type Rounded struct {
	Contact    string
	Deflection float64 // the greatest overlap [m]
}

// Rounded returns the contacts whose overlap at the start is not counted as deflection although the
// deck does not say so.
func (k *results) Rounded() []Rounded { return k.contacts.rounded }

// tooDeep turns an error of a penetration that is too deep for contact into the OverlapError of
// bodies that overlap so deep at the start. It returns other errors as they are.
func tooDeep(err error) error {
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

// power returns the power of the contact forces, with the velocities V [W].
func (k *contacts) power() float64 {
	for _, n := range k.loadedNodes {
		g, v := k.Contact.At(n).F, k.V[n]
		k.Listed.At(n)[0] += float64(g.X*v.X) + float64(g.Y*v.Y)
	}
	return k.Listed.Sum()[0]
}

// act finds the effect of contact on the nodes in one loop.
func (k *contacts) act() (a system.Acts) {
	for _, n := range k.loadedNodes {
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
	if len(k.loadedNodes) > 0 {
		for i := range k.bodies.List {
			r := &k.bodies.List[i]
			p := r.RigidMotion
			a.Kick += float64(r.Inverse*(float64(p.Force.X*p.Force.X)+float64(p.Force.Y*p.Force.Y))) + float64(r.InverseInertia*p.Moment*p.Moment)
		}
	}
	return a
}
