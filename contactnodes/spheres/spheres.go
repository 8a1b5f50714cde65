// Package spheres is contact at points of spheres that move in the plane, with
// one another and with rigid walls (discrete element method, granular matter):
// neighbour list, narrow phase, contact law, friction and the memory of every
// pair.
//
// The broad phase (boundingbox) returns the pairs that are near. Each pair that
// can be in contact before the next list gets a slot. Slots of separated pairs
// sleep until a body has moved far enough for contact.
//
// Spheres are divided into blocks of consecutive numbers. The slots of a block
// belong to the pairs whose first sphere is in it, and are evaluated together,
// in batches of one rule. A rule has the law for two kinds of spheres, so that a
// law is called once for a batch. Within a batch the pairs are in the order of
// their numbers. Forces and energies are added up in that order, block after
// block; the forces on spheres of other blocks come after those on the block's
// own. So the bits of a result depend neither on the time at which the list was
// made nor on the number of workers.
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

// Rule is the contact of two kinds of spheres, or of a kind and a wall.
type Rule struct {
	Law               contact.Law // a point law
	Interaction       int32       // number of the rule's interaction
	Mass              float64     // effective mass m1 m2/(m1+m2) [kg]
	Friction          Friction
	Rolling           Friction // resistance to rolling: a moment instead of a force, an angle instead of a slip
	ResetsAfterImpact bool     // the law's memory is cleared when an impact ends
	Overlap           bool     // they may overlap at the start
	Deepest           float64  // deflection beyond which a point law does not hold and the run ends; 0 for no bound [m]
	key               uint64
	memory            int32                               // number of values in the law's memory
	stiffness         float64                             // stiffness at the end of an impact at speed [N/m]
	damping           float64                             // damping of the law in that impact [N s/m]
	speed             float64                             // speed that stiffness and damping are for [m/s]
	volume            *volumetric                         // the law, if it has a rolling torque
	eval              func(contact.Input, contact.Output) // the law's evaluation; the stiffness is that of its spring alone, if the law gives it
}

// Wall is a rigid outline: a circle, or the chain of edges between its nodes.
type Wall struct {
	Radius float64    // of the circle [m], negative for a hollow; 0 for a chain
	Edges  [][2]int32 // of a chain, as positions among the wall's nodes
	Nodes  int        // of a chain; a circle has one, its centre
	Kind   int32
	Free   bool // it moves freely
}

// Config is the data that do not change during a run. Slices are per sphere.
type Config struct {
	Radius         []float64 // [m]
	InverseMass    []float64 // 1/mass, 0 for a sphere that is held [1/kg]
	InverseInertia []float64 // 1/moment of inertia, 0 for a sphere that is held [1/(kg m2)]
	Kind           []int32   // from 0 to Kinds-1
	Kinds          int       // of spheres, walls and edges of the outline together
	Walls          []Wall
	Outline        Outline
	// RuleOf returns the rule of two kinds, the first a kind of spheres, or nil if
	// the two do not interact. It returns an error if they interact but no rule
	// is possible. It must be a pure function.
	RuleOf       func(a, b int32) (*Rule, error)
	Interactions int
	Generic      bool // no vector instructions; the bits are the same
}

// State is the data that change during a run, except for the memory of pairs, see
// Memories. Slices are per sphere unless noted otherwise.
type State struct {
	X              []r2.Vec  // centres of the spheres, then the nodes of the walls [m]
	V              []r2.Vec  // half a step behind X [m/s]
	Angle          []float64 // rotation since the start [rad]
	Spin           []float64 // half a step behind [rad/s]
	F              []r2.Vec  // contact forces at X [N]
	Moment         []float64 // of the contact forces [N m]
	Balances       []Balance // per interaction
	PredictedSpeed float64   // speed of approach that the step allows for [m/s]
}

// Totals is the sums of an interaction, at X and so far.
type Totals struct {
	*Balance
	Present
}

// Balance is the energy balance and the greatest values of an interaction so far.
type Balance struct {
	work.Done
	PeakForce      float64        // greatest normal force of a pair so far [N]
	PeakDeflection float64        // greatest deflection of a pair so far [m]
	Speeds         coulomb.Speeds // of regularised friction, the greatest so far
	// Compressed and Restored are impulses and works of the normal forces so far,
	// while pairs approach and while they separate.
	Compressed, Restored restitution.Phase
}

// Present is the sums of an interaction at X.
type Present struct {
	Active     int64   // number of pairs in contact
	Normal     float64 // sum of the normal forces [N]
	Tangential float64 // sum of the friction forces' sizes [N]
	Stored     float64 // by the law [J]
	Spring     float64 // by the friction springs [J]
}

// Work returns the account of work at X.
func (t *Totals) Work() work.Account {
	return work.Account{Done: t.Done, Stored: t.Stored, Spring: t.Spring}
}

// Spheres is spheres in contact with one another, with walls and with outlines.
type Spheres struct {
	Config
	State

	Interaction []Totals  // per interaction, with the State's balances
	WallForce   []r2.Vec  // force on each wall at X [N]
	WallMoment  []float64 // moment on each wall about its centre [N m]
	OutlineLoad           // the forces on the outline's nodes
	// Omega2 is an upper bound of the spheres' squared frequencies under the
	// forces at X [1/s2], by Gershgorin's theorem: twice the greatest sum of a
	// sphere's stiffnesses over its mass.
	Omega2 float64

	evaluated int64 // the step that F belongs to, -1 for none

	n         int // spheres
	search    *boundingbox.Search
	built     int      // number of the candidate list that the slots were made from
	slack     float64  // displacement of a centre at which a new list is made [m]
	atList    []r2.Vec // X when that list was made [m]
	base      []int32  // per wall: its first node in X
	rim       int      // the first node of the outline in X
	used      []int32  // the nodes of the outline's edges that are awake
	isUsed    []bool   // per node of the outline
	owner     []int32  // per edge of the search beyond the spheres: its wall
	ends      [][2]int32
	rules     []*Rule          // in the order in which they were made
	ruleOf    map[uint64]int32 // by the two kinds: position in rules, -1 for none; looked up, never iterated
	ruleTable []int32          // the same by first kind times Kinds plus second, 2 more; nil with many kinds

	failure error // of RuleOf
	kernel  kernel

	slots   slots
	spare   slots
	pending pairList
	stored  PairMemories // of pairs that are not near one another
	sweep   []int32      // spheres sorted by their least x, for the clearance

	motion       []sphereMotion // per sphere
	load         []sphereLoad   // per sphere, then per entry of slots.remote
	inertiaRatio []float64      // per sphere: InverseInertia/InverseMass, 0 for a sphere that does not rotate [1/m2]
	block        []block
	walls        []wallMotion // of the walls
	wallNormal   []float64    // normal forces on the walls at this evaluation [N]

	impactPairs []kindPair
	pastStep    float64 // the length of the last step [s]
	gravity     r2.Vec  // [m/s2]
	team        team
}

// New returns spheres with the initial centres x [m], velocities v [m/s] and
// angular velocities [rad/s], and walls with the given nodes [m], one list per
// wall. skin is the skin of the search [m], 0 for a default.
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
	s.Balances, s.Interaction = make([]Balance, c.Interactions), make([]Totals, c.Interactions)
	for i := range s.Interaction {
		s.Interaction[i].Balance = &s.Balances[i]
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

// Nodes returns the nodes of wall w in X. The caller sets them.
func (s *Spheres) Nodes(w int) []r2.Vec {
	first := int(s.base[w])
	return s.X[first : first+s.Walls[w].Nodes]
}

// OutlineNodes returns the nodes of the outline in X. The caller sets them.
func (s *Spheres) OutlineNodes() []r2.Vec { return s.X[s.rim:] }

// Friction returns the friction of an interaction, if two of its kinds have
// been near one another.
func (s *Spheres) Friction(interaction int32) Friction {
	for _, r := range s.rules {
		if r.Interaction == interaction {
			return r.Friction
		}
	}
	return Friction{}
}

// Rebuilds returns the number of candidate lists that the search has made.
func (s *Spheres) Rebuilds() int { return s.search.Rebuilds() }

// Counts returns how many pairs are near one another, and how many of them the
// last evaluation computed.
func (s *Spheres) Counts() (near, looked int) {
	for _, w := range s.slots.awake {
		looked += bits.OnesCount64(w)
	}
	return len(s.slots.pair), looked
}

// rule returns the position of the rule of two kinds in rules, -1 for none. The
// first call for two kinds makes the rule. If that fails, failure is set.
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
		rule, err := s.RuleOf(a, b)
		if err != nil && s.failure == nil {
			s.failure = err
		}
		if rule != nil {
			own := *rule
			own.key, own.memory = key, int32(len(rule.Law.Memory()))
			own.volume, _ = rule.Law.(*volumetric)
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
