package fracture

import (
	"cmp"
	"math"

	"fdem/materials/cohesive"

	"gonum.org/v1/gonum/spatial/r2"
)

// Force, memory and constants of cracks stand four by four, a value of four cracks side
// by side, so that assembly takes four at a time: 232 bytes a crack, 120 of which a step
// only reads, and 96 more where some point began under pressure or has paid. What is constant or seldom
// asked for stands elsewhere.

// lanes is how many cracks a quad has.
const lanes = 4

// stride is how far apart nodes are in arrays of vectors [bytes].
const stride = 16

// quad is what a step reads of four cracks, and their forces. An end that is not open
// has zeros, and so has no traction: its two faces share a node.
type quad struct {
	node    [4][lanes]int32 // A's at From and To, B's at From and To [bytes]
	pressed [2][lanes]int32 // -1 where the point at From, or To, began under pressure, else 1 where cohesion has paid or may have to, see cohesive.Point.BalanceCohesion
	own     [4][lanes]float64
	end     [2][4][lanes]float64
	slips   [2][3][lanes]float64
	force   [4][2][lanes]float64 // X and Y on each node [N]
}

// balance is the rest of the memory of the points of four cracks, at From and To: it changes
// of those that began under pressure, see cohesive.Point.BalanceContact, and that pay for cohesion's stretch.
type balance [2][balanceValues][lanes]float64

// Values of a charge: those of a point's memory from cohesive.Offset on, and what tells whether
// it has still to pay.
const (
	unbalanced         = cohesive.Unbalanced - cohesive.Offset
	unbalancedFriction = cohesive.UnbalancedFriction - cohesive.Offset
	supplied           = cohesive.Supplied - cohesive.Offset
	balanceMemories    = cohesive.Memories - cohesive.Offset
	ofLost             = balanceMemories     // dissipated by fracture [J/m2]
	ofPending          = balanceMemories + 1 // cohesive.Point.Size where it may have to pay, 0 where it is settled, see cohesive.Point.Balanced [Pa]
	balanceValues      = balanceMemories + 2
)

// Values of a crack, in quad.own.
const (
	ofStiffness = iota // of its points [Pa/m]
	ofClosure          // way in which shut faces come to carry their whole stiffness, at ends that did not begin under pressure [m]
	ofFriction         // below 0, also -0, where it is not taken with others, see settle
	ofWeight           // of a point [m2]
)

// nobody is the friction where there is no crack.
const nobody = -1

// Values of a point, in quad.end: of its constants, and what follows from kappa.
const (
	ofNormal    = iota // traction at first [Pa]
	ofShear            // [Pa]
	ofDrive            // what drives damage when it grows [J/m2]
	ofIntegrity        // 1 less damage
)

// Values of a point that every step may change, in quad.slips.
const (
	ofSlid             = iota // slip that friction has released [m]
	ofFrictionTraction        // traction of friction [Pa]
	ofHeat                    // by friction so far [J/m2]
)

// copy gives a lane what a lane of another quad has.
func (q *quad) copy(lane uint32, of *quad, from uint32) {
	for i := range q.node {
		q.node[i][lane] = of.node[i][from]
	}
	for end := range q.pressed {
		q.pressed[end][lane] = of.pressed[end][from]
	}
	for i := range q.own {
		q.own[i][lane] = of.own[i][from]
	}
	for end := range q.end {
		for i := range q.end[end] {
			q.end[end][i][lane] = of.end[end][i][from]
		}
		for i := range q.slips[end] {
			q.slips[end][i][lane] = of.slips[end][i][from]
		}
	}
	for i := range q.force {
		q.force[i][0][lane], q.force[i][1][lane] = of.force[i][0][from], of.force[i][1][from]
	}
}

// at returns the quad of crack k and its lane.
func (z *Zone) at(k int32) (q *quad, lane uint32) {
	return &z.quads[uint32(k)/lanes], uint32(k) % lanes
}

// forceOn returns the force of crack k on its i-th node [N].
func (z *Zone) forceOn(k int32, i int) r2.Vec {
	q, l := z.at(k)
	return r2.Vec{X: q.force[i][0][l], Y: q.force[i][1][l]}
}

// setForce sets the force of crack k on its i-th node [N].
func (z *Zone) setForce(k int32, i int, f r2.Vec) {
	q, l := z.at(k)
	q.force[i][0][l], q.force[i][1][l] = f.X, f.Y
}

// pointOf returns what a step seldom asks for of a point of crack k, and its constants.
func (z *Zone) pointOf(k int32, end int) (*point, *cohesive.Point) {
	i := 2*int(k) + end
	return &z.points[i], &z.constants[i]
}

// memory returns the memory of a point of crack k.
func (z *Zone) memory(k int32, end int) [cohesive.Memories]float64 {
	q, l := z.at(k)
	p, v, g := &z.points[2*int(k)+end], &q.slips[end], &z.balances[uint32(k)/lanes][end]
	mem := [cohesive.Memories]float64{p.kappa, v[ofSlid][l], v[ofFrictionTraction][l], q.end[end][ofIntegrity][l], g[ofLost][l]}
	for i := range balanceMemories {
		mem[cohesive.Offset+i] = g[i][l]
	}
	return mem
}

// setMemory sets the memory of a point of crack k.
func (z *Zone) setMemory(k int32, end int, mem *[cohesive.Memories]float64) {
	q, l := z.at(k)
	p, b := z.pointOf(k, end)
	v, g := &q.slips[end], &z.balances[uint32(k)/lanes][end]
	if p.kappa != mem[0] || g[ofLost][l] != mem[cohesive.Lost] { // damage has grown
		if p.kappa, g[ofLost][l] = mem[0], mem[cohesive.Lost]; b.Energy > 0 {
			q.end[end][ofDrive][l] = b.Drive(p.kappa)
		}
	}
	v[ofSlid][l], v[ofFrictionTraction][l], q.end[end][ofIntegrity][l] = mem[1], mem[2], mem[3]
	for i := range balanceMemories {
		g[i][l] = mem[cohesive.Offset+i]
	}
}

// updateQuad makes the quad of crack k what its points began as, and what has become of it:
// alone are taken those of which contact has part of the faces, those with springs of their
// own, a fluid or a law with a rate, and those whose faces have left each other, which pull nothing.
func (z *Zone) updateQuad(k int32) {
	q, l := z.at(k)
	c := &z.cracks[k]
	law := z.lawOf(c)
	q.own[ofWeight][l] = c.weight
	alone := c.detached || c.contactShare != 0 || c.transferring || law.Rate != nil || z.hasFluid(k)
	for end, open := range c.open {
		if !open {
			continue
		}
		b := &z.constants[2*int(k)+end]
		v := &q.end[end]
		q.own[ofStiffness][l] = b.Stiffness
		v[ofNormal][l], v[ofShear][l] = b.Normal, b.Shear
		mem := z.memory(k, end)
		if q.pressed[end][l] = 0; b.Pressure > 0 {
			q.pressed[end][l] = -1
		} else {
			q.own[ofClosure][l] = law.ClosureLength(b)
			if mem[cohesive.ShiftNormal] != 0 || mem[cohesive.ShiftShear] != 0 {
				q.pressed[end][l] = 1
			}
		}
		due := &z.balances[uint32(k)/lanes][end][ofPending][l]
		if *due = 0; z.springsOf(c.region) == nil && !b.Balanced(&mem, q.slips[end][ofHeat][l]) {
			*due, q.pressed[end][l] = b.Size, cmp.Or(q.pressed[end][l], 1)
		}
		alone = alone || z.springsOf(c.region) != nil
	}
	q.own[ofFriction][l] = law.ResidualFriction
	if alone {
		q.own[ofFriction][l] = math.Copysign(law.ResidualFriction, -1)
	}
}

// kernel is a way to take forces of cracks and to add them.
type kernel struct {
	// takes the forces of the cracks of quads, with their charges, at x, and raises lever, see Zone.lever. It
	// sets list, which has room for one of each, to what is left to pull: 16 times the
	// number of a quad and the lanes
	compute func(quads []quad, charges []balance, x, f []r2.Vec, list []int32, lever *[lanes]float64, thickness float64) (count int)
	// adds the forces of the cracks of a list, one after the other, up to the first with a
	// node that stands before from [bytes]; nil where Zone.add takes each
	add func(quads []quad, list []int32, f []r2.Vec, from int32) (done int)
}

// generic is the kernel in Go: it leaves all to Zone.evaluate and Zone.add, which say what
// others must give, to the bit.
var generic = kernel{
	func(quads []quad, _ []balance, _, _ []r2.Vec, list []int32, _ *[lanes]float64, _ float64) (count int) {
		for i := range quads {
			list[i] = int32(16*i + 15)
		}
		return len(quads)
	},
	nil,
}
