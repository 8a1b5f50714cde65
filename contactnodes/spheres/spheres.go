// Package spheres lets spheres that move in the plane meet one another and
// rigid walls at points (discrete elements of granular matter): neighbour list,
// narrow phase, contact law, friction and the memory of every pair.
//
// The broad phase (boundingbox) hands over which pairs are near. Each that can
// touch before the next list gets a slot; slots of pairs that are still apart
// sleep until something has moved far enough for them to touch.
//
// Spheres stand in blocks of consecutive numbers. The slots of a block, of pairs
// whose first sphere is in it, are evaluated together: in batches of one rule,
// which is a law for two kinds of spheres, so that a law is asked once for all
// of a batch. Within a batch pairs stand in the order of their numbers. Forces
// and books are added up in that order, block after block, and what a block
// gives to spheres of others after its own: the bits of a result depend neither
// on when the list was made nor on the number of workers.
package spheres

import (
	"math"
	"math/bits"

	"fdem/boundingbox"
	"fdem/contactnodes/coulomb"
	"fdem/contactnodes/work"
	"fdem/materials/contact"
	"fdem/materials/elementary"
	"fdem/materials/restitution"

	"gonum.org/v1/gonum/spatial/r2"
)

// Friction is Coulomb friction at a point, see package coulomb.
type Friction = coulomb.Friction

// Rule is how two kinds of spheres, or a kind and a wall, meet.
type Rule struct {
	Law               contact.Law // a point law
	Interaction       int32       // that the rule belongs to
	Mass              float64     // effective mass m1 m2/(m1+m2) [kg]
	Friction          Friction
	ResetsAfterImpact bool    // what an impact did is forgotten when it ends
	Overlap           bool    // they may lie in one another at the start
	Deepest           float64 // beyond which a point law says nothing any more, and the run ends; 0 for no bound [m]
	key               uint64
	memory            int32                               // values that the law keeps
	stiffness         float64                             // at the end of an impact at speed [N/m]
	damping           float64                             // of the law in it [N s/m]
	speed             float64                             // that these are for [m/s]
	rolling           *volumetric                         // the law, where it carries a torque against rolling
	eval              func(contact.Input, contact.Output) // of the law; the stiffness is the spring's where it tells of that
}

// Wall is a rigid outline: a circle, or the chain of edges between its nodes.
type Wall struct {
	Radius float64    // of the circle [m], negative for a hollow; 0 for a chain
	Edges  [][2]int32 // of a chain, as places among the wall's nodes
	Nodes  int        // of a chain; a circle has one, its centre
	Kind   int32
	Free   bool // it gives way
}

// Config is what does not change during a run; slices are per sphere.
type Config struct {
	Radius         []float64 // [m]
	InverseMass    []float64 // 1/mass, 0 for a sphere that is held [1/kg]
	InverseInertia []float64 // 1/moment of inertia, 0 for a sphere that is held [1/(kg m2)]
	Kind           []int32   // from 0 to Kinds-1
	Kinds          int       // of spheres, walls and edges of the outline together
	Walls          []Wall
	Outline        Outline
	// Meet returns the rule of two kinds, the first that of a sphere, and nil
	// where they do not notice one another; an error where they do and there can
	// be no rule. It must be a pure function.
	Meet         func(a, b int32) (*Rule, error)
	Interactions int
	Generic      bool // without vector instructions, for the same bits
}

// State is what changes during a run; slices are per sphere unless they say
// otherwise. What pairs remember is beside it: see Memories.
type State struct {
	X              []r2.Vec  // centres [m]; after the spheres' the nodes of the walls
	V              []r2.Vec  // half a step behind X [m/s]
	Angle          []float64 // turned since the start [rad]
	Spin           []float64 // half a step behind [rad/s]
	F              []r2.Vec  // contact forces at X [N]
	Moment         []float64 // of the contact forces [N m]
	Books          []Books   // per interaction
	PredictedSpeed float64   // speed that the step has been made for [m/s]
}

// Totals is what an interaction does and has done.
type Totals struct {
	*Books
	Present
}

// Books is what an interaction has done.
type Books struct {
	work.Done
	PeakForce      float64        // greatest normal force of a pair so far [N]
	PeakDeflection float64        // greatest deflection of a pair so far [m]
	Speeds         coulomb.Speeds // of regularised friction, the greatest so far
	// Compressed and Restored are impulses and works of the normal forces so far,
	// while pairs approach and while they part.
	Compressed, Restored restitution.Phase
}

// Present is what an interaction does at X.
type Present struct {
	Active     int64   // pairs that touch
	Normal     float64 // sum of the normal forces [N]
	Tangential float64 // sum of the friction forces' sizes [N]
	Stored     float64 // by the law [J]
	Spring     float64 // by the friction springs [J]
}

// Work returns the account of work at X.
func (t *Totals) Work() work.Account {
	return work.Account{Done: t.Done, Stored: t.Stored, Spring: t.Spring}
}

// Spheres meets spheres and walls.
type Spheres struct {
	Config
	State

	Interaction []Totals  // per interaction, with the State's books
	WallForce   []r2.Vec  // forces on the walls at X, per wall [N]
	WallMoment  []float64 // their moments about the walls' centres, per wall [N m]
	OutlineLoad           // what moves the outline, and what presses it
	// Omega2 bounds the spheres' highest squared frequency under the forces
	// at X [1/s2]: twice the greatest sum of a sphere's stiffnesses over its
	// mass, by Gershgorin's theorem.
	Omega2 float64

	evaluated int64 // the step that F belongs to, -1 for none

	n         int // spheres
	search    *boundingbox.Search
	built     int      // the candidate list that the slots are of
	slack     float64  // how far a centre may go until there is a new list [m]
	atList    []r2.Vec // X when that list was made [m]
	base      []int32  // per wall: its first node in X
	rim       int      // the first node of the outline in X
	used      []int32  // of these nodes those that an edge has which is awake
	isUsed    []bool   // per node of the outline
	owner     []int32  // per edge of the search beyond the spheres: its wall
	ends      [][2]int32
	rules     []*Rule          // as met
	ruleOf    map[uint64]int32 // by the two kinds: place in rules, -1 for none; looked up, never iterated
	ruleTable []int32          // the same by first kind times Kinds plus second, 2 more; nil with many kinds

	failure error // of Meet
	kernel  kernel

	slots   slots
	spare   slots
	pending pairList
	stored  PairMemories // of pairs that are not near one another
	sweep   []int32      // spheres by where they begin along x, for the clearance

	motion       []sphereMotion // per sphere
	load         []sphereLoad   // per sphere, and behind them per entry of slots.remote
	inertiaRatio []float64      // per sphere: InverseInertia/InverseMass, 0 for one that does not turn [1/m2]
	block        []block
	walls        []wallMotion // of the walls
	wallNormal   []float64    // normal forces on the walls of this evaluation [N]

	impactPairs []kindPair
	pastStep    float64 // the length of the last step [s]
	gravity     r2.Vec  // [m/s2]
	team        team
}

// New puts spheres with centres x at the start [m], velocities v [m/s] and
// spins [rad/s] among walls with the given nodes [m], one list per wall. skin is
// that of the search [m], 0 for a default.
func New(c Config, x, v []r2.Vec, spin []float64, nodes [][]r2.Vec, skin float64) *Spheres {
	n := len(x)
	s := &Spheres{Config: c, n: n, ruleOf: map[uint64]int32{}, kernel: newKernel(c.Generic)}
	s.X = append(s.X, x...)
	s.V = append(s.V, v...)
	s.Spin = append(s.Spin, spin...)
	s.Angle, s.Moment = make([]float64, n), make([]float64, n)
	s.F = make([]r2.Vec, n)
	s.motion, s.load = make([]sphereMotion, n), make([]sphereLoad, n)
	s.inertiaRatio = make([]float64, n)
	for i, w := range c.InverseInertia {
		if w > 0 {
			s.inertiaRatio[i] = w / c.InverseMass[i]
		}
	}
	s.wallNormal, s.walls = make([]float64, len(c.Walls)), make([]wallMotion, len(c.Walls))
	s.WallForce, s.WallMoment = make([]r2.Vec, len(c.Walls)), make([]float64, len(c.Walls))
	s.Books, s.Interaction = make([]Books, c.Interactions), make([]Totals, c.Interactions)
	for i := range s.Interaction {
		s.Interaction[i].Books = &s.Books[i]
	}
	s.evaluated = -1
	if c.Kinds <= maxTableKinds {
		s.ruleTable = make([]int32, c.Kinds*c.Kinds)
	}
	edges, reach := make([]boundingbox.Edge, 0, n), make([]float64, 0, n)
	for i := range x {
		edges = append(edges, boundingbox.Edge{A: int32(i), B: int32(i), Component: int32(i), Contactor: 1, Opposite: 1})
		reach = append(reach, c.Radius[i])
	}
	for w := range c.Walls {
		wall, first := &c.Walls[w], int32(len(s.X))
		s.base = append(s.base, first)
		s.X = append(s.X, nodes[w]...)
		add := func(a, b int32, far float64) {
			edges = append(edges, boundingbox.Edge{A: first + a, B: first + b, Component: int32(n + w), Opposite: 1})
			reach = append(reach, far)
			s.owner = append(s.owner, int32(w))
			s.ends = append(s.ends, [2]int32{first + a, first + b})
		}
		if wall.Radius != 0 {
			add(0, 0, math.Abs(wall.Radius))
		}
		for _, e := range wall.Edges {
			add(e[0], e[1], 0)
		}
	}
	s.rim = len(s.X)
	s.X = append(s.X, c.Outline.X...)
	s.isUsed = make([]bool, len(c.Outline.X))
	for i := range c.Outline.Edges {
		edges = append(edges, s.searched(int32(i)))
		far := 0.0
		if e := &c.Outline.Edges[i]; e.ClosedCrack {
			a, b := c.Outline.X[e.A], c.Outline.X[e.B]
			far = 0.5 * elementary.Norm(r2.Vec{X: b.X - a.X, Y: b.Y - a.Y})
		}
		reach = append(reach, far)
	}
	if len(c.Outline.Edges) > 0 {
		for i := range x {
			reach[i] *= 1 + lookAhead
		}
	}
	s.OutlineLoad = newOutlineLoad(len(c.Outline.X))
	if skin == 0 {
		skin = defaultSkin * median(c.Radius)
	}
	s.search = boundingbox.New(edges, reach, skin)
	s.atList = make([]r2.Vec, len(s.X))
	s.addBlocks()
	s.bind()
	return s
}

// defaultSkin is the search's skin relative to the median radius.
const defaultSkin = 0.3

// maxTableKinds is the number of kinds up to which rules are found in a table.
const maxTableKinds = 1024

// Nodes returns the nodes of wall w in X, for the caller to set.
func (s *Spheres) Nodes(w int) []r2.Vec {
	first := int(s.base[w])
	return s.X[first : first+s.Walls[w].Nodes]
}

// OutlineNodes returns the nodes of the outline in X, for the caller to set.
func (s *Spheres) OutlineNodes() []r2.Vec { return s.X[s.rim:] }

// Friction returns that of an interaction, as far as its kinds have come near
// one another.
func (s *Spheres) Friction(interaction int32) Friction {
	for _, r := range s.rules {
		if r.Interaction == interaction {
			return r.Friction
		}
	}
	return Friction{}
}

// Rebuilds returns how often the search has made its candidate list.
func (s *Spheres) Rebuilds() int { return s.search.Rebuilds() }

// Counts returns how many pairs are near one another, and how many of these the
// last evaluation looked at.
func (s *Spheres) Counts() (near, looked int) {
	for _, w := range s.slots.awake {
		looked += bits.OnesCount64(w)
	}
	return len(s.slots.pair), looked
}

// rule returns the position of the rule of two kinds in rules, -1 for none. The
// first time it is met it is made; where it cannot be, failure tells.
func (s *Spheres) rule(a, b int32) int32 {
	if s.ruleTable != nil {
		if r := s.ruleTable[int(a)*s.Kinds+int(b)]; r != 0 {
			return r - 2
		}
	}
	key := uint64(a)<<32 | uint64(b)
	r, ok := s.ruleOf[key]
	if !ok {
		r = -1
		rule, err := s.Meet(a, b)
		if err != nil && s.failure == nil {
			s.failure = err
		}
		if rule != nil {
			own := *rule
			own.key, own.memory = key, int32(len(rule.Law.Memory()))
			own.rolling, _ = rule.Law.(*volumetric)
			own.eval = s.kernel.law(rule.Law)
			r = int32(len(s.rules))
			s.rules = append(s.rules, &own)
		}
		s.ruleOf[key] = r
	}
	if s.ruleTable != nil {
		s.ruleTable[int(a)*s.Kinds+int(b)] = r + 2
	}
	return r
}
