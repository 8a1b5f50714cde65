package solver

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"fdem/contactnodes"
	"fdem/contactnodes/potential"
	"fdem/contactnodes/work"
	"fdem/fem/fracture"
	"fdem/materials/contact"
	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// freshFaces are the contacts of what breaks: faces that cracks have made, with
// whatever they meet, and the outlines of bodies that break, each with its own. Pieces
// of one body that a [[contact]] lets meet do so here from the start, whole: so nothing
// changes when they break. Outlines of different bodies meet by their contact nodes
// until broken faces of one of the two come apart, and hand over then. A pair of bodies meets by the law
// and the friction of its [[contact]]; fragments of one body by a law of their own where
// none has the body on both sides.
type freshFaces struct {
	s        *Solver
	of       *potential.Contact
	outline  []int32   // boundary edges of bodies that break, and of those that they meet, in the order of faces
	resting  bool      // no outline takes part
	broken   []bool    // per body: an edge of it has
	apart    []float64 // when broken faces of each body first came apart [s], +Inf before
	within   []float64 // in which time after that the body hands over what touches [s]
	handing  bool      // some body does
	rules    []freshRule
	walls    []wall         // that digging lays bare
	coming   []int32        // edges whose faces have left each other at once, and come to press
	follow   []following    // who meets what breaks beside contacts
	ready    bool           // prepared at X
	sums     []ContactForce // of each contact of the model and of its own after these, as last evaluated
	own      []string       // names of the contacts that no [[contact]] is
	pressure []float64      // greatest so far, of each contact of the model and of each of these after it [Pa]
	force    []float64      // and the greatest normal force, of these alone [N]
}

// wall is what a body that is dug away lays bare of others.
type wall struct {
	of    int     // the excavation's place in the solver's list
	faces []int32 // of what stays
	bare  bool
}

// freshRule says whose a rule of the contact is.
type freshRule struct {
	contact int     // of the model, or after these its own
	side    float64 // of its faces: 1 of the contactor, -1 of the opposite, 0 of both
	joined  bool    // of bodies of one mesh that part
}

const (
	// fragmentStiffness is the stiffness of contact between fragments of one body,
	// over E/h.
	fragmentStiffness = 1.0
	// straight is the sine of a corner that is none.
	straight = 1e-9
	// handingEdges is how many edges a wave passes while a body that has broken hands
	// over what touches it: some periods of the fastest vibration, in which no fragment
	// gets far.
	handingEdges = 10
)

// addFreshFaces makes the contact of what breaks, and of the walls that digging lays
// bare.
func (s *Solver) addFreshFaces() {
	m, leaves := s.Mesh, s.Model.leaves()
	if s.Fracture == nil && len(s.Model.Contacts) == 0 {
		return
	}
	edges := s.Model.parting()
	if len(edges) == 0 {
		return
	}
	k := &freshFaces{s: s, resting: true}
	c := potential.Config{Triangles: m.Triangles, Body: m.BodyOf(), Outline: s.outline, X: m.X, Thickness: s.Thickness, Generic: s.Kernel() == "generic"}
	breaks := s.Model.breaksBy()
	k.addRules(&c, breaks, edges, leaves)
	if len(k.rules) == 0 {
		return
	}
	for i, e := range m.Edges {
		if e.Tri >= 0 && slices.ContainsFunc(c.Meets[e.Body], func(rule int32) bool { return rule >= 0 }) {
			k.outline = append(k.outline, int32(i))
			c.Faces = append(c.Faces, potential.Face{Triangle: e.Tri, Corner: corner(m.Triangles[e.Tri], e.A), Region: -1})
		}
	}
	for i := range edges {
		e := &edges[i]
		c.Faces = append(c.Faces, potential.Face{Triangle: e.A, Corner: corner(m.Triangles[e.A], e.From), Fresh: true, Region: e.Region},
			potential.Face{Triangle: e.B, Corner: corner(m.Triangles[e.B], e.To), Fresh: true, Region: e.Region})
	}
	k.of = potential.New(c)
	k.addWalls(edges, leaves)
	k.sums = make([]ContactForce, len(s.Model.Contacts)+len(k.own))
	k.pressure, k.force = make([]float64, len(k.sums)), make([]float64, len(k.own))
	for i := range m.Bodies {
		if breaks[i] == 0 {
			c.Handed.Meets[i][i] = c.Meets[i][i] >= 0
			continue
		}
		of := m.Edges[m.Bodies[i].FirstEdge:m.Bodies[i].EndEdge]
		pieces, q := inPieces(of), k.rules[c.Meets[i][i]].contact
		k.of.Bent[i] = !pieces && isBent(m, of)
		if k.of.Bent[i] || pieces && q < len(s.Model.Contacts) {
			k.wake(int32(i))
		} else {
			c.Handed.Meets[i][i] = true
		}
	}
	for i, row := range c.Handed.Joined {
		if slices.Contains(row, true) {
			k.rouse(int32(i))
		}
	}
	s.fresh, k.follow = k, slices.Collect(all[following](s))
	s.contacts.engines = append(s.contacts.engines, k)
}

// parting returns the edges between triangles along which bodies break, with others, or
// else those between what is dug away and its neighbours.
func (m *Model) parting() []fracture.Edge {
	if m.Fracture != nil {
		return m.Fracture.Edges
	}
	if len(m.Excavations) == 0 {
		return nil
	}
	body, leaves := m.Mesh.BodyOf(), m.leaves()
	return slices.DeleteFunc(fracture.Interior(m.Mesh.Triangles), func(e fracture.Edge) bool {
		a, b := body[e.A], body[e.B]
		return a == b || leaves[a] == leaves[b]
	})
}

// leaves tells of each body of the mesh when it is dug away [s], +Inf where it stays.
func (m *Model) leaves() []float64 {
	out := slices.Repeat([]float64{math.Inf(1)}, len(m.Mesh.Bodies))
	for _, x := range m.Excavations {
		out[x.Body] = x.At
	}
	return out
}

// addWalls finds the faces that digging will lay bare, of bodies that meet something and
// stay, for longer at least.
func (k *freshFaces) addWalls(edges []fracture.Edge, leaves []float64) {
	if k.s.excavations == nil {
		return
	}
	fresh, body := int32(len(k.outline)), k.of.Body
	for i := range k.s.excavations.list {
		w := wall{of: i}
		for j, e := range edges {
			of, stays, side := body[e.A], body[e.B], int32(1)
			if of != k.s.excavations.list[i].Body {
				of, stays, side = stays, of, 0
			}
			if of == k.s.excavations.list[i].Body && leaves[of] < leaves[stays] && slices.ContainsFunc(k.of.Meets[stays], func(rule int32) bool { return rule >= 0 }) {
				w.faces = append(w.faces, fresh+2*int32(j)+side)
			}
		}
		k.walls = append(k.walls, w)
	}
}

// layBare lets the walls of what has left meet others, as faces that have broken.
func (k *freshFaces) layBare() {
	for i := range k.walls {
		w := &k.walls[i]
		x := &k.s.excavations.list[w.of]
		if w.bare || x.begun == 0 {
			continue
		}
		w.bare = true
		for _, face := range w.faces {
			if body := k.of.Body[k.of.Faces[face].Triangle]; !k.of.Handed.Left[body] {
				k.of.Wake(face, 1)
				k.breaks(body, x.At)
			}
		}
	}
}

// addRules says by which law bodies meet that break, by a region each, or are laid bare,
// with themselves and with others, and what they hand over to one another.
func (k *freshFaces) addRules(c *potential.Config, breaks []int32, edges []fracture.Edge, leaves []float64) {
	s, m := k.s, k.s.Mesh
	h, meets := meanEdges(m, c.Body, breaks, edges), s.Model.pairings()
	parts := make([]bool, len(m.Bodies)) // it breaks, or a part of what it was joined to leaves
	for _, e := range edges {
		a, b := c.Body[e.A], c.Body[e.B]
		parts[a] = parts[a] || breaks[a] > 0 || leaves[b] < leaves[a]
		parts[b] = parts[b] || breaks[b] > 0 || leaves[a] < leaves[b]
	}
	c.Handed = s.handed()
	own := k.newJointRules(c, breaks, h)
	for i := range m.Bodies {
		row, hands := make([]int32, len(m.Bodies)), c.Handed.Meets[i]
		k.broken, k.apart, k.within = append(k.broken, false), append(k.apart, math.Inf(1)), append(k.within, 0)
		for j := range row {
			row[j] = -1
			if m.Bodies[i].Kind != mesh.OfTriangles || !parts[i] && !parts[j] {
				continue
			}
			if q, side := meets.between(int32(i), int32(j)); q >= 0 {
				joined := own.region(int32(i), int32(j)) >= 0
				of := freshRule{q, side, joined}
				if row[j] = int32(slices.Index(k.rules, of)); row[j] < 0 {
					row[j] = own.addContact(of, &s.Model.Contacts[q])
				}
				if c.Handed.Joined[i][j] = joined && i != j; joined && i != j {
					continue
				}
				hands[j] = i != j && (m.Bodies[j].Kind == mesh.OfTriangles || meets.finds(q, int32(j), int32(i)))
			} else if row[j] = own.between(int32(i), int32(j)); row[j] >= 0 && i != j {
				hands[j] = true
			}
		}
		c.Handed.Pieces[i] = breaks[i] > 0
		if parts[i] {
			of := &s.Materials[s.Model.Bodies[i].Material]
			k.within[i] = handingEdges * h[i] / math.Sqrt(of.Young/of.Density)
		}
		c.Meets = append(c.Meets, row)
	}
	for i, row := range c.Handed.Meets {
		for j, hands := range row {
			c.Handed.Meets[j][i] = c.Handed.Meets[j][i] || hands
		}
	}
}

// jointRules makes rules in which faces of joints have the friction of these, and those of
// what no [[contact]] has: fragments of one body, and bodies of one mesh in which a joint or
// a crack parts some from others.
type jointRules struct {
	k      *freshFaces
	c      *potential.Config
	breaks []int32
	h      []float64          // mean edges of each body [m]
	meshed mesh.Connected     // the first body of those that one mesh holds
	parted []int32            // of each first body the least region between two of them, -1 for none
	made   map[[2]int32]int32 // rules of two bodies, the lower first; looked up only
}

func (k *freshFaces) newJointRules(c *potential.Config, breaks []int32, h []float64) *jointRules {
	n := len(k.s.Mesh.Bodies)
	r := &jointRules{k: k, c: c, breaks: breaks, h: h, meshed: mesh.NewConnected(n), parted: slices.Repeat([]int32{-1}, n), made: map[[2]int32]int32{}}
	if k.s.Fracture == nil {
		return r
	}
	for _, e := range k.s.Fracture.Edges {
		r.meshed.Join(c.Body[e.A], c.Body[e.B])
	}
	for _, e := range k.s.Fracture.Edges {
		if of := &r.parted[r.meshed.First(c.Body[e.A])]; c.Body[e.A] != c.Body[e.B] && e.Region >= 0 && (*of < 0 || e.Region < *of) {
			*of = e.Region
		}
	}
	return r
}

// region returns a region by which two bodies of one mesh part, or one itself; -1 for none.
func (r *jointRules) region(i, j int32) int32 {
	switch first := r.meshed.First(i); {
	case i == j:
		return r.breaks[i] - 1
	case first == r.meshed.First(j):
		return r.parted[first]
	}
	return -1
}

// between returns the rule by which two bodies meet that no [[contact]] has, or one itself;
// -1 for none.
func (r *jointRules) between(i, j int32) int32 {
	region := r.region(i, j)
	if region < 0 {
		return -1
	}
	pair := [2]int32{min(i, j), max(i, j)}
	if rule, ok := r.made[pair]; ok {
		return rule
	}
	s, k := r.k.s, r.k
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
	rule := r.addOwn(freshRule{contact: len(s.Model.Contacts) + at, joined: true}, region, stiffness)
	r.made[pair] = rule
	return rule
}

// add adds a rule and says whose it is.
func (r *jointRules) add(of freshRule, by potential.Rule) int32 {
	r.k.rules = append(r.k.rules, of)
	r.c.Rules, r.c.Other = append(r.c.Rules, by), append(r.c.Other, nil)
	return int32(len(r.c.Rules) - 1)
}

// addOwn adds the rule of what parts by a region, which no [[contact]] has, and those for
// faces of other regions: each rubs as its region says, and a joint with stiffness of its
// own is as stiff as it was while its faces were opposite each other.
func (r *jointRules) addOwn(of freshRule, region int32, stiffness float64) int32 {
	f := r.k.s.Fracture
	by := func(region int32) potential.Rule {
		mu := f.Regions[region].Law.Rubbing
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

// addContact adds the rule of a [[contact]]; where bodies of one mesh part, faces of joints
// keep the friction of these.
func (r *jointRules) addContact(of freshRule, c *SurfaceContact) int32 {
	rule := r.add(of, potential.Rule{Law: c.Law, Friction: c.Friction})
	if f := r.k.s.Fracture; of.joined && f != nil {
		r.addOthers(of, rule, func(q int32) (potential.Rule, bool) {
			mu, friction := f.Regions[q].Law.Rubbing, c.Friction
			friction.Kinetic, friction.Static = mu, mu
			return potential.Rule{Law: c.Law, Friction: friction}, f.parts(q) && friction != c.Friction
		})
	}
	return rule
}

// addOthers adds the rules for faces of regions that have another one.
func (r *jointRules) addOthers(of freshRule, rule int32, other func(region int32) (by potential.Rule, differs bool)) {
	others, differ := make([]int32, len(r.k.s.Fracture.Regions)), false
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

// handed returns what contacts under edges leave to others, which it makes.
func (s *Solver) handed() *contactnodes.Handed {
	if s.outline.Handed == nil {
		s.outline.Handed = contactnodes.NewHanded(len(s.Mesh.Bodies))
	}
	return s.outline.Handed
}

// inPieces tells whether boundary edges of a body are of several connected pieces.
func inPieces(edges []mesh.Edge) bool {
	return slices.ContainsFunc(edges, func(e mesh.Edge) bool { return e.Piece != edges[0].Piece })
}

// isBent tells whether boundary edges of a body have a re-entrant corner, or the end of a
// cut: only such an outline can meet itself before it breaks.
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

// breaksBy returns of each body a region that it breaks by, and 1; 0 where it cannot.
func (m *Model) breaksBy() []int32 {
	breaks := make([]int32, len(m.Mesh.Bodies))
	if m.Fracture == nil {
		return breaks
	}
	body := m.Mesh.BodyOf()
	for i := range m.Fracture.Edges {
		if e := &m.Fracture.Edges[i]; e.Region >= 0 {
			breaks[body[e.A]], breaks[body[e.B]] = e.Region+1, e.Region+1
		}
	}
	return breaks
}

// meanEdges returns the mean length of the edges along which each body breaks, or of the
// given ones that it has where it cannot [m].
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

// wake lets the outline of a body meet itself.
func (k *freshFaces) wake(body int32) {
	k.of.Within[body] = true
	k.rouse(body)
}

// rouse lets the outline of a body take part.
func (k *freshFaces) rouse(body int32) {
	k.resting = false
	for i, e := range k.outline {
		if k.s.Mesh.Edges[e].Body == body {
			k.of.Wake(int32(i), 1)
		}
	}
	k.of.Changed()
}

// corner returns the corner of a triangle that is node n.
func corner(t [3]int32, n int32) uint8 { return uint8(slices.Index(t[:], n)) }

// pairings say which bodies meet in which contact.
type pairings struct {
	*Model
	first [][2][]int32 // per contact: the first edge that each body has among its contactors, and its opposites; -1 for none, laidBare for one without edges
}

const laidBare = math.MaxInt32

func (m *Model) pairings() pairings {
	p := pairings{Model: m}
	for q := range m.Contacts {
		var of [2][]int32
		for side, edges := range [2][]int32{m.Contacts[q].Contactor, m.Contacts[q].Opposite} {
			of[side] = slices.Repeat([]int32{-1}, len(m.Mesh.Bodies))
			for _, e := range slices.Backward(edges) {
				of[side][m.Mesh.Edges[e].Body] = e
			}
			for _, b := range m.Contacts[q].Inner[side] {
				of[side][b] = laidBare
			}
		}
		p.first = append(p.first, of)
	}
	return p
}

// between returns the contact in which two bodies meet, -1 for none, and the side of the
// first of them: 1 the contactor's, -1 the opposite one, 0 where it is both.
func (m *pairings) between(i, j int32) (contact int, side float64) {
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
			p, o := m.first[q][0][sides[0]], m.first[q][1][sides[1]]
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

// prepare wakes the faces that cracks have handed over, and lets bodies hand over what
// touches them. It comes before the forces of all contacts, and of whatever else meets
// what breaks.
func (k *freshFaces) prepare() {
	s := k.s
	if k.ready {
		return
	}
	k.ready = true
	k.layBare()
	if s.cracks != nil && s.cracks.Cracks() > 0 {
		k.separate(s.cracks.Zone)
	}
	k.handOver()
}

// separate wakes the faces that cracks have handed over.
func (k *freshFaces) separate(z *fracture.Zone) {
	s := k.s
	z.Separate(s.X, s.Time)
	fresh := int32(len(k.outline))
	for _, edge := range z.Parted() {
		part, apart := z.Part(edge)
		e := &s.Fracture.Edges[edge]
		k.breaks(k.of.Body[e.A], apart)
		k.breaks(k.of.Body[e.B], apart)
		if !math.IsNaN(z.LeftAtOnce(edge)) {
			k.coming = append(k.coming, edge)
			continue
		}
		k.of.Wake(fresh+2*edge, part)
		k.of.Wake(fresh+2*edge+1, part)
	}
	k.come(z)
}

// come lets faces that have left each other at once take part smoothly: something may
// have come between them while they swung open, which is deep in them by then.
func (k *freshFaces) come(z *fracture.Zone) {
	s, fresh := k.s, int32(len(k.outline))
	k.coming = slices.DeleteFunc(k.coming, func(edge int32) bool {
		e := &s.Fracture.Edges[edge]
		part, since := SmoothStep(max(k.within[k.of.Body[e.A]], k.within[k.of.Body[e.B]])), s.Time-z.LeftAtOnce(edge)
		now, before := part(since), part(since-s.Last)
		k.of.Come(fresh+2*edge, now, before)
		k.of.Come(fresh+2*edge+1, now, before)
		return before == 1
	})
}

// breaks notes that a body has broken, and wakes its outline; and when the faces there
// came apart [s], NaN where they have not.
func (k *freshFaces) breaks(body int32, apart float64) {
	if !k.broken[body] {
		k.broken[body] = true
		k.wake(body)
		k.of.Bent[body] = false
		for other, meets := range k.of.Handed.Meets[body] {
			if meets {
				k.rouse(int32(other))
			}
		}
	}
	if apart < k.apart[body] {
		k.handing = k.handing || math.IsInf(k.apart[body], 1)
		k.apart[body] = apart
	}
}

// handOver finds which part of what touches them bodies have handed over.
func (k *freshFaces) handOver() {
	if !k.handing {
		return
	}
	s, h := k.s, k.of.Handed
	k.handing = false
	for b, apart := range k.apart {
		part := SmoothStep(k.within[b])
		now, before := part(s.Time-apart), part(s.Time-s.Last-apart)
		if now == 1 && h.Now[b] < 1 {
			for _, c := range s.Surfaces {
				c.Forget()
			}
		}
		if now > 0 && h.Now[b] == 0 {
			k.of.Changed()
		}
		h.Now[b], h.Before[b] = now, before
		k.handing = k.handing || !math.IsInf(apart, 1) && before < 1
	}
}

// finds tells whether a body carries contact nodes against another one in a contact.
func (m *pairings) finds(contact int, body, other int32) bool {
	of := &m.first[contact]
	return of[0][body] >= 0 && of[1][other] >= 0 || m.Contacts[contact].TwoSided && of[1][body] >= 0 && of[0][other] >= 0
}

// addForces adds the forces.
func (k *freshFaces) addForces(commit bool) error {
	s := k.s
	k.ready = false
	if k.resting && (s.cracks == nil || s.cracks.Cracks() == 0) {
		return nil
	}
	k.of.AddForces(s.contact, potential.Scene{X: s.X, V: s.V, Masses: &s.masses, Step: s.Last, Next: s.Limit, Speed: s.approachSpeed()}, commit)
	if s.clock.on {
		s.clock.count("contact nodes of fragments that touch", k.of.Active)
	}
	k.sumUp(commit)
	if s.cracks == nil {
		return nil
	}
	z, fresh := s.cracks.Zone, int32(len(k.outline))
	for _, edge := range z.Parted() {
		if part, _ := z.Part(edge); part > 0 {
			met := k.of.Energy(fresh+2*edge) + k.of.Energy(fresh+2*edge+1)
			for _, f := range k.follow {
				met += f.closed(edge)
			}
			z.Meet(edge, met)
		}
	}
	return nil
}

func (k *freshFaces) parts() []Part {
	return []Part{
		{"fresh.pairs", &k.of.Touching}, {"fresh.values", &k.of.Values},
		{"fresh.normal_work", &k.of.NormalWork}, {"fresh.friction_work", &k.of.FrictionWork}, {"fresh.handed_work", &k.of.HandedWork},
		{"fresh.peak_pressure", k.pressure}, {"fresh.peak_force", k.force},
	}
}

func (k *freshFaces) accounts(out []work.Account) []work.Account {
	for i := range k.rules {
		out = append(out, k.of.Work(i))
	}
	return out
}

func (k *freshFaces) balance() error { return nil } // cracks and excavations refuse it

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

// HandsOver tells whether bodies may meet by fresh faces.
func (s *Solver) HandsOver() bool { return s.fresh != nil }

// FragmentContacts returns the contact nodes of fragments that touch at Time, once forces
// have been evaluated; nothing where nothing can break.
func (s *Solver) FragmentContacts() []potential.Node {
	if s.fresh == nil || s.fresh.of.Sleeps() {
		return nil
	}
	return s.fresh.of.Nodes(s.Mesh.X)
}
