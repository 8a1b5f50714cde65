package main

import (
	. "fdem/fem/asm/four"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// cull finds the separated pairs.
func cull() {
	TEXT("cullAVX2", NOSPLIT, "func(asked *float64, fours int, triangles *int32, x, altitude, query *float64, separated *uint8)")
	Pragma("noescape")
	Doc("cullAVX2 is cullPlain for a number of fours.")
	asked, n := Load(Param("asked"), GP64()), Load(Param("fours"), GP64())
	triangles, x := Load(Param("triangles"), GP64()), Load(Param("x"), GP64())
	altitude, c := Load(Param("altitude"), GP64()), Load(Param("query"), GP64())
	separated := Load(Param("separated"), GP64())
	query := func(at int) Mem { return Mem{Base: c, Disp: at} }

	Label("cull")
	of := func(field int) func(l int) Mem {
		return func(l int) Mem { return Mem{Base: asked, Disp: l*askedSize + field} }
	}
	awake := GP32()
	VMOVMSKPD(Is(Most, Column(of(wakes)), query(due)), awake)
	TESTL(awake, awake)
	JEQ(LabelRef("asleep"))
	var triple [4]reg.GPVirtual // three times the triangle
	for l := range triple {
		r := GP64()
		triple[l] = r
		MOVL(of(askedTarget)(l), r.As32())
		LEAQ(Mem{Base: r, Index: r, Scale: 2}, r)
	}
	f := newFrame(c, querySize+pressingSize)
	a := nodes(x, of(askedA))
	way := sub(nodes(x, of(askedB)), a)
	f.keep(along(a, way, query(firstPlace)), "first")
	f.keep(along(a, way, query(lastPlace)), "last")
	var p [3]vec
	for k := range p {
		p[k] = nodes(x, func(l int) Mem { return Mem{Base: triangles, Index: triple[l], Scale: 4, Disp: 4 * k} })
		f.keep(p[k], "p"+string(rune('0'+k)))
	}
	beyond := Mul(cross(sub(p[1], p[0]), sub(p[2], p[0])), query(opposite))
	var out, far reg.VecVirtual
	for k := range p {
		at := f.vec("p" + string(rune('0'+(k+1)%3)))
		e := sub(f.load("p"+string(rune('0'+(k+2)%3))), at)
		first, last := cross(e, sub(f.load("first"), at)), cross(e, sub(f.load("last"), at))
		d := YMM()
		VMAXPD(first, last, d)
		h := Column(func(l int) Mem { return Mem{Base: altitude, Index: triple[l], Scale: 8, Disp: 8 * k} })
		VMULPD(h, first, first)
		VMULPD(h, last, last)
		out1 := And(Is(Less, first, beyond), Is(Less, last, beyond))
		far1 := And(Is(Less, d, Zero()), Is(Above, Mul(d, d), Mul(dot(e, e), query(far2))))
		if k == 0 {
			out, far = out1, far1
		} else {
			VORPD(out1, out, out)
			VORPD(far1, far, far)
		}
	}
	low, high := GP32(), GP32()
	VMOVMSKPD(out, low)
	VMOVMSKPD(far, high)
	ANDL(awake, high)
	SHLL(Imm(4), high)
	XORL(Imm(15), awake)
	ORL(awake, low)
	ORL(high, low)
	MOVB(low.As8(), Mem{Base: separated})
	JMP(LabelRef("next"))
	Label("asleep")
	MOVB(Imm(15), Mem{Base: separated})
	Label("next")
	ADDQ(U32(4*askedSize), asked)
	INCQ(separated)
	DECQ(n)
	JNE(LabelRef("cull"))
	VZEROUPPER()
	RET()
}

// fetch prefetches data.
func fetch() {
	TEXT("fetchAVX2", NOSPLIT, "func(q, v, pages, old, next *float64)")
	Pragma("noescape")
	Doc("fetchAVX2 prefetches velocities and contact forces of four pairs with triangles, the latter if pages is not nil, and contact points of the state and of the next state.")
	q, v, pages := Load(Param("q"), GP64()), Load(Param("v"), GP64()), Load(Param("pages"), GP64())
	for _, name := range []string{"old", "next"} {
		from := Load(Param(name), GP64())
		for i := range fetchedLines {
			PREFETCHT0(Mem{Base: from, Disp: line * i})
		}
	}
	each := func(do func(n reg.GPVirtual)) {
		for k := range 5 {
			for l := range 4 {
				n := GP64()
				MOVL(Mem{Base: q, Disp: node + k*Size/2 + 4*l}, n.As32())
				do(n)
			}
		}
	}
	each(func(n reg.GPVirtual) {
		SHLQ(U8(nodeShift), n)
		PREFETCHT0(Mem{Base: v, Index: n, Scale: 1})
	})
	TESTQ(pages, pages)
	JEQ(LabelRef("fetched"))
	each(func(n reg.GPVirtual) {
		page := GP64()
		MOVQ(n, page)
		SHRQ(U8(pageShift), page)
		MOVQ(Mem{Base: pages, Index: page, Scale: 8}, page)
		ANDQ(Imm(pageNodes-1), n)
		SHLQ(U8(forceShift), n)
		PREFETCHT0(Mem{Base: page, Index: n, Scale: 1})
	})
	Label("fetched")
	RET()
}

// locate finds the positions of contact nodes in triangles, and their velocities.
func locate() {
	TEXT("locateAVX2", NOSPLIT, "func(q, x, v, altitude, query, deflection, rate *float64)")
	Pragma("noescape")
	Doc("locateAVX2 is locatePlain for four pairs with triangles.")
	q, x, v := Load(Param("q"), GP64()), Load(Param("x"), GP64()), Load(Param("v"), GP64())
	altitude, c := Load(Param("altitude"), GP64()), Load(Param("query"), GP64())
	deflection, rate := Load(Param("deflection"), GP64()), Load(Param("rate"), GP64())
	query := func(at int) Mem { return Mem{Base: c, Disp: at} }
	of := func(at int) Mem { return Mem{Base: q, Disp: at} }
	f := newFrame(c, querySize+pressingSize)
	number32 := func(k int) func(l int) Mem {
		return func(l int) Mem { return of(node + k*Size/2 + 4*l) }
	}

	// velocities
	va := nodes(v, number32(0))
	f.keep(va, "va")
	f.keep(sub(nodes(v, number32(1)), va), "turn")
	for k := range 3 {
		f.keep(nodes(v, number32(2+k)), "v"+string(rune('0'+k)))
	}

	// area coordinates of the first contact node, and the differences of those of the
	// last one
	a := nodes(x, number32(0))
	f.keep(a, "a")
	way := sub(nodes(x, number32(1)), a)
	f.keep(way, "way")
	ends := [2]vec{along(a, way, query(firstPlace)), along(a, way, query(lastPlace))}
	var p [3]vec
	for k := range p {
		p[k] = nodes(x, number32(2+k))
		f.keep(p[k], "p"+string(rune('0'+k)))
	}
	per := Div(Values(number(1)), cross(sub(p[1], p[0]), sub(p[2], p[0])))
	indexed := func(name string, k int) Mem { return f.of(name + string(rune('0'+k))) }
	for k := range p {
		e := sub(p[(k+2)%3], p[(k+1)%3])
		f.keep(e, "e"+string(rune('0'+k)))
		first := Mul(cross(e, sub(ends[0], p[(k+1)%3])), per)
		last := Mul(cross(e, sub(ends[1], p[(k+1)%3])), per)
		keep(first, indexed("first", k))
		keep(Sub(last, first), indexed("change", k))
		h := Column(func(l int) Mem {
			r := GP64()
			MOVL(of(target+4*l), r.As32())
			LEAQ(Mem{Base: r, Index: r, Scale: 2}, r)
			return Mem{Base: altitude, Index: r, Scale: 8, Disp: 8 * k}
		})
		keep(h, indexed("h", k))
		steep := Mul(h, per)
		keep(Mul(steep, e.x), of(slope+(2*k+1)*Size))
		VXORPD(sign(), steep, steep)
		keep(Mul(steep, e.y), of(slope+2*k*Size))
	}

	for _, at := range []int{inContact, near, undecided} {
		keep(Zero(), of(at))
	}
	for point := range points {
		part := number(float64(point) * (1.0 / (points - 1)))
		var w [3]reg.VecVirtual
		for k := range w {
			w[k] = Add(Mul(Values(part), indexed("change", k)), indexed("first", k))
			keep(w[k], of(weight+(3*point+k)*Size))
		}
		d := Mul(w[0], indexed("h", 0))
		d1 := Mul(w[1], indexed("h", 1))
		second := Is(Less, d1, d)
		d = Choose(second, d1, d)
		d2 := Mul(w[2], indexed("h", 2))
		third := Is(Less, d2, d)
		d = Choose(third, d2, d)
		keep(d, of(deep+point*Size))
		keep(Choose(third, four(2), And(second, four(1))), of(side+point*Size))
		pick := func(of func(k int) Mem, shift int) reg.VecVirtual {
			return Choose(third, of((2+shift)%3), Choose(second, of((1+shift)%3), Values(of(shift))))
		}

		// velocity
		vx := Add(Mul(Values(number(place(point))), f.of("turnx")), f.of("vax"))
		vy := Add(Mul(Values(number(place(point))), f.of("turny")), f.of("vay"))
		for k := range w {
			vx = Sub(vx, Mul(w[k], indexedX(f, "v", k)))
			vy = Sub(vy, Mul(w[k], indexedY(f, "v", k)))
		}
		keep(vx, of(relative+2*point*Size))
		keep(vy, of(relative+(2*point+1)*Size))
		VMULPD(pick(func(k int) Mem { return of(slope + 2*k*Size) }, 0), vx, vx)
		VMULPD(pick(func(k int) Mem { return of(slope + (2*k+1)*Size) }, 0), vy, vy)
		keep(Add(vx, vy), Mem{Base: rate, Disp: point * Size})

		// whether it is in contact, or near
		positive := YMM()
		VMAXPD(Zero(), d, positive)
		keep(positive, Mem{Base: deflection, Disp: point * Size})
		in := Is(Above, d, Zero())
		asked := Without(Is(Above, d, query(opposite)), in)
		edge := vec{pick(func(k int) Mem { return indexedX(f, "e", k) }, 0), pick(func(k int) Mem { return indexedY(f, "e", k) }, 0)}
		r := along(f.vec("a"), f.load("way"), number(place(point)))
		r = vec{Sub(r.x, pick(func(k int) Mem { return indexedX(f, "p", k) }, 1)), Sub(r.y, pick(func(k int) Mem { return indexedY(f, "p", k) }, 1))}
		u := Div(dot(edge, r), dot(edge, edge))
		VMAXPD(Zero(), u, u)
		VMINPD(number(1), u, u)
		r = vec{Sub(r.x, Mul(edge.x, u)), Sub(r.y, Mul(edge.y, u))}
		beside := Is(Most, dot(r, r), query(margin2))
		bit := four(1 << point)
		note := func(mask reg.VecVirtual, at int) {
			VANDPD(bit, mask, mask)
			VORPD(of(at), mask, mask)
			keep(mask, of(at))
		}
		note(Without(asked, beside), undecided)
		note(Or(in, And(asked, beside)), near)
		note(in, inContact)
	}
	VZEROUPPER()
	RET()
}
