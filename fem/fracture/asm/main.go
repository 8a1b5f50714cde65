// Command asm writes fem/fracture/quad_amd64.s and its Go declarations: the forces of
// four cracks at a time with AVX2, and their sums. It does what Zone.pull and cohesive.Law.Advance do
// where no damage grows, operation by operation and in the same order, so that both give
// the same bits; a fused multiply-add would not, and is not used.
//
// Run it in fem/fracture with go generate.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	lane   = 32 // a value of four cracks [bytes]
	corner = 16 // from the nodes of one corner to those of the next [bytes]
)

// Offsets within quad, as fracture has them [bytes].
const (
	alone     = 4 * corner
	stiffness = alone + lane + lane*(iota-1)
	soft
	friction
	weight
	length2
	ends
)

// Offsets within an end of it [bytes].
const (
	normal = lane * iota
	shear
	drive
	slid
	rub
	integrity
	heat
	endSize
)

const (
	force = ends + 2*endSize
	size  = force + 8*lane
)

// Offsets within bounds, as fracture has them [bytes].
const (
	one = lane * iota
	half
	three
	twentyFour
	sign
)

// Predicates of comparisons, false for no number but for unlike.
const (
	equal  = 0x00
	unlike = 0x04
	less   = 0x11
	least  = 0x1d
	above  = 0x1e
)

// ahead is how far before their use quads are asked for [bytes]: processors guess that
// arrays are read on, but not from one page of memory into the next.
const (
	ahead = 2 * size
	line  = 64 // of the cache
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
	Doc("addCracksAVX2 adds the forces of the cracks of a list, of those in quads from q on, one", "after the other, up to the first with a node that stands before from [bytes].")
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
	of, in := GP64(), GP64() // its quad, and its place in that
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
	for k := range node { // one after the other: two may be the same
		r := XMM()
		VMOVSD(Mem{Base: of, Disp: force + 2*k*lane, Index: in, Scale: 8}, r)
		VMOVHPD(Mem{Base: of, Disp: force + (2*k+1)*lane, Index: in, Scale: 8}, r, r)
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

// takeQuads takes the forces of quads.
func takeQuads() {
	TEXT("takeQuadsAVX2", NOSPLIT, "func(q *int32, n int, x, f *float64, list *int32, lever, c *float64) (count int)")
	Pragma("noescape")
	Doc("takeQuadsAVX2 is the kernel for n quads from q on, of the constants c.")
	q := Load(Param("q"), GP64())
	n := Load(Param("n"), GP64())
	x := Load(Param("x"), GP64())
	f := Load(Param("f"), GP64())
	list := Load(Param("list"), GP64())
	lever := Load(Param("lever"), GP64())
	c := Load(Param("c"), GP64())
	count, number := GP64(), GP32() // the latter 16 times the number of the quad
	XORQ(count, count)
	XORL(number, number)
	constant := func(at int) Mem { return Mem{Base: c, Disp: at} }
	field := func(at int) Mem { return Mem{Base: q, Disp: at} }
	frame := AllocLocal(20 * lane)
	local := func(i int) Mem { return frame.Offset(i * lane) }

	gather := func(k int) (px, py reg.VecVirtual) {
		at := func(i int) Mem {
			r := GP64()
			MOVL(Mem{Base: q, Disp: k*corner + 4*i}, r.As32())
			return Mem{Base: x, Index: r, Scale: 1}
		}
		u, v := YMM(), YMM() // lanes 0 and 2, lanes 1 and 3
		VBROADCASTF128(at(0), u)
		VINSERTF128(Imm(1), at(2), u, u)
		VBROADCASTF128(at(1), v)
		VINSERTF128(Imm(1), at(3), v, v)
		px, py = YMM(), YMM()
		VUNPCKLPD(v, u, px)
		VUNPCKHPD(v, u, py)
		return px, py
	}
	load := func(m Mem) reg.VecVirtual { r := YMM(); VMOVUPD(m, r); return r }
	keep := func(r Op, m Mem) { VMOVUPD(r, m) }
	sub := func(p, q Op) reg.VecVirtual { r := YMM(); VSUBPD(q, p, r); return r }
	add := func(p, q Op) reg.VecVirtual { r := YMM(); VADDPD(q, p, r); return r }
	mul := func(p, q Op) reg.VecVirtual { r := YMM(); VMULPD(q, p, r); return r }
	div := func(p, q Op) reg.VecVirtual { r := YMM(); VDIVPD(q, p, r); return r }
	and := func(p, q Op) reg.VecVirtual { r := YMM(); VANDPD(q, p, r); return r }
	or := func(p, q Op) reg.VecVirtual { r := YMM(); VORPD(q, p, r); return r }
	xor := func(p, q Op) reg.VecVirtual { r := YMM(); VXORPD(q, p, r); return r }
	without := func(p Op, mask reg.VecVirtual) reg.VecVirtual { r := YMM(); VANDNPD(p, mask, r); return r }
	is := func(how uint64, p, q Op) reg.VecVirtual { r := YMM(); VCMPPD(Imm(how), q, p, r); return r }
	choose := func(mask reg.VecVirtual, yes Op, no reg.VecVirtual) reg.VecVirtual {
		r := YMM()
		VBLENDVPD(mask, yes, no, r)
		return r
	}
	zero := func() reg.VecVirtual { r := YMM(); VXORPD(r, r, r); return r }
	// Values that there are no registers for from one end to the other.
	tx, ty, ny, l := local(0), local(1), local(2), local(3)
	moment, far, bears, grows := local(4), local(5), local(6), local(7)
	fx, fy := [2]Mem{local(8), local(9)}, [2]Mem{local(10), local(11)}
	opening, slip := [2]Mem{local(12), local(13)}, [2]Mem{local(14), local(15)}
	newSlid, newRub := [2]Mem{local(16), local(17)}, [2]Mem{local(18), local(19)}

	CMPQ(n, Imm(0))
	JLE(LabelRef("end"))
	Label("loop")
	for at := 0; at < size; at += line {
		PREFETCHT0(Mem{Base: q, Disp: ahead + at})
	}
	next := GP64()
	LEAQ(Mem{Base: q, Disp: size}, next)
	CMPQ(n, Imm(1))
	CMOVQEQ(q, next)    // after the last comes the last
	for i := range 16 { // nodes that cracks add are anywhere: two fifths of the time
		r := GP64()
		MOVL(Mem{Base: next, Disp: 4 * i}, r.As32())
		PREFETCHT0(Mem{Base: x, Index: r, Scale: 1})
		MOVL(Mem{Base: q, Disp: 4 * i}, r.As32())
		PREFETCHT0(Mem{Base: f, Index: r, Scale: 1})
	}

	// Directions and length by the middles of the nodes, opening and slip: crack.take.
	ax, ay := gather(0)
	bx, by := gather(2)
	cx, cy := gather(1)
	dx, dy := gather(3)
	g0x, g0y, g1x, g1y := sub(bx, ax), sub(by, ay), sub(dx, cx), sub(dy, cy) // gaps
	middle := func(a, b, c, d reg.VecVirtual) reg.VecVirtual {
		return mul(add(sub(c, a), sub(d, b)), constant(half))
	}
	ex, ey := middle(ax, bx, cx, dx), middle(ay, by, cy, dy)
	length := YMM()
	VSQRTPD(add(mul(ex, ex), mul(ey, ey)), length)
	keep(length, l)
	x1, y1 := div(ex, length), div(ey, length)
	n1 := xor(x1, constant(sign))
	keep(x1, tx)
	keep(y1, ty)
	keep(n1, ny)
	for end, g := range [2][2]reg.VecVirtual{{g0x, g0y}, {g1x, g1y}} {
		keep(add(mul(g[0], y1), mul(g[1], n1)), opening[end])
		keep(add(mul(g[0], x1), mul(g[1], y1)), slip[end])
	}

	// The law, at one end and at the other.
	for end := range 2 {
		at := func(what int) Mem { return field(ends + end*endSize + what) }
		o, k := load(opening[end]), load(field(stiffness))
		shut := is(less, o, zero())
		some := GP32()
		VMOVMSKPD(shut, some)
		press, pressed := zero(), zero()
		// Law.contact
		done := fmt.Sprintf("apart%d", end)
		TESTL(some, some)
		JZ(LabelRef(done))
		{
			in, q0 := xor(o, constant(sign)), load(field(soft))
			tangent := div(mul(k, in), q0)
			light := mul(mul(tangent, constant(half)), in)
			lightEnergy := div(mul(light, in), constant(three))
			r := sub(in, mul(q0, constant(half)))
			hard := mul(k, r)
			hardEnergy := add(mul(mul(mul(k, constant(half)), r), r), div(mul(mul(k, q0), q0), constant(twentyFour)))
			isLight := is(less, in, q0)
			VANDPD(choose(isLight, light, hard), shut, press)
			VANDPD(choose(isLight, lightEnergy, hardEnergy), shut, pressed)
		}
		Label(done)

		// friction
		limit := div(mul(load(field(friction)), press), k)
		d := load(slip[end])
		old := load(at(slid))
		s := sub(d, old)
		size := without(s, load(constant(sign)))
		let := sub(d, or(limit, and(s, constant(sign))))
		VBLENDVPD(is(above, size, limit), let, old, old)
		keep(old, newSlid[end])
		s = sub(d, old)

		// what drives damage
		bulk, bond := mul(k, d), mul(k, o)
		pull := mul(add(load(at(normal)), mul(bond, constant(half))), o)
		slide := mul(add(load(at(shear)), mul(bulk, constant(half))), d)
		crush := sub(pull, pressed)
		y := sub(pull, pressed)
		VMAXPD(zero(), crush, crush)
		VANDPD(shut, crush, crush)
		y = sub(add(sub(y, crush), slide), mul(mul(mul(k, constant(half)), s), s))
		g, was := load(at(integrity)), load(at(rub))
		asleep := and(and(is(equal, g, zero()), is(equal, was, zero())), is(least, o, zero()))
		grow := without(is(above, y, at(drive)), asleep)
		if end == 1 {
			VORPD(grows, grow, grow)
		}
		keep(grow, grows)

		// traction
		gone := sub(load(constant(one)), g)
		now := mul(mul(k, gone), s)
		keep(now, newRub[end])
		tn := sub(mul(g, add(bond, at(normal))), mul(gone, press))
		ts := add(mul(g, add(bulk, at(shear))), now)
		tn, ts = without(tn, asleep), without(ts, asleep)
		bear := or(is(unlike, tn, zero()), is(unlike, ts, zero()))
		w := load(field(weight))
		VMULPD(w, tn, tn)
		VMULPD(w, ts, ts)
		keep(add(mul(tn, ty), mul(ts, tx)), fx[end])
		keep(add(mul(tn, ny), mul(ts, ty)), fy[end])
		m, way := sub(mul(tn, d), mul(ts, o)), add(mul(o, o), mul(d, d))
		if end == 0 {
			VADDPD(zero(), m, m)
		} else {
			VADDPD(moment, m, m)
			VMAXPD(far, way, way)
			VORPD(bears, bear, bear)
		}
		keep(m, moment)
		keep(way, far)
		keep(bear, bears)
	}

	// Who is to be taken alone; the others remember.
	way := load(far)
	rest := or(or(is(above, way, field(length2)), field(alone)), grows)
	lanes := GP32()
	VMOVMSKPD(rest, lanes)
	for end := range 2 {
		at := func(what int) Mem { return field(ends + end*endSize + what) }
		was, old := load(at(rub)), load(at(slid))
		now, let := load(newRub[end]), load(newSlid[end])
		rubbed := mul(mul(add(was, now), constant(half)), sub(let, old))
		h := load(at(heat))
		keep(choose(rest, h, add(h, rubbed)), at(heat))
		keep(choose(rest, old, let), at(slid))
		keep(choose(rest, was, now), at(rub))
	}
	{ // all bits where the sign is set
		VPSRAD(Imm(31), rest, rest)
		VPSHUFD(Imm(0xf5), rest, rest)
	}
	length = load(l)
	ratio := div(way, mul(length, length))
	VANDPD(bears, ratio, ratio)
	ratio = without(ratio, rest)
	VMAXPD(Mem{Base: lever}, ratio, ratio)
	VMOVUPD(ratio, Mem{Base: lever})
	turned := div(mul(load(moment), constant(half)), length)
	turnX, turnY := mul(turned, ty), mul(turned, ny)
	for i, v := range []struct {
		turn reg.VecVirtual
		f    [2]Mem
	}{{turnX, fx}, {turnY, fy}} {
		f0, f1 := load(v.f[0]), load(v.f[1])
		for node, r := range []reg.VecVirtual{
			sub(f0, v.turn), add(f1, v.turn), sub(zero(), add(f0, v.turn)), add(sub(v.turn, f1), zero()),
		} {
			keep(without(r, rest), field(force+lane*(2*node+i)))
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
	DECQ(n)
	JNZ(LabelRef("loop"))
	Label("end")
	VZEROUPPER()
	Store(count, ReturnIndex(0))
	RET()
}
