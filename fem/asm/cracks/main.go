// Command cracks writes fem/fracture/quad_amd64.s and its Go declarations: the forces of four
// cracks at a time with AVX2, and their sums. It does the same as Zone.evaluate and
// cohesive.Law.Advance while no damage grows, operation by operation and in the same order, so that
// both give the same bits. A fused multiply-add would give other bits and is not used.
//
// Run it in fem/fracture with go generate.
package main

import (
	"fmt"

	. "fdem/fem/asm/four"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const corner = 16 // offset from the nodes of one corner to those of the next [bytes]

const pressed = 4 * corner // offset of quad.pressed: after four values of 4 bytes, twice [bytes]

// Offsets within quad, as fracture has them [bytes].
const (
	stiffness = pressed + Size + Size*iota
	soft
	friction
	weight
	ends
)

// Offsets within an end of a quad [bytes].
const (
	normal = Size * iota
	shear
	drive
	integrity
	endSize
)

// Offsets within quad.slips [bytes].
const (
	slid = Size * iota
	rub
	heat
	slipSize
)

const (
	slips = ends + 2*endSize
	force = slips + 2*slipSize
	size  = force + 8*Size
)

// Offsets within an end of a balance, as fracture has them [bytes].
const (
	offset = Size * iota
	owed
	owedFriction
	compression
	shiftNormal
	shiftShear
	paid
	wasNormal
	wasShear
	lost
	due
	chargeSize
)

// Offsets within bounds, as fracture has them [bytes].
const (
	one = Size * iota
	half
	three
	twentyFour
	sign
)

// ahead is how far in advance quads are prefetched [bytes]. Processors predict that arrays are read
// on, but not from one page of memory into the next.
const (
	ahead = 2 * size
)

func main() {
	takeQuads()
	addCracks()
	Generate()
}

// addCracks adds forces as Zone.add does.
func addCracks() {
	TEXT("addCracksAVX2", NOSPLIT, "func(q *int32, list *int32, n int, f *float64, from int32) (done int)")
	Pragma("noescape")
	Doc("addCracksAVX2 adds the forces of the cracks of a list, of those in quads from q on, one", "after the other. It stops before the first crack with a node before from [bytes].")
	q := Load(Param("q"), GP64())
	list := Load(Param("list"), GP64())
	n := Load(Param("n"), GP64())
	f := Load(Param("f"), GP64())
	from := GP32()
	Load(Param("from"), from)
	done := GP64()
	XORQ(done, done)
	Label("crack")
	CMPQ(done, n)
	JGE(LabelRef("done"))
	of, in := GP64(), GP64() // its quad, and its position in the quad
	MOVL(Mem{Base: list, Index: done, Scale: 4}, of.As32())
	MOVL(of.As32(), in.As32())
	ANDL(Imm(3), in.As32())
	SHRL(Imm(2), of.As32())
	IMUL3Q(U32(size), of, of)
	ADDQ(q, of)
	var node [4]reg.GPVirtual
	for k := range node {
		node[k] = GP64()
		MOVL(Mem{Base: of, Disp: k * corner, Index: in, Scale: 4}, node[k].As32())
		CMPL(node[k].As32(), from)
		JLT(LabelRef("done"))
	}
	for k := range node { // one after the other, because two may be the same
		r := XMM()
		VMOVSD(Mem{Base: of, Disp: force + 2*k*Size, Index: in, Scale: 8}, r)
		VMOVHPD(Mem{Base: of, Disp: force + (2*k+1)*Size, Index: in, Scale: 8}, r, r)
		at := Mem{Base: f, Index: node[k], Scale: 1}
		VADDPD(at, r, r)
		VMOVUPD(r, at)
	}
	INCQ(done)
	JMP(LabelRef("crack"))
	Label("done")
	Store(done, ReturnIndex(0))
	RET()
}

// beganUnder returns all bits if a point began under pressure. There the four values of 4 bytes are
// negative.
func beganUnder(pressed Mem) reg.VecVirtual {
	began := YMM()
	VPMOVSXDQ(pressed, began)
	VPCMPGTQ(began, Zero(), began)
	return began
}

// takeQuads computes the forces of quads.
func takeQuads() {
	TEXT("takeQuadsAVX2", NOSPLIT, "func(q *int32, n int, charge, x, f *float64, list *int32, lever, c *float64, square float64) (count int)")
	Pragma("noescape")
	Doc("takeQuadsAVX2 is the kernel for n quads from q on and their charges, with the constants c. Cracks",
		"are listed for evaluation in Go if a squared distance of their faces times square exceeds their",
		"squared weight.")
	q := Load(Param("q"), GP64())
	n := Load(Param("n"), GP64())
	charges := Load(Param("charge"), GP64())
	x := Load(Param("x"), GP64())
	f := Load(Param("f"), GP64())
	list := Load(Param("list"), GP64())
	lever := Load(Param("lever"), GP64())
	c := Load(Param("c"), GP64())
	count, number := GP64(), GP32() // the number is 16 times that of the quad
	XORQ(count, count)
	XORL(number, number)
	constant := func(at int) Mem { return Mem{Base: c, Disp: at} }
	field := func(at int) Mem { return Mem{Base: q, Disp: at} }
	sliding := func(end, what int) Mem { return field(slips + end*slipSize + what) }
	frame := AllocLocal(24 * Size)
	local := func(i int) Mem { return frame.Offset(i * Size) }

	gather := func(k int) (px, py reg.VecVirtual) {
		return Pairs(func(lane int) Mem {
			r := GP64()
			MOVL(Mem{Base: q, Disp: k*corner + 4*lane}, r.As32())
			return Mem{Base: x, Index: r, Scale: 1}
		})
	}
	keep := func(r Op, m Mem) { VMOVUPD(r, m) }
	// Values for which there are no registers from one end to the other.
	tx, ty, l := local(0), local(1), local(3)
	moment, far, borne, alone := local(4), local(5), local(6), local(7)
	fx, fy := [2]Mem{local(8), local(9)}, [2]Mem{local(10), local(11)}
	opening, slip := [2]Mem{local(12), local(13)}, [2]Mem{local(14), local(15)}
	newSlid, newRub, others := [2]Mem{local(16), local(17)}, [2]Mem{local(18), local(19)}, local(20)
	stretchedNormal, stretchedShear := [2]Mem{local(21), local(22)}, [2]Mem{local(23), local(2)}

	CMPQ(n, Imm(0))
	JLE(LabelRef("end"))
	Label("loop")
	for at := 0; at < size; at += Line {
		PREFETCHT0(Mem{Base: q, Disp: ahead + at})
	}
	next := GP64()
	LEAQ(Mem{Base: q, Disp: size}, next)
	CMPQ(n, Imm(1))
	CMOVQEQ(q, next)    // the last one is followed by itself
	for i := range 16 { // nodes that cracks add are at any address: two fifths of the time
		r := GP64()
		MOVL(Mem{Base: next, Disp: 4 * i}, r.As32())
		PREFETCHT0(Mem{Base: x, Index: r, Scale: 1})
		MOVL(Mem{Base: q, Disp: 4 * i}, r.As32())
		PREFETCHT0(Mem{Base: f, Index: r, Scale: 1})
	}

	// Directions and length by the middles of the nodes, opening and slip, as in crack.frame.
	ax, ay := gather(0)
	bx, by := gather(2)
	cx, cy := gather(1)
	dx, dy := gather(3)
	g0x, g0y, g1x, g1y := Sub(bx, ax), Sub(by, ay), Sub(dx, cx), Sub(dy, cy) // gaps
	middle := func(a, b, c, d reg.VecVirtual) reg.VecVirtual {
		return Mul(Add(Sub(c, a), Sub(d, b)), constant(half))
	}
	ex, ey := middle(ax, bx, cx, dx), middle(ay, by, cy, dy)
	length := YMM()
	VSQRTPD(Add(Mul(ex, ex), Mul(ey, ey)), length)
	keep(length, l)
	x1, y1 := Div(ex, length), Div(ey, length)
	n1 := Xor(x1, constant(sign))
	keep(x1, tx)
	keep(y1, ty)
	for end, g := range [2][2]reg.VecVirtual{{g0x, g0y}, {g1x, g1y}} {
		keep(Add(Mul(g[0], y1), Mul(g[1], n1)), opening[end])
		keep(Add(Mul(g[0], x1), Mul(g[1], y1)), slip[end])
	}

	who := func() reg.VecVirtual { // cracks to be evaluated alone
		squared, w := YMM(), Values(field(weight))
		VBROADCASTSD(NewParamAddr("square", 64), squared)
		return Or(Or(Is(Above, Mul(Values(far), squared), Mul(w, w)), field(friction)), alone)
	}

	// Stiffness in shear: half of it while friction has the other half from the start.
	inShear := func(k, began reg.VecVirtual) reg.VecVirtual {
		return Choose(And(began, Is(Above, Values(field(friction)), Zero())), Mul(k, constant(half)), k)
	}

	// The law at one end and at the other. It is shorter if no point began under pressure or took
	// part in the balance.
	law := func(end int, charged bool) {
		at := func(what int) Mem { return field(ends + end*endSize + what) }
		charge := func(what int) Mem { return Mem{Base: charges, Disp: end*chargeSize + what} }
		o, k := Values(opening[end]), Values(field(stiffness))
		c, ks := o, k // opening from which the faces are measured; stiffness in shear
		var began reg.VecVirtual
		if charged {
			began, c = beganUnder(field(pressed+end*corner)), Sub(o, charge(offset))
			ks = inShear(k, began)
		}
		shut := Is(Less, c, Zero())
		some := GP32()
		VMOVMSKPD(shut, some)
		press, pressed := Zero(), Zero()
		// Law.contact
		done := fmt.Sprintf("apart%d%t", end, charged)
		TESTL(some, some)
		JZ(LabelRef(done))
		{
			in, q0 := Xor(c, constant(sign)), Values(field(soft))
			if charged {
				q0 = Without(q0, began)
			}
			tangent := Div(Mul(k, in), q0)
			light := Mul(Mul(tangent, constant(half)), in)
			lightEnergy := Div(Mul(light, in), constant(three))
			r := Sub(in, Mul(q0, constant(half)))
			hard := Mul(k, r)
			hardEnergy := Add(Mul(Mul(Mul(k, constant(half)), r), r), Div(Mul(Mul(k, q0), q0), constant(twentyFour)))
			isLight := Is(Less, in, q0)
			VANDPD(Choose(isLight, light, hard), shut, press)
			VANDPD(Choose(isLight, lightEnergy, hardEnergy), shut, pressed)
		}
		Label(done)

		// friction
		limit := Div(Mul(Values(field(friction)), press), ks)
		d := Values(slip[end])
		old := Values(sliding(end, slid))
		s := Sub(d, old)
		size := Without(s, Values(constant(sign)))
		let := Sub(d, Or(limit, And(s, constant(sign))))
		VBLENDVPD(Is(Above, size, limit), let, old, old)
		keep(old, newSlid[end])
		s = Sub(d, old)

		// the driving force of damage
		stretch, sheared := c, d
		if charged {
			stretch, sheared = Sub(c, charge(shiftNormal)), Sub(d, charge(shiftShear))
		}
		bulk, bond := Mul(ks, sheared), Mul(k, stretch)
		pull := Mul(Add(Values(at(normal)), Mul(bond, constant(half))), stretch)
		slide := Mul(Add(Values(at(shear)), Mul(bulk, constant(half))), sheared)
		crush := Sub(pull, pressed)
		y := Sub(pull, pressed)
		VMAXPD(Zero(), crush, crush)
		VANDPD(shut, crush, crush)
		rubs := Mul(Mul(Mul(ks, constant(half)), s), s)
		if charged {
			rubs = Without(rubs, began)
		}
		y = Sub(Add(Sub(y, crush), slide), rubs)
		g, was := Values(at(integrity)), Values(sliding(end, rub))
		asleep := And(And(Is(Equal, g, Zero()), Is(Equal, was, Zero())), Is(AtLeast, c, Zero()))
		rest := Without(Is(Above, y, at(drive)), asleep)

		// traction
		gone := Sub(Values(constant(one)), g)
		rough := Mul(ks, gone)
		if charged {
			rough = Choose(began, ks, rough)
		}
		now := Mul(rough, s)
		keep(now, newRub[end])
		if charged { // Point.BalanceContact and Heat change the point
			rubbed := Mul(Add(was, now), Sub(Values(newSlid[end]), sliding(end, slid)))
			pays := Or(And(Is(Above, Values(charge(owed)), Zero()), shut), And(Is(Above, Values(charge(owedFriction)), Zero()), Is(Above, rubbed, Zero())))
			rest = Or(rest, And(pays, began))
		}
		if end == 1 {
			VORPD(alone, rest, rest)
		}
		keep(rest, alone)
		tn := Sub(Mul(g, Add(bond, at(normal))), Mul(gone, press))
		ts := Add(Mul(g, Add(bulk, at(shear))), now)
		tn, ts = Without(tn, asleep), Without(ts, asleep)
		bear := Or(Is(Unlike, tn, Zero()), Is(Unlike, ts, Zero()))
		w := Values(field(weight))
		VMULPD(w, tn, tn)
		VMULPD(w, ts, ts)
		keep(Add(Mul(tn, ty), Mul(ts, tx)), fx[end])
		keep(Add(Mul(tn, Xor(Values(tx), constant(sign))), Mul(ts, ty)), fy[end])
		m, way := Sub(Mul(tn, d), Mul(ts, o)), Add(Mul(o, o), Mul(d, d))
		VANDPD(way, bear, bear)
		if end == 0 {
			VADDPD(Zero(), m, m)
		} else {
			VADDPD(moment, m, m)
			VMAXPD(far, way, way)
			VMAXPD(borne, bear, bear)
		}
		keep(m, moment)
		keep(way, far)
		keep(bear, borne)
	}
	// Point.BalanceCohesion of points that may be balanced: their stretch, and which of them are
	// balanced now, later, or no longer.
	// do pay, may, or have no more to.
	dues := func(end int) {
		at := func(what int) Mem { return field(ends + end*endSize + what) }
		charge := func(what int) Mem { return Mem{Base: charges, Disp: end*chargeSize + what} }
		began, k := beganUnder(field(pressed+end*corner)), Values(field(stiffness))
		ks := inShear(k, began)
		o := Values(opening[end])
		sheared, stretch := Sub(Values(slip[end]), charge(shiftShear)), Sub(o, charge(shiftNormal))
		bulk := Mul(ks, sheared)
		s := Add(bulk, at(shear))
		n := Without(Add(Mul(k, stretch), at(normal)), began)
		keep(n, stretchedNormal[end])
		keep(s, stretchedShear[end])
		squared := Sum(n, n, s, s)
		slide := Mul(Add(Mul(bulk, constant(half)), at(shear)), sheared)
		c := Sub(o, charge(offset))
		VMAXPD(Zero(), c, c)
		c = Choose(began, c, stretch)
		stored := Add(slide, Mul(Add(Mul(Mul(k, constant(half)), c), at(normal)), c))
		g, h := Values(at(integrity)), Values(sliding(end, heat))
		given := Xor(Mul(g, stored), constant(sign))
		for _, less := range []Mem{charge(lost), charge(paid)} {
			VSUBPD(less, given, given)
		}
		pays := Or(Is(Above, Sub(given, h), Zero()), Is(AtLeast, g, constant(one)))
		size := Values(charge(due))
		square := Mul(size, size)
		rest := Sub(Values(constant(one)), Div(squared, square))
		VANDPD(Is(Above, rest, Zero()), pays, pays)
		was, old := Values(sliding(end, rub)), Values(sliding(end, slid))
		h = Add(h, Mul(Mul(Add(was, newRub[end]), constant(half)), Sub(Values(newSlid[end]), old)))
		settled := Is(AtLeast, Add(Add(Values(charge(paid)), charge(lost)), h), Mul(g, Div(square, Add(ks, ks))))
		VORPD(settled, pays, pays)
		VANDPD(Is(Above, size, Zero()), pays, pays)
		VORPD(alone, pays, pays)
		keep(pays, alone)
	}
	some := YMM()
	VMOVDQU(field(pressed), some)
	VPTEST(some, some)
	JZ(LabelRef("plain"))
	law(0, true)
	law(1, true)
	dues(0)
	dues(1)
	{
		keep(who(), others)
		for end := range 2 {
			charge := func(what int) Mem { return Mem{Base: charges, Disp: end*chargeSize + what} }
			rests := Or(Values(others), Is(Most, Values(charge(due)), Zero()))
			for _, v := range [2][2]Mem{{charge(wasNormal), stretchedNormal[end]}, {charge(wasShear), stretchedShear[end]}} {
				keep(Choose(rests, v[0], Values(v[1])), v[0])
			}
			began, q := beganUnder(field(pressed+end*corner)), Mem{Base: charges, Disp: end*chargeSize + compression}
			now := Sub(Values(Mem{Base: charges, Disp: end*chargeSize + offset}), opening[end])
			keep(Choose(Values(others), Values(q), Choose(began, now, Values(q))), q)
		}
	}
	JMP(LabelRef("taken"))
	Label("plain")
	law(0, false)
	law(1, false)
	keep(who(), others)
	Label("taken")

	// The memory of the others.
	rest := Values(others)
	lanes := GP32()
	VMOVMSKPD(rest, lanes)
	for end := range 2 {
		at := func(what int) Mem { return sliding(end, what) }
		was, old := Values(at(rub)), Values(at(slid))
		now, let := Values(newRub[end]), Values(newSlid[end])
		rubbed := Mul(Mul(Add(was, now), constant(half)), Sub(let, old))
		h := Values(at(heat))
		keep(Choose(rest, h, Add(h, rubbed)), at(heat))
		keep(Choose(rest, old, let), at(slid))
		keep(Choose(rest, was, now), at(rub))
	}
	{ // all bits if the sign is set
		VPSRAD(Imm(31), rest, rest)
		VPSHUFD(Imm(0xf5), rest, rest)
	}
	length = Values(l)
	ratio := Without(Div(Values(borne), Mul(length, length)), rest)
	VMAXPD(Mem{Base: lever}, ratio, ratio)
	VMOVUPD(ratio, Mem{Base: lever})
	turned := Div(Mul(Values(moment), constant(half)), length)
	turnX, turnY := Mul(turned, ty), Mul(turned, Xor(Values(tx), constant(sign)))
	for i, v := range []struct {
		turn reg.VecVirtual
		f    [2]Mem
	}{{turnX, fx}, {turnY, fy}} {
		f0, f1 := Values(v.f[0]), Values(v.f[1])
		for node, r := range []reg.VecVirtual{
			Sub(f0, v.turn), Add(f1, v.turn), Sub(Zero(), Add(f0, v.turn)), Add(Sub(v.turn, f1), Zero()),
		} {
			keep(Without(r, rest), field(force+Size*(2*node+i)))
		}
	}

	TESTL(lanes, lanes)
	JZ(LabelRef("next"))
	ADDL(number, lanes)
	MOVL(lanes, Mem{Base: list, Index: count, Scale: 4})
	INCQ(count)
	Label("next")
	ADDL(Imm(16), number)
	MOVQ(next, q)
	ADDQ(U32(2*chargeSize), charges)
	DECQ(n)
	JNZ(LabelRef("loop"))
	Label("end")
	VZEROUPPER()
	Store(count, ReturnIndex(0))
	RET()
}
