package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Values of one or two lanes.

func single(m Mem) reg.VecVirtual                  { r := XMM(); VMOVSD(m, r); return r }
func double(m Mem) reg.VecVirtual                  { r := XMM(); VMOVUPD(m, r); return r }
func twice(m Op) reg.VecVirtual                    { r := XMM(); VMOVDDUP(m, r); return r }
func mul1(q Op, p reg.VecVirtual) reg.VecVirtual   { r := XMM(); VMULSD(q, p, r); return r }
func mul2(q Op, p reg.VecVirtual) reg.VecVirtual   { r := XMM(); VMULPD(q, p, r); return r }
func add2(q Op, p reg.VecVirtual) reg.VecVirtual   { r := XMM(); VADDPD(q, p, r); return r }
func sub2(p reg.VecVirtual, q Op) reg.VecVirtual   { r := XMM(); VSUBPD(q, p, r); return r }
func swap(p Op) reg.VecVirtual                     { r := XMM(); VPERMILPD(Imm(1), p, r); return r }
func pair(low, high reg.VecVirtual) reg.VecVirtual { r := XMM(); VUNPCKLPD(high, low, r); return r }

func pairHigh(low, high reg.VecVirtual) reg.VecVirtual { r := XMM(); VUNPCKHPD(high, low, r); return r }

// crossDot returns the difference of the two values of one vector, and the sum of those of another.
func crossDot(difference, sum reg.VecVirtual) reg.VecVirtual {
	r := pair(difference, sum)
	VADDSUBPD(pairHigh(difference, sum), r, r)
	return r
}
