// Command laws writes materials/bulk/vector_amd64.s and its Go declarations: neo-hooke and j2
// in plane strain for four triangles at a time with AVX2, at small elastic strains. They do the
// same as Eval in Go, operation by operation and in the same order, so that both give the same
// bits.
//
// Run it in materials/bulk with go generate.
package main

import (
	. "fdem/fem/asm/four"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets within bulk.places: pointers to the values of a triangle.
const (
	fxx = iota
	fxy
	fyx
	fyy
	txx
	tyy
	txy
	tzz
	thickness
	energy
	memory // plastic inverse xx, yy, xy, zz, plastic strain, plastic work
	next   = 6 + memory
	placed = 6 + next
)

// Offsets within bulk.workAddresses.
const (
	bxx = iota + fyy + 1 // deformation gradient before the step, after that
	bxy
	byx
	byy
	bookedXX // stress
	bookedYY
	bookedXY
	bookedZZ
	strainBefore
	strainAfter
	workBefore
	workAfter
)

// Offsets within bulk.fours, which has each number four times [bytes].
const (
	one = Size * iota
	half
	two
	third
	near
	sign
	one5
	one7
	one9
	oneAndHalf
	bulk
	shear
	twoShear
	inverseShear // 1/(2 G)
	quarterShear // 1/(4 G)
	yield
	slope
	threeShear
	stiff // 3 G + slope
	twoThirds
	fourTimes // 4
	shear15   // 3/2 G
	series    // 1/6, 1/24, 1/120, 1/720, 1/5040
)

func main() {
	neoHooke()
	j2Trial()
	j2Return()
	bookJ2()
	Generate()
}

// law is the frame of a kernel.
type law struct {
	places, constants reg.Register
	from              reg.GPVirtual
}

// begin writes the code before a block. It leaves the kernel at the label end.
func begin(name, what string) (l law, done reg.GPVirtual) {
	TEXT(name, NOSPLIT, "func(n int, places **float64, constants *float64) int")
	Pragma("noescape")
	Doc(name+" is "+what+" for n > 0 blocks of four triangles. It returns the", "number of blocks done: all, or fewer if the next block must be evaluated in Go.")
	Load(Param("n"), GP64())
	l = law{places: Load(Param("places"), GP64()), constants: Load(Param("constants"), GP64()), from: GP64()}
	done = GP64()
	XORQ(done, done)
	XORQ(l.from, l.from)
	return l, done
}

// at returns the present block's value of bulk.places.
func (l law) at(place int) Mem {
	p := GP64()
	MOVQ(Mem{Base: l.places, Disp: 8 * place}, p)
	return Mem{Base: p, Index: l.from, Scale: 1}
}

func (l law) value(place int) reg.VecVirtual         { return Values(l.at(place)) }
func (l law) put(place int, r Op)                    { VMOVUPD(r, l.at(place)) }
func (l law) is(constant int) Mem                    { return Mem{Base: l.constants, Disp: constant} }
func (l law) halfOf(p reg.VecVirtual) reg.VecVirtual { return Mul(p, l.is(half)) }

// leave jumps to the end if a mask is not set in all lanes.
func leave(mask reg.VecVirtual) {
	m := GP32()
	VMOVMSKPD(mask, m)
	CMPL(m, Imm(15))
	JNE(LabelRef("end"))
}

// small returns a mask of numbers near 0.
func (l law) small(x reg.VecVirtual) reg.VecVirtual {
	return Is(Most, Without(x, Values(l.is(sign))), l.is(near))
}

// halfLog1p is bulk.halfLog1p of small numbers.
func (l law) halfLog1p(x reg.VecVirtual) reg.VecVirtual {
	z := Div(x, Add(x, l.is(two)))
	s := Mul(z, z)
	sum := Add(Mul(s, l.is(one9)), l.is(one7))
	sum = Add(Mul(s, sum), l.is(one5))
	sum = Add(Mul(s, sum), l.is(third))
	return Add(z, Mul(Mul(z, s), sum))
}

// expm1 is the series of bulk.expm1.
func (l law) expm1(x reg.VecVirtual) reg.VecVirtual {
	of := func(k int) Mem { return l.is(series + k*Size) }
	sum := Add(Mul(x, of(4)), of(3))
	for k := 2; k >= 0; k-- {
		sum = Add(Mul(x, sum), of(k))
	}
	sum = Add(Mul(x, sum), l.is(half))
	return Add(x, Mul(Mul(x, x), sum))
}

// onward continues with the next block.
func (l law) onward(done reg.GPVirtual) {
	ADDQ(Imm(Size), l.from)
	INCQ(done)
	n := GP64()
	Load(Param("n"), n)
	CMPQ(done, n)
	JNE(LabelRef("loop"))
	Label("end")
	VZEROUPPER()
	Store(done, ReturnIndex(0))
	RET()
}

// neoHooke is NeoHooke.Eval.
func neoHooke() {
	l, done := begin("neoHookeAVX2", "NeoHooke.Eval in plane strain")
	Label("loop")
	stretch := func(p, q reg.VecVirtual) reg.VecVirtual {
		return Add(Sub(Mul(p, p), l.is(one)), Mul(q, q))
	}
	f := [4]reg.VecVirtual{l.value(fxx), l.value(fxy), l.value(fyx), l.value(fyy)}
	xx, yy, xy := stretch(f[0], f[1]), stretch(f[3], f[2]), Sum(f[0], f[2], f[1], f[3])
	sum := Add(xx, yy)
	square := Add(sum, Sub(Mul(xx, yy), Mul(xy, xy)))
	leave(l.small(square))
	lnJ := l.halfLog1p(square)
	two3 := Mul(lnJ, l.is(twoThirds))
	grown := l.expm1(two3)
	k := Add(l.expm1(Xor(two3, l.is(sign))), l.is(one))
	g, p, mean := Mul(k, l.is(shear)), Mul(lnJ, l.is(bulk)), Mul(sum, l.is(third))
	l.put(txx, Add(Mul(g, Sub(xx, mean)), p))
	l.put(tyy, Add(Mul(g, Sub(yy, mean)), p))
	l.put(txy, Mul(g, xy))
	l.put(tzz, Sub(p, Mul(g, mean)))
	l.put(thickness, Values(l.is(one)))
	l.put(energy, Add(Mul(Mul(g, l.is(oneAndHalf)), Sub(mean, grown)), Mul(Mul(p, l.is(half)), lnJ)))
	l.onward(done)
}

// twice returns 2 p.
func twice(p reg.VecVirtual) reg.VecVirtual { return Add(p, p) }

// increment is Input.increment.
func (l law) increment() (xx, yy, xy reg.VecVirtual) {
	g := [4]reg.VecVirtual{l.value(bxx), l.value(bxy), l.value(byx), l.value(byy)}
	var d [4]reg.VecVirtual
	for k := range d {
		d[k] = Sub(l.value(fxx+k), g[k])
	}
	per := Div(Values(l.is(one)), less(g[0], g[3], g[1], g[2]))
	xx0, xy0 := Mul(per, less(d[0], g[3], d[1], g[2])), Mul(per, less(d[1], g[0], d[0], g[1]))
	yx0, yy0 := Mul(per, less(d[2], g[3], d[3], g[2])), Mul(per, less(d[3], g[0], d[2], g[1]))
	bxx := Add(Add(twice(xx0), Mul(xx0, xx0)), Mul(xy0, xy0))
	byy := Add(Add(twice(yy0), Mul(yx0, yx0)), Mul(yy0, yy0))
	bxy := Add(Add(Add(xy0, yx0), Mul(xx0, yx0)), Mul(xy0, yy0))
	det := less(bxx, byy, bxy, bxy)
	per = Div(Values(l.is(one)), Add(Add(twice(Add(bxx, byy)), l.is(fourTimes)), det))
	mxx, myy, mxy := Mul(per, Add(twice(bxx), det)), Mul(per, Add(twice(byy), det)), Mul(per, twice(bxy))
	sum := Add(mxx, myy)
	det = less(mxx, myy, mxy, mxy)
	of := Add(Mul(Sub(Mul(sum, sum), det), l.is(third)), l.is(one))
	both := Mul(Mul(sum, det), l.is(third))
	return Sub(Mul(of, mxx), both), Sub(Mul(of, myy), both), Mul(of, mxy)
}

// bookJ2 is J2.addWork for triangles of which some flow.
func bookJ2() {
	l, done := begin("bookJ2AVX2", "J2.addWork where some triangles have flowed")
	Label("loop")
	dxx, dyy, dxy := l.increment()
	xx, yy, zz, xy := l.value(bookedXX), l.value(bookedYY), l.value(bookedZZ), l.value(bookedXY)
	p := Mul(Add(Add(xx, yy), zz), l.is(third))
	sxx, syy, szz := Sub(xx, p), Sub(yy, p), Sub(zz, p)
	q, sum := YMM(), Add(Add(Sum(sxx, sxx, syy, syy), Mul(szz, szz)), Mul(twice(xy), xy))
	VSQRTPD(Mul(sum, l.is(oneAndHalf)), q)
	along := Div(Add(Sum(sxx, dxx, syy, dyy), Mul(twice(xy), dxy)), q)
	more := Sub(l.value(strainAfter), l.value(strainBefore))
	work := Mul(more, Add(Mul(Sub(more, along), l.is(shear15)), q))
	flows := And(Is(Unlike, more, Zero()), Is(Unlike, q, Zero()))
	l.put(workAfter, Choose(flows, Add(work, l.value(workBefore)), l.value(workAfter)))
	l.onward(done)
}

// j2Trial is J2.one up to the return mapping. It stores the data for the other half of the
// kernel in Out. There are two halves because each has one long chain of operations, and of
// short loops the processor executes several rounds at a time.
func j2Trial() {
	l, done := begin("j2TrialAVX2", "J2.Eval in plane strain up to the return")
	Label("loop")
	f := [4]reg.VecVirtual{l.value(fxx), l.value(fxy), l.value(fyx), l.value(fyy)}
	gxx, gyy, gxy := l.at(memory), l.at(memory+1), l.at(memory+2)
	axx, axy := Sum(f[0], gxx, f[1], gxy), Sum(f[0], gxy, f[1], gyy)
	bxx, bxy := Sum(axx, f[0], axy, f[1]), Sum(axx, f[2], axy, f[3])
	ayx, ayy := Sum(f[2], gxx, f[3], gxy), Sum(f[2], gxy, f[3], gyy)
	byy := Sum(ayx, f[2], ayy, f[3])
	det := less(f[0], f[3], f[1], f[2])
	m, d := l.halfOf(Add(bxx, byy)), l.halfOf(Sub(bxx, byy))
	r := YMM()
	VSQRTPD(Sum(d, d, bxy, bxy), r)
	apart := Is(Above, r, Zero())
	per := Div(Values(l.is(one)), r)
	l.put(trialCosine, Choose(apart, Mul(d, per), Values(l.is(one))))
	l.put(trialSine, And(apart, Mul(bxy, per)))
	l1 := Add(m, r)
	detG := Sub(Mul(Values(gxx), gyy), Mul(Values(gxy), gxy))
	l2 := Div(Mul(Mul(det, det), detG), l1)
	x1, x2, x3 := Sub(l1, l.is(one)), Sub(l2, l.is(one)), Sub(l.value(memory+3), l.is(one))
	leave(And(And(l.small(x1), l.small(x2)), l.small(x3)))
	e1, e2, e3 := l.halfLog1p(x1), l.halfLog1p(x2), l.halfLog1p(x3)
	v := Add(Add(e1, e2), e3)
	mean := Mul(v, l.is(third))
	l.put(trialVolume, v)
	for k, e := range []reg.VecVirtual{e1, e2, e3} {
		l.put(trialStress+k, Mul(Sub(e, mean), l.is(twoShear)))
	}
	l.onward(done)
}

// Locations of the values that both halves of the kernel use: cosine and sine of the axes, the
// volume strain, and the three deviatoric stresses.
const (
	trialCosine = energy
	trialSine   = thickness
	trialVolume = tzz
	trialStress = txx
)

func less(p, q, r, s Op) reg.VecVirtual { return Sub(Mul(p, q), Mul(r, s)) }

// j2Return is the rest, if the yield stress grows linearly or nothing yields.
func j2Return() {
	l, done := begin("j2ReturnAVX2", "J2.Eval in plane strain after j2TrialAVX2")
	frame := AllocLocal(3 * Size)
	keep := func(k int, r reg.VecVirtual) { VMOVUPD(r, frame.Offset(k*Size)) }
	Label("loop")
	s1, s2, s3 := l.value(trialStress), l.value(trialStress+1), l.value(trialStress+2)
	q := YMM()
	VSQRTPD(Mul(Add(Sum(s1, s1, s2, s2), Mul(s3, s3)), l.is(oneAndHalf)), q)
	a := l.value(memory + 4)
	over := Sub(q, Add(Mul(a, l.is(slope)), l.is(yield)))
	flows := Is(Above, over, Zero())
	keep(0, s1)
	keep(1, s2)
	keep(2, s3)
	mask := GP32()
	VMOVMSKPD(flows, mask)
	TESTL(mask, mask)
	JNZ(LabelRef("flows"))
	for k := range 6 {
		l.put(next+k, l.value(memory+k))
	}
	JMP(LabelRef("stress"))

	Label("flows")
	even := YMM()
	VMOVUPD(l.is(stiff), even)
	VPTEST(even, even) // none if the yield stress does not grow linearly
	JZ(LabelRef("end"))
	more := And(flows, Div(over, even))
	scale := Choose(flows, Sub(Values(l.is(one)), Div(Mul(more, l.is(threeShear)), q)), Values(l.is(one)))
	grown := Mul(more, Add(Mul(Add(Mul(more, l.is(half)), a), l.is(slope)), l.is(yield)))
	l.put(next+5, Add(grown, l.value(memory+5)))
	l.put(next+4, Add(a, more))
	s1, s2, s3 = Mul(s1, scale), Mul(s2, scale), Mul(s3, scale)
	keep(0, s1)
	keep(1, s2)
	keep(2, s3)
	across := Mul(l.value(trialVolume), l.is(third))
	stretch := func(s reg.VecVirtual) reg.VecVirtual { // exp 2e
		e := Add(Mul(s, l.is(inverseShear)), across)
		return Add(l.expm1(Add(e, e)), l.is(one))
	}
	l.put(next+3, Choose(flows, stretch(s3), l.value(memory+3)))
	b1, b2 := stretch(s1), stretch(s2)
	m, d := l.halfOf(Add(b1, b2)), l.halfOf(Sub(b1, b2))
	turned := Mul(d, l.at(trialCosine))
	bxx, byy, bxy := Add(m, turned), Sub(m, turned), Mul(d, l.at(trialSine))
	det := less(l.value(fxx), l.at(fyy), l.value(fxy), l.at(fyx))
	inverse := Div(Values(l.is(one)), det)
	ixx, ixy, iyx, iyy := Mul(inverse, l.at(fyy)), Mul(inverse, l.at(fxy)), Mul(inverse, l.at(fyx)), Mul(inverse, l.at(fxx))
	hxx, hxy := less(ixx, bxx, ixy, bxy), less(ixx, bxy, ixy, byy)
	hyx, hyy := less(iyy, bxy, iyx, bxx), less(iyy, byy, iyx, bxy)
	l.put(next, Choose(flows, less(hxx, ixx, hxy, ixy), l.value(memory)))
	l.put(next+1, Choose(flows, less(hyy, iyy, hyx, iyx), l.value(memory+1)))
	l.put(next+2, Choose(flows, less(hxy, iyy, hxx, iyx), l.value(memory+2)))

	Label("stress")
	s1, s2, s3 = Values(frame), Values(frame.Offset(Size)), Values(frame.Offset(2*Size))
	volume := l.value(trialVolume)
	p := Mul(volume, l.is(bulk))
	cosine, sine := l.value(trialCosine), l.value(trialSine)
	l.put(energy, Add(Mul(Mul(p, l.is(half)), volume), Mul(Add(Sum(s1, s1, s2, s2), Mul(s3, s3)), l.is(quarterShear))))
	s1, s2 = Add(s1, p), Add(s2, p)
	l.put(tzz, Add(s3, p))
	m, d = l.halfOf(Add(s1, s2)), l.halfOf(Sub(s1, s2))
	turned = Mul(d, cosine)
	l.put(txx, Add(m, turned))
	l.put(tyy, Sub(m, turned))
	l.put(txy, Mul(d, sine))
	l.put(thickness, Values(l.is(one)))
	l.onward(done)
}
