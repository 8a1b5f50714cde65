package main

import (
	. "fdem/fem/asm/four"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// frame is memory for named values.
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

func (f *frame) keep(v vec, name string) {
	keep(v.x, f.of(name+"x"))
	keep(v.y, f.of(name+"y"))
}

func indexedX(f *frame, name string, k int) Mem { return f.of(name + string(rune('0'+k)) + "x") }

func indexedY(f *frame, name string, k int) Mem { return f.of(name + string(rune('0'+k)) + "y") }

// load returns a vector of the frame in registers.
func (f *frame) load(name string) vec { return vec{Values(f.of(name + "x")), Values(f.of(name + "y"))} }
