package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets within pressing, as contactnodes has them [bytes].
const (
	unit = 8 * iota
	_
	turned
	_
	opposed
	_
	_
	_
	lawDamping
	_ // kind, and number of nodes of an element, of four bytes
	listCorners
	listX
	listArea
	listPlaces
	listNodes
	listPressure
	listStored
	listStiffness
	listFriction
	listPages
	listLoaded
	listV
	listRate
	slipsWanted
	listSizes
	listTowardsEnd
	kindWanted = 72
	perElement = 76
)

// Offsets within edgePair [bytes].
const (
	pairElement    = 0
	pairEdge       = 4
	pairFirst      = 8
	pairEnd        = 12
	pairInward     = 16
	pairRotation   = 32
	pairPlaceSlope = 48
	pairDepthSlope = 56
	pairDamper     = 64
	pairKind       = 74
	pairShared     = 75
	pairOwn        = 76
	pairSide       = 96
	pairSize       = 120
)

// Offsets within node [bytes].
const (
	nodeID       = 0
	nodePlace    = 8
	nodeDepth    = 16
	nodeFraction = 24
	nodeSlope    = 32
	nodeSlip     = 40
	nodeForce    = 48
	nodeMoment   = 56
	nodeForceSum = 64
	nodeCovered  = 80
	nodeRepeated = 97
	nodeSize     = 112
)

// Offsets within sums [bytes].
const (
	sumNormal    = 0 // followed by the tangential one
	sumResultant = 16
	sumMoment    = 32
	sumStored    = 40
)

// Nodes are in pages of a power of two, of 32 bytes each; corners have their numbers times stride.
const (
	strideShift = 4
	pageShift   = 6
	pageMask    = 1<<(strideShift+pageShift) - 1
)

// pairs is a loop over the pairs of one kind, from m on.
type pairs struct{ m, n, c, done, places, nodes, at, to reg.GPVirtual }

func (p *pairs) of(at int) Mem   { return Mem{Base: p.m, Disp: at} }
func (p *pairs) list(at int) Mem { return Mem{Base: p.c, Disp: at} }

// item returns the value of the present contact point in a list.
func (p *pairs) item(list int) Mem {
	r := GP64()
	MOVQ(p.list(list), r)
	return Mem{Base: r, Index: p.at, Scale: 8}
}

func (p *pairs) load() {
	p.m, p.n, p.c = Load(Param("m"), GP64()).(reg.GPVirtual), Load(Param("n"), GP64()).(reg.GPVirtual), Load(Param("c"), GP64()).(reg.GPVirtual)
	p.done, p.places, p.nodes, p.at, p.to = GP64(), GP64(), GP64(), GP64(), GP64()
	XORQ(p.done, p.done)
}

// check leaves the loop after the last pair, or at a pair of another kind.
func (p *pairs) check() {
	CMPQ(p.done, p.n)
	JGE(LabelRef("end"))
	kind := GP32()
	MOVBLZX(p.of(pairKind), kind)
	CMPL(kind, p.list(kindWanted))
	JNE(LabelRef("end"))
}

// ends calls each with the nodes of both edges, times stride.
func (p *pairs) ends(each func(k int, node reg.GPVirtual)) {
	for i, edge := range []int{pairOwn, pairEdge} {
		corners, which := GP64(), GP64()
		MOVQ(p.list(listCorners), corners)
		MOVL(p.of(edge), which.As32())
		SHLQ(U8(cornersShift), which)
		ADDQ(which, corners)
		for k, at := range []int{4, 8} {
			node := GP64()
			MOVL(Mem{Base: corners, Disp: at}, node.As32())
			each(2*i+k, node)
		}
	}
}

// begin sets the data that pass from contact point to contact point of the pair, with a list of
// values of an element's contact nodes.
func (p *pairs) begin(places int) {
	base := GP64()
	MOVLQSX(p.of(pairElement), base)
	count := GP64()
	MOVLQSX(p.list(perElement), count)
	IMULQ(count, base)
	NEGQ(base)
	MOVQ(p.list(places), p.places)
	LEAQ(Mem{Base: p.places, Index: base, Scale: 8}, p.places)
	MOVLQSX(p.of(pairFirst), p.at)
	MOVLQSX(p.of(pairEnd), p.to)
	IMUL3Q(U8(nodeSize), p.at, p.nodes)
	ADDQ(p.list(listNodes), p.nodes)
}

func (p *pairs) node(at int) Mem { return Mem{Base: p.nodes, Disp: at} }

// place returns the value of the present contact node in that list.
func (p *pairs) place() reg.VecVirtual {
	index := GP64()
	MOVLQSX(p.node(nodeID), index)
	return single(Mem{Base: p.places, Index: index, Scale: 8})
}

// next continues with the next contact point, and after the last one with the next pair. At the end
// it stores results.
func (p *pairs) next(store func()) {
	INCQ(p.at)
	ADDQ(U8(nodeSize), p.nodes)
	JMP(LabelRef("node"))
	Label("done")
	INCQ(p.done)
	ADDQ(U8(pairSize), p.m)
	JMP(LabelRef("pair"))
	Label("end")
	store()
	Store(p.done, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// press adds the forces of pairs by their contact points, one after the other. The effect of a
// contact point on a node is a vector of force, stiffness and damping.
func press() {
	TEXT("pressAVX2", NOSPLIT, "func(m *int32, n int, c *float64, s *float64) int")
	Pragma("noescape")
	Doc("pressAVX2 adds the forces of the first of n pairs from m on and returns their number. It", "stops before a pair of another kind, or with a node that contact has not loaded before.")
	var p pairs
	p.load()
	s := Load(Param("s"), GP64())
	touch, item := p.node, p.item
	sum := func(at int) Mem { return Mem{Base: s, Disp: at} }
	frame := AllocLocal(4*8 + 5*16)
	onto := func(k int) Mem { return frame.Offset(8 * k) }
	start, way, sideways := frame.Offset(32), frame.Offset(48), frame.Offset(64)
	area, damping2 := frame.Offset(80), frame.Offset(88)

	four := func(low, high reg.VecVirtual) reg.VecVirtual {
		r := YMM()
		VINSERTF128(Imm(1), high, low.AsY(), r)
		return r
	}
	mul4 := func(p, q reg.VecVirtual) reg.VecVirtual { r := YMM(); VMULPD(q, p, r); return r }

	sums := []reg.VecVirtual{double(sum(sumNormal)), double(sum(sumResultant)), single(sum(sumMoment)), single(sum(sumStored))}

	Label("pair")
	p.check()
	p.ends(func(k int, node reg.GPVirtual) {
		if k < 2 {
			x := GP64()
			MOVQ(p.list(listX), x)
			at := double(Mem{Base: x, Index: node, Scale: 1})
			if k == 0 {
				VMOVUPD(at, start)
			} else {
				VSUBPD(start, at, at)
				VMOVUPD(at, way)
			}
		}
		which, lists, word := GP64(), GP64(), GP64()
		MOVQ(node, which)
		SHRQ(U8(strideShift+pageShift), which)
		MOVQ(p.list(listPages), lists)
		MOVQ(Mem{Base: lists, Index: which, Scale: 8}, lists)
		TESTQ(lists, lists)
		JEQ(LabelRef("end"))
		at := GP64()
		MOVQ(node, at)
		ANDQ(U32(pageMask), at)
		LEAQ(Mem{Base: lists, Index: at, Scale: 2}, lists)
		MOVQ(lists, onto(k))
		MOVQ(p.list(listLoaded), lists)
		MOVQ(Mem{Base: lists, Index: which, Scale: 8}, word)
		SHRQ(U8(strideShift), node)
		BTSQ(node, word)
		MOVQ(word, Mem{Base: lists, Index: which, Scale: 8})
	})
	areas, element := GP64(), GP64()
	MOVQ(p.list(listArea), areas)
	MOVLQSX(p.of(pairElement), element)
	VMOVSD(single(Mem{Base: areas, Index: element, Scale: 8}), area)
	damper := single(p.of(pairDamper))
	VADDSD(p.list(lawDamping), damper, damper)
	VADDSD(damper, damper, damper)
	VMOVSD(damper, damping2)
	right := swap(p.of(pairInward))
	VXORPD(p.list(turned), right, right)
	VMOVUPD(right, sideways)
	p.begin(listPlaces)

	Label("node")
	CMPQ(p.at, p.to)
	JGE(LabelRef("done"))

	whole := single(area)
	part := mul1(touch(nodeFraction), whole)
	stiff, damp := single(item(listStiffness)), mul1(damping2, part)
	VADDSD(stiff, stiff, stiff)
	VMULSD(part, stiff, stiff)
	energy := single(item(listStored))
	CMPB(touch(nodeRepeated), Imm(0))
	JNE(LabelRef("repeated"))
	VADDSD(mul1(energy, part), sums[3], sums[3])
	JMP(LabelRef("counted"))
	Label("repeated")
	VMULSD(touch(nodeCovered), stiff, stiff)
	VMULSD(touch(nodeCovered), damp, damp)
	Label("counted")
	stiffness := pair(stiff, damp)

	// normal force and friction, and their moments
	strength := pair(mul1(item(listPressure), part), mul1(item(listFriction), part))
	forces := mul4(four(strength, strength), four(twice(touch(nodeForce)), twice(touch(nodeMoment))))
	count := double(p.list(unit))
	VMOVHPD(touch(nodeForceSum), count, count)
	VDIVPD(four(count, count), forces, forces)
	first, second := XMM(), XMM() // normal force and friction, and the moments of these
	VMOVAPD(forces.AsX(), first)
	VEXTRACTF128(Imm(1), forces, second)
	VADDPD(first, sums[0], sums[0])
	rubs := swap(first)
	VMULSD(touch(nodeSlope), energy, energy)
	VMULSD(whole, energy, energy)
	VSUBSD(energy, rubs, rubs)
	rubs1 := swap(second)
	force := sub2(mul2(sideways, twice(rubs)), mul2(p.of(pairInward), twice(first)))
	moment := sub2(mul2(sideways, twice(rubs1)), mul2(p.of(pairInward), twice(second)))
	acts := four(force, stiffness)

	VADDPD(mul2(force, twice(p.of(pairSide))), sums[1], sums[1])

	u := p.place()
	arm := mul2(way, twice(u))
	VADDPD(start, arm, arm)
	VMULPD(swap(force), arm, arm)
	turns := mul2(way, swap(moment))
	turn := sub2(pair(arm, turns), pairHigh(arm, turns))
	VADDSD(swap(turn), turn, turn)
	VMULSD(p.of(pairSide), turn, turn)
	VADDSD(turn, sums[2], sums[2])

	// the contact element
	v := single(p.list(unit))
	VSUBSD(u, v, v)
	end := GP64()
	on := func(k int, shares reg.VecVirtual, add func(share, r reg.VecVirtual)) {
		share, r := mul4(shares, acts), YMM()
		MOVQ(onto(k), end)
		add(share, r)
		VMOVUPD(r, Mem{Base: end})
	}
	all := func(x reg.VecVirtual) reg.VecVirtual { r := YMM(); VBROADCASTSD(x, r); return r }
	on(0, all(v), func(share, r reg.VecVirtual) {
		VSUBPD(moment.AsY(), share, r)
		VADDPD(Mem{Base: end}, r, r)
	})
	on(1, all(u), func(share, r reg.VecVirtual) {
		VADDPD(moment.AsY(), share, r)
		VADDPD(Mem{Base: end}, r, r)
	})

	// the opposite edge, with the couples
	couple, rest := mul1(touch(nodeDepth), rubs), mul1(p.of(pairDepthSlope), rubs1)
	VADDSD(rest, couple, couple)
	about := mul2(p.of(pairRotation), twice(couple))
	along := mul2(moment, twice(p.of(pairPlaceSlope)))
	place := single(touch(nodePlace))
	held, none := XMM(), XMM()
	VXORPD(none, none, none)
	VMAXSD(none, place, held)
	VMINSD(p.list(unit), held, held)
	w, left := single(p.list(unit)), single(p.list(unit))
	VSUBSD(place, w, w)
	VSUBSD(held, left, left)
	on(2, four(twice(w), twice(left)), func(share, r reg.VecVirtual) {
		VSUBPD(along.AsY(), share, share)
		VXORPD(p.list(opposed), share, share)
		VMOVUPD(Mem{Base: end}, r)
		VSUBPD(share, r, r)
		VSUBPD(about.AsY(), r, r)
	})
	on(3, four(twice(place), twice(held)), func(share, r reg.VecVirtual) {
		VADDPD(along.AsY(), share, share)
		VXORPD(p.list(opposed), share, share)
		VMOVUPD(Mem{Base: end}, r)
		VSUBPD(share, r, r)
		VADDPD(about.AsY(), r, r)
	})

	p.next(func() {
		VMOVUPD(sums[0], sum(sumNormal))
		VMOVUPD(sums[1], sum(sumResultant))
		VMOVSD(sums[2], sum(sumMoment))
		VMOVSD(sums[3], sum(sumStored))
	})
}

// rates finds the rates and slips of the contact points of pairs.
func rates() {
	TEXT("ratesAVX2", NOSPLIT, "func(m *int32, n int, c *float64) int")
	Pragma("noescape")
	Doc("ratesAVX2 is findRates for the first of n pairs from m on. It returns their number and stops", "before a pair of another kind.")
	var p pairs
	p.load()
	frame := AllocLocal(6 * 16)
	local := func(i int) Mem { return frame.Offset(16 * i) }
	va, ve, wa, wo, alone, turning := local(0), local(1), local(2), local(3), local(4), local(5)

	// both returns the cross product of a vector with inward, and their scalar product.
	both := func(a reg.VecVirtual) reg.VecVirtual {
		return crossDot(mul2(swap(p.of(pairInward)), a), mul2(p.of(pairInward), a))
	}

	Label("pair")
	p.check()
	first, along := []Mem{va, wa}, []Mem{ve, wo}
	p.ends(func(k int, node reg.GPVirtual) {
		v := GP64()
		MOVQ(p.list(listV), v)
		at := double(Mem{Base: v, Index: node, Scale: 1})
		if k%2 == 0 {
			VMOVUPD(at, first[k/2])
			return
		}
		VSUBPD(first[k/2], at, at)
		VMOVUPD(at, along[k/2])
	})
	opposite := double(wo)
	turn := mul2(p.of(pairRotation), opposite)
	VADDSD(swap(turn), turn, turn)
	VMOVSD(turn, turning)
	slides := both(sub2(double(ve), mul2(opposite, twice(p.of(pairPlaceSlope)))))
	VADDSD(mul1(p.of(pairDepthSlope), turn), slides, slides)
	VMOVUPD(slides, alone)
	p.begin(listPlaces)

	Label("node")
	CMPQ(p.at, p.to)
	JGE(LabelRef("done"))
	u, s := p.place(), twice(p.node(nodePlace))
	w := add2(va, mul2(ve, twice(u)))
	o := add2(wa, mul2(wo, s))
	VSUBPD(o, w, w)
	moves := both(w)
	VADDSD(mul1(turning, single(p.node(nodeDepth))), moves, moves)
	VMULPD(twice(p.node(nodeForce)), moves, moves)
	VADDPD(mul2(alone, twice(p.node(nodeMoment))), moves, moves)
	VMOVHPD(moves, p.item(listRate))
	CMPQ(p.list(slipsWanted), Imm(0))
	JEQ(LabelRef("slipped"))
	VDIVSD(p.node(nodeForceSum), moves, moves)
	VMOVSD(moves, p.node(nodeSlip))
	Label("slipped")
	p.next(func() {})
}
