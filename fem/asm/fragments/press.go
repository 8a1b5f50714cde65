package main

import (
	. "fdem/fem/asm/four"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// linear evaluates the linear law.
func linear() {
	TEXT("linearAVX2", NOSPLIT, "func(fours int, d, rate, p, k, w *float64, stiffness, damping float64)")
	Pragma("noescape")
	Doc("linearAVX2 is Linear.Eval for a number of fours of contact nodes, without the tangent.")
	n := Load(Param("fours"), GP64())
	d, rate := Load(Param("d"), GP64()), Load(Param("rate"), GP64())
	p, k, w := Load(Param("p"), GP64()), Load(Param("k"), GP64()), Load(Param("w"), GP64())
	stiffness, damping := everywhere("stiffness"), everywhere("damping")
	at := GP64()
	XORQ(at, at)
	of := func(base reg.Register) Mem { return Mem{Base: base, Index: at, Scale: 1} }
	Label("linear")
	deep := YMM()
	VMAXPD(Zero(), Values(of(d)), deep)
	force := Mul(deep, stiffness)
	keep(Mul(Mul(force, number(0.5)), deep), of(w))
	force = Add(force, Mul(Values(of(rate)), damping))
	pushes := And(Is(NotMost, force, Zero()), Is(Above, deep, Zero()))
	keep(And(force, pushes), of(p))
	keep(stiffness, of(k))
	ADDQ(Imm(Size), at)
	DECQ(n)
	JNE(LabelRef("linear"))
	VZEROUPPER()
	RET()
}

// press computes the forces of contact points.
func press() {
	TEXT("pressAVX2", NOSPLIT, "func(q, group, old, next *float64, stride, none, past int, p, k, w, pressing *float64, step float64)")
	Pragma("noescape")
	Doc("pressAVX2 is pressPlain for four pairs with triangles, with friction that sticks or without friction.")
	q := Load(Param("q"), GP64())
	old, next := Load(Param("old"), GP64()), Load(Param("next"), GP64())
	stride, c := Load(Param("stride"), GP64()), Load(Param("pressing"), GP64())
	pressure, stiff, work := Load(Param("p"), GP64()), Load(Param("k"), GP64()), Load(Param("w"), GP64())
	SHLQ(Imm(3), stride)
	rule := func(at int) Mem { return Mem{Base: c, Disp: at} }
	of := func(at int) Mem { return Mem{Base: q, Disp: at} }
	slot := func(base reg.Register, point int) Mem { return Mem{Base: base, Disp: point * Size} }
	f := newFrame(c, pressingSize)
	half := func() Mem { return number(0.5) }
	positive := func(r reg.VecVirtual) reg.VecVirtual { return Without(r, Values(sign())) }

	table := GP64()
	LEAQ(ranks(), table)
	rowsAfter := func(list int, last, name string) { // indices of contact points, four bytes per contact node
		most, number := YMM(), GP64()
		Load(Param(last), number)
		VMOVD(number.As32(), most.AsX())
		VPBROADCASTD(most.AsX(), most)
		for l := range 4 {
			r, points := YMM(), GP64()
			VPBROADCASTD(of(list+8*l), r)
			MOVL(of(list+8*l+4), points.As32())
			SHLQ(Imm(5), points)
			VPADDD(Mem{Base: table, Index: points, Scale: 1}, r, r)
			VPMINSD(most, r, r)
			VMOVDQU(r, f.of(name+string(rune('0'+l))))
		}
	}
	rowsAfter(was, "none", "was")
	rowsAfter(now, "past", "now")

	keep(everywhere("step"), f.of("step"))
	for k := range 3 { // directions of sides
		s := vec{Values(of(slope + 2*k*Size)), Values(of(slope + (2*k+1)*Size))}
		steep := YMM()
		VSQRTPD(dot(s, s), steep)
		keep(steep, f.of("steep"+string(rune('0'+k))))
		keep(Div(Xor(s.y, sign()), steep), indexedX(f, "along", k))
		keep(Div(s.x, steep), indexedY(f, "along", k))
	}
	sums := []string{"stored", "spring", "normal", "tangential", "pressure", "deflection", "normalWork", "frictionWork"}
	parts := [4]string{"fx", "fy", "stiffness", "damping"}
	on := func(k int, part string) Mem { return f.of(part + string(rune('0'+k))) }
	none := Zero()
	for _, s := range sums {
		keep(none, f.of(s))
	}
	for k := range 5 {
		for _, part := range parts {
			keep(none, on(k, part))
		}
	}
	add := func(r reg.VecVirtual, at Mem) {
		VADDPD(at, r, r)
		keep(r, at)
	}
	take := func(r reg.VecVirtual, at Mem) {
		s := Values(at)
		VSUBPD(r, s, s)
		keep(s, at)
	}

	for point := range points {
		label := func(s string) string { return s + string(rune('0'+point)) }
		bit := four(1 << point)
		touches := func() reg.VecVirtual { // all bits if the contact node is in contact
			r := YMM()
			VMOVDQU(of(inContact), r)
			VPAND(bit, r, r)
			VPCMPEQQ(bit, r, r)
			return r
		}
		row := func(base reg.Register, list string, l, at int) Mem {
			r := GP64()
			MOVLQSX(f.of(list+string(rune('0'+l))).Offset(4*point), r)
			IMULQ(stride, r)
			return Mem{Base: base, Index: r, Scale: 1, Disp: at}
		}
		before := func(at int) func(l int) Mem { return func(l int) Mem { return row(old, "was", l, at) } }
		mask := touches()
		keep(mask, f.of("touches"))
		ways := Values(of(side + point*Size))
		second, third := YMM(), YMM()
		VPCMPEQQ(four(1), ways, second)
		VPCMPEQQ(four(2), ways, third)
		pick := func(of func(k int) Mem) reg.VecVirtual {
			return Choose(third, of(2), Choose(second, of(1), Values(of(0))))
		}
		keep(pick(func(k int) Mem { return of(slope + 2*k*Size) }), f.of("slopex"))
		keep(pick(func(k int) Mem { return of(slope + (2*k+1)*Size) }), f.of("slopey"))
		normal := Mul(pick(func(k int) Mem { return f.of("steep" + string(rune('0'+k))) }), slot(pressure, point))
		keep(normal, f.of("push"))
		direction := vec{pick(func(k int) Mem { return indexedX(f, "along", k) }), pick(func(k int) Mem { return indexedY(f, "along", k) })}
		f.keep(direction, "along")
		moves := vec{Values(of(relative + 2*point*Size)), Values(of(relative + (2*point+1)*Size))}
		slip := Mul(dot(direction, moves), f.of("step"))
		keep(slip, f.of("slip"))

		// memory of the contact point
		ax, ay := Pairs(before(rowAlong))
		pointed := vec{ax, ay}
		goesOn := Is(NotLess, dot(pointed, direction), Values(number(0.8)))
		turns := dot(moves, pointed)
		stick := [4]Mem{}
		for l := range stick {
			stick[l] = before(rowStick)(l)
		}
		r := Turned(Values(stick[0]), stick[1], Values(stick[2]), stick[3])
		friction, spring, stiffness, sliding := r[0], r[1], r[2], r[3]
		area := Column(before(rowArea))
		take(And(Mul(Mul(Mul(Mul(friction, half()), area), turns), f.of("step")), f.of("touches")), f.of("frictionWork"))
		for _, r := range r {
			VANDPD(goesOn, r, r)
		}
		more := And(Is(Less, area, of(size)), Is(Unequal, spring, Zero()))
		any := GP32()
		VMOVMSKPD(more, any)
		TESTL(any, any)
		JEQ(LabelRef(label("same")))
		VBLENDVPD(more, Mul(Div(area, of(size)), spring), spring, spring)
		Label(label("same"))

		// the stick
		k := Values(slot(stiff, point))
		follows := Mul(k, rule(ratio))
		least, now := Mul(k, rule(lag)), YMM()
		VMAXPD(least, stiffness, now)
		VMINPD(follows, now, now)
		now = Choose(Is(Equal, stiffness, Zero()), follows, now)
		isSet := Values(rule(isConstant))
		now = Choose(isSet, rule(constant), now)
		grips := And(And(Is(Above, Values(f.of("push")), Zero()), Is(Above, now, Zero())), And(Values(rule(acts)), f.of("touches")))
		changes := And(Is(Unequal, now, stiffness), Is(Above, stiffness, Zero()))
		VMOVMSKPD(changes, any)
		TESTL(any, any)
		JEQ(LabelRef(label("constant")))
		scale := YMM()
		VMINPD(stiffness, now, scale)
		VBLENDVPD(changes, Mul(spring, Div(scale, stiffness)), spring, spring)
		Label(label("constant"))
		slip = Values(f.of("slip"))
		same := And(Is(Above, sliding, Zero()), Is(Less, Mul(friction, slip), Zero()))
		limit := Mul(Choose(same, rule(kinetic), Values(rule(static))), f.of("push"))
		VSUBPD(Mul(now, slip), spring, spring)
		bears := Add(spring, Zero())
		slides := Is(Above, positive(spring), limit)
		limit = Mul(Values(rule(kinetic)), f.of("push"))
		least = Xor(limit, sign())
		for _, r := range []reg.VecVirtual{spring, bears} {
			cut := YMM()
			VMAXPD(least, r, cut)
			VMINPD(cut, limit, cut)
			VBLENDVPD(slides, cut, r, r)
			VANDPD(grips, r, r)
		}
		VANDPD(grips, now, now)
		slides = And(And(slides, grips), number(1))
		take(Mul(Mul(Mul(bears, half()), of(size)), slip), f.of("frictionWork"))
		add(Mul(And(Mul(Mul(spring, half()), Div(spring, now)), grips), of(size)), f.of("spring"))
		drag := Mul(bears, of(size))
		add(positive(drag), f.of("tangential"))
		keep(drag, f.of("drag"))

		// the contact point for the next state
		energy := Values(slot(work, point))
		keep(energy, f.of("energy"))
		depth := Values(of(deep + point*Size))
		var rows [4]Mem
		for l := range rows {
			rows[l] = row(next, "now", l, 0)
		}
		for l, r := range Turned(bears, spring, now, slides) {
			keep(r, rows[l].Offset(rowStick))
		}
		for l, r := range Turned(depth, Values(slot(pressure, point)), energy, Values(of(size))) {
			keep(r, rows[l].Offset(rowFirst))
		}
		low, high := YMM(), YMM()
		VUNPCKLPD(f.of("alongy"), Values(f.of("alongx")), low)
		VUNPCKHPD(f.of("alongy"), Values(f.of("alongx")), high)
		VMOVUPD(low.AsX(), rows[0].Offset(rowAlong))
		VMOVUPD(high.AsX(), rows[1].Offset(rowAlong))
		VEXTRACTF128(Imm(1), low, rows[2].Offset(rowAlong))
		VEXTRACTF128(Imm(1), high, rows[3].Offset(rowAlong))

		// energies
		keep(And(Mul(energy, of(whole)), f.of("touches")), Mem{Base: work, Disp: point * Size})
		mask = Values(f.of("touches"))
		add(And(Mul(energy, of(size)), mask), f.of("stored"))
		add(And(Mul(Values(f.of("push")), of(size)), mask), f.of("normal"))
		great := And(mask, f.of("push"))
		VMAXPD(f.of("pressure"), great, great)
		keep(great, f.of("pressure"))
		great = And(mask, depth)
		VMAXPD(f.of("deflection"), great, great)
		keep(great, f.of("deflection"))
		CMPQ(rule(dissipates), Imm(0))
		JEQ(LabelRef(label("conserves")))
		for l := range stick {
			stick[l] = before(rowFirst)(l)
		}
		r = Turned(Values(stick[0]), stick[1], Values(stick[2]), stick[3])
		area = Values(of(size))
		before0 := YMM()
		VMOVDQU(of(held), before0)
		VPAND(bit, before0, before0)
		VPCMPEQQ(bit, before0, before0)
		pushed := Add(Mul(Values(slot(pressure, point)), area), Mul(r[1], r[3]))
		loss := Mul(Mul(pushed, half()), Sub(Values(of(deep+point*Size)), r[0]))
		grown := Sub(area, Choose(before0, r[3], area))
		stores := Mul(Mul(Add(Values(f.of("energy")), r[2]), half()), grown)
		add(And(Add(loss, stores), f.of("touches")), f.of("normalWork"))
		Label(label("conserves"))

		// forces
		drag = Values(f.of("drag"))
		press := Mul(Values(slot(pressure, point)), of(size))
		force := vec{
			And(Sub(Mul(drag, f.of("alongx")), Mul(press, f.of("slopex"))), f.of("touches")),
			And(Sub(Mul(drag, f.of("alongy")), Mul(press, f.of("slopey"))), f.of("touches")),
		}
		u, rest := number(place(point)), number(1-place(point))
		for k := range 5 {
			switch k {
			case 0, 1:
				share := [2]Mem{rest, u}[k]
				add(Mul(force.x, share), on(k, "fx"))
				add(Mul(force.y, share), on(k, "fy"))
			default:
				share := of(weight + (3*point+k-2)*Size)
				take(Mul(force.x, share), on(k, "fx"))
				take(Mul(force.y, share), on(k, "fy"))
			}
		}

		// bounds
		k = Values(slot(stiff, point))
		stiffest := Mul(k, rule(ratio))
		VMAXPD(k, stiffest, stiffest)
		VMAXPD(rule(constant), stiffest, stiffest)
		stiffest = Choose(Values(rule(acts)), stiffest, k)
		VADDPD(stiffest, stiffest, stiffest)
		VMULPD(of(size), stiffest, stiffest)
		isNear := YMM()
		VMOVDQU(of(near), isNear)
		VPAND(bit, isNear, isNear)
		VPCMPEQQ(bit, isNear, isNear)
		VANDPD(isNear, stiffest, stiffest)
		shares := [5]reg.VecVirtual{Values(rest), Values(u)}
		for k := range 3 {
			w := Values(of(weight + (3*point+k)*Size))
			VMAXPD(Zero(), w, w)
			VMINPD(number(1), w, w)
			shares[2+k] = w
		}
		for k, share := range shares {
			add(Mul(share, stiffest), on(k, "stiffness"))
		}
		CMPQ(rule(damped), Imm(0))
		JEQ(LabelRef(label("undamped")))
		slows := And(Mul(Values(rule(damping2)), of(size)), isNear)
		for k, share := range shares {
			add(Mul(share, slows), on(k, "damping"))
		}
		Label(label("undamped"))
	}

	group := Load(Param("group"), GP64())
	for k := range 5 {
		rows := Turned(Values(on(k, "fx")), on(k, "fy"), Values(on(k, "stiffness")), on(k, "damping"))
		for l, r := range rows {
			keep(r, Mem{Base: group, Disp: l*groupSize + groupOn + k*Size})
		}
	}
	for i := range 2 {
		s := sums[4*i:]
		for l, r := range Turned(Values(f.of(s[0])), f.of(s[1]), Values(f.of(s[2])), f.of(s[3])) {
			keep(r, Mem{Base: group, Disp: l*groupSize + groupSums + i*Size})
		}
	}
	rule32, none32 := GP32(), GP64()
	MOVL(of(ruleOf), rule32)
	XORQ(none32, none32)
	for l := range 4 {
		at := func(field int) Mem { return Mem{Base: group, Disp: l*groupSize + field} }
		MOVQ(none32, at(transferred))
		MOVL(rule32, at(groupRule))
		touches := GP64()
		POPCNTQ(of(inContact+8*l), touches)
		MOVL(touches.As32(), at(active))
		last := GP32()
		MOVL(of(node+4*Size/2+4*l), last)
		MOVL(last, at(groupNode+4*4))
	}
	for half := range 2 { // first two pairs, then the others
		var two [2]reg.VecVirtual
		for k := range two {
			first, second := XMM(), XMM()
			VMOVDQU(of(node+2*k*Size/2), first)
			VMOVDQU(of(node+(2*k+1)*Size/2), second)
			two[k] = XMM()
			if half == 0 {
				VPUNPCKLDQ(second, first, two[k])
			} else {
				VPUNPCKHDQ(second, first, two[k])
			}
		}
		for l := range 2 {
			r := XMM()
			if l == 0 {
				VPUNPCKLQDQ(two[1], two[0], r)
			} else {
				VPUNPCKHQDQ(two[1], two[0], r)
			}
			VMOVDQU(r, Mem{Base: group, Disp: (2*half+l)*groupSize + groupNode})
		}
	}
	VZEROUPPER()
	RET()
}

// ranks are, for each set of contact nodes, eight numbers: how many contact nodes of
// the set come before a given one of the set. A contact node is a bit of the set. For
// nodes outside the set the number is very large.
func ranks() Mem {
	m := GLOBL("ranks", RODATA|NOPTR)
	for set := range 1 << points {
		n := 0
		for point := range 8 {
			rank := 1 << 30
			if set>>point&1 != 0 {
				rank = n
				n++
			}
			DATA(32*set+4*point, U32(rank))
		}
	}
	return m
}

// add adds the forces of groups to the nodes.
func add() {
	TEXT("addAVX2", NOSPLIT, "func(a, b, c, d, e, loads *float64)")
	Pragma("noescape")
	Doc("addAVX2 is addPlain for five nodes.")
	loads := Load(Param("loads"), GP64())
	for k, name := range []string{"a", "b", "c", "d", "e"} {
		to := Load(Param(name), GP64())
		r := Values(Mem{Base: to})
		VADDPD(Mem{Base: loads, Disp: k * Size}, r, r)
		keep(r, Mem{Base: to})
	}
	VZEROUPPER()
	RET()
}
