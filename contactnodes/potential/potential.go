// Package potential is the contact of fragments: potential contact force between points and
// triangles (A. Munjiza, The Combined Finite-Discrete Element Method, 2004, chapter 2). A breaking
// body has no lasting outline: faces appear, bodies divide, and the nearest edge changes all the
// time. So contact nodes are under triangles here, not under edges. The depth is the distance from
// the nearest side of the triangle, whether or not that side is on an outline:
//
//	     c              depth = min over k of lambda_k h_k, with the area
//	    /|\             coordinates lambda and the altitudes h at first:
//	   / | \            0 on all three sides, and within the triangle as
//	  /  q  \           smooth as a roof. The contact node q enters by a
//	 /__/|\__\          side and leaves by one, and is never found inside.
//	a-----------b
//
// The law's energy at that depth is a function of the positions of the nodes only. The forces are
// its exact gradient: on the two nodes of the contact node's own face, and with the weights lambda
// on those of the triangle. So momentum and angular momentum are conserved, and energy as far as
// leapfrog conserves it. The depth is also 0 on the common side of two joined triangles of a body.
// A contact node that slides across it passes a groove as wide as it is deep.
//
// Contact with outlines without triangles, of rigid bodies and beams, uses their edges, as in
// package contactnodes.
package potential

import (
	"math/bits"
	"slices"

	"fdem/contactnodes"
	"fdem/contactnodes/coulomb"
	"fdem/contactnodes/onnodes"
	"fdem/contactnodes/work"
	"fdem/materials/contact"

	"gonum.org/v1/gonum/spatial/r2"
)

// perFace is the number of contact nodes of a face, at the middles of equal parts.
const perFace = 5

// Face is a side of a triangle with contact nodes.
type Face struct {
	Triangle  int32
	Corner    uint8 // it leads from this corner to the next one
	CrackFace bool  // a crack face; otherwise a face of an outline, which has contact with other bodies as far as their contact is transferred
	Region    int32 // region by which it broke, see Other; -1 for none
}

// Rule is the law of contact and the friction between two bodies.
type Rule struct {
	Law      contact.Law
	Friction coulomb.Friction
}

// Config is the input of New.
type Config struct {
	Faces     []Face
	Triangles [][3]int32            // nodes, anticlockwise; they change as bodies break
	Body      []int32               // body of each triangle
	Outline   *contactnodes.Outline // outline of all bodies; edges without triangles are used as edges
	X         []r2.Vec              // reference positions [m]
	Thickness float64               // [m]
	Rules     []Rule
	Meets     [][]int32 // per two bodies: their rule, -1 for none
	Other     [][]int32 // per rule and region: the rule that replaces it for faces of the region; nil if it is the same for all regions, or for one rule
	Transfer  *contactnodes.Transfer
	Generic   bool // no vector instructions; the bits are the same
	Dilates   bool // some faces may have a rise, see SetRise; no vector instructions
}

// State is everything that changes, in flat arrays. It is part of a checkpoint.
type State struct {
	NormalWork   []float64 // work against dissipative laws, of each rule so far [J]
	FrictionWork []float64 // work against friction [J]
	TransferWork []float64 // work of contact transfer from contact by edges [J]
	InContact    []int32   // per pair in contact, see pair; ascending
	Values       []float64 // per contact point, see the constants below
}

// Values of a contact point. The law's memory follows them.
const (
	deflection = iota // [m]
	pressure          // [Pa]
	stored            // [J/m2]
	area              // [m2]
	friction          // [Pa]
	spring            // friction of the stick spring [Pa]
	stiffness         // of the stick spring [Pa/m]
	sliding           // 1 if the stick spring slides
	alongX            // x component of the direction of friction
	alongY
	values
)

// pair is a face and a target in contact.
type pair struct {
	face, target int32
	rows
}

// pairNumbers is the number of values of InContact per pair.
const pairNumbers = 4

// pairAt returns pair i.
func (s *State) pairAt(i int) pair {
	m := (*[pairNumbers]int32)(s.InContact[pairNumbers*i:])
	return pair{m[0], m[1], rows{m[2], uint32(m[3])}}
}

// pairs returns the number of pairs.
func (s *State) pairs() int { return len(s.InContact) / pairNumbers }

// join adds a pair to those in contact, or contact nodes to the last pair.
func join(inContact []int32, p pair) []int32 {
	if n := len(inContact) - pairNumbers; n >= 0 && inContact[n] == p.face && inContact[n+1] == p.target {
		inContact[n+3] |= int32(p.points)
		return inContact
	}
	return append(inContact, p.face, p.target, p.first, int32(p.points))
}

// Contact is the contact of all faces.
type Contact struct {
	Config
	State

	Others *Others // exchange with processes that share the nodes; nil for one process

	Within []bool // per body: its outline has contact with itself
	Bent   []bool // per body: it has self-contact and has not broken, see isClosing

	Rise []float64 // per face: outward offset of its contact nodes [m]; nil without dilation; part of a checkpoint

	Active int   // number of contact points at the last evaluation
	Sums   []Sum // per rule

	altitude       []float64  // per triangle: its three reference altitudes [m]
	area           []float64  // of each face, the reference area of a contact node [m2]
	memory, stride int        // numbers of values per contact point: of the law's memory, and of all
	conserves      []bool     // of each rule: its law has a potential
	damping        []float64  // of each rule [Pa s/m]
	energy         []float64  // per face with a part of its area: the energy that it would have with all of its area [J]
	part           []float64  // fraction of the area of each active face [-]
	was            []float64  // per face: the fraction of a crack face at the previous evaluation if that was less, otherwise 1
	awake          []bool     // of each face
	faceAt         [][3]int32 // per triangle and corner: the face there, -1 for none
	kernel         kernel
	bent           bool // some body is bent
	broad
	near
	workers

	next   State   // state of this evaluation
	margin float64 // distance within which a contact node limits the step [m]
	x, v   []r2.Vec
	scene  Scene
	out    onnodes.Forces
}

// New prepares contact of fragments. Faces are inactive until Wake.
func New(c Config) *Contact {
	if c.Transfer == nil {
		c.Transfer = contactnodes.NewTransfer(len(c.Meets))
	}
	s := &Contact{
		Config: c, kernel: chooseKernel(c.Generic || c.Dilates), area: make([]float64, len(c.Faces)), altitude: make([]float64, 3*len(c.Triangles)),
		energy: make([]float64, len(c.Faces)), part: make([]float64, len(c.Faces)), was: slices.Repeat([]float64{1}, len(c.Faces)), awake: make([]bool, len(c.Faces)),
		Within: make([]bool, len(c.Meets)), Bent: make([]bool, len(c.Meets)), broad: broad{listed: make([][2]int32, len(c.Faces))},
		near: near{chosen: make([][2]int32, len(c.Faces)), beside: make([][2]int32, len(c.Faces))}, faceAt: make([][3]int32, len(c.Triangles)),
	}
	for i, t := range c.Triangles {
		s.faceAt[i] = [3]int32{-1, -1, -1}
		for k := range 3 {
			a, b, q := c.X[t[(k+1)%3]], c.X[t[(k+2)%3]], c.X[t[k]]
			s.altitude[3*i+k] = cross(sub(b, a), sub(q, a)) / norm(sub(b, a))
		}
	}
	for i, f := range c.Faces {
		s.faceAt[f.Triangle][f.Corner] = int32(i)
		t := &c.Triangles[f.Triangle]
		s.area[i] = norm(sub(c.X[t[(f.Corner+1)%3]], c.X[t[f.Corner]])) * c.Thickness / perFace
	}
	for _, r := range c.Rules {
		s.memory = max(s.memory, len(r.Law.Memory()))
		damped, damping := r.Law.(contact.Damped)
		s.damping = append(s.damping, 0)
		if damping {
			s.damping[len(s.damping)-1] = damped.Damping()
		}
		s.conserves = append(s.conserves, len(r.Law.Memory()) == 0 && s.damping[len(s.damping)-1] == 0)
	}
	s.stride = values + s.memory
	s.Sums, s.NormalWork, s.FrictionWork, s.TransferWork = make([]Sum, len(c.Rules)), make([]float64, len(c.Rules)), make([]float64, len(c.Rules)), make([]float64, len(c.Rules))
	if c.Dilates {
		s.Rise = make([]float64, len(c.Faces))
	}
	s.doFar, s.doPress = s.measureTravel, s.pressFaces
	s.prepare()
	s.Workers(1, nil)
	return s
}

// Wake activates a face with a fraction of its area, 0 to 1.
func (c *Contact) Wake(face int32, part float64) {
	c.part[face] = part
	if part > 0 {
		c.activate(face)
	}
}

// RampIn activates a crack face with a fraction of its area, and records the increase of its stored
// energy from that with the previous fraction.
func (c *Contact) RampIn(face int32, part, before float64) {
	c.Wake(face, part)
	c.was[face] = before
}

// SetRise sets the outward offset of the contact nodes of a face [m]: the rise by dilation of faces
// that have slid. It must be called before the face is activated.
func (c *Contact) SetRise(face int32, rise float64) { c.Rise[face] = rise }

// activate adds a face to the search.
func (c *Contact) activate(face int32) {
	if !c.awake[face] {
		c.awake[face] = true
		c.activated = append(c.activated, face)
	}
}

// Sleeps tells whether no face is active.
func (c *Contact) Sleeps() bool { return len(c.faces)+len(c.activated) == 0 }

// Changed must be called when bodies may be in contact that could not before.
func (c *Contact) Changed() { c.outdated = true }

// Split must be called when some of the triangles around a node have got node n, which was split
// from that node.
func (c *Contact) Split(of, n int32, round []int32) {
	if c.at == nil {
		return
	}
	c.at[n] = c.at[of]
	c.useNode(n)
	for _, t := range round { // some of them may be in contact from now on
		for _, face := range c.faceAt[t] {
			if face >= 0 && c.awake[face] {
				c.opened = append(c.opened, face)
			}
		}
	}
}

// EndExcavated ends the contact points of excavated bodies without work. It returns their stored
// energy [J].
func (c *Contact) EndExcavated() (left float64) {
	inContact, n := c.InContact[:0], 0
	for i := range c.pairs() {
		p := c.pairAt(i)
		all := c.Values[int(p.first)*c.stride:][:bits.OnesCount32(p.points)*c.stride]
		if !c.excavated(c.Body[c.Faces[p.face].Triangle]) && !c.excavated(c.bodyOf(p.target)) {
			p.first = int32(n / c.stride)
			inContact = join(inContact, p)
			n += copy(c.Values[n:], all)
			continue
		}
		for r := c.ruleOf(p); len(all) > 0; all = all[c.stride:] {
			v := all[:values]
			law := float64(v[stored] * v[area])
			stick := coulomb.Stick{Friction: v[friction], Spring: v[spring], Stiffness: v[stiffness]}
			springEnergy := float64(stick.Energy() * v[area])
			if !c.conserves[r] {
				c.NormalWork[r] -= law
			}
			c.FrictionWork[r] -= springEnergy
			c.Sums[r].Stored -= law
			c.Sums[r].Spring -= springEnergy
			left += law + springEnergy
		}
	}
	c.InContact, c.Values = inContact, c.Values[:n]
	c.Invalidate()
	return left
}

// Invalidate must be called when the state, or all positions, differ from those of the last
// evaluation. Then all candidates and continuing contact points are found again.
func (c *Contact) Invalidate() { c.at = nil }

// excavated tells whether a body has been excavated.
func (c *Contact) excavated(body int32) bool { return c.Transfer.Left[body] }

// Energy returns the energy at the last evaluation that the law would store in the contact nodes of
// a face if the face had all of its area [J]. The face must have a part of its area; for a face
// with all of its area it returns 0.
func (c *Contact) Energy(face int32) float64 { return c.energy[face] }

// Work returns the account of work of a rule; a law with a potential dissipates nothing.
func (c *Contact) Work(rule int) work.Account {
	a := work.Account{Stored: c.Sums[rule].Stored, Spring: c.Sums[rule].Spring, Transferred: c.TransferWork[rule]}
	a.NormalWork, a.FrictionWork = c.NormalWork[rule], c.FrictionWork[rule]
	if c.conserves[rule] {
		a.NormalWork += a.Stored
	}
	return a
}

// ruleOf returns the rule of a pair.
func (c *Contact) ruleOf(p pair) int32 { return c.rule(&c.Faces[p.face], p.target) }

// rule returns the rule of a face and a target that may be in contact.
func (c *Contact) rule(f *Face, target int32) int32 {
	rule := c.Meets[c.Body[f.Triangle]][c.bodyOf(target)]
	if c.Other != nil && c.Other[rule] != nil && f.Region >= 0 {
		return c.Other[rule][f.Region]
	}
	return rule
}

// bodyOf returns the body of a target, which is a triangle or, with a higher number, an edge.
func (c *Contact) bodyOf(target int32) int32 {
	if n := int32(len(c.Triangles)); target >= n {
		return c.Outline.Edges[target-n].Body
	}
	return c.Body[target]
}

// Node is a contact node in contact.
type Node struct {
	First, At          r2.Vec // reference and present position [m]
	Normal             r2.Vec // unit normal into the opposite body
	Rule               int32
	Pressure, Friction float64 // [Pa]
	Deflection         float64 // [m]
}

// Nodes returns the contact nodes in contact, with their reference positions from the given
// positions of nodes [m]. Forces must have been evaluated.
func (c *Contact) Nodes(reference []r2.Vec) []Node {
	out := make([]Node, 0, c.Active)
	for i := range c.pairs() {
		p := c.pairAt(i)
		a, b := c.ends(p.face)
		for in := p.points; in != 0; in &= in - 1 {
			point := int32(bits.TrailingZeros32(in))
			u, v := positionOf(point), c.Values[int(p.of(point, 0))*c.stride:]
			between := func(x []r2.Vec) r2.Vec {
				return r2.Vec{X: x[a].X + float64(u*(x[b].X-x[a].X)), Y: x[a].Y + float64(u*(x[b].Y-x[a].Y))}
			}
			out = append(out, Node{
				First: between(reference), At: between(c.x), Normal: r2.Vec{X: v[alongY], Y: -v[alongX]}, Rule: c.ruleOf(p),
				Pressure: v[pressure], Friction: v[friction], Deflection: v[deflection],
			})
		}
	}
	return out
}
