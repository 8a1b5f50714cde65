package cracks

import (
	"cmp"
	"math"
	"slices"

	"fdem/contactnodes"
	"fdem/contactnodes/potential"
	"fdem/contactnodes/work"
	"fdem/fem/fracture"
	"fdem/materials/elementary"
	"fdem/mesh"
	"fdem/solver/bodies"
	contactss "fdem/solver/contacts"
	"fdem/solver/system"
	"fdem/solver/threads"

	"gonum.org/v1/gonum/spatial/r2"
)

// Faces is the contact of breaking bodies: of their crack faces with everything, and of the
// outline of a breaking body with itself. Components of one body with a [[contact]] between them
// use it from the start, so nothing changes when they break. So do two meshed bodies in a fast
// impact, see impacts. Other outlines use contact nodes until broken faces of one of the two bodies
// separate; then their contact is transferred to crackFaces. A pair of bodies has the law and the
// friction of its [[contact]]. Fragments of one body have a law of their own if no [[contact]] has
// the body on both sides.
type Faces struct {
	system.View
	*bodies.ContactState
	outlines     *bodies.Outlines
	breaking     *Breaking
	Potential    *potential.Contact
	outline      []int32   // boundary edges of breaking bodies, and of bodies in contact with them, in the order of faces
	resting      bool      // no outline is active
	broken       []bool    // per body: an edge of it has broken
	separatedAt  []float64 // when broken faces of each body first separated [s], +Inf before
	within       []float64 // time after that in which the contact of the body is transferred [s]
	transferring bool      // some body's contact is being transferred
	rules        []faceRule
	walls        []wall                // walls that excavation exposes
	rampingIn    []int32               // edges whose faces were detached at once and whose contact is being ramped in
	ready        bool                  // prepared for the positions X
	sums         []system.ContactForce // of each contact of the model, then of the contacts without a [[contact]], at the last evaluation
	own          []string              // names of the contacts without a [[contact]]
	pressure     []float64             // greatest so far, of each contact of the model, then of the contacts without a [[contact]] [Pa]
	force        []float64             // greatest normal force of the contacts without a [[contact]] [N]
}

// wall is the part of other bodies that the excavation of one body exposes.
type wall struct {
	of      int     // index of the excavation in the solver's list
	faces   []int32 // faces of the bodies that remain
	exposed bool
}

const (
	// fragmentStiffness is the stiffness of contact between fragments of one body, in units of E/h.
	fragmentStiffness = 1.0
	// straight is the sine of the greatest angle of a corner that counts as straight.
	straight = 1e-9
	// transferEdges gives the time of a contact transfer as a number of edges that a wave passes.
	// In this time, some periods of the fastest vibration, no fragment moves far.
	transferEdges = 10
)

// newCrackFaces makes the contact of breaking bodies and of the faces that excavation exposes. The
// other contacts must have been made.
func newCrackFaces(s system.View, contacts *contactss.Contacts, breaking *Breaking) *Faces {
	k := &Faces{View: s, ContactState: contacts.ContactState, outlines: contacts.Outlines, breaking: breaking, Potential: &potential.Contact{}, resting: true, ready: true}
	m, leaves := s.Mesh, s.Model.ExcavationTimes()
	if s.Fracture == nil && len(s.Model.Contacts) == 0 {
		return k
	}
	edges := s.Model.BreakingEdges()
	if len(edges) == 0 {
		return k
	}
	c := potential.Config{Triangles: m.Triangles, Body: m.BodyOf(), Outline: k.outlines.Lines, X: m.X, Thickness: s.Thickness, Generic: s.Generic, Dilates: s.Fracture.Dilates()}
	breaks := s.Model.BreaksBy()
	k.addRules(&c, breaks, edges, leaves)
	if len(k.rules) == 0 {
		return k
	}
	for i, e := range m.Edges {
		if e.Tri >= 0 && slices.ContainsFunc(c.Meets[e.Body], func(rule int32) bool { return rule >= 0 }) {
			k.outline = append(k.outline, int32(i))
			c.Faces = append(c.Faces, potential.Face{Triangle: e.Tri, Corner: contactss.Corner(m.Triangles[e.Tri], e.A), Region: -1})
		}
	}
	for i := range edges {
		e := &edges[i]
		c.Faces = append(c.Faces, potential.Face{Triangle: e.A, Corner: contactss.Corner(m.Triangles[e.A], e.From), CrackFace: true, Region: e.Region},
			potential.Face{Triangle: e.B, Corner: contactss.Corner(m.Triangles[e.B], e.To), CrackFace: true, Region: e.Region})
	}
	k.Potential = potential.New(c)
	k.addWalls(edges, leaves)
	k.sums = make([]system.ContactForce, len(s.Model.Contacts)+len(k.own))
	k.pressure, k.force = make([]float64, len(k.sums)), make([]float64, len(k.own))
	for i := range m.Bodies {
		if breaks[i] == 0 {
			c.Transfer.Transfers[i][i] = c.Meets[i][i] >= 0
			continue
		}
		of := m.Edges[m.Bodies[i].FirstEdge:m.Bodies[i].EndEdge]
		several, q := inComponents(of), k.rules[c.Meets[i][i]].contact
		k.Potential.Bent[i] = !several && isBent(m, of)
		if k.Potential.Bent[i] || several && q < len(s.Model.Contacts) {
			k.wake(int32(i))
		} else {
			c.Transfer.Transfers[i][i] = true
		}
	}
	for i, row := range c.Transfer.FromStart {
		if slices.Contains(row, true) {
			k.activate(int32(i))
		}
	}
	k.ready = false
	contacts.Engines = append(contacts.Engines, k)
	return k
}

func (k *Faces) Name() string { return "contact of fragments" }

func (k *Faces) UseThreads(t *threads.Team) { k.Potential.Workers(t.Workers, t.Run) }

// readWalls names the nodes of the triangles under the faces that an excavation exposes.
func (k *Faces) readWalls(excavation int, each func(n int32)) {
	for i := range k.walls {
		if k.walls[i].of != excavation {
			continue
		}
		for _, face := range k.walls[i].faces {
			for _, n := range k.Mesh.Triangles[k.Potential.Faces[face].Triangle] {
				each(n)
			}
		}
	}
}

// Exposed returns the number of faces that an excavation exposes.
func (k *Faces) Exposed(excavation int) int { return len(k.walls[excavation].faces) }

func (k *Faces) Recompute() error {
	k.Potential.Invalidate()
	return nil
}

func (k *Faces) EndExcavated() float64 { return k.Potential.EndExcavated() }

// also returns the forces of fragment contact that belong to a contact of the model; nil if nothing
// can break.
func (k *Faces) also(contact int) []system.ContactForce {
	if len(k.sums) == 0 {
		return nil
	}
	return k.sums[contact : contact+1]
}

// inComponents tells whether boundary edges of a body belong to several connected components.
func inComponents(edges []mesh.Edge) bool {
	return slices.ContainsFunc(edges, func(e mesh.Edge) bool { return e.Component != edges[0].Component })
}

// isBent tells whether boundary edges of a body have a re-entrant corner, or the end of a cut. Only
// such an outline can contact itself before it breaks.
func isBent(m *mesh.Mesh, edges []mesh.Edge) bool {
	return slices.ContainsFunc(edges, func(e mesh.Edge) bool {
		if e.Next < 0 {
			return false
		}
		a, b := r2.Sub(m.X[e.B], m.X[e.A]), r2.Sub(m.X[m.Edges[e.Next].B], m.X[e.B])
		turn, size := elementary.Cross(a, b), straight*(elementary.Dot(a, a)+elementary.Dot(b, b))
		return turn < -size || turn < size && elementary.Dot(a, b) < 0
	})
}

// addWalls finds the faces that excavation will expose, on bodies that have contacts and that
// remain, or remain longer.
func (k *Faces) addWalls(edges []fracture.Edge, leaves []float64) {
	firstCrackFace, body := int32(len(k.outline)), k.Potential.Body
	for i := range k.breaking.excavations.list {
		w := wall{of: i}
		for j, e := range edges {
			of, stays, side := body[e.A], body[e.B], int32(1)
			if of != k.breaking.excavations.list[i].Body {
				of, stays, side = stays, of, 0
			}
			if of == k.breaking.excavations.list[i].Body && leaves[of] < leaves[stays] && slices.ContainsFunc(k.Potential.Meets[stays], func(rule int32) bool { return rule >= 0 }) {
				w.faces = append(w.faces, firstCrackFace+2*int32(j)+side)
			}
		}
		k.walls = append(k.walls, w)
	}
}

// exposeWalls activates the walls of excavated bodies, as broken faces.
func (k *Faces) exposeWalls() {
	for i := range k.walls {
		w := &k.walls[i]
		x := &k.breaking.excavations.list[w.of]
		if w.exposed || x.begun == 0 {
			continue
		}
		w.exposed = true
		for _, face := range w.faces {
			if body := k.Potential.Body[k.Potential.Faces[face].Triangle]; !k.Potential.Transfer.Left[body] {
				k.Potential.Wake(face, 1)
				k.breaks(body, x.At)
			}
		}
	}
}

// wake activates the contact of a body's outline with itself.
func (k *Faces) wake(body int32) {
	k.Potential.Within[body] = true
	k.activate(body)
}

// activate activates the outline of a body.
func (k *Faces) activate(body int32) {
	k.resting = false
	for i, e := range k.outline {
		if k.Mesh.Edges[e].Body == body {
			k.Potential.Wake(int32(i), 1)
		}
	}
	k.Potential.Changed()
}

// prepare activates the crack faces that have separated, and transfers contacts of broken bodies.
// It must be called before the forces of all contacts, and of other kinds in contact with breaking
// bodies.
func (k *Faces) prepare() {
	if k.ready {
		return
	}
	k.ready = true
	k.exposeWalls()
	if k.breaking.cracks.Cracks() > 0 {
		k.separate(k.breaking.cracks.Zone)
	}
	k.transferContact()
}

// separate activates the crack faces that have separated.
func (k *Faces) separate(z *fracture.Zone) {
	z.Separate(k.X, k.Time)
	firstCrackFace := int32(len(k.outline))
	for _, edge := range z.Changed() {
		part, separatedAt := z.ContactShare(edge)
		e := &k.Fracture.Edges[edge]
		k.breaks(k.Potential.Body[e.A], separatedAt)
		k.breaks(k.Potential.Body[e.B], separatedAt)
		if k.Potential.Dilates && part > 0 && k.Potential.Rise[firstCrackFace+2*edge] == 0 {
			rise := z.DilationRise(edge)
			k.Potential.SetRise(firstCrackFace+2*edge, rise)
			k.Potential.SetRise(firstCrackFace+2*edge+1, rise)
		}
		if !math.IsNaN(z.DetachedAtOnce(edge)) {
			k.rampingIn = append(k.rampingIn, edge)
			continue
		}
		k.Potential.Wake(firstCrackFace+2*edge, part)
		k.Potential.Wake(firstCrackFace+2*edge+1, part)
	}
	k.rampIn(z)
}

// rampIn ramps in the contact of faces that were detached at once. Another body may have come
// between them while they rotated open, and it may already penetrate them deeply.
func (k *Faces) rampIn(z *fracture.Zone) {
	firstCrackFace := int32(len(k.outline))
	k.rampingIn = slices.DeleteFunc(k.rampingIn, func(edge int32) bool {
		e := &k.Fracture.Edges[edge]
		part, since := system.SmoothStep(max(k.within[k.Potential.Body[e.A]], k.within[k.Potential.Body[e.B]])), k.Time-z.DetachedAtOnce(edge)
		now, before := part(since), part(since-k.Last)
		k.Potential.RampIn(firstCrackFace+2*edge, now, before)
		k.Potential.RampIn(firstCrackFace+2*edge+1, now, before)
		return before == 1
	})
}

// breaks records that a body has broken and activates its outline. It records the time at which its
// crack faces separated [s]; NaN if they have not.
func (k *Faces) breaks(body int32, separatedAt float64) {
	if !k.broken[body] {
		k.broken[body] = true
		k.wake(body)
		k.Potential.Bent[body] = false
		for other, meets := range k.Potential.Transfer.Transfers[body] {
			if meets {
				k.activate(int32(other))
			}
		}
	}
	if separatedAt < k.separatedAt[body] {
		k.transferring = k.transferring || math.IsInf(k.separatedAt[body], 1)
		k.separatedAt[body] = separatedAt
	}
}

// transferContact finds for each body the fraction of its contacts that is transferred.
func (k *Faces) transferContact() {
	if !k.transferring {
		return
	}
	h := k.Potential.Transfer
	k.transferring = false
	for b, separatedAt := range k.separatedAt {
		part := system.SmoothStep(k.within[b])
		now, before := part(k.Time-separatedAt), part(k.Time-k.Last-separatedAt)
		if now == 1 && h.Now[b] < 1 {
			for _, c := range k.Surfaces {
				c.Invalidate()
			}
		}
		if now > 0 && h.Now[b] == 0 {
			k.Potential.Changed()
		}
		h.Now[b], h.Before[b] = now, before
		k.transferring = k.transferring || !math.IsInf(separatedAt, 1) && before < 1
	}
}

// AddForces adds the contact forces.
func (k *Faces) AddForces(commit bool) error {
	k.ready = false
	if k.resting && k.breaking.cracks.Cracks() == 0 {
		return nil
	}
	k.Potential.Others = k.breaking.exchange.Meet()
	k.Potential.AddForces(k.Contact, potential.Scene{X: k.X, V: k.V, Masses: &k.Masses, Step: k.Last, Next: k.Limit, Speed: k.outlines.ApproachSpeed()}, commit)
	if k.Timer.On {
		k.Timer.Count("contact nodes of fragments that touch", k.Potential.Active)
	}
	k.sumUp(commit)
	z, firstCrackFace := k.breaking.cracks.Zone, int32(len(k.outline))
	for _, edge := range z.Changed() {
		if part, _ := z.ContactShare(edge); part > 0 {
			met := k.Potential.Energy(firstCrackFace+2*edge) + k.Potential.Energy(firstCrackFace+2*edge+1)
			met += k.breaking.adapting.Closed(edge)
			z.SetContactEnergy(edge, met)
		}
	}
	return nil
}

func (k *Faces) Parts() []system.Part {
	return []system.Part{
		{Name: "fresh.pairs", Values: &k.Potential.InContact}, {Name: "fresh.values", Values: &k.Potential.Values},
		{Name: "fresh.normal_work", Values: &k.Potential.NormalWork}, {Name: "fresh.friction_work", Values: &k.Potential.FrictionWork}, {Name: "fresh.handed_work", Values: &k.Potential.TransferWork},
		{Name: "fresh.rise", Values: &k.Potential.Rise}, {Name: "fresh.peak_pressure", Values: k.pressure}, {Name: "fresh.peak_force", Values: k.force},
	}
}

func (k *Faces) Accounts(out []work.Account) []work.Account {
	for i := range k.rules {
		out = append(out, k.Potential.Work(i))
	}
	return out
}

func (k *Faces) Balance() error { return nil } // in statics nothing breaks and nothing is excavated

func (k *Faces) Overlap(evaluated bool) error {
	if !evaluated {
		return nil
	}
	for i, r := range k.rules {
		if r.contact >= len(k.Model.Contacts) || r.joined {
			continue
		}
		c, of := &k.Model.Contacts[r.contact], &k.Potential.Sums[i]
		if c.Overlap.Mode == contactnodes.OverlapRefuse && of.Deflection > contactss.ContactRounding*k.outlines.Shallow {
			return &contactss.OverlapError{Contact: cmp.Or(c.Of, c.Name), Nodes: of.Active, Deflection: of.Deflection}
		}
	}
	return nil
}

func (k *Faces) Tangents(out []contactnodes.TangentTerm) []contactnodes.TangentTerm { return out }

// sumUp sums the forces of each contact. With commit it updates the contact's greatest pressure and
// force.
func (k *Faces) sumUp(commit bool) {
	clear(k.sums)
	for i, r := range k.rules {
		of, w, f := &k.Potential.Sums[i], k.Potential.Work(i), &k.sums[r.contact]
		f.Active += of.Active
		f.Normal += of.Normal
		f.Tangential += of.Tangential
		f.Push.X += float64(r.side * of.Push.X)
		f.Push.Y += float64(r.side * of.Push.Y)
		f.Moment += float64(r.side * of.Moment)
		f.PeakPressure = max(f.PeakPressure, of.Pressure)
		f.Dissipated += w.Dissipated() + w.FrictionLoss()
	}
	peaks, contacts := k.PeakForce, len(k.Model.Contacts)
	for i := range k.sums {
		f := &k.sums[i]
		if commit {
			k.pressure[i] = max(k.pressure[i], f.PeakPressure)
			switch {
			case i >= contacts:
				k.force[i-contacts] = max(k.force[i-contacts], f.Normal)
			case f.Active > 0:
				peaks[i] = max(peaks[i], k.Surfaces[i].Normal+f.Normal)
			}
		}
		f.PeakPressure = k.pressure[i]
	}
}

// ContactForces appends the forces of the contacts without a [[contact]]. The other forces are
// added to those of the surfaces.
func (k *Faces) ContactForces(out []system.ContactForce) []system.ContactForce {
	for i, name := range k.own {
		f := k.sums[len(k.Model.Contacts)+i]
		f.Name, f.PeakForce = name, k.force[i]
		out = append(out, f)
	}
	return out
}

func (k *Faces) EachContact(each func(system.ContactLoad)) {
	for i, name := range k.own {
		f := k.sums[len(k.Model.Contacts)+i]
		each(system.ContactLoad{Name: name, Normal: f.Normal, Tangential: f.Tangential})
	}
}

// ContactOfRules returns the contact of the model to which each rule belongs, -1 for none.
func (k *Faces) ContactOfRules() (of []int) {
	for _, r := range k.rules {
		if r.contact >= len(k.Model.Contacts) {
			r.contact = -1
		}
		of = append(of, r.contact)
	}
	return of
}

// Transfers tells whether bodies may be in contact by crack faces.
func (k *Breaking) Transfers() bool { return len(k.Faces.rules) > 0 }

// FragmentContacts returns the contact nodes of fragments that are in contact at Time. Forces must
// have been evaluated. It returns nil if nothing can break.
func (k *Breaking) FragmentContacts() []potential.Node {
	if k.Faces.Potential.Sleeps() {
		return nil
	}
	return k.Faces.Potential.Nodes(k.Mesh.X)
}
