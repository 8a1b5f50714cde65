package solver

import (
	"cmp"
	"math"
	"slices"

	"fdem/contactnodes"
	"fdem/contactnodes/potential"
	"fdem/contactnodes/work"
	"fdem/materials/contact"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// freshFaces are the contacts of what breaks: faces that cracks have made, with
// whatever they meet, and the outlines of bodies that break, each with its own.
// Outlines of different bodies meet as ever. A pair of bodies meets by the law and
// the friction of its [[contact]]; fragments of one body by a law of their own where
// none has the body on both sides. Pieces of one body that a [[contact]] lets meet do
// so here from the start, whole: so nothing changes when they break.
type freshFaces struct {
	s        *Solver
	of       *potential.Contact
	outline  []int32 // boundary edges of bodies that break, in the order of faces
	opened   int     // vertices, when forces were last taken
	awake    bool    // outlines take part
	rules    []freshRule
	sums     []ContactForce // of each contact of the model and of its own after these, as last evaluated
	own      []string       // names of the contacts that no [[contact]] is
	pressure []float64      // greatest so far, of each contact of the model and of each of these after it [Pa]
	force    []float64      // and the greatest normal force, of these alone [N]
}

// freshRule says whose a rule of the contact is.
type freshRule struct {
	contact int     // of the model, or after these its own
	side    float64 // of its faces: 1 of the contactor, -1 of the opposite, 0 of both
}

// fragmentStiffness is the stiffness of contact between fragments of one body,
// over E/h.
const fragmentStiffness = 1.0

// addFreshFaces makes the contact of what breaks.
func (s *Solver) addFreshFaces() {
	m, edges := s.Mesh, s.Fracture.Edges
	k := &freshFaces{s: s}
	body := m.BodyOf()
	c := potential.Config{Triangles: m.Triangles, Body: body, Outline: s.outline, X: m.X, Thickness: s.Thickness}
	breaks := s.Model.breaksBy()
	length := make([]float64, len(m.Bodies))
	count := make([]float64, len(m.Bodies))
	for i := range edges {
		e := &edges[i]
		if e.Region < 0 {
			continue
		}
		d := r2.Sub(m.X[e.To], m.X[e.From])
		for _, b := range [2]int32{body[e.A], body[e.B]} {
			length[b] += math.Sqrt(float64(d.X*d.X) + float64(d.Y*d.Y))
			count[b]++
		}
	}
	for i, e := range m.Edges {
		if e.Tri >= 0 && breaks[e.Body] > 0 {
			k.outline = append(k.outline, int32(i))
			c.Faces = append(c.Faces, potential.Face{Triangle: e.Tri, Corner: corner(m.Triangles[e.Tri], e.A)})
		}
	}
	for i := range edges {
		e := &edges[i]
		c.Faces = append(c.Faces, potential.Face{Triangle: e.A, Corner: corner(m.Triangles[e.A], e.From), Fresh: true},
			potential.Face{Triangle: e.B, Corner: corner(m.Triangles[e.B], e.To), Fresh: true})
	}
	for i := range m.Bodies {
		row := make([]int32, len(m.Bodies))
		for j := range row {
			row[j] = -1
			if breaks[i] == 0 {
				continue
			}
			if q, side := s.Model.between(int32(i), int32(j)); q >= 0 {
				row[j] = int32(len(c.Rules))
				c.Rules = append(c.Rules, potential.Rule{Law: s.Model.Contacts[q].Law, Friction: s.Model.Contacts[q].Friction})
				k.rules = append(k.rules, freshRule{q, side})
				k.awake = k.awake || i == j && (s.Model.Contacts[q].Self || inPieces(m.Edges[m.Bodies[i].FirstEdge:m.Bodies[i].EndEdge]))
			} else if i == j {
				mu := s.Fracture.Regions[breaks[i]-1].Law.Rubbing
				row[j] = int32(len(c.Rules))
				c.Rules = append(c.Rules, potential.Rule{
					Law:      contact.Linear{K: fragmentStiffness * s.Materials[s.Model.Bodies[i].Material].Young / (length[i] / count[i])},
					Friction: contactnodes.Friction{Kinetic: mu, Static: mu, Ratio: contactnodes.MindlinRatio},
				})
				k.rules = append(k.rules, freshRule{contact: len(s.Model.Contacts) + len(k.own)})
				k.own = append(k.own, m.Bodies[i].Name+"-fragments")
			}
		}
		c.Meets = append(c.Meets, row)
	}
	k.of = potential.New(c)
	k.sums = make([]ContactForce, len(s.Model.Contacts)+len(k.own))
	k.pressure, k.force = make([]float64, len(k.sums)), make([]float64, len(k.own))
	k.wake(k.awake)
	s.fresh = k
	s.contacts.engines = append(s.contacts.engines, k)
}

// inPieces tells whether boundary edges of a body are of several connected pieces.
func inPieces(edges []mesh.Edge) bool {
	return slices.ContainsFunc(edges, func(e mesh.Edge) bool { return e.Piece != edges[0].Piece })
}

// breaksBy returns of each body a region that it breaks by, and 1; 0 where it cannot.
func (m *Model) breaksBy() []int32 {
	breaks := make([]int32, len(m.Mesh.Bodies))
	body := m.Mesh.BodyOf()
	for i := range m.Fracture.Edges {
		if e := &m.Fracture.Edges[i]; e.Region >= 0 {
			breaks[body[e.A]], breaks[body[e.B]] = e.Region+1, e.Region+1
		}
	}
	return breaks
}

// pieces returns what contacts of outlines leave to that of what breaks: the pieces of
// each body that can.
func (m *Model) pieces() (out []contactnodes.Elsewhere) {
	if m.Fracture == nil {
		return nil
	}
	for i, region := range m.breaksBy() {
		if region == 0 {
			continue
		}
		b := &m.Mesh.Bodies[i]
		edges := make([]int32, 0, b.EndEdge-b.FirstEdge)
		for k := b.FirstEdge; k < b.EndEdge; k++ {
			edges = append(edges, k)
		}
		out = append(out, contactnodes.Elsewhere{Name: "fragments", First: edges, Second: edges, Self: true})
	}
	return out
}

// wake lets outlines take part.
func (k *freshFaces) wake(now bool) {
	if k.awake = now; now {
		for i := range k.outline {
			k.of.Wake(int32(i), 1)
		}
	}
}

// corner returns the corner of a triangle that is node n.
func corner(t [3]int32, n int32) uint8 { return uint8(slices.Index(t[:], n)) }

// between returns the contact in which two bodies meet, -1 for none, and the side of the
// first of them: 1 the contactor's, -1 the opposite one, 0 where it is both.
func (m *Model) between(i, j int32) (contact int, side float64) {
	has := func(edges []int32, body int32) int32 {
		k := slices.IndexFunc(edges, func(e int32) bool { return m.Mesh.Edges[e].Body == body })
		if k < 0 {
			return -1
		}
		return edges[k]
	}
	material := func(body int32) int32 {
		if b := &m.Mesh.Bodies[body]; b.Kind == mesh.OfOutline {
			return m.Rigids[b.Number].Material
		}
		return m.Bodies[body].Material
	}
	for q := range m.Contacts {
		c := &m.Contacts[q]
		if of := [2]int32{material(i), material(j)}; c.Pair != nil && *c.Pair != of && *c.Pair != [2]int32{of[1], of[0]} {
			continue
		}
		for k, sides := range [2][2]int32{{i, j}, {j, i}} {
			p, o := has(c.Contactor, sides[0]), has(c.Opposite, sides[1])
			if p >= 0 && o >= 0 && !slices.ContainsFunc(c.Elsewhere, func(e contactnodes.Elsewhere) bool { return e.Has(p, o, i == j) }) {
				if i == j {
					return q, 0
				}
				return q, 1 - 2*float64(k)
			}
		}
	}
	return -1, 0
}

// addForces wakes the faces that cracks have handed over, and adds the forces.
func (k *freshFaces) addForces(commit bool) error {
	s := k.s
	z := s.cracks.Zone
	if z.Cracks() == 0 && !k.awake {
		return nil
	}
	z.Separate(s.X, s.Time)
	fresh := int32(len(k.outline))
	for i := range z.Cracks() {
		edge, part, broken := z.Part(i)
		if broken && !k.awake {
			k.wake(true)
		}
		k.of.Wake(fresh+2*edge, part)
		k.of.Wake(fresh+2*edge+1, part)
	}
	if n := z.Openings(); n != k.opened {
		k.opened = n
		k.of.Changed()
	}
	k.of.AddForces(s.contact, potential.Scene{X: s.X, V: s.V, Inverse: s.inverse, Step: s.Last, Next: s.Limit, Speed: s.approachSpeed()}, commit)
	if s.clock.on {
		s.clock.count("contact nodes of fragments that touch", k.of.Active)
	}
	k.sumUp(commit)
	for i := range z.Cracks() {
		if edge, part, _ := z.Part(i); part > 0 {
			z.Meet(i, k.of.Energy(fresh+2*edge)+k.of.Energy(fresh+2*edge+1))
		}
	}
	return nil
}

func (k *freshFaces) parts() []Part {
	return []Part{
		{"fresh.touching", &k.of.Touching}, {"fresh.values", &k.of.Values},
		{"fresh.normal_work", &k.of.NormalWork}, {"fresh.friction_work", &k.of.FrictionWork},
		{"fresh.peak_pressure", k.pressure}, {"fresh.peak_force", k.force},
	}
}

func (k *freshFaces) accounts(out []work.Account) []work.Account {
	for i := range k.rules {
		out = append(out, k.of.Work(i))
	}
	return out
}

func (k *freshFaces) balance() error { return k.s.cracks.balance() }

func (k *freshFaces) overlap(evaluated bool) error {
	if !evaluated {
		return nil
	}
	for i, r := range k.rules {
		if r.contact >= len(k.s.Model.Contacts) {
			continue
		}
		c, of := &k.s.Model.Contacts[r.contact], &k.of.Sums[i]
		if c.Overlap.Mode == contactnodes.OverlapRefuse && of.Deflection > touchRounding*k.s.shallow {
			return &OverlapError{Contact: cmp.Or(c.Of, c.Name), Nodes: of.Active, Deflection: of.Deflection}
		}
	}
	return nil
}

func (k *freshFaces) springs(out []contactnodes.TangentTerm) []contactnodes.TangentTerm { return out }

// sumUp takes what each contact bears, and with commit its greatest pressure and force.
func (k *freshFaces) sumUp(commit bool) {
	clear(k.sums)
	for i, r := range k.rules {
		of, w, f := &k.of.Sums[i], k.of.Work(i), &k.sums[r.contact]
		f.Active += of.Active
		f.Normal += of.Normal
		f.Tangential += of.Tangential
		f.Push.X += float64(r.side * of.Push.X)
		f.Push.Y += float64(r.side * of.Push.Y)
		f.Moment += float64(r.side * of.Moment)
		f.PeakPressure = max(f.PeakPressure, of.Pressure)
		f.Dissipated += w.Dissipated() + w.FrictionLoss()
	}
	peaks, contacts := k.s.PeakForce, len(k.s.Model.Contacts)
	for i := range k.sums {
		f := &k.sums[i]
		if commit {
			k.pressure[i] = max(k.pressure[i], f.PeakPressure)
			switch {
			case i >= contacts:
				k.force[i-contacts] = max(k.force[i-contacts], f.Normal)
			case f.Active > 0:
				peaks[i] = max(peaks[i], k.s.Surfaces[i].Normal+f.Normal)
			}
		}
		f.PeakPressure = k.pressure[i]
	}
}

// contactForces tells of the contacts that no [[contact]] is; surfaces add the others
// to theirs.
func (k *freshFaces) contactForces(out []ContactForce) []ContactForce {
	for i, name := range k.own {
		f := k.sums[len(k.s.Model.Contacts)+i]
		f.Name, f.PeakForce = name, k.force[i]
		out = append(out, f)
	}
	return out
}

func (k *freshFaces) bear(each func(bearing)) {
	for i, name := range k.own {
		f := k.sums[len(k.s.Model.Contacts)+i]
		each(bearing{name: name, normal: f.Normal, tangential: f.Tangential})
	}
}

// FragmentContacts returns the contact nodes of fragments that touch at Time, once forces
// have been evaluated; nothing where nothing can break.
func (s *Solver) FragmentContacts() []potential.Node {
	if s.fresh == nil || s.fresh.of.Sleeps() {
		return nil
	}
	return s.fresh.of.Nodes(s.Mesh.X)
}
