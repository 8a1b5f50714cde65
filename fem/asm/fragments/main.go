// Command fragments writes contactnodes/potential/four_amd64.s and its Go declarations:
// four pairs of a face and a triangle at a time with AVX2. They do what cullPlain,
// enterPlain and pressPlain do, operation by operation and in the same order, so that both
// give the same bits; a fused multiply-add would not, and is not used.
//
// Run it in contactnodes/potential with go generate.
package main

import (
	"math"

	. "fdem/fem/asm/four"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const points = 5 // contact nodes of a face

// Offsets within sleeper, as package potential has it, and its size [bytes].
const (
	wakes       = 0
	askedA      = 8
	askedB      = 12
	askedTarget = 16
	askedSize   = 32
)

// Offsets within four [bytes].
const (
	deep     = 0
	weight   = deep + points*Size
	relative = weight + 3*points*Size
	slope    = relative + 2*points*Size
	size     = slope + 3*2*Size
	whole    = size + Size
	touching = whole + Size
	near     = touching + Size
	doubtful = near + Size
	held     = doubtful + Size
	side     = held + Size
	node     = side + points*Size
	target   = node + 5*Size/2
	from     = target + Size/2
	to       = from + 4*Size
)

// Offsets within group, and its size [bytes].
const (
	groupOn   = 0
	groupSums = groupOn + 5*Size
	groupSize = groupSums + 2*Size + 64
)

// Offsets within sight [bytes].
const (
	firstPlace = Size * iota
	lastPlace
	opposite // of the margin
	margin2
	far2
	due
	sightSize
)

// Offsets within pressing [bytes].
const (
	ratio = Size * iota
	lag
	constant // stiffness of the spring
	static
	kinetic
	damping2
	acts       // there is friction
	isConstant // the spring is of a constant stiffness
	damped     // any damping
)

const (
	dissipates   = damped + 8
	pressingSize = damped + Size
)

// room is how many fours of values the kernels put aside, behind sight and pressing.
const room = 60

// Rows of the state: values of a touch [bytes].
const (
	rowFirst  = 0 // deflection, pressure, stored and area
	rowArea   = 24
	rowStick  = 32 // friction, spring, stiffness and sliding
	rowAlong  = 64
	nodeShift = 4 // of places and velocities
)

// vec is a vector in the plane of each of four pairs.
type vec struct{ x, y Op }

func sub(p, q vec) vec { return vec{Sub(p.x, q.x), Sub(p.y, q.y)} }

func cross(p, q vec) reg.VecVirtual { return Sub(Mul(p.x, q.y), Mul(p.y, q.x)) }

func dot(p, q vec) reg.VecVirtual { return Sum(p.x, q.x, p.y, q.y) }

// constants are values that stand four times in a row.
var constants = map[uint64]Mem{}

func four(bits uint64) Mem {
	m, ok := constants[bits]
	if !ok {
		m = GLOBL(name(len(constants)), RODATA|NOPTR)
		for l := range 4 {
			DATA(8*l, U64(bits))
		}
		constants[bits] = m
	}
	return m
}

func name(i int) string { return "four" + string(rune('A'+i)) }

func number(x float64) Mem { return four(math.Float64bits(x)) }

func sign() Mem { return four(1 << 63) }

// place is where a contact node is on its face.
func place(point int) float64 { return (float64(point) + 0.5) / points }

// frame is room for named values.
type frame struct {
	at    Mem
	names map[string]int
}

func newFrame(base reg.Register, at int) *frame {
	return &frame{Mem{Base: base, Disp: at}, map[string]int{}}
}

func (f *frame) of(name string) Mem {
	i, ok := f.names[name]
	if !ok {
		if i = len(f.names); i == room {
			panic("more values than room")
		}
		f.names[name] = i
	}
	return f.at.Offset(i * Size)
}

func (f *frame) vec(name string) vec { return vec{f.of(name + "x"), f.of(name + "y")} }

func keep(r Op, at Mem) { VMOVUPD(r, at) }

func (f *frame) keep(v vec, name string) vec {
	keep(v.x, f.of(name+"x"))
	keep(v.y, f.of(name+"y"))
	return f.vec(name)
}

// values returns what may be in memory in a register.
func values(p Op) reg.VecVirtual {
	if m, ok := p.(Mem); ok {
		return Values(m)
	}
	return p.(reg.VecVirtual)
}

// nodes returns what an array of vectors has of a node of four pairs, which memory names.
func nodes(base reg.Register, number func(lane int) Mem) vec {
	x, y := Pairs(func(l int) Mem {
		r := GP64()
		MOVL(number(l), r.As32())
		SHLQ(U8(nodeShift), r)
		return Mem{Base: base, Index: r, Scale: 1}
	})
	return vec{x, y}
}

// oneOf returns the column of four rows of one value.
func oneOf(at func(lane int) Mem) reg.VecVirtual {
	q, r := YMM(), XMM()
	VBROADCASTSD(at(0), q)
	VMOVHPD(at(1), q.AsX(), q.AsX())
	VMOVSD(at(2), r)
	VMOVHPD(at(3), r, r)
	VINSERTF128(Imm(1), r, q, q)
	return q
}

// turned makes rows of columns, and columns of rows.
func turned(a, b, c, d Op) [4]reg.VecVirtual {
	var t [4]reg.VecVirtual
	for i := range t {
		t[i] = YMM()
	}
	VUNPCKLPD(b, a, t[0])
	VUNPCKHPD(b, a, t[1])
	VUNPCKLPD(d, c, t[2])
	VUNPCKHPD(d, c, t[3])
	r := YMM()
	VINSERTF128(Imm(1), t[2].AsX(), t[0], r)
	VPERM2F128(Imm(0x31), t[2], t[0], t[0])
	VINSERTF128(Imm(1), t[3].AsX(), t[1], t[2])
	VPERM2F128(Imm(0x31), t[3], t[1], t[1])
	return [4]reg.VecVirtual{r, t[2], t[0], t[1]}
}

// along returns a place on a face from a, with the way to its end.
func along(a, way vec, u Op) vec { return vec{Add(Mul(way.x, u), a.x), Add(Mul(way.y, u), a.y)} }

func main() {
	cull()
	enter()
	linear()
	press()
	add()
	Generate()
}

// cull tells who is apart.
func cull() {
	TEXT("cullAVX2", NOSPLIT, "func(asked *float64, fours int, triangles *int32, x, altitude, sight *float64, apart *uint8)")
	Pragma("noescape")
	Doc("cullAVX2 is cullPlain for so many fours.")
	asked, n := Load(Param("asked"), GP64()), Load(Param("fours"), GP64())
	triangles, x := Load(Param("triangles"), GP64()), Load(Param("x"), GP64())
	altitude, c := Load(Param("altitude"), GP64()), Load(Param("sight"), GP64())
	apart := Load(Param("apart"), GP64())
	sight := func(at int) Mem { return Mem{Base: c, Disp: at} }

	Label("cull")
	of := func(field int) func(l int) Mem {
		return func(l int) Mem { return Mem{Base: asked, Disp: l*askedSize + field} }
	}
	awake := GP32()
	VMOVMSKPD(Is(Most, oneOf(of(wakes)), sight(due)), awake)
	TESTL(awake, awake)
	JEQ(LabelRef("asleep"))
	var triple [4]reg.GPVirtual // three times the triangle
	for l := range triple {
		r := GP64()
		triple[l] = r
		MOVL(of(askedTarget)(l), r.As32())
		LEAQ(Mem{Base: r, Index: r, Scale: 2}, r)
	}
	f := newFrame(c, sightSize+pressingSize)
	a := nodes(x, of(askedA))
	way := sub(nodes(x, of(askedB)), a)
	f.keep(along(a, way, sight(firstPlace)), "first")
	f.keep(along(a, way, sight(lastPlace)), "last")
	var p [3]vec
	for k := range p {
		p[k] = nodes(x, func(l int) Mem { return Mem{Base: triangles, Index: triple[l], Scale: 4, Disp: 4 * k} })
		f.keep(p[k], "p"+string(rune('0'+k)))
	}
	beyond := Mul(cross(sub(p[1], p[0]), sub(p[2], p[0])), sight(opposite))
	var out, far reg.VecVirtual
	for k := range p {
		at := f.vec("p" + string(rune('0'+(k+1)%3)))
		e := sub(f.load("p"+string(rune('0'+(k+2)%3))), at)
		first, last := cross(e, sub(f.load("first"), at)), cross(e, sub(f.load("last"), at))
		d := YMM()
		VMAXPD(first, last, d)
		h := oneOf(func(l int) Mem { return Mem{Base: altitude, Index: triple[l], Scale: 8, Disp: 8 * k} })
		VMULPD(h, first, first)
		VMULPD(h, last, last)
		out1 := And(Is(Less, first, beyond), Is(Less, last, beyond))
		far1 := And(Is(Less, d, Zero()), Is(Above, Mul(d, d), Mul(dot(e, e), sight(far2))))
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
	MOVB(low.As8(), Mem{Base: apart})
	JMP(LabelRef("next"))
	Label("asleep")
	MOVB(Imm(15), Mem{Base: apart})
	Label("next")
	ADDQ(U32(4*askedSize), asked)
	INCQ(apart)
	DECQ(n)
	JNE(LabelRef("cull"))
	VZEROUPPER()
	RET()
}

// enter finds where contact nodes are in triangles, and how they move.
func enter() {
	TEXT("enterAVX2", NOSPLIT, "func(q, x, v, altitude, sight, deflection, rate *float64)")
	Pragma("noescape")
	Doc("enterAVX2 is enterPlain for four pairs with triangles.")
	q, x, v := Load(Param("q"), GP64()), Load(Param("x"), GP64()), Load(Param("v"), GP64())
	altitude, c := Load(Param("altitude"), GP64()), Load(Param("sight"), GP64())
	deflection, rate := Load(Param("deflection"), GP64()), Load(Param("rate"), GP64())
	sight := func(at int) Mem { return Mem{Base: c, Disp: at} }
	of := func(at int) Mem { return Mem{Base: q, Disp: at} }
	f := newFrame(c, sightSize+pressingSize)
	number32 := func(k int) func(l int) Mem {
		return func(l int) Mem { return of(node + k*Size/2 + 4*l) }
	}

	// how they move
	va := nodes(v, number32(0))
	f.keep(va, "va")
	f.keep(sub(nodes(v, number32(1)), va), "turn")
	for k := range 3 {
		f.keep(nodes(v, number32(2+k)), "v"+string(rune('0'+k)))
	}

	// area coordinates of the first contact node, and by how much the last one's differ
	a := nodes(x, number32(0))
	f.keep(a, "a")
	way := sub(nodes(x, number32(1)), a)
	f.keep(way, "way")
	ends := [2]vec{along(a, way, sight(firstPlace)), along(a, way, sight(lastPlace))}
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
		h := oneOf(func(l int) Mem {
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

	for _, at := range []int{touching, near, doubtful} {
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

		// how it moves
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

		// whether it touches, or is near
		positive := YMM()
		VMAXPD(Zero(), d, positive)
		keep(positive, Mem{Base: deflection, Disp: point * Size})
		in := Is(Above, d, Zero())
		asked := Without(Is(Above, d, sight(opposite)), in)
		edge := vec{pick(func(k int) Mem { return indexedX(f, "e", k) }, 0), pick(func(k int) Mem { return indexedY(f, "e", k) }, 0)}
		r := along(f.vec("a"), f.load("way"), number(place(point)))
		r = vec{Sub(r.x, pick(func(k int) Mem { return indexedX(f, "p", k) }, 1)), Sub(r.y, pick(func(k int) Mem { return indexedY(f, "p", k) }, 1))}
		u := Div(dot(edge, r), dot(edge, edge))
		VMAXPD(Zero(), u, u)
		VMINPD(number(1), u, u)
		r = vec{Sub(r.x, Mul(edge.x, u)), Sub(r.y, Mul(edge.y, u))}
		beside := Is(Most, dot(r, r), sight(margin2))
		bit := four(1 << point)
		note := func(mask reg.VecVirtual, at int) {
			VANDPD(bit, mask, mask)
			VORPD(of(at), mask, mask)
			keep(mask, of(at))
		}
		note(Without(asked, beside), doubtful)
		note(Or(in, And(asked, beside)), near)
		note(in, touching)
	}
	VZEROUPPER()
	RET()
}

func indexedX(f *frame, name string, k int) Mem { return f.of(name + string(rune('0'+k)) + "x") }

func indexedY(f *frame, name string, k int) Mem { return f.of(name + string(rune('0'+k)) + "y") }

// load returns a vector of the frame in registers.
func (f *frame) load(name string) vec { return vec{Values(f.of(name + "x")), Values(f.of(name + "y"))} }

// linear asks the linear law.
func linear() {
	TEXT("linearAVX2", NOSPLIT, "func(fours int, d, rate, p, k, w *float64, stiffness, damping float64)")
	Pragma("noescape")
	Doc("linearAVX2 is Linear.Eval for so many fours of contact nodes, without the tangent.")
	n := Load(Param("fours"), GP64())
	d, rate := Load(Param("d"), GP64()), Load(Param("rate"), GP64())
	p, k, w := Load(Param("p"), GP64()), Load(Param("k"), GP64()), Load(Param("w"), GP64())
	stiffness, damping := YMM(), YMM()
	VBROADCASTSD(Load(Param("stiffness"), XMM()), stiffness)
	VBROADCASTSD(Load(Param("damping"), XMM()), damping)
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

// press finds what touches do.
func press() {
	TEXT("pressAVX2", NOSPLIT, "func(q, group, old, next *float64, stride int, p, k, w, pressing *float64, step float64)")
	Pragma("noescape")
	Doc("pressAVX2 is pressPlain for four pairs whose targets have their arms in place, under friction that sticks, or none.")
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

	step := YMM()
	VBROADCASTSD(Load(Param("step"), XMM()), step)
	keep(step, f.of("step"))
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
		touches := func() reg.VecVirtual { // all bits where the contact node touches
			r := YMM()
			VMOVDQU(of(touching), r)
			VPAND(bit, r, r)
			VPCMPEQQ(bit, r, r)
			return r
		}
		row := func(base reg.Register, list, l, at int) Mem {
			r := GP64()
			MOVLQSX(of(list+l*Size+4*point), r)
			IMULQ(stride, r)
			return Mem{Base: base, Index: r, Scale: 1, Disp: at}
		}
		was := func(at int) func(l int) Mem { return func(l int) Mem { return row(old, from, l, at) } }
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

		// what is remembered of the touch
		ax, ay := Pairs(was(rowAlong))
		before := vec{ax, ay}
		goesOn := Is(NotLess, dot(before, direction), Values(number(0.8)))
		turns := dot(moves, before)
		stick := [4]Mem{}
		for l := range stick {
			stick[l] = row(old, from, l, rowStick)
		}
		r := turned(Values(stick[0]), stick[1], Values(stick[2]), stick[3])
		friction, spring, stiffness, sliding := r[0], r[1], r[2], r[3]
		area := oneOf(was(rowArea))
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

		// the touch for the next state
		energy := Values(slot(work, point))
		keep(energy, f.of("energy"))
		depth := Values(of(deep + point*Size))
		var rows [4]Mem
		for l := range rows {
			rows[l] = row(next, to, l, 0)
		}
		for l, r := range turned(bears, spring, now, slides) {
			keep(r, rows[l].Offset(rowStick))
		}
		for l, r := range turned(depth, Values(slot(pressure, point)), energy, Values(of(size))) {
			keep(r, rows[l].Offset(rowFirst))
		}
		low, high := YMM(), YMM()
		VUNPCKLPD(f.of("alongy"), Values(f.of("alongx")), low)
		VUNPCKHPD(f.of("alongy"), Values(f.of("alongx")), high)
		VMOVUPD(low.AsX(), rows[0].Offset(rowAlong))
		VMOVUPD(high.AsX(), rows[1].Offset(rowAlong))
		VEXTRACTF128(Imm(1), low, rows[2].Offset(rowAlong))
		VEXTRACTF128(Imm(1), high, rows[3].Offset(rowAlong))

		// books
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
			stick[l] = row(old, from, l, rowFirst)
		}
		r = turned(Values(stick[0]), stick[1], Values(stick[2]), stick[3])
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
		rows := turned(Values(on(k, "fx")), on(k, "fy"), Values(on(k, "stiffness")), on(k, "damping"))
		for l, r := range rows {
			keep(r, Mem{Base: group, Disp: l*groupSize + groupOn + k*Size})
		}
	}
	for i := range 2 {
		s := sums[4*i:]
		for l, r := range turned(Values(f.of(s[0])), f.of(s[1]), Values(f.of(s[2])), f.of(s[3])) {
			keep(r, Mem{Base: group, Disp: l*groupSize + groupSums + i*Size})
		}
	}
	VZEROUPPER()
	RET()
}

// add adds loads to what acts on nodes.
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
