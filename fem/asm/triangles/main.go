// Command triangles writes fem/vector_amd64.s and its Go declarations: forces and stress of
// four triangles and motion of two nodes at a time with AVX2. They do the same as the
// generic Go functions, operation by operation and in the same order, so that both give the
// same bits. A fused multiply-add would give other bits, and no result uses it.
//
// Run it in fem with go generate.
package main

import (
	. "fdem/fem/asm/four"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets within a block, as fem.block has them [bytes].
const (
	corner    = 16 // offset from the nodes of one corner to those of the next
	gradients = 48 // bx, by, cx, cy
	volumes   = 48 + 128
	blockSize = 208
)

// ahead is how far in advance blocks are prefetched [bytes]. Processors predict that arrays
// are read on, but not from one page of memory into the next, and a page is twenty blocks.
// It saves a fifth of the time if the third-level cache holds the blocks.
const (
	ahead     = 4096
	listAhead = 8 // blocks of a list; fem.Ahead
)

// Offsets within constants, as fem.constants has them [bytes].
const (
	half11 = Size * iota
	half12
	shear
	one
	stiff11
	stiff12
	beta
	twiceTension
	twiceShear
	slope
	sign
	level
	rise
	least
	odd
)

func main() {
	addForces("addForcesAVX2", false, false)
	addForces("addWatchedAVX2", false, true)
	addForces("addDampedAVX2", true, false)
	addForces("addDampedWatchedAVX2", true, true)
	takeStresses("takeStressesAVX2")
	takeCorners("takeCornersAVX2")
	gatherDeformation("gatherDeformationAVX2")
	scatterStress("scatterStressAVX2")
	joinPairs("joinPairsAVX2")
	evenPairs("evenPairsAVX2")
	passSlow("passSlowAVX2")
	moveNodes("moveNodesAVX2", false, false)
	moveNodes("moveWithGravityAVX2", true, false)
	moveNodes("moveDampedAVX2", true, true)
	Generate()
}

// addForces adds forces, with those of damping and with watched stress if requested.
func addForces(name string, damped, watched bool) {
	arrays, of, hot, result := "f, x", "addForces", "", "int"
	if damped {
		arrays, of = "f, d, x, v", "addDamped"
	}
	if watched {
		hot, result = ", asleep *float32, hot *int32", "(done, count int)"
	}
	TEXT(name, NOSPLIT, "func(b *int32, n int, "+arrays+" *float64, shift int, c *float64"+hot+") "+result)
	Pragma("noescape")
	doc := []string{name + " is " + of + " for n blocks from b on. The forces on node i are shift bytes",
		"before entry i of the arrays of forces. It returns the number of blocks done:",
		"n, or fewer if the next block has an inverted triangle."}
	if watched {
		doc = append(doc, "It sets hot, of length n, to the blocks with triangles that block.woken returns: 16",
			"times the block's number plus a bit for each of these triangles. It returns the",
			"number of these blocks, too.")
	}
	Doc(doc...)
	b := GP64()
	Load(Param("b"), b)
	n := Load(Param("n"), GP64())
	f := Load(Param("f"), GP64())
	x := Load(Param("x"), GP64())
	shift := Load(Param("shift"), GP64())
	c := Load(Param("c"), GP64())
	SUBQ(shift, f)
	var d, vel reg.Register
	var kept [4]Mem // F, which damping needs after its registers are used again
	if damped {
		d, vel = Load(Param("d"), GP64()), Load(Param("v"), GP64())
		SUBQ(shift, d)
		frame := AllocLocal(4 * Size)
		for i := range kept {
			kept[i] = frame.Offset(i * Size)
		}
	}
	done := GP64()
	XORQ(done, done)
	var list, count reg.GPVirtual
	if watched {
		list, count = GP64(), GP64()
		Load(Param("hot"), list)
		XORQ(count, count)
	}
	constant := func(at int) Mem { return Mem{Base: c, Disp: at} }

	// The edges of a block are computed while the previous block adds its forces, so that
	// neither waits for the other. This saves a tenth of the time.
	CMPQ(done, n)
	JGE(LabelRef("end"))
	xa, ya := gather(x, b, 0)
	xb, yb := gather(x, b, 1)
	xc, yc := gather(x, b, 2)
	x1, y1, x2, y2 := Sub(xb, xa), Sub(yb, ya), Sub(xc, xa), Sub(yc, ya)

	Label("loop")
	for at := 0; at < blockSize; at += Line {
		PREFETCHT0(Mem{Base: b, Disp: ahead + at})
	}
	bx, by, cx, cy := gradientsOf(b)
	fxx, fxy, fyx, fyy := deformation(b, x1, y1, x2, y2)

	upright := func() { // leaves if det F is not positive, or NaN
		is, mask := Is(Above, Sub(Mul(fxx, fyy), Mul(fxy, fyx)), Zero()), GP32()
		VMOVMSKPD(is, mask)
		CMPL(mask, Imm(15))
		JNE(LabelRef("end"))
	}
	if !watched {
		upright()
	}
	if damped {
		for i, r := range []reg.VecVirtual{fxx, fxy, fyx, fyy} {
			VMOVUPD(r, kept[i])
		}
	}

	// Forces of the stresses V S, which are in registers, in the memory of F.
	forces := func(fxx, fxy, fyx, fyy Op, sxx, syy, sxy reg.VecVirtual) (a, b, c pairs) {
		pxx, pxy := Sum(sxx, fxx, sxy, fxy), Sum(sxy, fxx, syy, fxy)
		gbx, gcx := Sum(pxx, bx, pxy, by), Sum(pxx, cx, pxy, cy)
		pyx, pyy := Sum(sxx, fyx, sxy, fyy), Sum(sxy, fyx, syy, fyy)
		gby, gcy := Sum(pyx, bx, pyy, by), Sum(pyx, cx, pyy, cy)
		return pair(Add(gbx, gcx), Add(gby, gcy)), pair(gbx, gby), pair(gcx, gcy)
	}
	// Adds them triangle after triangle, like the Go function. Between two triangles there
	// is time for other work.
	scatter := func(f reg.Register, fa, fb, fc pairs, between func(lane int)) {
		for lane := range 4 {
			between(lane)
			for k, p := range []pairs{fa, fb, fc} {
				q, m, r := p.lane(lane), at(f, b, k, lane), XMM()
				if k == 0 {
					VADDPD(m, q, r)
				} else {
					VMOVUPD(m, r)
					VSUBPD(q, r, r)
				}
				VMOVUPD(r, m)
			}
		}
	}

	e := strain(constant, fxx, fxy, fyx, fyy)
	sxx, syy, sxy := stress(constant, e)
	if watched {
		// No triangle is inverted, and none passes the threshold, if left (see belowTest) is
		// neither negative nor 2 or more, and not NaN. Otherwise, which is rare, each
		// triangle is tested alone, outside of the loop. No bit depends on it, so products
		// may be fused.
		left, t := YMM(), Add(e.xx, e.yy)
		VMOVAPD(fxx, left)
		VFMSUB213PD(constant(level), fyy, left)
		VFNMADD231PD(fyx, fxy, left)
		VMAXPD(constant(least), t, t)
		VFNMADD231PD(constant(rise), t, left)
		VPTEST(constant(odd), left)
		JNZ(LabelRef("near"))
		Label("looked")
	}
	v := YMM()
	VMOVUPD(Mem{Base: b, Disp: volumes}, v)
	VMULPD(v, sxx, sxx)
	VMULPD(v, syy, syy)
	VMULPD(v, sxy, sxy)
	fa, fb, fc := forces(fxx, fxy, fyx, fyy, sxx, syy, sxy)

	if damped {
		va, wa := YMM(), YMM()
		var v1, w1, v2, w2 reg.VecVirtual // differences of velocity along the edges
		scatter(f, fa, fb, fc, func(lane int) {
			switch lane {
			case 0:
				va, wa = gather(vel, b, 0)
			case 1:
				v1, w1 = gather(vel, b, 1)
				VSUBPD(va, v1, v1)
				VSUBPD(wa, w1, w1)
			case 2:
				v2, w2 = gather(vel, b, 2)
				VSUBPD(va, v2, v2)
				VSUBPD(wa, w2, w2)
			}
		})
		lxx, lxy := Sum(v1, bx, v2, cx), Sum(v1, by, v2, cy)
		lyx, lyy := Sum(w1, bx, w2, cx), Sum(w1, by, w2, cy)
		fxx, fxy, fyx, fyy := kept[0], kept[1], kept[2], kept[3]
		exx, eyy := Sum(lxx, fxx, lyx, fyx), Sum(lxy, fxy, lyy, fyy)
		exy := Add(Sum(lxy, fxx, lyy, fyx), Sum(lxx, fxy, lyx, fyy))
		v := YMM()
		VMOVUPD(Mem{Base: b, Disp: volumes}, v)
		VMULPD(constant(beta), v, v)
		sxx := Mul(v, Sum(exx, constant(stiff11), eyy, constant(stiff12)))
		syy := Mul(v, Sum(exx, constant(stiff12), eyy, constant(stiff11)))
		sxy := Mul(v, Mul(exy, constant(shear)))
		fa, fb, fc = forces(fxx, fxy, fyx, fyy, sxx, syy, sxy)
	}

	next := GP64()
	LEAQ(Mem{Base: b, Disp: blockSize}, next)
	INCQ(done)
	CMPQ(done, n)
	CMOVQEQ(b, next) // the last one is followed by itself
	to := f
	if damped {
		to = d
	}
	scatter(to, fa, fb, fc, func(lane int) {
		switch lane {
		case 0:
			xa, ya = gather(x, next, 0)
		case 1:
			xb, yb = gather(x, next, 1)
			VSUBPD(xa, xb, x1)
			VSUBPD(ya, yb, y1)
		case 2:
			xc, yc = gather(x, next, 2)
			VSUBPD(xa, xc, x2)
			VSUBPD(ya, yc, y2)
		}
	})
	MOVQ(next, b)
	CMPQ(done, n)
	JNE(LabelRef("loop"))
	Label("end")
	VZEROUPPER()
	Store(done, ReturnIndex(0))
	if watched {
		Store(count, ReturnIndex(1))
	}
	RET()
	if watched {
		Label("near")
		upright()
		var way, reach reg.VecVirtual // the change of stress since the reference: see block.woken
		{
			at, bit := GP64(), YMM()
			Load(Param("asleep"), at)
			offset := GP64()
			MOVQ(done, offset)
			SHLQ(Imm(6), offset)
			ADDQ(offset, at)
			VMOVUPD(constant(sign), bit)
			stress := func(k int) reg.VecVirtual { r := YMM(); VCVTPS2PD(Mem{Base: at, Disp: 16 * k}, r); return r }
			dx, dy, ds := Sub(sxx, stress(0)), Sub(syy, stress(1)), Sub(sxy, stress(2))
			way = Add(Sum(dx, dx, dy, dy), Mul(ds, Add(ds, ds)))
			reach = stress(3)
			way = Is(NotMost, way, Without(reach, bit))
		}
		away, alarmed := GP32(), GP32()
		VMOVMSKPD(way, away)
		VMOVMSKPD(reach, alarmed)
		both := GP32()
		MOVL(away, both)
		ORL(alarmed, both)
		JZ(LabelRef("looked"))
		// twice the mean stress and the radius of Mohr's circle: see block.above
		p, q, s := Add(sxx, syy), Sub(sxx, syy), Add(sxy, sxy)
		square := Sum(q, q, s, s)
		above := func(p reg.VecVirtual, limit int) reg.VecVirtual { // the square of limit - p with its sign
			r, m := YMM(), YMM()
			VSUBPD(constant(limit), p, r)
			VORPD(constant(sign), r, m)
			VMULPD(m, r, r)
			return r
		}
		hot, mask := above(p, twiceTension), GP32()
		VMINPD(above(Mul(p, constant(slope)), twiceShear), hot, hot)
		VCMPPD(Imm(Above), hot, square, hot) // square > hot
		VMOVMSKPD(hot, mask)
		ANDL(alarmed, mask)
		ORL(away, mask)
		JZ(LabelRef("looked"))
		at := GP32()
		MOVL(done.As32(), at)
		SHLL(Imm(4), at)
		ORL(at, mask)
		MOVL(mask, Mem{Base: list, Index: count, Scale: 4})
		INCQ(count)
		JMP(LabelRef("looked"))
	}
}

// at returns the entry of an array of vectors for a corner of a block's triangle.
func at(base reg.Register, b reg.GPVirtual, k, lane int) Mem {
	r := GP64()
	MOVL(Mem{Base: b, Disp: k*corner + 4*lane}, r.As32())
	return Mem{Base: base, Index: r, Scale: 1}
}

// gather loads the vectors of a corner of four triangles.
func gather(from reg.Register, b reg.GPVirtual, k int) (px, py reg.VecVirtual) {
	return Pairs(func(lane int) Mem { return at(from, b, k, lane) })
}

// gradientsOf returns the gradients of the shape functions of a block.
func gradientsOf(b reg.GPVirtual) (bx, by, cx, cy Mem) {
	g := func(k int) Mem { return Mem{Base: b, Disp: gradients + k*Size} }
	return g(0), g(1), g(2), g(3)
}

// deformation returns the deformation gradient F of a block with these edges from its first
// corners.
func deformation(b reg.GPVirtual, x1, y1, x2, y2 reg.VecVirtual) (fxx, fxy, fyx, fyy reg.VecVirtual) {
	bx, by, cx, cy := gradientsOf(b)
	fxx, fxy = Sum(x1, bx, x2, cx), Sum(x1, by, x2, cy)
	fyx, fyy = Sum(y1, bx, y2, cx), Sum(y1, by, y2, cy)
	return fxx, fxy, fyx, fyy
}

// strains are twice the strain E.
type strains struct{ xx, yy, xy reg.VecVirtual }

// strain returns the strain of F.
func strain(constant func(at int) Mem, fxx, fxy, fyx, fyy reg.VecVirtual) strains {
	stretch := func(p, q reg.VecVirtual) reg.VecVirtual {
		return Add(Mul(p, p), Sub(Mul(q, q), constant(one)))
	}
	return strains{stretch(fxx, fyx), stretch(fxy, fyy), Sum(fxx, fxy, fyx, fyy)}
}

// stress returns the second Piola-Kirchhoff stress S of a strain.
func stress(constant func(at int) Mem, e strains) (sxx, syy, sxy reg.VecVirtual) {
	sxx = Sum(e.xx, constant(half11), e.yy, constant(half12))
	syy = Sum(e.xx, constant(half12), e.yy, constant(half11))
	return sxx, syy, Mul(e.xy, constant(shear))
}

// takeStresses computes the stresses of blocks of a list.
func takeStresses(name string) {
	listed(name, "stresses in out, as block.stress has them in plane stress,", 3*Size, func(b reg.GPVirtual, constant func(at int) Mem, fxx, fxy, fyx, fyy reg.VecVirtual, put func(k int, r reg.VecVirtual)) {
		sxx, syy, sxy := stress(constant, strain(constant, fxx, fxy, fyx, fyy))
		det := Sub(Mul(fxx, fyy), Mul(fxy, fyx))
		pxx, pxy := Sum(fxx, sxx, fxy, sxy), Sum(fxx, sxy, fxy, syy)
		pyx, pyy := Sum(fyx, sxx, fyy, sxy), Sum(fyx, sxy, fyy, syy)
		there := YMM() // 0 if a triangle has been removed
		VXORPD(there, there, there)
		VCMPPD(Imm(Unlike), Mem{Base: b, Disp: volumes}, there, there)
		for k, r := range []reg.VecVirtual{Sum(pxx, fxx, pxy, fxy), Sum(pyx, fyx, pyy, fyy), Sum(pxx, fyx, pxy, fyy)} {
			VDIVPD(det, r, r)
			VANDPD(there, r, r)
			put(k, r)
		}
	})
}

// takeCorners computes the forces on the corners of blocks of a list.
func takeCorners(name string) {
	listed(name, "forces on corners in out, as element.cornerForces has them,", 6*Size, func(b reg.GPVirtual, constant func(at int) Mem, fxx, fxy, fyx, fyy reg.VecVirtual, put func(k int, r reg.VecVirtual)) {
		sxx, syy, sxy := stress(constant, strain(constant, fxx, fxy, fyx, fyy))
		bx, by, cx, cy := gradientsOf(b)
		v := Xor(Values(Mem{Base: b, Disp: volumes}), constant(sign))
		for k, f := range [2][2]reg.VecVirtual{{fxx, fxy}, {fyx, fyy}} {
			px, py := Sum(f[0], sxx, f[1], sxy), Sum(f[0], sxy, f[1], syy)
			second, third := Mul(v, Sum(px, bx, py, by)), Mul(v, Sum(px, cx, py, cy))
			put(2+k, second)
			put(4+k, third)
			put(k, Xor(Add(second, third), constant(sign)))
		}
	})
}

// listed computes a value from the deformation gradient of each of the blocks of a list. put
// sets the k-th of its values; all of them have size bytes.
func listed(name, what string, size uint64, take func(b reg.GPVirtual, constant func(at int) Mem, fxx, fxy, fyx, fyy reg.VecVirtual, put func(k int, r reg.VecVirtual))) {
	TEXT(name, NOSPLIT, "func(b, list *int32, n int, x, c, out *float64)")
	Pragma("noescape")
	Doc(name+" sets the "+what, "of n > 0 blocks of those from b on. Their numbers are in a list with Ahead more", "entries.")
	all := Load(Param("b"), GP64())
	list := Load(Param("list"), GP64())
	n := Load(Param("n"), GP64())
	x := Load(Param("x"), GP64())
	c := Load(Param("c"), GP64())
	out := Load(Param("out"), GP64())
	member := func(i int, of reg.Register, size uint64) reg.GPVirtual { // the entry of the i-th member of the list from here on
		b := GP64()
		MOVLQSX(Mem{Base: list, Disp: 4 * i}, b)
		IMUL3Q(U32(size), b, b)
		ADDQ(of, b)
		return b
	}
	block := func(i int) reg.GPVirtual { return member(i, all, blockSize) }
	Label("loop")
	// Blocks of a list, and their nodes, are at any address, so they are prefetched.
	for at, b := 0, block(listAhead); at < blockSize; at += Line {
		PREFETCHT0(Mem{Base: b, Disp: at})
	}
	for k, b := 0, block(listAhead/2); k < 3; k++ {
		for lane := range 4 {
			PREFETCHT0(at(x, b, k, lane))
		}
	}
	b := block(0)
	xa, ya := gather(x, b, 0)
	xb, yb := gather(x, b, 1)
	xc, yc := gather(x, b, 2)
	x1, y1, x2, y2 := Sub(xb, xa), Sub(yb, ya), Sub(xc, xa), Sub(yc, ya)
	fxx, fxy, fyx, fyy := deformation(b, x1, y1, x2, y2)
	to := member(0, out, size)
	take(b, func(at int) Mem { return Mem{Base: c, Disp: at} }, fxx, fxy, fyx, fyy, func(k int, r reg.VecVirtual) {
		VMOVUPD(r, Mem{Base: to, Disp: k * Size})
	})
	ADDQ(Imm(4), list)
	DECQ(n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// pairs are vectors (x, y) of four triangles: of lanes 0 and 2, and of 1 and 3.
type pairs struct{ even, odd reg.VecVirtual }

func pair(px, py reg.VecVirtual) pairs {
	p := pairs{YMM(), YMM()}
	VUNPCKLPD(py, px, p.even)
	VUNPCKHPD(py, px, p.odd)
	return p
}

// lane returns the vector of one of them.
func (p pairs) lane(lane int) reg.VecVirtual {
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

// Offsets within update, as fem.update has them [bytes].
const (
	kickAt    = 0
	driftAt   = 8
	gravityAt = 16
	alphaAt   = 32
	oneAt     = 40
	signsAt   = 48
)

// moveNodes moves nodes, with weight and damping if requested.
func moveNodes(name string, weighed, damped bool) {
	args, arrays := "", []string{"x", "v", "f", "mass"}
	if damped {
		args, arrays = ", d, power", append(arrays, "d")
	}
	TEXT(name, NOSPLIT, "func(n int, x, v, f, mass"+args+", u *float64, held *uint8)")
	Pragma("noescape")
	Doc(name + " moves n nodes; n must be a multiple of four.")
	n := Load(Param("n"), GP64())
	from := map[string]reg.Register{}
	for _, name := range arrays {
		from[name] = Load(Param(name), GP64())
	}
	u, held := Load(Param("u"), GP64()), Load(Param("held"), GP64())
	broadcast := func(at int) reg.VecVirtual {
		r := YMM()
		VBROADCASTSD(Mem{Base: u, Disp: at}, r)
		return r
	}
	kick, dt, zero := broadcast(kickAt), broadcast(driftAt), YMM()
	VXORPD(zero, zero, zero)
	var gravity, alpha, given, taken reg.VecVirtual
	var power reg.Register
	if weighed {
		gravity = YMM()
		VBROADCASTF128(Mem{Base: u, Disp: gravityAt}, gravity)
	}
	if damped {
		alpha, given, taken = broadcast(alphaAt), YMM(), YMM()
		power = Load(Param("power"), GP64())
		VMOVUPD(Mem{Base: power}, given)
		VMOVUPD(Mem{Base: power, Disp: Size}, taken)
	}
	offset, number := GP64(), GP64() // offset of the next node's vectors, and its number
	XORQ(offset, offset)
	XORQ(number, number)

	// Both directions of two nodes fill a register.
	const (
		node    = 16 // bytes
		lowTwo  = 0x50
		highTwo = 0xfa
	)
	twice := func(of reg.VecVirtual, which uint8) reg.VecVirtual { // both directions of two nodes get the node's value
		r := YMM()
		VPERMPD(Imm(uint64(which)), of, r)
		return r
	}
	// kick/mass of four nodes, 0 where they are held: the flags move to the sign bits.
	kicks := func() (mass, low, high reg.VecVirtual) {
		mass, w, flags := YMM(), YMM(), YMM()
		VMOVUPD(Mem{Base: from["mass"], Index: number, Scale: 8}, mass)
		VBROADCASTSD(Mem{Base: u, Disp: oneAt}, w)
		VDIVPD(mass, w, w)
		VMULPD(kick, w, w)
		VPMOVZXBQ(Mem{Base: held, Index: number, Scale: 1}, flags)
		free := func(which uint8) reg.VecVirtual {
			r, signs := twice(w, which), twice(flags, which)
			VPSLLVQ(Mem{Base: u, Disp: signsAt}, signs, signs)
			VBLENDVPD(signs, zero, r, r)
			return r
		}
		return mass, free(lowTwo), free(highTwo)
	}
	move := func(at int, r, mass reg.VecVirtual, which uint8) {
		place := func(array string) Mem { return Mem{Base: from[array], Index: offset, Scale: 1, Disp: at} }
		x, v, f := place("x"), place("v"), place("f")
		g, d, w := YMM(), YMM(), YMM()
		var m reg.VecVirtual
		switch {
		case damped:
			VMOVUPD(place("d"), d)
			VADDPD(f, d, g)
			VMULPD(v, d, w)
			VADDPD(w, given, given)
		case weighed:
			VMOVUPD(f, g)
		}
		if weighed {
			m = twice(mass, which)
			VMULPD(gravity, m, w)
			VADDPD(w, g, g)
			VMULPD(g, r, r)
		} else {
			VMULPD(f, r, r)
		}
		VADDPD(v, r, r)
		VMOVUPD(r, v)
		if damped {
			VMULPD(r, d, w)
			VADDPD(w, taken, taken)
			VMULPD(alpha, m, w)
			VMULPD(r, w, w)
			VSUBPD(w, zero, w)
			VMOVUPD(w, place("d"))
		}
		VMULPD(dt, r, r)
		VADDPD(x, r, r)
		VMOVUPD(r, x)
		VMOVUPD(zero, f)
	}
	Label("four")
	SUBQ(Imm(4), n)
	JLT(LabelRef("moved"))
	mass, low, high := kicks()
	move(0, low, mass, lowTwo)
	move(2*node, high, mass, highTwo)
	ADDQ(Imm(4*node), offset)
	ADDQ(Imm(4), number)
	JMP(LabelRef("four"))
	Label("moved")
	if damped {
		VMOVUPD(given, Mem{Base: power})
		VMOVUPD(taken, Mem{Base: power, Disp: Size})
	}
	VZEROUPPER()
	RET()
}
