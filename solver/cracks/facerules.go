package cracks

import (
	"math"
	"slices"
	"strings"

	"fdem/boundingbox"
	"fdem/contactnodes"
	"fdem/contactnodes/potential"
	"fdem/fem/fracture"
	"fdem/materials/contact"
	"fdem/materials/elementary"
	"fdem/mesh"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// The rules of crackFaces: the law and the friction of two bodies of which one breaks or is
// exposed, and the transfer of their contact.

// faceRule tells to which contact a rule belongs.
type faceRule struct {
	contact int     // index of a contact of the model, or after these of a contact without a [[contact]]
	side    float64 // side of its faces: 1 contactor, -1 opposite, 0 both
	joined  bool    // between bodies of one mesh that separate
}

// addRules sets the laws by which bodies that break or are exposed contact themselves and others,
// and the transfer of their contacts. breaks has the region by which each body breaks.
func (k *Faces) addRules(c *potential.Config, breaks []int32, edges []fracture.Edge, leaves []float64) {
	m := k.Mesh
	h, meets := meanEdges(m, c.Body, breaks, edges), pairingsOf(k.Model)
	parts := make([]bool, len(m.Bodies)) // per body: it breaks, or a body joined to it is excavated
	for _, e := range edges {
		a, b := c.Body[e.A], c.Body[e.B]
		parts[a] = parts[a] || breaks[a] > 0 || leaves[b] < leaves[a]
		parts[b] = parts[b] || breaks[b] > 0 || leaves[a] < leaves[b]
	}
	c.Transfer = k.outlines.MayTransfer()
	own, fast := k.newJointRules(c, breaks, h), k.newImpacts()
	for i := range m.Bodies {
		row, transfers := make([]int32, len(m.Bodies)), c.Transfer.Transfers[i]
		k.broken, k.separatedAt, k.within = append(k.broken, false), append(k.separatedAt, math.Inf(1)), append(k.within, 0)
		for j := range row {
			row[j] = -1
			if m.Bodies[i].Kind != mesh.OfTriangles || !parts[i] && !parts[j] {
				continue
			}
			if q, side := meets.between(int32(i), int32(j)); q >= 0 {
				joined := own.region(int32(i), int32(j)) >= 0
				of := faceRule{q, side, joined}
				if row[j] = int32(slices.Index(k.rules, of)); row[j] < 0 {
					row[j] = own.addContact(of, &k.Model.Contacts[q])
				}
				start := i != j && (joined || fast.breaks(int32(i), int32(j)) && meets.meetOnlyIn(q, int32(i), int32(j)))
				c.Transfer.FromStart[i][j] = c.Transfer.FromStart[i][j] || start
				c.Transfer.FromStart[j][i] = c.Transfer.FromStart[i][j]
				transfers[j] = i != j && !start && (m.Bodies[j].Kind == mesh.OfTriangles || meets.finds(q, int32(j), int32(i)))
			} else if row[j] = own.between(int32(i), int32(j)); row[j] >= 0 && i != j {
				transfers[j] = true
			}
		}
		c.Transfer.Fragments[i] = breaks[i] > 0
		if parts[i] {
			of := &k.Materials[k.Model.Bodies[i].Material]
			k.within[i] = transferEdges * h[i] / math.Sqrt(of.Young/of.Density)
		}
		c.Meets = append(c.Meets, row)
	}
	for i, row := range c.Transfer.Transfers {
		for j, transfers := range row {
			c.Transfer.Transfers[j][i] = c.Transfer.Transfers[j][i] || transfers
		}
	}
}

// jointRules makes the rules with the friction of joints for their faces, and the rules without a
// [[contact]]. These are for fragments of one body, and for bodies of one mesh that a joint or a
// crack separates.
type jointRules struct {
	k         *Faces
	c         *potential.Config
	breaks    []int32
	h         []float64          // mean edge length of each body [m]
	meshed    mesh.Connected     // the first of the bodies that one mesh connects
	separated []int32            // per first body: the least region between two of them, -1 for none
	made      map[[2]int32]int32 // rules of two bodies, the lower number first; looked up only
}

func (k *Faces) newJointRules(c *potential.Config, breaks []int32, h []float64) *jointRules {
	n := len(k.Mesh.Bodies)
	r := &jointRules{k: k, c: c, breaks: breaks, h: h, meshed: mesh.NewConnected(n), separated: slices.Repeat([]int32{-1}, n), made: map[[2]int32]int32{}}
	if k.Fracture == nil {
		return r
	}
	for _, e := range k.Fracture.Edges {
		r.meshed.Join(c.Body[e.A], c.Body[e.B])
	}
	for _, e := range k.Fracture.Edges {
		if of := &r.separated[r.meshed.First(c.Body[e.A])]; c.Body[e.A] != c.Body[e.B] && e.Region >= 0 && (*of < 0 || e.Region < *of) {
			*of = e.Region
		}
	}
	return r
}

// region returns a region that separates two bodies of one mesh, or by which one body breaks; -1
// for none.
func (r *jointRules) region(i, j int32) int32 {
	switch first := r.meshed.First(i); {
	case i == j:
		return r.breaks[i] - 1
	case first == r.meshed.First(j):
		return r.separated[first]
	}
	return -1
}

// between returns the rule without a [[contact]] of two bodies, or of one body with itself; -1 for
// none.
func (r *jointRules) between(i, j int32) int32 {
	region := r.region(i, j)
	if region < 0 {
		return -1
	}
	pair := [2]int32{min(i, j), max(i, j)}
	if rule, ok := r.made[pair]; ok {
		return rule
	}
	s, k := r.k.View, r.k
	name, stiffness := s.Mesh.Bodies[i].Name, math.Inf(1)
	if i != j {
		name = strings.ReplaceAll(s.Fracture.Sizes[region].Where, ", ", "-")
	}
	name += "-fragments"
	at := slices.Index(k.own, name)
	if at < 0 {
		at, k.own = len(k.own), append(k.own, name)
	}
	for _, b := range pair {
		stiffness = min(stiffness, fragmentStiffness*s.Materials[s.Model.Bodies[b].Material].Young/r.h[b])
	}
	rule := r.addOwn(faceRule{contact: len(s.Model.Contacts) + at, joined: true}, region, stiffness)
	r.made[pair] = rule
	return rule
}

// add adds a rule with its faceRule.
func (r *jointRules) add(of faceRule, by potential.Rule) int32 {
	r.k.rules = append(r.k.rules, of)
	r.c.Rules, r.c.Other = append(r.c.Rules, by), append(r.c.Other, nil)
	return int32(len(r.c.Rules) - 1)
}

// addOwn adds the rule without a [[contact]] for separation by a region, and the rules for faces of
// other regions. Each has the friction of its region. A joint with its own stiffness keeps that
// stiffness.
func (r *jointRules) addOwn(of faceRule, region int32, stiffness float64) int32 {
	f := r.k.Fracture
	by := func(region int32) potential.Rule {
		mu := f.Regions[region].Law.ResidualFriction
		law, friction := contact.Linear{K: stiffness}, contactnodes.Friction{Kinetic: mu, Static: mu, Ratio: contactnodes.MindlinRatio}
		if s := f.Regions[region].Springs; s != nil {
			if s.Normal > 0 {
				law.K = s.Normal
			}
			if s.Shear > 0 {
				friction.Ratio, friction.Stiffness = 0, s.Shear
			}
		}
		return potential.Rule{Law: law, Friction: friction}
	}
	own := by(region)
	rule := r.add(of, own)
	r.addOthers(of, rule, func(q int32) (potential.Rule, bool) {
		other := by(q)
		return other, other != own
	})
	return rule
}

// addContact adds the rule of a [[contact]]. Between bodies of one mesh that separate, faces of
// joints keep the friction of the joints.
func (r *jointRules) addContact(of faceRule, c *models.SurfaceContact) int32 {
	rule := r.add(of, potential.Rule{Law: c.Law, Friction: c.Friction})
	if f := r.k.Fracture; of.joined && f != nil {
		r.addOthers(of, rule, func(q int32) (potential.Rule, bool) {
			mu, friction := f.Regions[q].Law.ResidualFriction, c.Friction
			friction.Kinetic, friction.Static = mu, mu
			return potential.Rule{Law: c.Law, Friction: friction}, f.Parts(q) && friction != c.Friction
		})
	}
	return rule
}

// addOthers adds the rules for faces of regions with a different rule.
func (r *jointRules) addOthers(of faceRule, rule int32, other func(region int32) (by potential.Rule, differs bool)) {
	others, differ := make([]int32, len(r.k.Fracture.Regions)), false
	for q := range others {
		others[q] = rule
		if by, differs := other(int32(q)); differs {
			others[q], differ = r.add(of, by), true
		}
	}
	if differ {
		r.c.Other[rule] = others
	}
}

// meanEdges returns the mean length [m] of the edges along which each body breaks, or of its given
// edges if it cannot break.
func meanEdges(m *mesh.Mesh, body, breaks []int32, edges []fracture.Edge) []float64 {
	length, count := make([]float64, len(m.Bodies)), make([]float64, len(m.Bodies))
	for i := range edges {
		e := &edges[i]
		d := r2.Sub(m.X[e.To], m.X[e.From])
		for _, b := range [2]int32{body[e.A], body[e.B]} {
			if e.Region >= 0 || breaks[b] == 0 {
				length[b] += math.Sqrt(float64(d.X*d.X) + float64(d.Y*d.Y))
				count[b]++
			}
		}
	}
	for b := range length {
		length[b] /= count[b]
	}
	return length
}

// pairings finds the contact of two bodies.
type pairings struct {
	*models.Model
	first [][2][]int32 // per contact: the first edge of each body among its contactors and its opposites; -1 for none, exposedOnly for one without edges
	whole [][2][]bool  // per contact: all edges of a meshed body are among its contactors, or its opposites
}

const exposedOnly = math.MaxInt32

func pairingsOf(m *models.Model) pairings {
	p := pairings{Model: m}
	for q := range m.Contacts {
		var of [2][]int32
		var whole [2][]bool
		for side, edges := range [2][]int32{m.Contacts[q].Contactor, m.Contacts[q].Opposite} {
			of[side], whole[side] = slices.Repeat([]int32{-1}, len(m.Mesh.Bodies)), make([]bool, len(m.Mesh.Bodies))
			count := make([]int32, len(m.Mesh.Bodies))
			for _, e := range slices.Backward(edges) {
				of[side][m.Mesh.Edges[e].Body] = e
				count[m.Mesh.Edges[e].Body]++
			}
			for i, b := range m.Mesh.Bodies {
				whole[side][i] = b.Kind == mesh.OfTriangles && count[i] == b.EndEdge-b.FirstEdge
			}
			for _, b := range m.Contacts[q].Inner[side] {
				of[side][b] = exposedOnly
			}
		}
		p.first, p.whole = append(p.first, of), append(p.whole, whole)
	}
	return p
}

// between returns the contact of two bodies, -1 for none, and the side of the first body: 1
// contactor, -1 opposite, 0 if it is on both.
func (m *pairings) between(i, j int32) (contact int, side float64) {
	for q := range m.Contacts {
		if side := m.side(q, i, j); side != 0 && i == j {
			return q, 0
		} else if side != 0 {
			return q, side
		}
	}
	return -1, 0
}

// side returns the side of a contact on which a body is against another body: 1 contactor, -1
// opposite, 0 if the contact is not between them.
func (m *pairings) side(contact int, i, j int32) float64 {
	material := func(body int32) int32 {
		if b := &m.Mesh.Bodies[body]; b.Kind == mesh.OfOutline {
			return m.Rigids[b.Number].Material
		}
		return m.Bodies[body].Material
	}
	c := &m.Contacts[contact]
	if contactnodes.AreApart(c.Apart, i, j) {
		return 0
	}
	if of := [2]int32{material(i), material(j)}; c.Pair != nil && *c.Pair != of && *c.Pair != [2]int32{of[1], of[0]} {
		return 0
	}
	for k, sides := range [2][2]int32{{i, j}, {j, i}} {
		p, o := m.first[contact][0][sides[0]], m.first[contact][1][sides[1]]
		if p >= 0 && o >= 0 && !slices.ContainsFunc(c.Elsewhere, func(e contactnodes.Elsewhere) bool { return e.Has(p, o, i == j) }) {
			return 1 - 2*float64(k)
		}
	}
	return 0
}

// impacts has the data to decide which bodies may collide so fast that one of them shatters.
type impacts struct {
	weakest   []float64    // per body: the least tensile strength at which it breaks, +Inf if it cannot [Pa]
	impedance []float64    // of longitudinal waves, 0 for bodies without triangles [Pa s/m]
	heights   [][2]float64 // per body: gravity times the lowest and the highest node against gravity [m2/s2]
	jump      float64      // greatest difference of initial velocities [m/s]
}

// newImpacts collects the data of all bodies at the start.
func (k *Faces) newImpacts() *impacts {
	m := k.Mesh
	f := &impacts{weakest: slices.Repeat([]float64{math.Inf(1)}, len(m.Bodies)), impedance: make([]float64, len(m.Bodies)), heights: make([][2]float64, len(m.Bodies))}
	first := k.V[m.Bodies[0].Nodes[0]]
	velocities := boundingbox.BoxOf(first, first)
	for i := range m.Bodies {
		b := &m.Bodies[i]
		f.heights[i] = [2]float64{math.Inf(1), math.Inf(-1)}
		for _, n := range b.Nodes {
			up := -elementary.Dot(k.Model.Gravity, m.X[n])
			velocities, f.heights[i] = velocities.With(k.V[n]), [2]float64{min(f.heights[i][0], up), max(f.heights[i][1], up)}
		}
		if b.Kind == mesh.OfTriangles {
			f.impedance[i], _ = k.Impedance(k.Model.Bodies[i].Material)
		}
	}
	velocities = k.breaking.adapting.Velocities(velocities)
	f.jump = elementary.Norm(r2.Sub(velocities.Max, velocities.Min))
	if k.Fracture == nil {
		return f
	}
	body := m.BodyOf()
	for _, e := range k.Fracture.Edges {
		if e.Region < 0 {
			continue
		}
		strength := 0.0
		if law := k.Fracture.Regions[e.Region].Law; law != nil {
			strength = law.Tension
		}
		for _, b := range [2]int32{body[e.A], body[e.B]} {
			f.weakest[b] = min(f.weakest[b], strength)
		}
	}
	return f
}

// shattering is the ratio of the traction of an impact to the tensile strength from which two
// bodies are in contact by triangles from the start. For rocks thrown at each other corner first
// (68 runs of 14 pairs, five speeds), contact by triangles had the smaller mean error of energy
// from a ratio of eight. Below four most rocks did not break with contact nodes, and with triangles
// 0.5 to 2 % of the energy was gained if a corner was deeper than one triangle.
const shattering = 8

// breaks tells whether the traction Z v of an impact of two bodies, with their impedances in
// series, can be far above the tensile strength of one. v is the greatest difference of velocities
// in the model, because a body that is hit passes the impact on, or the speed of a fall through the
// gap between the two.
func (f *impacts) breaks(i, j int32) bool {
	if f.impedance[i] == 0 || f.impedance[j] == 0 {
		return false
	}
	fall := max(0, f.heights[i][0]-f.heights[j][1], f.heights[j][0]-f.heights[i][1])
	v := math.Sqrt(float64(f.jump*f.jump) + float64(2*fall))
	return series(f.impedance[i], f.impedance[j])*v > shattering*min(f.weakest[i], f.weakest[j])
}

// FastPairs returns the pairs of bodies of a contact whose impact shatters one of them and which
// are in contact by triangles from the start.
func (k *Breaking) FastPairs(contact int) (pairs [][2]string) {
	f := k.Faces
	for i, row := range f.Potential.Meets {
		for j := i + 1; j < len(row); j++ {
			if row[j] < 0 || !f.Potential.Transfer.FromStart[i][j] {
				continue
			}
			if r := f.rules[row[j]]; r.contact == contact && !r.joined {
				pairs = append(pairs, [2]string{k.Mesh.Bodies[i].Name, k.Mesh.Bodies[j].Name})
			}
		}
	}
	return pairs
}

// meetOnlyIn tells whether two bodies of a contact may be in contact by triangles from the start.
// Both whole outlines must be in that one contact. Statics need the tangent of contact nodes, and
// intended overlaps need contact nodes, too.
func (m *pairings) meetOnlyIn(contact int, i, j int32) bool {
	if m.Static != nil || m.Contacts[contact].Overlap.Mode == contactnodes.OverlapAllow {
		return false
	}
	for q := range m.Contacts {
		side := m.side(q, i, j)
		if (side != 0) != (q == contact) {
			return false
		}
		if of := &m.whole[q]; side > 0 && !(of[0][i] && of[1][j]) || side < 0 && !(of[1][i] && of[0][j]) {
			return false
		}
	}
	return true
}

// finds tells whether a body has contact nodes against another one in a contact.
func (m *pairings) finds(contact int, body, other int32) bool {
	of := &m.first[contact]
	return of[0][body] >= 0 && of[1][other] >= 0 || m.Contacts[contact].TwoSided && of[1][body] >= 0 && of[0][other] >= 0
}
