package main

import (
	. "fdem/fem/asm/four"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Triangles with constitutive laws (fem/law.go): arrays of a batch, one after the other.
const (
	batchRow   = 64 * 8 // of one value of its triangles [bytes]
	detRow     = 4      // after those of F
	cofactor   = 5
	rowsOfF    = 4
	lanesBytes = Size
)

// row is value k of the block to which a batch's pointer points.
func row(at reg.Register, k int) Mem { return Mem{Base: at, Disp: k * batchRow} }

// gatherDeformation sets the deformation gradients of blocks.
func gatherDeformation(name string) {
	TEXT(name, NOSPLIT, "func(b *int32, n int, x, rows *float64) int")
	Pragma("noescape")
	Doc(name+" sets rows of a batch to F and det F of n > 0 blocks from b on, and returns the",
		"number of blocks done: n, or fewer if the next block has an inverted triangle.")
	b := Load(Param("b"), GP64()).(reg.GPVirtual)
	n := Load(Param("n"), GP64())
	x := Load(Param("x"), GP64())
	rows := Load(Param("rows"), GP64())
	done := GP64()
	XORQ(done, done)
	Label("loop")
	for at := 0; at < blockSize; at += Line {
		PREFETCHT0(Mem{Base: b, Disp: ahead + at})
	}
	xa, ya := gather(x, b, 0)
	xb, yb := gather(x, b, 1)
	xc, yc := gather(x, b, 2)
	fxx, fxy, fyx, fyy := deformation(b, Sub(xb, xa), Sub(yb, ya), Sub(xc, xa), Sub(yc, ya))
	det := Sub(Mul(fxx, fyy), Mul(fxy, fyx))
	is, mask := Is(Above, det, Zero()), GP32()
	VMOVMSKPD(is, mask)
	CMPL(mask, Imm(15))
	JNE(LabelRef("end"))
	for k, r := range []reg.VecVirtual{fxx, fxy, fyx, fyy, det} {
		VMOVUPD(r, row(rows, k))
	}
	ADDQ(Imm(lanesBytes), rows)
	ADDQ(Imm(blockSize), b)
	INCQ(done)
	CMPQ(done, n)
	JNE(LabelRef("loop"))
	Label("end")
	VZEROUPPER()
	Store(done, ReturnIndex(0))
	RET()
}

// scatterStress adds the forces of stresses.
func scatterStress(name string) {
	TEXT(name, NOSPLIT, "func(b *int32, n int, f *float64, shift int, rows *float64, det int, txx, tyy, txy *float64)")
	Pragma("noescape")
	Doc(name+" adds the forces of the Kirchhoff stresses of n > 0 blocks from b on. F is in the rows of",
		"a batch, and its determinants times the factors of pairs are det bytes after these.",
		"The force on node i is shift bytes before entry i of f.")
	b := Load(Param("b"), GP64()).(reg.GPVirtual)
	n := Load(Param("n"), GP64())
	f := Load(Param("f"), GP64())
	shift := Load(Param("shift"), GP64())
	SUBQ(shift, f)
	rows, det := Load(Param("rows"), GP64()), Load(Param("det"), GP64())
	var t [3]reg.Register
	for k, name := range []string{"txx", "tyy", "txy"} {
		t[k] = Load(Param(name), GP64())
	}
	from := GP64()
	XORQ(from, from)
	stress := func(k int) Mem { return Mem{Base: t[k], Index: from, Scale: 1} }
	Label("loop")
	bx, by, cx, cy := gradientsOf(b)
	v := Div(Values(Mem{Base: b, Disp: volumes}), Mem{Base: rows, Index: det, Scale: 1})
	txx, tyy, txy := Values(stress(0)), Values(stress(1)), Values(stress(2))
	difference := func(p, q Op, r, s Op) reg.VecVirtual { return Mul(v, Sub(Mul(p, q), Mul(r, s))) }
	pxx, pxy := difference(txx, row(rows, 3), txy, row(rows, 1)), difference(txy, row(rows, 0), txx, row(rows, 2))
	pyx, pyy := difference(txy, row(rows, 3), tyy, row(rows, 1)), difference(tyy, row(rows, 0), txy, row(rows, 2))
	gbx, gby := Sum(pxx, bx, pxy, by), Sum(pyx, bx, pyy, by)
	gcx, gcy := Sum(pxx, cx, pxy, cy), Sum(pyx, cx, pyy, cy)
	fa, fb, fc := pair(Add(gbx, gcx), Add(gby, gcy)), pair(gbx, gby), pair(gcx, gcy)
	for lane := range 4 {
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
	ADDQ(Imm(lanesBytes), from)
	ADDQ(Imm(lanesBytes), rows)
	ADDQ(Imm(blockSize), b)
	DECQ(n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// withPartner returns the sums of the lanes of each pair, in both lanes.
func withPartner(p reg.VecVirtual) reg.VecVirtual {
	q := YMM()
	VPERMILPD(Imm(5), p, q)
	return Add(p, q)
}

// joinPairs scales the deformation gradients of pairs.
func joinPairs(name string) {
	TEXT(name, NOSPLIT, "func(b *int32, n int, rows *float64)")
	Pragma("noescape")
	Doc(name + " is batch.join for n > 0 blocks of two pairs from b on, without initial stress.")
	b := Load(Param("b"), GP64())
	n := Load(Param("n"), GP64())
	rows := Load(Param("rows"), GP64())
	Label("loop")
	v, det := Values(Mem{Base: b, Disp: volumes}), Values(row(rows, detRow))
	s := YMM()
	VSQRTPD(Div(withPartner(Mul(v, det)), Mul(withPartner(v), det)), s)
	for k := range rowsOfF {
		VMOVUPD(Mul(s, row(rows, k)), row(rows, k))
	}
	VMOVUPD(Mul(s, det), row(rows, cofactor))
	ADDQ(Imm(lanesBytes), rows)
	ADDQ(Imm(blockSize), b)
	DECQ(n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// evenPairs sets the common mean stress of pairs.
func evenPairs(name string) {
	TEXT(name, NOSPLIT, "func(b *int32, n int, rows, txx, tyy, tzz, half *float64)")
	Pragma("noescape")
	Doc(name + " is batch.even for n > 0 blocks of two pairs from b on; half is four halves.")
	b := Load(Param("b"), GP64())
	n := Load(Param("n"), GP64())
	rows := Load(Param("rows"), GP64())
	var t [3]reg.Register
	for k, name := range []string{"txx", "tyy", "tzz"} {
		t[k] = Load(Param(name), GP64())
	}
	half := Values(Mem{Base: Load(Param("half"), GP64())})
	from := GP64()
	XORQ(from, from)
	stress := func(k int) Mem { return Mem{Base: t[k], Index: from, Scale: 1} }
	Label("loop")
	v, det := Values(Mem{Base: b, Disp: volumes}), Values(row(rows, detRow))
	txx, tyy := Values(stress(0)), Values(stress(1))
	m := Mul(half, Add(txx, tyy))
	mean := Div(withPartner(Mul(v, m)), withPartner(Mul(v, det)))
	more := Sub(Mul(det, mean), m)
	VMOVUPD(Add(txx, more), stress(0))
	VMOVUPD(Add(tyy, more), stress(1))
	joined := Values(row(rows, cofactor))
	VMOVUPD(Div(Mul(Mul(det, det), stress(2)), Mul(joined, joined)), stress(2))
	ADDQ(Imm(lanesBytes), from)
	ADDQ(Imm(lanesBytes), rows)
	ADDQ(Imm(blockSize), b)
	DECQ(n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// Offsets within frequencies, as fem.frequencies has them [bytes].
const (
	halfOf = Size * iota
	most
	five
	perMass
	margin
	stiffest
	noSign
	firstC11 // of the first strain
	firstC12
	firstG
	oneOf
	three
	six
)

// passSlow searches for blocks with a triangle that may have a high frequency.
func passSlow(name string) {
	TEXT(name, NOSPLIT, "func(b *int32, n int, rows *float64, det int, txx, tyy, txy, c *float64) int")
	Pragma("noescape")
	Doc(name+" returns the number of n > 0 blocks from b on before the first one with a triangle",
		"whose frequency may exceed that of c, as in batch.measureOne.")
	frame := AllocLocal(8 * Size)
	keep := func(k int, r reg.VecVirtual) Mem { m := frame.Offset(k * Size); VMOVUPD(r, m); return m }
	b := Load(Param("b"), GP64()).(reg.GPVirtual)
	n := Load(Param("n"), GP64())
	rows, det := Load(Param("rows"), GP64()), Load(Param("det"), GP64())
	var t [3]reg.Register
	for k, name := range []string{"txx", "tyy", "txy"} {
		t[k] = Load(Param(name), GP64())
	}
	c := Load(Param("c"), GP64())
	constant := func(at int) Mem { return Mem{Base: c, Disp: at} }
	from, done := GP64(), GP64()
	XORQ(from, from)
	XORQ(done, done)
	stress := func(k int) Mem { return Mem{Base: t[k], Index: from, Scale: 1} }
	root := func(p Op) reg.VecVirtual { r := YMM(); VSQRTPD(p, r); return r }
	Label("loop")
	bx, by, cx, cy := gradientsOf(b)
	j := Values(Mem{Base: rows, Index: det, Scale: 1})
	there := func(x, y Op) (gx, gy reg.VecVirtual) { // a gradient in the present configuration
		px, py := Values(x.(Mem)), Values(y.(Mem))
		return Div(Sub(Mul(px, row(rows, 3)), Mul(py, row(rows, 2))), j), Div(Sub(Mul(py, row(rows, 0)), Mul(px, row(rows, 1))), j)
	}
	b1, b2 := there(bx, by)
	c1, c2 := there(cx, cy)
	a1, a2 := Add(b1, c1), Add(b2, c2) // with the opposite sign
	gxx := Add(Sum(a1, a1, b1, b1), Mul(c1, c1))
	gyy := Add(Sum(a2, a2, b2, b2), Mul(c2, c2))
	gxy := Add(Sum(a1, a2, b1, b2), Mul(c1, c2))
	half := Mul(Add(gxx, gyy), constant(halfOf))
	apart := Sub(Mul(half, half), Sub(Mul(gxx, gyy), Mul(gxy, gxy)))
	VMAXPD(Zero(), apart, apart)
	largest := Add(half, root(apart))
	txx, tyy, txy := Values(stress(0)), Values(stress(1)), Values(stress(2))
	d := Mul(Sub(txx, tyy), constant(halfOf))
	greatest := Add(And(Mul(Add(txx, tyy), constant(halfOf)), constant(noSign)), root(Sum(d, d, txy, txy)))
	bound := Mul(Mul(Add(Mul(greatest, constant(five)), constant(most)), constant(perMass)), largest)
	is, mask := Is(Most, Mul(bound, constant(margin)), constant(stiffest)), GP32()
	VMOVMSKPD(is, mask)
	CMPL(mask, Imm(15))
	JE(LabelRef("next"))

	// element.stiffest, and the additional part by stress
	slow, added := keep(0, is), keep(1, Mul(greatest, largest))
	c11 := Add(Add(greatest, greatest), constant(firstC11))
	l11, l33 := root(c11), root(Add(greatest, constant(firstG)))
	l21 := Div(Values(constant(firstC12)), l11)
	l22 := root(Sub(c11, Mul(l21, l21)))
	q := Mul(l21, gyy)
	a := Sum(l11, Mul(l11, gxx), l21, q)
	b0, c0 := Mul(Mul(l22, l22), gyy), Mul(Mul(l33, l33), Add(gyy, gxx))
	mean := keep(2, Div(Add(Add(a, b0), c0), Values(constant(three))))
	da, e, g := Mul(l22, q), Mul(l33, Sum(l11, gxy, l21, gxy)), Mul(Mul(l22, l33), gxy)
	p, y := eigenvalue(constant, Sub(a, mean), Sub(b0, mean), Sub(c0, mean), da, e, g, keep)
	of := Mul(Add(Add(Mul(y, p), mean), added), constant(perMass))
	VMOVMSKPD(Or(Is(Most, of, constant(stiffest)), slow), mask)
	CMPL(mask, Imm(15))
	JNE(LabelRef("end"))

	Label("next")
	ADDQ(Imm(lanesBytes), from)
	ADDQ(Imm(lanesBytes), rows)
	ADDQ(Imm(blockSize), b)
	INCQ(done)
	CMPQ(done, n)
	JNE(LabelRef("loop"))
	Label("end")
	VZEROUPPER()
	Store(done, ReturnIndex(0))
	RET()
}

// eigenvalue is the part of greatestEigenvalue without the mean: scale and root of the
// cubic. The root is NaN if the scale is 0.
func eigenvalue(constant func(int) Mem, a, b, c, d, e, f reg.VecVirtual, keep func(int, reg.VecVirtual) Mem) (p Mem, y reg.VecVirtual) {
	less := func(p, q, r, s reg.VecVirtual) reg.VecVirtual { return Sub(Mul(p, q), Mul(r, s)) }
	off := Add(Sum(d, d, e, e), Mul(f, f))
	scale := Div(Add(Add(Sum(a, a, b, b), Mul(c, c)), Add(off, off)), Values(constant(six)))
	VSQRTPD(scale, scale)
	p = keep(3, scale)
	det := Add(Sub(Mul(a, less(b, c, f, f)), Mul(d, less(d, c, e, f))), Mul(e, less(d, f, b, e)))
	r := Div(det, Mul(Mul(Add(scale, scale), scale), scale))
	minus := Sub(Zero(), Values(constant(oneOf)))
	VMAXPD(r, minus, r) // the second one if one is NaN
	VMINPD(r, Values(constant(oneOf)), r)
	twice := keep(4, Add(r, r))
	y = YMM()
	VMOVUPD(Add(Values(constant(oneOf)), Values(constant(oneOf))), y)
	mask := GP32()
	Label("newton")
	square := Mul(y, y)
	rise := Mul(Sub(square, constant(oneOf)), constant(three))
	next := Sub(y, Div(Sub(Mul(y, Sub(square, constant(three))), twice), rise))
	VMAXPD(next, Values(constant(oneOf)), next)
	falls := Is(Less, next, y)
	VBLENDVPD(falls, next, y, y)
	VMOVMSKPD(falls, mask)
	TESTL(mask, mask)
	JNZ(LabelRef("newton"))
	return p, y
}
