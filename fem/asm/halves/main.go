// Command halves writes contactnodes/halves/four_amd64.s and its Go declarations: four halves of pairs of
// straight edges at a time with AVX2. They do the same as meetPlain and spreadPlain, operation by operation
// and in the same order, so that both give the same bits. A fused multiply-add would give other bits and
// is not used.
//
// Run it in contactnodes/halves with go generate.
package main

import (
	. "fdem/fem/asm/four"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets within Half [bytes].
const (
	nodes     = 0
	before    = 16
	after     = 20
	stiffness = 32
	roof      = 40
	mass      = 48

	halfShift   = 6 // size of a half, as a power of two
	vectorShift = 4 // of a position
)

// Offsets within Four [bytes].
const (
	half     = 0
	grip     = 16
	near     = 48
	touching = 52
	deep     = 56
	sector   = 60
)

const (
	offset = 64 + Size*iota
	alongX
	alongY
	length
	depth0
	run
	foot0
	foot1
	lo
	hi
	covered
	normal
	energy
	position
	node1
	_
	_
	_
	_
	node2
	_
	_
	_
	_
	sum
	first
	second
	ahead
	aheadFoot
	closing
	fourSize
)

// Offsets within Node [bytes].
const (
	nodeNormal = Size * iota
	nodePosition
	nodeFoot
	nodeCouple
	nodeSlip
)

// Offsets within Query [bytes].
const (
	zero = Size * iota
	one
	point5
	notSign
	gauss1
	gauss2
	lookAhead
	below
	approach
	least
	step
	steps
	two
	three
	six
	third
	twelfth
	thirtieth
	predicts
)

func main() {
	meet()
	spread()
	power()
	Generate()
}

// lanes has the pointers to the halves of four lanes.
type lanes [4]reg.GPVirtual

func load(f, halves reg.Register) (h lanes) {
	for l := range h {
		h[l] = GP64()
		MOVLQSX(Mem{Base: f, Disp: half + 4*l}, h[l])
		SHLQ(U8(halfShift), h[l])
		ADDQ(halves, h[l])
	}
	return h
}

// vectors returns the vectors of the nodes at an offset in the halves.
func (h *lanes) vectors(of reg.Register, at int) (x, y reg.VecVirtual) {
	return Pairs(func(l int) Mem {
		n := GP64()
		MOVLQSX(Mem{Base: h[l], Disp: at}, n)
		SHLQ(U8(vectorShift), n)
		return Mem{Base: of, Index: n, Scale: 1}
	})
}

// values returns the values at an offset in the halves.
func (h *lanes) values(at int) reg.VecVirtual {
	return Column(func(l int) Mem { return Mem{Base: h[l], Disp: at} })
}

func dot(px, py, qx, qy Op) reg.VecVirtual   { return Add(Mul(px, qx), Mul(py, qy)) }
func cross(px, py, qx, qy Op) reg.VecVirtual { return Sub(Mul(px, qy), Mul(py, qx)) }

// above and below are the functions of package halves.
func aboveOf(p reg.VecVirtual, q Op) reg.VecVirtual { r := YMM(); VMAXPD(q, p, r); return r }
func belowOf(p reg.VecVirtual, q Op) reg.VecVirtual { r := YMM(); VMINPD(q, p, r); return r }

func meet() {
	TEXT("meetAVX2", NOSPLIT, "func(f *int32, n int, halves *int32, x, v, query *float64)")
	Pragma("noescape")
	Doc("meetAVX2 is meetPlain for n fours from f on.")
	f, n, halves := Load(Param("f"), GP64()), Load(Param("n"), GP64()), Load(Param("halves"), GP64())
	x, v, q := Load(Param("x"), GP64()), Load(Param("v"), GP64()), Load(Param("query"), GP64())
	constant := func(at int) Mem { return Mem{Base: q, Disp: at} }
	field := func(at int) Mem { return Mem{Base: f, Disp: at} }
	frame := AllocLocal(24 * Size)
	free := 0
	local := func() Mem { free++; return frame.Offset((free - 1) * Size) }
	keep := func(r reg.VecVirtual, at Mem) Mem { VMOVUPD(r, at); return at }
	mask := func(r reg.VecVirtual, at int) {
		m := GP32()
		VMOVMSKPD(r, m)
		MOVL(m, field(at))
	}
	within := func(p reg.VecVirtual) reg.VecVirtual { return belowOf(aboveOf(p, constant(zero)), constant(one)) }

	Label("loop")
	CMPQ(n, Imm(0))
	JLE(LabelRef("end"))
	h := load(f, halves)

	// The other edge and its corners.
	cx, cy := h.vectors(x, nodes+8)
	dx, dy := h.vectors(x, nodes+12)
	atCX, atCY, atDX, atDY := keep(cx, local()), keep(cy, local()), keep(dx, local()), keep(dy, local())
	ex, ey := Sub(dx, cx), Sub(dy, cy)
	l2, long := dot(ex, ey, ex, ey), YMM()
	VSQRTPD(l2, long)
	keep(long, field(length))
	ax, ay := Div(ex, long), Div(ey, long)
	keep(ax, field(alongX))
	keep(ay, field(alongY))
	boundary := func(ux, uy reg.VecVirtual, start bool) (sx, sy, turned reg.VecVirtual) {
		l2, l := dot(ux, uy, ux, uy), YMM()
		VSQRTPD(l2, l)
		none := Is(Equal, l2, constant(zero))
		bx, by := Choose(none, ax, Div(ux, l)), Choose(none, ay, Div(uy, l))
		turn := cross(ax, ay, bx, by)
		if start {
			turn = cross(bx, by, ax, ay)
		}
		turned = Is(Less, turn, constant(zero))
		return Choose(turned, ax, Add(ax, bx)), Choose(turned, ay, Add(ay, by)), turned
	}
	bx, by := h.vectors(x, before)
	sx, sy, turned := boundary(Sub(cx, bx), Sub(cy, by), true)
	mask(turned, sector)
	startX, startY := keep(sx, local()), keep(sy, local())
	bx, by = h.vectors(x, after)
	sx, sy, _ = boundary(Sub(bx, atDX), Sub(by, atDY), false)
	endX, endY := keep(sx, local()), keep(sy, local())

	// The own edge.
	px, py := h.vectors(x, nodes)
	qx, qy := h.vectors(x, nodes+4)
	pcx, pcy, qcx, qcy := Sub(px, atCX), Sub(py, atCY), Sub(qx, atCX), Sub(qy, atCY)
	d0 := Sub(cross(ax, ay, pcx, pcy), field(offset))
	d1 := Sub(cross(ax, ay, qcx, qcy), field(offset))
	keep(d0, field(depth0))
	depth1 := keep(d1, local())
	keep(Sub(d1, d0), field(run))
	f0 := Div(dot(ax, ay, pcx, pcy), field(length))
	keep(f0, field(foot0))
	keep(Sub(Div(dot(ax, ay, qcx, qcy), field(length)), f0), field(foot1))
	startA, startB := dot(pcx, pcy, startX, startY), dot(qcx, qcy, startX, startY)
	ex, ey = Values(atDX), Values(atDY)
	endA := keep(dot(Sub(ex, px), Sub(ey, py), endX, endY), local())
	endB := keep(dot(Sub(ex, qx), Sub(ey, qy), endX, endY), local())

	type cut struct{ at, fromA, toB reg.VecVirtual }
	cutAt := func(a, b reg.VecVirtual) cut {
		return cut{Div(a, Sub(a, b)), Is(Less, a, constant(zero)), Is(Less, b, constant(zero))}
	}
	clip := func(from, to reg.VecVirtual, k cut) (newFrom, newTo reg.VecVirtual) {
		from = aboveOf(And(k.at, k.fromA), from)
		to = belowOf(Choose(k.toB, k.at, Values(constant(one))), to)
		both := And(k.fromA, k.toB)
		return Choose(both, constant(one), from), Without(to, both)
	}
	from, to := Values(constant(zero)), Values(constant(one))
	from, to = clip(from, to, cutAt(startA, startB))
	from, to = clip(from, to, cutAt(Values(endA), Values(endB)))
	regionLo, regionHi := keep(from, local()), keep(to, local())
	deepest := aboveOf(Add(Mul(from, field(run)), field(depth0)), Add(Mul(to, field(run)), field(depth0)))
	reaches := And(Is(Less, from, to), Is(Above, deepest, constant(below)))
	tooDeep := And(Is(Above, deepest, Sub(h.values(roof), field(offset))), reaches)
	mask(tooDeep, deep)
	reaches = Without(reaches, tooDeep)
	wanted := keep(And(reaches, constant(predicts)), local())
	from, to = clip(from, to, cutAt(Values(field(depth0)), Values(depth1)))
	keep(from, field(lo))
	keep(to, field(hi))
	touches := And(And(Is(Less, from, to), Is(Above, deepest, constant(zero))), reaches)
	mask(touches, touching)
	isTouching := keep(touches, local())

	// Its force.
	width := And(Sub(to, from), touches)
	whole := Mul(width, h.values(stiffness))
	keep(whole, field(covered))
	part := Mul(whole, constant(point5))
	var force, place, stored [2]reg.VecVirtual
	for i, n := range [2]int{node1, node2} {
		place[i] = Add(Mul(width, constant([2]int{gauss1, gauss2}[i])), from)
		depth := Add(Mul(place[i], field(run)), field(depth0))
		force[i] = Mul(part, depth)
		stored[i] = Mul(Mul(force[i], constant(point5)), depth)
		keep(force[i], field(n+nodeNormal))
		keep(place[i], field(n+nodePosition))
		keep(Add(Mul(place[i], field(foot1)), field(foot0)), field(n+nodeFoot))
		keep(Div(Sub(Zero(), Add(depth, field(offset))), field(length)), field(n+nodeCouple))
	}
	keep(Add(stored[0], stored[1]), field(energy))
	total := Add(force[0], force[1])
	keep(total, field(normal))
	middle := Mul(Add(from, to), constant(point5))
	at := within(Choose(Is(Above, total, constant(zero)), Div(Add(Mul(force[0], place[0]), Mul(force[1], place[1])), total), middle))
	keep(at, field(position))

	// Its speeds.
	vpx, vpy := h.vectors(v, nodes)
	vqx, vqy := h.vectors(v, nodes+4)
	ax, ay = Values(field(alongX)), Values(field(alongY))
	tp, tq := dot(ax, ay, vpx, vpy), dot(ax, ay, vqx, vqy)
	slipP, slipQ := keep(tp, local()), keep(Sub(tq, tp), local())
	np, nq := cross(ax, ay, vpx, vpy), cross(ax, ay, vqx, vqy)
	speedP, speedQ := keep(np, local()), keep(nq, local())
	vcx, vcy := h.vectors(v, nodes+8)
	vdx, vdy := h.vectors(v, nodes+12)
	nc, nd := cross(ax, ay, vcx, vcy), cross(ax, ay, vdx, vdy)
	tc, turn := dot(ax, ay, vcx, vcy), Sub(nd, nc)
	td := Sub(dot(ax, ay, vdx, vdy), tc)
	for _, n := range [2]int{node1, node2} {
		own := Add(Mul(Values(slipQ), field(n+nodePosition)), slipP)
		other := Add(Mul(td, field(n+nodeFoot)), tc)
		keep(Sub(Sub(own, other), Mul(turn, field(n+nodeCouple))), field(n+nodeSlip))
	}
	size := func(p, q reg.VecVirtual) reg.VecVirtual { return And(Sub(p, q), constant(notSign)) }
	np, nq = Values(speedP), Values(speedQ)
	fastest := aboveOf(aboveOf(size(np, nc), size(np, nd)), aboveOf(size(nq, nc), size(nq, nd)))
	speedC, speedD := keep(nc, local()), keep(nd, local())
	nearBy := belowOf(Add(Mul(fastest, constant(step)), constant(least)), constant(approach))
	farBy := belowOf(Mul(nearBy, constant(steps)), constant(lookAhead))
	atNear, atFar := keep(nearBy, local()), keep(farBy, local())

	// Its stiffness now and in the next steps.
	near0, near1 := Add(nearBy, field(depth0)), Add(nearBy, depth1)
	atNearCut := cutAt(near0, near1)
	from, to = clip(Values(regionLo), Values(regionHi), atNearCut)
	width = And(And(Sub(to, from), Is(Less, from, to)), wanted)
	allSum := keep(width, local())
	keep(Mul(Mul(Add(from, to), constant(point5)), width), field(first))
	keep(Mul(Mul(Add(Add(Mul(from, from), Mul(from, to)), Mul(to, to)), constant(third)), width), field(second))

	far0, far1 := Add(Values(atFar), field(depth0)), Add(Values(atFar), depth1)
	from, to = clip(Values(regionLo), Values(regionHi), cutAt(far0, far1))
	atNearCut.fromA, atNearCut.toB = Is(Above, near0, constant(zero)), Is(Above, near1, constant(zero))
	from, to = clip(from, to, atNearCut)
	isFar := Is(Above, Values(atFar), atNear)
	width = And(And(And(Sub(to, from), Is(Less, from, to)), isFar), wanted)
	per := Div(Values(constant(one)), Choose(isFar, Sub(Values(atFar), atNear), Values(constant(one))))
	vLo := Mul(Add(Add(Mul(from, field(run)), field(depth0)), atFar), per)
	vHi := Mul(Add(Add(Mul(to, field(run)), field(depth0)), atFar), per)
	vv, vw, ww := Mul(vLo, vLo), Mul(vLo, vHi), Mul(vHi, vHi)
	s := Mul(Mul(Add(Add(vv, vw), ww), width), constant(third))
	m := Mul(Mul(Add(Add(Mul(vw, constant(two)), vv), Mul(ww, constant(three))), width), constant(twelfth))
	k := Mul(Mul(Add(Add(Mul(vw, constant(three)), vv), Mul(ww, constant(six))), width), constant(thirtieth))
	loS, wM := Mul(from, s), Mul(width, m)
	sumOf := Add(s, allSum)
	keep(sumOf, field(sum))
	firstOf := Add(Add(loS, wM), field(first))
	keep(firstOf, field(first))
	keep(Add(Add(Mul(Add(loS, Mul(Mul(width, constant(two)), m)), from), Mul(Mul(width, width), k)), field(second)), field(second))
	isAhead := Is(Above, sumOf, constant(zero))
	at = within(Div(firstOf, Choose(isAhead, sumOf, Values(constant(one)))))
	keep(at, field(ahead))
	onFoot := within(Add(Mul(at, field(foot1)), field(foot0)))
	keep(onFoot, field(aheadFoot))
	np, nc = Values(speedP), Values(speedC)
	keep(Sub(Add(Mul(Sub(Values(speedQ), np), at), np), Add(Mul(Sub(Values(speedD), nc), onFoot), nc)), field(closing))
	mask(Or(isAhead, isTouching), near)

	ADDQ(U32(fourSize), f)
	DECQ(n)
	JMP(LabelRef("loop"))
	Label("end")
	VZEROUPPER()
	RET()
}

// Offsets within Spreading [bytes].
const (
	sums = Size * iota
	stiffest
	damping
	leastEnergy
	speed2
	unit
	double
	pages  // slices begin with their pointers
	loaded = pages + 24
	ratios = loaded + 24
)

// Offsets within Drag [bytes], and its size as a power of two.
const (
	dragAlong    = 16
	dragFriction = 32
	dragShift    = 6
)

// Pages of forces on nodes.
const (
	pageShift = 6
	pageMask  = 1<<pageShift - 1
	rowShift  = 5
)

func spread() {
	TEXT("spreadAVX2", 0, "func(f *int32, n int, halves *int32, s *float64, drags *int32) int")
	Pragma("noescape")
	Doc("spreadAVX2 is spreadPlain for n fours from f on.")
	f, n, halves := Load(Param("f"), GP64()), Load(Param("n"), GP64()), Load(Param("halves"), GP64())
	s, drags := Load(Param("s"), GP64()), Load(Param("drags"), GP64())
	given := func(at int) Mem { return Mem{Base: s, Disp: at} }
	field := func(at int) Mem { return Mem{Base: f, Disp: at} }
	frame := AllocLocal(32 * Size)
	row := func(node, lane int) Mem { return frame.Offset((4*node + lane) * Size) }

	Label("loop")
	CMPQ(n, Imm(0))
	JLE(LabelRef("end"))
	h := load(f, halves)

	// The sums.
	ratio := GP64()
	MOVQ(given(ratios), ratio)
	frictionOf := func(i int) reg.VecVirtual {
		return Mul(Column(func(l int) Mem {
			g := GP64()
			MOVLQSX(Mem{Base: f, Disp: grip + 16*i + 4*l}, g)
			return Mem{Base: ratio, Index: g, Scale: 8}
		}), field([2]int{node1, node2}[i]+nodeNormal))
	}
	var kept [2]Mem
	for i := range kept {
		kept[i] = frame.Offset((20 + i) * Size)
		VMOVUPD(frictionOf(i), kept[i])
	}
	own := Mul(h.values(stiffness), field(sum))
	loss := Mul(own, given(stiffest))
	most := aboveOf(Mul(h.values(mass), given(speed2)), given(leastEnergy))
	some := Is(Above, most, Zero())
	speed := Values(field(closing))
	lost := And(Div(Mul(Mul(speed, speed), loss), Choose(some, most, Values(given(unit)))), some)
	for l, r := range Turned(Values(field(normal)), Add(Values(kept[0]), kept[1]), Values(field(energy)), lost) {
		VMOVUPD(r, row(4, l))
	}

	// The rows of the four nodes: force, stiffness, damping.
	stiff, damp := Mul(loss, given(double)), Mul(Mul(own, given(damping)), given(double))
	keptStiff, keptDamp := frame.Offset(22*Size), frame.Offset(23*Size)
	VMOVUPD(stiff, keptStiff)
	VMOVUPD(damp, keptDamp)
	ax, ay := Values(field(alongX)), Values(field(alongY))
	var x, y, bx, by, dx, dy reg.VecVirtual
	addTo := func(sum *reg.VecVirtual, r reg.VecVirtual) {
		if *sum != nil {
			r = Add(*sum, r)
		}
		*sum = r
	}
	for i, n := range [2]int{node1, node2} {
		friction, force := Values(kept[i]), Values(field(n+nodeNormal))
		px, py := Add(Mul(friction, ax), Mul(force, ay)), Sub(Mul(friction, ay), Mul(force, ax))
		turn := Mul(friction, field(n+nodeCouple))
		cx, cy := Sub(Zero(), Mul(turn, ay)), Mul(turn, ax)
		at := Values(field(n + nodePosition))
		addTo(&bx, Mul(at, px))
		addTo(&by, Mul(at, py))
		at = Values(field(n + nodeFoot))
		addTo(&dx, Add(Mul(at, px), cx))
		addTo(&dy, Add(Mul(at, py), cy))
		addTo(&x, px)
		addTo(&y, py)
	}
	rows := func(node int, x, y, share reg.VecVirtual) {
		for l, r := range Turned(x, y, Mul(share, keptStiff), Mul(share, keptDamp)) {
			VMOVUPD(r, row(node, l))
		}
	}
	rows(0, Sub(x, bx), Sub(y, by), Sub(Values(given(unit)), field(ahead)))
	rows(1, bx, by, Values(field(ahead)))
	rows(2, Sub(dx, x), Sub(dy, y), Sub(Values(given(unit)), field(aheadFoot)))
	rows(3, Sub(Zero(), dx), Sub(Zero(), dy), Values(field(aheadFoot)))
	dragged := func(i, lane int) Mem { return frame.Offset((24 + 4*i + lane) * Size) }
	for i, n := range [2]int{node1, node2} {
		for l, r := range Turned(Values(kept[i]), Values(field(n+nodePosition)), Values(field(n+nodeFoot)), Values(field(n+nodeCouple))) {
			VMOVUPD(r, dragged(i, l))
		}
	}

	for l := range h {
		next, apart := []string{"second", "third", "fourth", "done"}[l], []string{"apart1", "apart2", "apart3", "apart4"}[l]
		TESTL(U32(1<<l), field(near))
		JEQ(LabelRef(next))
		for k := range 4 {
			node, page, word, at := GP64(), GP64(), GP64(), GP64()
			MOVLQSX(Mem{Base: h[l], Disp: nodes + 4*k}, node)
			MOVQ(node, page)
			SHRQ(U8(pageShift), page)
			MOVQ(given(loaded), at)
			MOVQ(Mem{Base: at, Index: page, Scale: 8}, word)
			BTSQ(node, word)
			MOVQ(word, Mem{Base: at, Index: page, Scale: 8})
			MOVQ(given(pages), at)
			MOVQ(Mem{Base: at, Index: page, Scale: 8}, page)
			ANDQ(U32(pageMask), node)
			SHLQ(U8(rowShift), node)
			to := Mem{Base: page, Index: node, Scale: 1}
			VMOVUPD(Add(Values(row(k, l)), to), to)
		}
		VMOVUPD(Add(Values(row(4, l)), given(sums)), given(sums))
		TESTL(U32(1<<l), field(touching))
		JEQ(LabelRef(apart))
		for i := range kept {
			four := XMM()
			VMOVDQU(Mem{Base: h[l], Disp: nodes}, four)
			VMOVDQU(four, Mem{Base: drags})
			along := XMM()
			VMOVSD(field(alongX+8*l), along)
			VMOVHPD(field(alongY+8*l), along, along)
			VMOVUPD(along, Mem{Base: drags, Disp: dragAlong})
			VMOVUPD(Values(dragged(i, l)), Mem{Base: drags, Disp: dragFriction})
			ADDQ(Imm(1<<dragShift), drags)
		}
		Label(apart)
		Label(next)
	}

	ADDQ(U32(fourSize), f)
	DECQ(n)
	JMP(LabelRef("loop"))
	Label("end")
	SUBQ(Load(Param("drags"), GP64()), drags)
	SHRQ(U8(dragShift), drags)
	Store(drags, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

func power() {
	TEXT("powerAVX2", NOSPLIT, "func(drags *int32, n int, v *float64, before float64) float64")
	Pragma("noescape")
	Doc("powerAVX2 is powerPlain for n fours of drags.")
	drags, n, v := Load(Param("drags"), GP64()), Load(Param("n"), GP64()), Load(Param("v"), GP64())
	total := Load(Param("before"), XMM())
	var d lanes
	Label("loop")
	CMPQ(n, Imm(0))
	JLE(LabelRef("end"))
	for l := range d {
		d[l] = GP64()
		LEAQ(Mem{Base: drags, Disp: l << dragShift}, d[l])
	}
	row := func(at int) []Op {
		var r []Op
		for l := range d {
			p := YMM()
			VMOVUPD(Mem{Base: d[l], Disp: at}, p)
			r = append(r, p)
		}
		return r
	}
	cx, cy := d.vectors(v, nodes+8)
	ex, ey := d.vectors(v, nodes+12)
	ex, ey = Sub(ex, cx), Sub(ey, cy)
	r := row(dragFriction)
	of := Turned(r[0], r[1], r[2], r[3]) // friction, position, foot, couple
	cx, cy = Add(Mul(of[2], ex), cx), Add(Mul(of[2], ey), cy)
	px, py := d.vectors(v, nodes)
	qx, qy := d.vectors(v, nodes+4)
	x := Sub(Add(Mul(Sub(qx, px), of[1]), px), cx)
	y := Sub(Add(Mul(Sub(qy, py), of[1]), py), cy)
	ax, ay := Pairs(func(l int) Mem { return Mem{Base: d[l], Disp: dragAlong} })
	each := Mul(Sub(dot(ax, ay, x, y), Mul(cross(ax, ay, ex, ey), of[3])), of[0])
	high := XMM()
	for range 2 {
		VADDSD(each.AsX(), total, total)
		VUNPCKHPD(each.AsX(), each.AsX(), high)
		VADDSD(high, total, total)
		VEXTRACTF128(Imm(1), each, each.AsX())
	}
	ADDQ(U32(4<<dragShift), drags)
	DECQ(n)
	JMP(LabelRef("loop"))
	Label("end")
	Store(total, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
