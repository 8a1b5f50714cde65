package main

import (
	. "fdem/fem/asm/four"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets within size, as contactnodes has them [bytes], and the size of size as a power of two.
const (
	sizeOwn    = 0
	sizeAtA    = 8
	sizeAtB    = 16
	sizeSlope  = 24
	sizesShift = 5
)

// Offsets within shareConstants [bytes], each twice.
const (
	constOne = 16 * iota
	constTwo
	constThree
	constSix
	constPlateau
	constSteep
	constSteep4
	constHalf
	constQuarter
	constThreeQuarters
	constNotSign
)

// share finds the fractions of areas of the contact points of pairs, and their slopes. The first
// lane has the size of the opposite edge, the second that of the contact element.
func share() {
	TEXT("shareAVX2", NOSPLIT, "func(m *int32, n int, c, constants *float64) int")
	Pragma("noescape")
	Doc("shareAVX2 is sharePair for the first of n pairs from m on. It returns their number and stops", "before a pair of another kind.")
	var p pairs
	p.load()
	k := Load(Param("constants"), GP64())
	constant := func(at int) Mem { return Mem{Base: k, Disp: at} }
	own, other := GP64(), GP64()
	compare := func(how uint64, p reg.VecVirtual, q Op) reg.VecVirtual {
		r := XMM()
		VCMPPD(Imm(how), q, p, r)
		return r
	}
	choose := func(mask reg.VecVirtual, yes Op, no reg.VecVirtual) reg.VecVirtual {
		r := XMM()
		VBLENDVPD(mask, yes, no, r)
		return r
	}
	none := XMM()
	VXORPD(none, none, none)

	Label("pair")
	p.check()
	for i, r := range []reg.GPVirtual{own, other} {
		MOVLQSX(p.of([]int{pairOwn, pairEdge}[i]), r)
		SHLQ(U8(sizesShift), r)
		ADDQ(p.list(listSizes), r)
	}
	p.begin(listTowardsEnd)

	Label("node")
	CMPQ(p.at, p.to)
	JGE(LabelRef("done"))
	CMPB(p.node(nodeRepeated), Imm(0))
	JNE(LabelRef("repeated"))
	CMPB(p.of(pairShared), Imm(0))
	JEQ(LabelRef("shared"))

	place, held := single(p.node(nodePlace)), XMM()
	VMAXSD(none, place, held)
	VMINSD(constant(constOne), held, held)
	beyond := compare(Unlike, held, place)
	towards := mul1(constant(constTwo), held)
	VSUBSD(constant(constOne), towards, towards)
	VDIVSD(constant(constPlateau), towards, towards)
	z := pair(towards, p.place())
	middle := func(at int) reg.VecVirtual {
		r := XMM()
		VMOVSD(Mem{Base: other, Disp: at}, r)
		VMOVHPD(Mem{Base: own, Disp: at}, r, r)
		return r
	}
	before := compare(Less, z, none)
	end := choose(before, middle(sizeAtA), middle(sizeAtB))
	VANDPD(constant(constNotSign), z, z)
	size := middle(sizeOwn)
	more := sub2(end, size)
	past := compare(AtLeast, z, constant(constOne))
	rest := sub2(double(constant(constThree)), mul2(constant(constTwo), z))
	sum := mul2(rest, mul2(z, mul2(z, more)))
	VADDPD(sum, size, size)
	size = choose(past, end, size)

	side := single(Mem{Base: other, Disp: sizeSlope})
	change := mul1(constant(constSix), more)
	VMULSD(z, change, change)
	left := single(constant(constOne))
	VSUBSD(z, left, left)
	VMULSD(left, change, change)
	negative := sub2(none, side)
	side = choose(before, negative, side)
	VMULSD(side, change, change)
	VANDNPD(change, past, change)
	VANDNPD(change, beyond, change)

	squares := mul2(size, size)
	b, a := squares, swap(squares)
	y, both := XMM(), XMM()
	VSUBSD(a, b, y)
	VADDSD(b, a, both)
	VMULSD(constant(constSteep), y, y)
	VDIVSD(both, y, y)
	clear := XMM()
	VANDPD(constant(constNotSign), y, clear)
	VUCOMISD(constant(constOne), clear)
	JAE(LabelRef("all"))
	y2 := mul1(y, y)
	part := mul1(constant(constQuarter), y)
	factor := single(constant(constThree))
	VSUBSD(y2, factor, factor)
	VMULSD(factor, part, part)
	VADDSD(constant(constHalf), part, part)
	slope := single(constant(constOne))
	VSUBSD(y2, slope, slope)
	VMULSD(constant(constThreeQuarters), slope, slope)
	steep := mul1(constant(constSteep4), a)
	VMULSD(size, steep, steep)
	VDIVSD(mul1(both, both), steep, steep)
	VMULSD(steep, slope, slope)
	VMULSD(change, slope, slope)
	VMOVSD(part, p.node(nodeFraction))
	VMOVSD(slope, p.node(nodeSlope))
	JMP(LabelRef("shared"))

	Label("all") // or nothing
	nothing := XMM()
	VMULSD(none, change, nothing)
	VMOVSD(nothing, p.node(nodeSlope))
	whole := XMM()
	VCMPPD(Imm(Above), none, y, whole)
	VANDPD(constant(constOne), whole, whole)
	VMOVSD(whole, p.node(nodeFraction))
	JMP(LabelRef("shared"))

	Label("repeated")
	VMOVSD(single(p.node(nodeFraction-nodeSize)), p.node(nodeFraction))
	Label("shared")
	p.next(func() {})
}
