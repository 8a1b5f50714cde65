package contactnodes

import (
	"math"
	"slices"

	"fdem/boundingbox"
	"fdem/contactnodes/coulomb"
	"fdem/contactnodes/onnodes"
	"fdem/contactnodes/rolling"
	"fdem/contactnodes/work"
	"fdem/materials/contact"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Config describes one contact.
type Config struct {
	Name              string
	Contactor         []int32 // boundary edges that carry contact nodes, ascending
	Opposite          []int32 // boundary edges with which they may be in contact, ascending
	Law               contact.Law
	LawName           string
	SuitableStiffness float64     // suitable stiffness for the bodies, 0 if unknown [Pa/m]
	StiffnessKey      string      // key of the deck that gives the stiffness of a joint; "" for the key of a law
	StiffnessFactor   float64     // ratio of Law's stiffness to SuitableStiffness if it was found from it; 0 if the deck gives the stiffness
	Penetration       float64     // penetration relative to the size of bodies from which the stiffness was found; 0 if it was not
	Nodes             int         // number of contact nodes per contact element
	Ends              bool        // contact nodes at the ends of equal parts instead of their middles, see hat.go
	TwoSided          bool        // the opposite edges carry contact nodes, too
	Self              bool        // edges of one connected component may be in contact
	Material          []int32     // per boundary edge; used with MaterialPair
	MaterialPair      *[2]int32   // the only pair of materials whose edges may be in contact; nil for all
	Elsewhere         []Elsewhere // edge pairs whose contact belongs to other contacts
	Apart             [][2]int32  // bodies of edges that do not meet: beams and the body on whose edges they lie
	Thickness         float64     // [m]
	Mass              []float64   // per boundary edge: mass of its body, infinite if the body cannot move [kg]
	Width             []float64   // per boundary edge, out of the plane [m]; nil for Thickness; contact acts on the smaller of two widths
	Representative    []int32     // per boundary edge: the first edge of its rigid body, otherwise itself; nil without rigid bodies
	Rigid             []Rigidity  // per boundary edge: whether it belongs to a rigid body; nil without rigid bodies
	InverseInertia    []float64   // per boundary edge: of its body if that is rigid and contact moves it, else 0 [1/(kg m2)]; nil without rigid bodies
	Pull              []float64   // per boundary edge, at its Representative: force on the rigid body without contact [N]; the owner of the contact updates it
	RestDamping       bool        // rigid bodies come to rest on one another, see restdamping.go
	Static            bool        // only evaluated in equilibrium: no correction for leapfrog
	Corners           bool        // corners of free rigid bodies carry a part of the stiffness of their edges, see rigidpairs.go
	Arcs              []Arc       // per boundary edge: the arc that it represents, see arcs.go; nil without arcs
	Friction          Friction
	Rolling           float64 // coefficient of rolling resistance, see package rolling
	Overlap           Overlap
	Generic           bool // no vector instructions; the bits are the same
}

// Rigidity tells whether and how an edge belongs to a rigid body.
type Rigidity uint8

const (
	Deformable Rigidity = iota // edge of a meshed body or a beam
	Held                       // edge of a rigid body that contact does not move
	Free                       // edge of a rigid body that contact moves
)

// AreApart tells whether a list of pairs of bodies has two bodies, in any order.
func AreApart(pairs [][2]int32, a, b int32) bool {
	return slices.Contains(pairs, [2]int32{a, b}) || slices.Contains(pairs, [2]int32{b, a})
}

// Elsewhere has the edge pairs of another contact: edges of one list with those of the other.
type Elsewhere struct {
	Name          string  // of that contact
	First, Second []int32 // boundary edges, ascending
	Self          bool    // also within a connected component
}

// Has tells whether the contact of edges i and j belongs to the other contact. same tells whether
// they belong to one connected component.
func (e *Elsewhere) Has(i, j int32, same bool) bool {
	if same && !e.Self {
		return false
	}
	in := func(edges []int32, edge int32) bool {
		_, found := slices.BinarySearch(edges, edge)
		return found
	}
	return in(e.First, i) && in(e.Second, j) || in(e.First, j) && in(e.Second, i)
}

// Contact is one contact: surfaces with contact nodes, and the opposite edges. If both edges of a
// pair have contact nodes against each other, they share the area, see twoPassWeight. Only
// AddForces changes State.
type Contact struct {
	Config
	State

	_ [64]byte // one worker adds to the sums, another to the state: they are in different cache lines
	sums
	Active      int     // number of contact nodes in contact at the last evaluation
	Approaching int     // number of predicted contact points
	Fed         float64 // above 0 while friction feeds its bodies' vibrations, as whoever watches it finds, and keeps
	ImpactLoss  float64 // relative energy that leapfrog loses at predicted contact points, divided by dt^2/12, see Prediction [1/s2]

	RigidStiffness []PairStiffness // at the last committed evaluation, see rigidstiffness.go

	// Lap is called at the end of each phase of an evaluation; may be nil.
	Lap func(Stage)

	outline                 *Outline
	start                   []r2.Vec  // reference positions [m]
	elements                []int32   // boundary edges that carry contact nodes, ascending
	elementOf               []int32   // per boundary edge: its contact element, -1 for none
	isContactor, isOpposite []bool    // per boundary edge: it is in Contactor, in Opposite
	cubic                   []bool    // per contact element: it is the face of a beam, which bends between its ends
	area                    []float64 // of each contact node, per contact element [m2]
	layoutOf                []int32   // per contact element: index into layouts
	layouts                 []layout  // the first is for straight edges
	memorySize              int       // values of memory per contact node
	damping                 float64   // of the law [Pa s/m]
	exact                   bool      // strips of straight edges of rigid bodies are integrated exactly, see integrates
	covers                  bool      // the stiffness of a strip is that of its covered part, see cover.go
	normalForce             []float64 // per boundary edge: normal force on it or its rigid body at this evaluation [N]
	mobility                []float64 // per boundary edge: the greater inverse mass of its two ends [1/kg]

	// Indices of the states of an element's contact nodes are in slots[firstSlot:], -1 for nodes
	// that have not been in contact. firstSlot is -1 if none of them has been.
	firstSlot []int32 // per contact element
	slots     []int32

	// The candidates of contact element e are candidate[firstCandidate[e]:firstCandidate[e+1]],
	// ascending, from the broad phase's list with the number build.
	firstCandidate []int32
	candidate      []int32
	nextCandidate  []int32
	build          int

	sleep sleep

	query    closestPointQuery
	kernel   kernel
	pressing pressing // the present edge pair

	resistance rolling.Resistance // to rolling
	rigid      *rigidPairs        // contact of straight edges of rigid bodies with each other; nil for none
	faces      *faces             // contact of other straight edges by pairs; nil for none
	offsets    pairOffsets        // of both
	peaksOf    []int32            // per contact element: index of its first value in PairPeaks, -1 for none

	points                    contactPoints   // contact points of this evaluation
	closed                    int             // number of these in contact, without those that have just separated
	stick                     []coulomb.Stick // friction on these, for an elastic stick
	bound                     []float64       // friction coefficient that limits each of these
	patches                   patches         // contact points that stick or slide together
	hasRestDamping            bool            // RestDamping is set, and the law has a stiffness for it
	restPressure              []float64       // pressure at these of the damper of rigid bodies at rest [Pa]
	restShifts                []shift         // of depths under bodies that roll or slide, see findRestShifts
	edgeArea                  []float64       // per boundary edge, for rest damping [m2]
	lawPressures, uncorrected []float64       // see correctKicks; buffer of lawPressures [Pa]
	inContactBefore           []nodeSlot      // contact nodes in contact at the last evaluation, ascending
	released                  []nodeSlot      // those of them that are no longer in contact
	partlyReleased            []int32         // contact nodes of which some contact points have ended and others have not
	approaching               contactPoints   // predicted contact points
	losses                    []float64       // parts of ImpactLoss of the predicted contact points [1/s2]
	stiffening                []stiffening    // existing contact points whose future stiffness the law predicts; their data follow those of approaching
	prediction                Prediction
	lookAhead                 float64 // greatest distance of contact nodes in approaching [m]

	workers
	x, v []r2.Vec // positions and velocities of this evaluation, for all workers

	offsetFraction       float64   // present factor of Offset
	offsetFractionBefore float64   // factor at the previous evaluation
	withOffset           []int32   // indices in the state of contact nodes with an Offset
	wholeDeflection      []float64 // deflections including offsets at this evaluation, in the order of the state [m]
}

// Stage is a part of an evaluation.
type Stage int

const (
	NarrowPhase   Stage = iota // finds the contact points and their depths
	LawPhase                   // the contact law
	FrictionPhase              // the friction at contact points
	ForcePhase                 // forces on the nodes, and energies
	Stages                     // number of stages
)

// lap reports the end of a phase.
func (c *Contact) lap(p Stage) {
	if c.Lap != nil {
		c.Lap(p)
	}
}

// layout is the positions of the contact nodes of a contact element along its chord, 0...1, and
// for an arc their heights over the chord, outwards [m].
type layout struct {
	radius, chord    float64
	position, height []float64
	towardsEnd       []float64 // of each contact node, see towardsEnd
	sagitta          float64   // greatest height over the chord, inwards or outwards [m]
	amplification    float64   // greatest ratio of the displacement of a contact node to that of the edge's ends
	hats             []hat     // for contact nodes at the ends of parts
	strips           bool      // contact nodes represent their strips, see strip.go
	half             []float64 // half the lengths of these strips, relative to the element
	width            float64   // length of a strip that is not at a corner
	raised           bool      // over an edge of a mesh with variable length, see arcs.go
	// For an arc: where strips begin and end along its chord, and the heights there.
	borders, borderHeights []float64
}

// newLayout puts n contact nodes at the middles of n equal parts, or at the
// ends of n-1.
func newLayout(radius, chord float64, c *Config) layout {
	p := layout{radius: radius, chord: chord, position: make([]float64, c.Nodes), towardsEnd: make([]float64, c.Nodes), amplification: 1}
	p.setPositions(c)
	for k, u := range p.position {
		p.towardsEnd[k] = towardsEnd(u)
	}
	return p
}

// setPositions sets the positions of the contact nodes.
func (p *layout) setPositions(c *Config) {
	n, radius, chord := len(p.position), p.radius, p.chord
	for k := range p.position {
		p.position[k] = (float64(k) + 0.5) / float64(n)
		p.half = append(p.half, 0.5/float64(n))
	}
	p.width = 1 / float64(n)
	if c.Ends {
		for k := range p.position {
			p.position[k] = float64(k) / float64(n-1)
			p.hats = append(p.hats, newHat(k, n-1))
		}
	}
	p.strips = p.hats == nil
	if radius == 0 {
		return
	}
	p.height = make([]float64, n)
	r := math.Abs(radius)
	half := elementary.Asin(min(1, 0.5*chord/r))
	onArc := func(u float64) (position, height float64) {
		phi := half * (2*u - 1)
		return 0.5 + r*elementary.Sin(phi)/chord, math.Copysign(float64(r*elementary.Cos(phi))-centreDistance(r, chord), radius)
	}
	for k, u := range p.position {
		p.position[k], p.height[k] = onArc(u)
		p.sagitta = max(p.sagitta, math.Abs(p.height[k]))
	}
	for k := range n + 1 {
		u, h := onArc(float64(k) / float64(n))
		p.borders, p.borderHeights = append(p.borders, u), append(p.borderHeights, h)
	}
	p.amplification = 1 + 2*p.sagitta/chord
}

// length returns the length of the edge or of its arc [m].
func (p *layout) length() float64 {
	if p.radius == 0 {
		return p.chord
	}
	r := math.Abs(p.radius)
	return 2 * r * elementary.Asin(min(1, 0.5*p.chord/r))
}

// point returns the position of contact node k of an edge from a to b, and its
// offset from the chord.
func (p *layout) point(a, b r2.Vec, k int) (q, off r2.Vec) {
	q = between(a, b, p.position[k])
	if p.height == nil {
		return q, r2.Vec{}
	}
	h := p.height[k] / p.chord
	if p.raised {
		h = p.height[k] / distance(a, b)
	}
	off = r2.Vec{X: float64(h * (b.Y - a.Y)), Y: float64(h * (a.X - b.X))}
	return r2.Vec{X: q.X + off.X, Y: q.Y + off.Y}, off
}

// nodesBetween returns the contact nodes k0 <= k < k1 in the part [lo, hi] of a chord, positions
// 0...1. For an arc it returns all.
func (p *layout) nodesBetween(lo, hi float64) (k0, k1 int) {
	const rounding = 0.05 // relative to the distance of contact nodes
	n := len(p.position)
	if p.height != nil {
		return 0, n
	}
	parts, shift := float64(n), 0.5
	if p.hats != nil {
		parts, shift = float64(n-1), 0
	}
	k0, k1 = int(float64(lo*parts)+(1-shift-rounding)), int(float64(hi*parts)+(1-shift+rounding))
	return k0, min(n, k1)
}

// parts returns the number of equal parts of a contact element.
func (c *Config) parts() int {
	if c.Ends {
		return c.Nodes - 1
	}
	return c.Nodes
}

// sums are the totals of the contact at the last evaluation.
type sums struct {
	Normal     float64 // sum of the normal forces [N]
	Tangential float64 // sum of the friction forces, along the opposite edges [N]
	Resultant  r2.Vec  // resultant on the contactor, see side [N]
	Moment     float64 // moment of Resultant about the origin [N m]
	Stored     float64 // recoverable energy [J]
}

// New makes the contact nodes of a contact at the reference positions x [m]. invMass is the
// inverse mass per mesh node [1/kg]; it limits friction in one step.
func New(c Config, o *Outline, x []r2.Vec, invMass []float64) *Contact {
	elements := c.Contactor
	if c.TwoSided {
		elements = slices.Concat(c.Contactor, c.Opposite)
		slices.Sort(elements)
		elements = slices.Compact(elements)
	}
	if c.MaterialPair != nil {
		elements = slices.DeleteFunc(slices.Clone(elements), func(e int32) bool {
			return c.Material[e] != c.MaterialPair[0] && c.Material[e] != c.MaterialPair[1]
		})
	}
	s := &Contact{
		Config:         c,
		outline:        o,
		start:          x,
		elements:       elements,
		elementOf:      make([]int32, len(o.Edges)),
		isContactor:    make([]bool, len(o.Edges)),
		isOpposite:     make([]bool, len(o.Edges)),
		area:           make([]float64, len(elements)),
		cubic:          make([]bool, len(elements)),
		layoutOf:       make([]int32, len(elements)),
		layouts:        []layout{newLayout(0, 0, &c)},
		memorySize:     len(c.Law.Memory()),
		mobility:       make([]float64, len(o.Edges)),
		firstCandidate: make([]int32, len(elements)+1),
		firstSlot:      make([]int32, len(elements)),
		build:          -1,
	}
	s.kernel = chooseKernel(c.Generic)
	s.doFind, s.doJoin, s.doPress, s.doFriction, s.doRecord = s.findChunk, s.joinChunk, s.evaluateChunk, s.frictionChunk, s.recordChunk
	s.Workers(1, nil)
	if l, ok := c.Law.(contact.Tabulated); ok {
		l.Tabulate()
	}
	if d, ok := c.Law.(contact.Damped); ok {
		s.damping = d.Damping()
	}
	_, linear := c.Law.(contact.Linear)
	s.exact = linear && !c.Ends && c.Rigid != nil
	s.covers = linear && !c.Ends && c.Nodes < manyNodes
	if c.Friction.Sticks() {
		s.normalForce = make([]float64, len(o.Edges))
	}
	s.beginRestDamping(x)
	s.clearSlots()
	for i, e := range o.Edges {
		s.elementOf[i] = -1
		s.mobility[i] = max(invMass[e.A], invMass[e.B])
	}
	for _, e := range c.Contactor {
		s.isContactor[e] = true
	}
	for _, e := range c.Opposite {
		s.isOpposite[e] = true
	}
	for i, e := range elements {
		s.elementOf[e] = int32(i)
		edge := o.Edges[e]
		s.cubic[i] = o.Bends[e]
		chord := distance(x[edge.A], x[edge.B])
		length := chord
		if edge.Radius != 0 {
			last := &s.layouts[len(s.layouts)-1]
			if last.radius != edge.Radius || math.Abs(last.chord-chord) > 1e-9*chord {
				s.layouts = append(s.layouts, newLayout(edge.Radius, chord, &c))
			}
			s.layoutOf[i] = int32(len(s.layouts) - 1)
			length = s.layouts[s.layoutOf[i]].length()
		}
		if height := s.arc(e).Height; height != 0 {
			s.layouts = append(s.layouts, newArcLayout(height, chord, &c))
			s.layoutOf[i] = int32(len(s.layouts) - 1)
		}
		parts := c.parts()
		s.area[i] = length * s.width(e) / float64(parts)
	}
	s.beginPairs(x)
	s.beginFaces(x)
	s.resistance = rolling.New(c.Rolling)
	s.peaksOf = slices.Repeat([]int32{noSlot}, len(elements))
	return s
}

// width returns the width of an edge out of the plane [m].
func (c *Contact) width(edge int32) float64 {
	if c.Width == nil {
		return c.Thickness
	}
	return c.Width[edge]
}

// Join registers the contact under its number with the edges of the search.
func (c *Contact) Join(edges []boundingbox.Edge, number int) {
	bit := uint64(1) << (number % 64)
	for i := range edges {
		if c.isContactor[i] {
			edges[i].Contactor |= bit
		}
		if c.isOpposite[i] {
			edges[i].Opposite |= bit
		}
		if c.Self {
			edges[i].Self |= bit
		}
	}
}

// AddForces finds the contact points at positions x, evaluates the law and friction, and adds the
// forces to out. v are the velocities that led to x at time t within the last dt. pairs are the
// candidates from the broad phase. Contact points that are predicted for the next steps also add
// to the stiffness and the damping in out, see predict.go.
func (c *Contact) AddForces(out onnodes.Forces, x, v []r2.Vec, pairs *boundingbox.Pairs, t, dt float64, next Prediction) error {
	c.listCandidates(pairs, x)
	c.RigidStiffness = c.RigidStiffness[:0]
	if c.isIdle() {
		c.ImpactLoss = 0 // an excavation ends contacts between evaluations
		return nil
	}
	c.prediction = next
	if err := c.find(x, v, min(c.outline.LookAhead, predictionSteps*next.Approach)); err != nil {
		return err
	}
	if err := c.findPairs(t, dt, true); err != nil {
		return err
	}
	c.subtractOverlap(t, dt, true)
	c.lap(NarrowPhase)
	c.evaluateLaw()
	c.addRestDamping()
	c.correctKicks(dt)
	c.predictStiffness(dt)
	c.lap(LawPhase)
	c.distribute(out, dt, true)
	c.resistRolling(out, dt, true)
	c.addPairs(out, dt, true)
	c.lap(ForcePhase)
	return nil
}

// isIdle tells whether nothing is near, now and at the last evaluation, so that another evaluation
// would change nothing.
func (c *Contact) isIdle() bool {
	return len(c.candidate) == 0 && len(c.points.nodes) == 0 && len(c.approaching.nodes) == 0 && len(c.inContactBefore) == 0 && len(c.withOffset) == 0 && len(c.Rolls) == 0 && !c.hasPairs()
}

// Work returns the energies of the last evaluation.
func (c *Contact) Work() work.Account {
	return work.Account{Done: c.Done, Stored: c.Stored, Spring: c.StickEnergy, Ramp: c.RampWork, Transferred: c.TransferWork}
}

// Outcome is the results of an evaluation besides the forces on nodes, as numbers for another
// process.
type Outcome [17]float64

// Outcome returns the outcome of the last evaluation.
func (c *Contact) Outcome() Outcome {
	return Outcome{
		c.Normal, c.Tangential, c.Resultant.X, c.Resultant.Y, c.Moment, c.Stored, c.NormalWork, c.FrictionWork,
		c.StickEnergy, c.RampWork, c.TransferWork, c.ImpactLoss, float64(c.Active), float64(c.Approaching), c.Speeds.Linear, c.Speeds.Slip, c.Fed,
	}
}

// SetOutcome sets the outcome of an evaluation by another process.
func (c *Contact) SetOutcome(o Outcome) {
	c.Normal, c.Tangential, c.Resultant, c.Moment, c.Stored = o[0], o[1], r2.Vec{X: o[2], Y: o[3]}, o[4], o[5]
	c.NormalWork, c.FrictionWork, c.StickEnergy, c.RampWork, c.TransferWork = o[6], o[7], o[8], o[9], o[10]
	c.ImpactLoss, c.Active, c.Approaching = o[11], int(o[12]), int(o[13])
	c.Speeds.Linear, c.Speeds.Slip, c.Fed = o[14], o[15], o[16]
}

// Peak returns the greatest pressure of any contact node so far [Pa].
func (c *Contact) Peak() float64 {
	peak := c.PairPeak
	for i := range c.Kept {
		peak = math.Max(peak, c.Kept[i].PeakPressure)
	}
	return peak
}

// Positions appends the positions of all contact nodes for node positions x.
func (c *Contact) Positions(out, x []r2.Vec) []r2.Vec {
	out = slices.Grow(out, c.ContactNodes())
	for i, edge := range c.elements {
		e := c.outline.Edges[edge]
		nodes := &c.layouts[c.layoutOf[i]]
		for k := range c.Nodes {
			q, _ := nodes.point(x[e.A], x[e.B], k)
			out = append(out, q)
		}
	}
	return out
}

// Normals appends the outward unit normal of the contact element under every
// contact node for node positions x.
func (c *Contact) Normals(out, x []r2.Vec) []r2.Vec {
	out = slices.Grow(out, c.ContactNodes())
	for _, i := range c.elements {
		e := c.outline.Edges[i]
		d := direction(x[e.A], x[e.B])
		for range c.Nodes {
			out = append(out, r2.Vec{X: d.Y, Y: -d.X})
		}
	}
	return out
}

// ContactNodes returns how many contact nodes there are.
func (c *Contact) ContactNodes() int { return len(c.elements) * c.Nodes }

// PerContactNode appends a value for each contact node, taken from values, which are in the order
// of the state. It appends 0 for nodes that have not been in contact.
func (c *Contact) PerContactNode(out, values []float64) []float64 {
	first := len(out)
	out = slices.Grow(out, c.ContactNodes())[:first+c.ContactNodes()]
	clear(out[first:])
	for i, v := range values {
		out[first+int(c.Touched[i])] = v
	}
	return out
}

// MemoryValues returns one of the law's memory values, in the order of the state; nil if the law
// does not have it.
func (c *Contact) MemoryValues(name string) []float64 {
	i := slices.Index(c.Law.Memory(), name)
	if i < 0 {
		return nil
	}
	out := make([]float64, len(c.Touched))
	for k := range out {
		out[k] = c.Memory[k*c.memorySize+i]
	}
	return out
}

// Pressures returns the pressure of each contact node that has been in contact [Pa].
func (s *State) Pressures() []float64 {
	return s.values(func(n *NodeState) float64 { return n.Pressure })
}

// Deflections returns the deflection of each contact node that has been in contact [m].
func (s *State) Deflections() []float64 {
	return s.values(func(n *NodeState) float64 { return n.Deflection })
}

// Tractions returns the friction on each contact node that has been in contact [Pa].
func (s *State) Tractions() []float64 {
	return s.values(func(n *NodeState) float64 { return n.Traction })
}

// PeakPressures returns the greatest pressure so far of each contact node that has been in contact
// [Pa].
func (s *State) PeakPressures() []float64 {
	return s.values(func(n *NodeState) float64 { return n.PeakPressure })
}

func (s *State) values(of func(n *NodeState) float64) []float64 {
	out := make([]float64, len(s.Kept))
	for i := range s.Kept {
		out[i] = of(&s.Kept[i])
	}
	return out
}

// AtNodes returns the values at the positions of the contact nodes. They are 0 if a part of the
// strip is in contact but not the position of its contact node. Values are in the order of
// Touched.
func (c *Contact) AtNodes(values []float64) []float64 {
	out := slices.Clone(values)
	for i := range c.points.nodes {
		if t := &c.points.nodes[i]; t.beside {
			out[t.slot] = 0
		}
	}
	return out
}

// Opposes tells whether an edge is opposite to contact nodes and has none itself in this contact.
func (c *Contact) Opposes(edge int32) bool {
	return c.isOpposite[edge] && !c.isContactor[edge] && !c.TwoSided
}

// Received calls the function for each edge that has no contact nodes in this contact and on which
// contact nodes pressed at the last evaluation, with their pressure [Pa] and its force [N].
func (c *Contact) Received(each func(edge int32, pressure, force float64)) {
	n := &c.points
	if c.rigid != nil {
		c.rigid.received(c, each)
	}
	c.faces.received(c, each)
	for i := range n.pairs {
		m := &n.pairs[i]
		if !c.Opposes(m.edge) {
			continue
		}
		area := c.area[m.element]
		for k := m.first; k < m.end; k++ {
			if t := &n.nodes[k]; t.predicted == 0 {
				each(m.edge, n.p[k], float64(n.p[k]*t.force*(area*t.fraction)))
			}
		}
	}
}

// Edge returns the boundary edge of contact node i.
func (c *Contact) Edge(i int) int32 { return c.elements[i/c.Nodes] }
