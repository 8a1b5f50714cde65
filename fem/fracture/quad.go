package fracture

import (
	"cmp"
	"math"

	"fdem/materials/cohesive"

	"gonum.org/v1/gonum/spatial/r2"
)

// Forces, memory and constants of cracks are stored in groups of four, for vector instructions:
// the four values of a quantity are adjacent. A crack has 232 bytes, of which a step only reads
// 120. It has 96 more bytes if a point began under pressure or takes part in the balance of the
// first energies. Other arrays have values that are constant or seldom needed.

// lanes is the number of cracks in a quad.
const lanes = 4

// stride is the size of a vector in arrays of nodes [bytes].
const stride = 16

// quad has the data of four cracks that a step reads, and their forces. The values of a closed end
// are zero. It has no traction, because its two faces share a node.
type quad struct {
	node    [4][lanes]int32 // A's at From and To, B's at From and To [bytes]
	pressed [2][lanes]int32 // -1 where the point at From, or To, began under pressure, else 1 where cohesion has been supplied or may have to be, see cohesive.Point.BalanceCohesion
	own     [4][lanes]float64
	end     [2][4][lanes]float64
	slips   [2][3][lanes]float64
	force   [4][2][lanes]float64 // X and Y on each node [N]
}

// balance is the rest of the memory of the points of four cracks, at From and To. It changes
// for points that began under pressure (cohesive.Point.BalanceContact) and for points whose
// cohesion is balanced (cohesive.Point.BalanceCohesion).
type balance [2][balanceValues][lanes]float64

// Values of a balance: those of a point's memory from cohesive.Offset on, and whether energy of it
// is still unbalanced.
const (
	unbalanced         = cohesive.Unbalanced - cohesive.Offset
	unbalancedFriction = cohesive.UnbalancedFriction - cohesive.Offset
	supplied           = cohesive.Supplied - cohesive.Offset
	wasShear           = cohesive.WasShear - cohesive.Offset
	balanceMemories    = cohesive.Memories - cohesive.Offset
	ofLost             = balanceMemories     // dissipated by fracture [J/m2]
	ofPending          = balanceMemories + 1 // cohesive.Point.Size where it may have to be supplied, 0 where it is balanced, see cohesive.Point.Balanced [Pa]
	balanceValues      = balanceMemories + 2
)

// Values of a crack, in quad.own.
const (
	ofStiffness = iota // of its points [Pa/m]
	ofClosure          // displacement over which closed faces reach their full stiffness, at ends that did not begin under pressure [m]
	ofFriction         // below 0, also -0, for a crack that is evaluated alone, see updateQuad
	ofWeight           // of a point [m2]
)

// noCrack is the friction of a lane without a crack.
const noCrack = -1

// Values of a point, in quad.end: of its constants, and what follows from kappa.
const (
	ofNormal    = iota // traction at the start [Pa]
	ofShear            // [Pa]
	ofDrive            // driving energy of damage while it grows [J/m2]
	ofIntegrity        // 1 less damage
)

// Values of a point that every step may change, in quad.slips.
const (
	ofSlid             = iota // slip that friction has released [m]
	ofFrictionTraction        // traction of friction [Pa]
	ofHeat                    // dissipated by friction so far [J/m2]
)

// copy copies a lane of another quad to a lane.
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

// pointOf returns the seldom used values of a point of crack k, and its constants.
func (z *Zone) pointOf(k int32, end int) (*point, *cohesive.Point) {
	i := 2*int(k) + end
	return &z.points[i], &z.constants[i]
}

// memory returns the memory of a point of crack k.
func (z *Zone) memory(k int32, end int) (mem [cohesive.Memories]float64) {
	z.getMemory(k, end, &mem)
	return mem
}

// getMemory copies the memory of a point of crack k.
func (z *Zone) getMemory(k int32, end int, mem *[cohesive.Memories]float64) {
	q, l := z.at(k)
	p, v, g := &z.points[2*int(k)+end], &q.slips[end], &z.balances[uint32(k)/lanes][end]
	mem[0], mem[1], mem[2], mem[3], mem[cohesive.Lost] = p.kappa, v[ofSlid][l], v[ofFrictionTraction][l], q.end[end][ofIntegrity][l], g[ofLost][l]
	for i := range balanceMemories {
		mem[cohesive.Offset+i] = g[i][l]
	}
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

// updateQuad copies the constants and the state of the points of crack k to its quad. The vector
// kernel leaves these cracks to Zone.evaluate: cracks whose faces are partly transferred to
// contact or detached, with their own springs, with a fluid, or with a rate-dependent law.
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
		of := &z.balances[uint32(k)/lanes][end]
		of[ofPending][l] = 0
		switch {
		case z.springsOf(c.region) != nil:
		case b.Balanced(&mem, q.slips[end][ofHeat][l]):
			of[wasShear][l] = cohesive.ForGood
		default:
			of[ofPending][l], q.pressed[end][l] = b.Size, cmp.Or(q.pressed[end][l], 1)
		}
		alone = alone || z.springsOf(c.region) != nil
	}
	q.own[ofFriction][l] = law.ResidualFriction
	if alone {
		q.own[ofFriction][l] = math.Copysign(law.ResidualFriction, -1)
	}
}

// kernel computes and adds forces of cracks, in Go or by vector instructions.
type kernel struct {
	// Computes the forces of the cracks of quads, with their balances, at x [m], and raises arm,
	// see Zone.arm. It sets list, which has room for one entry per quad, to the cracks left to
	// Zone.evaluate: 16 times the number of a quad plus the bits of its lanes.
	compute func(quads []quad, charges []balance, x, f []r2.Vec, list []int32, arm *[lanes]float64, thickness float64) (count int)
	// Adds the forces of the cracks of a list, one after the other. It stops before the first
	// crack with a node before from [bytes]. Nil if Zone.add processes each crack.
	add func(quads []quad, list []int32, f []r2.Vec, from int32) (done int)
}

// generic is the kernel in Go. It leaves all cracks to Zone.evaluate and Zone.add; every other
// kernel must give the same bits.
var generic = kernel{
	func(quads []quad, _ []balance, _, _ []r2.Vec, list []int32, _ *[lanes]float64, _ float64) (count int) {
		for i := range quads {
			list[i] = int32(16*i + 15)
		}
		return len(quads)
	},
	nil,
}
