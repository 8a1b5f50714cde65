// Command edges writes contactnodes/vector_amd64.s and its Go declarations. With AVX2 it
// transforms four contact elements at a time to the frames of their opposite edges. Edge
// pair after edge pair it finds the fractions of areas, the rates of contact points, and the
// forces on the nodes of both edges. It does the same as target.setEdge, clipElement,
// edgeRegion, maxApproach, sharePair, findPairRates and Contact.press, operation by
// operation and in the same order, so that both give the same bits. A fused multiply-add
// would give other bits and is not used.
//
// Run it in contactnodes with go generate.
package main

import (
	"fmt"

	. "fdem/fem/asm/four"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// node is the location of a node of the pairs' edges: the edge in frames, and the offset in
// its corners [bytes].
type node struct{ edge, at int }

var (
	elementA, elementB = node{own, 4}, node{own, 8}
	before, after      = node{edge, 0}, node{edge, 12}
	edgeA, edgeB       = node{edge, 4}, node{edge, 8}
)

const (
	cornersShift = 5  // size of corners, as a power of two [bytes]
	cornersDepth = 16 // offset of the depth
)

// Offsets within frames, as contactnodes has them [bytes].
const (
	own  = 0
	edge = 16
)

const (
	depth = Size + Size*iota
	alongX
	alongY
	length
	rotationX
	rotationY
	beforeX
	beforeY
	startX
	startY
	startReentrant
	endX
	endY
	endReentrant
	deflection
	change
	place
	run
	approach
	lookAhead
	lo
	hi
	missed
	from
	to
	size
)

// Offsets within closestPointQuery [bytes].
const (
	one = Size * iota
	notSign
	acute
	obtuse
	mostApproach
	leastApproach
	step
	steps
	farthest
)

func main() {
	findFrames()
	press()
	rates()
	share()
	Generate()
}

// findFrames computes frames of four pairs at a time.
func findFrames() {
	TEXT("findFramesAVX2", NOSPLIT, "func(p *int32, n int, corners *int32, x, v, c *float64)")
	Pragma("noescape")
	Doc("findFramesAVX2 is findFrames for n fours of pairs from p on.")
	p := Load(Param("p"), GP64())
	n := Load(Param("n"), GP64())
	corners := Load(Param("corners"), GP64())
	x := Load(Param("x"), GP64())
	v := Load(Param("v"), GP64())
	c := Load(Param("c"), GP64())
	constant := func(at int) Mem { return Mem{Base: c, Disp: at} }
	field := func(at int) Mem { return Mem{Base: p, Disp: at} }
	frame := AllocLocal(10 * Size)
	local := func(i int) Mem { return frame.Offset(i * Size) }

	// cornersOf returns the value at an offset in the corners of the edge of a lane.
	cornersOf := func(i int, k node) Mem {
		r := GP64()
		MOVL(field(k.edge+4*i), r.As32())
		SHLQ(U8(cornersShift), r)
		return Mem{Base: corners, Index: r, Scale: 1, Disp: k.at}
	}
	gather := func(base reg.Register, k node) (px, py reg.VecVirtual) {
		return Pairs(func(lane int) Mem {
			r := GP64()
			MOVL(cornersOf(lane, k), r.As32())
			return Mem{Base: base, Index: r, Scale: 1}
		})
	}
	store := func(r reg.VecVirtual, at int) { VMOVUPD(r, field(at)) }
	dot := func(px, py, qx, qy Op) reg.VecVirtual { return Add(Mul(px, qx), Mul(py, qy)) }
	cross := func(px, py, qx, qy Op) reg.VecVirtual { return Sub(Mul(px, qy), Mul(py, qx)) }

	Label("loop")
	CMPQ(n, Imm(0))
	JLE(LabelRef("end"))

	// The opposite edge.
	deep, upper := YMM(), XMM()
	for half, r := range []reg.Register{deep.AsX(), upper} {
		VMOVSD(cornersOf(2*half, node{edge, cornersDepth}), r)
		VMOVHPD(cornersOf(2*half+1, node{edge, cornersDepth}), r, r)
	}
	VINSERTF128(Imm(1), upper, deep, deep)
	store(deep, depth)
	cx, cy := gather(x, edgeA)
	dx, dy := gather(x, edgeB)
	kept := []Mem{local(0), local(1), local(2), local(3)} // c, d
	for i, r := range []reg.VecVirtual{cx, cy, dx, dy} {
		VMOVUPD(r, kept[i])
	}
	ex, ey := Sub(dx, cx), Sub(dy, cy)
	l2, l := dot(ex, ey, ex, ey), YMM()
	VSQRTPD(l2, l)
	store(l, length)
	ax, ay := Div(ex, l), Div(ey, l)
	store(ax, alongX)
	store(ay, alongY)
	store(Div(Sub(Zero(), ey), l2), rotationX)
	store(Div(ex, l2), rotationY)

	// Its corners: the direction of a neighbour; its own direction if there is none.
	direction := func(ux, uy reg.VecVirtual) (bx, by, none reg.VecVirtual) {
		l2, l := dot(ux, uy, ux, uy), YMM()
		VSQRTPD(l2, l)
		none = Is(Equal, l2, Zero())
		return Choose(none, ax, Div(ux, l)), Choose(none, ay, Div(uy, l)), none
	}
	boundary := func(ux, uy, wx, wy, none reg.VecVirtual, toX int) (turned reg.VecVirtual) {
		turned = Is(Less, cross(ux, uy, wx, wy), Zero())
		store(turned, toX+2*Size)
		own := Or(turned, none)
		store(Choose(own, ax, Add(ux, wx)), toX)
		store(Choose(own, ay, Add(uy, wy)), toX+Size)
		return turned
	}
	qx, qy := gather(x, before)
	bx, by, none := direction(Sub(cx, qx), Sub(cy, qy))
	store(bx, beforeX)
	store(by, beforeY)
	re := boundary(bx, by, ax, ay, none, startX)
	along := dot(bx, by, ax, ay)
	square := Mul(along, along)
	convex := And(Is(Less, along, Zero()), Is(Above, square, constant(obtuse)))
	reentrant := Or(Is(Most, along, Zero()), Is(Less, square, constant(acute)))
	VMOVUPD(Choose(re, reentrant, convex), local(4)) // sharp

	qx, qy = gather(x, after)
	bx, by, none = direction(Sub(qx, Values(kept[2])), Sub(qy, Values(kept[3])))
	boundary(ax, ay, bx, by, none, endX)

	// The contact element along the edge and across it.
	elX, elY := gather(x, elementA)
	erX, erY := gather(x, elementB)
	store(Div(dot(ax, ay, Sub(erX, elX), Sub(erY, elY)), field(length)), run)
	rax, ray := Sub(elX, kept[0]), Sub(elY, kept[1])
	rbx, rby := Sub(erX, kept[0]), Sub(erY, kept[1])
	da, db := cross(ax, ay, rax, ray), cross(ax, ay, rbx, rby)
	store(da, deflection)
	store(Sub(db, da), change)
	VMOVUPD(db, local(5))
	sa, sb := dot(ax, ay, rax, ray), dot(ax, ay, rbx, rby)
	store(Div(sa, field(length)), place)
	VMOVUPD(sa, local(6))
	VMOVUPD(sb, local(7))
	// distances of its ends beyond the corners, for the clips
	startA, startB := dot(Values(field(startX)), Values(field(startY)), rax, ray), dot(Values(field(startX)), Values(field(startY)), rbx, rby)
	VMOVUPD(startA, local(8))
	VMOVUPD(startB, local(9))
	kx, ky := Values(kept[2]), Values(kept[3])
	outAX, outAY, outBX, outBY := Sub(kx, elX), Sub(ky, elY), Sub(kx, erX), Sub(ky, erY)
	endA, endB := dot(Values(field(endX)), Values(field(endY)), outAX, outAY), dot(Values(field(endX)), Values(field(endY)), outBX, outBY)
	VMOVUPD(endA, kept[0])
	VMOVUPD(endB, kept[1])

	// The speed of approach.
	velocities := [4][2]reg.VecVirtual{}
	fastest := Zero()
	for i, k := range []node{edgeA, edgeB} {
		velocities[2+i][0], velocities[2+i][1] = gather(v, k)
	}
	for _, k := range []node{elementA, elementB} {
		vx, vy := gather(v, k)
		for i := range 2 {
			w := velocities[2+i]
			speed := And(cross(ax, ay, Sub(vx, w[0]), Sub(vy, w[1])), constant(notSign))
			VMAXPD(speed, fastest, fastest)
		}
	}
	near := Add(Mul(Add(fastest, fastest), constant(step)), constant(leastApproach))
	VMINPD(constant(mostApproach), near, near)
	store(near, approach)
	ahead := Mul(near, constant(steps))
	VMINPD(constant(farthest), ahead, ahead)
	store(ahead, lookAhead)

	// The part of it between lines; if both values are below zero nothing is left.
	unit := Values(constant(one))
	type cut struct{ q, na, nb reg.VecVirtual }
	cutAt := func(ga, gb reg.VecVirtual) cut {
		null := Zero()
		return cut{Div(ga, Sub(ga, gb)), Is(Less, ga, null), Is(Less, gb, null)}
	}
	seldom := 0 // lines that seldom separate the ends of an element; only those that do are used in divisions
	seldomCutAt := func(ga, gb reg.VecVirtual) cut {
		null := Zero()
		k := cut{Zero(), Is(Less, ga, null), Is(Less, gb, null)}
		parted, lanes := YMM(), GP32()
		VXORPD(k.na, k.nb, parted)
		VMOVMSKPD(parted, lanes)
		TESTL(lanes, lanes)
		seldom++
		done := fmt.Sprintf("whole%d", seldom)
		JEQ(LabelRef(done))
		VDIVPD(Sub(ga, gb), ga, k.q)
		Label(done)
		return k
	}
	clip := func(first, last reg.VecVirtual, k cut) {
		VMAXPD(first, And(k.q, k.na), first)
		VMINPD(last, Choose(k.nb, k.q, unit), last)
		both := And(k.na, k.nb)
		VBLENDVPD(both, unit, first, first)
		VANDNPD(last, both, last)
	}
	first, last, left, right := Zero(), YMM(), Zero(), YMM()
	VMOVUPD(unit, last)
	VMOVUPD(unit, right)

	da, db = Values(field(deflection)), Values(local(5))
	clip(left, right, cutAt(da, db)) // inside
	deep = Values(field(depth)).(reg.VecVirtual)
	k := seldomCutAt(Sub(deep, da), Sub(deep, db))
	clip(left, right, k)
	clip(first, last, k)
	k = cutAt(Add(da, field(lookAhead)), Add(db, field(lookAhead)))
	sharp := Values(local(4))
	VANDNPD(k.na, sharp, k.na)
	VANDNPD(k.nb, sharp, k.nb)
	clip(first, last, k)

	margin := Add(Values(field(depth)), constant(farthest))
	sa, sb = Values(local(6)), Values(local(7))
	clip(first, last, seldomCutAt(Add(sa, margin), Add(sb, margin)))
	beyond := Add(Values(field(length)), margin)
	clip(first, last, seldomCutAt(Sub(beyond, sa), Sub(beyond, sb)))

	k = cutAt(Values(local(8)), Values(local(9)))
	clip(left, right, k)
	free := Values(field(startReentrant))
	VANDNPD(k.na, free, k.na)
	VANDNPD(k.nb, free, k.nb)
	clip(first, last, k)
	k = cutAt(Values(kept[0]), Values(kept[1]))
	clip(left, right, k)
	clip(first, last, k)
	store(Is(Above, first, last), missed)
	store(first, lo)
	store(last, hi)
	store(left, from)
	store(right, to)

	ADDQ(U32(size), p)
	DECQ(n)
	JMP(LabelRef("loop"))
	Label("end")
	VZEROUPPER()
	RET()
}
