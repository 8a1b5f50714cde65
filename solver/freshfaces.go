package solver

import (
	"math"
	"slices"

	"fdem/contactnodes"
	"fdem/contactnodes/potential"
	"fdem/contactnodes/work"
	"fdem/materials/contact"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// freshFaces are the contacts of what has broken: faces that cracks have made,
// with whatever they meet, and the outlines of bodies that break, each with its
// own other fragments. Outlines of different bodies meet as ever. A pair of
// bodies meets by the law and the friction of its [[contact]]; fragments of one
// body by a law of their own where none has self = true.
type freshFaces struct {
	s        *Solver
	of       *potential.Contact
	outline  []int32 // boundary edges of bodies that break, in the order of faces
	opened   int     // vertices, when forces were last taken
	withSelf []bool  // of each body: its outline meets itself in a contact already
}

// fragmentStiffness is the stiffness of contact between fragments of one body,
// over E/h.
const fragmentStiffness = 1.0

// addFreshFaces makes the contact of what breaks.
func (s *Solver) addFreshFaces() {
	m, edges := s.Mesh, s.Fracture.Edges
	k := &freshFaces{s: s, withSelf: make([]bool, len(m.Bodies))}
	body := make([]int32, len(m.Triangles))
	for i, b := range m.Bodies {
		for t := b.First; t < b.End; t++ {
			body[t] = int32(i)
		}
	}
	breaks := make([]int32, len(m.Bodies)) // a region that bodies break by, and 1
	length := make([]float64, len(m.Bodies))
	count := make([]float64, len(m.Bodies))
	for i := range edges {
		e := &edges[i]
		if e.Region < 0 {
			continue
		}
		d := r2.Sub(m.X[e.To], m.X[e.From])
		for _, b := range [2]int32{body[e.A], body[e.B]} {
			breaks[b] = e.Region + 1
			length[b] += math.Sqrt(float64(d.X*d.X) + float64(d.Y*d.Y))
			count[b]++
		}
	}
	c := potential.Config{Triangles: m.Triangles, Body: body, Outline: s.outline, X: m.X, Thickness: s.Thickness}
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
			if q := s.Model.between(int32(i), int32(j)); q != nil {
				row[j] = int32(len(c.Rules))
				c.Rules = append(c.Rules, potential.Rule{Law: q.Law, Friction: q.Friction})
				k.withSelf[i] = k.withSelf[i] || i == j
			} else if i == j {
				mu := s.Fracture.Regions[breaks[i]-1].Law.Rubbing
				row[j] = int32(len(c.Rules))
				c.Rules = append(c.Rules, potential.Rule{
					Law:      contact.Linear{K: fragmentStiffness * s.Materials[s.Model.Bodies[i].Material].Young / (length[i] / count[i])},
					Friction: contactnodes.Friction{Kinetic: mu, Static: mu, Ratio: contactnodes.MindlinRatio},
				})
			}
		}
		c.Meets = append(c.Meets, row)
	}
	k.of = potential.New(c)
	s.fresh = k
	s.contacts.engines = append(s.contacts.engines, k)
}

// corner returns the corner of a triangle that is node n.
func corner(t [3]int32, n int32) uint8 { return uint8(slices.Index(t[:], n)) }

// between returns the contact in which two bodies meet, nil for none.
func (m *Model) between(i, j int32) *SurfaceContact {
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
		if i == j && !c.Self {
			continue
		}
		if of := [2]int32{material(i), material(j)}; c.Pair != nil && *c.Pair != of && *c.Pair != [2]int32{of[1], of[0]} {
			continue
		}
		for _, side := range [2][2]int32{{i, j}, {j, i}} {
			p, o := has(c.Contactor, side[0]), has(c.Opposite, side[1])
			if p >= 0 && o >= 0 && !slices.ContainsFunc(c.Elsewhere, func(e contactnodes.Elsewhere) bool { return e.Has(p, o, i == j) }) {
				return c
			}
		}
	}
	return nil
}

// addForces wakes the faces that cracks have handed over, and adds the forces.
func (k *freshFaces) addForces(commit bool) error {
	s := k.s
	z := s.cracks.Zone
	if z.Cracks() == 0 {
		return nil
	}
	z.Separate(s.X, s.Time)
	fresh := int32(len(k.outline))
	for i := range z.Cracks() {
		edge, part, broken := z.Part(i)
		if broken && k.of.Sleeps() {
			for i, e := range k.outline {
				if !k.withSelf[s.Mesh.Edges[e].Body] {
					k.of.Wake(int32(i), 1)
				}
			}
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
	}
}

func (k *freshFaces) accounts(out []work.Account) []work.Account { return append(out, k.of.Work()) }

func (k *freshFaces) balance() error { return k.s.cracks.balance() }

func (k *freshFaces) overlap(bool) error { return nil }

func (k *freshFaces) springs(out []contactnodes.TangentTerm) []contactnodes.TangentTerm { return out }

func (k *freshFaces) contactForces(out []ContactForce) []ContactForce { return out }

func (k *freshFaces) bear(func(bearing)) {}
