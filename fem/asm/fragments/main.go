// Command fragments writes contactnodes/potential/four_amd64.s and its Go declarations: four
// pairs of a face and a triangle at a time with AVX2. They do the same as cullPlain, locatePlain
// and pressPlain, operation by operation and in the same order, so that both give the same bits.
// A fused multiply-add would give other bits and is not used.
//
// Run it in contactnodes/potential with go generate.
package main

import (
	"math"

	. "fdem/fem/asm/four"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const points = 5 // contact nodes of a face

// Offsets within sleeper, as package potential has it, and its size [bytes].
const (
	wakes       = 0
	askedA      = 8
	askedB      = 12
	askedTarget = 16
	askedSize   = 32
)

// Offsets within four [bytes].
const (
	deep      = 0
	weight    = deep + points*Size
	relative  = weight + 3*points*Size
	slope     = relative + 2*points*Size
	size      = slope + 3*2*Size
	whole     = size + Size
	inContact = whole + Size
	near      = inContact + Size
	undecided = near + Size
	held      = undecided + Size
	side      = held + Size
	node      = side + points*Size
	target    = node + 5*Size/2
	was       = target + Size/2
	now       = was + Size
	ruleOf    = now + Size
)

// Offsets within group, and its size [bytes].
const (
	groupOn     = 0
	groupSums   = groupOn + 5*Size
	transferred = groupSums + 2*Size
	groupNode   = transferred + 8
	groupRule   = groupNode + 5*4
	active      = groupRule + 4
	groupSize   = transferred + 64
)

// Offsets within closestPointQuery [bytes].
const (
	firstPlace = Size * iota
	lastPlace
	opposite // the margin with the opposite sign
	margin2
	far2
	due
	querySize
)

// Offsets within pressing [bytes].
const (
	ratio = Size * iota
	lag
	constant // stiffness of the spring
	static
	kinetic
	damping2
	acts       // there is friction
	isConstant // the spring has a constant stiffness
	damped     // there is damping
)

const (
	dissipates   = damped + 8
	pressingSize = damped + Size
)

// room is the number of fours of values that the kernels store, after closestPointQuery and
// pressing.
const room = 60

// Rows of the state: values of a contact point [bytes].
const (
	rowFirst  = 0 // deflection, pressure, stored and area
	rowArea   = 24
	rowStick  = 32 // friction, spring, stiffness and sliding
	rowAlong  = 64
	nodeShift = 4 // size of positions and velocities, as a power of two
)

// Pages of contact forces on nodes, see onnodes.Forces.
const (
	pageShift  = 6
	pageNodes  = 1 << pageShift
	forceShift = 5
)

// Numbers of lines of contact points that fetch prefetches [bytes]: about those of four pairs.
const (
	line         = 64
	fetchedLines = 14
)

// vec is a vector in the plane of each of four pairs.
type vec struct{ x, y Op }

func sub(p, q vec) vec { return vec{Sub(p.x, q.x), Sub(p.y, q.y)} }

func cross(p, q vec) reg.VecVirtual { return Sub(Mul(p.x, q.y), Mul(p.y, q.x)) }

func dot(p, q vec) reg.VecVirtual { return Sum(p.x, q.x, p.y, q.y) }

// constants are values that are repeated four times.
var constants = map[uint64]Mem{}

func four(bits uint64) Mem {
	m, ok := constants[bits]
	if !ok {
		m = GLOBL(name(len(constants)), RODATA|NOPTR)
		for l := range 4 {
			DATA(8*l, U64(bits))
		}
		constants[bits] = m
	}
	return m
}

func name(i int) string { return "four" + string(rune('A'+i)) }

func number(x float64) Mem { return four(math.Float64bits(x)) }

func sign() Mem { return four(1 << 63) }

// place returns the position of a contact node on its face.
func place(point int) float64 { return (float64(point) + 0.5) / points }

// everywhere returns an argument in all lanes.
func everywhere(name string) reg.VecVirtual {
	p, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	r := YMM()
	VBROADCASTSD(p.Addr, r)
	return r
}

// nodes returns the entries of an array of vectors for a node of four pairs. number gives the
// memory of its numbers.
func nodes(base reg.Register, number func(lane int) Mem) vec {
	x, y := Pairs(func(l int) Mem {
		r := GP64()
		MOVL(number(l), r.As32())
		SHLQ(U8(nodeShift), r)
		return Mem{Base: base, Index: r, Scale: 1}
	})
	return vec{x, y}
}

// along returns a position on a face from a. way is the vector to its end.
func along(a, way vec, u Op) vec { return vec{Add(Mul(way.x, u), a.x), Add(Mul(way.y, u), a.y)} }

func main() {
	cull()
	fetch()
	locate()
	linear()
	press()
	add()
	Generate()
}
