// Command asm writes fem/vector_amd64.s and its Go declarations: forces of four
// triangles and motion of two nodes at a time with AVX2. They do what the
// generic Go functions do, operation by operation and in the same order, so that
// both give the same bits; a fused multiply-add would not, and is not used.
//
// Run it in fem with go generate.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets within a block, as fem.block has them [bytes].
const (
	corner    = 16 // from the nodes of one corner to those of the next
	gradients = 48 // bx, by, cx, cy
	lanes     = 32 // of one of them
	volumes   = 48 + 128
	blockSize = 208
)

// ahead is how far before their use blocks are asked for [bytes]: processors
// guess that arrays are read on, but not from one page of memory into the next,
// and a page is twenty blocks. A fifth of the time where the third-level cache
// holds the blocks.
const (
	ahead = 4096
	line  = 64 // of the cache
)

func main() {
	addForces()
	moveNodes()
	Generate()
}

func addForces() {
	TEXT("addForcesAVX2", NOSPLIT, "func(b *int32, n int, f, x *float64, shift int, c *float64) int")
	Pragma("noescape")
	Doc("addForcesAVX2 is addForces for n blocks from b on. Node i's force is",
		"shift bytes before f[i]. It returns the number of blocks done: n, or fewer",
		"where the next has a triangle turned inside out.")
	b := GP64()
	Load(Param("b"), b)
	n := Load(Param("n"), GP64())
	f := Load(Param("f"), GP64())
	x := Load(Param("x"), GP64())
	shift := Load(Param("shift"), GP64())
	c := Load(Param("c"), GP64())
	SUBQ(shift, f)
	done := GP64()
	XORQ(done, done)
	half11, half12 := Mem{Base: c}, Mem{Base: c, Disp: lanes}
	shear, one := Mem{Base: c, Disp: 2 * lanes}, Mem{Base: c, Disp: 3 * lanes}
	zero := YMM()
	VXORPD(zero, zero, zero)

	at := func(base reg.Register, b reg.GPVirtual, k, lane int) Mem {
		r := GP64()
		MOVL(Mem{Base: b, Disp: k*corner + 4*lane}, r.As32())
		return Mem{Base: base, Index: r, Scale: 1}
	}
	gather := func(b reg.GPVirtual, k int) (px, py reg.VecVirtual) {
		u, v := YMM(), YMM()              // lanes 0 and 2, lanes 1 and 3
		VBROADCASTF128(at(x, b, k, 0), u) // all of u, or it would be kept from loop to loop
		VINSERTF128(Imm(1), at(x, b, k, 2), u, u)
		VBROADCASTF128(at(x, b, k, 1), v)
		VINSERTF128(Imm(1), at(x, b, k, 3), v, v)
		px, py = YMM(), YMM()
		VUNPCKLPD(v, u, px)
		VUNPCKHPD(v, u, py)
		return px, py
	}
	sub := func(p, q Op) reg.VecVirtual { r := YMM(); VSUBPD(q, p, r); return r }
	add := func(p, q Op) reg.VecVirtual { r := YMM(); VADDPD(q, p, r); return r }
	mul := func(p, q Op) reg.VecVirtual { r := YMM(); VMULPD(q, p, r); return r }  // q may be in memory
	sum := func(p, q, r, s Op) reg.VecVirtual { return add(mul(p, q), mul(r, s)) } // pq + rs

	// The edges of a block are taken while the block before adds its forces, so
	// that neither waits for the other: a tenth of the time.
	CMPQ(done, n)
	JGE(LabelRef("end"))
	xa, ya := gather(b, 0)
	xb, yb := gather(b, 1)
	xc, yc := gather(b, 2)
	x1, y1, x2, y2 := sub(xb, xa), sub(yb, ya), sub(xc, xa), sub(yc, ya)

	Label("loop")
	for at := 0; at < blockSize; at += line {
		PREFETCHT0(Mem{Base: b, Disp: ahead + at})
	}
	g := func(k int) Mem { return Mem{Base: b, Disp: gradients + k*lanes} }
	bx, by, cx, cy := g(0), g(1), g(2), g(3)
	fxx, fxy := sum(x1, bx, x2, cx), sum(x1, by, x2, cy)
	fyx, fyy := sum(y1, bx, y2, cx), sum(y1, by, y2, cy)

	det := sub(mul(fxx, fyy), mul(fxy, fyx))
	VCMPPD(Imm(0x1e), zero, det, det) // det > 0, false for no number
	good := GP32()
	VMOVMSKPD(det, good)
	CMPL(good, Imm(15))
	JNE(LabelRef("end"))

	stretch := func(p, q reg.VecVirtual) reg.VecVirtual { return add(mul(p, p), sub(mul(q, q), one)) }
	exx, eyy, exy := stretch(fxx, fyx), stretch(fxy, fyy), sum(fxx, fxy, fyx, fyy)
	v := YMM()
	VMOVUPD(Mem{Base: b, Disp: volumes}, v)
	sxx := mul(v, sum(exx, half11, eyy, half12))
	syy := mul(v, sum(exx, half12, eyy, half11))
	sxy := mul(v, mul(exy, shear))
	pxx, pxy := sum(fxx, sxx, fxy, sxy), sum(fxx, sxy, fxy, syy)
	gbx, gcx := sum(pxx, bx, pxy, by), sum(pxx, cx, pxy, cy)
	pyx, pyy := sum(fyx, sxx, fyy, sxy), sum(fyx, sxy, fyy, syy)
	gby, gcy := sum(pyx, bx, pyy, by), sum(pyx, cx, pyy, cy)

	next := GP64()
	LEAQ(Mem{Base: b, Disp: blockSize}, next)
	INCQ(done)
	CMPQ(done, n)
	CMOVQEQ(b, next) // after the last comes the last

	// Back to pairs (x, y); triangle after triangle, as the Go function adds.
	type pairs struct{ even, odd reg.VecVirtual } // lanes 0 and 2, lanes 1 and 3
	pair := func(px, py reg.VecVirtual) pairs {
		p := pairs{YMM(), YMM()}
		VUNPCKLPD(py, px, p.even)
		VUNPCKHPD(py, px, p.odd)
		return p
	}
	take := func(p pairs, lane int) reg.VecVirtual {
		q := p.even
		if lane%2 == 1 {
			q = p.odd
		}
		if lane < 2 {
			return q.AsX().(reg.VecVirtual)
		}
		r := XMM()
		VEXTRACTF128(Imm(1), q, r)
		return r
	}
	fa, fb, fc := pair(add(gbx, gcx), add(gby, gcy)), pair(gbx, gby), pair(gcx, gcy)
	for lane := range 4 {
		switch lane {
		case 0:
			xa, ya = gather(next, 0)
		case 1:
			xb, yb = gather(next, 1)
			VSUBPD(xa, xb, x1)
			VSUBPD(ya, yb, y1)
		case 2:
			xc, yc = gather(next, 2)
			VSUBPD(xa, xc, x2)
			VSUBPD(ya, yc, y2)
		}
		for k, p := range []pairs{fa, fb, fc} {
			q, m, r := take(p, lane), at(f, b, k, lane), XMM()
			if k == 0 {
				VADDPD(m, q, r)
			} else {
				VMOVUPD(m, r)
				VSUBPD(q, r, r)
			}
			VMOVUPD(r, m)
		}
	}
	MOVQ(next, b)
	CMPQ(done, n)
	JNE(LabelRef("loop"))
	Label("end")
	VZEROUPPER()
	Store(done, ReturnIndex(0))
	RET()
}

func moveNodes() {
	TEXT("moveNodesAVX2", NOSPLIT, "func(n int, x, v, f, inverse *float64, kick, dt float64)")
	Pragma("noescape")
	Doc("moveNodesAVX2 is moveNodes for n nodes.")
	n := Load(Param("n"), GP64())
	var from [4]reg.Register
	for i, name := range []string{"x", "v", "f", "inverse"} {
		from[i] = Load(Param(name), GP64())
	}
	broadcast := func(name string) reg.VecVirtual {
		p, err := Param(name).Resolve()
		if err != nil {
			panic(err)
		}
		r := YMM()
		VBROADCASTSD(p.Addr, r)
		return r
	}
	kick, dt := broadcast("kick"), broadcast("dt")
	zero := YMM()
	VXORPD(zero, zero, zero)
	offset := GP64()
	XORQ(offset, offset)

	// Both directions of one node fill half a register.
	move := func(at int, half func(reg.VecVirtual) reg.VecVirtual) {
		place := func(array int) Mem { return Mem{Base: from[array], Index: offset, Scale: 1, Disp: at} }
		x, v, f, inverse := place(0), place(1), place(2), place(3)
		r := half(YMM())
		VMULPD(inverse, half(kick), r)
		VMULPD(f, r, r)
		VADDPD(v, r, r)
		VMOVUPD(r, v)
		VMULPD(half(dt), r, r)
		VADDPD(x, r, r)
		VMOVUPD(r, x)
		VMOVUPD(half(zero), f)
	}
	const node = 16 // bytes
	two := func(r reg.VecVirtual) reg.VecVirtual { return r }
	one := func(r reg.VecVirtual) reg.VecVirtual { return r.AsX().(reg.VecVirtual) }
	Label("four")
	SUBQ(Imm(4), n)
	JLT(LabelRef("rest"))
	move(0, two)
	move(2*node, two)
	ADDQ(Imm(4*node), offset)
	JMP(LabelRef("four"))
	Label("rest")
	ADDQ(Imm(4), n)
	Label("one")
	JZ(LabelRef("moved"))
	move(0, one)
	ADDQ(Imm(node), offset)
	SUBQ(Imm(1), n)
	JMP(LabelRef("one"))
	Label("moved")
	VZEROUPPER()
	RET()
}
