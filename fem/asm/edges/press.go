package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets within pressing, as contactnodes has them [bytes].
const (
	inward = 8 * iota
	_
	turned
	_
	rotation
	_
	start
	_
	way
	_
	area
	side
	damping2
	placeSlope
	depthSlope
	unit
	_
	opposed
	_
	_
	_
	nodeForces // of both ends of both edges, a pointer each
)

// Offsets within node [bytes].
const (
	nodeID       = 0
	nodePlace    = 8
	nodeDepth    = 16
	nodeFraction = 24
	nodeSlope    = 32
	nodeForce    = 48
	nodeMoment   = 56
	nodeForceSum = 64
	nodeCovered  = 80
	nodeRepeated = 97
	nodeSize     = 112
)

// Offsets within sums [bytes].
const (
	sumNormal    = 0 // and the tangential one
	sumResultant = 16
	sumMoment    = 32
	sumStored    = 40
)

// press presses the edges of a pair by its touches, one after the other: what a touch
// does to a node is a vector, of force, stiffness and damping.
func press() {
	TEXT("pressAVX2", NOSPLIT, "func(p *float64, t *int32, n int, pressure, stored, stiff, drag, place *float64, base int, s *float64)")
	Pragma("noescape")
	Doc("pressAVX2 is pressPoints for n contact points from t on.")
	p, t, n := Load(Param("p"), GP64()), Load(Param("t"), GP64()), Load(Param("n"), GP64())
	pressures, stored := Load(Param("pressure"), GP64()), Load(Param("stored"), GP64())
	stiffs, drags := Load(Param("stiff"), GP64()), Load(Param("drag"), GP64())
	places, s := Load(Param("place"), GP64()), Load(Param("s"), GP64())
	base := Load(Param("base"), GP64())
	of := func(at int) Mem { return Mem{Base: p, Disp: at} }
	touch := func(at int) Mem { return Mem{Base: t, Disp: at} }
	sum := func(at int) Mem { return Mem{Base: s, Disp: at} }
	at := GP64()
	XORQ(at, at)
	item := func(list reg.Register) Mem { return Mem{Base: list, Index: at, Scale: 8} }

	one := func(m Mem) reg.VecVirtual { r := XMM(); VMOVSD(m, r); return r }
	two := func(m Mem) reg.VecVirtual { r := XMM(); VMOVUPD(m, r); return r }
	twice := func(m Op) reg.VecVirtual { r := XMM(); VMOVDDUP(m, r); return r }
	mul1 := func(q Op, p reg.VecVirtual) reg.VecVirtual { r := XMM(); VMULSD(q, p, r); return r }
	mul2 := func(q Op, p reg.VecVirtual) reg.VecVirtual { r := XMM(); VMULPD(q, p, r); return r }
	sub2 := func(p, q reg.VecVirtual) reg.VecVirtual { r := XMM(); VSUBPD(q, p, r); return r }
	swap := func(p reg.VecVirtual) reg.VecVirtual { r := XMM(); VPERMILPD(Imm(1), p, r); return r }
	pair := func(low, high reg.VecVirtual) reg.VecVirtual { r := XMM(); VUNPCKLPD(high, low, r); return r }
	four := func(low, high reg.VecVirtual) reg.VecVirtual {
		r := YMM()
		VINSERTF128(Imm(1), high, low.AsY(), r)
		return r
	}
	mul4 := func(p, q reg.VecVirtual) reg.VecVirtual { r := YMM(); VMULPD(q, p, r); return r }

	Label("touch")
	CMPQ(at, n)
	JGE(LabelRef("pressed"))

	whole := one(of(area))
	part := mul1(touch(nodeFraction), whole)
	stiff, damp := one(item(stiffs)), mul1(of(damping2), part)
	VADDSD(stiff, stiff, stiff)
	VMULSD(part, stiff, stiff)
	energy := one(item(stored))
	CMPB(touch(nodeRepeated), Imm(0))
	JNE(LabelRef("repeated"))
	own := mul1(energy, part)
	VADDSD(sum(sumStored), own, own)
	VMOVSD(own, sum(sumStored))
	JMP(LabelRef("counted"))
	Label("repeated")
	VMULSD(touch(nodeCovered), stiff, stiff)
	VMULSD(touch(nodeCovered), damp, damp)
	Label("counted")
	stiffness := pair(stiff, damp)

	// normal force and friction, and their moments
	strength := pair(mul1(item(pressures), part), mul1(item(drags), part))
	forces := mul4(four(strength, strength), four(twice(touch(nodeForce)), twice(touch(nodeMoment))))
	count := two(of(unit))
	VMOVHPD(touch(nodeForceSum), count, count)
	VDIVPD(four(count, count), forces, forces)
	first, second := XMM(), XMM() // normal force and friction, and the moments of these
	VMOVAPD(forces.AsX(), first)
	VEXTRACTF128(Imm(1), forces, second)
	both := XMM()
	VADDPD(sum(sumNormal), first, both)
	VMOVUPD(both, sum(sumNormal))
	rubs := swap(first)
	VMULSD(touch(nodeSlope), energy, energy)
	VMULSD(whole, energy, energy)
	VSUBSD(energy, rubs, rubs)
	rubs1 := swap(second)
	force := sub2(mul2(of(turned), twice(rubs)), mul2(of(inward), twice(first)))
	moment := sub2(mul2(of(turned), twice(rubs1)), mul2(of(inward), twice(second)))
	acts := four(force, stiffness)

	resultant := mul2(force, twice(of(side)))
	VADDPD(sum(sumResultant), resultant, resultant)
	VMOVUPD(resultant, sum(sumResultant))

	index := GP64()
	MOVLQSX(touch(nodeID), index)
	SUBQ(base, index)
	u := one(Mem{Base: places, Index: index, Scale: 8})
	arm := mul2(of(way), twice(u))
	VADDPD(of(start), arm, arm)
	VMULPD(swap(force), arm, arm)
	turn := mul2(of(way), swap(moment))
	VHSUBPD(turn, arm, turn)
	VHADDPD(turn, turn, turn)
	VMULSD(of(side), turn, turn)
	VADDSD(sum(sumMoment), turn, turn)
	VMOVSD(turn, sum(sumMoment))

	// the contact element
	v := one(of(unit))
	VSUBSD(u, v, v)
	end := GP64()
	on := func(k int, shares reg.VecVirtual, add func(share, r reg.VecVirtual)) {
		share, r := mul4(shares, acts), YMM()
		MOVQ(of(nodeForces+8*k), end)
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
	couple, rest := mul1(touch(nodeDepth), rubs), mul1(of(depthSlope), rubs1)
	VADDSD(rest, couple, couple)
	about := mul2(of(rotation), twice(couple))
	along := mul2(moment, twice(of(placeSlope)))
	place := one(touch(nodePlace))
	held, none := XMM(), XMM()
	VXORPD(none, none, none)
	VMAXSD(none, place, held)
	VMINSD(of(unit), held, held)
	w, left := one(of(unit)), one(of(unit))
	VSUBSD(place, w, w)
	VSUBSD(held, left, left)
	on(2, four(twice(w), twice(left)), func(share, r reg.VecVirtual) {
		VSUBPD(along.AsY(), share, share)
		VXORPD(of(opposed), share, share)
		VMOVUPD(Mem{Base: end}, r)
		VSUBPD(share, r, r)
		VSUBPD(about.AsY(), r, r)
	})
	on(3, four(twice(place), twice(held)), func(share, r reg.VecVirtual) {
		VADDPD(along.AsY(), share, share)
		VXORPD(of(opposed), share, share)
		VMOVUPD(Mem{Base: end}, r)
		VSUBPD(share, r, r)
		VADDPD(about.AsY(), r, r)
	})

	INCQ(at)
	ADDQ(U8(nodeSize), t)
	JMP(LabelRef("touch"))
	Label("pressed")
	VZEROUPPER()
	RET()
}
