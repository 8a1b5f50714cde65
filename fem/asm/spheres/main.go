// Command spheres writes contactnodes/spheres/contactpoints_amd64.s and its Go declarations:
// four contact points of spheres at a time with AVX2. They do the same as findPoints, the
// law and addForces in Go, operation by operation and in the same order, so that both give
// the same bits. A fused multiply-add would give other bits and is not used.
//
// Run it in contactnodes/spheres with go generate.
package main

import (
	"math"

	. "fdem/fem/asm/four"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets within touch, as package spheres has it, and its size [bytes].
const (
	slot      = 0
	first     = 4
	second    = 8
	loadOf    = 12
	normal    = 16 // and arms
	slip      = 48 // slipBefore, rateBefore and spinRate
	turn      = 80
	touchSize = 104
)

// Sizes of others, as powers of two.
const (
	motionShift = 6
	memoryShift = 5
	loadShift   = 5
	reachShift  = 4
	floatShift  = 3
)

// Offsets within adding [bytes].
const (
	active         = 40
	done           = 48
	stored         = done + Size
	phases         = done + 2*Size
	peakForce      = done + 3*Size
	peakDeflection = done + 4*Size
)

// twoOf returns the two columns of four rows of two values.
func twoOf(at [4]Mem) (a, b reg.VecVirtual) { return Pairs(func(row int) Mem { return at[row] }) }

// oneOf returns the column of four rows of one value.
func oneOf(at [4]Mem) reg.VecVirtual { return Column(func(row int) Mem { return at[row] }) }

// placed returns the value of an array at the index that a contact point has.
func placed(base, p reg.Register, lane, field, shift, at int) Mem {
	r := GP64()
	MOVL(Mem{Base: p, Disp: lane*touchSize + field}, r.As32())
	if shift > floatShift {
		SHLQ(U8(shift), r)
		return Mem{Base: base, Index: r, Scale: 1, Disp: at}
	}
	return Mem{Base: base, Index: r, Scale: 1 << shift, Disp: at}
}

func main() {
	findNear()
	measure()
	viscous()
	addForces()
	Generate()
}

// findNear finds the pairs that are near.
func findNear() {
	TEXT("findNearAVX2", NOSPLIT, "func(near *int32, first, end int, pairs *int32, reach, motion, held *float64, awake *uint64) (n int)")
	Pragma("noescape")
	Doc("findNearAVX2 lists the slots of [first, end), at least four, that are awake and in contact or were so. It writes up to four more.")
	near := Load(Param("near"), GP64())
	c := Load(Param("first"), GP64())
	end := Load(Param("end"), GP64())
	pairs := Load(Param("pairs"), GP64())
	reach := Load(Param("reach"), GP64())
	motion := Load(Param("motion"), GP64())
	held := Load(Param("held"), GP64())
	awake := Load(Param("awake"), GP64())

	// The positions of the slots of a mask, as bytes of four integers.
	packs := GLOBL("packs", RODATA|NOPTR)
	for mask := range 16 {
		at := 0
		for l := range 4 {
			if mask>>l&1 == 1 {
				for b := range 4 {
					DATA(16*mask+at, U8(4*l+b))
					at++
				}
			}
		}
		for ; at < 16; at++ {
			DATA(16*mask+at, U8(0))
		}
	}
	steps := GLOBL("steps", RODATA|NOPTR)
	for l := range 4 {
		DATA(4*l, U32(l))
	}
	table := GP64()
	LEAQ(packs, table)
	skipped := GP64() // lanes of the four that are already done
	XORQ(skipped, skipped)
	SUBQ(Imm(4), end)

	Label("near")
	lanes, word, by := GP64(), GP64(), GP64()
	MOVQ(c, word)
	SHRQ(Imm(3), word)
	MOVQ(Mem{Base: awake, Index: word, Scale: 1}, lanes)
	MOVQ(c, by)
	ANDQ(Imm(7), by)
	SHRXQ(by, lanes, lanes)
	SHRXQ(skipped, lanes, lanes)
	SHLXQ(skipped, lanes, lanes)
	ANDQ(Imm(15), lanes)
	JEQ(LabelRef("asleep"))

	x := func(l, at int) Mem {
		r := GP64()
		MOVL(Mem{Base: pairs, Index: c, Scale: 8, Disp: 8*l + at}, r.As32())
		SHLQ(U8(motionShift), r)
		return Mem{Base: motion, Index: r, Scale: 1}
	}
	var ways [2]reg.VecVirtual // lanes 0 and 2, lanes 1 and 3
	for k := range ways {
		i, j := YMM(), YMM()
		VBROADCASTF128(x(k, 0), i)
		VINSERTF128(Imm(1), x(k+2, 0), i, i)
		VBROADCASTF128(x(k, 4), j)
		VINSERTF128(Imm(1), x(k+2, 4), j, j)
		ways[k] = Sub(j, i)
		VMULPD(ways[k], ways[k], ways[k])
	}
	dx, dy := YMM(), YMM()
	VUNPCKLPD(ways[1], ways[0], dx)
	VUNPCKHPD(ways[1], ways[0], dy)
	square := Add(dx, dy)
	row := GP64()
	MOVQ(c, row)
	SHLQ(U8(reachShift), row)
	apart := Values(Mem{Base: reach, Index: row, Scale: 1})
	VUNPCKLPD(Mem{Base: reach, Index: row, Scale: 1, Disp: 32}, apart, apart)
	VPERMPD(Imm(0xd8), apart, apart)
	VMULPD(apart, apart, apart)
	SHLQ(U8(memoryShift-reachShift), row)
	var memory [4]Mem
	for l := range memory {
		memory[l] = Mem{Base: held, Index: row, Scale: 1, Disp: l << memoryShift}
	}
	gone := And(Is(AtLeast, square, apart), Is(Most, oneOf(memory), Zero()))
	mask := GP32()
	VMOVMSKPD(gone, mask)
	ANDNQ(lanes, mask.As64(), lanes)

	list, order := XMM(), GP64()
	VMOVQ(c, list)
	VPBROADCASTD(list, list)
	VPADDD(steps, list, list)
	MOVQ(lanes, order)
	SHLQ(Imm(4), order)
	VPSHUFB(Mem{Base: table, Index: order, Scale: 1}, list, list)
	VMOVDQU(list, Mem{Base: near})
	POPCNTQ(lanes, lanes)
	LEAQ(Mem{Base: near, Index: lanes, Scale: 4}, near)

	Label("asleep")
	ADDQ(Imm(4), c)
	CMPQ(c, end)
	JLE(LabelRef("near"))
	MOVQ(c, skipped) // the last four, of which some are already done
	SUBQ(end, skipped)
	MOVQ(end, c)
	CMPQ(skipped, Imm(4))
	JLT(LabelRef("near"))
	SUBQ(Load(Param("near"), GP64()), near)
	SHRQ(Imm(2), near)
	Store(near, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// measure computes positions and velocities of contact points.
func measure() {
	TEXT("measureAVX2", NOSPLIT, "func(touch, near *int32, n int, pairs, load *int32, motion, held, reach, d, rate *float64) (missed int)")
	Pragma("noescape")
	Doc("measureAVX2 is measure for n fours of slots near. It returns whether a pair among them is not in contact, and leaves it in.")
	p := Load(Param("touch"), GP64())
	near := Load(Param("near"), GP64())
	n := Load(Param("n"), GP64())
	motion := Load(Param("motion"), GP64())
	held := Load(Param("held"), GP64())
	reach := Load(Param("reach"), GP64())
	deep := Load(Param("d"), GP64())
	rate := Load(Param("rate"), GP64())
	missed := GP64()
	XORQ(missed, missed)
	frame := AllocLocal(8 * Size)
	local := func(i int) Mem { return frame.Offset(i * Size) }

	Label("measure")
	CMPQ(n, Imm(0))
	JLE(LabelRef("measured"))
	for l := range 4 {
		of, r := GP64(), GP64()
		MOVL(Mem{Base: near, Disp: 4 * l}, of.As32())
		to := func(field int) Mem { return Mem{Base: p, Disp: l*touchSize + field} }
		MOVL(of.As32(), to(slot))
		MOVQ(Mem{Base: Load(Param("pairs"), GP64()), Index: of, Scale: 8}, r)
		MOVQ(r, to(first))
		MOVL(Mem{Base: Load(Param("load"), GP64()), Index: of, Scale: 4}, r.As32())
		MOVL(r.As32(), to(loadOf))
	}
	var places, motions [4]reg.VecVirtual
	spins := [4]reg.VecVirtual{YMM(), YMM(), YMM(), YMM()} // of the first spheres 0 and 2, 1 and 3, and of the second
	for l := range 4 {
		i, j := placed(motion, p, l, first, motionShift, 0), placed(motion, p, l, second, motionShift, 0)
		places[l] = Sub(Values(i), j)
		motions[l] = Sub(Values(i.Offset(32)), j.Offset(32))
		VMOVUPD(motions[l], local(l))
		for k, m := range []Mem{i.Offset(48), j.Offset(48)} {
			if s := spins[2*k+l%2]; l < 2 {
				VBROADCASTF128(m, s)
			} else {
				VINSERTF128(Imm(1), m, s, s)
			}
		}
	}
	c := Turned(places[0], places[1], places[2], places[3])
	VMOVUPD(c[2], local(4))
	VMOVUPD(c[3], local(5))
	x, y := Sub(Zero(), c[0]), Sub(Zero(), c[1])
	distance := YMM()
	VSQRTPD(Add(Mul(x, x), Mul(y, y)), distance)
	some := Is(Above, distance, Zero())
	nx, ny := And(Div(x, distance), some), And(Div(y, distance), some)
	one := YMM()
	VBROADCASTSD(ConstData("one", U64(0x3ff0000000000000)), one)
	nx = Or(nx, Without(one, some))

	var rows, memory [4]Mem
	for l := range 4 {
		rows[l] = placed(reach, p, l, slot, reachShift, 0)
	}
	apart, part := twoOf(rows)
	for l := range 4 {
		memory[l] = placed(held, p, l, slot, memoryShift, 0)
	}
	d := Sub(apart, distance)
	VMOVUPD(d, Mem{Base: deep})
	lanes := GP32()
	VMOVMSKPD(And(Is(Most, d, Zero()), Is(Most, oneOf(memory), Zero())), lanes)
	ORQ(lanes.As64(), missed)
	armI := Mul(distance, part)
	armJ := Sub(distance, armI)
	VMOVUPD(armI, local(6))
	VMOVUPD(armJ, local(7))

	r := Turned(nx, ny, armI, armJ)
	for l := range 4 {
		VMOVUPD(r[l], Mem{Base: p, Disp: l*touchSize + normal})
	}
	wi, bi, wj, bj := YMM(), YMM(), YMM(), YMM()
	VUNPCKLPD(spins[1], spins[0], wi)
	VUNPCKHPD(spins[1], spins[0], bi)
	VUNPCKLPD(spins[3], spins[2], wj)
	VUNPCKHPD(spins[3], spins[2], bj)
	arms := func(i, j reg.VecVirtual) reg.VecVirtual { return Add(Mul(i, local(6)), Mul(j, local(7))) }
	turning, turnedBefore := arms(wi, wj), arms(bi, bj)
	along := func(vx, vy Op) reg.VecVirtual { return Add(Mul(nx, vx), Mul(ny, vy)) }
	across := func(vx, vy Op) reg.VecVirtual { return Sub(Mul(nx, vy), Mul(ny, vx)) }
	VMOVUPD(along(local(4), local(5)), Mem{Base: rate})
	slips := Add(across(local(4), local(5)), turning)
	c = Turned(Values(local(0)), local(1), Values(local(2)), local(3))
	rates := along(c[0], c[1])
	slipped := Add(across(c[0], c[1]), turnedBefore)
	for l, r := range Turned(slips, slipped, rates, c[2]) {
		VMOVUPD(r, Mem{Base: p, Disp: l*touchSize + slip})
	}
	upper := XMM()
	VEXTRACTF128(Imm(1), c[3], upper)
	for l, r := range []reg.Register{c[3].AsX(), c[3].AsX(), upper, upper} {
		if l%2 == 0 {
			VMOVLPD(r, Mem{Base: p, Disp: l*touchSize + turn})
		} else {
			VMOVHPD(r, Mem{Base: p, Disp: l*touchSize + turn})
		}
	}
	ADDQ(U32(4*touchSize), p)
	ADDQ(Imm(16), near)
	ADDQ(Imm(Size), deep)
	ADDQ(Imm(Size), rate)
	DECQ(n)
	JMP(LabelRef("measure"))
	Label("measured")
	VZEROUPPER()
	Store(missed, ReturnIndex(0))
	RET()
}

// Offsets within law [bytes].
const (
	lawK = Size * iota
	lawNK
	lawN1
	lawChi
	lawSpring // the power of the spring is a root
	lawUnit
	lawApproach
	lawPush
)

// viscous evaluates a spring with a damper.
func viscous() {
	TEXT("viscousAVX2", NOSPLIT, "func(n int, d, rate, p, k, w, c *float64, power int)")
	Pragma("noescape")
	Doc("viscousAVX2 is Viscous.EvalSprung for n contact points, at least four. power is four times the damper's exponent, 0, 1, 2 or 4.")
	n := Load(Param("n"), GP64())
	d := Load(Param("d"), GP64())
	rate := Load(Param("rate"), GP64())
	p := Load(Param("p"), GP64())
	k := Load(Param("k"), GP64())
	w := Load(Param("w"), GP64())
	c := Load(Param("c"), GP64())
	power := Load(Param("power"), GP64())
	constant := func(at int) Mem { return Mem{Base: c, Disp: at} }
	at := GP64()
	XORQ(at, at)
	SUBQ(Imm(4), n)
	of := func(base reg.Register) Mem { return Mem{Base: base, Index: at, Scale: 8} }

	Label("law")
	deep, root := Values(of(d)), YMM()
	VSQRTPD(deep, root)
	speed := Values(of(rate))
	damper := Mul(speed, constant(lawChi))
	CMPQ(power, Imm(1))
	JLT(LabelRef("damped"))
	JEQ(LabelRef("fourth"))
	CMPQ(power, Imm(2))
	JEQ(LabelRef("half"))
	VMULPD(deep, damper, damper)
	JMP(LabelRef("damped"))
	Label("half")
	VMULPD(root, damper, damper)
	JMP(LabelRef("damped"))
	Label("fourth")
	fourth := YMM()
	VSQRTPD(root, fourth)
	VMULPD(fourth, damper, damper)
	Label("damped")
	// after the turn some dampers do not act
	VANDPD(Or(Is(Above, speed, Zero()), constant(lawApproach)), damper, damper)
	chord := Or(And(root, constant(lawSpring)), constant(lawUnit))
	touching := Is(Above, deep, Zero())
	VMOVUPD(And(Mul(chord, constant(lawNK)), touching), of(k))
	force := Mul(Mul(chord, constant(lawK)), deep)
	VMOVUPD(And(Div(Mul(force, deep), constant(lawN1)), touching), of(w))
	VADDPD(damper, force, force)
	pulls := And(Is(Less, force, Zero()), constant(lawPush))
	VMOVUPD(And(Without(force, pulls), touching), of(p))
	ADDQ(Imm(4), at)
	CMPQ(at, n)
	JLE(LabelRef("law"))
	done := GP64()
	LEAQ(Mem{Base: n, Disp: 4}, done)
	CMPQ(at, done)
	JGE(LabelRef("lawful"))
	MOVQ(n, at) // the last four, some of them again
	JMP(LabelRef("law"))
	Label("lawful")
	VZEROUPPER()
	RET()
}

// addForces computes friction, forces and energies.
func addForces() {
	TEXT("addForcesAVX2", NOSPLIT, "func(touch *int32, n int, held, loads, inertia, d, rate, p, k, w, c *float64)")
	Pragma("noescape")
	Doc("addForcesAVX2 is addForces for n contact points of pairs of spheres that stick and do not resist rolling.")
	p := Load(Param("touch"), GP64())
	n := Load(Param("n"), GP64())
	held := Load(Param("held"), GP64())
	loads := Load(Param("loads"), GP64())
	inertia := Load(Param("inertia"), GP64())
	c := Load(Param("c"), GP64())
	sum := func(at int) Mem { return Mem{Base: c, Disp: at} }
	four := func(name string, bits uint64) Mem {
		m := GLOBL(name, RODATA|NOPTR)
		for l := range 4 {
			DATA(8*l, U64(bits))
		}
		return m
	}
	half, sign := four("half", math.Float64bits(0.5)), four("sign", 1<<63)
	there := GLOBL("there", RODATA|NOPTR)
	for l := range 8 {
		DATA(8*l, U64(uint64(1-l/4)*math.MaxUint64))
	}
	size := func(r reg.VecVirtual) reg.VecVirtual { return Without(r, Values(sign)) }
	at := GP64()
	XORQ(at, at)
	of := func(name string) Mem { return Mem{Base: Load(Param(name), GP64()), Index: at, Scale: 1} }
	names := []string{}
	frame := AllocLocal(24 * Size)
	local := func(name string) Mem {
		for i, k := range names {
			if k == name {
				return frame.Offset(i * Size)
			}
		}
		names = append(names, name)
		if len(names) > 24 {
			panic("more locals than room")
		}
		return frame.Offset((len(names) - 1) * Size)
	}
	keep := func(r reg.VecVirtual, name string) { VMOVUPD(r, local(name)) }
	rowsOf := func(field int) (at [4]Mem) {
		for l := range at {
			at[l] = Mem{Base: p, Disp: l*touchSize + field}
		}
		return at
	}

	// book adds contact point by contact point.
	book := func(at int, rows [4]reg.VecVirtual) {
		all := Values(sum(at))
		for _, r := range rows {
			VADDPD(r, all, all)
		}
		VMOVUPD(all, sum(at))
	}

	for i, name := range []string{"ratio", "static", "kinetic", "last", "halfLast"} {
		r := YMM()
		VBROADCASTSD(sum(8*i), r)
		keep(r, name)
	}
	some := GP64()
	LEAQ(there, some)

	Label("four")
	CMPQ(n, Imm(0))
	JLE(LabelRef("added"))

	// Which of the four exist, and which of these are in contact.
	beyond := GP64()
	XORQ(beyond, beyond)
	lacking := GP64()
	MOVQ(U32(4), lacking)
	SUBQ(n, lacking)
	CMOVQGT(lacking, beyond)
	real := Values(Mem{Base: some, Index: beyond, Scale: 8})
	keep(real, "there")
	d := Values(of("d"))
	touching := And(Is(NotMost, d, Zero()), real)
	keep(touching, "touching")
	lanes := GP32()
	VMOVMSKPD(touching, lanes)
	POPCNTL(lanes, lanes)
	ADDQ(lanes.As64(), sum(active))
	press := And(Values(of("p")), touching)
	keep(press, "p")
	keep(And(Values(of("w")), touching), "stored")
	VMAXPD(sum(peakForce), press, press)
	VMOVUPD(press, sum(peakForce))
	deepest := And(d, touching)
	keep(deepest, "d")
	VMAXPD(sum(peakDeflection), deepest, deepest)
	VMOVUPD(deepest, sum(peakDeflection))

	// The memory of the pairs.
	var memory, more [4]Mem
	for l := range 4 {
		memory[l] = placed(held, p, l, slot, memoryShift, 0)
		more[l] = memory[l].Offset(16)
	}
	_, force := twoOf(memory)
	friction, springBefore := twoOf(more)
	keep(force, "force")
	keep(friction, "before")

	// The work of the normal forces, in approach and in separation.
	slipBefore, rateBefore := twoOf(rowsOf(slip + 8))
	keep(slipBefore, "slip")
	mean := Add(force, local("p"))
	VMULPD(half, mean, mean)
	impulse, work := Mul(mean, local("last")), Mul(mean, Mul(rateBefore, local("last")))
	work = And(work, local("there"))
	impulse = And(impulse, local("there"))
	keep(work, "normal")
	rate := Values(of("rate"))
	start := Sub(Add(rateBefore, rateBefore), rate)
	turns := And(And(Is(Above, start, Zero()), Is(Less, rate, Zero())), local("touching"))
	in := And(And(Is(Above, rateBefore, Zero()), Is(AtLeast, rate, Zero())), local("touching"))
	pressed, worked := And(impulse, in), And(work, in)
	turning := GP32()
	VMOVMSKPD(turns, turning)
	TESTL(turning, turning)
	JEQ(LabelRef("straight"))
	part := Div(start, Sub(start, rate))
	turn := Add(force, Mul(part, Sub(Values(local("p")), force)))
	share := Mul(part, local("halfLast"))
	VBLENDVPD(turns, Mul(share, Add(force, turn)), pressed, pressed)
	VBLENDVPD(turns, Mul(Mul(share, force), start), worked, worked)
	Label("straight")
	book(phases, Turned(pressed, worked, Sub(impulse, pressed), Sub(work, worked)))

	// The stick.
	stiff := Values(of("k"))
	VANDPD(local("touching"), stiff, stiff)
	spring := Mul(stiff, local("ratio"))
	grips := And(And(Is(Above, spring, Zero()), Is(Above, Values(local("p")), Zero())), local("touching"))
	VANDPD(grips, spring, spring)
	keep(Add(stiff, spring), "stiffness")
	keep(spring, "spring")
	slides := Is(Less, springBefore, Zero())
	was := size(springBefore)
	changed := And(Is(Unequal, spring, was), Is(Above, was, Zero()))
	scale := YMM()
	VMINPD(was, spring, scale)
	bears := Choose(changed, Mul(friction, Div(scale, was)), friction)
	way := Mul(Values(local("slip")), local("last"))
	keep(way, "way")
	same := And(slides, Is(Less, Mul(friction, way), Zero()))
	limit := Mul(Choose(same, local("kinetic"), Values(local("static"))), local("p"))
	VSUBPD(Mul(spring, way), bears, bears)
	VADDPD(Zero(), bears, bears)
	slides = And(Is(Above, size(bears), limit), grips)
	limit = Mul(Values(local("kinetic")), local("p"))
	least, cut := Xor(limit, sign), YMM()
	VMAXPD(least, bears, cut)
	VMINPD(cut, limit, cut)
	bears = And(Choose(slides, cut, bears), grips)
	keep(bears, "drag")
	keep(Or(spring, And(slides, sign)), "stick")
	energy := And(Mul(Mul(bears, half), Div(bears, spring)), grips)
	keep(energy, "springs")

	// The work of friction. For separated pairs it has another order of factors.
	loss := Mul(Add(bears, local("before")), half)
	parted := Mul(Mul(loss, local("slip")), local("last"))
	loss = Choose(Values(local("touching")), Mul(loss, local("way")), parted)
	loss = And(loss, local("there"))
	keep(Xor(loss, sign), "loss")

	// The other sums.
	book(done, Turned(Values(local("normal")), local("loss"), Values(local("p")), size(Values(local("drag")))))
	book(stored, Turned(Values(local("stored")), local("springs"), Zero(), Zero()))

	// The loads.
	nx, ny := twoOf(rowsOf(normal))
	armI, armJ := twoOf(rowsOf(normal + 16))
	push, drag := Values(local("p")), Values(local("drag"))
	fx := Sub(Xor(Mul(push, nx), sign), Mul(drag, ny))
	fy := Sub(Mul(drag, nx), Mul(push, ny))
	var ratios [4]Mem
	for l := range 4 {
		ratios[l] = placed(inertia, p, l, first, floatShift, 0)
	}
	stiffness := func(arm reg.VecVirtual, r [4]Mem) reg.VecVirtual {
		return Add(Values(local("stiffness")), Mul(Mul(Mul(arm, arm), local("spring")), oneOf(r)))
	}
	ki := stiffness(armI, ratios)
	keep(Mul(drag, armI), "normal")
	keep(ki, "loss")
	for l := range 4 {
		ratios[l] = placed(inertia, p, l, second, floatShift, 0)
	}
	kj := stiffness(armJ, ratios)
	free := []string{"force", "way", "before", "slip"} // by now
	mj := Mul(drag, armJ)
	rj := Turned(Xor(fx, sign), Xor(fy, sign), mj, kj)
	for l, r := range rj {
		VMOVUPD(r, local(free[l]))
	}
	ri := Turned(fx, fy, Values(local("normal")), local("loss"))
	rh := Turned(Values(local("d")), local("p"), Values(local("drag")), local("stick"))
	for l := range 4 {
		if l > 0 {
			CMPQ(n, Imm(uint64(l)))
			JLE(LabelRef("added"))
		}
		VMOVUPD(rh[l], placed(held, p, l, slot, memoryShift, 0))
		i := placed(loads, p, l, first, loadShift, 0)
		VADDPD(i, ri[l], ri[l])
		VMOVUPD(ri[l], i)
		j := placed(loads, p, l, loadOf, loadShift, 0)
		r := Values(local(free[l]))
		VADDPD(j, r, r)
		VMOVUPD(r, j)
	}
	ADDQ(U32(4*touchSize), p)
	ADDQ(Imm(Size), at)
	SUBQ(Imm(4), n)
	JMP(LabelRef("four"))
	Label("added")
	VZEROUPPER()
	RET()
}
