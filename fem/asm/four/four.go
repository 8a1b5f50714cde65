// Package four has the common part of the generators of assembly: values of four lanes
// side by side, each in an AVX2 register, which one instruction processes together.
package four

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Size is that of four values [bytes].
const Size = 32

// Line is the size of a line of the cache [bytes].
const Line = 64

// Predicates of comparisons. They are false for NaN, except Unlike, NotLess and
// NotMost.
const (
	Equal   = 0x00
	Unlike  = 0x04
	Unequal = 0x0c
	Less    = 0x11
	Most    = 0x12
	NotLess = 0x15
	NotMost = 0x16
	AtLeast = 0x1d
	Above   = 0x1e
)

// Values returns four values from memory. Operands of the other functions may also be
// in memory, except the first one of a difference, a quotient or a comparison.
func Values(m Mem) reg.VecVirtual { r := YMM(); VMOVUPD(m, r); return r }

// Zero returns four zeros.
func Zero() reg.VecVirtual { r := YMM(); VXORPD(r, r, r); return r }

// Add returns p + q, lane by lane.
func Add(p, q Op) reg.VecVirtual { r := YMM(); VADDPD(q, p, r); return r }

// Sub returns p - q, lane by lane.
func Sub(p, q Op) reg.VecVirtual { r := YMM(); VSUBPD(q, p, r); return r }

// Mul returns p * q, lane by lane.
func Mul(p, q Op) reg.VecVirtual { r := YMM(); VMULPD(q, p, r); return r }

// Div returns p / q, lane by lane.
func Div(p, q Op) reg.VecVirtual { r := YMM(); VDIVPD(q, p, r); return r }

// And returns p & q, lane by lane.
func And(p, q Op) reg.VecVirtual { r := YMM(); VANDPD(q, p, r); return r }

// Or returns p | q, lane by lane.
func Or(p, q Op) reg.VecVirtual { r := YMM(); VORPD(q, p, r); return r }

// Xor returns p ^ q, lane by lane.
func Xor(p, q Op) reg.VecVirtual { r := YMM(); VXORPD(q, p, r); return r }

// Sum returns pq + rs, where both products are rounded.
func Sum(p, q, r, s Op) reg.VecVirtual { return Add(Mul(p, q), Mul(r, s)) }

// Without returns p without the bits of the mask.
func Without(p, mask Op) reg.VecVirtual { r := YMM(); VANDNPD(p, mask, r); return r }

// Is compares p with q. It returns all bits of a lane if the comparison holds, else
// none.
func Is(how uint64, p, q Op) reg.VecVirtual { r := YMM(); VCMPPD(Imm(how), q, p, r); return r }

// Choose returns yes in the lanes of the mask, no in the others.
func Choose(mask reg.VecVirtual, yes Op, no reg.VecVirtual) reg.VecVirtual {
	r := YMM()
	VBLENDVPD(mask, yes, no, r)
	return r
}

// Pairs returns the first and the second value at the addresses of four lanes.
func Pairs(at func(lane int) Mem) (first, second reg.VecVirtual) {
	p, q := YMM(), YMM()     // lanes 0 and 2, lanes 1 and 3
	VBROADCASTF128(at(0), p) // all of p, otherwise it would be kept from loop to loop
	VINSERTF128(Imm(1), at(2), p, p)
	VBROADCASTF128(at(1), q)
	VINSERTF128(Imm(1), at(3), q, q)
	first, second = YMM(), YMM()
	VUNPCKLPD(q, p, first)
	VUNPCKHPD(q, p, second)
	return first, second
}

// Column returns the values at the addresses of four lanes.
func Column(at func(lane int) Mem) reg.VecVirtual {
	q, r := YMM(), XMM()
	VBROADCASTSD(at(0), q)
	VMOVHPD(at(1), q.AsX(), q.AsX())
	VMOVSD(at(2), r)
	VMOVHPD(at(3), r, r)
	VINSERTF128(Imm(1), r, q, q)
	return q
}

// Turned transposes rows and columns.
func Turned(a, b, c, d Op) [4]reg.VecVirtual {
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
