// Command asm writes contactnodes/vector_amd64.s and its Go declarations: four
// contact elements at a time in the frames of their opposite edges with AVX2, and what
// a touch does to the nodes of both edges. It does what target.setEdge, clipElement,
// edgeRegion, maxApproach and Contact.press do, operation by operation and in the same
// order, so that both give the same bits; a fused multiply-add would not, and is not
// used.
//
// Run it in contactnodes with go generate.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const lane = 32 // a value of four pairs [bytes]

// node is where a node of the pairs' edges stands: of which edge of frames, and where
// in its corners [bytes].
type node struct{ edge, at int }

var (
	elementA, elementB = node{own, 4}, node{own, 8}
	before, after      = node{edge, 0}, node{edge, 12}
	edgeA, edgeB       = node{edge, 4}, node{edge, 8}
)

const (
	cornersShift = 5  // corners are so large, as a power of two [bytes]
	cornersDepth = 16 // where they have the depth
)

// Offsets within frames, as contactnodes has them [bytes].
const (
	own  = 0
	edge = 16
)

const (
	depth = lane + lane*iota
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

// Offsets within sight [bytes].
const (
	one = lane * iota
	notSign
	acute
	obtuse
	mostApproach
	leastApproach
	step
	steps
	farthest
)

// Predicates of comparisons, false for no number.
const (
	equal = 0x00
	less  = 0x11
	most  = 0x12
	above = 0x1e
)

func main() {
	findFrames()
	press()
	Generate()
}

// findFrames finds frames of four pairs at a time.
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
	frame := AllocLocal(10 * lane)
	local := func(i int) Mem { return frame.Offset(i * lane) }

	// cornersOf returns what corners of the edge of a lane have at a place.
	cornersOf := func(i int, k node) Mem {
		r := GP64()
		MOVL(field(k.edge+4*i), r.As32())
		SHLQ(U8(cornersShift), r)
		return Mem{Base: corners, Index: r, Scale: 1, Disp: k.at}
	}
	gather := func(base reg.Register, k node) (px, py reg.VecVirtual) {
		at := func(i int) Mem {
			r := GP64()
			MOVL(cornersOf(i, k), r.As32())
			return Mem{Base: base, Index: r, Scale: 1}
		}
		q, r := YMM(), YMM() // lanes 0 and 2, lanes 1 and 3
		VBROADCASTF128(at(0), q)
		VINSERTF128(Imm(1), at(2), q, q)
		VBROADCASTF128(at(1), r)
		VINSERTF128(Imm(1), at(3), r, r)
		px, py = YMM(), YMM()
		VUNPCKLPD(r, q, px)
		VUNPCKHPD(r, q, py)
		return px, py
	}
	load := func(m Mem) reg.VecVirtual { r := YMM(); VMOVUPD(m, r); return r }
	store := func(r reg.VecVirtual, at int) { VMOVUPD(r, field(at)) }
	sub := func(p, q Op) reg.VecVirtual { r := YMM(); VSUBPD(q, p, r); return r }
	add := func(p, q Op) reg.VecVirtual { r := YMM(); VADDPD(q, p, r); return r }
	mul := func(p, q Op) reg.VecVirtual { r := YMM(); VMULPD(q, p, r); return r }
	div := func(p, q Op) reg.VecVirtual { r := YMM(); VDIVPD(q, p, r); return r }
	and := func(p, q Op) reg.VecVirtual { r := YMM(); VANDPD(q, p, r); return r }
	or := func(p, q Op) reg.VecVirtual { r := YMM(); VORPD(q, p, r); return r }
	is := func(how uint64, p, q Op) reg.VecVirtual { r := YMM(); VCMPPD(Imm(how), q, p, r); return r }
	choose := func(mask reg.VecVirtual, yes Op, no reg.VecVirtual) reg.VecVirtual {
		r := YMM()
		VBLENDVPD(mask, yes, no, r)
		return r
	}
	dot := func(px, py, qx, qy Op) reg.VecVirtual { return add(mul(px, qx), mul(py, qy)) }
	cross := func(px, py, qx, qy Op) reg.VecVirtual { return sub(mul(px, qy), mul(py, qx)) }
	zero := func() reg.VecVirtual { r := YMM(); VXORPD(r, r, r); return r }

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
	ex, ey := sub(dx, cx), sub(dy, cy)
	l2, l := dot(ex, ey, ex, ey), YMM()
	VSQRTPD(l2, l)
	store(l, length)
	ax, ay := div(ex, l), div(ey, l)
	store(ax, alongX)
	store(ay, alongY)
	store(div(sub(zero(), ey), l2), rotationX)
	store(div(ex, l2), rotationY)

	// Its corners: the direction of a neighbour, its own where there is none.
	direction := func(ux, uy reg.VecVirtual) (bx, by, none reg.VecVirtual) {
		l2, l := dot(ux, uy, ux, uy), YMM()
		VSQRTPD(l2, l)
		none = is(equal, l2, zero())
		return choose(none, ax, div(ux, l)), choose(none, ay, div(uy, l)), none
	}
	boundary := func(ux, uy, wx, wy, none reg.VecVirtual, toX int) (turned reg.VecVirtual) {
		turned = is(less, cross(ux, uy, wx, wy), zero())
		store(turned, toX+2*lane)
		own := or(turned, none)
		store(choose(own, ax, add(ux, wx)), toX)
		store(choose(own, ay, add(uy, wy)), toX+lane)
		return turned
	}
	qx, qy := gather(x, before)
	bx, by, none := direction(sub(cx, qx), sub(cy, qy))
	store(bx, beforeX)
	store(by, beforeY)
	re := boundary(bx, by, ax, ay, none, startX)
	along := dot(bx, by, ax, ay)
	square := mul(along, along)
	convex := and(is(less, along, zero()), is(above, square, constant(obtuse)))
	reentrant := or(is(most, along, zero()), is(less, square, constant(acute)))
	VMOVUPD(choose(re, reentrant, convex), local(4)) // sharp

	qx, qy = gather(x, after)
	bx, by, none = direction(sub(qx, load(kept[2])), sub(qy, load(kept[3])))
	boundary(ax, ay, bx, by, none, endX)

	// The contact element along it and across.
	elX, elY := gather(x, elementA)
	erX, erY := gather(x, elementB)
	store(div(dot(ax, ay, sub(erX, elX), sub(erY, elY)), field(length)), run)
	rax, ray := sub(elX, kept[0]), sub(elY, kept[1])
	rbx, rby := sub(erX, kept[0]), sub(erY, kept[1])
	da, db := cross(ax, ay, rax, ray), cross(ax, ay, rbx, rby)
	store(da, deflection)
	store(sub(db, da), change)
	VMOVUPD(db, local(5))
	sa, sb := dot(ax, ay, rax, ray), dot(ax, ay, rbx, rby)
	store(div(sa, field(length)), place)
	VMOVUPD(sa, local(6))
	VMOVUPD(sb, local(7))
	// how far its ends are beyond the corners, for the clips
	startA, startB := dot(load(field(startX)), load(field(startY)), rax, ray), dot(load(field(startX)), load(field(startY)), rbx, rby)
	VMOVUPD(startA, local(8))
	VMOVUPD(startB, local(9))
	kx, ky := load(kept[2]), load(kept[3])
	outAX, outAY, outBX, outBY := sub(kx, elX), sub(ky, elY), sub(kx, erX), sub(ky, erY)
	endA, endB := dot(load(field(endX)), load(field(endY)), outAX, outAY), dot(load(field(endX)), load(field(endY)), outBX, outBY)
	VMOVUPD(endA, kept[0])
	VMOVUPD(endB, kept[1])

	// How fast they come nearer.
	velocities := [4][2]reg.VecVirtual{}
	fastest := zero()
	for i, k := range []node{edgeA, edgeB} {
		velocities[2+i][0], velocities[2+i][1] = gather(v, k)
	}
	for _, k := range []node{elementA, elementB} {
		vx, vy := gather(v, k)
		for i := range 2 {
			w := velocities[2+i]
			speed := and(cross(ax, ay, sub(vx, w[0]), sub(vy, w[1])), constant(notSign))
			VMAXPD(speed, fastest, fastest)
		}
	}
	near := add(mul(add(fastest, fastest), constant(step)), constant(leastApproach))
	VMINPD(constant(mostApproach), near, near)
	store(near, approach)
	ahead := mul(near, constant(steps))
	VMINPD(constant(farthest), ahead, ahead)
	store(ahead, lookAhead)

	// What is left of it between lines; both values below zero leave nothing.
	unit := load(constant(one))
	type cut struct{ q, na, nb reg.VecVirtual }
	cutAt := func(ga, gb reg.VecVirtual) cut {
		null := zero()
		return cut{div(ga, sub(ga, gb)), is(less, ga, null), is(less, gb, null)}
	}
	seldom := 0 // lines that hardly ever part the ends of an element: only those that do are divided by
	seldomCutAt := func(ga, gb reg.VecVirtual) cut {
		null := zero()
		k := cut{zero(), is(less, ga, null), is(less, gb, null)}
		parted, lanes := YMM(), GP32()
		VXORPD(k.na, k.nb, parted)
		VMOVMSKPD(parted, lanes)
		TESTL(lanes, lanes)
		seldom++
		done := fmt.Sprintf("whole%d", seldom)
		JEQ(LabelRef(done))
		VDIVPD(sub(ga, gb), ga, k.q)
		Label(done)
		return k
	}
	clip := func(first, last reg.VecVirtual, k cut) {
		VMAXPD(first, and(k.q, k.na), first)
		VMINPD(last, choose(k.nb, k.q, unit), last)
		both := and(k.na, k.nb)
		VBLENDVPD(both, unit, first, first)
		VANDNPD(last, both, last)
	}
	first, last, left, right := zero(), YMM(), zero(), YMM()
	VMOVUPD(unit, last)
	VMOVUPD(unit, right)

	da, db = load(field(deflection)), load(local(5))
	clip(left, right, cutAt(da, db)) // inside
	deep = load(field(depth)).(reg.VecVirtual)
	k := seldomCutAt(sub(deep, da), sub(deep, db))
	clip(left, right, k)
	clip(first, last, k)
	k = cutAt(add(da, field(lookAhead)), add(db, field(lookAhead)))
	sharp := load(local(4))
	VANDNPD(k.na, sharp, k.na)
	VANDNPD(k.nb, sharp, k.nb)
	clip(first, last, k)

	margin := add(load(field(depth)), constant(farthest))
	sa, sb = load(local(6)), load(local(7))
	clip(first, last, seldomCutAt(add(sa, margin), add(sb, margin)))
	beyond := add(load(field(length)), margin)
	clip(first, last, seldomCutAt(sub(beyond, sa), sub(beyond, sb)))

	k = cutAt(load(local(8)), load(local(9)))
	clip(left, right, k)
	free := load(field(startReentrant))
	VANDNPD(k.na, free, k.na)
	VANDNPD(k.nb, free, k.nb)
	clip(first, last, k)
	k = cutAt(load(kept[0]), load(kept[1]))
	clip(left, right, k)
	clip(first, last, k)
	store(is(above, first, last), missed)
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
